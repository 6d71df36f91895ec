//! What is wrong with a choreography, in sentences, and what would help.

use super::mismatch::{Mismatch, Reason};
use super::obstacle::Obstacle;
use crate::choreography::{Choreography, Node, NodeId};
use crate::diagnostic::{FEW_STEPS, quote};
use crate::network::{Interaction, Network, ProcessId, State, StateId};
use crate::semantics::Step;

/// A list is cut after this many entries.
pub(super) const MOST_LISTED: usize = 4;

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
                    Step::Interaction(_) | Step::Put(_) | Step::Take(_) => {
                        format!("`{}` can happen", step.describe(network))
                    }
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

    /// What would help, if it is known.
    pub(super) fn hint(&self, network: &Network, choreography: &Choreography) -> Option<String> {
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

    fn goes_on(&self, network: &Network, after: &str, at_once: &str) -> String {
        match self.run.as_slice() {
            [] => format!("the choreography {at_once}"),
            run => format!("after {}, the choreography {after}", sequence(network, run)),
        }
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
    let message = |Interaction { from, to, content }: Interaction, arrow: &str| {
        let value = content.value().map(|value| format!(".{}", choreography.names.text(value))).unwrap_or_default();
        let label = content.label().map(|label| format!("[{}]", choreography.names.text(label))).unwrap_or_default();
        format!("{}{value} {arrow} {}{label}", name(from), name(to))
    };
    let interaction = |interaction: Interaction| message(interaction, "->");
    match choreography.node(node) {
        Node::Stop => "`stop`".to_string(),
        Node::Interaction { interaction: one, .. } => format!("`{}`", interaction(one)),
        Node::Put { interaction: one, .. } => format!("`{}`", message(one, "~>")),
        Node::Take { from, to, .. } => format!("`{} <~ {}`", name(to), name(from)),
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
                    Node::Put { interaction: one, .. } => texts.push(message(one, "~>")),
                    Node::Take { from, to, .. } => texts.push(format!("{} <~ {}", name(to), name(from))),
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
pub(super) fn wish(network: &Network, process: ProcessId, state: StateId) -> String {
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
