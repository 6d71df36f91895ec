//! What processes do together.

use crate::skipped::{Ahead, Skipped};
use crate::{Direction, Edge, Focus, Group, Node, Picture, Shape};
use laban::choreography::{Choreography, Node as Action, NodeId};
use laban::network::{Content, Interaction, ProcessId};
use laban::syntax::Symbol;
use std::collections::BTreeMap;

/// A choreography as a graph: points between actions, with the actions on the edges. Independent parts are groups.
///
/// A point is numbered in the order in which a reader meets it, or has the name of the procedure that starts there; a
/// decision shows who decides what, and a race has an edge for each interaction that may come first. Interactions that
/// concern nobody in the focus are skipped.
pub fn protocol(choreography: &Choreography, focus: &Focus) -> Picture {
    let mut picture = Picture { direction: Direction::Down, ..Picture::default() };
    let mut place = vec![None; choreography.nodes().len()];
    let parts = choreography.starts().len();
    let skipped = skipped(choreography, focus);
    let procedures: BTreeMap<NodeId, Symbol> = choreography.procedures().iter().copied().rev().collect();
    for (number, &part) in choreography.starts().iter().enumerate() {
        let start = picture.nodes.len();
        picture.nodes.push(Node::new("", Shape::Start));
        let mut met = Vec::new();
        let mut meet = |node: NodeId, met: &mut Vec<NodeId>| {
            let node = NodeId(skipped.end(node.0));
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
            let name = procedures.get(&node).map(|&name| choreography.text(name));
            picture.nodes.push(point(choreography, node, name, next));
            for (label, target) in ways(choreography, node) {
                picture.edges.extend(meet(target, &mut met).map(|to| Edge::new(from, to, label)));
            }
        }
        if parts > 1 {
            picture.groups.push(Group { label: format!("part {}", number + 1), start, end: picture.nodes.len() });
        }
    }
    picture.folded(focus.max_nodes)
}

/// Leaves out what concerns nobody in the focus.
fn skipped(choreography: &Choreography, focus: &Focus) -> Skipped {
    let count = choreography.nodes().len();
    if !focus.is_narrow() {
        return Skipped::nothing(count);
    }
    let asked: Vec<bool> =
        choreography.processes().iter().map(|&name| focus.includes(choreography.text(name))).collect();
    let concerns = |process: ProcessId| asked.get(process.index()).copied().unwrap_or(false);
    let takes_part = |one: &Interaction| concerns(one.from) || concerns(one.to);
    Skipped::new(count, |node| match choreography.node(NodeId(node)) {
        Action::Interaction { interaction, next } if !takes_part(&interaction) => Ahead::Leads(next.0),
        Action::Put { interaction, next } if !takes_part(&interaction) => Ahead::Leads(next.0),
        Action::Take { from, to, next } if !concerns(from) && !concerns(to) => Ahead::Leads(next.0),
        Action::Group { members, next } if !choreography.members(members).iter().any(takes_part) => {
            Ahead::Leads(next.0)
        }
        Action::If { process, then, otherwise, .. } if !concerns(process) => Ahead::Decides(vec![then.0, otherwise.0]),
        Action::Choose { process, arms } if !concerns(process) => {
            Ahead::Decides(choreography.arms(arms).iter().map(|arm| arm.0).collect())
        }
        Action::Any { items } => {
            let items = choreography.arms(items);
            let is_other = |&item: &NodeId| match choreography.node(item) {
                Action::Interaction { interaction, .. } | Action::Put { interaction, .. } => !takes_part(&interaction),
                Action::Take { from, to, .. } => !concerns(from) && !concerns(to),
                _ => false,
            };
            match items.iter().all(is_other) {
                true => Ahead::Decides(items.iter().map(|item| item.0).collect()),
                false => Ahead::Stays,
            }
        }
        _ => Ahead::Stays,
    })
}

fn point(choreography: &Choreography, node: NodeId, name: Option<&str>, number: usize) -> Node {
    match (choreography.node(node), name) {
        (Action::Stop, _) => Node::new("stop".to_string(), Shape::End),
        (Action::If { process, condition, .. }, name) => {
            let decides = format!("{}.{}", choreography.process_name(process), choreography.text(condition));
            let label = name.map_or(decides.clone(), |name| format!("{name}: {decides}"));
            Node::new(label, Shape::Diamond)
        }
        (Action::Choose { process, .. }, name) => {
            let chooses = format!("{} chooses", choreography.process_name(process));
            Node::new(name.map_or(chooses.clone(), |name| format!("{name}: {chooses}")), Shape::Diamond)
        }
        (Action::Any { .. }, name) => {
            Node::new(name.map_or("race".to_string(), |name| format!("{name}: race")), Shape::Race)
        }
        (_, Some(name)) => Node::new(name.to_string(), Shape::Box),
        (_, None) => Node::new(number.to_string(), Shape::Circle),
    }
}

/// Where a node leads, and what is done on the way.
fn ways(choreography: &Choreography, node: NodeId) -> Vec<(String, NodeId)> {
    match choreography.node(node) {
        Action::Stop => Vec::new(),
        Action::Interaction { .. } | Action::Put { .. } | Action::Take { .. } => {
            step(choreography, node).into_iter().collect()
        }
        Action::Group { members, next } => {
            let members = choreography.members(members).iter();
            let said: Vec<String> = members.map(|&member| said(choreography, member)).collect();
            vec![(format!("({})", said.join(", ")), next)]
        }
        Action::If { then, otherwise, .. } => vec![("then".to_string(), then), ("else".to_string(), otherwise)],
        Action::Choose { arms, .. } => {
            let arms = choreography.arms(arms).iter().enumerate();
            arms.map(|(number, &arm)| (format!("item {}", number + 1), arm)).collect()
        }
        Action::Any { items } => {
            let way = |&item: &NodeId| step(choreography, item).unwrap_or((String::new(), item));
            choreography.arms(items).iter().map(way).collect()
        }
    }
}

/// An interaction, or a message that is put into a queue or taken from one, and what follows.
fn step(choreography: &Choreography, node: NodeId) -> Option<(String, NodeId)> {
    match choreography.node(node) {
        Action::Interaction { interaction, next } => Some((said(choreography, interaction), next)),
        Action::Put { interaction, next } => Some((message(choreography, interaction, "~>"), next)),
        Action::Take { from, to, next } => {
            Some((format!("{} <~ {}", choreography.process_name(to), choreography.process_name(from)), next))
        }
        _ => None,
    }
}

fn said(choreography: &Choreography, interaction: Interaction) -> String {
    message(choreography, interaction, "->")
}

fn message(choreography: &Choreography, Interaction { from, to, content }: Interaction, arrow: &str) -> String {
    let (from, to) = (choreography.process_name(from), choreography.process_name(to));
    match content {
        Content::Value(value) => format!("{from}.{} {arrow} {to}", choreography.text(value)),
        Content::Label(label) => format!("{from} {arrow} {to}[{}]", choreography.text(label)),
        Content::LabelledValue { label, value } => {
            format!("{from}.{} {arrow} {to}[{}]", choreography.text(value), choreography.text(label))
        }
    }
}
