//! What each process does.

use crate::focus::Focus;
use crate::picture::{Direction, Edge, Group, Node, Picture, Shape};
use laban::network::{Network, ProcessId, State, StateId};

/// The automata of the processes in a focus, a group each: states with the actions on the edges between them.
///
/// States are numbered from 1 in each process; a decision shows its condition instead, and the end is called `stop`,
/// and neither counts.
pub fn automata(network: &Network, focus: &Focus) -> Picture {
    let mut picture = Picture { direction: Direction::Down, ..Picture::default() };
    for id in network.process_ids().filter(|&id| focus.includes(network.process_name(id))) {
        let Some(process) = network.processes().get(id.index()) else { continue };
        let start = picture.nodes.len();
        picture.nodes.push(Node::new("", Shape::Start));
        let first = process.states.start;
        let node_of = |state: StateId| start + 1 + (state.0 - first) as usize;
        picture.edges.push(Edge::new(start, node_of(process.start), ""));
        let mut numbered = 0;
        for number in first..process.states.end {
            let state = network.state(StateId(number));
            picture.nodes.push(node(network, state, &mut numbered));
            let mut push = |to: StateId, label: String| {
                picture.edges.push(Edge::new(node_of(StateId(number)), node_of(to), label));
            };
            let name = |process: ProcessId| network.process_name(process);
            let text = |symbol| network.text(symbol);
            match state {
                State::Stop => {}
                State::Send { to, expression, next } => push(next, format!("{}!<{}>", name(to), text(expression))),
                State::Receive { from, next } => push(next, format!("{}?", name(from))),
                State::Select { to, label, next } => push(next, format!("{}+{}", name(to), text(label))),
                State::Offer { from, branches } => {
                    for branch in network.branches(branches) {
                        push(branch.next, format!("{}&{}", name(from), text(branch.label)));
                    }
                }
                State::SelectValue { to, label, expression, next } => {
                    push(next, format!("{}+{}<{}>", name(to), text(label), text(expression)));
                }
                State::Choose { arms } => {
                    for (number, &arm) in network.arms(arms).iter().enumerate() {
                        push(arm, (number + 1).to_string());
                    }
                }
                State::Any { items } => {
                    for &item in network.arms(items) {
                        push(item, String::new());
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
    picture.folded(focus.max_nodes)
}

fn node(network: &Network, state: State, numbered: &mut u32) -> Node {
    match state {
        State::Stop => Node::new("stop", Shape::End),
        State::If { condition, .. } => Node::new(network.text(condition), Shape::Diamond),
        State::Choose { .. } => Node::new("choose", Shape::Diamond),
        State::Any { .. } => Node::new("any", Shape::Diamond),
        _ => {
            *numbered += 1;
            Node::new(numbered.to_string(), Shape::Circle)
        }
    }
}
