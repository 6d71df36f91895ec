//! Disjoint sets that can be joined: who belongs together, when one learns it a pair at a time.
//!
//! The usual forest, with path halving and union by size, so that a long row of operations costs
//! next to nothing each. Sets are never taken apart again, and the root of a set does not name it:
//! it depends on the order of the unions. Use [`groups`](Disjoint::groups) for numbers that do not.

use super::Partition;

/// Numbers from 0, each in exactly one set; at first each is alone.
#[derive(Clone, Debug)]
pub(crate) struct Disjoint {
    parents: Vec<u32>,
    /// The size of the set, at its root; elsewhere out of date.
    sizes: Vec<u32>,
}

impl Disjoint {
    /// The numbers below `count`, each alone.
    pub(crate) fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect(), sizes: vec![1; count] }
    }

    /// The root of the set of an element: the same for two elements exactly when they are in the
    /// same set.
    pub(crate) fn find(&mut self, element: u32) -> u32 {
        let mut element = element;
        loop {
            let parent = self.parents[element as usize];
            if parent == element {
                return element;
            }
            let grandparent = self.parents[parent as usize];
            self.parents[element as usize] = grandparent;
            element = grandparent;
        }
    }

    /// Joins the sets of two elements, and says whether they were apart.
    #[inline]
    pub(crate) fn union(&mut self, left: u32, right: u32) -> bool {
        let (left, right) = (self.find(left), self.find(right));
        if left == right {
            return false;
        }
        let (root, child) =
            if self.sizes[left as usize] < self.sizes[right as usize] { (right, left) } else { (left, right) };
        self.parents[child as usize] = root;
        self.sizes[root as usize] += self.sizes[child as usize];
        true
    }

    /// The sets, numbered in the order of their first elements.
    pub(crate) fn groups(&mut self) -> Partition {
        Partition::from_leaders((0..self.parents.len() as u32).map(|element| self.find(element)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SeededRng;

    #[test]
    fn everything_is_alone_at_first() {
        let mut sets = Disjoint::new(3);
        assert_eq!(sets.groups().class_of, [0, 1, 2]);
    }

    #[test]
    fn a_union_says_whether_the_sets_were_apart() {
        let mut sets = Disjoint::new(3);
        assert!(sets.union(0, 2));
        assert!(!sets.union(2, 0));
        assert!(!sets.union(1, 1));
    }

    #[test]
    fn groups_are_numbered_by_their_first_element_whatever_the_order_of_unions() {
        for pairs in [[(5, 3), (3, 1), (0, 4)], [(0, 4), (1, 5), (5, 3)], [(4, 0), (1, 3), (1, 5)]] {
            let mut sets = Disjoint::new(6);
            for (left, right) in pairs {
                sets.union(left, right);
            }
            let groups = sets.groups();
            assert_eq!(groups.class_of, [0, 1, 2, 1, 0, 1]);
            assert_eq!(groups.representatives, [0, 1, 2]);
        }
    }

    #[test]
    fn agrees_with_relabelling_by_hand() {
        for seed in 0..500 {
            let mut rng = SeededRng::new(seed);
            let count = 1 + rng.below_u32(20);
            let mut sets = Disjoint::new(count as usize);
            let mut leaders: Vec<u32> = (0..count).collect();
            for _ in 0..rng.below_u32(20) {
                let (left, right) = (rng.below_u32(count), rng.below_u32(count));
                let (from, to) = (leaders[left as usize], leaders[right as usize]);
                assert_eq!(sets.union(left, right), from != to, "seed {seed}");
                for leader in leaders.iter_mut().filter(|leader| **leader == from) {
                    *leader = to;
                }
            }
            assert_eq!(sets.groups(), Partition::from_leaders(leaders), "seed {seed}");
        }
    }
}
