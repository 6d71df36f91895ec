//! Strong components: which nodes of a graph lie on a cycle together.
//!
//! Two nodes are in the same component when each can be reached from the other. This is Tarjan's
//! algorithm in the form of Pearce ("A space-efficient algorithm for finding strongly connected
//! components", 2016), with an explicit stack instead of recursion; time is linear. It does not
//! say which cycles a component holds, only that it holds one.

use super::{Graph, is_closed};

/// The strong components of a graph.
///
/// They are numbered against the direction of the edges: an edge never leads from a component to
/// one with a higher number. So a pass over the components in order meets what a node leads to
/// before the node itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StrongComponents {
    /// The component of each node.
    pub(crate) component_of: Vec<u32>,
    /// For each component, whether there is a cycle in it: it has more than one node, or its node
    /// has an edge to itself.
    pub(crate) cyclic: Vec<bool>,
}

impl StrongComponents {
    /// The number of components.
    pub(crate) fn count(&self) -> usize {
        self.cyclic.len()
    }

    /// Whether a node lies on a cycle.
    pub(crate) fn on_cycle(&self, node: u32) -> bool {
        self.cyclic[self.component_of[node as usize] as usize]
    }
}

/// Finds the strong components of a graph, each edge of which must lead to a node of the graph.
pub(crate) fn strong_components(graph: &Graph) -> StrongComponents {
    debug_assert!(is_closed(graph), "an edge leads out of the graph");
    // 0 for a node not met yet; for a node that is in no component yet, the lowest visit it is
    // known to reach, counted from 1; for a node in component c, `u32::MAX - c`. A complete
    // component gives the numbers of its visits back, so the last kind stays above the others and
    // never takes part in a minimum.
    let mut reach = vec![0; graph.len()];
    let mut cyclic = Vec::new();
    let mut next_visit = 1;
    let mut path: Vec<Visit> = Vec::new();
    // Nodes that are done but reach a node on the path, so that their component is still open.
    let mut open: Vec<u32> = Vec::new();

    for start in graph.nodes() {
        if reach[start as usize] != 0 {
            continue;
        }
        let mut visit = Visit::begin(start, &mut next_visit, &mut reach);
        loop {
            let node = visit.node as usize;
            if let Some(&target) = graph.successors(visit.node).get(visit.cursor) {
                if reach[target as usize] == 0 {
                    // The edge is looked at once more on the way back, when it is known what the
                    // target reaches.
                    path.push(visit);
                    visit = Visit::begin(target, &mut next_visit, &mut reach);
                } else {
                    reach[node] = reach[node].min(reach[target as usize]);
                    visit.cursor += 1;
                }
                continue;
            }
            if reach[node] == visit.number {
                let component = u32::MAX - cyclic.len() as u32;
                let mut size = 1;
                while let Some(member) = open.pop_if(|member| reach[*member as usize] >= visit.number) {
                    reach[member as usize] = component;
                    size += 1;
                }
                reach[node] = component;
                next_visit -= size;
                cyclic.push(size > 1 || graph.successors(visit.node).contains(&visit.node));
            } else {
                open.push(visit.node);
            }
            match path.pop() {
                Some(previous) => visit = previous,
                None => break,
            }
        }
    }

    let mut component_of = reach;
    for component in &mut component_of {
        *component = u32::MAX - *component;
    }
    StrongComponents { component_of, cyclic }
}

/// A node on the path from the start, and how many of its edges are done.
struct Visit {
    node: u32,
    number: u32,
    cursor: usize,
}

impl Visit {
    fn begin(node: u32, next_visit: &mut u32, reach: &mut [u32]) -> Self {
        let number = *next_visit;
        *next_visit += 1;
        reach[node as usize] = number;
        Self { node, number, cursor: 0 }
    }
}
