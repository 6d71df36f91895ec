//! From choreographies to graphs.
//!
//! Conditions are left out: automata have none, and a conditional is a choice. What would be read as something else is
//! refused: decisions of somebody who does not send first in each branch, races in which one process sends all, or in
//! all of which nobody takes part, queues, and parts side by side.

use crate::flat::Unsayable;
use laban::Choreography;
use laban::choreography::{Node, NodeId};
use laban::network::{Content, Interaction, ProcessId};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// A choreography as a choreography automaton, as Corinne has them: a graph for Graphviz.
///
/// ```
/// let choreography = laban::analyse("main { choose p { p -> q[yes]; stop, p -> q[no]; stop } }").into_choreography()?;
/// let text = laban_formats::write_automaton(&choreography).expect("it can be said");
/// assert!(text.contains("0 -> 1 [label=\"p->q:no\"]"));
/// # Ok::<(), laban::IllFormed>(())
/// ```
pub fn write_automaton(choreography: &Choreography) -> Result<String, Unsayable> {
    let start = match choreography.starts() {
        [start] => *start,
        _ => {
            let process = choreography.process_name(ProcessId(0)).to_string();
            return Err(Unsayable { process, what: "a part side by side with others".to_string() });
        }
    };
    let mut numbers = HashMap::from([(start, 0)]);
    let mut order = vec![start];
    let mut next = 0;
    let mut lines = String::new();
    // Ends are one state: what comes after them is the same.
    let mut end = None;
    while let Some(&node) = order.get(next) {
        let mut met = HashSet::new();
        for (interaction, target) in edges(choreography, node)? {
            let is_end = choreography.node(target) == Node::Stop;
            let target = if is_end { *end.get_or_insert(target) } else { target };
            let number = *numbers.entry(target).or_insert_with(|| {
                order.push(target);
                order.len() - 1
            });
            if !met.insert((interaction, number)) {
                continue;
            }
            let _ = writeln!(lines, "    {next} -> {number} [label=\"{}\"]", label(choreography, interaction));
        }
        next += 1;
    }
    Ok(format!("digraph choreography {{\n    s0 [label=\"\" shape=none height=0 width=0]\n    s0 -> 0\n{lines}}}\n"))
}

/// A message as the label of an edge.
fn label(choreography: &Choreography, interaction: Interaction) -> String {
    let Interaction { from, to, content } = interaction;
    let message = match content {
        Content::Label(label) => choreography.text(label).to_string(),
        Content::Value(value) => format!("<{}>", choreography.text(value)),
        Content::LabelledValue { label, value } => {
            format!("{}<{}>", choreography.text(label), choreography.text(value))
        }
    };
    let message = message.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{}->{}:{message}", choreography.process_name(from), choreography.process_name(to))
}

/// What can happen at a node.
fn edges(choreography: &Choreography, node: NodeId) -> Result<Vec<(Interaction, NodeId)>, Unsayable> {
    let unsayable = |process: ProcessId, what: &str| Unsayable {
        process: choreography.process_name(process).into(),
        what: what.into(),
    };
    match choreography.node(node) {
        Node::Stop => Ok(Vec::new()),
        Node::Interaction { interaction, next } => Ok(vec![(interaction, next)]),
        Node::If { process, .. } | Node::Choose { process, .. } => {
            let mut edges = Vec::new();
            // The decisions that were met, and whether all that follows them has been looked at.
            let mut met: HashMap<NodeId, bool> = HashMap::new();
            let mut work = vec![(node, false)];
            while let Some((branch, is_done)) = work.pop() {
                match choreography.node(branch) {
                    _ if is_done => drop(met.insert(branch, true)),
                    Node::Interaction { interaction, next } if interaction.from == process => {
                        edges.push((interaction, next));
                    }
                    Node::If { process: again, .. } | Node::Choose { process: again, .. } if again == process => {
                        match met.insert(branch, false) {
                            Some(false) => return Err(unsayable(process, "a decision that can go on forever")),
                            Some(true) => drop(met.insert(branch, true)),
                            None => {
                                work.push((branch, true));
                                let before = work.len();
                                work.extend(choreography.successors(branch).map(|next| (next, false)));
                                work[before..].reverse();
                            }
                        }
                    }
                    _ => return Err(unsayable(process, "a decision after which it does not send first")),
                }
            }
            Ok(edges)
        }
        Node::Any { items } => {
            let mut edges = Vec::new();
            for &item in choreography.arms(items) {
                match choreography.node(item) {
                    Node::Interaction { interaction, next } => edges.push((interaction, next)),
                    Node::If { process, .. } | Node::Choose { process, .. } => {
                        return Err(unsayable(process, "a decision in an `any`"));
                    }
                    Node::Put { interaction, .. } => return Err(unsayable(interaction.from, "a queue")),
                    Node::Take { to, .. } => return Err(unsayable(to, "a queue")),
                    Node::Stop | Node::Group { .. } | Node::Any { .. } => {}
                }
            }
            let Some(&(first, _)) = edges.first() else { return Ok(edges) };
            let takes_part = |role: ProcessId| edges.iter().all(|(edge, _)| edge.from == role || edge.to == role);
            if !takes_part(first.from) && !takes_part(first.to) {
                return Err(unsayable(first.from, "an `any` without a process that takes part in all items"));
            }
            if edges.len() > 1 && edges.iter().all(|(edge, _)| edge.from == first.from) {
                return Err(unsayable(first.from, "an `any` of which it sends all items, which would be a choice"));
            }
            Ok(edges)
        }
        Node::Group { members, .. } => {
            let from = choreography.members(members).first().map_or(ProcessId(0), |member| member.from);
            Err(unsayable(from, "a queue"))
        }
        Node::Put { interaction, .. } => Err(unsayable(interaction.from, "a queue")),
        Node::Take { to, .. } => Err(unsayable(to, "a queue")),
    }
}
