//! What processes do together.

use super::{Direction, Edge, Group, Node, Picture, Shape};
use crate::choreography::{Choreography, Node as Action, NodeId};
use crate::network::{Content, Interaction};

/// A choreography as a graph: points between actions, with the actions on the edges. Independent parts are groups.
///
/// A point is numbered in the order in which a reader meets it, or has the name of the procedure that starts there; a
/// decision shows who decides what.
pub fn protocol(choreography: &Choreography) -> Picture {
    let mut picture = Picture { direction: Direction::Down, ..Picture::default() };
    let mut place = vec![None; choreography.nodes.len()];
    let parts = choreography.starts.len();
    for (number, &part) in choreography.starts.iter().enumerate() {
        let start = picture.nodes.len();
        picture.nodes.push(Node::new("", Shape::Start));
        let mut met = Vec::new();
        let mut meet = |node: NodeId, met: &mut Vec<NodeId>| {
            let next = start + met.len() + 1;
            let place = place.get_mut(node.index())?;
            if place.is_none() {
                *place = Some(next);
                met.push(node);
            }
            *place
        };
        let first = meet(part, &mut met);
        picture.edges.extend(first.map(|to| Edge::new(start, to, "")));
        let mut next = 0;
        while let Some(&node) = met.get(next) {
            next += 1;
            let from = start + next;
            picture.nodes.push(point(choreography, node, next));
            for (label, target) in ways(choreography, node) {
                picture.edges.extend(meet(target, &mut met).map(|to| Edge::new(from, to, label)));
            }
        }
        if parts > 1 {
            picture.groups.push(Group { label: format!("part {}", number + 1), start, end: picture.nodes.len() });
        }
    }
    picture
}

fn point(choreography: &Choreography, node: NodeId, number: usize) -> Node {
    let procedure = choreography.procedures.iter().find(|(start, _)| *start == node);
    let name = procedure.map(|&(_, name)| choreography.names.text(name));
    match (choreography.node(node), name) {
        (Action::Stop, _) => Node::new("stop".to_string(), Shape::End),
        (Action::If { process, condition, .. }, name) => {
            let decides = format!("{}.{}", choreography.process_name(process), choreography.names.text(condition));
            let label = name.map_or(decides.clone(), |name| format!("{name}: {decides}"));
            Node::new(label, Shape::Diamond)
        }
        (_, Some(name)) => Node::new(name.to_string(), Shape::Box),
        (_, None) => Node::new(number.to_string(), Shape::Circle),
    }
}

/// Where a node leads, and what is done on the way.
fn ways(choreography: &Choreography, node: NodeId) -> Vec<(String, NodeId)> {
    match choreography.node(node) {
        Action::Stop => Vec::new(),
        Action::Interaction { interaction, next } => vec![(said(choreography, interaction), next)],
        Action::Group { members, next } => {
            let members = members.of(&choreography.members).iter();
            let said: Vec<String> = members.map(|&member| said(choreography, member)).collect();
            vec![(format!("({})", said.join(", ")), next)]
        }
        Action::If { then, otherwise, .. } => vec![("then".to_string(), then), ("else".to_string(), otherwise)],
    }
}

fn said(choreography: &Choreography, Interaction { from, to, content }: Interaction) -> String {
    let (from, to) = (choreography.process_name(from), choreography.process_name(to));
    match content {
        Content::Value(value) => format!("{from}.{} -> {to}", choreography.names.text(value)),
        Content::Label(label) => format!("{from} -> {to}[{}]", choreography.names.text(label)),
    }
}
