//! Who could wait forever.
//!
//! A process is starved if there is a set of nodes in which it has not stopped and may not wait, such that from each
//! something can happen, every interaction that was looked at stays in the set and is not one of the process, and each
//! decision is of another and has an outcome that stays; if decisions are fair, all outcomes stay. The greatest such
//! set is what is left when nodes that violate this are thrown out until nothing changes.

use super::graph::{Way, Ways, items};
use super::heads::{Heads, NONE};
use crate::graph::{Graph, strong_components};
use std::collections::VecDeque;

/// The first process, in order, that is starved somewhere, with the nodes where it is: a flag for each node. A queue
/// counts as a process, after all others, that acts when a message is taken from it and may wait while it is empty.
pub(super) fn starved(
    ways: &Ways,
    nodes: &[u32],
    heads: &Heads,
    fair: bool,
    may_wait: impl Fn(u32, u32) -> bool,
) -> Option<(u32, Vec<bool>)> {
    let sources = Sources::new(ways, nodes);
    let roles = Roles::new(ways, nodes, heads);
    (0..roles.acts.len() as u32).find_map(|subject| {
        let left = greatest(ways, nodes, &sources, &roles, fair, subject, |node| may_wait(node, subject));
        nodes.iter().any(|&node| left[node as usize]).then_some((subject, left))
    })
}

/// What is the same for all processes, so that no way is looked at once for each of them.
struct Roles {
    /// For each process, and then each queue, the nodes with a way of its own, each once.
    acts: Vec<Vec<u32>>,
    /// For the first way of each decision, how many outcomes it has; empty if nobody decides.
    outcomes: Vec<u32>,
}

impl Roles {
    fn new(ways: &Ways, nodes: &[u32], heads: &Heads) -> Self {
        let processes = heads.starts.len();
        let mut roles = Roles { acts: vec![Vec::new(); processes + heads.queues.len()], outcomes: Vec::new() };
        for &node in nodes {
            let mut first = ways.first(node);
            for item in items(ways.of(node)) {
                let queue = heads.taken_from(item[0].action).map(|queue| processes as u32 + queue);
                for actor in item[0].actors.into_iter().chain(queue) {
                    let acts = &mut roles.acts[actor as usize];
                    if acts.last() != Some(&node) {
                        acts.push(node);
                    }
                }
                if item[0].is_decision() {
                    roles.outcomes.resize(ways.count(), 0);
                    roles.outcomes[first] = item.len() as u32;
                }
                first += item.len();
            }
        }
        roles
    }
}

/// The nodes from which each node is reached in one step.
struct Sources {
    offsets: Vec<u32>,
    /// A node, and the number of the way from there.
    from: Vec<(u32, u32)>,
}

impl Sources {
    fn new(ways: &Ways, nodes: &[u32]) -> Self {
        let count = ways.len();
        let mut offsets = vec![0u32; count + 2];
        let targets = |node: u32| ways.of(node).iter().map(|way| way.target as usize);
        for &node in nodes {
            targets(node).for_each(|target| offsets[target + 2] += 1);
        }
        for node in 0..count {
            offsets[node + 2] += offsets[node + 1];
        }
        let mut from = vec![(0, 0); offsets[count + 1] as usize];
        for &node in nodes {
            for (number, target) in targets(node).enumerate() {
                from[offsets[target + 1] as usize] = (node, number as u32);
                offsets[target + 1] += 1;
            }
        }
        Sources { offsets, from }
    }

    fn of(&self, node: u32) -> &[(u32, u32)] {
        &self.from[self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize]
    }
}

fn greatest(
    ways: &Ways,
    nodes: &[u32],
    sources: &Sources,
    roles: &Roles,
    fair: bool,
    subject: u32,
    may_wait: impl Fn(u32) -> bool,
) -> Vec<bool> {
    let mut left = vec![false; ways.len()];
    // For the first way of each decision, how many of its outcomes stay.
    let mut staying = roles.outcomes.clone();
    nodes.iter().for_each(|&node| left[node as usize] = !ways.of(node).is_empty() && !may_wait(node));
    roles.acts[subject as usize].iter().for_each(|&node| left[node as usize] = false);
    let mut thrown_out: Vec<u32> = nodes.iter().copied().filter(|&node| !left[node as usize]).collect();
    let mut remain = nodes.len() - thrown_out.len();
    // Once nothing is left, nothing more can go.
    while remain > 0
        && let Some(node) = thrown_out.pop()
    {
        for &(source, number) in sources.of(node) {
            if !left[source as usize] {
                continue;
            }
            let way = ways.of(source)[number as usize];
            if way.is_decision() && !fair {
                // The outcomes of a decision are counted at the first of them.
                let staying = &mut staying[ways.first(source) + (number - way.outcome()) as usize];
                *staying -= 1;
                if *staying > 0 {
                    continue;
                }
            }
            left[source as usize] = false;
            remain -= 1;
            thrown_out.push(source);
        }
    }
    left
}

/// Nodes one after the other, each with the number of the way that is taken from it.
pub(super) type Walk = Vec<(u32, usize)>;

/// A walk among some nodes that can be repeated forever, and in which every action of the part where it ends up occurs:
/// first what leads there, then what comes back to where it begins.
pub(super) fn lasso(ways: &Ways, left: &[bool], start: u32, fair: bool) -> (Walk, Walk) {
    let allowed = |node: u32| {
        // Of a decision that need not be fair, the first outcome that stays.
        let mut decided = NONE;
        ways.of(node).iter().enumerate().filter(move |(_, way)| {
            let again = !fair && way.is_decision() && decided == way.actors[0];
            let stays = left[way.target as usize] && !again;
            if stays && way.is_decision() {
                decided = way.actors[0];
            }
            stays
        })
    };
    let bottom = last_of_all(ways.len(), start, |node| allowed(node).map(|(_, way)| way.target).collect());
    let way_to = |from: u32, goal: &dyn Fn(u32, &Way) -> bool| -> Walk {
        // For each node met, where it was reached from.
        let mut before = vec![None; ways.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for (number, way) in allowed(node) {
                let is_goal = goal(node, way);
                if is_goal {
                    let mut path = vec![(node, number)];
                    let mut at = node;
                    while at != from {
                        let Some((source, taken)) = before[at as usize] else { break };
                        path.push((source, taken));
                        at = source;
                    }
                    path.reverse();
                    return path;
                }
                if way.target != from && before[way.target as usize].is_none() {
                    before[way.target as usize] = Some((node, number));
                    queue.push_back(way.target);
                }
            }
        }
        Vec::new()
    };
    let target = |&(node, number): &(u32, usize)| ways.of(node)[number].target;
    let to_bottom = match start == bottom {
        true => Vec::new(),
        false => way_to(start, &|_, way| way.target == bottom),
    };
    let mut done: Vec<u32> = Vec::new();
    let mut cycle = Walk::new();
    let mut at = bottom;
    loop {
        let more = way_to(at, &|_, way| !done.contains(&way.action));
        if more.is_empty() {
            break;
        }
        done.extend(more.iter().map(|&(node, number)| ways.of(node)[number].action));
        at = more.last().map_or(at, target);
        cycle.extend(more);
    }
    if at != bottom {
        cycle.extend(way_to(at, &|_, way| way.target == bottom));
    }
    (to_bottom, cycle)
}

/// A node in a strong component that cannot be left, reached from a node.
fn last_of_all(count: usize, start: u32, next: impl Fn(u32) -> Vec<u32>) -> u32 {
    let mut met = vec![false; count];
    met[start as usize] = true;
    let mut order = vec![start];
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        at += 1;
        for target in next(node) {
            if !std::mem::replace(&mut met[target as usize], true) {
                order.push(target);
            }
        }
    }
    let mut graph = Graph::with_capacity(count, order.len());
    for node in 0..count as u32 {
        graph.push(0, if met[node as usize] { next(node) } else { Vec::new() });
    }
    // An edge never leads to a component with a higher number.
    let components = strong_components(&graph);
    order.into_iter().min_by_key(|&node| components.component_of[node as usize]).unwrap_or(start)
}
