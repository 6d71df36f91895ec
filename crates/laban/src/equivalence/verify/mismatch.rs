//! Why a choreography does not describe a network, as data and in words.

use crate::choreography::{Choreography, Node, NodeId};
use crate::diagnostic::{Annotation, Code, Diagnostic, quote};
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
use crate::semantics::{Configuration, Step, follow};
use crate::syntax::Span;

/// A run on which a choreography and a network part, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What the network does from its start, following the choreography, until they part. Empty if something is wrong
    /// with the choreography as a whole.
    pub run: Vec<Step>,
    /// What is wrong then.
    pub reason: Reason,
}

/// What is wrong with a choreography at the end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The choreography has a process that the network has not.
    UnknownProcess {
        /// Which process of the choreography.
        process: ProcessId,
    },
    /// A process takes part in two parallel parts of the choreography.
    SharedProcess {
        /// Which process of the network.
        process: ProcessId,
    },
    /// A process of the network has something to do, is no service, and does not occur in the choreography.
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
    /// The choreography stops, and somebody who is no service has not.
    StopsEarly {
        /// Where the choreography stops.
        node: NodeId,
        /// Who still runs, and what they want to do.
        running: Vec<(ProcessId, StateId)>,
    },
    /// The choreography may go on for ever without a process that still runs and is no service.
    Starved {
        /// Who.
        process: ProcessId,
        /// What it wants to do.
        state: StateId,
        /// What may happen again and again after the run.
        cycle: Vec<Step>,
    },
    /// The choreography goes on with several interactions at once, which needs asynchrony.
    GroupNotSupported {
        /// Where.
        node: NodeId,
    },
}

/// How what a process wants to do differs from what the choreography goes on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obstacle {
    /// It has stopped.
    Stopped,
    /// It wants to do something of another kind, or with another process.
    OtherAction,
    /// It sends to the right process, but another value.
    OtherValue,
    /// It selects a label at the right process, but another one.
    OtherLabel,
    /// It decides, but on another condition.
    OtherCondition,
    /// It offers labels to the right process, but not this one.
    NotOffered,
}

/// A list is cut after this many entries.
const MOST_LISTED: usize = 4;

impl Mismatch {
    /// The mismatch in one sentence, without a full stop.
    pub fn explain(&self, network: &Network, choreography: &Choreography) -> String {
        match &self.reason {
            Reason::UnknownProcess { process } => {
                let name = quote(choreography.process_name(*process));
                format!("the choreography has a process {name}, but the network has none of that name")
            }
            Reason::SharedProcess { process } => {
                let name = quote(network.process_name(*process));
                format!("{name} takes part in two parallel parts of the choreography")
            }
            Reason::AbsentProcess { process, state } => {
                let wish = wish(network, *process, *state);
                format!("{wish}, but does not occur in the choreography")
            }
            Reason::NotEnabled { node, process, state, obstacle } => {
                let goes_on = self.goes_on(network, "goes on with", "starts with");
                let action = action(choreography, *node);
                let wish = match (obstacle, network.state(*state)) {
                    (Obstacle::NotOffered, State::Offer { from, branches }) => {
                        let labels = branches.of(&network.branches).iter();
                        let labels = labels.map(|branch| quote(network.names.text(branch.label)));
                        let [name, partner] = [*process, from].map(|process| quote(network.process_name(process)));
                        format!("{name} offers {partner} only {}", list(labels.collect(), "and"))
                    }
                    _ => wish(network, *process, *state),
                };
                format!("{goes_on} {action}, but {wish}")
            }
            Reason::StopsEarly { running, .. } => {
                let stops = self.goes_on(network, "stops", "stops at once");
                let wishes = running.iter().map(|&(process, state)| wish(network, process, state));
                format!("{stops}, but {}", list(wishes.collect(), "and"))
            }
            Reason::Starved { process, state, cycle } => {
                let goes_on = self.goes_on(network, "may repeat", "may repeat");
                let wish = wish(network, *process, *state);
                format!("{goes_on} {} for ever, while {wish}", sequence(network, cycle))
            }
            Reason::GroupNotSupported { node } => {
                let goes_on = self.goes_on(network, "goes on with", "starts with");
                let action = action(choreography, *node);
                format!("{goes_on} {action}, several interactions at once, which needs asynchronous communication")
            }
        }
    }

    /// The same on another form of the same network, such as the one that was minimised: where processes are is found
    /// again by following the run.
    #[must_use]
    pub fn on(mut self, network: &Network) -> Self {
        let mut configuration = Configuration::start(network);
        for &step in &self.run {
            configuration.take(network, step);
        }
        let find = |process: ProcessId, state: &mut StateId| {
            if let Some(&found) = configuration.states.get(process.index()) {
                *state = found;
            }
        };
        match &mut self.reason {
            Reason::AbsentProcess { process, state }
            | Reason::NotEnabled { process, state, .. }
            | Reason::Starved { process, state, .. } => find(*process, state),
            Reason::StopsEarly { running, .. } => running.iter_mut().for_each(|(process, state)| find(*process, state)),
            Reason::UnknownProcess { .. } | Reason::SharedProcess { .. } | Reason::GroupNotSupported { .. } => {}
        }
        self
    }

    /// What to say about the text of the choreography: what is wrong, where, and after which run.
    pub fn diagnostic(&self, network: &Network, choreography: &Choreography) -> Diagnostic {
        let start = choreography.starts.first().copied().unwrap_or(NodeId(0));
        let (node, label) = match &self.reason {
            Reason::NotEnabled { node, .. } => (*node, "this is not possible here"),
            Reason::StopsEarly { node, .. } => (*node, "not all have stopped here"),
            Reason::GroupNotSupported { node } => (*node, "several interactions at once"),
            Reason::Starved { .. } => (start, ""),
            Reason::UnknownProcess { process } => {
                let takes_part = |&node: &NodeId| concerns(choreography, node, *process);
                let nodes = (0..choreography.nodes.len() as u32).map(NodeId);
                let first = nodes.filter(takes_part).min_by_key(|&node| choreography.origin(node).start);
                (first.unwrap_or(start), "it takes part here")
            }
            Reason::SharedProcess { .. } | Reason::AbsentProcess { .. } => (start, "the choreography starts here"),
        };
        let mut diagnostic =
            Diagnostic::new(Code::Mismatch, choreography.origin(node), self.explain(network, choreography))
                .label(label);
        if self.run.len() > MOST_LISTED {
            diagnostic =
                diagnostic.note(format!("the run, {} steps: {}", self.run.len(), shortened(network, &self.run)));
        }
        if let Reason::Starved { process, .. } = &self.reason {
            let name = network.process_name(*process);
            diagnostic = diagnostic.hint(format!(
                "declare `{name}` a service if it may wait for ever: `service {name} {{ … }}` or `--service {name}`"
            ));
        }
        diagnostic
    }

    /// What to say about the text of the network: where the processes are that do not fit.
    pub fn places(&self, network: &Network) -> Vec<Diagnostic> {
        let place = |process: ProcessId, state: StateId| {
            let message = format!("{} at that point", wish(network, process, state));
            Diagnostic::new(Code::MismatchPlace, network.origin(state), message).label("it is here")
        };
        match &self.reason {
            Reason::AbsentProcess { process, state }
            | Reason::NotEnabled { process, state, .. }
            | Reason::Starved { process, state, .. } => vec![place(*process, *state)],
            Reason::StopsEarly { running, .. } => {
                running.iter().take(MOST_LISTED).map(|&(process, state)| place(process, state)).collect()
            }
            Reason::UnknownProcess { .. } | Reason::SharedProcess { .. } | Reason::GroupNotSupported { .. } => {
                Vec::new()
            }
        }
    }

    /// The run, each step with its place in the text of the network, and after it what may be repeated for ever.
    pub fn steps(&self, network: &Network) -> Vec<Annotation> {
        let cycle: &[Step] = match &self.reason {
            Reason::Starved { cycle, .. } => cycle,
            _ => &[],
        };
        let (steps, _) = follow(network, self.run.iter().chain(cycle).copied());
        let again = |number: usize| if number < self.run.len() { "" } else { "again and again: " };
        let steps = steps.into_iter().enumerate();
        let annotation = |(number, (step, span)): (usize, (Step, Span))| Annotation {
            span,
            label: format!("{}{}", again(number), step.describe(network)),
        };
        steps.map(annotation).collect()
    }

    fn goes_on(&self, network: &Network, after: &str, at_once: &str) -> String {
        match self.run.as_slice() {
            [] => format!("the choreography {at_once}"),
            run => format!("after {} the choreography {after}", sequence(network, run)),
        }
    }
}

/// Whether a process takes part in what a node does.
fn concerns(choreography: &Choreography, node: NodeId, process: ProcessId) -> bool {
    let takes_part = |one: &Interaction| one.from == process || one.to == process;
    match choreography.node(node) {
        Node::Stop => false,
        Node::Interaction { interaction, .. } => takes_part(&interaction),
        Node::Group { members, .. } => members.of(&choreography.members).iter().any(takes_part),
        Node::If { process: decides, .. } => decides == process,
    }
}

/// What happens one after the other, or the last of it if it is long.
fn sequence(network: &Network, steps: &[Step]) -> String {
    match steps {
        [.., last] if steps.len() > MOST_LISTED => format!("{} steps up to {}", steps.len(), step(network, *last)),
        _ => steps.iter().map(|&one| step(network, one)).collect::<Vec<_>>().join(", "),
    }
}

/// The beginning and the end of a long run.
fn shortened(network: &Network, run: &[Step]) -> String {
    const SHOWN: usize = 6;
    let words = |steps: &[Step]| steps.iter().map(|&one| step(network, one)).collect::<Vec<_>>().join(", ");
    match run.len() > 2 * SHOWN {
        true => {
            let skipped = run.len() - 2 * SHOWN;
            format!("{}, … ({skipped} more) …, {}", words(&run[..SHOWN]), words(&run[run.len() - SHOWN..]))
        }
        false => words(run),
    }
}

fn step(network: &Network, step: Step) -> String {
    let name = |process| network.process_name(process);
    match step {
        Step::Interaction(Interaction { from, to, content: Content::Value(expression) }) => {
            format!("`{}.{} -> {}`", name(from), network.names.text(expression), name(to))
        }
        Step::Interaction(Interaction { from, to, content: Content::Label(label) }) => {
            format!("`{} -> {}[{}]`", name(from), name(to), network.names.text(label))
        }
        Step::Decision { process, condition, holds } => {
            let outcome = if holds { "then" } else { "else" };
            format!("`if {}.{}` ({outcome})", name(process), network.names.text(condition))
        }
    }
}

/// What a node of a choreography does, as it is written.
fn action(choreography: &Choreography, node: NodeId) -> String {
    let name = |process| choreography.process_name(process);
    let interaction = |interaction: Interaction| {
        let Interaction { from, to, content } = interaction;
        match content {
            Content::Value(value) => format!("{}.{} -> {}", name(from), choreography.names.text(value), name(to)),
            Content::Label(label) => format!("{} -> {}[{}]", name(from), name(to), choreography.names.text(label)),
        }
    };
    match choreography.node(node) {
        Node::Stop => "`stop`".to_string(),
        Node::Interaction { interaction: one, .. } => format!("`{}`", interaction(one)),
        Node::Group { members, .. } => {
            let members: Vec<String> =
                members.of(&choreography.members).iter().map(|&member| interaction(member)).collect();
            format!("`({})`", members.join(", "))
        }
        Node::If { process, condition, .. } => {
            format!("`if {}.{}`", name(process), choreography.names.text(condition))
        }
    }
}

/// What a process wants to do, as a clause.
fn wish(network: &Network, process: ProcessId, state: StateId) -> String {
    let process = quote(network.process_name(process));
    let (name, text) = (|process| quote(network.process_name(process)), |symbol| quote(network.names.text(symbol)));
    match network.state(state) {
        State::Stop => format!("{process} has stopped"),
        State::Send { to, expression, .. } => format!("{process} wants to send {} to {}", text(expression), name(to)),
        State::Receive { from, .. } => format!("{process} waits for a value from {}", name(from)),
        State::Select { to, label, .. } => format!("{process} wants to select {} at {}", text(label), name(to)),
        State::Offer { from, .. } => format!("{process} waits for a label from {}", name(from)),
        State::If { condition, .. } => format!("{process} is to decide {}", text(condition)),
    }
}

/// "a, b and c", cut if it is long.
fn list(mut entries: Vec<String>, and: &str) -> String {
    if entries.len() > MOST_LISTED {
        let others = entries.len() - MOST_LISTED + 1;
        entries.truncate(MOST_LISTED - 1);
        entries.push(format!("{others} more"));
    }
    match entries.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}
