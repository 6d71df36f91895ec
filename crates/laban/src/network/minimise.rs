//! The smallest automata that behave alike.

use super::{Branch, Network, Process, State, StateId};
use crate::graph::{Graph, Partition};
use crate::syntax::Range;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A network whose automata are as small as they can be.
#[derive(Debug, Clone)]
pub struct Minimised {
    /// The smaller network. The origin of a state is that of the first state, in the order of the text, that it stands for.
    pub network: Network,
    /// For each state of the larger network the state that stands for it.
    pub state_of: Vec<StateId>,
}

/// Merges the states of each process that are bisimilar.
pub fn minimise(network: &Network) -> Minimised {
    let graph = state_graph(network);
    let partition = crate::graph::minimise(&graph);
    let state_of: Vec<StateId> = partition.class_of.iter().map(|&class| StateId(class)).collect();
    let network = merged(network, &partition);
    Minimised { network, state_of }
}

/// The automata of all processes as one graph; equal labels mean equal actions of one process.
fn state_graph(network: &Network) -> Graph {
    let mut labels = Labels::default();
    let mut graph = Graph::with_capacity(network.states.len(), network.states.len() + network.branches.len());
    for (number, process) in network.processes.iter().enumerate() {
        for state in process.states.of(&network.states) {
            let label = labels.number(network, number as u32, *state);
            match *state {
                State::Stop => graph.push(label, []),
                State::Send { next, .. } | State::Receive { next, .. } | State::Select { next, .. } => {
                    graph.push(label, [next.0])
                }
                State::If { then, otherwise, .. } => graph.push(label, [then.0, otherwise.0]),
                State::Offer { branches, .. } => {
                    graph.push(label, branches.of(&network.branches).iter().map(|branch| branch.next.0))
                }
            };
        }
    }
    graph
}

/// Numbers what states do, apart from what follows.
#[derive(Default)]
struct Labels {
    table: HashTable<u32>,
    /// A state that stands for each number, with its process.
    known: Vec<(u32, State)>,
}

impl Labels {
    fn number(&mut self, network: &Network, process: u32, state: State) -> u32 {
        let hash = hash(network, process, state);
        let same = |&candidate: &u32| {
            let (other, known) = self.known[candidate as usize];
            other == process && alike(network, known, state)
        };
        if let Some(&found) = self.table.find(hash, same) {
            return found;
        }
        let number = self.known.len() as u32;
        self.known.push((process, state));
        let known = &self.known;
        self.table.insert_unique(hash, number, |&other| {
            let (process, state) = known[other as usize];
            self::hash(network, process, state)
        });
        number
    }
}

fn hash(network: &Network, process: u32, state: State) -> u64 {
    let mut hasher = FxHasher::default();
    let (kind, partner, datum) = match state {
        State::Stop => (0, 0, 0),
        State::Send { to, expression, .. } => (1, to.0, expression.0),
        State::Receive { from, .. } => (2, from.0, 0),
        State::Select { to, label, .. } => (3, to.0, label.0),
        State::Offer { from, branches } => (4, from.0, branches.len() as u32),
        State::If { condition, .. } => (5, 0, condition.0),
    };
    ((u64::from(process) << 32) | u64::from(partner)).hash(&mut hasher);
    ((kind << 32) | u64::from(datum)).hash(&mut hasher);
    if let State::Offer { branches, .. } = state {
        branches.of(&network.branches).iter().for_each(|branch| branch.label.0.hash(&mut hasher));
    }
    hasher.finish()
}

/// Whether two states of one process do the same, apart from what follows.
fn alike(network: &Network, one: State, other: State) -> bool {
    match (one, other) {
        (State::Stop, State::Stop) => true,
        (State::Send { to, expression, .. }, State::Send { to: a, expression: b, .. }) => (to, expression) == (a, b),
        (State::Receive { from, .. }, State::Receive { from: a, .. }) => from == a,
        (State::Select { to, label, .. }, State::Select { to: a, label: b, .. }) => (to, label) == (a, b),
        (State::If { condition, .. }, State::If { condition: a, .. }) => condition == a,
        (State::Offer { from, branches }, State::Offer { from: a, branches: b }) => {
            let labels = |range: Range| range.of(&network.branches).iter().map(|branch| branch.label);
            from == a && branches.len() == b.len() && labels(branches).eq(labels(b))
        }
        _ => false,
    }
}

/// One state for each class.
fn merged(network: &Network, partition: &Partition) -> Network {
    let class = |state: StateId| StateId(partition.class_of[state.index()]);
    let mut branches: Vec<Branch> = Vec::new();
    let mut states = Vec::with_capacity(partition.class_count());
    let mut origins = Vec::with_capacity(partition.class_count());
    let mut sizes = Vec::with_capacity(partition.class_count());
    for &representative in &partition.representatives {
        let id = StateId(representative);
        origins.push(network.origin(id));
        sizes.push(network.sizes.get(id.index()).copied().unwrap_or(0));
        states.push(match network.state(id) {
            State::Stop => State::Stop,
            State::Send { to, expression, next } => State::Send { to, expression, next: class(next) },
            State::Receive { from, next } => State::Receive { from, next: class(next) },
            State::Select { to, label, next } => State::Select { to, label, next: class(next) },
            State::If { condition, then, otherwise } => {
                State::If { condition, then: class(then), otherwise: class(otherwise) }
            }
            State::Offer { from, branches: range } => {
                let start = branches.len() as u32;
                let merged = range.of(&network.branches).iter();
                branches.extend(merged.map(|branch| Branch { label: branch.label, next: class(branch.next) }));
                State::Offer { from, branches: Range { start, end: branches.len() as u32 } }
            }
        });
    }
    // Classes are numbered by their first member and processes do not share states, so a process keeps one stretch.
    let mut start = 0;
    let processes = network.processes.iter().map(|process| {
        let members = &partition.class_of[process.states.start as usize..process.states.end as usize];
        let end = members.iter().map(|&class| class + 1).max().unwrap_or(start).max(start);
        let states = Range { start, end };
        start = end;
        Process { start: class(process.start), states, ..*process }
    });
    let processes = processes.collect();
    Network { names: network.names.clone(), processes, states, branches, origins, sizes }
}
