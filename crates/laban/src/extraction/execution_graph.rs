//! Symbolic execution graphs: what a search finds.
//!
//! A node is a joint state that was reached, but nothing of the state is left in it: only the action that was chosen
//! there and an edge for each of its outcomes. That is all that a choreography is made of, and all that a run is made
//! of. The edges of a node lie next to each other in one list, so a node can have any number of them.

use super::machine::ActionId;
use crate::semantics::{Action, Step};
use std::collections::VecDeque;

/// The node has no action: all is done there, or it has not been expanded.
const STOP: u32 = u32::MAX;
/// No node has this number.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A node: the action that was chosen, and which edges are its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Node {
    action: u32,
    first_edge: u32,
    edge_count: u32,
}

/// Where an outcome of an action leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The node it leads to.
    pub target: u32,
    /// Whether the marking is erased on the way: everyone has acted, stopped or is a service.
    pub erases: bool,
}

/// A symbolic execution graph. Its first node is where the network starts.
#[derive(Debug, Clone, Default)]
pub struct ExecutionGraph {
    actions: Vec<Action>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

impl ExecutionGraph {
    /// A graph without nodes, with room for some, whose nodes will have some of these actions.
    pub(super) fn with_capacity(actions: Vec<Action>, room: usize) -> Self {
        ExecutionGraph { actions, nodes: Vec::with_capacity(room), edges: Vec::with_capacity(room) }
    }

    /// A graph with these nodes: for each the action that was chosen, if there is one, and its edges.
    ///
    /// Nothing if an edge leads to no node, or an action has no description.
    pub fn new(actions: Vec<Action>, nodes: &[(Option<ActionId>, &[Edge])]) -> Option<Self> {
        let mut graph = ExecutionGraph::with_capacity(actions, nodes.len());
        let known_action = |action: &ActionId| (action.0 as usize) < graph.actions.len();
        let known_node = |edge: &Edge| (edge.target as usize) < nodes.len();
        let is_known = |(action, edges): &(Option<ActionId>, &[Edge])| {
            action.as_ref().is_none_or(known_action) && edges.iter().all(known_node)
        };
        if !nodes.iter().all(is_known) {
            return None;
        }
        for &(action, edges) in nodes {
            let node = graph.push();
            graph.choose(node, action.map_or(STOP, |action| action.0));
            edges.iter().for_each(|&edge| graph.connect(node, edge));
        }
        Some(graph)
    }

    /// Adds a node that is still to be expanded.
    #[inline]
    pub(super) fn push(&mut self) -> u32 {
        self.nodes.push(Node { action: STOP, first_edge: 0, edge_count: 0 });
        self.nodes.len() as u32 - 1
    }

    /// Chooses the action of a node. Its edges must be added before another node's action is chosen.
    #[inline]
    pub(super) fn choose(&mut self, node: u32, action: u32) {
        self.nodes[node as usize] = Node { action, first_edge: self.edges.len() as u32, edge_count: 0 };
    }

    /// Adds an edge to the node whose action was chosen last: the next outcome.
    #[inline]
    pub(super) fn connect(&mut self, node: u32, edge: Edge) {
        self.edges.push(edge);
        self.nodes[node as usize].edge_count += 1;
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What the nodes can do: each action once, by its number.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The action that was chosen at a node; none where all is done.
    pub fn action(&self, node: u32) -> Option<ActionId> {
        self.nodes.get(node as usize).filter(|node| node.action != STOP).map(|node| ActionId(node.action))
    }

    /// What an action is.
    pub fn describe(&self, action: ActionId) -> Option<Action> {
        self.actions.get(action.0 as usize).copied()
    }

    /// The edges of a node, one for each outcome of its action: for a decision, first if the condition is true, then if
    /// it does not.
    #[inline]
    pub fn edges(&self, node: u32) -> &[Edge] {
        self.nodes.get(node as usize).map_or(&[], |node| self.edges_of(node))
    }

    /// Where the action of a node leads, outcome by outcome.
    pub fn targets(&self, node: u32) -> impl ExactSizeIterator<Item = u32> {
        self.edges(node).iter().map(|edge| edge.target)
    }

    /// Whether the marking is erased when the action of a node has this outcome.
    pub fn erases(&self, node: u32, outcome: usize) -> bool {
        self.edges(node).get(outcome).is_some_and(|edge| edge.erases)
    }

    /// The step from a node to the target of an outcome.
    pub(super) fn step(&self, node: u32, outcome: usize) -> Option<Step> {
        let action = self.action(node)?;
        self.describe(action)?.step(outcome)
    }

    /// The same graph with fewer nodes: these of it, with the edges led to where they belong.
    pub(super) fn reduced(self, representatives: &[u32], class_of: &[u32]) -> Self {
        let mut reduced = ExecutionGraph::with_capacity(Vec::new(), representatives.len());
        for &representative in representatives {
            let node = reduced.push();
            reduced.choose(node, self.nodes[representative as usize].action);
            for &Edge { target, erases } in self.edges(representative) {
                reduced.connect(node, Edge { target: class_of[target as usize], erases });
            }
        }
        ExecutionGraph { actions: self.actions, ..reduced }
    }

    /// For each node the number of its action, as a label, and its edges; nodes without an action have the same label.
    pub(super) fn labelled(&self) -> impl Iterator<Item = (u64, &[Edge])> {
        self.nodes.iter().map(|node| (u64::from(node.action), self.edges_of(node)))
    }

    /// For each node its action and its edges.
    pub(super) fn described(&self) -> impl Iterator<Item = (Option<&Action>, &[Edge])> {
        self.nodes.iter().map(|node| (self.actions.get(node.action as usize), self.edges_of(node)))
    }

    #[inline]
    fn edges_of(&self, node: &Node) -> &[Edge] {
        &self.edges[node.first_edge as usize..][..node.edge_count as usize]
    }

    /// A shortest run from the start to a node.
    pub fn shortest_run(&self, goal: u32) -> Vec<Step> {
        // For each node, where it was reached from and with which outcome.
        let mut before = vec![(NOWHERE, 0u32); self.nodes.len()];
        let mut queue = VecDeque::from([0u32]);
        'search: while let Some(node) = queue.pop_front() {
            if node == goal {
                break;
            }
            for (outcome, target) in self.targets(node).enumerate() {
                if target != 0 && before[target as usize].0 == NOWHERE {
                    before[target as usize] = (node, outcome as u32);
                    if target == goal {
                        break 'search;
                    }
                    queue.push_back(target);
                }
            }
        }
        let mut run = Vec::new();
        let mut at = goal;
        while at != 0 {
            let (from, outcome) = before.get(at as usize).copied().unwrap_or((NOWHERE, 0));
            if from == NOWHERE {
                break;
            }
            // At a race nothing happens before one of its interactions does.
            run.extend(self.step(from, outcome as usize));
            at = from;
        }
        run.reverse();
        run
    }
}
