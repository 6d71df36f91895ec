//! A choreography as one process sees it.
//!
//! Most of a choreography does not concern a given process. A [`View`] skips what does not concern it: from any node
//! it knows the next *point*, which is an action of the process, the end, or a place where it depends on others how
//! the process goes on. [`View::heads`] follows those too and gives everything that the process may have to do next.
//! Once a process never acts again it is done, even while others loop forever.

use super::hub::{self, Local, Races};
use super::unfold::Unfolded;
use super::{Choreography, Node, NodeId};
use crate::network::{Content, Interaction, ProcessId};
use crate::syntax::{ArenaRange, Symbol};

/// The point at which a process is done.
pub(super) const DONE: u32 = u32::MAX;
const UNKNOWN: u32 = u32::MAX - 1;
const OPEN: u32 = u32::MAX - 2;

/// What a process does at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// Nothing more.
    Done,
    /// Sends a value.
    Send { to: ProcessId, expression: Symbol, next: NodeId },
    /// Receives a value.
    Receive { from: ProcessId, next: NodeId },
    /// Selects a label.
    Select { to: ProcessId, label: Symbol, next: NodeId },
    /// Is told a label.
    Offer { from: ProcessId, label: Symbol, next: NodeId },
    /// Decides.
    If { condition: Symbol, then: NodeId, otherwise: NodeId },
    /// Selects a label and sends a value with it.
    SelectValue { to: ProcessId, label: Symbol, expression: Symbol, next: NodeId },
    /// Chooses: a stretch of [`Choreography::arms`].
    Choose { arms: ArenaRange },
    /// Does whichever comes first: a stretch of [`Choreography::arms`], all with this process.
    Any { items: ArenaRange },
    /// Is told, by a selection that is yet to be added, how another has decided.
    Told { from: ProcessId, conditional: NodeId },
}

impl Head {
    /// The process that tells a label here.
    pub(super) fn teller(self) -> Option<ProcessId> {
        match self {
            Head::Offer { from, .. } | Head::Told { from, .. } => Some(from),
            _ => None,
        }
    }

    /// Whether the process gives something to another.
    fn gives(self) -> bool {
        matches!(self, Head::Send { .. } | Head::Select { .. } | Head::SelectValue { .. })
    }

    /// The one process that the process meets here.
    pub(super) fn partner(self) -> Option<ProcessId> {
        match self {
            Head::Send { to, .. } | Head::Select { to, .. } | Head::SelectValue { to, .. } => Some(to),
            Head::Receive { from, .. } | Head::Offer { from, .. } | Head::Told { from, .. } => Some(from),
            Head::Done | Head::If { .. } | Head::Choose { .. } | Head::Any { .. } => None,
        }
    }

    /// What follows, if the process meets another here.
    pub(super) fn next(self) -> Option<NodeId> {
        match self {
            Head::Send { next, .. }
            | Head::Receive { next, .. }
            | Head::Select { next, .. }
            | Head::SelectValue { next, .. }
            | Head::Offer { next, .. } => Some(next),
            Head::Done | Head::If { .. } | Head::Choose { .. } | Head::Any { .. } | Head::Told { .. } => None,
        }
    }
}

/// The nodes of a part and the processes that act in it.
pub(super) struct Part {
    /// The nodes that can be reached.
    pub(super) nodes: Vec<u32>,
    /// The processes that act, in order.
    pub(super) processes: Vec<ProcessId>,
    /// Whether there is a cycle.
    cyclic: bool,
}

impl Part {
    /// The part that starts at a node.
    pub(super) fn new(choreography: &Choreography, start: NodeId) -> Self {
        let mut seen = vec![false; choreography.nodes.len()];
        let mut acts = vec![false; choreography.processes.len()];
        let mut nodes = Vec::new();
        let mut work = vec![start];
        let mut cyclic = false;
        if let Some(seen) = seen.get_mut(start.index()) {
            *seen = true;
        }
        while let Some(id) = work.pop() {
            nodes.push(id.0);
            each_actor(choreography, id, |process| acts[process.index()] = true);
            for next in choreography.successors(id) {
                // An edge to a node of a lower number is the only kind that can close a cycle.
                cyclic |= next <= id;
                if !std::mem::replace(&mut seen[next.index()], true) {
                    work.push(next);
                }
            }
        }
        nodes.sort_unstable();
        let processes = (0..acts.len() as u32).filter(|&process| acts[process as usize]).map(ProcessId).collect();
        Part { nodes, processes, cyclic }
    }
}

/// Calls `visit` with each process that acts at a node.
pub(super) fn each_actor(choreography: &Choreography, id: NodeId, mut visit: impl FnMut(ProcessId)) {
    match choreography.node(id) {
        Node::Stop => {}
        Node::Interaction { interaction, .. } => {
            visit(interaction.from);
            visit(interaction.to);
        }
        Node::Group { members, .. } => members.of(&choreography.members).iter().for_each(|member| {
            visit(member.from);
            visit(member.to);
        }),
        // Each half of a message concerns only one.
        Node::Put { interaction, .. } => visit(interaction.from),
        Node::Take { to, .. } => visit(to),
        Node::If { process, .. } | Node::Choose { process, .. } => visit(process),
        // Those who take part in its items act there.
        Node::Any { .. } => {}
    }
}

/// What one process sees of a part of a choreography.
pub(super) struct View<'a> {
    pub(super) choreography: &'a Choreography,
    /// What is known about its queues.
    pub(super) unfolded: &'a Unfolded<'a>,
    pub(super) process: ProcessId,
    /// For each node, whether the process is told there, at once, how another has decided. May be empty.
    pub(super) told: Vec<bool>,
    /// Whether the process may wait forever.
    pub(super) service: bool,
    /// The races, if there are any.
    races: Option<Races>,
    /// For each node, the next point.
    point: Vec<u32>,
    /// Marks nodes that [`heads`](Self::heads) has met, with the number of the question.
    met: Vec<u32>,
    question: u32,
    stack: Vec<u32>,
}

impl<'a> View<'a> {
    /// What a process sees, when it is told about some conditionals of others.
    pub(super) fn new(unfolded: &'a Unfolded<'a>, part: &Part, process: ProcessId, told: Vec<bool>) -> Self {
        let choreography = &*unfolded.choreography;
        let count = choreography.nodes.len();
        let mut view = View {
            choreography,
            unfolded,
            process,
            told,
            service: false,
            races: Races::new(unfolded, part, process),
            point: vec![UNKNOWN; count],
            met: vec![0; count],
            question: 0,
            stack: Vec::new(),
        };
        if part.cyclic && view.find_points(part, |_| true) {
            // Others loop without this process: it is done where it can never act again.
            let live = view.live(part);
            view.point.fill(UNKNOWN);
            view.find_points(part, |node| live[node as usize]);
        } else if !part.cyclic {
            view.find_points(part, |_| true);
        }
        view
    }

    /// The next point from a node; the end, from a node of another part.
    pub(super) fn point(&self, node: NodeId) -> u32 {
        match self.point.get(node.index()) {
            None | Some(&UNKNOWN) => DONE,
            Some(&point) => point,
        }
    }

    /// Whether a node concerns the process.
    pub(super) fn concerns(&self, node: u32) -> bool {
        let process = self.process;
        match self.choreography.node(NodeId(node)) {
            Node::Stop => false,
            Node::Interaction { interaction: Interaction { from, to, .. }, .. } => from == process || to == process,
            Node::If { process: decides, .. } | Node::Choose { process: decides, .. } => {
                decides == process || self.is_told(node)
            }
            Node::Any { .. } => self.owns(node) || self.is_told(node),
            Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => {
                let mut found = false;
                each_actor(self.choreography, NodeId(node), |actor| found |= actor == process);
                found
            }
        }
    }

    /// Whether there are races.
    pub(super) fn has_races(&self) -> bool {
        self.races.is_some()
    }

    /// Whether the process is a hub of the race at a node.
    pub(super) fn owns(&self, node: u32) -> bool {
        self.races.as_ref().is_some_and(|races| races.owns(node))
    }

    /// The hubs that the process may give to and take from at the same time.
    pub(super) fn above(&self) -> &[ProcessId] {
        self.races.as_ref().map_or(&[], Races::above)
    }

    fn is_told(&self, node: u32) -> bool {
        self.told.get(node as usize).copied().unwrap_or(false)
    }

    /// Finds the point of each node, and gives whether there is a cycle without the process.
    fn find_points(&mut self, part: &Part, live: impl Fn(u32) -> bool) -> bool {
        let mut looped = false;
        // Others loop from these nodes and back; such a node is a point itself.
        let mut heads_of_loops: Vec<bool> = Vec::new();
        let mut stack = std::mem::take(&mut self.stack);
        for &root in part.nodes.iter().rev() {
            if self.point[root as usize] != UNKNOWN {
                continue;
            }
            stack.push(root);
            while let Some(&node) = stack.last() {
                let slot = self.point[node as usize];
                if slot != UNKNOWN && slot != OPEN {
                    stack.pop();
                    continue;
                }
                let entered = slot == OPEN;
                if !entered {
                    let at_once = match self.choreography.node(NodeId(node)) {
                        Node::Stop => Some(DONE),
                        _ if !live(node) => Some(DONE),
                        _ if self.concerns(node) => Some(node),
                        _ => None,
                    };
                    if let Some(point) = at_once {
                        self.point[node as usize] = point;
                        stack.pop();
                        continue;
                    }
                    self.point[node as usize] = OPEN;
                }
                let before = stack.len();
                // The point that all successors have in common; itself, if they differ.
                let mut common = UNKNOWN;
                for next in self.choreography.successors(NodeId(node)) {
                    let point = match self.point[next.index()] {
                        UNKNOWN => {
                            stack.push(next.0);
                            continue;
                        }
                        OPEN => {
                            looped = true;
                            heads_of_loops.resize(self.point.len(), false);
                            heads_of_loops[next.index()] = true;
                            next.0
                        }
                        point => point,
                    };
                    common = if common == UNKNOWN || common == point { point } else { node };
                }
                if stack.len() > before {
                    continue;
                }
                let own = heads_of_loops.get(node as usize).copied().unwrap_or(false);
                self.point[node as usize] = if own { node } else { common };
                stack.pop();
            }
        }
        self.stack = stack;
        looped
    }

    /// The nodes from which the process can come to act.
    fn live(&self, part: &Part) -> Vec<bool> {
        let count = self.choreography.nodes.len();
        let mut offsets = vec![0u32; count + 2];
        for &node in &part.nodes {
            for next in self.choreography.successors(NodeId(node)) {
                offsets[next.index() + 2] += 1;
            }
        }
        for node in 0..count {
            offsets[node + 2] += offsets[node + 1];
        }
        let mut sources = vec![0u32; offsets.last().copied().unwrap_or(0) as usize];
        for &node in &part.nodes {
            for next in self.choreography.successors(NodeId(node)) {
                let slot = &mut offsets[next.index() + 1];
                sources[*slot as usize] = node;
                *slot += 1;
            }
        }
        let mut live = vec![false; count];
        let mut work: Vec<u32> = part.nodes.iter().copied().filter(|&node| self.concerns(node)).collect();
        work.iter().for_each(|&node| live[node as usize] = true);
        while let Some(node) = work.pop() {
            let range = offsets[node as usize] as usize..offsets[node as usize + 1] as usize;
            for &source in &sources[range] {
                if !std::mem::replace(&mut live[source as usize], true) {
                    work.push(source);
                }
            }
        }
        live
    }

    /// Whether a point is a place where it depends on others how the process goes on.
    pub(super) fn is_open(&self, point: u32) -> bool {
        point != DONE && !self.concerns(point)
    }

    /// The points that follow an open point.
    pub(super) fn beyond(&self, point: u32) -> impl Iterator<Item = u32> + use<'_, 'a> {
        self.choreography.successors(NodeId(point)).map(|next| self.point(next))
    }

    /// Everything that the process may have to do next, from any of some nodes: points that are not open, in order.
    pub(super) fn heads(&mut self, from: impl IntoIterator<Item = NodeId>, heads: &mut Vec<u32>) {
        heads.clear();
        let mut stack = std::mem::take(&mut self.stack);
        stack.extend(from.into_iter().map(|node| self.point(node)));
        if let [point] = *stack.as_slice()
            && !self.is_open(point)
        {
            heads.push(point);
            stack.clear();
            self.stack = stack;
            return;
        }
        self.question += 1;
        let mut done = false;
        while let Some(point) = stack.pop() {
            if point == DONE {
                done = true;
            } else if std::mem::replace(&mut self.met[point as usize], self.question) == self.question {
                continue;
            } else if self.concerns(point) {
                heads.push(point);
            } else {
                stack.extend(self.beyond(point));
            }
        }
        self.stack = stack;
        heads.sort_unstable();
        if done && !(self.service && heads.iter().any(|&point| self.waits(self.head(point)))) {
            heads.push(DONE);
        }
    }

    /// Whether a process that does this will wait if nobody joins in.
    fn waits(&self, head: Head) -> bool {
        !matches!(head, Head::Done | Head::If { .. } | Head::Choose { .. })
    }

    /// Whether the process can do both at once, not knowing which: what follows is another question.
    pub(super) fn together(&self, one: u32, other: u32) -> bool {
        use Head::*;
        let (first, second) = (self.head(one), self.head(other));
        if let Some(races) = &self.races
            && let Some(partner) = first.partner()
            && second.partner() == Some(partner)
        {
            match (first.gives(), second.gives()) {
                // What a client can give at a race it gives as a whole, or not at all.
                (true, true) if races.group(one) != races.group(other) => return false,
                (true, true) if races.group(one).is_some() => return true,
                (false, false) if first.teller().is_some() == second.teller().is_some() => return true,
                (true, true) => {}
                // With a queue the process could give although the hub has already told it something else.
                _ if self.unfolded.has_queue(self.process, partner) => return false,
                // The hub knows whether it gives or takes, and what.
                _ => return races.is_above(partner) || races.are_siblings(one, other),
            }
        }
        match (first, second) {
            (Done, Done) => true,
            (Done, other) | (other, Done) => self.service && self.waits(other),
            (Send { to, expression, .. }, Send { to: a, expression: b, .. }) => (to, expression) == (a, b),
            (Receive { from, .. }, Receive { from: a, .. }) => from == a,
            (Select { to, label, .. }, Select { to: a, label: b, .. }) => (to, label) == (a, b),
            (If { condition, .. }, If { condition: a, .. }) => condition == a,
            (SelectValue { to, label, expression, .. }, SelectValue { to: a, label: b, expression: c, .. }) => {
                (to, label, expression) == (a, b, c)
            }
            (Choose { arms }, Choose { arms: a }) => arms.len() == a.len(),
            (Any { .. }, Any { .. }) => self.races.as_ref().is_some_and(|races| races.are_alike(one, other)),
            (Offer { from, .. } | Told { from, .. }, Offer { from: a, .. } | Told { from: a, .. }) => from == a,
            _ => false,
        }
    }

    /// What the process does at a node with another.
    pub(super) fn local(&self, node: u32) -> Option<Local> {
        let taken = &self.unfolded.taken;
        hub::event(self.choreography, taken, NodeId(node)).map(|event| Local::new(event.interaction, self.process))
    }

    /// What the process does at a point that is not open. Groups have been written out before; here they count as the
    /// end.
    pub(super) fn head(&self, point: u32) -> Head {
        if point == DONE {
            return Head::Done;
        }
        let process = self.process;
        match self.choreography.node(NodeId(point)) {
            Node::Interaction { interaction: Interaction { from, to, content }, next }
            | Node::Put { interaction: Interaction { from, to, content }, next } => match content {
                Content::Value(expression) if from == process => Head::Send { to, expression, next },
                Content::Value(_) => Head::Receive { from, next },
                Content::Label(label) if from == process => Head::Select { to, label, next },
                Content::Label(label) => Head::Offer { from, label, next },
                Content::LabelledValue { label, value } if from == process => {
                    Head::SelectValue { to, label, expression: value, next }
                }
                Content::LabelledValue { label, .. } => Head::Offer { from, label, next },
            },
            Node::If { process: decides, condition, then, otherwise } if decides == process => {
                Head::If { condition, then, otherwise }
            }
            Node::Choose { process: decides, arms } if decides == process => Head::Choose { arms },
            Node::If { process: from, .. } | Node::Choose { process: from, .. } => {
                Head::Told { from, conditional: NodeId(point) }
            }
            Node::Any { items } if self.owns(point) => Head::Any { items },
            Node::Any { items } => match hub::hubs(self.choreography, items).first() {
                Some(&from) => Head::Told { from, conditional: NodeId(point) },
                None => Head::Done,
            },
            Node::Take { from, next, .. } => match self.unfolded.taken.get(point as usize) {
                Some(&Some(label)) => Head::Offer { from, label, next },
                _ => Head::Receive { from, next },
            },
            Node::Stop | Node::Group { .. } => Head::Done,
        }
    }
}
