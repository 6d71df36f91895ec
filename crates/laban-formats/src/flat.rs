//! From a network to automata as other tools have them: what is done in a state, on edges.
//!
//! A choice, and a conditional, becomes a state with several sends if each of its arms begins with a send; else it has
//! silent edges. Nested choices become one. Values become messages with a label of their own, and conditions are left
//! out: automata have neither. What changes the meaning is refused: states and processes that may wait forever, and
//! races of sends, which would be choices.

use laban::Network;
use laban::diagnostic::quote;
use laban::network::{ProcessId, State, StateId};
use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};

/// Why a network cannot be written in a language: it has something that the language does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsayable {
    /// The process that does it.
    pub process: String,
    /// What it is, as part of a sentence.
    pub what: String,
}

impl Display for Unsayable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} has {}, which cannot be said in this format", quote(&self.process), self.what)
    }
}

impl std::error::Error for Unsayable {}

/// What is done on an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlatAction<'a> {
    /// The process decides.
    Silent,
    Send(ProcessId, FlatMessage<'a>),
    Receive(ProcessId, FlatMessage<'a>),
}

/// A message without what comes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum FlatMessage<'a> {
    Value,
    Label(&'a str),
}

/// An edge: what is done, and in which state the process is then.
pub(crate) type FlatEdge<'a> = (FlatAction<'a>, StateId);

/// A process as an automaton.
pub(crate) struct Flat<'a> {
    pub(crate) start: StateId,
    /// The states that can be reached, in the order of a walk from the start, each with its edges.
    pub(crate) states: Vec<(StateId, Vec<FlatEdge<'a>>)>,
}

/// All processes as automata, without processes and states that may wait forever.
pub(crate) fn flatten(network: &Network) -> Result<Vec<Flat<'_>>, Unsayable> {
    network.process_ids().map(|process| flat(network, process)).collect()
}

fn flat(network: &Network, process: ProcessId) -> Result<Flat<'_>, Unsayable> {
    let unsayable = |what: &str| Unsayable { process: network.process_name(process).to_string(), what: what.into() };
    let described = network.process(process);
    if described.is_some_and(|process| process.service) {
        return Err(unsayable("the property of being a service"));
    }
    let start = described.map_or(StateId(0), |process| process.start);
    let mut states = Vec::new();
    let mut met = HashSet::from([start]);
    let mut work = vec![start];
    while let Some(state) = work.pop() {
        if network.is_idle(state) {
            return Err(unsayable("a state in which it may wait forever (`idle`)"));
        }
        let edges = edges(network, state).map_err(unsayable)?;
        work.extend(edges.iter().rev().map(|&(_, next)| next).filter(|&next| met.insert(next)));
        states.push((state, edges));
    }
    Ok(Flat { start, states })
}

/// What can be done in a state.
fn edges(network: &Network, state: StateId) -> Result<Vec<FlatEdge<'_>>, &'static str> {
    match network.state(state) {
        State::If { .. } | State::Choose { .. } => {
            let mut leaves = leaves(network, state);
            if leaves.is_empty() {
                // It decides forever and does nothing else: that is not the end.
                leaves.push(state);
            }
            let sends: Vec<FlatEdge<'_>> = leaves.iter().filter_map(|&leaf| send(network, leaf)).collect();
            let silent = |&leaf: &StateId| (FlatAction::Silent, leaf);
            Ok(if sends.len() == leaves.len() { sends } else { leaves.iter().map(silent).collect() })
        }
        State::Any { items } => {
            let items = network.arms(items);
            if items.len() > 1 && items.iter().all(|&item| send(network, item).is_some()) {
                return Err("an `any` whose items all send, which would be a choice");
            }
            Ok(items.iter().flat_map(|&item| acts(network, item)).collect())
        }
        _ => Ok(acts(network, state)),
    }
}

/// What a state that sends, receives, selects or offers does.
fn acts(network: &Network, state: StateId) -> Vec<FlatEdge<'_>> {
    match network.state(state) {
        State::Receive { from, next } => vec![(FlatAction::Receive(from, FlatMessage::Value), next)],
        State::Offer { from, branches } => {
            let branches = network.branches(branches).iter();
            branches
                .map(|branch| (FlatAction::Receive(from, FlatMessage::Label(network.text(branch.label))), branch.next))
                .collect()
        }
        _ => send(network, state).into_iter().collect(),
    }
}

fn send(network: &Network, state: StateId) -> Option<FlatEdge<'_>> {
    match network.state(state) {
        State::Send { to, next, .. } => Some((FlatAction::Send(to, FlatMessage::Value), next)),
        State::Select { to, label, next } | State::SelectValue { to, label, next, .. } => {
            Some((FlatAction::Send(to, FlatMessage::Label(network.text(label))), next))
        }
        _ => None,
    }
}

/// Where a decision, and further decisions after it, lead, each once. A decision that comes back to this one leads
/// there.
fn leaves(network: &Network, start: StateId) -> Vec<StateId> {
    let mut leaves = Vec::new();
    let mut met = HashSet::new();
    let mut work = vec![start];
    let mut is_first = true;
    while let Some(state) = work.pop() {
        let decides = network.state(state).decides();
        if decides && (is_first || state != start && met.insert(state)) {
            let before = work.len();
            network.successors(state, |next| work.push(next));
            work[before..].reverse();
        } else if met.insert(state) {
            leaves.push(state);
        }
        is_first = false;
    }
    leaves
}
