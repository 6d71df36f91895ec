//! How often each number occurs, and which occurrence has a given rank.
//!
//! A binary indexed tree of counts: changing and picking take time logarithmic in the range of the numbers. The order
//! is that of the numbers, whatever came first, so what was changed and changed back is the same.

/// Numbers below a limit, each any number of times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Enabled {
    /// How often each number occurs.
    times: Vec<u32>,
    /// The count at `index` (from 1) is that of the occurrences in the stretch of the index's lowest bit that ends
    /// there.
    counts: Vec<u32>,
    count: usize,
}

impl Enabled {
    pub(super) fn new(limit: usize) -> Self {
        Enabled { times: vec![0; limit], counts: vec![0; limit + 1], count: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Makes a number occur so often. Returns how often it did before.
    pub(super) fn set(&mut self, number: usize, times: u32) -> u32 {
        let Some(place) = self.times.get_mut(number) else { return times };
        let before = std::mem::replace(place, times);
        if before == times {
            return before;
        }
        self.count = self.count + times as usize - before as usize;
        let mut index = number + 1;
        while let Some(count) = self.counts.get_mut(index) {
            *count = *count + times - before;
            index += lowest_bit(index);
        }
        before
    }

    /// The number whose occurrence has so many before it, and how many of these are of the same number.
    pub(super) fn nth(&self, rank: usize) -> Option<(usize, usize)> {
        if rank >= self.count {
            return None;
        }
        let (mut below, mut left) = (0, rank);
        let mut width = self.times.len().checked_ilog2().map_or(0, |bits| 1_usize << bits);
        while width > 0 {
            if let Some(&count) = self.counts.get(below + width)
                && count as usize <= left
            {
                left -= count as usize;
                below += width;
            }
            width /= 2;
        }
        Some((below, left))
    }

    /// All numbers that occur, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.times.iter().enumerate().filter_map(|(number, &times)| (times > 0).then_some(number))
    }
}

fn lowest_bit(index: usize) -> usize {
    index & index.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SeededRng;

    #[test]
    fn occurrences_have_the_ranks_that_counting_gives() {
        for limit in [0, 1, 2, 3, 7, 8, 9, 100] {
            let mut rng = SeededRng::new(limit);
            let mut set = Enabled::new(limit as usize);
            let mut twin = vec![0; limit as usize];
            for _ in 0..300 {
                let number = rng.below(limit as usize);
                let times = rng.below(4).saturating_sub(1) as u32;
                let before = set.set(number, times);
                match twin.get_mut(number) {
                    Some(place) => assert_eq!(before, std::mem::replace(place, times)),
                    None => assert_eq!(before, times),
                }
                let present = (0..twin.len()).filter(|&number| twin[number] > 0);
                assert!(set.iter().eq(present.clone()));
                let all: Vec<(usize, usize)> =
                    present.flat_map(|number| (0..twin[number] as usize).map(move |within| (number, within))).collect();
                assert_eq!(set.len(), all.len());
                for (rank, &occurrence) in all.iter().enumerate() {
                    assert_eq!(set.nth(rank), Some(occurrence), "limit {limit}");
                }
                assert_eq!(set.nth(all.len()), None);
            }
        }
    }
}
