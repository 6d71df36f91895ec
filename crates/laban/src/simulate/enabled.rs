//! A set of numbers from which any can be picked by its rank.
//!
//! A binary indexed tree of counts: adding, removing and picking take time logarithmic in the range of the numbers. The
//! order is that of the numbers, whatever came first, so a set that was changed and changed back is the same set.

/// A set of numbers below a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Enabled {
    members: Vec<bool>,
    /// The count at `index` (from 1) is that of the numbers in the stretch of the index's lowest bit which ends there.
    counts: Vec<u32>,
    count: usize,
}

impl Enabled {
    pub(super) fn new(limit: usize) -> Self {
        Enabled { members: vec![false; limit], counts: vec![0; limit + 1], count: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Makes a number a member or not. Returns whether that is new.
    pub(super) fn set(&mut self, number: usize, member: bool) -> bool {
        let Some(before) = self.members.get_mut(number) else { return false };
        if *before == member {
            return false;
        }
        *before = member;
        self.count = if member { self.count + 1 } else { self.count - 1 };
        let mut index = number + 1;
        while let Some(count) = self.counts.get_mut(index) {
            *count = if member { *count + 1 } else { *count - 1 };
            index += lowest_bit(index);
        }
        true
    }

    /// The member that has so many smaller ones.
    pub(super) fn nth(&self, rank: usize) -> Option<usize> {
        if rank >= self.count {
            return None;
        }
        let (mut below, mut left) = (0, rank);
        let mut width = self.members.len().checked_ilog2().map_or(0, |bits| 1_usize << bits);
        while width > 0 {
            if let Some(&count) = self.counts.get(below + width)
                && count as usize <= left
            {
                left -= count as usize;
                below += width;
            }
            width /= 2;
        }
        Some(below)
    }

    /// All members, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.members.iter().enumerate().filter_map(|(number, &member)| member.then_some(number))
    }
}

fn lowest_bit(index: usize) -> usize {
    index & index.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SeededRng;
    use std::collections::BTreeSet;

    #[test]
    fn members_have_the_ranks_that_counting_gives() {
        for limit in [0, 1, 2, 3, 7, 8, 9, 100] {
            let mut rng = SeededRng::new(limit);
            let mut set = Enabled::new(limit as usize);
            let mut twin = BTreeSet::new();
            for _ in 0..300 {
                let number = rng.below(limit as usize);
                let member = rng.below(2) == 0;
                let new = set.set(number, member);
                let twin_new = limit > 0 && if member { twin.insert(number) } else { twin.remove(&number) };
                assert_eq!(new, twin_new);
                assert_eq!(set.len(), twin.len());
                assert!(set.iter().eq(twin.iter().copied()));
                for (rank, &number) in twin.iter().enumerate() {
                    assert_eq!(set.nth(rank), Some(number), "limit {limit}");
                }
                assert_eq!(set.nth(twin.len()), None);
            }
        }
    }
}
