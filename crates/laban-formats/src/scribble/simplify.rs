//! Choreographies without decisions that decide nothing: all branches are the same. Nobody could tell them apart, so
//! neither Scribble nor nuScr has them.

use laban::Choreography;
use laban::choreography::{Node, NodeId};
use std::borrow::Cow;

/// The choreography without decisions between ways to the same place.
pub(super) fn simplified(choreography: &Choreography) -> Cow<'_, Choreography> {
    let count = choreography.nodes().len();
    let ids = || (0..count).map(|number| NodeId(number as u32));
    let is_decision = |id: &NodeId| matches!(choreography.node(*id), Node::If { .. } | Node::Choose { .. });
    let mut before: Vec<Vec<NodeId>> = vec![Vec::new(); count];
    for id in ids().filter(is_decision) {
        choreography.successors(id).for_each(|next| before[next.index()].push(id));
    }
    // Where each node leads to.
    let mut leads_to: Vec<NodeId> = ids().collect();
    let mut work: Vec<NodeId> = ids().filter(is_decision).collect();
    while let Some(id) = work.pop() {
        if leads_to[id.index()] != id {
            continue;
        }
        let mut next = choreography.successors(id).map(|next| end(&mut leads_to, next));
        let Some(first) = next.next() else { continue };
        let is_same = next.all(|next| next == first);
        if is_same && first != id {
            leads_to[id.index()] = first;
            work.extend(&before[id.index()]);
        }
    }
    if ids().all(|id| leads_to[id.index()] == id) {
        return Cow::Borrowed(choreography);
    }
    let mut parts = choreography.clone().into_parts();
    let mut redirect = |node: &mut NodeId| *node = end(&mut leads_to, *node);
    parts.starts.iter_mut().for_each(&mut redirect);
    parts.arms.iter_mut().for_each(&mut redirect);
    parts.procedures.iter_mut().for_each(|(node, _)| redirect(node));
    for node in &mut parts.nodes {
        match node {
            Node::Interaction { next, .. }
            | Node::Group { next, .. }
            | Node::Put { next, .. }
            | Node::Take { next, .. } => redirect(next),
            Node::If { then, otherwise, .. } => {
                redirect(then);
                redirect(otherwise);
            }
            Node::Stop | Node::Choose { .. } | Node::Any { .. } => {}
        }
    }
    // Two names for one place are one too many.
    let mut named = vec![false; count];
    parts.procedures.retain(|(node, _)| !std::mem::replace(&mut named[node.index()], true));
    Choreography::from_parts(parts).map_or(Cow::Borrowed(choreography), Cow::Owned)
}

/// Where a node leads to in the end. Ways are made shorter on the way.
fn end(leads_to: &mut [NodeId], node: NodeId) -> NodeId {
    let mut last = node;
    while leads_to[last.index()] != last {
        last = leads_to[last.index()];
    }
    let mut at = node;
    while at != last {
        at = std::mem::replace(&mut leads_to[at.index()], last);
    }
    last
}
