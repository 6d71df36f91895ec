//! The graph that the search builds: configurations, and what was looked at in each.

use super::heads::{Heads, NONE};
use crate::extraction::execution_graph::{Edge, ExecutionGraph};

/// What was looked at in a configuration: a stretch of the ways.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    first: u32,
    count: u32,
}

/// One thing that was looked at, with one outcome, and where it leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    /// The number of the action.
    pub(super) action: u32,
    /// Which outcome of a decision, in order and from 1; 0 for what is no decision.
    pub(super) decided: u32,
    /// Who acts; the same twice if nobody else does.
    pub(super) actors: [u32; 2],
    /// The node that it leads to.
    pub(super) target: u32,
}

impl Way {
    /// Whether it is an outcome of a decision.
    pub(super) fn is_decision(&self) -> bool {
        self.decided > 0
    }

    /// Which outcome of a decision, in order; 0 for what is no decision.
    pub(super) fn outcome(&self) -> u32 {
        self.decided.saturating_sub(1)
    }
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
        self.nodes.push(Node::default());
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many ways there are, those that were replaced included.
    pub(super) fn count(&self) -> usize {
        self.ways.len()
    }

    /// Says what is looked at in a node, instead of whatever was before. The outcomes of a decision follow each other.
    pub(super) fn set(&mut self, node: u32, ways: &[Way]) {
        self.nodes[node as usize] = Node { first: self.ways.len() as u32, count: ways.len() as u32 };
        self.ways.extend_from_slice(ways);
    }

    /// The ways from a node.
    pub(super) fn of(&self, node: u32) -> &[Way] {
        let Node { first, count } = self.nodes[node as usize];
        &self.ways[first as usize..][..count as usize]
    }

    /// The number of the first way from a node, among all.
    pub(super) fn first(&self, node: u32) -> usize {
        self.nodes[node as usize].first as usize
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
        let race = heads.actions.len() as u32 - 1;
        let mut graph = ExecutionGraph::with_capacity(heads.actions.clone(), nodes.len());
        nodes.iter().for_each(|_| {
            graph.push();
        });
        let fill = |graph: &mut ExecutionGraph, at: u32, item: &[Way]| {
            graph.choose(at, item[0].action);
            for way in item {
                graph.connect(at, Edge::new(number[way.target as usize], false));
            }
        };
        for (place, &node) in nodes.iter().enumerate() {
            let items: Vec<&[Way]> = items(self.of(node)).collect();
            match items.as_slice() {
                [] => {}
                [only] => fill(&mut graph, place as u32, only),
                _ => {
                    let places: Vec<u32> = items.iter().map(|_| graph.push()).collect();
                    graph.choose(place as u32, race);
                    places.iter().for_each(|&target| graph.connect(place as u32, Edge::new(target, false)));
                    places.iter().zip(&items).for_each(|(&at, item)| fill(&mut graph, at, item));
                }
            }
        }
        (graph, number)
    }
}

/// The ways from a node, with the outcomes of each decision together.
pub(super) fn items(ways: &[Way]) -> impl Iterator<Item = &[Way]> {
    ways.chunk_by(|one, other| one.is_decision() && other.is_decision() && one.actors == other.actors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outcomes_of_each_decision_are_together_and_nothing_else_is() {
        let way = |actors: [u32; 2], decided: u32| Way { action: actors[0], decided, actors, target: 0 };
        let ways = [
            way([0, 1], 0),
            way([0, 1], 0),
            way([2, 2], 0),
            way([2, 2], 1),
            way([2, 2], 2),
            way([3, 3], 1),
            way([3, 3], 2),
            way([3, 3], 3),
        ];
        let lengths: Vec<usize> = items(&ways).map(<[Way]>::len).collect();
        assert_eq!(lengths, [1, 1, 1, 2, 3]);
    }
}
