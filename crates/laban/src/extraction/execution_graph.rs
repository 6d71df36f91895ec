//! Symbolic execution graphs: what a search finds.
//!
//! A node is a joint state that was reached, but nothing of the state is left in it: only the action that was chosen
//! there and an edge for each of its outcomes. That is all that a choreography is made of, and all that a run is made
//! of. The edges of a node lie next to each other in one list, so a node can have any number of them.

use super::machine::ActionId;
use crate::graph::Labelled;
use crate::semantics::{Action, Step};
use std::collections::VecDeque;

/// The node has no action: all is done there, or it has not been expanded.
const STOP: u32 = u32::MAX;
/// Marks the action of a node with several edges. There are fewer actions than that.
const FORK: u32 = 1 << 31;
/// No node has this number, or a higher one.
pub(super) const NOWHERE: u32 = (1 << 31) - 1;

/// A node: the action that was chosen, and its edge. If it has several, they are in the list of edges, behind their
/// number, and this is where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Node {
    action: u32,
    edge: Edge,
}

impl Node {
    const NEW: Node = Node { action: STOP, edge: Edge::NONE };

    fn action(self) -> u32 {
        if self.action == STOP { STOP } else { self.action & !FORK }
    }
}

/// Where an outcome of an action leads, and whether the marking is erased on the way. In four bytes, since there are
/// as many as nodes and more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge(u32);

impl Edge {
    const NONE: Edge = Edge(u32::MAX);

    /// An edge to a node; it erases the marking if everyone has acted, stopped or is a service.
    pub fn new(target: u32, erases: bool) -> Self {
        Edge(target << 1 | u32::from(erases))
    }

    /// The node it leads to.
    #[inline]
    pub fn target(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the marking is erased on the way.
    #[inline]
    pub fn erases(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A symbolic execution graph. Its first node is where the network starts.
#[derive(Debug, Clone, Default)]
pub struct ExecutionGraph {
    actions: Vec<Action>,
    nodes: Vec<Node>,
    /// For each node with several edges, their number and then the edges.
    edges: Vec<Edge>,
}

impl ExecutionGraph {
    /// A graph without nodes, with room for some, whose nodes will have some of these actions.
    pub(super) fn with_capacity(actions: Vec<Action>, room: usize) -> Self {
        ExecutionGraph { actions, nodes: Vec::with_capacity(room), edges: Vec::new() }
    }

    /// A graph with these nodes: for each the action that was chosen, if there is one, and its edges.
    ///
    /// Nothing if an edge leads to no node, or an action has no description.
    pub fn new(actions: Vec<Action>, nodes: &[(Option<ActionId>, &[Edge])]) -> Option<Self> {
        let mut graph = ExecutionGraph::with_capacity(actions, nodes.len());
        let known_action = |action: &ActionId| (action.0 as usize) < graph.actions.len();
        let known_node = |edge: &Edge| (edge.target() as usize) < nodes.len();
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
        self.nodes.push(Node::NEW);
        self.nodes.len() as u32 - 1
    }

    /// Chooses the action of a node. Its edges must be added before another node's action is chosen.
    #[inline]
    pub(super) fn choose(&mut self, node: u32, action: u32) {
        self.nodes[node as usize] = Node { action, ..Node::NEW };
    }

    /// Adds an edge to the node whose action was chosen last: the next outcome.
    #[inline]
    pub(super) fn connect(&mut self, node: u32, edge: Edge) {
        let Node { action, edge: known } = &mut self.nodes[node as usize];
        if *known == Edge::NONE {
            *known = edge;
        } else if *action & FORK == 0 {
            let place = Edge(self.edges.len() as u32);
            self.edges.extend([Edge(2), *known, edge]);
            *known = place;
            *action |= FORK;
        } else {
            self.edges.push(edge);
            self.edges[known.0 as usize].0 += 1;
        }
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
        self.nodes.get(node as usize).filter(|node| node.action != STOP).map(|node| ActionId(node.action()))
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
        self.edges(node).iter().map(|edge| edge.target())
    }

    /// Whether the marking is erased when the action of a node has this outcome.
    pub fn erases(&self, node: u32, outcome: usize) -> bool {
        self.edges(node).get(outcome).is_some_and(|edge| edge.erases())
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
            reduced.choose(node, self.nodes[representative as usize].action());
            for edge in self.edges(representative) {
                reduced.connect(node, Edge::new(class_of[edge.target() as usize], edge.erases()));
            }
        }
        ExecutionGraph { actions: self.actions, ..reduced }
    }

    /// For each node its action and its edges.
    pub(super) fn described(&self) -> impl Iterator<Item = (Option<&Action>, &[Edge])> {
        self.nodes.iter().map(|node| (self.actions.get(node.action() as usize), self.edges_of(node)))
    }

    #[inline]
    fn edges_of<'a>(&'a self, node: &'a Node) -> &'a [Edge] {
        if node.edge == Edge::NONE {
            return &[];
        }
        if node.action & FORK == 0 {
            return std::slice::from_ref(&node.edge);
        }
        let at = node.edge.0 as usize;
        let count = self.edges[at].0 as usize;
        &self.edges[at + 1..at + 1 + count]
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

/// Nodes without an action have the same label.
impl Labelled for ExecutionGraph {
    fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn label(&self, node: u32) -> u64 {
        u64::from(self.nodes[node as usize].action())
    }

    #[inline]
    fn successors(&self, node: u32) -> impl ExactSizeIterator<Item = u32> + Clone {
        self.edges_of(&self.nodes[node as usize]).iter().map(|edge| edge.target())
    }
}
