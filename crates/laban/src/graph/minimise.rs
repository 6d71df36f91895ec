//! Which nodes of a graph behave alike: the coarsest bisimulation.
//!
//! Two nodes are alike when they have the same label, the same number of edges, and their i-th
//! edges lead to nodes that are alike; in other words, when unfolding the graph from either gives
//! the same tree. Nodes from which no cycle can be reached have finite trees, and these are
//! compared bottom-up: each node is looked up by its label and the classes of its successors
//! ("hash-consing"). The rest have infinite trees, so none of them is like one of the first kind.
//! They are told apart top-down: first by their first few steps, then, where that leaves a doubt,
//! in [`refine`]. Together it takes O(m log n) for m edges and n nodes, and linear time where there
//! are no cycles.
//!
//! This does not merge anything (see [`quotient`](super::quotient)) and it does not drop nodes that
//! cannot be reached: a graph has no start.

mod refine;

use super::{Labelled, Partition, is_closed};
use crate::index::{Index, mix};

/// Finds the nodes that behave alike, in a graph each edge of which leads to a node of the graph.
pub(crate) fn minimise(graph: &impl Labelled) -> Partition {
    minimise_after(LOOKS, graph, |_| 0)
}

/// The same where it does not matter whether nodes of several groups are alike, given a node of its
/// group for each. No edge may lead from one group to another. Nodes from which no cycle can be
/// reached are compared across groups all the same; for the others it saves much comparing.
pub(crate) fn minimise_within(graph: &impl Labelled, group_of: impl Fn(u32) -> u32) -> Partition {
    minimise_after(LOOKS, graph, group_of)
}

/// The same, after looking at each node this often, at least once.
pub(super) fn minimise_after<G: Labelled>(looks: usize, graph: &G, group_of: impl Fn(u32) -> u32) -> Partition {
    debug_assert!(is_closed(graph), "an edge leads out of the graph");
    if is_row(graph) {
        let nodes: Vec<u32> = (0..graph.len() as u32).collect();
        return Partition { class_of: nodes.clone(), representatives: nodes };
    }
    let mut consing = Consing::new(graph);
    let unsettled = consing.sweep();
    if !unsettled.is_empty() {
        let mut residue = Residue::new(graph, unsettled, &consing.leaders);
        consing.peel(&mut residue);
        if residue.has_cycle() && !consing.look_ahead(looks, &residue, group_of) {
            refine::refine(&residue, &mut consing.leaders);
        }
    }
    Partition::from_leaders(consing.leaders)
}

/// Whether each node leads to the one after it, but for the last, which leads nowhere. Then no two
/// are alike, since none has as far to go as another.
fn is_row(graph: &impl Labelled) -> bool {
    (0..graph.len() as u32).all(|node| {
        let mut successors = graph.successors(node);
        match (successors.len(), successors.next()) {
            (0, _) => node as usize + 1 == graph.len(),
            (1, Some(next)) => next == node + 1,
            _ => false,
        }
    })
}

/// The leader of a node whose class is not known yet.
const UNSETTLED: u32 = u32::MAX;

/// How often to look at each node, on average, before the refinement proper. Most graphs are done by
/// then, at a fraction of its cost; a fixed number keeps the whole within its bound for those that
/// are not.
const LOOKS: usize = 6;

/// Finds nodes by their label and the classes of their successors.
struct Consing<'graph, G> {
    graph: &'graph G,
    /// For each node, the node that stands for its class, or [`UNSETTLED`].
    leaders: Vec<u32>,
    /// The leaders.
    index: Index,
}

impl<'graph, G: Labelled> Consing<'graph, G> {
    fn new(graph: &'graph G) -> Self {
        // A large graph often has few classes.
        let room = graph.len().min(1 << 16);
        Self { graph, leaders: vec![UNSETTLED; graph.len()], index: Index::with_capacity(room) }
    }

    /// Settles what one pass from the last node to the first can settle, and gives the nodes that
    /// it cannot. Where nodes come before their successors, as in most graphs that a search has
    /// built, that leaves only nodes that reach a cycle.
    fn sweep(&mut self) -> Vec<u32> {
        let mut unsettled = Vec::new();
        for node in (0..self.graph.len() as u32).rev() {
            match self.find(node) {
                Some(leader) => self.leaders[node as usize] = leader,
                None => unsettled.push(node),
            }
        }
        unsettled
    }

    /// Settles every other node that does not reach a cycle, successors first.
    fn peel(&mut self, residue: &mut Residue) {
        let mut ready: Vec<u32> = (0..residue.nodes.len() as u32).filter(|&place| !residue.is_cyclic(place)).collect();
        while let Some(place) = ready.pop() {
            let node = residue.nodes[place as usize];
            if let Some(leader) = self.find(node) {
                self.leaders[node as usize] = leader;
            }
            let edges = residue.incoming_range(place);
            for &edge in &residue.incoming[edges] {
                let source = residue.sources[edge as usize];
                let pending = &mut residue.pending[source as usize];
                *pending -= 1;
                if *pending == 0 {
                    ready.push(source);
                }
            }
        }
    }

    /// Tells the nodes that reach a cycle apart by what they do in their first few steps, and says
    /// whether that is all there is to tell. Their leaders are then those of nodes that agree so
    /// far. Each round compares one step more, of those that are still like some other; there are
    /// as many rounds as can be had for looking at each node a given number of times.
    fn look_ahead(&mut self, looks: usize, residue: &Residue, group_of: impl Fn(u32) -> u32) -> bool {
        let mut nodes: Vec<u32> = residue.cyclic_places().map(|place| residue.nodes[place as usize]).collect();
        let mut looks = looks * nodes.len();
        let mut fresh = Vec::with_capacity(nodes.len());
        // For each leader, whether another node has it.
        let mut shared = vec![false; self.graph.len()];
        // No step has been compared yet: the nodes of each group are all alike.
        let mut classes = 0;
        let mut first_of = vec![UNSETTLED; self.graph.len()];
        for &node in &nodes {
            let first = &mut first_of[group_of(node) as usize];
            if *first == UNSETTLED {
                *first = node;
                classes += 1;
            }
            self.leaders[node as usize] = *first;
        }
        drop(first_of);
        while nodes.len() <= looks {
            looks -= nodes.len();
            // As large as what is in it, or emptying it would cost more than a round.
            self.index = Index::with_capacity(nodes.len());
            fresh.clear();
            for &node in &nodes {
                let leader = self.find(node).unwrap_or(node);
                shared[leader as usize] = leader != node;
                fresh.push(leader);
            }
            for (&leader, &node) in fresh.iter().zip(&nodes) {
                self.leaders[node as usize] = leader;
            }
            // If nothing was told apart, nothing ever will be.
            let before = std::mem::replace(&mut classes, self.index.len());
            if classes == before {
                return true;
            }
            // Who is alone stays alone.
            nodes.retain(|&node| shared[self.leaders[node as usize] as usize]);
            classes -= fresh.len() - nodes.len();
            if nodes.is_empty() {
                return true;
            }
        }
        false
    }

    /// The first node that was looked for and has the label of this one and successors with the
    /// same leaders; `None` if one of them is not settled.
    #[inline]
    fn find(&mut self, node: u32) -> Option<u32> {
        let Self { graph, leaders, index } = self;
        let (label, successors) = (graph.label(node), graph.successors(node));
        let mut hash = mix(0, label);
        for target in successors.clone() {
            let leader = leaders[target as usize];
            if leader == UNSETTLED {
                return None;
            }
            hash = mix(hash, u64::from(leader));
        }
        let leader = |target: u32| leaders[target as usize];
        let alike = |other: u32| {
            let others = graph.successors(other);
            graph.label(other) == label
                && others.len() == successors.len()
                && others.zip(successors.clone()).all(|(other, target)| leader(other) == leader(target))
        };
        Some(index.find_or_insert(hash, node, alike))
    }
}

/// The nodes that a sweep leaves unsettled, with the edges between them turned round. A place is a
/// position in `nodes`; an edge is a position in `sources`.
struct Residue {
    nodes: Vec<u32>,
    /// For each place, how many of its edges lead to unsettled nodes. When peeling is done, it is 0
    /// for the places that reach no cycle.
    pending: Vec<u32>,
    /// For each edge, the place it comes from and its letter there.
    sources: Vec<u32>,
    letters: Vec<u32>,
    /// The edges into place `p` are `incoming[incoming_offsets[p]..incoming_offsets[p + 1]]`.
    incoming_offsets: Vec<u32>,
    incoming: Vec<u32>,
}

impl Residue {
    fn new(graph: &impl Labelled, nodes: Vec<u32>, leaders: &[u32]) -> Self {
        let mut place_of = vec![0; graph.len()];
        for (place, &node) in nodes.iter().enumerate() {
            place_of[node as usize] = place as u32;
        }
        // These are as large as anything else there is; room that is not used costs nothing, but to grow does.
        let edges = nodes.iter().map(|&node| graph.successors(node).len()).sum();
        let mut sources = Vec::with_capacity(edges);
        let mut letters = Vec::with_capacity(edges);
        let mut heads = Vec::with_capacity(edges);
        let mut pending = Vec::with_capacity(nodes.len());
        // Counted two to the right, so that filling below moves each offset to where it belongs.
        let mut incoming_offsets = vec![0; nodes.len() + 2];
        for (place, &node) in nodes.iter().enumerate() {
            let before = sources.len();
            for (letter, target) in graph.successors(node).enumerate() {
                if leaders[target as usize] == UNSETTLED {
                    let head = place_of[target as usize];
                    sources.push(place as u32);
                    letters.push(letter as u32);
                    heads.push(head);
                    incoming_offsets[head as usize + 2] += 1;
                }
            }
            pending.push((sources.len() - before) as u32);
        }
        drop(place_of);
        for place in 1..incoming_offsets.len() {
            incoming_offsets[place] += incoming_offsets[place - 1];
        }
        let mut incoming = vec![0; sources.len()];
        for (edge, &head) in heads.iter().enumerate() {
            let slot = &mut incoming_offsets[head as usize + 1];
            incoming[*slot as usize] = edge as u32;
            *slot += 1;
        }
        Self { nodes, pending, sources, letters, incoming_offsets, incoming }
    }

    fn incoming_range(&self, place: u32) -> std::ops::Range<usize> {
        let place = place as usize;
        self.incoming_offsets[place] as usize..self.incoming_offsets[place + 1] as usize
    }

    fn incoming(&self, place: u32) -> &[u32] {
        &self.incoming[self.incoming_range(place)]
    }

    fn is_cyclic(&self, place: u32) -> bool {
        self.pending[place as usize] != 0
    }

    fn has_cycle(&self) -> bool {
        self.pending.iter().any(|&pending| pending != 0)
    }

    /// The places that reach a cycle, once peeling is done.
    fn cyclic_places(&self) -> impl Iterator<Item = u32> + Clone {
        (0..self.nodes.len() as u32).filter(|&place| self.is_cyclic(place))
    }
}
