//! A conditional, a choice or a race in words, for messages about who is not told of it.

use super::hub::{event, hubs};
use super::{Choreography, Node, NodeId};
use crate::diagnostic::quote;
use crate::network::{Content, Interaction, ProcessId};
use crate::syntax::Symbol;

/// Which kind of decision it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    If(Symbol),
    Choose,
    Any,
}

/// Two branches of a decision, in words.
#[derive(Debug)]
pub(super) struct Decision {
    kind: Kind,
    /// Who decides, or knows which came first.
    pub(super) decider: ProcessId,
    /// When each of the two is taken: "if `e` is true".
    pub(super) outcomes: [String; 2],
    /// The same, after the other one has been named: "if not".
    not: [String; 2],
    /// The same, with a word for what it is about: "if it is false".
    pub(super) others: [String; 2],
    /// What the branches are called, if there are several.
    pub(super) branches: &'static str,
}

impl Decision {
    /// Two arms of the decision at a node, about which a process is not told.
    pub(super) fn new(
        choreography: &Choreography,
        process: ProcessId,
        node: NodeId,
        arms: [usize; 2],
    ) -> Option<Decision> {
        Some(match choreography.node(node) {
            Node::If { process, condition, .. } => {
                let text = quote(choreography.text(condition));
                Decision {
                    kind: Kind::If(condition),
                    decider: process,
                    outcomes: ["true", "false"].map(|outcome| format!("if {text} is {outcome}")),
                    not: ["if so".to_string(), "if not".to_string()],
                    others: ["true", "false"].map(|outcome| format!("if it is {outcome}")),
                    branches: "branches",
                }
            }
            Node::Choose { process, .. } => {
                let outcomes = arms.map(|arm| format!("in its {} arm", ordinal(arm)));
                Decision {
                    kind: Kind::Choose,
                    decider: process,
                    not: outcomes.clone(),
                    others: outcomes.clone(),
                    outcomes,
                    branches: "arms",
                }
            }
            Node::Any { items } => {
                let items_of = choreography.arms(items);
                let item = |arm: usize| items_of.get(arm).copied();
                let nodes = [item(arms[0])?, item(arms[1])?];
                let event = |node: NodeId| event(choreography, &[], node).map(|event| event.interaction);
                let both = [event(nodes[0])?, event(nodes[1])?];
                let texts = nodes.map(|node| quote(&words(choreography, choreography.node(node))));
                let hubs = hubs(choreography, items);
                // A hub that receives two values from the same process cannot tell them apart; that process can.
                let decider = match hubs.contains(&process) {
                    true => {
                        if both[0].from == process {
                            both[0].to
                        } else {
                            both[0].from
                        }
                    }
                    false => *hubs.first()?,
                };
                Decision {
                    kind: Kind::Any,
                    decider,
                    outcomes: texts.clone().map(|text| format!("if {text} comes first")),
                    not: texts.clone().map(|text| format!("if {text} does")),
                    others: texts.map(|text| format!("if {text} does")),
                    branches: "items",
                }
            }
            _ => return None,
        })
    }

    /// That a process is not told, and what it must do.
    pub(super) fn message(&self, name: &str, decides: &str, behaviours: &[String; 2]) -> String {
        let [one, other] = behaviours.each_ref().map(|behaviour| quote(behaviour));
        let [first, _] = &self.outcomes;
        let [_, second] = &self.not;
        let what = match self.kind {
            Kind::If(_) => format!("{name} is not told what {decides} decides"),
            Kind::Choose => format!("{name} is not told what {decides} chooses"),
            Kind::Any => format!("{name} is not told by {decides} which comes first"),
        };
        format!("{what}: it must do {one} {first}, and {other} {second}")
    }

    /// Whether it is a race.
    pub(super) fn is_race(&self) -> bool {
        self.kind == Kind::Any
    }

    /// What to say at the decision itself.
    pub(super) fn label(&self, decides: &str) -> String {
        match self.kind {
            Kind::If(_) => format!("{decides} decides here"),
            Kind::Choose => format!("{decides} chooses here"),
            Kind::Any => format!("{decides} knows which of these comes first"),
        }
    }
}

/// An interaction as it is written.
fn words(choreography: &Choreography, node: Node) -> String {
    let name = |process: ProcessId| choreography.process_name(process);
    let (Interaction { from, to, content }, arrow) = match node {
        Node::Interaction { interaction, .. } => (interaction, "->"),
        Node::Put { interaction, .. } => (interaction, "~>"),
        Node::Take { from, to, .. } => return format!("{} <~ {}", name(to), name(from)),
        _ => return String::new(),
    };
    let (from, to) = (name(from), name(to));
    match content {
        Content::Value(value) => format!("{from}.{} {arrow} {to}", choreography.text(value)),
        Content::Label(label) => format!("{from} {arrow} {to}[{}]", choreography.text(label)),
        Content::LabelledValue { label, value } => {
            format!("{from}.{} {arrow} {to}[{}]", choreography.text(value), choreography.text(label))
        }
    }
}

fn ordinal(number: usize) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    words.get(number).map_or_else(|| format!("{}th", number + 1), |word| word.to_string())
}
