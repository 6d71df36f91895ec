//! Why a choreography does not describe a network, as data and in words.

use super::obstacle::Obstacle;
use crate::choreography::{Choreography, Node, NodeId};
use crate::diagnostic::{Annotation, Code, Diagnostic, FEW_STEPS, Note, quote};
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
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
    /// The choreography goes on with several interactions at once, which needs asynchrony.
    GroupNotSupported {
        /// Where.
        node: NodeId,
    },
}

/// A list is cut after this many entries.
const MOST_LISTED: usize = 4;

impl Mismatch {
    /// The mismatch in one sentence, without a full stop.
    pub fn explain(&self, network: &Network, choreography: &Choreography) -> String {
        match &self.reason {
            Reason::UnknownProcess { process } => {
                let name = quote(choreography.process_name(*process));
                format!("the choreography has a process {name}, which is not in the network")
            }
            Reason::SharedProcess { process } => {
                let name = quote(network.process_name(*process));
                format!("{name} takes part in two parallel parts of the choreography")
            }
            Reason::AbsentProcess { process, state } => {
                let wish = wish(network, *process, *state);
                format!("{wish}, but is not in the choreography")
            }
            Reason::NotEnabled { node, process, state, obstacle } => {
                let goes_on = self.goes_on(network, "goes on with", "starts with");
                let action = action(choreography, *node);
                format!("{goes_on} {action}, but {}", contrast(network, *process, *state, *obstacle))
            }
            Reason::ItemNotEnabled { item, process, state, obstacle, .. } => {
                let lists = self.goes_on(network, "lists", "starts with an `any` that lists");
                let item = action(choreography, *item);
                let race = if self.run.is_empty() { "" } else { " in an `any`" };
                format!("{lists} {item}{race}, but {}", contrast(network, *process, *state, *obstacle))
            }
            Reason::Overlooked { node, missing, .. } => {
                let goes_on = self.goes_on(network, "goes on with", "starts with");
                let missing = missing.iter().map(|step| format!("`{}`", step.describe(network))).collect();
                format!("{goes_on} {}, but {} could come first", action(choreography, *node), list(missing, "or"))
            }
            Reason::DecidesFirst { node, process, state } => {
                let goes_on = self.goes_on(network, "goes on with", "starts with");
                let name = quote(network.process_name(*process));
                let decides = match network.state(*state) {
                    State::If { condition, .. } => format!("decide {}", quote(network.names.text(condition))),
                    _ => "choose".to_string(),
                };
                let action = action(choreography, *node);
                format!("{goes_on} {action}, but {name} may {decides} first and then take part")
            }
            Reason::AcrossParts { process, state, other } => {
                let after = match self.run.as_slice() {
                    [] => "at the start".to_string(),
                    run => format!("after {}", sequence(network, run)),
                };
                let [name, other] = [process, other].map(|process| quote(network.process_name(*process)));
                let wish = wish(network, *process, *state);
                format!("{after}, {wish}, but {other} takes part in another part of the choreography than {name}")
            }
            Reason::Forgotten { process, step, cycle, .. } => {
                let goes_on = match cycle.as_slice() {
                    [] => format!("{}, but", self.goes_on(network, "stops", "stops at once")),
                    cycle => {
                        let repeats = self.goes_on(network, "can repeat", "can repeat");
                        format!("{repeats} {} forever although", sequence(network, cycle))
                    }
                };
                let possible = match *step {
                    Step::Interaction(_) => format!("`{}` can happen", step.describe(network)),
                    Step::Decision { process, condition, .. } => {
                        format!("`{}` can decide `{}`", network.process_name(process), network.names.text(condition))
                    }
                    Step::Choice { process, .. } => format!("`{}` can choose", network.process_name(process)),
                };
                match step.actors().any(|actor| actor == *process) {
                    true => format!("{goes_on} {possible}"),
                    false => {
                        let name = quote(network.process_name(*process));
                        format!("{goes_on} {possible}, which {name} may be waiting for")
                    }
                }
            }
            Reason::StopsEarly { running, .. } => {
                let stops = self.goes_on(network, "stops", "stops at once");
                let wishes = running.iter().map(|&(process, state)| wish(network, process, state));
                format!("{stops}, but {}", list(wishes.collect(), "and"))
            }
            Reason::Starved { process, state, cycle } => {
                let goes_on = self.goes_on(network, "can repeat", "can repeat");
                let wish = wish(network, *process, *state);
                format!("{goes_on} {} forever while {wish}", sequence(network, cycle))
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
            | Reason::ItemNotEnabled { process, state, .. }
            | Reason::Overlooked { process, state, .. }
            | Reason::DecidesFirst { process, state, .. }
            | Reason::AcrossParts { process, state, .. }
            | Reason::Forgotten { process, state, .. }
            | Reason::Starved { process, state, .. } => find(*process, state),
            Reason::StopsEarly { running, .. } => running.iter_mut().for_each(|(process, state)| find(*process, state)),
            Reason::UnknownProcess { .. } | Reason::SharedProcess { .. } | Reason::GroupNotSupported { .. } => {}
        }
        self
    }

    /// The diagnostic for the text of the choreography: what is wrong, where, and after which run.
    pub fn diagnostic(&self, network: &Network, choreography: &Choreography) -> Diagnostic {
        let start = choreography.starts.first().copied().unwrap_or(NodeId(0));
        let (node, label) = match &self.reason {
            Reason::NotEnabled { node, .. } => (*node, "not possible here"),
            Reason::StopsEarly { node, .. } => (*node, "some processes are still running here"),
            Reason::GroupNotSupported { node } => (*node, "several interactions at once"),
            Reason::ItemNotEnabled { item, .. } => (*item, "not possible here"),
            Reason::Overlooked { node, .. } => (*node, "this is not all that can happen here"),
            Reason::DecidesFirst { node, .. } => (*node, "a decision can come first"),
            Reason::Forgotten { node: Some(node), .. } => (*node, "more can happen here"),
            Reason::Starved { .. } | Reason::Forgotten { .. } => (start, ""),
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
            diagnostic = diagnostic.note(Note::run(text, &self.run, |step| step.describe(network).to_string()));
        }
        let cycle = self.cycle();
        if cycle.len() > FEW_STEPS {
            let text = format!("the loop of {} steps", cycle.len());
            diagnostic = diagnostic.note(Note::run(text, cycle, |step| step.describe(network).to_string()));
        }
        match self.hint(network, choreography) {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }

    /// What would help, if it is known.
    fn hint(&self, network: &Network, choreography: &Choreography) -> Option<String> {
        match &self.reason {
            Reason::Starved { process, .. } => {
                let name = network.process_name(*process);
                Some(format!(
                    "if `{name}` may wait forever, make it a service: `service {name} {{ … }}` or `--service {name}`"
                ))
            }
            Reason::NotEnabled { obstacle: Obstacle::OtherCondition, .. } => {
                Some("only the name of the condition differs: `--conditions any` ignores it".to_string())
            }
            Reason::Overlooked { node, missing, .. } => {
                let missing: Vec<String> =
                    missing.iter().take(MOST_LISTED).map(|step| format!("{}; …", step.describe(network))).collect();
                Some(match choreography.node(*node) {
                    Node::Any { .. } => format!("add what else can happen to the `any`: `{}`", missing.join(", ")),
                    _ => {
                        let first = action(choreography, *node).replace('`', "");
                        format!("write an `any` with all of them: `any {{ {first}; …, {} }}`", missing.join(", "))
                    }
                })
            }
            Reason::DecidesFirst { process, .. } => {
                let name = network.process_name(*process);
                Some(format!("put the decision of `{name}` before it; what happens then may differ"))
            }
            Reason::AcrossParts { .. } => Some("write the two parts as one, without `||`".to_string()),
            _ => None,
        }
    }

    /// What can repeat forever after the run.
    fn cycle(&self) -> &[Step] {
        match &self.reason {
            Reason::Starved { cycle, .. } | Reason::Forgotten { cycle, .. } => cycle,
            _ => &[],
        }
    }

    /// Notes for the text of the network: where the processes that do not fit are.
    pub fn places(&self, network: &Network) -> Vec<Diagnostic> {
        let place = |process: ProcessId, state: StateId| {
            let message = format!("at that point, {}", wish(network, process, state));
            Diagnostic::new(Code::MismatchPlace, network.origin(state), message).label("here")
        };
        match &self.reason {
            Reason::AbsentProcess { process, state }
            | Reason::NotEnabled { process, state, .. }
            | Reason::ItemNotEnabled { process, state, .. }
            | Reason::Overlooked { process, state, .. }
            | Reason::DecidesFirst { process, state, .. }
            | Reason::AcrossParts { process, state, .. }
            | Reason::Forgotten { process, state, .. }
            | Reason::Starved { process, state, .. } => vec![place(*process, *state)],
            Reason::StopsEarly { running, .. } => {
                running.iter().take(MOST_LISTED).map(|&(process, state)| place(process, state)).collect()
            }
            Reason::UnknownProcess { .. } | Reason::SharedProcess { .. } | Reason::GroupNotSupported { .. } => {
                Vec::new()
            }
        }
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

    fn goes_on(&self, network: &Network, after: &str, at_once: &str) -> String {
        match self.run.as_slice() {
            [] => format!("the choreography {at_once}"),
            run => format!("after {}, the choreography {after}", sequence(network, run)),
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
        Node::If { process: decides, .. } | Node::Choose { process: decides, .. } => decides == process,
        Node::Any { .. } => false,
    }
}

/// A few steps one after the other, or how many there are and the last one; a note has them all.
fn sequence(network: &Network, steps: &[Step]) -> String {
    let step = |step: &Step| format!("`{}`", step.describe(network));
    match steps {
        [.., last] if steps.len() > FEW_STEPS => format!("{} steps up to {}", steps.len(), step(last)),
        _ => steps.iter().map(step).collect::<Vec<_>>().join(", "),
    }
}

/// What a node of a choreography does, as written.
fn action(choreography: &Choreography, node: NodeId) -> String {
    let name = |process| choreography.process_name(process);
    let interaction = |interaction: Interaction| {
        let Interaction { from, to, content } = interaction;
        match content {
            Content::Value(value) => format!("{}.{} -> {}", name(from), choreography.names.text(value), name(to)),
            Content::Label(label) => format!("{} -> {}[{}]", name(from), name(to), choreography.names.text(label)),
            Content::LabelledValue { label, value } => {
                let text = |symbol| choreography.names.text(symbol);
                format!("{}.{} -> {}[{}]", name(from), text(value), name(to), text(label))
            }
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
        Node::Choose { process, .. } => format!("`choose {}`", name(process)),
        Node::Any { items } => {
            let items = choreography.arms(items);
            let shown = if items.len() > MOST_LISTED { MOST_LISTED - 1 } else { items.len() };
            let mut texts: Vec<String> = Vec::new();
            for &item in &items[..shown] {
                match choreography.node(item) {
                    Node::Interaction { interaction: one, .. } => texts.push(interaction(one)),
                    Node::If { process, condition, .. } => {
                        texts.push(format!("if {}.{}", name(process), choreography.names.text(condition)));
                    }
                    Node::Choose { process, .. } => texts.push(format!("choose {}", name(process))),
                    _ => {}
                }
            }
            if shown < items.len() {
                texts.push("…".to_string());
            }
            format!("`any {{ {} }}`", texts.join(", "))
        }
    }
}

/// What a process wants to do in place of what the choreography goes on with, as a clause.
fn contrast(network: &Network, process: ProcessId, state: StateId, obstacle: Obstacle) -> String {
    match (obstacle, network.state(state)) {
        (Obstacle::NotOffered, State::Offer { from, branches }) => {
            let labels = branches.of(&network.branches).iter();
            let labels = labels.map(|branch| quote(network.names.text(branch.label)));
            let [name, partner] = [process, from].map(|process| quote(network.process_name(process)));
            format!("{name} offers {partner} only {}", list(labels.collect(), "and"))
        }
        (Obstacle::OtherArms, State::Choose { arms }) => {
            format!("{} has to choose one of {}", quote(network.process_name(process)), arms.len())
        }
        _ => wish(network, process, state),
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
        State::If { condition, .. } => format!("{process} has to decide {}", text(condition)),
        State::SelectValue { to, label, expression, .. } => {
            format!("{process} wants to select {} at {}, with {}", text(label), name(to), text(expression))
        }
        State::Choose { .. } => format!("{process} has to choose"),
        state @ State::Any { .. } => format!("{process} waits in {}", quote(&state.describe(network).to_string())),
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
