//! Where the processes of one component are.
//!
//! A network can have as many components as processes, and each may need an explanation, so nothing here looks at all
//! processes: those that have not moved are where they started.

use crate::network::{Network, ProcessId, State, StateId};
use crate::semantics::{self, Queues, Step};
use std::collections::BTreeMap;

/// Where processes are: those that have moved, with their states; and what lies in their queues.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct PartialConfiguration {
    moved: BTreeMap<ProcessId, StateId>,
    queues: Queues,
}

impl PartialConfiguration {
    /// The messages that were sent and not taken yet.
    pub(super) fn queues(&self) -> &Queues {
        &self.queues
    }

    /// Where a process is; `None` if there is no such process.
    pub(super) fn state_id(&self, network: &Network, process: ProcessId) -> Option<StateId> {
        let moved = self.moved.get(&process).copied();
        moved.or_else(|| network.processes.get(process.index()).map(|process| process.start))
    }

    /// Where a process is.
    pub(super) fn at(&self, network: &Network, process: ProcessId) -> StateId {
        self.state_id(network, process).unwrap_or(StateId(u32::MAX))
    }

    /// What a process does next.
    pub(super) fn state(&self, network: &Network, process: ProcessId) -> State {
        self.state_id(network, process).map_or(State::Stop, |state| network.state(state))
    }

    /// What can happen next at the initiative of a process.
    pub(super) fn steps_of(&self, network: &Network, process: ProcessId) -> impl Iterator<Item = Step> {
        semantics::steps_of(network, process, &self.queues, |process| self.at(network, process))
    }

    /// Takes a step. Returns whether it was possible; if not, nothing has changed.
    pub(super) fn take(&mut self, network: &Network, step: Step) -> bool {
        let at = |process| self.at(network, process);
        let Some(moves) = semantics::moves(network, step, &self.queues, at) else { return false };
        self.queues.apply(step);
        self.moved.extend(moves);
        true
    }

    /// Whether a process is done.
    pub(super) fn has_stopped(&self, network: &Network, process: ProcessId) -> bool {
        self.state(network, process) == State::Stop
    }
}
