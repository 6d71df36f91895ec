//! Steps of a network and nodes of a choreography as a choreography writes them.

use super::words::MOST_LISTED;
use crate::choreography::{Choreography, Node, NodeId};
use crate::diagnostic::FEW_STEPS;
use crate::network::{Interaction, Network};
use crate::semantics::Step;

/// A few steps one after the other, or how many there are and the last one; a note has them all.
pub(super) fn sequence(network: &Network, steps: &[Step]) -> String {
    let step = |step: &Step| format!("`{}`", event(network, *step));
    match steps {
        [.., last] if steps.len() > FEW_STEPS => format!("{} steps up to {}", steps.len(), step(last)),
        _ => steps.iter().map(step).collect::<Vec<_>>().join(", "),
    }
}

/// A step as a choreography writes it: also a message that is put into a queue, `p.e ~> q`, or taken, `q <~ p`.
pub(super) fn event(network: &Network, step: Step) -> String {
    match step {
        Step::Put(Interaction { from, to, content }) => {
            let [from, to] = [from, to].map(|process| network.process_name(process));
            let value = content.value().map(|value| format!(".{}", network.text(value))).unwrap_or_default();
            let label = content.label().map(|label| format!("[{}]", network.text(label))).unwrap_or_default();
            format!("{from}{value} ~> {to}{label}")
        }
        Step::Take(Interaction { from, to, .. }) => {
            format!("{} <~ {}", network.process_name(to), network.process_name(from))
        }
        _ => step.describe(network).to_string(),
    }
}

/// Half of an interaction of a choreography: its message is put into a queue, or taken from it.
pub(super) fn half(choreography: &Choreography, interaction: Interaction, takes: bool) -> String {
    let Interaction { from, to, content } = interaction;
    let [from, to] = [from, to].map(|process| choreography.process_name(process));
    if takes {
        return format!("{to} <~ {from}");
    }
    let value = content.value().map(|value| format!(".{}", choreography.text(value))).unwrap_or_default();
    let label = content.label().map(|label| format!("[{}]", choreography.text(label))).unwrap_or_default();
    format!("{from}{value} ~> {to}{label}")
}

/// What a group does with one of its messages: puts it into a queue, or takes it from there.
pub(super) fn member_event(choreography: &Choreography, group: NodeId, member: usize, takes: bool) -> String {
    let Node::Group { members, .. } = choreography.node(group) else { return String::new() };
    let message = choreography.members(members).get(member);
    message.map_or(String::new(), |&message| half(choreography, message, takes))
}

/// What a node of a choreography does, as written.
pub(super) fn action(choreography: &Choreography, node: NodeId) -> String {
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
