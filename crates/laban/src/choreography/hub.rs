//! Races as one process sees them.
//!
//! The *hub* of a race is a process that takes part in all its items and can tell them apart: it does whichever comes
//! first, and it knows which did. The others in it are its *clients*. A client offers its own items to the hub and
//! may hear from the hub that another was first, so it does both at once: that is right because the hub knows which of
//! the two it is. Whether two behaviours merge is decided elsewhere; what is known here is what it takes.

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

/// The interactions of the items of a race.
pub(super) fn interactions(choreography: &Choreography, items: ArenaRange) -> impl Iterator<Item = Interaction> {
    choreography.arms(items).iter().filter_map(|&item| match choreography.node(item) {
        Node::Interaction { interaction, .. } => Some(interaction),
        _ => None,
    })
}

/// The processes that take part in all items of a race: at most two. Nobody else takes part in a decision, and the
/// others cannot know of it, so a race with a decision in it has no such process.
pub(super) fn in_all(choreography: &Choreography, items: ArenaRange) -> Vec<ProcessId> {
    if interactions(choreography, items).count() < items.len() {
        return Vec::new();
    }
    let mut all = interactions(choreography, items);
    let mut shared: Vec<ProcessId> = all.next().into_iter().flat_map(|first| [first.from, first.to]).collect();
    all.for_each(|next| shared.retain(|&process| process == next.from || process == next.to));
    shared
}

/// The hubs of a race: those that take part in all its items and can tell some of them apart. There are two if the
/// same two processes take part in all items, in both directions.
pub(super) fn hubs(choreography: &Choreography, items: ArenaRange) -> Vec<ProcessId> {
    let mut hubs = in_all(choreography, items);
    hubs.retain(|&process| shapes(choreography, items, process).len() > 1);
    hubs
}

/// What a process does in the items of a race, labels that it is told aside, in order.
fn shapes(choreography: &Choreography, items: ArenaRange, process: ProcessId) -> Vec<Local> {
    let own = interactions(choreography, items).filter(|item| item.from == process || item.to == process);
    let mut shapes: Vec<Local> = own.map(|item| Local::new(item, process).shape()).collect();
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
    pub(super) fn new(choreography: &Choreography, part: &Part, process: ProcessId) -> Option<Self> {
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
                let shapes = shapes(choreography, items, process);
                let next = numbers.len() as u32;
                races.own.insert(node, *numbers.entry(shapes).or_insert(next));
                let clients = interactions(choreography, items).flat_map(|item| [item.from, item.to]);
                below.extend(clients.filter(|client| !hubs.contains(client)));
                continue;
            }
            let mut does = shapes(choreography, items, process);
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
        races.above.retain(|&hub| hub < process || !below.contains(&hub));
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
