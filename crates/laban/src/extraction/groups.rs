//! Messages that cross, as groups.
//!
//! The search puts messages into queues and takes them out one by one. Where some messages are put and all of them
//! taken, one after the other, with these queues empty before and after, a reader sees messages that cross:
//! `(a.x -> b, b.y -> a)`. Here such stretches are found and written as groups, each as small as it can be. In a group
//! each process sends at most once, then receives at most once. Where a process races, whether something else could
//! come first depends on the order, so its messages are left as they are.

use crate::choreography::{Choreography, Node, NodeId};
use crate::network::{Interaction, ProcessId};
use crate::syntax::ArenaRange;
use std::collections::BTreeMap;

/// From whom and to whom.
type Queue = (ProcessId, ProcessId);

/// How many messages lie in each queue, where there are any; nothing if that differs from run to run.
type Lengths = Option<BTreeMap<Queue, u32>>;

/// Writes messages that cross as groups, given which messages may do so.
pub(super) fn group(choreography: &mut Choreography, may_cross: impl Fn(Interaction) -> bool) {
    if !choreography.nodes.iter().any(|node| matches!(node, Node::Put { .. })) {
        return;
    }
    let lengths = lengths(choreography);
    let mut is_item = vec![false; choreography.nodes.len()];
    for node in &choreography.nodes {
        if let Node::Any { items } = *node {
            choreography.arms(items).iter().for_each(|item| is_item[item.index()] = true);
        }
    }
    for start in 0..choreography.nodes.len() {
        let Some(Some(before)) = &lengths[start] else { continue };
        if is_item[start] {
            continue;
        }
        let Some((members, next)) = stretch(choreography, NodeId(start as u32), before, &may_cross) else { continue };
        choreography.nodes[start] = match members[..] {
            [interaction] => Node::Interaction { interaction, next },
            _ => {
                let start = choreography.members.len() as u32;
                choreography.members.extend(members);
                Node::Group { members: ArenaRange { start, end: choreography.members.len() as u32 }, next }
            }
        };
    }
}

/// What lies in the queues at each node that can be reached.
fn lengths(choreography: &Choreography) -> Vec<Option<Lengths>> {
    let mut lengths: Vec<Option<Lengths>> = vec![None; choreography.nodes.len()];
    let mut work = choreography.starts.clone();
    for start in &choreography.starts {
        lengths[start.index()] = Some(Some(BTreeMap::new()));
    }
    while let Some(node) = work.pop() {
        let mut after = lengths[node.index()].clone().flatten();
        if let Some(after) = &mut after {
            match choreography.node(node) {
                Node::Put { interaction: Interaction { from, to, .. }, .. } => {
                    *after.entry((from, to)).or_default() += 1;
                }
                Node::Take { from, to, .. } => {
                    let length = after.get(&(from, to)).copied().unwrap_or(0).saturating_sub(1);
                    match length {
                        0 => after.remove(&(from, to)),
                        length => after.insert((from, to), length),
                    };
                }
                _ => {}
            }
        }
        for next in choreography.successors(node) {
            let known = &mut lengths[next.index()];
            let joined = match known.as_ref() {
                None => after.clone(),
                Some(known) if *known == after => continue,
                Some(None) => continue,
                Some(Some(_)) => None,
            };
            *known = Some(joined);
            work.push(next);
        }
    }
    lengths
}

/// The members of the smallest group that begins at a node, in the order in which they are sent, and what follows it.
fn stretch(
    choreography: &Choreography,
    start: NodeId,
    before: &BTreeMap<Queue, u32>,
    may_cross: impl Fn(Interaction) -> bool,
) -> Option<(Vec<Interaction>, NodeId)> {
    let mut members: Vec<Interaction> = Vec::new();
    let mut received: Vec<ProcessId> = Vec::new();
    let mut at = start;
    let Node::Put { .. } = choreography.node(start) else { return None };
    loop {
        let (put, taken, next) = match choreography.node(at) {
            Node::Put { interaction, next } => (Some(interaction), None, next),
            Node::Take { from, to, next } => (None, Some((from, to)), next),
            Node::Interaction { interaction, next } => {
                (Some(interaction), Some((interaction.from, interaction.to)), next)
            }
            _ => return None,
        };
        if let Some(interaction) = put {
            let Interaction { from, to, .. } = interaction;
            let sent = members.iter().any(|member| member.from == from || member.to == to);
            if sent || received.contains(&from) || before.contains_key(&(from, to)) || !may_cross(interaction) {
                return None;
            }
            members.push(interaction);
        }
        if let Some((from, to)) = taken {
            let is_member = members.iter().any(|member| (member.from, member.to) == (from, to));
            if !is_member || received.contains(&to) {
                return None;
            }
            received.push(to);
        }
        at = next;
        if received.len() == members.len() {
            return Some((members, at));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::choreography::lower;
    use crate::syntax::parse_choreography;

    /// A choreography in which all messages may cross, with groups.
    fn grouped(text: &str) -> Choreography {
        let mut choreography = lower(&parse_choreography(text).tree).choreography.unwrap();
        group(&mut choreography, |_| true);
        choreography
    }

    #[test]
    fn a_message_that_is_taken_at_once_crosses_nothing() {
        let choreography = grouped("main { a.x ~> b; b <~ a; stop }");
        let first = choreography.node(choreography.starts[0]);
        assert!(matches!(first, Node::Interaction { next, .. } if choreography.node(next) == Node::Stop), "{first:?}");
    }

    #[test]
    fn there_is_no_group_where_a_message_may_lie_in_the_queue_already() {
        let round = "def X { a.x ~> b; b.y ~> a; a <~ b; b <~ a; X }";
        let groups = |text: String| {
            let choreography = grouped(&text);
            choreography.nodes.iter().filter(|node| matches!(node, Node::Group { .. })).count()
        };
        assert_eq!(groups(format!("{round} main {{ X }}")), 1);
        // What b takes is what was sent in the round before, if it was decided so.
        assert_eq!(groups(format!("{round} main {{ if a.c then X else a.z ~> b; X }}")), 0);
        assert_eq!(groups(format!("{round} main {{ if a.c then a.z ~> b; X else X }}")), 0);
    }
}
