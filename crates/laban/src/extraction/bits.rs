//! A set of processes, as bits.

/// A set of numbers below some count. The first of them is found without a look at all.
#[derive(Debug, Clone, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
    /// For each word, whether there is something in it.
    summary: Vec<u64>,
}

impl Bits {
    pub(super) fn new(count: usize) -> Self {
        let words = count.div_ceil(64);
        Bits { words: vec![0; words], summary: vec![0; words.div_ceil(64)] }
    }

    #[inline]
    pub(super) fn set(&mut self, index: u32) {
        let word = index as usize / 64;
        self.words[word] |= 1 << (index % 64);
        self.summary[word / 64] |= 1 << (word % 64);
    }

    #[inline]
    pub(super) fn contains(&self, index: u32) -> bool {
        self.words.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    #[inline]
    pub(super) fn clear(&mut self, index: u32) {
        let at = index as usize / 64;
        let word = &mut self.words[at];
        *word &= !(1 << (index % 64));
        if *word == 0 {
            self.summary[at / 64] &= !(1 << (at % 64));
        }
    }

    pub(super) fn clear_all(&mut self) {
        self.words.fill(0);
        self.summary.fill(0);
    }

    #[inline]
    pub(super) fn first(&self) -> Option<u32> {
        let at = self.summary.iter().position(|&word| word != 0)?;
        let word = at * 64 + self.summary[at].trailing_zeros() as usize;
        Some(word as u32 * 64 + self.words[word].trailing_zeros())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| at as u32 * 64 + rest.trailing_zeros())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SeededRng;
    use std::collections::BTreeSet;

    #[test]
    fn a_set_of_bits_has_what_was_put_into_it_and_not_taken_out() {
        // More than a word of the summary is about.
        for (seed, count) in [(1, 70), (2, 64 * 64 + 70)] {
            let mut rng = SeededRng::new(seed);
            let (mut bits, mut set) = (Bits::new(count), BTreeSet::new());
            for _ in 0..400 {
                let index = rng.below_u32(count as u32);
                match rng.below_u32(3) {
                    0 => {
                        bits.set(index);
                        set.insert(index);
                    }
                    1 => {
                        let index = bits.first().unwrap_or(index);
                        bits.clear(index);
                        set.remove(&index);
                    }
                    _ => assert_eq!(bits.contains(index), set.contains(&index)),
                }
                assert_eq!(bits.first(), set.first().copied());
                assert!(bits.iter().eq(set.iter().copied()));
                assert!(set.iter().all(|&index| bits.contains(index)));
            }
            assert!(!bits.contains(2 * count as u32 + 64));
            bits.clear_all();
            assert_eq!((bits.first(), bits.iter().count()), (None, 0));
        }
    }
}
