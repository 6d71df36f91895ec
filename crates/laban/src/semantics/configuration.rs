//! Where a network is, and what it can do from there.
//!
//! The plain reading of the semantics: a row of local states, the steps that are possible from it, and the row after a
//! step. It is written to be obviously right and not to be fast. The searches do not use it; what they claim is
//! replayed with it before it is shown.

use super::Step;
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
use crate::syntax::Span;

/// Where each process of a network is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Configuration {
    /// One local state for each process.
    pub states: Vec<StateId>,
}

impl Configuration {
    /// Where a network starts.
    pub fn start(network: &Network) -> Self {
        Configuration { states: network.processes.iter().map(|process| process.start).collect() }
    }

    /// What a process does next.
    pub fn state(&self, network: &Network, process: ProcessId) -> State {
        self.states.get(process.index()).map_or(State::Stop, |&state| network.state(state))
    }

    /// What can happen next at the initiative of a process: nothing, one interaction, or both outcomes of a decision.
    pub fn steps_of(&self, network: &Network, process: ProcessId) -> Vec<Step> {
        steps_of(network, process, |process| self.state(network, process)).collect()
    }

    /// Everything that can happen next, in the order of the processes that take the initiative.
    pub fn steps(&self, network: &Network) -> Vec<Step> {
        network.process_ids().flat_map(|process| self.steps_of(network, process)).collect()
    }

    /// Takes a step. Returns whether it was possible; if not, nothing has changed.
    pub fn take(&mut self, network: &Network, step: Step) -> bool {
        let Some(moves) = moves(network, step, |process| self.state(network, process)) else { return false };
        for (process, state) in moves {
            self.states[process.index()] = state;
        }
        true
    }

    /// Whether a process is done.
    pub fn has_stopped(&self, network: &Network, process: ProcessId) -> bool {
        self.state(network, process) == State::Stop
    }
}

/// Where each step of a run from the start is in the text, at who sends, selects or decides; and where the network
/// is then. Ends before the first step that is not possible.
pub fn follow(network: &Network, run: impl IntoIterator<Item = Step>) -> (Vec<(Step, Span)>, Configuration) {
    let mut configuration = Configuration::start(network);
    let mut places = Vec::new();
    for step in run {
        let state = configuration.states.get(step.initiator().index()).copied();
        if !configuration.take(network, step) {
            break;
        }
        places.push((step, state.map_or(Span::default(), |state| network.origin(state))));
    }
    (places, configuration)
}

/// What can happen at the initiative of a process, where it is known what each process does next.
pub(crate) fn steps_of(
    network: &Network,
    process: ProcessId,
    state: impl Fn(ProcessId) -> State,
) -> impl Iterator<Item = Step> {
    let interaction = |to, content| Step::Interaction(Interaction { from: process, to, content });
    let steps = match state(process) {
        State::Send { to, expression, .. } => match state(to) {
            State::Receive { from, .. } if from == process => vec![interaction(to, Content::Value(expression))],
            _ => Vec::new(),
        },
        State::Select { to, label, .. } => match state(to) {
            State::Offer { from, branches } if from == process && network.branch(branches, label).is_some() => {
                vec![interaction(to, Content::Label(label))]
            }
            _ => Vec::new(),
        },
        State::If { condition, .. } => [true, false].map(|holds| Step::Decision { process, condition, holds }).to_vec(),
        State::Stop | State::Receive { .. } | State::Offer { .. } => Vec::new(),
    };
    steps.into_iter()
}

/// Who moves where in a step, where it is known what each process does next; `None` if it is not possible.
pub(crate) fn moves(
    network: &Network,
    step: Step,
    state: impl Fn(ProcessId) -> State,
) -> Option<Vec<(ProcessId, StateId)>> {
    Some(match step {
        Step::Interaction(Interaction { from, to, content }) => match (state(from), state(to), content) {
            (
                State::Send { to: receiver, expression, next },
                State::Receive { from: sender, next: received },
                Content::Value(value),
            ) if receiver == to && sender == from && expression == value => vec![(from, next), (to, received)],
            (
                State::Select { to: receiver, label, next },
                State::Offer { from: sender, branches },
                Content::Label(selected),
            ) if receiver == to && sender == from && label == selected => {
                vec![(from, next), (to, network.branch(branches, label)?)]
            }
            _ => return None,
        },
        Step::Decision { process, condition, holds } => match state(process) {
            State::If { condition: decides, then, otherwise } if decides == condition => {
                vec![(process, if holds { then } else { otherwise })]
            }
            _ => return None,
        },
    })
}
