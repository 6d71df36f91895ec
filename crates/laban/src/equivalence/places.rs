//! Where two systems differ, in their texts.
//!
//! A difference has names and numbers of its own, shared by both systems. This module follows its run in one of the
//! two networks (for a choreography, its projection, which remembers where it comes from), so that messages about the
//! difference can point at a line.

use super::conditions::with_condition;
use super::difference::{Contrast, Difference, Side};
use crate::diagnostic::{Annotation, Code, Diagnostic, quote};
use crate::network::{Content, Interaction, Network, ProcessId, State};
use crate::semantics::{Configuration, Step};
use crate::syntax::{Span, Symbol};

impl Difference {
    /// The diagnostics for the texts of the first and the second system, which are called by the given names: the
    /// difference points into the second, and notes say where the processes of the first are. Each system has the
    /// network that stands for it, if there is one; without a network there are no places to point at.
    pub fn diagnostics(&self, networks: [Option<&Network>; 2], called: [&str; 2]) -> [Vec<Diagnostic>; 2] {
        let [first, second] = called;
        let [mut here, mut there] =
            [(networks[0], Side::First), (networks[1], Side::Second)].map(|(network, side)| match network {
                Some(network) => self.places(network, side),
                None => Vec::new(),
            });
        let message = format!("{first} and {second} differ: {}", self.summary(first, second));
        let primary = match there.is_empty() {
            true => Annotation { span: Span::default(), label: String::new() },
            false => there.remove(0),
        };
        let mut difference = Diagnostic::new(Code::Difference, primary.span, message).label(primary.label);
        difference.secondary = there;
        difference.notes.extend(self.note());
        let note = |place: Annotation| {
            let message = format!("at that point in {first}, {}", place.label);
            Diagnostic::new(Code::DifferencePlace, place.span, message).label("here")
        };
        [here.drain(..).map(note).collect(), vec![difference]]
    }

    /// The run in one of the networks: each step with its place in the text.
    pub fn steps(&self, network: &Network) -> Vec<Annotation> {
        let (steps, _) = self.follow(network);
        steps.into_iter().map(|(step, span)| Annotation { span, label: step.describe(network).to_string() }).collect()
    }

    /// Where the processes that the difference is about are after the run, and what they do there.
    fn places(&self, network: &Network, side: Side) -> Vec<Annotation> {
        let (steps, configuration) = self.follow(network);
        let processes: Vec<ProcessId> = match &self.reason {
            Contrast::Step { step, .. } => step.actors().collect(),
            Contrast::Ends { stuck, .. } => vec![stuck.process],
            Contrast::Service { process, .. } => vec![*process],
        };
        let place = |process: ProcessId| {
            let name = self.process_name(process);
            let found = network.process_named(name)?;
            let declared = network.processes.get(found.index())?.span;
            let (span, label) = match &self.reason {
                Contrast::Service { side: is, .. } if *is == side => {
                    (declared, format!("{} is a service", quote(name)))
                }
                Contrast::Service { .. } => (declared, format!("{} is not a service", quote(name))),
                _ => {
                    let state = *configuration.states.get(found.index())?;
                    (network.origin(state), doing(network, found, &configuration))
                }
            };
            // Where a projection stops is nowhere in the text, but the step before it is.
            match (span == Span::default(), steps.last()) {
                (false, _) => Some(Annotation { span, label }),
                (true, Some(&(_, span))) => Some(Annotation { span, label: format!("after this, {label}") }),
                (true, None) => Some(Annotation { span: declared, label }),
            }
        };
        processes.into_iter().filter_map(place).collect()
    }

    fn follow(&self, network: &Network) -> (Vec<(Step, Span)>, Configuration) {
        let mut process_of: Vec<Option<ProcessId>> = vec![None; network.names.len()];
        for (number, process) in network.processes.iter().enumerate() {
            if let Some(entry) = process_of.get_mut(process.name.index()) {
                *entry = Some(ProcessId(number as u32));
            }
        }
        let symbol = |symbol: Symbol| network.names.find(self.names.text(symbol));
        let process = |process: ProcessId| {
            let name = network.names.find(self.process_name(process))?;
            process_of.get(name.index()).copied().flatten()
        };
        let interaction = |Interaction { from, to, content }: Interaction| {
            let content = match content {
                Content::Value(value) => Content::Value(symbol(value)?),
                Content::Label(label) => Content::Label(symbol(label)?),
                Content::LabelledValue { label, value } => {
                    Content::LabelledValue { label: symbol(label)?, value: symbol(value)? }
                }
            };
            Some(Interaction { from: process(from)?, to: process(to)?, content })
        };
        let there = |step: Step, at: &Configuration| match step {
            Step::Interaction(one) => interaction(one).map(Step::Interaction),
            Step::Put(one) => interaction(one).map(Step::Put),
            Step::Take(one) => interaction(one).map(Step::Take),
            // Whether the texts of conditions matter or not, both decide here; this network may call it otherwise.
            Step::Decision { process: who, condition, holds } => {
                let step = Step::Decision { process: process(who)?, condition, holds };
                Some(with_condition(step, network, at))
            }
            Step::Choice { process: who, arm } => Some(Step::Choice { process: process(who)?, arm }),
        };
        let mut configuration = Configuration::start(network);
        let mut steps = Vec::new();
        for &step in &self.run {
            let Some(step) = there(step, &configuration) else { break };
            let state = configuration.at(network, step.initiator());
            if !configuration.take(network, step) {
                break;
            }
            steps.push((step, network.origin(state)));
        }
        (steps, configuration)
    }
}

/// What a process is about to do, as a clause.
fn doing(network: &Network, process: ProcessId, configuration: &Configuration) -> String {
    let (name, text) = (|process| quote(network.process_name(process)), |symbol| quote(network.names.text(symbol)));
    let who = name(process);
    match configuration.state(network, process) {
        State::Stop => format!("{who} has stopped"),
        State::Send { to, expression, .. } => format!("{who} sends {} to {}", text(expression), name(to)),
        State::Receive { from, .. } => format!("{who} waits for a value from {}", name(from)),
        State::Select { to, label, .. } => format!("{who} selects {} at {}", text(label), name(to)),
        State::Offer { from, branches } => {
            let labels: Vec<String> = branches.of(&network.branches).iter().map(|branch| text(branch.label)).collect();
            format!("{who} waits for the label {} from {}", labels.join(" or "), name(from))
        }
        State::If { condition, .. } => format!("{who} decides {}", text(condition)),
        State::SelectValue { to, label, expression, .. } => {
            format!("{who} selects {} at {}, with {}", text(label), name(to), text(expression))
        }
        State::Choose { arms } => format!("{who} chooses one of {} items", arms.len()),
        state @ State::Any { .. } => {
            format!("{who} does whichever comes first of {}", quote(&state.describe(network).to_string()))
        }
    }
}
