//! Why a choreography does not describe a network, as data, and as diagnostics for both texts.

use super::notation::event;
use super::obstacle::Obstacle;
use super::words::{MOST_LISTED, wish};
use crate::choreography::{Choreography, Node, NodeId};
use crate::diagnostic::{Annotation, Code, Diagnostic, FEW_STEPS, Note};
use crate::network::{Interaction, Network, ProcessId, StateId};
use crate::semantics::{Configuration, Step, follow};
use crate::syntax::Span;

/// A run after which a choreography and a network differ, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What both do from the start until they differ. Empty if something is wrong with the choreography as a whole.
    pub run: Vec<Step>,
    /// What is wrong then.
    pub reason: Reason,
}

/// What is wrong with a choreography at the end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The choreography has a process that the network does not have.
    UnknownProcess {
        /// Which process of the choreography.
        process: ProcessId,
    },
    /// A process takes part in two parallel parts of the choreography.
    SharedProcess {
        /// Which process of the network.
        process: ProcessId,
    },
    /// A process of the network has something to do, is not a service, and does not occur in the choreography.
    AbsentProcess {
        /// Which.
        process: ProcessId,
        /// What it wants to do.
        state: StateId,
    },
    /// The choreography goes on with something that a process is not ready for.
    NotEnabled {
        /// What the choreography goes on with.
        node: NodeId,
        /// Who is not ready.
        process: ProcessId,
        /// What that process wants to do.
        state: StateId,
        /// How this differs from what it should do.
        obstacle: Obstacle,
    },
    /// The choreography lists something in a race that a process is not ready for.
    ItemNotEnabled {
        /// The race.
        node: NodeId,
        /// The item.
        item: NodeId,
        /// Who is not ready.
        process: ProcessId,
        /// What that process wants to do.
        state: StateId,
        /// How this differs from what it should do.
        obstacle: Obstacle,
    },
    /// The choreography goes on with an interaction, or a race, while something else could come first.
    Overlooked {
        /// What the choreography goes on with.
        node: NodeId,
        /// What else could come first, and prevent some of it.
        missing: Vec<Step>,
        /// Who would do the first of these.
        process: ProcessId,
        /// What that process wants to do.
        state: StateId,
    },
    /// The choreography goes on with an interaction, or a race, while a process can decide first and then take part.
    DecidesFirst {
        /// What the choreography goes on with.
        node: NodeId,
        /// Who can decide.
        process: ProcessId,
        /// What that process has to decide.
        state: StateId,
    },
    /// A process may interact with one that takes part in another, parallel part of the choreography.
    AcrossParts {
        /// Who.
        process: ProcessId,
        /// What it wants to do.
        state: StateId,
        /// Who takes part elsewhere.
        other: ProcessId,
    },
    /// Something can happen that somebody idly waits for, and the choreography stops, or goes on forever, without it.
    Forgotten {
        /// Where the choreography stops, if it does.
        node: Option<NodeId>,
        /// Who waits.
        process: ProcessId,
        /// What it waits for.
        state: StateId,
        /// What can happen.
        step: Step,
        /// What can repeat forever after the run; nothing if the choreography stops.
        cycle: Vec<Step>,
    },
    /// The choreography stops while some process other than a service is still running.
    StopsEarly {
        /// Where the choreography stops.
        node: NodeId,
        /// Who is still running, and what they want to do.
        running: Vec<(ProcessId, StateId)>,
    },
    /// The choreography can go on forever without a process that is still running and is not a service.
    Starved {
        /// Who.
        process: ProcessId,
        /// What it wants to do.
        state: StateId,
        /// What can repeat forever after the run.
        cycle: Vec<Step>,
    },
    /// The choreography goes on with several interactions at once, or with a message that waits, which needs queues.
    GroupNotSupported {
        /// Where.
        node: NodeId,
    },
    /// The choreography goes on with a group, and one of its messages cannot be put into a queue or taken from it.
    GroupNotEnabled {
        /// The group.
        node: NodeId,
        /// Which of its messages, from 0.
        member: usize,
        /// Whether it cannot be taken; otherwise it cannot be put.
        takes: bool,
        /// Who is not ready.
        process: ProcessId,
        /// What that process wants to do.
        state: StateId,
        /// How this differs from what it should do.
        obstacle: Obstacle,
    },
    /// The choreography goes on with an interaction, or a race, while a sender could put its message into a queue, go
    /// on and take part in something else.
    RunsAhead {
        /// What the choreography goes on with.
        node: NodeId,
        /// Who could go on.
        process: ProcessId,
        /// What it wants to send.
        state: StateId,
    },
    /// The choreography stops while a message is in a queue.
    MessageLeft {
        /// Where the choreography stops.
        node: NodeId,
        /// The message.
        message: Interaction,
        /// What the receiver wants to do.
        state: StateId,
    },
    /// The choreography can go on forever while a message is in a queue and nobody takes it.
    NeverTaken {
        /// The message.
        message: Interaction,
        /// What the receiver wants to do.
        state: StateId,
        /// What can repeat forever after the run.
        cycle: Vec<Step>,
    },
    /// The choreography comes round with more messages in a queue than before.
    QueueGrows {
        /// Who sends.
        from: ProcessId,
        /// Who receives.
        to: ProcessId,
        /// What the receiver wants to do.
        state: StateId,
        /// How many messages more there are.
        more: usize,
        /// How the choreography comes round.
        cycle: Vec<Step>,
    },
}

impl Reason {
    /// Goes through the processes that do not fit, and where each is.
    fn each_standing(&mut self, mut look: impl FnMut(ProcessId, &mut StateId)) {
        match self {
            Reason::AbsentProcess { process, state }
            | Reason::NotEnabled { process, state, .. }
            | Reason::ItemNotEnabled { process, state, .. }
            | Reason::Overlooked { process, state, .. }
            | Reason::DecidesFirst { process, state, .. }
            | Reason::AcrossParts { process, state, .. }
            | Reason::Forgotten { process, state, .. }
            | Reason::GroupNotEnabled { process, state, .. }
            | Reason::RunsAhead { process, state, .. }
            | Reason::MessageLeft { message: Interaction { to: process, .. }, state, .. }
            | Reason::NeverTaken { message: Interaction { to: process, .. }, state, .. }
            | Reason::QueueGrows { to: process, state, .. }
            | Reason::Starved { process, state, .. } => look(*process, state),
            Reason::StopsEarly { running, .. } => running.iter_mut().for_each(|(process, state)| look(*process, state)),
            Reason::UnknownProcess { .. } | Reason::SharedProcess { .. } | Reason::GroupNotSupported { .. } => {}
        }
    }

    /// The processes that do not fit, and where each is.
    pub fn standing(&self) -> Vec<(ProcessId, StateId)> {
        let mut standing = Vec::new();
        self.clone().each_standing(|process, state| standing.push((process, *state)));
        standing
    }
}

impl Mismatch {
    /// The same on another form of the same network, such as the one that was minimised: where processes are is found
    /// again by following the run.
    #[must_use]
    pub fn on(mut self, network: &Network) -> Self {
        let mut configuration = Configuration::start(network);
        for &step in &self.run {
            configuration.take(network, step);
        }
        self.reason.each_standing(|process, state| {
            if let Some(&found) = configuration.states.get(process.index()) {
                *state = found;
            }
        });
        self
    }

    /// The diagnostic for the text of the choreography: what is wrong, where, and after which run.
    pub fn diagnostic(&self, network: &Network, choreography: &Choreography) -> Diagnostic {
        let start = choreography.starts.first().copied().unwrap_or(NodeId(0));
        let (node, label) = match &self.reason {
            Reason::NotEnabled { node, .. } => (*node, "not possible here"),
            Reason::StopsEarly { node, .. } => (*node, "some processes are still running here"),
            Reason::GroupNotSupported { node } => match choreography.node(*node) {
                Node::Group { .. } => (*node, "several interactions at once"),
                _ => (*node, "a message that waits"),
            },
            Reason::GroupNotEnabled { node, .. } => (*node, "not possible here"),
            Reason::RunsAhead { node, .. } => (*node, "somebody could run ahead"),
            Reason::MessageLeft { node, .. } => (*node, "a message is left here"),
            Reason::ItemNotEnabled { item, .. } => (*item, "not possible here"),
            Reason::Overlooked { node, .. } => (*node, "this is not all that can happen here"),
            Reason::DecidesFirst { node, .. } => (*node, "a decision can come first"),
            Reason::Forgotten { node: Some(node), .. } => (*node, "more can happen here"),
            Reason::Starved { .. } | Reason::Forgotten { .. } => (start, ""),
            Reason::NeverTaken { .. } | Reason::QueueGrows { .. } => (start, ""),
            Reason::UnknownProcess { process } => {
                let takes_part = |&node: &NodeId| concerns(choreography, node, *process);
                let nodes = (0..choreography.nodes.len() as u32).map(NodeId);
                let first = nodes.filter(takes_part).min_by_key(|&node| choreography.origin(node).start);
                (first.unwrap_or(start), "it takes part here")
            }
            Reason::SharedProcess { .. } | Reason::AbsentProcess { .. } | Reason::AcrossParts { .. } => {
                (start, "the choreography starts here")
            }
        };
        let mut diagnostic =
            Diagnostic::new(Code::Mismatch, choreography.origin(node), self.explain(network, choreography))
                .label(label);
        if self.run.len() > FEW_STEPS {
            let text = format!("the run of {} steps", self.run.len());
            diagnostic = diagnostic.note(Note::run(text, &self.run, |step| event(network, *step)));
        }
        let cycle = self.cycle();
        if cycle.len() > FEW_STEPS {
            let text = format!("the loop of {} steps", cycle.len());
            diagnostic = diagnostic.note(Note::run(text, cycle, |step| event(network, *step)));
        }
        match self.hint(network, choreography) {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }

    /// What can repeat forever after the run.
    pub fn cycle(&self) -> &[Step] {
        match &self.reason {
            Reason::Starved { cycle, .. } | Reason::Forgotten { cycle, .. } => cycle,
            Reason::NeverTaken { cycle, .. } | Reason::QueueGrows { cycle, .. } => cycle,
            _ => &[],
        }
    }

    /// Notes for the text of the network: where the processes that do not fit are.
    pub fn places(&self, network: &Network) -> Vec<Diagnostic> {
        let place = |process: ProcessId, state: StateId| {
            let message = format!("at that point, {}", wish(network, process, state));
            Diagnostic::new(Code::MismatchPlace, network.origin(state), message).label("here")
        };
        let standing = self.reason.standing().into_iter().take(MOST_LISTED);
        standing.map(|(process, state)| place(process, state)).collect()
    }

    /// The run, each step with its place in the text of the network, then what can repeat forever.
    pub fn steps(&self, network: &Network) -> Vec<Annotation> {
        let (steps, _) = follow(network, self.run.iter().chain(self.cycle()).copied());
        let again = |number: usize| if number < self.run.len() { "" } else { "repeats: " };
        let steps = steps.into_iter().enumerate();
        let annotation = |(number, (step, span)): (usize, (Step, Span))| Annotation {
            span,
            label: format!("{}{}", again(number), step.describe(network)),
        };
        steps.map(annotation).collect()
    }
}

/// Whether a process takes part in what a node does.
fn concerns(choreography: &Choreography, node: NodeId, process: ProcessId) -> bool {
    let takes_part = |one: &Interaction| one.from == process || one.to == process;
    match choreography.node(node) {
        Node::Stop => false,
        Node::Interaction { interaction, .. } => takes_part(&interaction),
        Node::Group { members, .. } => members.of(&choreography.members).iter().any(takes_part),
        Node::Put { interaction, .. } => takes_part(&interaction),
        Node::Take { from, to, .. } => from == process || to == process,
        Node::If { process: decides, .. } | Node::Choose { process: decides, .. } => decides == process,
        Node::Any { .. } => false,
    }
}
