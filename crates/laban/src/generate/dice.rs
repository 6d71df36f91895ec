//! Random numbers that stay the same forever.
//!
//! The numbers are the words of the ChaCha stream cipher with eight rounds, which is a published standard. All that is
//! done with them is written out here and uses whole numbers, or the four operations on floating-point numbers, which
//! are the same on every machine. So a seed gives the same bytes on each machine, and with each later version of a
//! library.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The stream of a seed for some purpose. Streams of different purposes have nothing to do with each other.
    ///
    /// The key of the cipher is the seed, the purpose and two zeros, each as eight bytes, the lowest first.
    pub fn new(seed: u64, purpose: u64) -> Self {
        Self::keyed([seed, purpose, 0, 0])
    }

    /// The stream of a whole key.
    pub fn keyed(parts: [u64; 4]) -> Self {
        let mut key = [0; 32];
        for (bytes, part) in key.chunks_exact_mut(8).zip(parts) {
            bytes.copy_from_slice(&part.to_le_bytes());
        }
        Dice(ChaCha8Rng::from_seed(key))
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
    pub fn below(&mut self, limit: u32) -> u32 {
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

    /// An index of a slice of this length, each as likely as the others; `None` if it is empty.
    pub fn index(&mut self, length: usize) -> Option<usize> {
        (length > 0).then(|| self.below(u32::try_from(length).unwrap_or(u32::MAX)) as usize)
    }

    /// Whether something of this probability happens. It is compared with a multiple of 2⁻³².
    pub fn happens(&mut self, probability: f64) -> bool {
        probability >= 1.0 || f64::from(self.word()) < probability * 4_294_967_296.0
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
