//! A network that can be edited, so that hints can be taken at their word.

use laban::network::{Branch, Network, NetworkParts, Process, ProcessId, State, StateId};
use laban::semantics::{Configuration, Step};
use laban::syntax::{ArenaRange, Symbol};
use std::collections::{BTreeSet, VecDeque};

/// How many states can be added to a process.
pub(super) const SPARE: u32 = 60;

/// A network that can be edited, one state at a time: every process has some states to spare.
pub(super) struct Edited {
    pub(super) parts: NetworkParts,
    pub(super) network: Network,
    pub(super) at: Configuration,
    /// The next spare state of each process.
    pub(super) spare: Vec<u32>,
}

impl Edited {
    pub(super) fn new(network: &Network, at: &Configuration) -> Self {
        let mut parts = NetworkParts { names: network.names().clone(), ..NetworkParts::default() };
        let (mut at, mut spare) = (at.clone(), Vec::new());
        for (number, process) in network.processes().iter().enumerate() {
            let moved = |state: StateId| StateId(state.0 + SPARE * number as u32);
            let start = parts.states.len() as u32;
            for id in (process.states.start..process.states.end).map(StateId) {
                parts.states.push(network.state(id).renumbered(network, (&mut parts.branches, &mut parts.arms), moved));
            }
            spare.push(parts.states.len() as u32);
            parts.states.extend([State::Stop; SPARE as usize]);
            let states = ArenaRange { start, end: parts.states.len() as u32 };
            parts.processes.push(Process { start: moved(process.start), states, ..*process });
            at.states[number] = moved(at.states[number]);
        }
        let network = Network::from_parts(parts.clone()).unwrap();
        Edited { parts, network, at, spare }
    }

    pub(super) fn state(&self, process: ProcessId) -> State {
        self.at.state(&self.network, process)
    }

    pub(super) fn add(&mut self, process: ProcessId, state: State) -> StateId {
        let spare = &mut self.spare[process.index()];
        let id = StateId(*spare);
        *spare += 1;
        self.parts.states[id.index()] = state;
        self.network = Network::from_parts(self.parts.clone()).unwrap();
        id
    }

    pub(super) fn label(&mut self, text: &str) -> Symbol {
        self.parts.names.intern(text)
    }

    pub(super) fn offer(&mut self, from: ProcessId, branches: Vec<Branch>) -> State {
        offer(&mut self.parts, from, branches)
    }

    /// The branches of an offer, with one more.
    pub(super) fn with_branch(&mut self, offer: State, label: Symbol, next: StateId) -> State {
        let State::Offer { from, branches } = offer else { panic!("{offer:?} is an offer") };
        let mut branches = self.network.branches(branches).to_vec();
        branches.push(Branch { label, next });
        self.offer(from, branches)
    }

    /// Puts a state where a process is.
    pub(super) fn put(&mut self, process: ProcessId, state: State) {
        let state = self.add(process, state);
        self.at.states[process.index()] = state;
    }

    pub(super) fn take(&mut self, step: Step) -> bool {
        self.at.take(&self.network, step)
    }

    /// Whether two processes can deal with each other now.
    pub(super) fn meet(&self, one: ProcessId, other: ProcessId) -> bool {
        let steps = self.at.steps_of(&self.network, one);
        steps.into_iter().any(|step| step.actors().any(|actor| actor == other))
    }

    /// Whether a process can act, sooner or later.
    pub(super) fn can_act(&self, process: ProcessId) -> bool {
        let mut seen = BTreeSet::from([self.at.clone()]);
        let mut work = VecDeque::from([self.at.clone()]);
        while let Some(at) = work.pop_front() {
            assert!(seen.len() < 100_000, "the networks are small");
            for step in at.steps(&self.network) {
                if step.actors().any(|actor| actor == process) {
                    return true;
                }
                let mut next = at.clone();
                assert!(next.take(&self.network, step));
                if seen.insert(next.clone()) {
                    work.push_back(next);
                }
            }
        }
        false
    }
}

fn offer(parts: &mut NetworkParts, from: ProcessId, mut branches: Vec<Branch>) -> State {
    branches.sort_unstable_by_key(|branch| branch.label);
    let start = parts.branches.len() as u32;
    parts.branches.extend(branches);
    State::Offer { from, branches: ArenaRange { start, end: parts.branches.len() as u32 } }
}
