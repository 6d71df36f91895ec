//! The smallest automata that behave alike.

use super::race::by_partner;
use super::{Branch, Network, Process, State, StateId};
use crate::graph::{Graph, Partition, minimise_within};
use crate::index::{Index, mix};
use crate::syntax::ArenaRange;
use rustc_hash::FxHashMap;

/// A network whose automata are as small as they can be.
#[derive(Debug, Clone)]
pub struct Minimised {
    /// The smaller network. The origin of a state is that of the first state, in the order of the text, that it stands
    /// for.
    pub network: Network,
    /// For each state of the larger network the state that stands for it.
    pub state_of: Vec<StateId>,
}

/// Merges the states of each process that are bisimilar.
pub fn minimise(network: &Network) -> Minimised {
    match classes(network) {
        Some(partition) => Minimised {
            network: merged(network, &partition),
            state_of: partition.class_of.into_iter().map(StateId).collect(),
        },
        None => {
            Minimised { network: network.clone(), state_of: (0..network.states.len() as u32).map(StateId).collect() }
        }
    }
}

/// The smaller network alone; nothing if no two states of a process are bisimilar.
pub fn smaller(network: &Network) -> Option<Network> {
    classes(network).map(|partition| merged(network, &partition))
}

/// The states of each process that are bisimilar; nothing if there are none.
fn classes(network: &Network) -> Option<Partition> {
    // What does the same to the end has the same number of steps before it, so in a row that just ends no two are
    // alike.
    let rows: Vec<bool> = network.processes.iter().map(|process| is_row(network, process.states)).collect();
    if rows.iter().all(|&row| row) {
        return None;
    }
    let (graph, groups) = state_graph(network, &rows);
    let partition = by_process(network, &rows, &minimise_within(&graph, |node| groups[node as usize]));
    (partition.class_count() < network.states.len()).then_some(partition)
}

/// Whether these states come one after the other, without a choice, and the last one ends.
fn is_row(network: &Network, states: ArenaRange) -> bool {
    let Some((State::Stop, before)) = states.of(&network.states).split_last() else { return false };
    before.iter().zip(states.start + 1..).all(|(state, number)| match *state {
        State::Send { next, .. } | State::Receive { next, .. } | State::Select { next, .. } => next.0 == number,
        State::Offer { branches, .. } => {
            matches!(branches.of(&network.branches), [only] if only.next.0 == number)
        }
        State::If { .. } | State::Stop | State::SelectValue { .. } | State::Choose { .. } | State::Any { .. } => false,
    })
}

/// Splits classes that have states of several processes, and gives each state of a row a class of its own. What follows
/// a state belongs to the same process, so the states that stay together still behave alike.
fn by_process(network: &Network, rows: &[bool], partition: &Partition) -> Partition {
    const NONE: u32 = u32::MAX;
    // For each class, the process that was met last, and the number of its part of the class.
    let mut latest = vec![(NONE, NONE); partition.class_count()];
    let mut class_of = Vec::with_capacity(network.states.len());
    let mut representatives = Vec::with_capacity(network.states.len());
    let mut classes = partition.class_of.iter();
    for (number, (process, &row)) in network.processes.iter().zip(rows).enumerate() {
        let states = process.states.start..process.states.end;
        if row {
            let first = representatives.len() as u32;
            class_of.extend(first..first + states.len() as u32);
            representatives.extend(states);
            continue;
        }
        for (state, &class) in states.zip(&mut classes) {
            let (owner, part) = &mut latest[class as usize];
            if *owner != number as u32 {
                *owner = number as u32;
                *part = representatives.len() as u32;
                representatives.push(state);
            }
            class_of.push(*part);
        }
    }
    Partition { class_of, representatives }
}

/// The automata of all processes but the rows as one graph, and for each node the first one of its process; equal
/// labels mean equal actions.
fn state_graph(network: &Network, rows: &[bool]) -> (Graph, Vec<u32>) {
    let mut offers = Offers::default();
    let mut rarities = Rarities::default();
    let mut graph = Graph::with_capacity(network.states.len(), network.states.len() + network.branches.len());
    let mut groups = Vec::with_capacity(network.states.len());
    for (process, _) in network.processes.iter().zip(rows).filter(|&(_, row)| !row) {
        // How many states of rows come before.
        let skipped = process.states.start - graph.len() as u32;
        groups.resize(groups.len() + process.states.len(), graph.len() as u32);
        let node = |state: StateId| state.0 - skipped;
        for (state, number) in process.states.of(&network.states).iter().zip(process.states.start..) {
            if network.is_idle(StateId(number)) {
                let mut next = Vec::new();
                network.successors(StateId(number), |state| next.push(node(state)));
                graph.push(rarities.label(network, *state, true), next);
                continue;
            }
            match *state {
                State::Stop => graph.push(label(0, 0, 0), []),
                State::Send { to, expression, next } => graph.push(label(1, to.0, expression.0), [node(next)]),
                State::Receive { from, next } => graph.push(label(2, from.0, 0), [node(next)]),
                State::Select { to, label: selected, next } => graph.push(label(3, to.0, selected.0), [node(next)]),
                State::If { condition, then, otherwise } => {
                    graph.push(label(4, 0, condition.0), [node(then), node(otherwise)])
                }
                State::Offer { from, branches: range } => match range.of(&network.branches) {
                    [only] => graph.push(label(5, from.0, only.label.0), [node(only.next)]),
                    branches => {
                        let labels = offers.number(network, range);
                        graph.push(label(6, from.0, labels), branches.iter().map(|branch| node(branch.next)))
                    }
                },
                State::SelectValue { next, .. } => graph.push(rarities.label(network, *state, false), [node(next)]),
                State::Choose { arms } | State::Any { items: arms } => {
                    let next = network.arms(arms).iter().map(|&state| node(state));
                    graph.push(rarities.label(network, *state, false), next)
                }
            };
        }
    }
    (graph, groups)
}

/// What a state does, in one number. A text of 4 GiB has no more than 2^29 processes.
fn label(kind: u64, partner: u32, datum: u32) -> u64 {
    (kind << 61) | (u64::from(partner) << 32) | u64::from(datum)
}

/// Numbers what states do that the paper does not know.
#[derive(Default)]
struct Rarities(FxHashMap<Vec<u32>, u32>);

impl Rarities {
    fn label(&mut self, network: &Network, state: State, idle: bool) -> u64 {
        let mut does = match state {
            State::Stop => vec![0],
            State::Send { to, expression, .. } => vec![1, to.0, expression.0],
            State::Receive { from, .. } => vec![2, from.0],
            State::Select { to, label, .. } => vec![3, to.0, label.0],
            State::If { condition, .. } => vec![4, condition.0],
            State::SelectValue { to, label, expression, .. } => vec![5, to.0, label.0, expression.0],
            State::Choose { arms } => vec![6, arms.len() as u32],
            State::Any { items } => vec![7, items.len() as u32],
            State::Offer { from, branches } => {
                let labels = branches.of(&network.branches).iter().map(|branch| branch.label.0);
                [8, from.0].into_iter().chain(labels).collect()
            }
        };
        does.push(u32::from(idle));
        let next = self.0.len() as u32;
        label(7, 0, *self.0.entry(does).or_insert(next))
    }
}

/// Numbers the lists of labels that are offered.
#[derive(Default)]
struct Offers {
    index: Index,
    known: Vec<ArenaRange>,
}

impl Offers {
    fn number(&mut self, network: &Network, branches: ArenaRange) -> u32 {
        let labels = |range: ArenaRange| range.of(&network.branches).iter().map(|branch| branch.label.0);
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
    let mut arms: Vec<StateId> = Vec::with_capacity(network.arms.len());
    let mut idle = Vec::new();
    let mut origins = Vec::with_capacity(partition.class_count());
    let mut sizes = Vec::with_capacity(partition.class_count());
    for &representative in &partition.representatives {
        let id = StateId(representative);
        origins.push(network.origin(id));
        sizes.push(network.sizes.get(id.index()).copied().unwrap_or(0));
        if !network.idle.is_empty() {
            idle.push(network.is_idle(id));
        }
        states.push(network.state(id).renumbered(network, (&mut branches, &mut arms), class));
    }
    // Classes are numbered by their first member and processes do not share states, so a process keeps one stretch.
    let mut start = 0;
    let processes = network.processes.iter().map(|process| {
        let members = &partition.class_of[process.states.start as usize..process.states.end as usize];
        let end = members.iter().map(|&class| class + 1).max().unwrap_or(start).max(start);
        let states = ArenaRange { start, end };
        start = end;
        Process { start: class(process.start), states, ..*process }
    });
    let processes = processes.collect();
    let by_partner = by_partner(&states, &arms);
    Network {
        names: network.names.clone(),
        processes,
        states,
        branches,
        arms,
        by_partner,
        idle,
        origins,
        sizes,
        channels: network.channels.clone(),
    }
}
