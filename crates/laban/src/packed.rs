//! Small numbers side by side in words.
//!
//! A configuration has one local state for each process. Most processes have few states, so a row of words with as many
//! bits for each process as it takes to number its states is much shorter than a row of numbers.

use std::ops::Range;

/// Where a number is in a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) word: u32,
    shift: u32,
    mask: u32,
    /// The least number it can have, which is 0 in the row.
    first: u32,
}

impl Cell {
    /// The number in a row.
    #[inline]
    pub(crate) fn get(self, row: &[u32]) -> u32 {
        self.first + (row[self.word as usize] >> self.shift & self.mask)
    }

    /// Puts a number in place of another one.
    #[inline(always)]
    pub(crate) fn replace(self, row: &mut [u32], old: u32, new: u32) {
        row[self.word as usize] ^= ((old - self.first) ^ (new - self.first)) << self.shift;
    }

    /// Puts a number where there was none: the bits are still 0.
    #[inline]
    pub(crate) fn put(self, row: &mut [u32], number: u32) {
        self.replace(row, self.first, number);
    }
}

/// Where numbers in these ranges go, and how many words they take.
pub(crate) fn cells(ranges: impl ExactSizeIterator<Item = Range<u32>>) -> (Vec<Cell>, usize) {
    let mut cells = Vec::with_capacity(ranges.len());
    let (mut word, mut shift) = (0, 0);
    for range in ranges {
        let most = (range.end - range.start).saturating_sub(1);
        let bits = u32::BITS - most.leading_zeros();
        if shift + bits > u32::BITS {
            word += 1;
            shift = 0;
        }
        // What takes no bits may come behind a full word.
        let mask = u32::MAX.checked_shr(u32::BITS - bits).unwrap_or(0);
        cells.push(Cell { word, shift: shift % u32::BITS, mask, first: range.start });
        shift += bits;
    }
    (cells, word as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SeededRng;

    #[test]
    fn numbers_come_back_as_they_were() {
        for seed in 0..2_000 {
            let mut rng = SeededRng::new(seed);
            let range = |rng: &mut SeededRng| {
                let first = rng.below_u32(1000);
                let bits = rng.below_u32(31);
                let count = 1 + rng.below_u32(1 << bits);
                first..first + count
            };
            let ranges: Vec<Range<u32>> = (0..1 + rng.below_u32(40)).map(|_| range(&mut rng)).collect();
            let (cells, words) = cells(ranges.iter().cloned());
            let mut row = vec![0; words];
            let some = |rng: &mut SeededRng, range: &Range<u32>| range.start + rng.below_u32(range.end - range.start);
            let mut numbers: Vec<u32> = ranges.iter().map(|range| some(&mut rng, range)).collect();
            cells.iter().zip(&numbers).for_each(|(cell, &number)| cell.put(&mut row, number));
            for _ in 0..50 {
                let at = rng.below_u32(cells.len() as u32) as usize;
                let new = some(&mut rng, &ranges[at]);
                cells[at].replace(&mut row, numbers[at], new);
                numbers[at] = new;
                let read: Vec<u32> = cells.iter().map(|cell| cell.get(&row)).collect();
                assert_eq!(read, numbers, "seed {seed}: {ranges:?}");
            }
        }
    }
}
