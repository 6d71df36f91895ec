//! Short runs to what is wrong.
//!
//! Only used when something is: the shortest path over the junctions that the walk has met, each edge counted by the
//! number of actions along it, which are read off the choreography.

use super::walk::{Edge, NONE, Walk};
use crate::choreography::{Node, NodeId};
use crate::semantics::Step;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The nodes along an edge: that of the junction where it starts, and on to the last before the next junction or end.
pub(super) struct Stretch<'a> {
    walk: &'a Walk<'a>,
    at: Option<NodeId>,
    side: usize,
}

impl<'a> Stretch<'a> {
    pub(super) fn new(walk: &'a Walk<'a>, edge: Edge) -> Self {
        let at = walk.junctions.get(edge.from as usize).map(|junction| junction.node);
        Stretch { walk, at, side: edge.side }
    }
}

impl<'a> Iterator for Stretch<'a> {
    type Item = (NodeId, &'a Node);

    #[inline]
    fn next(&mut self) -> Option<(NodeId, &'a Node)> {
        let at = self.at?;
        let node = self.walk.choreography.nodes.get(at.index())?;
        let next = match *node {
            Node::Stop | Node::Choose { .. } | Node::Any { .. } => return None,
            Node::Interaction { next, .. } | Node::Group { next, .. } => next,
            Node::Put { next, .. } | Node::Take { next, .. } => next,
            // A decision is always the first of its stretch.
            Node::If { then, .. } if self.side == 0 => then,
            Node::If { otherwise, .. } => otherwise,
        };
        self.at = Some(next).filter(|&next| !self.walk.is_junction(next));
        Some((at, node))
    }
}

/// A shortest run, among those that were met, to a node on an edge.
pub(super) fn run_to_node(walk: &Walk<'_>, edge: Edge, node: NodeId) -> Vec<Step> {
    let mut run = run_to(walk, edge.from);
    let stretch = Stretch::new(walk, edge).take_while(|&(at, _)| at != node);
    run.extend(stretch.filter_map(|(_, node)| step(walk, *node, edge.side)));
    run
}

/// A shortest run, among those that were met, to a junction.
pub(super) fn run_to(walk: &Walk<'_>, junction: u32) -> Vec<Step> {
    match junction {
        0 => Vec::new(),
        _ => steps(walk, &shortest(walk, 0, junction, |_| true)),
    }
}

/// What happens along a path.
pub(super) fn steps(walk: &Walk<'_>, path: &[Edge]) -> Vec<Step> {
    let along = |&edge: &Edge| Stretch::new(walk, edge).filter_map(move |(_, node)| step(walk, *node, edge.side));
    path.iter().flat_map(along).collect()
}

/// A shortest path of at least one edge, over edges that are allowed; empty if there is none.
pub(super) fn shortest(walk: &Walk<'_>, from: u32, to: u32, allowed: impl Fn(Edge) -> bool) -> Vec<Edge> {
    let count = walk.junctions.len();
    let mut best = vec![usize::MAX; count];
    let mut last_edge: Vec<Option<Edge>> = vec![None; count];
    let mut queue = BinaryHeap::new();
    let mut at = (0, from);
    loop {
        let (length, junction) = at;
        if let Some(known) = walk.junctions.get(junction as usize) {
            for side in 0..2 {
                let (edge, target) = (Edge { from: junction, side }, known.next[side]);
                if target == NONE || !allowed(edge) {
                    continue;
                }
                let longer = length + Stretch::new(walk, edge).count();
                if longer < best[target as usize] {
                    best[target as usize] = longer;
                    last_edge[target as usize] = Some(edge);
                    queue.push(Reverse((longer, target)));
                }
            }
        }
        // An entry that has been overtaken is left alone.
        at = loop {
            match queue.pop() {
                None => return Vec::new(),
                Some(Reverse((length, junction))) if best[junction as usize] < length => {}
                Some(Reverse(entry)) => break entry,
            }
        };
        if at.1 == to {
            break;
        }
    }
    let mut path = Vec::new();
    let mut at = to;
    while let Some(edge) = last_edge[at as usize] {
        path.push(edge);
        at = edge.from;
        if at == from {
            break;
        }
    }
    path.reverse();
    path
}

/// What happens at a node, in the names of the network.
fn step(walk: &Walk<'_>, node: Node, side: usize) -> Option<Step> {
    let cast = walk.cast;
    match node {
        Node::Stop | Node::Group { .. } | Node::Choose { .. } | Node::Any { .. } => None,
        Node::Put { .. } | Node::Take { .. } => None,
        Node::Interaction { interaction, .. } => Some(Step::Interaction(cast.interaction(interaction))),
        Node::If { process, condition, .. } => Some(Step::Decision {
            process: cast.player(process).process,
            condition: cast.symbol(condition),
            holds: side == 0,
        }),
    }
}
