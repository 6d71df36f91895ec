//! The smallest automata that behave alike.

use super::{Branch, Network, Process, State, StateId};
use crate::graph::{Graph, Partition};
use crate::index::{Index, mix};
use crate::syntax::Range;

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
    let partition = by_process(network, crate::graph::minimise(&state_graph(network)));
    let network = merged(network, &partition);
    let state_of = partition.class_of.into_iter().map(StateId).collect();
    Minimised { network, state_of }
}

/// Splits classes that have states of several processes. What follows a state belongs to the same process, so the states
/// that stay together still behave alike.
fn by_process(network: &Network, mut partition: Partition) -> Partition {
    const NONE: u32 = u32::MAX;
    // For each class, the process that was met last, and the number of its part of the class.
    let mut latest = vec![(NONE, NONE); partition.class_count()];
    let mut representatives = Vec::with_capacity(partition.class_count());
    for (number, process) in network.processes.iter().enumerate() {
        for state in process.states.start..process.states.end {
            let class = &mut partition.class_of[state as usize];
            let (owner, part) = &mut latest[*class as usize];
            if *owner != number as u32 {
                *owner = number as u32;
                *part = representatives.len() as u32;
                representatives.push(state);
            }
            *class = *part;
        }
    }
    Partition { class_of: partition.class_of, representatives }
}

/// The automata of all processes as one graph; equal labels mean equal actions.
fn state_graph(network: &Network) -> Graph {
    let mut offers = Offers::default();
    let mut graph = Graph::with_capacity(network.states.len(), network.states.len() + network.branches.len());
    for state in &network.states {
        match *state {
            State::Stop => graph.push(label(0, 0, 0), []),
            State::Send { to, expression, next } => graph.push(label(1, to.0, expression.0), [next.0]),
            State::Receive { from, next } => graph.push(label(2, from.0, 0), [next.0]),
            State::Select { to, label: selected, next } => graph.push(label(3, to.0, selected.0), [next.0]),
            State::If { condition, then, otherwise } => graph.push(label(4, 0, condition.0), [then.0, otherwise.0]),
            State::Offer { from, branches: range } => match range.of(&network.branches) {
                [only] => graph.push(label(5, from.0, only.label.0), [only.next.0]),
                branches => {
                    let labels = offers.number(network, range);
                    graph.push(label(6, from.0, labels), branches.iter().map(|branch| branch.next.0))
                }
            },
        };
    }
    graph
}

/// What a state does, in one number. A text of 4 GiB has no more than 2^29 processes.
fn label(kind: u64, partner: u32, datum: u32) -> u64 {
    (kind << 61) | (u64::from(partner) << 32) | u64::from(datum)
}

/// Numbers the lists of labels that are offered.
#[derive(Default)]
struct Offers {
    index: Index,
    known: Vec<Range>,
}

impl Offers {
    fn number(&mut self, network: &Network, branches: Range) -> u32 {
        let labels = |range: Range| range.of(&network.branches).iter().map(|branch| branch.label.0);
        let hash = labels(branches).fold(0, |hash, label| mix(hash, u64::from(label)));
        let same = |other: u32| labels(self.known[other as usize]).eq(labels(branches));
        let number = self.index.find_or_insert(hash, self.known.len() as u32, same);
        if number as usize == self.known.len() {
            self.known.push(branches);
        }
        number
    }
}

/// One state for each class.
fn merged(network: &Network, partition: &Partition) -> Network {
    let class = |state: StateId| StateId(partition.class_of[state.index()]);
    let mut branches: Vec<Branch> = Vec::with_capacity(network.branches.len());
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
