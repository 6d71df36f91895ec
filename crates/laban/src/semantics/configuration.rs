//! Where a network is, and what it can do from there.
//!
//! The plain reading of the semantics: a row of local states, what lies in the queues, the steps that are possible from
//! there, and where a step leads. It is written to be obviously right and not to be fast. The searches do not use it;
//! what they claim is replayed with it before it is shown.

use super::{Queues, Step, Waits};
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
use crate::syntax::Span;

/// Where each process of a network is, and what lies in the queues.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Configuration {
    /// One local state for each process.
    pub states: Vec<StateId>,
    /// The messages that were sent and not taken yet; none in a network without queues.
    pub queues: Queues,
}

impl Configuration {
    /// Where a network starts.
    pub fn start(network: &Network) -> Self {
        let states = network.processes.iter().map(|process| process.start).collect();
        Configuration { states, queues: Queues::default() }
    }

    /// What a process does next.
    pub fn state(&self, network: &Network, process: ProcessId) -> State {
        self.states.get(process.index()).map_or(State::Stop, |&state| network.state(state))
    }

    /// In which state a process is; where it starts, for a configuration of another network.
    pub fn at(&self, network: &Network, process: ProcessId) -> StateId {
        let start = || network.process(process).map_or(StateId(u32::MAX), |process| process.start);
        self.states.get(process.index()).copied().unwrap_or_else(start)
    }

    /// What can happen next at the initiative of a process: interactions, or all outcomes of a decision.
    pub fn steps_of(&self, network: &Network, process: ProcessId) -> Vec<Step> {
        steps_of(network, process, &self.queues, |process| self.at(network, process)).collect()
    }

    /// Everything that can happen next, in the order of the processes that take the initiative.
    pub fn steps(&self, network: &Network) -> Vec<Step> {
        network.process_ids().flat_map(|process| self.steps_of(network, process)).collect()
    }

    /// Who waits for whom, among some processes that interact with nobody else.
    pub fn waits(&self, network: &Network, processes: &[ProcessId]) -> Waits {
        Waits::new(network, processes, &self.queues, |process| self.at(network, process))
    }

    /// Takes a step. Returns whether it was possible; if not, nothing has changed.
    pub fn take(&mut self, network: &Network, step: Step) -> bool {
        let at = |process| self.at(network, process);
        let Some(moves) = moves(network, step, &self.queues, at) else { return false };
        self.queues.apply(step);
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

/// What can happen at the initiative of a process, where it is known in which state each process is. Between two with
/// a queue that is a message put or taken; that it is put and taken right away is two steps here.
pub(crate) fn steps_of(
    network: &Network,
    process: ProcessId,
    queues: &Queues,
    state: impl Fn(ProcessId) -> StateId,
) -> impl Iterator<Item = Step> {
    let own = state(process);
    let mut steps = Vec::new();
    match network.state(own) {
        State::If { condition, .. } => {
            steps.extend([true, false].map(|holds| Step::Decision { process, condition, holds }));
        }
        State::Choose { arms } => steps.extend((0..arms.len() as u32).map(|arm| Step::Choice { process, arm })),
        _ => {
            for item in network.items(own) {
                let Some((to, content, _)) = item.sent() else {
                    steps.extend(fitting(network, item, process, queues).map(Step::Take));
                    continue;
                };
                let interaction = Interaction { from: process, to, content };
                if network.channel(process, to).is_queue() {
                    steps.extend(queues.has_room(network, process, to).then_some(Step::Put(interaction)));
                    continue;
                }
                let taken = network.items_with(state(to), process).find_map(|item| taken(network, item, content));
                if taken.is_some() {
                    steps.push(Step::Interaction(interaction));
                }
            }
        }
    }
    steps.into_iter()
}

/// The oldest message in the queue that an item of a process receives or offers from, if it fits.
fn fitting(network: &Network, item: State, process: ProcessId, queues: &Queues) -> Option<Interaction> {
    let from = item.partner().filter(|&from| network.channel(from, process).is_queue())?;
    let content = queues.oldest(from, process)?;
    taken(network, item, content).map(|_| Interaction { from, to: process, content })
}

/// Where a state that receives or offers goes on, if it takes this from its partner.
fn taken(network: &Network, state: State, content: Content) -> Option<StateId> {
    match (state, content.label()) {
        (State::Receive { next, .. }, None) => Some(next),
        (State::Offer { branches, .. }, Some(label)) => network.branch(branches, label),
        _ => None,
    }
}

/// Where one of those who interact goes from this state; `None` if it does not take part, or is not ready for it.
pub(crate) fn moved(network: &Network, step: Interaction, process: ProcessId, state: StateId) -> Option<StateId> {
    let Interaction { from, to, content } = step;
    if process == from {
        let next = |item: State| item.sent().filter(|sent| (sent.0, sent.1) == (to, content)).map(|sent| sent.2);
        return network.items_with(state, to).find_map(next);
    }
    network.items_with(state, from).find_map(|item| taken(network, item, content)).filter(|_| process == to)
}

/// Who moves where in a step, where it is known in which state each process is; `None` if it is not possible.
pub(crate) fn moves(
    network: &Network,
    step: Step,
    queues: &Queues,
    state: impl Fn(ProcessId) -> StateId,
) -> Option<Vec<(ProcessId, StateId)>> {
    Some(match step {
        Step::Interaction(interaction) => {
            let Interaction { from, to, .. } = interaction;
            // With a queue: put and taken right away, past nobody.
            if queues.len(from, to) > 0 {
                return None;
            }
            let sent = moved(network, interaction, from, state(from))?;
            vec![(from, sent), (to, moved(network, interaction, to, state(to))?)]
        }
        Step::Put(interaction) => {
            let Interaction { from, to, .. } = interaction;
            if !queues.has_room(network, from, to) {
                return None;
            }
            vec![(from, moved(network, interaction, from, state(from))?)]
        }
        Step::Take(interaction) => {
            let Interaction { from, to, content } = interaction;
            if queues.oldest(from, to) != Some(content) {
                return None;
            }
            vec![(to, moved(network, interaction, to, state(to))?)]
        }
        Step::Decision { process, condition, holds } => match network.state(state(process)) {
            State::If { condition: decides, then, otherwise } if decides == condition => {
                vec![(process, if holds { then } else { otherwise })]
            }
            _ => return None,
        },
        Step::Choice { process, arm } => match network.state(state(process)) {
            State::Choose { arms } => vec![(process, *network.arms(arms).get(arm as usize)?)],
            _ => return None,
        },
    })
}
