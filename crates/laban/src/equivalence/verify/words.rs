//! What is wrong with a choreography, in sentences, and what would help.

use super::mismatch::{Mismatch, Reason};
use super::notation::{action, event, half, member_event, sequence};
use super::obstacle::Obstacle;
use crate::choreography::{Choreography, Node};
use crate::diagnostic::quote;
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
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
                let missing = missing.iter().map(|step| format!("`{}`", event(network, *step))).collect();
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
                        format!("`{}` can happen", event(network, *step))
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
                let what = match choreography.node(*node) {
                    Node::Group { .. } => "several interactions at once",
                    _ => "a message that waits",
                };
                let action = action(choreography, *node);
                format!("{goes_on} {action}, {what}, which needs asynchronous communication")
            }
            Reason::GroupNotEnabled { node, member, takes, process, state, obstacle } => {
                let goes_on = self.goes_on(network, "goes on with", "starts with");
                let event = member_event(choreography, *node, *member, *takes);
                let group = action(choreography, *node);
                let but = contrast(network, *process, *state, *obstacle);
                format!("{goes_on} `{event}`, a part of {group}, but {but}")
            }
            Reason::RunsAhead { node, process, .. } => {
                let goes_on = self.goes_on(network, "goes on with", "starts with");
                let (action, name) = (action(choreography, *node), quote(network.process_name(*process)));
                let first = "with a queue, what it does next may come first";
                format!("{goes_on} {action}, but {name} could go on meanwhile: {first}")
            }
            Reason::MessageLeft { message, state, .. } => {
                let stops = self.goes_on(network, "stops", "stops at once");
                format!("{stops}, but {}: {}", lies(network, *message, "is still"), wish(network, message.to, *state))
            }
            Reason::NeverTaken { message, state, cycle } => {
                let goes_on = self.goes_on(network, "can repeat", "can repeat");
                let (cycle, lies) = (sequence(network, cycle), lies(network, *message, "stays"));
                format!("{goes_on} {cycle} forever while {lies}: {}", wish(network, message.to, *state))
            }
            Reason::QueueGrows { from, to, more, cycle, .. } => {
                let goes_on = self.goes_on(network, "can repeat", "can repeat");
                let [from, to] = [from, to].map(|process| quote(network.process_name(*process)));
                let more =
                    if *more == 1 { "one more message is".to_string() } else { format!("{more} more messages are") };
                format!(
                    "{goes_on} {}, and each time {more} left in the queue from {from} to {to}",
                    sequence(network, cycle)
                )
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
                    missing.iter().take(MOST_LISTED).map(|step| format!("{}; …", event(network, *step))).collect();
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
            Reason::RunsAhead { process, state, .. } => {
                let (to, content) = match network.state(*state) {
                    State::Send { to, expression, .. } => (to, Content::Value(expression)),
                    State::Select { to, label, .. } => (to, Content::Label(label)),
                    State::SelectValue { to, label, expression, .. } => {
                        (to, Content::LabelledValue { label, value: expression })
                    }
                    _ => return None,
                };
                let message = Interaction { from: *process, to, content };
                let [put, take] = [Step::Put(message), Step::Take(message)].map(|step| event(network, step));
                Some(format!("put its message before, `{put}`, and list where it is taken: `{take}`"))
            }
            Reason::QueueGrows { .. } => {
                Some("what comes round must take as many messages from each queue as it puts there".to_string())
            }
            Reason::GroupNotSupported { .. } => Some(
                "`channels queue;` at the top of the network, or `--channels queue`, lets messages wait".to_string(),
            ),
            Reason::NotEnabled { obstacle: Obstacle::NoQueue { from, to }, .. }
            | Reason::ItemNotEnabled { obstacle: Obstacle::NoQueue { from, to }, .. }
            | Reason::GroupNotEnabled { obstacle: Obstacle::NoQueue { from, to }, .. } => {
                let [from, to] = [from, to].map(|process| network.process_name(*process));
                Some(format!("`channels {from} -> {to} queue;` at the top of the network lets messages wait"))
            }
            Reason::NotEnabled { node, obstacle: Obstacle::QueueNotEmpty { .. }, .. } => {
                let Node::Interaction { interaction, .. } = choreography.node(*node) else { return None };
                let [put, take] = [false, true].map(|takes| half(choreography, interaction, takes));
                Some(format!("`->` hands a message over at once; this one waits: `{put}` and, later, `{take}`"))
            }
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
        (Obstacle::NoQueue { from, to }, _) => {
            let [from, to] = [from, to].map(|process| quote(network.process_name(process)));
            format!("there is no queue from {from} to {to}")
        }
        (Obstacle::QueueFull { to, length }, _) => {
            let [name, to] = [process, to].map(|process| quote(network.process_name(process)));
            let messages = if length == 1 { "message" } else { "messages" };
            format!("{name} has to wait: the queue to {to} is full, with {length} {messages}")
        }
        (Obstacle::QueueEmpty { from }, _) => {
            let [name, from] = [process, from].map(|process| quote(network.process_name(process)));
            format!("the queue from {from} to {name} is empty")
        }
        (Obstacle::QueueNotEmpty { from, oldest }, _) => {
            let [name, from] = [process, from].map(|process| quote(network.process_name(process)));
            format!("{name} has not taken {} from {from} yet", quote(&oldest.describe(network).to_string()))
        }
        (Obstacle::OldestDoesNotFit { from, oldest }, _) => {
            let offers = |item| matches!(item, State::Offer { from: sender, .. } if sender == from);
            let why = match oldest.label().is_some() && network.items(state).any(offers) {
                true => Obstacle::NotOffered,
                false => Obstacle::OtherAction,
            };
            let oldest = quote(&oldest.describe(network).to_string());
            let from = quote(network.process_name(from));
            format!("the oldest message from {from} is {oldest}, and {}", contrast(network, process, state, why))
        }
        _ => wish(network, process, state),
    }
}

/// That a message lies in a queue, as a clause.
fn lies(network: &Network, message: Interaction, is: &str) -> String {
    let Interaction { from, to, content } = message;
    let content = quote(&content.describe(network).to_string());
    let [from, to] = [from, to].map(|process| quote(network.process_name(process)));
    format!("{content} from {from} {is} in the queue to {to}")
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
