//! A table that finds numbered things by their hash.
//!
//! Names, actions, nodes of a graph and states of a search are all kept the same way: the things lie in an arena of
//! their owner, and what is looked up is their number. A slot holds a number and half of the hash of its thing, in
//! eight bytes; it is tried first where the hash says and then in the slots that follow. A hash never decides alone:
//! the owner compares what has the same hash in full.

/// Numbers below `u32::MAX`, by hash.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    /// A half of a hash, then the number.
    slots: Vec<u64>,
    count: usize,
}

const EMPTY: u64 = u64::MAX;
const FEWEST_SLOTS: usize = 16;
/// A table with so many slots is large.
const LARGE: usize = 1 << 20;

impl Default for Index {
    fn default() -> Self {
        Index::with_capacity(0)
    }
}

impl Index {
    /// An empty table with room for this many numbers.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Index { slots: vec![EMPTY; (count + count / 2 + 2).max(FEWEST_SLOTS)], count: 0 }
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Forgets all numbers.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.count = 0;
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    /// A number with this hash that is the one looked for.
    #[inline(always)]
    pub(crate) fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let half = hash >> 32;
        let mut at = home(half, self.slots.len());
        loop {
            let slot = self.slots[at];
            if slot == EMPTY {
                return None;
            }
            if slot >> 32 == half && is_it(slot as u32) {
                return Some(slot as u32);
            }
            at = next(at, self.slots.len());
        }
    }

    /// A number with this hash that is the one looked for; if there is none, this one is added.
    #[inline(always)]
    pub(crate) fn find_or_insert(&mut self, hash: u64, number: u32, mut is_it: impl FnMut(u32) -> bool) -> u32 {
        self.make_room();
        let half = hash >> 32;
        let mut at = home(half, self.slots.len());
        loop {
            let slot = self.slots[at];
            if slot == EMPTY {
                self.slots[at] = half << 32 | u64::from(number);
                self.count += 1;
                return number;
            }
            if slot >> 32 == half && is_it(slot as u32) {
                return slot as u32;
            }
            at = next(at, self.slots.len());
        }
    }

    /// Adds a number.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64, number: u32) {
        self.make_room();
        self.count += 1;
        put(&mut self.slots, hash >> 32 << 32 | u64::from(number));
    }

    /// Removes a number, if it is there.
    pub(crate) fn remove(&mut self, hash: u64, number: u32) {
        let count = self.slots.len();
        let wanted = hash >> 32 << 32 | u64::from(number);
        let mut hole = home(hash >> 32, count);
        while self.slots[hole] != wanted {
            if self.slots[hole] == EMPTY {
                return;
            }
            hole = next(hole, count);
        }
        self.count -= 1;
        // What was put further on because this slot was taken moves up, or it would not be found any more.
        let mut at = next(hole, count);
        while self.slots[at] != EMPTY {
            let from_home = |place: usize| (place + count - home(self.slots[at] >> 32, count)) % count;
            if from_home(hole) < from_home(at) {
                self.slots[hole] = self.slots[at];
                hole = at;
            }
            at = next(at, count);
        }
        self.slots[hole] = EMPTY;
    }

    #[inline]
    fn make_room(&mut self) {
        if (self.count + 1) * 3 > self.slots.len() * 2 {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        // While a table grows there are two of it, so a large one grows by less.
        let count = self.slots.len();
        let mut slots = vec![EMPTY; if count < LARGE { 2 * count } else { count + count / 2 }];
        for &slot in self.slots.iter().filter(|&&slot| slot != EMPTY) {
            put(&mut slots, slot);
        }
        self.slots = slots;
    }
}

/// Where a number with this half of a hash would be.
#[inline]
fn home(half: u64, count: usize) -> usize {
    ((half * count as u64) >> 32) as usize
}

#[inline]
fn next(at: usize, count: usize) -> usize {
    if at + 1 == count { 0 } else { at + 1 }
}

#[inline]
fn put(slots: &mut [u64], slot: u64) {
    let mut at = home(slot >> 32, slots.len());
    while slots[at] != EMPTY {
        at = next(at, slots.len());
    }
    slots[at] = slot;
}

/// Adds a word to a hash. Every bit of the result depends on every bit of both.
#[inline]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd1b5_4a32_d192_ed03;
    product as u64 ^ (product >> 64) as u64
}

/// Spreads the bits of a number over all of it (the output function of SplitMix64).
#[inline]
pub(crate) fn spread(mut number: u64) -> u64 {
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_until_they_are_removed() {
        // Few different hashes, so that numbers push each other away, also round the end.
        for spread in [1, 3, 1000] {
            let hash = |number: u32| mix(0, u64::from(number % spread)) | 0xffff_0000 << 32;
            let mut index = Index::default();
            for number in 0..300 {
                index.insert(hash(number), number);
            }
            assert_eq!(index.len(), 300);
            for gone in 0..300 {
                let gone = gone * 7 % 300;
                index.remove(hash(gone), gone);
                index.remove(hash(gone), gone);
                assert_eq!(index.find(hash(gone), |number| number == gone), None);
                for step in 1..20 {
                    let other = (gone + step * 7) % 300;
                    let there = index.find(hash(other), |number| number == other).is_some();
                    assert_eq!(there, gone * 43 % 300 + step < 300, "{spread} {gone} {other}");
                }
            }
            assert_eq!(index.len(), 0);
            assert_eq!(index.find(0, |_| true), None);
        }
    }
}
