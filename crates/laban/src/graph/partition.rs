//! A division of numbered things into classes.
//!
//! It is the answer of [`minimise`](super::minimise) (classes of nodes that behave alike) and of
//! [`Disjoint`](super::Disjoint) (groups of things that were joined). Classes are numbered in the
//! order in which their first members appear, so the numbers say nothing of how the answer was
//! found. A partition does not change once it is made.

use super::Graph;

/// Which class each thing is in, and the first member of each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The class of each thing.
    pub class_of: Vec<u32>,
    /// The first, that is the lowest, member of each class. It is an increasing row.
    pub representatives: Vec<u32>,
}

impl Partition {
    /// The number of classes.
    pub fn class_count(&self) -> usize {
        self.representatives.len()
    }

    /// The members of all classes.
    pub fn members(&self) -> Members {
        let mut offsets = vec![0; self.class_count() + 1];
        for &class in &self.class_of {
            offsets[class as usize + 1] += 1;
        }
        for class in 0..self.class_count() {
            offsets[class + 1] += offsets[class];
        }
        let mut next = offsets.clone();
        let mut nodes = vec![0; self.class_of.len()];
        for (node, &class) in self.class_of.iter().enumerate() {
            let slot = &mut next[class as usize];
            nodes[*slot as usize] = node as u32;
            *slot += 1;
        }
        Members { offsets, nodes }
    }

    /// Numbers the classes, given for each thing some member of its class, the same for all of the
    /// class.
    pub(super) fn from_leaders(mut leaders: Vec<u32>) -> Self {
        const UNNUMBERED: u32 = u32::MAX;
        let mut number = vec![UNNUMBERED; leaders.len()];
        let mut representatives = Vec::new();
        for (node, leader) in leaders.iter_mut().enumerate() {
            let class = &mut number[*leader as usize];
            if *class == UNNUMBERED {
                *class = representatives.len() as u32;
                representatives.push(node as u32);
            }
            *leader = *class;
        }
        Self { class_of: leaders, representatives }
    }
}

/// The members of each class of a [`Partition`], in increasing order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members {
    /// The members of class `c` are `nodes[offsets[c]..offsets[c + 1]]`.
    pub offsets: Vec<u32>,
    /// All things, class by class.
    pub nodes: Vec<u32>,
}

impl Members {
    /// The members of one class.
    pub fn of(&self, class: u32) -> &[u32] {
        let class = class as usize;
        &self.nodes[self.offsets[class] as usize..self.offsets[class + 1] as usize]
    }
}

/// The graph with one node per class, in the order of the classes.
///
/// A class gets the label and the edges of its representative. For the partition that
/// [`minimise`](super::minimise) gives, any member would do as well, and no smaller graph behaves
/// the same.
pub fn quotient(graph: &Graph, partition: &Partition) -> Graph {
    let edges = partition.representatives.iter().map(|&node| graph.successors(node).len()).sum();
    let mut quotient = Graph::with_capacity(partition.class_count(), edges);
    for &node in &partition.representatives {
        let targets = graph.successors(node).iter().map(|&target| partition.class_of[target as usize]);
        quotient.push(graph.label(node), targets);
    }
    quotient
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_numbered_by_their_first_member() {
        let partition = Partition::from_leaders(vec![3, 4, 3, 3, 4, 5]);
        assert_eq!(partition.class_of, [0, 1, 0, 0, 1, 2]);
        assert_eq!(partition.representatives, [0, 1, 5]);
    }

    #[test]
    fn members_are_listed_in_order() {
        let members = Partition::from_leaders(vec![3, 4, 3, 3, 4, 5]).members();
        assert_eq!(members.of(0), [0, 2, 3]);
        assert_eq!(members.of(1), [1, 4]);
        assert_eq!(members.of(2), [5]);
    }

    #[test]
    fn an_empty_partition_has_no_members() {
        let partition = Partition::from_leaders(Vec::new());
        assert_eq!(partition.class_count(), 0);
        assert_eq!(partition.members(), Members { offsets: vec![0], nodes: vec![] });
    }
}
