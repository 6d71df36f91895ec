//! The graph that the search builds: configurations, and what was looked at in each.

use super::heads::{Heads, NONE};
use crate::extraction::execution_graph::{Edge, ExecutionGraph};
use crate::semantics::Action;

/// What was looked at in a configuration.
#[derive(Debug, Clone, Copy)]
struct Node {
    first: u32,
    count: u32,
    /// Who decides, or [`NONE`] if what was looked at is interactions, or nothing.
    decider: u32,
}

/// One thing that was looked at, and where it leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    /// The number of the action.
    pub(super) action: u32,
    /// Who acts; the same twice for a decision.
    pub(super) actors: [u32; 2],
    /// The node that it leads to.
    pub(super) target: u32,
}

/// Nodes and the ways from each; the first node is the start.
#[derive(Debug, Default)]
pub(super) struct Ways {
    nodes: Vec<Node>,
    ways: Vec<Way>,
}

impl Ways {
    /// Adds a node that is still to be expanded.
    pub(super) fn push(&mut self) {
        self.nodes.push(Node { first: 0, count: 0, decider: NONE });
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Says what is looked at in a node, instead of whatever was before.
    pub(super) fn set(&mut self, node: u32, decider: u32, ways: &[Way]) {
        self.nodes[node as usize] = Node { first: self.ways.len() as u32, count: ways.len() as u32, decider };
        self.ways.extend_from_slice(ways);
    }

    /// The ways from a node: the outcomes of a decision in order, or all interactions that were looked at.
    pub(super) fn of(&self, node: u32) -> &[Way] {
        let Node { first, count, .. } = self.nodes[node as usize];
        &self.ways[first as usize..][..count as usize]
    }

    /// Who decides in a node, or [`NONE`].
    pub(super) fn decider(&self, node: u32) -> u32 {
        self.nodes[node as usize].decider
    }

    /// The nodes that can be reached, in the order of their distance from the start.
    pub(super) fn reachable(&self) -> Vec<u32> {
        let mut met = vec![false; self.nodes.len()];
        let mut order = Vec::with_capacity(self.nodes.len());
        if let Some(first) = met.first_mut() {
            *first = true;
            order.push(0);
        }
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for way in self.of(node) {
                if !std::mem::replace(&mut met[way.target as usize], true) {
                    order.push(way.target);
                }
            }
        }
        order
    }

    /// The graph as others see it, and the number that each node has there.
    pub(super) fn finished(&self, heads: &Heads, nodes: &[u32]) -> (ExecutionGraph, Vec<u32>) {
        let mut number = vec![NONE; self.nodes.len()];
        for (place, &node) in nodes.iter().enumerate() {
            number[node as usize] = place as u32;
        }
        let mut actions: Vec<Action> = heads.actions.clone();
        if actions.last() != Some(&Action::Race) {
            actions.push(Action::Race);
        }
        let race = actions.len() as u32 - 1;
        let mut graph = ExecutionGraph::with_capacity(actions, nodes.len());
        nodes.iter().for_each(|_| {
            graph.push();
        });
        let edge = |target: u32| Edge { target, erases: false };
        for (place, &node) in nodes.iter().enumerate() {
            let ways = self.of(node);
            match ways {
                [] => {}
                _ if self.decider(node) != NONE || ways.len() == 1 => {
                    graph.choose(place as u32, ways[0].action);
                    ways.iter().for_each(|way| graph.connect(place as u32, edge(number[way.target as usize])));
                }
                _ => {
                    let items: Vec<u32> = ways.iter().map(|_| graph.push()).collect();
                    graph.choose(place as u32, race);
                    items.iter().for_each(|&item| graph.connect(place as u32, edge(item)));
                    for (&item, way) in items.iter().zip(ways) {
                        graph.choose(item, way.action);
                        graph.connect(item, edge(number[way.target as usize]));
                    }
                }
            }
        }
        (graph, number)
    }
}
