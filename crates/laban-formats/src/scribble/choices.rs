//! What Scribble and nuScr ask of choices, and a choreography does not.

use crate::protocol::{GlobalStep, Protocol};
use crate::report::Report;
use laban::diagnostic::quote;

/// Says where a branch does not begin with a message of the role that decides.
pub(super) fn remark_choices(protocol: &Protocol, report: &mut Report) {
    for (number, node) in protocol.nodes.iter().enumerate() {
        let GlobalStep::Choice { decider, branches, .. } = &node.step else { continue };
        let begins_otherwise = branches.iter().find_map(|&branch| {
            let first = first(protocol, branch)?;
            match &protocol.nodes[first].step {
                GlobalStep::Message { from, .. } => (from != decider).then_some(first),
                GlobalStep::Choice { decider: other, .. } => (other != decider).then_some(first),
                GlobalStep::End => Some(number),
                _ => None,
            }
        });
        let Some(first) = begins_otherwise else { continue };
        let name = quote(&protocol.roles[*decider].text);
        let text = if first == number {
            format!("a branch of this choice is empty; Scribble wants it to begin with a message of {name}")
        } else {
            format!("a branch of a choice at {name} begins here; Scribble wants it to begin with a message of {name}")
        };
        report.remark(protocol.nodes[first].span, text);
    }
}

/// The first node from a node on at which something happens, unless it is far.
fn first(protocol: &Protocol, node: usize) -> Option<usize> {
    let mut at = node;
    for _ in 0..64 {
        let GlobalStep::Goto(next) = protocol.nodes[at].step else { return Some(at) };
        at = next;
    }
    None
}
