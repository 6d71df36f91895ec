//! Which queues a part of a choreography uses, and where one of them may grow without end.
//!
//! Whatever comes in a choreography, each way through it must be possible, and how many messages a way puts and takes
//! can be read off its nodes. So if each cycle of nodes puts as many messages into each queue as it takes from it, no
//! queue ever gets longer than the choreography is. If some cycle does not, it cannot describe any network: going
//! round, either the queue grows without end, or it runs empty. The walk then looks out for the first.

use super::super::cast::Cast;
use super::script::Script;
use crate::choreography::{Node, NodeId};
use crate::graph::{Graph, strong_components};
use crate::network::ProcessId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The queues of a part.
#[derive(Default)]
pub(super) struct Growth {
    /// From whom and to whom messages wait somewhere, in order.
    pub(super) queues: Vec<(ProcessId, ProcessId)>,
    /// The nodes on cycles that may put more messages into a queue than they take, or fewer.
    pub(super) nodes: FxHashSet<NodeId>,
}

impl Growth {
    pub(super) fn new(script: &Script<'_>, cast: &Cast, start: NodeId) -> Self {
        if !script.has_events {
            return Growth::default();
        }
        let mut number_of = FxHashMap::from_iter([(start, 0)]);
        let mut nodes = vec![start];
        let mut graph = Graph::new();
        let mut queues = Vec::new();
        let mut at = 0;
        while let Some(&node) = nodes.get(at) {
            let targets = script.successors(node).map(|next| {
                *number_of.entry(next).or_insert_with(|| {
                    nodes.push(next);
                    nodes.len() as u32 - 1
                })
            });
            graph.push(0, targets.collect::<Vec<_>>());
            queues.extend(event(script, cast, node).map(|(queue, _)| queue));
            at += 1;
        }
        queues.sort_unstable();
        queues.dedup();
        let growing = Components::new(script, cast, &nodes, &graph).growing();
        Growth { queues, nodes: growing.into_iter().map(|number| nodes[number as usize]).collect() }
    }
}

/// The queue of a node that puts or takes a message, and by how many it gets longer.
fn event(script: &Script<'_>, cast: &Cast, node: NodeId) -> Option<((ProcessId, ProcessId), i64)> {
    let (from, to, change) = match script.node(node) {
        Node::Put { interaction, .. } => (interaction.from, interaction.to, 1),
        Node::Take { from, to, .. } => (from, to, -1),
        _ => return None,
    };
    Some(((cast.player(from).process, cast.player(to).process), change))
}

/// What lies on cycles together.
struct Components<'a> {
    graph: &'a Graph,
    /// The event of each node.
    events: Vec<Option<((ProcessId, ProcessId), i64)>>,
    component_of: Vec<u32>,
    /// For each component and each queue with an event in it, a node of the component.
    used: Vec<(u32, (ProcessId, ProcessId), u32)>,
}

impl<'a> Components<'a> {
    fn new(script: &Script<'_>, cast: &Cast, nodes: &[NodeId], graph: &'a Graph) -> Self {
        let components = strong_components(graph);
        let events: Vec<_> = nodes.iter().map(|&node| event(script, cast, node)).collect();
        let on_cycle = graph.nodes().filter(|&node| components.on_cycle(node));
        let mut used: Vec<_> = on_cycle
            .filter_map(|node| Some((components.component_of[node as usize], events[node as usize]?.0, node)))
            .collect();
        used.sort_unstable();
        used.dedup_by_key(|&mut (component, queue, _)| (component, queue));
        Components { graph, events, component_of: components.component_of, used }
    }

    /// The nodes of components with a cycle on which a queue changes its length.
    fn growing(&self) -> Vec<u32> {
        // How long the queue is at each node, and for which component and queue this was found out.
        let mut lengths: Vec<(usize, i64)> = vec![(usize::MAX, 0); self.graph.len()];
        let mut work = Vec::new();
        let mut is_growing = FxHashSet::default();
        for (round, &(component, queue, start)) in self.used.iter().enumerate() {
            if is_growing.contains(&component) {
                continue;
            }
            lengths[start as usize] = (round, 0);
            work.push(start);
            while let Some(node) = work.pop() {
                let change = self.events[node as usize].filter(|event| event.0 == queue).map_or(0, |event| event.1);
                let length = lengths[node as usize].1 + change;
                let targets = self.graph.successors(node).iter();
                for &target in targets.filter(|&&target| self.component_of[target as usize] == component) {
                    match &mut lengths[target as usize] {
                        (known, other) if *known == round => {
                            if *other != length {
                                is_growing.insert(component);
                            }
                        }
                        unknown => {
                            *unknown = (round, length);
                            work.push(target);
                        }
                    }
                }
            }
        }
        self.graph.nodes().filter(|&node| is_growing.contains(&self.component_of[node as usize])).collect()
    }
}
