//! A division of numbered things into classes.
//!
//! It is the answer of [`minimise`](super::minimise) (classes of nodes that behave alike) and of
//! [`Disjoint`](super::Disjoint) (groups of things that were joined). Classes are numbered in the
//! order in which their first members appear, so the numbers say nothing of how the answer was
//! found. A partition does not change once it is made.

#[cfg(test)]
use super::Graph;

/// Which class each thing is in, and the first member of each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Partition {
    /// The class of each thing.
    pub(crate) class_of: Vec<u32>,
    /// The first, that is the lowest, member of each class. It is an increasing row.
    pub(crate) representatives: Vec<u32>,
}

impl Partition {
    /// The number of classes.
    pub(crate) fn class_count(&self) -> usize {
        self.representatives.len()
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

/// The graph with one node per class, in the order of the classes.
///
/// A class gets the label and the edges of its representative. For the partition that
/// [`minimise`](super::minimise) gives, any member would do as well, and no smaller graph behaves
/// the same.
#[cfg(test)]
pub(crate) fn quotient(graph: &Graph, partition: &Partition) -> Graph {
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
    fn an_empty_partition_has_no_classes() {
        let partition = Partition::from_leaders(Vec::new());
        assert_eq!(partition.class_count(), 0);
    }
}
