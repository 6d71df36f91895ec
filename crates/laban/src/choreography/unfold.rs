//! A choreography with its queues followed.
//!
//! Who takes a message has to know what it may be: a value, or one of some labels. A choreography with queues does not
//! say so where the message is taken, but where it was put. So it is *unfolded*: each node stands for one place of the
//! text and one contents of the queues there, and then it is known for each taking what is taken. A group is written
//! out, all its messages put and then all taken. A choreography without queues is left as it is.
//!
//! Of a message only its label counts here, since a value is received whatever it is. What does not fit is found on
//! the way: a message that is not there, is never taken or would overtake another, and a queue that grows each time
//! round. That one is certain: how a choreography goes on does not depend on what lies in its queues, so a way that
//! makes them longer once can be taken again and again.

use super::unprojectable::{QueueProblem, Unprojectable};
use super::{Choreography, Node, NodeId, NotProjected};
use crate::limits::Limits;
use crate::network::{Channel, Channels, Interaction, ProcessId};
use crate::syntax::{ArenaRange, Symbol};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A choreography in which it is known what each node takes.
#[derive(Debug)]
pub(super) struct Unfolded<'a> {
    /// The choreography, without groups.
    pub(super) choreography: Cow<'a, Choreography>,
    /// For each node, the one of the text; empty if each stands for itself.
    original: Vec<NodeId>,
    /// For each node that takes a message with a label, that label. May be empty.
    pub(super) taken: Vec<Option<Symbol>>,
    /// Which channels are queues: those between two processes with a message that is put or taken on its own.
    pub(super) channels: Channels,
}

impl<'a> Unfolded<'a> {
    /// Follows the queues of a choreography.
    pub(super) fn new(choreography: Cow<'a, Choreography>, limits: &Limits<'_>) -> Result<Self, NotProjected> {
        if !choreography.has_queues() {
            return Ok(Unfolded {
                choreography,
                original: Vec::new(),
                taken: Vec::new(),
                channels: Channels::default(),
            });
        }
        let mut unfolding = Unfolding::new(&choreography);
        unfolding.run(limits)?;
        if unfolding.problems.is_empty() {
            unfolding.find_never_taken();
        }
        unfolding.finish().map_err(NotProjected::Unprojectable)
    }

    /// The node of the text that a node stands for.
    pub(super) fn original(&self, node: NodeId) -> NodeId {
        self.original.get(node.index()).copied().unwrap_or(node)
    }

    /// For each node, the one of the text.
    pub(super) fn originals(&self) -> impl Iterator<Item = NodeId> {
        (0..self.choreography.nodes.len() as u32).map(|node| self.original(NodeId(node)))
    }

    /// Whether messages between two processes may wait, in one direction or the other.
    pub(super) fn has_queue(&self, one: ProcessId, other: ProcessId) -> bool {
        self.channels.channel(one, other).is_queue() || self.channels.channel(other, one).is_queue()
    }
}

/// From whom and to whom.
type Ends = (ProcessId, ProcessId);

/// What lies in the queues: for each that is not empty, in order, the labels of the messages, the oldest first.
type Contents = Vec<(Ends, Vec<Option<Symbol>>)>;

/// A node of the text, how many messages of its group have been put or taken already, and what lies in the queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    node: NodeId,
    done: u32,
    contents: u32,
}

/// What happens at a place that is no fork.
enum Event {
    Put(Interaction),
    Take(Ends),
}

const NONE: u32 = u32::MAX;
/// How many places are looked at before it is asked again whether to stop.
const PLACES_BETWEEN_QUESTIONS: usize = 256;

struct Unfolding<'a> {
    text: &'a Choreography,
    result: Choreography,
    taken: Vec<Option<Symbol>>,
    /// For each new node, its place and the node from which it was first reached.
    places: Vec<(Place, u32)>,
    numbers: FxHashMap<Place, u32>,
    /// For each node of the text, how many places it has.
    visits: Vec<u32>,
    contents: Vec<Contents>,
    contents_of: FxHashMap<Contents, u32>,
    work: Vec<u32>,
    queues: BTreeSet<Ends>,
    problems: BTreeSet<(NodeId, Ends, QueueProblem)>,
}

impl<'a> Unfolding<'a> {
    fn new(text: &'a Choreography) -> Self {
        let mut result = Choreography { names: text.names.clone(), ..Choreography::default() };
        result.processes.clone_from(&text.processes);
        Unfolding {
            text,
            result,
            taken: Vec::new(),
            places: Vec::new(),
            numbers: FxHashMap::default(),
            visits: vec![0; text.nodes.len()],
            contents: vec![Contents::new()],
            contents_of: FxHashMap::from_iter([(Contents::new(), 0)]),
            work: Vec::new(),
            queues: BTreeSet::new(),
            problems: BTreeSet::new(),
        }
    }

    fn run(&mut self, limits: &Limits<'_>) -> Result<(), NotProjected> {
        let most = limits.max_states.unwrap_or(usize::MAX).min(u32::MAX as usize - 2);
        for &start in &self.text.starts {
            let start = self.goto(Place { node: start, done: 0, contents: 0 }, NONE);
            self.result.starts.push(start);
        }
        let mut count = 0;
        while let Some(number) = self.work.pop() {
            if count % PLACES_BETWEEN_QUESTIONS == 0
                && let Some(reason) = (limits.stop)()
            {
                return Err(reason.into());
            }
            count += 1;
            if self.places.len() > most {
                return Err(limits.too_many().into());
            }
            self.result.nodes[number as usize] = self.unfold(number);
        }
        Ok(())
    }

    /// The new node of a place. A way that makes the queues longer each time is not followed.
    fn goto(&mut self, place: Place, from: u32) -> NodeId {
        if let Some(&number) = self.numbers.get(&place) {
            return NodeId(number);
        }
        let number = self.places.len() as u32;
        self.numbers.insert(place, number);
        self.places.push((place, from));
        self.result.nodes.push(Node::Stop);
        self.result.origins.push(self.text.origin(place.node));
        self.taken.push(None);
        let mut grows = false;
        if let Some(visits) = self.visits.get_mut(place.node.index()) {
            *visits += 1;
            // On a way that goes on forever, all but finitely many places are longer than one before: it is enough
            // to look now and then.
            grows = *visits >= 2 && visits.is_power_of_two() && self.find_growth(number);
        }
        if !grows {
            self.work.push(number);
        }
        NodeId(number)
    }

    /// Whether the queues have become longer since the way to a place was at the same node before.
    fn find_growth(&mut self, number: u32) -> bool {
        let (place, mut at) = self.places[number as usize];
        while at != NONE {
            let (before, parent) = self.places[at as usize];
            let is_same = before.node == place.node && before.done == place.done;
            if is_same && let Some(ends) = self.grown(before.contents, place.contents) {
                // The first message on the way back that went into this queue.
                let mut put = self.places[number as usize].1;
                while put != at && self.put_at(put) != Some(ends) {
                    put = self.places[put as usize].1;
                }
                self.problems.insert((self.places[put as usize].0.node, ends, QueueProblem::Grows));
                return true;
            }
            at = parent;
        }
        false
    }

    /// A queue that is longer than before, if none is shorter.
    fn grown(&self, before: u32, after: u32) -> Option<Ends> {
        let [before, after] = [before, after].map(|contents| &self.contents[contents as usize]);
        let length = |contents: &Contents, ends: Ends| {
            contents.binary_search_by_key(&ends, |&(ends, _)| ends).map_or(0, |index| contents[index].1.len())
        };
        if before.iter().any(|&(ends, ref messages)| length(after, ends) < messages.len()) {
            return None;
        }
        after.iter().find(|&&(ends, ref messages)| messages.len() > length(before, ends)).map(|&(ends, _)| ends)
    }

    /// The queue that a message is put into at a new node.
    fn put_at(&self, number: u32) -> Option<Ends> {
        match self.event(self.places[number as usize].0)?.0 {
            Event::Put(Interaction { from, to, .. }) => Some((from, to)),
            Event::Take(_) => None,
        }
    }

    /// The message that is put or taken at a place, and where it goes on.
    fn event(&self, place: Place) -> Option<(Event, NodeId, u32)> {
        match self.text.node(place.node) {
            Node::Put { interaction, next } => Some((Event::Put(interaction), next, 0)),
            Node::Take { from, to, next } => Some((Event::Take((from, to)), next, 0)),
            Node::Group { members, next } => {
                let members = self.text.members(members);
                let done = place.done as usize;
                let (next, after) = if done + 1 < members.len() * 2 { (place.node, place.done + 1) } else { (next, 0) };
                let event = match members.get(done) {
                    Some(&member) => Event::Put(member),
                    None => members.get(done - members.len()).map(|member| Event::Take((member.from, member.to)))?,
                };
                Some((event, next, after))
            }
            _ => None,
        }
    }

    /// What happens at a new node.
    fn unfold(&mut self, number: u32) -> Node {
        let (place, _) = self.places[number as usize];
        let stay = |node: NodeId| Place { node, done: 0, ..place };
        if let Some((event, next, done)) = self.event(place) {
            let mut contents = self.contents[place.contents as usize].clone();
            return match event {
                Event::Put(interaction) => {
                    let ends = (interaction.from, interaction.to);
                    self.queues.insert(ends);
                    let label = interaction.content.label();
                    match contents.binary_search_by_key(&ends, |&(ends, _)| ends) {
                        Ok(index) => contents[index].1.push(label),
                        Err(index) => contents.insert(index, (ends, vec![label])),
                    }
                    let contents = self.intern(contents);
                    Node::Put { interaction, next: self.goto(Place { node: next, done, contents }, number) }
                }
                Event::Take(ends) => {
                    self.queues.insert(ends);
                    let Ok(index) = contents.binary_search_by_key(&ends, |&(ends, _)| ends) else {
                        return self.misfit(place, ends, QueueProblem::NothingToTake);
                    };
                    self.taken[number as usize] = contents[index].1.remove(0);
                    contents.retain(|(_, messages)| !messages.is_empty());
                    let contents = self.intern(contents);
                    let (from, to) = ends;
                    Node::Take { from, to, next: self.goto(Place { node: next, done, contents }, number) }
                }
            };
        }
        match self.text.node(place.node) {
            Node::Interaction { interaction, next } => match self.overtaken(place, interaction) {
                Some(ends) => self.misfit(place, ends, QueueProblem::Overtakes),
                None => Node::Interaction { interaction, next: self.goto(stay(next), number) },
            },
            Node::If { process, condition, then, otherwise } => {
                let then = self.goto(stay(then), number);
                Node::If { process, condition, then, otherwise: self.goto(stay(otherwise), number) }
            }
            Node::Choose { process, arms } => Node::Choose { process, arms: self.arms(arms, stay, number) },
            Node::Any { items } => Node::Any { items: self.arms(items, stay, number) },
            Node::Stop | Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => Node::Stop,
        }
    }

    fn arms(&mut self, arms: ArenaRange, place: impl Fn(NodeId) -> Place, number: u32) -> ArenaRange {
        let nodes: Vec<NodeId> = self.text.arms(arms).iter().map(|&arm| self.goto(place(arm), number)).collect();
        let start = self.result.arms.len() as u32;
        self.result.arms.extend(nodes);
        ArenaRange { start, end: self.result.arms.len() as u32 }
    }

    fn intern(&mut self, contents: Contents) -> u32 {
        let next = self.contents.len() as u32;
        *self.contents_of.entry(contents).or_insert_with_key(|contents| {
            self.contents.push(contents.clone());
            next
        })
    }

    /// The queue in which messages wait that an interaction at this place would overtake.
    fn overtaken(&self, place: Place, interaction: Interaction) -> Option<Ends> {
        let ends = (interaction.from, interaction.to);
        let contents = &self.contents[place.contents as usize];
        contents.binary_search_by_key(&ends, |&(ends, _)| ends).is_ok().then_some(ends)
    }

    fn misfit(&mut self, place: Place, ends: Ends, problem: QueueProblem) -> Node {
        self.problems.insert((place.node, ends, problem));
        Node::Stop
    }

    /// Finds messages that nobody takes, however it goes on.
    fn find_never_taken(&mut self) {
        let sources = Sources::new(&self.result);
        for &ends in &self.queues {
            let takes = (0..self.places.len() as u32).filter(
                |&number| matches!(self.result.node(NodeId(number)), Node::Take { from, to, .. } if (from, to) == ends),
            );
            let can_be_taken = sources.reaching(takes);
            for number in (0..self.places.len() as u32).filter(|&number| !can_be_taken[number as usize]) {
                let contents = &self.contents[self.places[number as usize].0.contents as usize];
                let Ok(index) = contents.binary_search_by_key(&ends, |&(ends, _)| ends) else { continue };
                if let Some(put) = self.put_before(number, ends, contents[index].1.len()) {
                    self.problems.insert((put, ends, QueueProblem::NeverTaken));
                }
            }
        }
    }

    /// Where the oldest of some messages was put that lie in a queue.
    fn put_before(&self, number: u32, ends: Ends, mut messages: usize) -> Option<NodeId> {
        let mut at = self.places[number as usize].1;
        while at != NONE {
            let (place, parent) = self.places[at as usize];
            if self.put_at(at) == Some(ends) {
                messages -= 1;
                if messages == 0 {
                    return Some(place.node);
                }
            }
            at = parent;
        }
        None
    }

    fn finish(mut self) -> Result<Unfolded<'static>, Vec<Unprojectable>> {
        if !self.problems.is_empty() {
            let problem = |(node, (from, to), problem)| Unprojectable::Queue { node, from, to, problem };
            let mut problems: Vec<Unprojectable> = self.problems.into_iter().map(problem).collect();
            problems.sort_by_key(|problem| self.text.origin(problem.node()).start);
            return Err(problems);
        }
        // What a procedure is called that is called with several contents of the queues: the first has its name.
        let mut first: Vec<u32> = vec![NONE; self.text.nodes.len()];
        for (number, &(place, _)) in self.places.iter().enumerate().rev() {
            if place.done == 0
                && let Some(first) = first.get_mut(place.node.index())
            {
                *first = number as u32;
            }
        }
        for &(node, name) in &self.text.procedures {
            match first.get(node.index()) {
                None | Some(&NONE) => {}
                Some(&number) => self.result.procedures.push((NodeId(number), name)),
            }
        }
        let queue = Channel::Queue { bound: None };
        let mut others = self.result.nodes.iter().filter_map(|node| match node {
            Node::Interaction { interaction, .. } => Some((interaction.from, interaction.to)),
            _ => None,
        });
        let channels = match others.all(|ends| self.queues.contains(&ends)) {
            true => Channels::all(queue),
            false => Channels {
                default: Channel::Rendezvous,
                single: self.queues.iter().map(|&(from, to)| (from, to, queue)).collect(),
            },
        };
        Ok(Unfolded {
            choreography: Cow::Owned(self.result),
            original: self.places.iter().map(|(place, _)| place.node).collect(),
            taken: self.taken,
            channels,
        })
    }
}

/// For each node of a choreography, the nodes that lead to it.
struct Sources {
    offsets: Vec<u32>,
    sources: Vec<u32>,
}

impl Sources {
    fn new(choreography: &Choreography) -> Self {
        let count = choreography.nodes.len();
        let mut offsets = vec![0u32; count + 2];
        let nodes = || (0..count as u32).map(NodeId);
        for next in nodes().flat_map(|node| choreography.successors(node)) {
            offsets[next.index() + 2] += 1;
        }
        for node in 0..count {
            offsets[node + 2] += offsets[node + 1];
        }
        let mut sources = vec![0u32; offsets.last().copied().unwrap_or(0) as usize];
        for node in nodes() {
            for next in choreography.successors(node) {
                let slot = &mut offsets[next.index() + 1];
                sources[*slot as usize] = node.0;
                *slot += 1;
            }
        }
        Sources { offsets, sources }
    }

    /// For each node, whether one of some nodes can be reached from it.
    fn reaching(&self, goals: impl Iterator<Item = u32>) -> Vec<bool> {
        let mut reaching = vec![false; self.offsets.len() - 2];
        let mut work: Vec<u32> = goals.collect();
        work.iter().for_each(|&node| reaching[node as usize] = true);
        while let Some(node) = work.pop() {
            let range = self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize;
            for &source in &self.sources[range] {
                if !std::mem::replace(&mut reaching[source as usize], true) {
                    work.push(source);
                }
            }
        }
        reaching
    }
}
