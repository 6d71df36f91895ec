//! Which conditionals a process would have to be told about.
//!
//! A conditional of another process asks that its two branches merge for this one; a choice or a race, that each two
//! of its arms do, and these count as conditionals here. Merging is a matter of pairs: if
//! each two of several behaviours merge, then all of them do. So the question is followed from the two branches
//! through pairs of points, coinductively: a pair that has been met before holds. The first pair that does not merge
//! is a [`Conflict`], with the way that leads to it and the conditionals at which telling the process could help.
//!
//! For the amendment, a process may be told about some conditionals by selections that are not in the choreography
//! yet. Their labels are either given, or taken to be different from all others.

use super::hub::{self, Local};
use super::known::{Known, LAST_STEPS, Pair, Step, Via, Way};
use super::unprojectable::Unprojectable;
use super::view::{DONE, Head, Part, View};
use super::{Node, NodeId};
use crate::limits::{Limits, StopReason};
use crate::network::ProcessId;
use crate::syntax::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

#[cfg(test)]
mod tests;

/// The part of one side's path between two actions of the process.
pub(super) struct Stretch {
    /// The node where it begins.
    pub(super) from: NodeId,
    /// The point that follows.
    pub(super) to: u32,
    /// Whether an edge leads from the previous point to its first node; if not, that node is the point itself.
    pub(super) moves: bool,
    /// The arm, if that edge belongs to a conditional and it matters which one.
    pub(super) arm: Option<usize>,
}

/// Two behaviours that do not merge.
#[derive(Debug)]
pub(super) struct Conflict {
    /// The conditional whose branches they belong to.
    pub(super) conditional: u32,
    /// Which of its branches.
    pub(super) arms: [usize; 2],
    /// The conditionals, that one first, of which one must be told about to avoid it.
    pub(super) candidates: Vec<u32>,
    /// Conditionals on the path that the process is told about by the same labels.
    pub(super) shared: Vec<u32>,
    /// The path from the branches to what does not merge.
    way: Vec<Pair>,
}

impl Conflict {
    /// The stretches of one side's path, in order.
    pub(super) fn stretches(&self, side: usize) -> impl Iterator<Item = Stretch> {
        let root = self.arms[side];
        self.way.iter().map(move |pair| {
            let (moves, arm) = match pair.via {
                Via::Root { .. } => (true, Some(root)),
                Via::Others { side: moved, .. } => (moved == side, None),
                Via::Both { arms } => (true, Some(arms[side])),
            };
            Stretch { from: pair.nodes[side], to: pair.points[side], moves, arm }
        })
    }

    /// The points at which the process itself acts: first those at which both sides do the same, then those that
    /// clash.
    pub(super) fn actions(&self) -> impl Iterator<Item = [u32; 2]> {
        self.alike().chain(self.way.last()).map(|pair| pair.points)
    }

    /// The pairs on the path at which both sides do the same.
    fn alike(&self) -> impl Iterator<Item = &Pair> {
        let followed = self.way.iter().zip(self.way.iter().skip(1));
        followed.filter(|(_, next)| matches!(next.via, Via::Both { .. })).map(|(pair, _)| pair)
    }
}

/// Labels that tell how conditionals have been decided.
pub(super) type Labels = FxHashMap<u32, Vec<Symbol>>;

/// Answers which branches merge for one process.
pub(super) struct Merging<'a> {
    pub(super) view: View<'a>,
    /// The labels by which the process is told, if they have been chosen. Otherwise each is different from all others.
    labels: Option<Labels>,
    /// What earlier questions have shown.
    known: Known,
    /// How many pairs of points are looked at for the shortest way to what does not merge. After that, any will do.
    pairs_for_the_shortest: usize,
    /// When to give up; the states are pairs of points.
    limits: Limits<'a>,
}

/// How many pairs of points are looked at before the search asks again whether it should stop.
const PAIRS_BETWEEN_QUESTIONS: usize = 1024;

/// Enough for the shortest way wherever there are not hundreds of decisions.
const PAIRS_FOR_THE_SHORTEST: usize = 256;

impl<'a> Merging<'a> {
    pub(super) fn new(view: View<'a>, limits: Limits<'a>) -> Self {
        Merging { view, labels: None, known: Known::default(), pairs_for_the_shortest: PAIRS_FOR_THE_SHORTEST, limits }
    }

    /// The conditionals of others that make a difference to the process, the last in the text first.
    pub(super) fn conditionals(&self, part: &Part) -> Vec<u32> {
        let open = |&node: &u32| {
            match self.view.choreography.node(NodeId(node)) {
                Node::If { .. } | Node::Choose { .. } => {
                    self.view.point(NodeId(node)) == node && self.view.is_open(node)
                }
                // A hub may have to know what another knows: which of two values it has received.
                Node::Any { .. } => self.view.point(NodeId(node)) == node,
                _ => false,
            }
        };
        part.nodes.iter().copied().rev().filter(open).collect()
    }

    /// Tells the process about a conditional that makes a difference to it.
    pub(super) fn tell(&mut self, conditional: u32) {
        self.view.told.resize(self.view.choreography.nodes.len(), false);
        self.view.told[conditional as usize] = true;
        self.known.forget(conditional);
    }

    /// Chooses the labels by which the process is told.
    pub(super) fn choose(&mut self, labels: Labels) {
        self.labels = Some(labels);
        self.known = Known::default();
    }

    /// Why the process has no projection: one entry for each conditional that it would have to be told about.
    pub(super) fn uninformed(mut self, part: &Part) -> Result<Vec<Unprojectable>, StopReason> {
        let mut plain = View::new(self.view.unfolded, part, self.view.process, Vec::new());
        plain.service = self.view.service;
        let mut plain = Merging::new(plain, self.limits);
        let mut found = Vec::new();
        for conditional in self.conditionals(part) {
            let Some((arms, way)) = self.clash(conditional)? else { continue };
            // What clashes with a selection that is yet to be added is shown as it is without it.
            let described = match self.describe(conditional, arms, way) {
                Some(described) => Some(described),
                None => plain.clash(conditional)?.and_then(|(arms, way)| plain.describe(conditional, arms, way)),
            };
            found.extend(described);
            self.tell(conditional);
        }
        found.reverse();
        Ok(found)
    }

    /// What does not merge in the branches of a conditional of another.
    pub(super) fn conflict(&mut self, conditional: u32) -> Result<Option<Conflict>, StopReason> {
        let found = self.clash(conditional)?;
        Ok(found.map(|(arms, way)| self.explain(conditional, arms, self.known.pairs(way))))
    }

    /// The way to what does not merge in the branches of a conditional of another, and which two of them these are.
    ///
    /// The way is a shortest one, if that is found soon. After that, pairs are followed in depth and one that is known
    /// to clash will do: to find the shortest way of each conditional anew would take time cubic in their number.
    fn clash(&mut self, conditional: u32) -> Result<Option<([usize; 2], Way)>, StopReason> {
        let mut pairs = self.roots(conditional);
        let mut met: FxHashSet<(u32, u32)> = FxHashSet::default();
        let most = self.limits.max_states.unwrap_or(usize::MAX).min(u32::MAX as usize - 2);
        let mut work: VecDeque<usize> = (0..pairs.len()).collect();
        let mut looked_at = 0;
        let mut known = None;
        while let Some(at) = work.pop_front() {
            let Pair { points: [one, other], .. } = pairs[at];
            let key = pairs[at].key();
            if looked_at % PAIRS_BETWEEN_QUESTIONS == 0
                && let Some(reason) = (self.limits.stop)()
            {
                return Err(reason);
            }
            if pairs.len() > most {
                return Err(self.limits.too_many());
            }
            looked_at += 1;
            if one == other || self.known.merges(key) || !met.insert(key) {
                continue;
            }
            if known.is_none() && self.known.clashes(key) {
                known = Some(at);
            }
            let in_depth = met.len() > self.pairs_for_the_shortest;
            if let Some(known) = known
                && in_depth
            {
                return Ok(Some(self.learn(&pairs, known)));
            }
            let before = pairs.len();
            let parent = at as u32;
            if let Some(side) = [one, other].iter().position(|&point| self.view.is_open(point)) {
                let point = [one, other][side];
                for next in self.view.choreography.successors(NodeId(point)) {
                    let mut pair = Pair {
                        nodes: [NodeId(one), NodeId(other)],
                        points: [one, other],
                        parent,
                        via: Via::Others { side, point },
                    };
                    pair.nodes[side] = next;
                    pair.points[side] = self.view.point(next);
                    pairs.push(pair);
                }
            } else if !self.view.together(one, other) {
                return Ok(Some(self.learn(&pairs, at)));
            } else {
                self.follow(one, other, |nodes, arms| pairs.push(self.pair(nodes, parent, Via::Both { arms })));
            }
            let new = before..pairs.len();
            match in_depth {
                false => work.extend(new),
                true => new.rev().for_each(|pair| work.push_front(pair)),
            }
        }
        self.known.add_merging(&pairs);
        Ok(None)
    }

    /// Keeps the way to a pair that does not merge.
    fn learn(&mut self, pairs: &[Pair], last: usize) -> ([usize; 2], Way) {
        let mut way = vec![pairs[last]];
        let mut at = last;
        let arms = loop {
            if let Via::Root { arms } = pairs[at].via {
                break arms.map(|arm| arm as usize);
            }
            at = pairs[at].parent as usize;
            way.push(pairs[at]);
        };
        way.reverse();
        (arms, self.known.add_clashing(&way))
    }

    fn pair(&self, nodes: [NodeId; 2], parent: u32, via: Via) -> Pair {
        Pair { nodes, points: nodes.map(|node| self.view.point(node)), parent, via }
    }

    /// The pairs of branches that must merge, without those that are the same to the process.
    fn roots(&self, conditional: u32) -> Vec<Pair> {
        let choreography = self.view.choreography;
        let mut roots = Vec::new();
        match choreography.node(NodeId(conditional)) {
            Node::If { then, otherwise, .. } => {
                roots.push(self.pair([then, otherwise], 0, Via::Root { arms: [0, 1] }));
            }
            Node::Choose { arms, .. } | Node::Any { items: arms } => {
                // The first arm that leads to a point speaks for all that do.
                let owns = self.view.owns(conditional);
                let mut met: FxHashSet<(Option<Local>, u32)> = FxHashSet::default();
                let mut different: Vec<(Option<Local>, usize, NodeId)> = Vec::new();
                for (number, &arm) in choreography.arms(arms).iter().enumerate() {
                    // A hub knows which item it is as far as it does different things in them.
                    let (local, start) = match self.view.head(arm.0).next() {
                        Some(next) if owns => (self.view.local(arm.0), next),
                        _ => (None, arm),
                    };
                    if met.insert((local, self.view.point(start))) {
                        different.push((local, number, start));
                    }
                }
                for (place, &(local, one, start)) in different.iter().enumerate() {
                    for &(_, other, end) in different[place + 1..].iter().filter(|&&(other, ..)| other == local) {
                        let arms = [one as u32, other as u32];
                        roots.push(self.pair([start, end], 0, Via::Root { arms }));
                    }
                }
            }
            _ => {}
        }
        roots
    }

    /// The pairs that must merge after two points that go together.
    fn follow(&self, one: u32, other: u32, mut add: impl FnMut([NodeId; 2], [usize; 2])) {
        let choreography = self.view.choreography;
        match (self.view.head(one), self.view.head(other)) {
            (Head::Choose { arms }, Head::Choose { arms: a }) => {
                let pairs = choreography.arms(arms).iter().zip(choreography.arms(a)).enumerate();
                pairs.for_each(|(number, (&one, &other))| add([one, other], [number; 2]));
            }
            (Head::If { then, otherwise, .. }, Head::If { then: a, otherwise: b, .. }) => {
                add([then, a], [0; 2]);
                add([otherwise, b], [1; 2]);
            }
            (Head::Any { items }, Head::Any { items: others }) => {
                for (number, &item) in choreography.arms(items).iter().enumerate() {
                    for (also, &other) in choreography.arms(others).iter().enumerate() {
                        if self.view.local(item.0) == self.view.local(other.0)
                            && let (Some(next), Some(a)) =
                                (self.view.head(item.0).next(), self.view.head(other.0).next())
                        {
                            add([next, a], [number, also]);
                        }
                    }
                }
            }
            (first @ (Head::Told { .. } | Head::Offer { .. }), second @ (Head::Told { .. } | Head::Offer { .. })) => {
                for (label, next) in self.labels(first) {
                    for (also, a) in self.labels(second) {
                        if label == also {
                            add([next, a], [0; 2]);
                        }
                    }
                }
            }
            (first, second) => {
                if let (Some(next), Some(a)) = (first.next(), second.next())
                    && self.view.local(one) == self.view.local(other)
                {
                    add([next, a], [0; 2]);
                }
            }
        }
    }

    /// The labels that a process waits for at a head, and what follows each.
    fn labels(&self, head: Head) -> Vec<(Symbol, NodeId)> {
        match head {
            Head::Offer { label, next, .. } => vec![(label, next)],
            Head::Told { conditional, .. } => {
                match self.labels.as_ref().and_then(|labels| labels.get(&conditional.0)) {
                    Some(labels) => {
                        labels.iter().copied().zip(self.view.choreography.successors(conditional)).collect()
                    }
                    None => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    fn decides(&self, conditional: u32) -> Option<ProcessId> {
        match self.view.choreography.node(NodeId(conditional)) {
            Node::If { process, .. } | Node::Choose { process, .. } => Some(process),
            Node::Any { items } => hub::hubs(self.view.choreography, items).first().copied(),
            _ => None,
        }
    }

    /// A path to a pair that does not merge, and what would help.
    ///
    /// If the process is not told about the conditional itself, then the path must change. The first change makes one
    /// side wait for a label from whoever decides there. So the other side must wait for a label from the same process
    /// at the same step: it does already, or it is told about a conditional too. Conditionals for which that is
    /// impossible are left out.
    fn explain(&self, conditional: u32, arms: [usize; 2], way: Vec<Pair>) -> Conflict {
        let mut candidates = vec![conditional];
        let mut shared = Vec::new();
        let mut passed: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
        for (number, pair) in way.iter().enumerate() {
            if let Via::Others { side, point } = pair.via
                && self.decides(point).is_some()
            {
                passed[side].push(point);
            }
            for (side, passed) in passed.iter_mut().enumerate() {
                self.passed(pair.nodes[side], pair.points[side], passed);
            }
            let after = way.get(number + 1).map(|next| next.via);
            if matches!(after, Some(Via::Others { .. })) {
                continue;
            }
            let heads = pair.points.map(|point| self.view.head(point));
            if after.is_some() {
                let told = heads.iter().filter_map(|head| match head {
                    Head::Told { conditional, .. } => Some(conditional.0),
                    _ => None,
                });
                shared.extend(told);
            }
            let can_wait_for = |side: usize, process: ProcessId| {
                heads[side].teller() == Some(process)
                    || passed[side].iter().any(|&point| self.decides(point) == Some(process))
            };
            for &point in passed.iter().flatten() {
                let Some(process) = self.decides(point) else { continue };
                if can_wait_for(0, process) && can_wait_for(1, process) && !candidates.contains(&point) {
                    candidates.push(point);
                }
            }
            passed = [Vec::new(), Vec::new()];
        }
        Conflict { conditional, arms, candidates, shared, way }
    }

    /// The conditionals on a path from a node to its point. They make no difference to the process, unless it is told.
    fn passed(&self, node: NodeId, point: u32, passed: &mut Vec<u32>) {
        let mut at = node;
        let mut steps = 0;
        while at.0 != point && steps <= self.view.choreography.nodes.len() {
            steps += 1;
            at = match self.view.choreography.node(at) {
                Node::Stop => return,
                Node::Interaction { next, .. } | Node::Group { next, .. } => next,
                Node::Put { next, .. } | Node::Take { next, .. } => next,
                Node::If { then, .. } => {
                    // Others loop: everything has been seen.
                    if passed.contains(&at.0) {
                        return;
                    }
                    passed.push(at.0);
                    then
                }
                Node::Choose { arms, .. } | Node::Any { items: arms } => {
                    let Some(&first) = self.view.choreography.arms(arms).first() else { return };
                    if passed.contains(&at.0) {
                        return;
                    }
                    passed.push(at.0);
                    first
                }
            };
        }
    }

    /// What does not merge as users see it; `None` if it is about selections that are yet to be added.
    fn describe(&self, conditional: u32, arms: [usize; 2], way: Way) -> Option<Unprojectable> {
        let steps = self.known.steps(way);
        let (last, alike) = steps.split_last()?;
        let heads = last.points.map(|point| self.view.head(point));
        if heads.iter().any(|head| matches!(head, Head::Told { .. })) {
            return None;
        }
        Some(Unprojectable::Uninformed {
            process: self.view.process,
            conditional: NodeId(conditional),
            arms,
            alike: alike.iter().map(|step| step.points.map(NodeId)).collect(),
            behaviours: [0, 1].map(|side| self.behaviour(&steps, side)),
            clash: last.points.map(|point| (point != DONE).then_some(NodeId(point))),
        })
    }

    /// What one side does, up to what does not merge.
    fn behaviour(&self, steps: &[Step], side: usize) -> String {
        let choreography = self.view.choreography;
        let name = |process: ProcessId| choreography.process_name(process);
        let text = |symbol: Symbol| choreography.names.text(symbol);
        // Actions that both sides have in common and that are shown before what differs: the last few.
        let hidden = steps.len().saturating_sub(LAST_STEPS as usize + 1);
        let mut shown: Vec<String> = Vec::new();
        let mut opened = 0;
        for step in &steps[hidden..] {
            let arm = step.arms.map(|arms| arms[side]);
            let more = if arm.is_some() { "" } else { " …" };
            let head = self.view.head(step.points[side]);
            let opens = matches!(head, Head::Offer { .. } | Head::Told { .. } | Head::Choose { .. } | Head::Any { .. });
            opened += usize::from(opens);
            shown.push(match head {
                Head::Done => "stop".to_string(),
                Head::Send { to, expression, .. } => format!("{}!<{}>;{more}", name(to), text(expression)),
                Head::Receive { from, .. } => format!("{}?;{more}", name(from)),
                Head::Select { to, label, .. } => format!("{}+{};{more}", name(to), text(label)),
                Head::Offer { from, label, .. } => format!("{}&{{{}:{more}", name(from), text(label)),
                Head::SelectValue { to, label, expression, .. } => {
                    format!("{}+{}<{}>;{more}", name(to), text(label), text(expression))
                }
                Head::Choose { .. } => "choose { …".to_string(),
                Head::Any { .. } => "any { …".to_string(),
                Head::Told { from, .. } => format!("{}&{{{more}", name(from)),
                Head::If { condition, .. } if arm == Some(1) => format!("if {} then … else", text(condition)),
                Head::If { condition, .. } => format!("if {} then{more}", text(condition)),
            });
        }
        let mut shown = shown.join(" ");
        shown.extend(std::iter::repeat_n('}', opened));
        if hidden > 0 { format!("… {shown}") } else { shown }
    }
}
