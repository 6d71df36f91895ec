//! Labelled graphs and what can be said of any of them: which nodes behave alike, which lie on a
//! cycle together.
//!
//! Everything here is about a [`Graph`]: nodes with a label each, and an ordered row of edges out
//! of each. The automaton of a process is such a graph, and so is the graph of states that a search
//! has found. [`minimise`] finds the nodes that nobody can tell apart, [`quotient`] merges them,
//! [`strong_components`] finds the cycles, and [`Disjoint`] gathers things that belong together.
//!
//! Labels are numbers that the caller gives out: the module knows nothing of processes, actions or
//! names. It does not recurse, so a chain of a million nodes is as good as any other graph, and
//! what it returns depends on the graph alone, never on the order of a hash table.

mod disjoint;
mod minimise;
mod partition;
mod strong;

#[cfg(test)]
mod tests;

pub(crate) use disjoint::Disjoint;
pub(crate) use minimise::{minimise, minimise_within};
pub(crate) use partition::Partition;
#[cfg(test)]
pub(crate) use partition::quotient;
pub(crate) use strong::strong_components;

/// What [`minimise`] has to know of a graph. Graphs that are large have a form of their own, and this
/// saves a copy of them.
pub(crate) trait Labelled {
    /// The number of nodes.
    fn len(&self) -> usize;

    /// The label of a node.
    fn label(&self, node: u32) -> u64;

    /// Where the edges of a node lead, letter by letter.
    fn successors(&self, node: u32) -> impl ExactSizeIterator<Item = u32> + Clone;
}

impl Labelled for Graph {
    fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn label(&self, node: u32) -> u64 {
        self.nodes[node as usize].label
    }

    #[inline]
    fn successors(&self, node: u32) -> impl ExactSizeIterator<Item = u32> + Clone {
        Graph::successors(self, node).iter().copied()
    }
}

/// A deterministic labelled graph: each node has a label and a row of edges, and the place of an
/// edge in the row is its letter.
///
/// Nodes are numbered from 0 in the order in which they are pushed. An edge may lead to a node that
/// is pushed later, but in the finished graph each edge must lead to a node of the graph; the
/// functions of this module rely on it. A graph holds fewer than `u32::MAX` nodes and at most as
/// many edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    targets: Vec<u32>,
}

/// A label, and where the edges are among the targets of all: what is needed together lies together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    label: u64,
    first: u32,
    past: u32,
}

impl Graph {
    /// A graph without nodes.
    pub(crate) fn new() -> Self {
        Self::with_capacity(0, 0)
    }

    /// A graph without nodes that has room for this many nodes and edges.
    pub(crate) fn with_capacity(nodes: usize, edges: usize) -> Self {
        Self { nodes: Vec::with_capacity(nodes), targets: Vec::with_capacity(edges) }
    }

    /// Adds a node and gives its number. The order of the targets matters: the i-th is where the
    /// i-th letter leads.
    #[inline]
    pub(crate) fn push(&mut self, label: u64, targets: impl IntoIterator<Item = u32>) -> u32 {
        let node = self.nodes.len() as u32;
        let first = self.targets.len() as u32;
        self.targets.extend(targets);
        debug_assert!(node < u32::MAX && self.targets.len() <= u32::MAX as usize, "the graph outgrows its numbers");
        self.nodes.push(Node { label, first, past: self.targets.len() as u32 });
        node
    }

    /// The number of nodes.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The label of a node.
    #[cfg(test)]
    pub(crate) fn label(&self, node: u32) -> u64 {
        self.nodes[node as usize].label
    }

    /// Where the edges of a node lead, letter by letter.
    #[inline]
    pub(crate) fn successors(&self, node: u32) -> &[u32] {
        let Node { first, past, .. } = self.nodes[node as usize];
        &self.targets[first as usize..past as usize]
    }

    /// The nodes, in order.
    #[inline]
    pub(crate) fn nodes(&self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + use<> {
        0..self.nodes.len() as u32
    }
}

/// Whether every edge leads to a node of the graph, as it must once the graph is finished.
pub(crate) fn is_closed(graph: &impl Labelled) -> bool {
    let count = graph.len();
    (0..count as u32).all(|node| graph.successors(node).all(|target| (target as usize) < count))
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}
