//! What each process does.

use crate::focus::Focus;
use crate::picture::{Direction, Edge, Group, Node, Picture, Shape};
use laban::network::{Network, Process, ProcessId, State, StateId};

/// The automata of the processes in a focus, a group each: states with the actions on the edges between them.
///
/// States are numbered from 1 in each process; a decision shows its condition instead, and the end is called `stop`,
/// and neither counts. Where a process does whichever comes first, there is an edge for each item; where it may wait
/// forever, the border is dashed.
pub fn automata(network: &Network, focus: &Focus) -> Picture {
    let mut picture = Picture { direction: Direction::Down, ..Picture::default() };
    for id in network.process_ids().filter(|&id| focus.includes(network.process_name(id))) {
        let Some(process) = network.processes().get(id.index()) else { continue };
        let start = picture.nodes.len();
        picture.nodes.push(Node::new("", Shape::Start));
        let first = process.states.start;
        let mut places: Vec<usize> = Vec::with_capacity(process.states.len());
        let mut next = start + 1;
        for is_drawn in drawn(network, process) {
            places.push(next);
            next += usize::from(is_drawn);
        }
        let node_of = |state: StateId| places.get((state.0 - first) as usize).copied().unwrap_or(start);
        picture.edges.push(Edge::new(start, node_of(process.start), ""));
        let mut numbered = 0;
        for (number, is_drawn) in (first..process.states.end).zip(drawn(network, process)) {
            if !is_drawn {
                continue;
            }
            let id = StateId(number);
            let drawn = node(network, network.state(id), &mut numbered);
            picture.nodes.push(Node { dashed: network.is_idle(id), ..drawn });
            let from = node_of(id);
            match network.state(id) {
                State::Any { items } => {
                    for &item in network.arms(items) {
                        push(network, item, |to, label| picture.edges.push(Edge::new(from, node_of(to), label)));
                    }
                }
                _ => push(network, id, |to, label| picture.edges.push(Edge::new(from, node_of(to), label))),
            }
        }
        let service = if process.service { "service " } else { "" };
        let label = format!("{service}{}", network.process_name(id));
        picture.groups.push(Group { label, start, end: picture.nodes.len() });
    }
    let mut picture = picture.folded(focus.max_nodes);
    if picture.nodes.iter().any(|node| node.dashed) {
        picture.captions.insert(0, "dashed border: the process may wait here forever".to_string());
    }
    picture
}

/// For each state of a process whether it gets a node. The items of a race do not, unless something else leads there:
/// their actions are on the edges of the race.
fn drawn(network: &Network, process: &Process) -> Vec<bool> {
    let first = process.states.start;
    let place = |state: StateId| (state.0 - first) as usize;
    let mut drawn = vec![true; process.states.len()];
    for state in process.states.of(network.states()) {
        if let State::Any { items } = *state {
            network.arms(items).iter().for_each(|&item| drawn[place(item)] = false);
        }
    }
    drawn[place(process.start)] = true;
    for number in first..process.states.end {
        if !matches!(network.state(StateId(number)), State::Any { .. }) {
            network.successors(StateId(number), |next| drawn[place(next)] = true);
        }
    }
    drawn
}

/// Gives each edge of a state to `add`: where it leads, and what is written on it.
fn push(network: &Network, state: StateId, mut add: impl FnMut(StateId, String)) {
    let name = |process: ProcessId| network.process_name(process);
    let text = |symbol| network.text(symbol);
    match network.state(state) {
        State::Stop | State::Any { .. } => {}
        State::Send { to, expression, next } => add(next, format!("{}!<{}>", name(to), text(expression))),
        State::Receive { from, next } => add(next, format!("{}?", name(from))),
        State::Select { to, label, next } => add(next, format!("{}+{}", name(to), text(label))),
        State::SelectValue { to, label, expression, next } => {
            add(next, format!("{}+{}<{}>", name(to), text(label), text(expression)));
        }
        State::Offer { from, branches } => {
            for branch in network.branches(branches) {
                add(branch.next, format!("{}&{}", name(from), text(branch.label)));
            }
        }
        State::Choose { arms } => {
            for (number, &arm) in network.arms(arms).iter().enumerate() {
                add(arm, format!("item {}", number + 1));
            }
        }
        State::If { then, otherwise, .. } => {
            add(then, "then".to_string());
            add(otherwise, "else".to_string());
        }
    }
}

fn node(network: &Network, state: State, numbered: &mut u32) -> Node {
    match state {
        State::Stop => Node::new("stop", Shape::End),
        State::If { condition, .. } => Node::new(network.text(condition), Shape::Diamond),
        State::Choose { .. } => Node::new("choose", Shape::Diamond),
        State::Any { .. } => Node::new("any", Shape::Race),
        State::Send { .. }
        | State::Receive { .. }
        | State::Select { .. }
        | State::SelectValue { .. }
        | State::Offer { .. } => {
            *numbered += 1;
            Node::new(numbered.to_string(), Shape::Circle)
        }
    }
}
