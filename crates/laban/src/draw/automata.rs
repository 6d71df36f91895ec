//! What each process does.

use super::{Direction, Edge, Group, Node, Picture, Shape};
use crate::network::{Network, ProcessId, State, StateId};

/// The automata of some processes, a group each: states with the actions on the edges between them.
///
/// States are numbered from 1 in each process; a decision shows its condition instead, and the end is called `stop`.
pub fn automata(network: &Network, processes: impl IntoIterator<Item = ProcessId>) -> Picture {
    let mut picture = Picture { direction: Direction::Down, ..Picture::default() };
    for id in processes {
        let Some(process) = network.processes.get(id.index()) else { continue };
        let start = picture.nodes.len();
        picture.nodes.push(Node { label: String::new(), shape: Shape::Start });
        let first = process.states.start;
        let node_of = |state: StateId| start + 1 + (state.0 - first) as usize;
        picture.edges.push(edge(start, node_of(process.start), String::new()));
        for number in first..process.states.end {
            let state = network.state(StateId(number));
            picture.nodes.push(node(network, state, number - first + 1));
            let mut push = |to: StateId, label: String| {
                picture.edges.push(edge(node_of(StateId(number)), node_of(to), label));
            };
            let name = |process: ProcessId| network.process_name(process);
            let text = |symbol| network.names.text(symbol);
            match state {
                State::Stop => {}
                State::Send { to, expression, next } => push(next, format!("{}!<{}>", name(to), text(expression))),
                State::Receive { from, next } => push(next, format!("{}?", name(from))),
                State::Select { to, label, next } => push(next, format!("{}+{}", name(to), text(label))),
                State::Offer { from, branches } => {
                    for branch in branches.of(&network.branches) {
                        push(branch.next, format!("{}&{}", name(from), text(branch.label)));
                    }
                }
                State::If { then, otherwise, .. } => {
                    push(then, "then".to_string());
                    push(otherwise, "else".to_string());
                }
            }
        }
        let service = if process.service { "service " } else { "" };
        let label = format!("{service}{}", network.process_name(id));
        picture.groups.push(Group { label, start, end: picture.nodes.len() });
    }
    picture
}

fn node(network: &Network, state: State, number: u32) -> Node {
    match state {
        State::Stop => Node { label: "stop".to_string(), shape: Shape::End },
        State::If { condition, .. } => Node { label: network.names.text(condition).to_string(), shape: Shape::Diamond },
        _ => Node { label: number.to_string(), shape: Shape::Circle },
    }
}

fn edge(from: usize, to: usize, label: String) -> Edge {
    Edge { from, to, label, dashed: false }
}
