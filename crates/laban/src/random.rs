//! Random numbers from a seed, the same ones forever: for generated networks, random runs and tests.
//!
//! The numbers are the words of the ChaCha stream cipher with eight rounds, which is a published standard. All that is
//! done with them is written out here and uses whole numbers, or the four operations on floating-point numbers, which
//! are the same on every machine. So a seed gives the same bytes on each machine, and with each later version of a
//! library.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct SeededRng(ChaCha8Rng);

impl SeededRng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self::for_purpose(seed, 0)
    }

    /// The stream of a seed for some purpose. Streams of different purposes have nothing to do with each other.
    ///
    /// The key of the cipher is the seed, the purpose and two zeros, each as eight bytes, the lowest first.
    pub fn for_purpose(seed: u64, purpose: u64) -> Self {
        Self::keyed([seed, purpose, 0, 0])
    }

    /// The stream of a whole key.
    pub fn keyed(parts: [u64; 4]) -> Self {
        let mut key = [0; 32];
        for (bytes, part) in key.chunks_exact_mut(8).zip(parts) {
            bytes.copy_from_slice(&part.to_le_bytes());
        }
        SeededRng(ChaCha8Rng::from_seed(key))
    }

    /// The next word of the stream.
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// The next two words as one number, the lower half first.
    pub fn long(&mut self) -> u64 {
        let low = u64::from(self.word());
        low | u64::from(self.word()) << 32
    }

    /// A number below `limit`, each as likely as the others; 0 if there is none.
    ///
    /// Words below the largest multiple of the limit that fits are taken modulo the limit; others are thrown away.
    pub fn below_u32(&mut self, limit: u32) -> u32 {
        if limit < 2 {
            return 0;
        }
        let excess = (u32::MAX % limit + 1) % limit;
        loop {
            let word = self.word();
            if word <= u32::MAX - excess {
                return word % limit;
            }
        }
    }

    /// The same for the numbers of things in memory. There are never as many as would not fit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.below_u32(u32::try_from(limit).unwrap_or(u32::MAX)) as usize
    }

    /// An index of a slice of this length, each as likely as the others; `None` if it is empty.
    pub fn index(&mut self, length: usize) -> Option<usize> {
        (length > 0).then(|| self.below(length))
    }

    /// Whether something of this probability happens. It is compared with a multiple of 2⁻³².
    pub fn happens(&mut self, probability: f64) -> bool {
        probability >= 1.0 || f64::from(self.word()) < probability * 4_294_967_296.0
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True one time in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// True so many times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A number below `limit` other than this one.
    pub fn other_than(&mut self, number: usize, limit: usize) -> usize {
        let other = self.below(limit.saturating_sub(1));
        if other < number { other } else { other + 1 }
    }

    /// One of some things, each as likely as the others; the default one if there are none.
    pub fn pick<T: Copy + Default>(&mut self, from: &[T]) -> T {
        self.index(from.len()).and_then(|index| from.get(index)).copied().unwrap_or_default()
    }

    /// Throws some things into boxes, each thing into any box with the same probability, and counts.
    pub fn scatter(&mut self, things: u32, boxes: &mut [u32]) {
        boxes.fill(0);
        for _ in 0..things {
            if let Some(found) = self.index(boxes.len()) {
                boxes[found] += 1;
            }
        }
    }
}
