//! Small numbers side by side in words.
//!
//! A configuration has one local state for each process. Most processes have few states, so a row of words with as many
//! bits for each process as it takes to number its states is much shorter than a row of numbers. [`Chunks`] keeps many
//! such rows.

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

/// Rows of one width, one after the other. They are in several pieces, so that nothing has to be copied when there are
/// more.
#[derive(Debug)]
pub(crate) struct Chunks {
    width: usize,
    chunks: Vec<Vec<u32>>,
}

const ROWS_PER_CHUNK: usize = 1 << 14;

impl Chunks {
    pub(crate) fn new(width: usize, room: usize) -> Self {
        Chunks { width, chunks: vec![Vec::with_capacity(room.min(ROWS_PER_CHUNK) * width)] }
    }

    #[inline]
    pub(crate) fn row(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = number % ROWS_PER_CHUNK * self.width;
        &self.chunks[number / ROWS_PER_CHUNK][start..start + self.width]
    }

    #[inline]
    pub(crate) fn row_mut(&mut self, number: u32) -> &mut [u32] {
        let number = number as usize;
        let start = number % ROWS_PER_CHUNK * self.width;
        &mut self.chunks[number / ROWS_PER_CHUNK][start..start + self.width]
    }

    #[inline]
    pub(crate) fn push(&mut self, row: &[u32]) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < ROWS_PER_CHUNK * self.width || self.width == 0 => last.extend_from_slice(row),
            _ => self.add_chunk(row),
        }
    }

    #[cold]
    fn add_chunk(&mut self, row: &[u32]) {
        let mut chunk = Vec::with_capacity(ROWS_PER_CHUNK * self.width);
        chunk.extend_from_slice(row);
        self.chunks.push(chunk);
    }

    pub(crate) fn pop(&mut self) {
        if let Some(last) = self.chunks.last_mut() {
            last.truncate(last.len().saturating_sub(self.width));
            if last.is_empty() && self.chunks.len() > 1 {
                self.chunks.pop();
            }
        }
    }
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

    #[test]
    fn rows_are_removed_and_added_across_the_border_of_two_pieces() {
        let mut rows = Chunks::new(2, 0);
        let row = |node: usize| [node as u32, 7];
        let count = ROWS_PER_CHUNK + 2;
        (0..count).for_each(|node| rows.push(&row(node)));
        assert_eq!(rows.chunks.len(), 2);
        for last in (ROWS_PER_CHUNK - 2..count).rev() {
            assert_eq!(rows.row(last as u32), row(last));
            rows.pop();
        }
        (ROWS_PER_CHUNK - 2..count).for_each(|node| rows.push(&row(node)));
        assert_eq!(rows.chunks.iter().map(Vec::len).collect::<Vec<_>>(), [2 * ROWS_PER_CHUNK, 4]);
        (0..count).for_each(|node| assert_eq!(rows.row(node as u32), row(node)));
    }

    #[test]
    fn rows_without_words_take_no_pieces() {
        let mut rows = Chunks::new(0, 0);
        (0..3).for_each(|_| rows.push(&[]));
        assert_eq!(rows.chunks.len(), 1);
    }
}
