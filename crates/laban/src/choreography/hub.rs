//! Races as one process sees them.
//!
//! The *hub* of a race is a process that takes part in all its items and can tell them apart: it does whichever comes
//! first, and it knows which did. The others in it are its *clients*. A client offers its own items to the hub and
//! may hear from the hub that another was first, so it does both at once: that is right because the hub knows which of
//! the two it is. Whether two behaviours merge is decided elsewhere; what is known here is what it takes.
//!
//! Of a message that is put into a queue, or taken from one, only one half happens at a time, and only one process
//! takes part. With a queue between them a client cannot do both at once: what it gives, it gives whatever the hub
//! does.

use super::unfold::Unfolded;
use super::view::Part;
use super::{Choreography, Node, NodeId};
use crate::network::{Content, Interaction, ProcessId};
use crate::syntax::{ArenaRange, Symbol};
use rustc_hash::FxHashMap;

/// What an interaction is for one of its processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Local {
    /// It sends or selects.
    Gives(ProcessId, Content),
    /// It receives a value.
    Receives(ProcessId),
    /// It is told a label.
    Offers(ProcessId, Symbol),
}

impl Local {
    pub(super) fn new(interaction: Interaction, process: ProcessId) -> Self {
        let Interaction { from, to, content } = interaction;
        match content.label() {
            _ if from == process => Local::Gives(to, content),
            Some(label) => Local::Offers(from, label),
            None => Local::Receives(from),
        }
    }

    /// The same without the label that is told: an offer has any number of these.
    pub(super) fn shape(self) -> Self {
        match self {
            Local::Offers(from, _) => Local::Offers(from, Symbol(0)),
            other => other,
        }
    }
}

/// An interaction, or one half of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    /// Which. Of a message that is taken it is not known which value it has.
    pub(super) interaction: Interaction,
    /// Whether the sender takes part, and the receiver.
    gives: bool,
    takes: bool,
}

impl Event {
    /// The processes that take part.
    pub(super) fn actors(self) -> impl Iterator<Item = ProcessId> {
        let Interaction { from, to, .. } = self.interaction;
        self.gives.then_some(from).into_iter().chain(self.takes.then_some(to))
    }

    pub(super) fn concerns(self, process: ProcessId) -> bool {
        self.actors().any(|actor| actor == process)
    }
}

/// The interaction at a node, or the half of it, where it is known which labels are taken.
pub(super) fn event(choreography: &Choreography, taken: &[Option<Symbol>], node: NodeId) -> Option<Event> {
    match choreography.node(node) {
        Node::Interaction { interaction, .. } => Some(Event { interaction, gives: true, takes: true }),
        Node::Put { interaction, .. } => Some(Event { interaction, gives: true, takes: false }),
        Node::Take { from, to, .. } => {
            let label = taken.get(node.index()).copied().flatten();
            let content = label.map_or(Content::Value(Symbol(0)), Content::Label);
            Some(Event { interaction: Interaction { from, to, content }, gives: false, takes: true })
        }
        _ => None,
    }
}

/// The interactions of the items of a race, or the halves of them.
fn events<'a>(
    choreography: &'a Choreography,
    taken: &'a [Option<Symbol>],
    items: ArenaRange,
) -> impl Iterator<Item = Event> + use<'a> {
    choreography.arms(items).iter().filter_map(|&item| event(choreography, taken, item))
}

/// The processes that take part in all items of a race: at most two. Nobody else takes part in a decision, and the
/// others cannot know of it, so a race with a decision in it has no such process.
pub(super) fn in_all(choreography: &Choreography, items: ArenaRange) -> Vec<ProcessId> {
    if events(choreography, &[], items).count() < items.len() {
        return Vec::new();
    }
    let mut all = events(choreography, &[], items);
    let mut shared: Vec<ProcessId> = all.next().into_iter().flat_map(Event::actors).collect();
    all.for_each(|next| shared.retain(|&process| next.concerns(process)));
    shared
}

/// The hubs of a race: those that take part in all its items and can tell some of them apart. There are two if the
/// same two processes take part in all items, in both directions.
pub(super) fn hubs(choreography: &Choreography, items: ArenaRange) -> Vec<ProcessId> {
    let mut hubs = in_all(choreography, items);
    hubs.retain(|&process| shapes(choreography, &[], items, process).len() > 1);
    hubs
}

/// What a process does in the items of a race, labels that it is told aside, in order.
fn shapes(choreography: &Choreography, taken: &[Option<Symbol>], items: ArenaRange, process: ProcessId) -> Vec<Local> {
    let own = events(choreography, taken, items).filter(|item| item.concerns(process));
    let mut shapes: Vec<Local> = own.map(|item| Local::new(item.interaction, process).shape()).collect();
    shapes.sort_unstable();
    shapes.dedup();
    shapes
}

/// Whether there is a race at a node whose items have no process in common.
pub(super) fn is_without(choreography: &Choreography, node: NodeId) -> bool {
    matches!(choreography.node(node), Node::Any { items } if in_all(choreography, items).is_empty())
}

/// An item of a race of others, in which the process takes part.
#[derive(Debug, Clone, Copy)]
struct Item {
    /// The race; none if the item can also be reached in another way.
    race: Option<u32>,
    /// What the process gives in all its items of that race, if that is more than one thing; a number.
    group: Option<u32>,
}

/// The races of a part, as one process sees them.
#[derive(Debug, Default)]
pub(super) struct Races {
    /// The races of which the process is a hub. Two have the same number if it does the same in them.
    own: FxHashMap<u32, u32>,
    /// The items of the races of which it is a client.
    items: FxHashMap<u32, Item>,
    /// The hubs whose client the process is, in order. Where two processes are each a hub of the other, the first is
    /// above the second and not the other way round: of any two, at most one gives and takes at the same time.
    above: Vec<ProcessId>,
}

impl Races {
    /// The races of a part; nothing if there is none.
    pub(super) fn new(unfolded: &Unfolded<'_>, part: &Part, process: ProcessId) -> Option<Self> {
        let (choreography, taken) = (&*unfolded.choreography, unfolded.taken.as_slice());
        if !choreography.has_choices() {
            return None;
        }
        let mut races = Races::default();
        let mut numbers: FxHashMap<Vec<Local>, u32> = FxHashMap::default();
        let mut below: Vec<ProcessId> = Vec::new();
        let mut found = false;
        for &node in &part.nodes {
            let Node::Any { items } = choreography.node(NodeId(node)) else { continue };
            found = true;
            let hubs = hubs(choreography, items);
            if hubs.contains(&process) {
                let shapes = shapes(choreography, taken, items, process);
                let next = numbers.len() as u32;
                races.own.insert(node, *numbers.entry(shapes).or_insert(next));
                let clients = events(choreography, taken, items).flat_map(Event::actors);
                below.extend(clients.filter(|client| !hubs.contains(client)));
                continue;
            }
            let mut does = shapes(choreography, taken, items, process);
            if does.is_empty() {
                continue;
            }
            races.above.extend(&hubs);
            does.retain(|local| matches!(local, Local::Gives(..)));
            let next = numbers.len() as u32;
            let group = (does.len() > 1).then(|| *numbers.entry(does).or_insert(next));
            for &item in choreography.arms(items) {
                let again = races.items.contains_key(&item.0);
                let item_of = if again { Item { race: None, group: None } } else { Item { race: Some(node), group } };
                races.items.insert(item.0, item_of);
            }
        }
        if !found {
            return None;
        }
        races.above.sort_unstable();
        races.above.dedup();
        races.above.retain(|&hub| (hub < process || !below.contains(&hub)) && !unfolded.has_queue(hub, process));
        // An item that is reached in another way, too, is like any interaction.
        let ordinary = part.nodes.iter().filter(|&&node| !matches!(choreography.node(NodeId(node)), Node::Any { .. }));
        let reached = ordinary.flat_map(|&node| choreography.successors(NodeId(node)));
        for next in reached.chain(choreography.starts.iter().copied()) {
            if let Some(item) = races.items.get_mut(&next.0) {
                *item = Item { race: None, group: None };
            }
        }
        Some(races)
    }

    /// Whether the process is a hub of a race.
    pub(super) fn owns(&self, node: u32) -> bool {
        self.own.contains_key(&node)
    }

    /// Whether the process does the same in two races of which it is a hub, labels that it is told aside.
    pub(super) fn are_alike(&self, one: u32, other: u32) -> bool {
        self.own.get(&one).is_some_and(|number| self.own.get(&other) == Some(number))
    }

    /// Whether two nodes are items of the same race of others.
    pub(super) fn are_siblings(&self, one: u32, other: u32) -> bool {
        let race = |node: u32| self.items.get(&node).and_then(|item| item.race);
        race(one).is_some_and(|found| race(other) == Some(found))
    }

    /// What the process gives in all its items of a race, if that is more than one thing; a number.
    pub(super) fn group(&self, node: u32) -> Option<u32> {
        self.items.get(&node).and_then(|item| item.group)
    }

    /// The hubs that the process may give to and take from at the same time, in order.
    pub(super) fn above(&self) -> &[ProcessId] {
        &self.above
    }

    /// Whether another is a hub that the process may give to and take from at the same time.
    pub(super) fn is_above(&self, process: ProcessId) -> bool {
        self.above.binary_search(&process).is_ok()
    }
}
