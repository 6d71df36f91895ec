//! The shape of a choreography: how many actions and conditionals lie where, and how the bodies end.
//!
//! A body is made of *blocks*: some interactions, and then the end or a conditional. What a block holds behind a
//! conditional is thrown into three blocks: a *shared* one, which both branches do first, and one for each branch. A
//! shared block does not end but falls through to the branch that it is done in.
//!
//! Whether all procedures can be reached depends on the conditionals and the ends only, so these come first and the
//! rest is thrown only for shapes that will do. Everything thrown is independent, so that is the same as making whole
//! choreographies until one will do, and it takes far less time: with 15 procedures and no conditional, one in a
//! million will do.

use super::parameters::{MOST_ATTEMPTS, MOST_TERMS, Parameters, Refusal};
use crate::random::SeededRng;

/// A piece of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// The conditionals in it, with those of the blocks behind.
    conditionals: u32,
    /// The interactions in it before its end; until they are placed, with those of the blocks behind.
    pub(super) interactions: u32,
    /// What comes then.
    pub(super) after: After,
}

/// How a block ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum After {
    /// With the end: `stop`, or the call of the procedure of this number, from 0.
    End(Option<u32>),
    /// With the branch that the block is shared by.
    FallThrough,
    /// With a conditional. Both branches do the shared block first; the three blocks are one behind the other.
    Fork {
        /// The number of the shared block. That of `then` follows, then that of `else`.
        shared: usize,
    },
}

/// The blocks of all bodies.
#[derive(Debug)]
pub(super) struct Shape {
    /// All blocks, each before the blocks behind it.
    pub(super) blocks: Vec<Block>,
    /// The first block of each body: of `main` first, then of each procedure.
    pub(super) bodies: Vec<usize>,
    /// How many terms it takes to write all bodies down.
    pub(super) terms: usize,
}

impl Shape {
    /// Throws shapes until one will do.
    pub(super) fn draw(parameters: &Parameters, rng: &mut SeededRng) -> Result<Shape, Refusal> {
        let procedures = parameters.procedures as usize;
        let interactions = parameters.size - parameters.ifs;
        let chances = covering_chances(interactions, parameters.procedures);
        let best = chances[procedures.saturating_sub(parameters.ifs as usize)];
        if best <= 0.0 {
            return Err(Refusal::TooRare);
        }
        let mut shape = Shape { blocks: Vec::new(), bodies: Vec::new(), terms: 0 };
        let mut counts = vec![0; procedures + 1];
        for _ in 0..MOST_ATTEMPTS {
            rng.scatter(parameters.ifs, &mut counts);
            // Procedures without conditionals will need an interaction. A shape is given up now with the probability
            // with which throwing the interactions would miss some, in proportion to the best case.
            let bare = counts.iter().skip(1).filter(|&&count| count == 0).count();
            if !rng.happens(chances[bare] / best) || !shape.reach_all(&counts, rng) {
                continue;
            }
            if !shape.place_interactions(interactions, &mut counts, rng) {
                return Err(Refusal::TooRare);
            }
            let terms = shape.count_terms();
            if terms <= MOST_TERMS as f64 {
                shape.terms = terms as usize;
                return Ok(shape);
            }
        }
        Err(Refusal::TooRare)
    }

    /// Makes the blocks of `main`, and of each procedure when it is first called, and says whether all were.
    fn reach_all(&mut self, conditionals: &[u32], rng: &mut SeededRng) -> bool {
        const UNREACHED: usize = usize::MAX;
        self.blocks.clear();
        self.bodies.clear();
        self.bodies.resize(conditionals.len(), UNREACHED);
        self.bodies[0] = 0;
        self.blocks.push(Block { conditionals: conditionals[0], interactions: 0, after: After::End(None) });
        let mut reached = 1;
        let mut next = 0;
        while let Some(&block) = self.blocks.get(next) {
            if block.conditionals > 0 {
                let mut parts = [0; 3];
                rng.scatter(block.conditionals - 1, &mut parts);
                let shared = self.blocks.len();
                let afters = [After::FallThrough, block.after, block.after];
                for (conditionals, after) in parts.into_iter().zip(afters) {
                    self.blocks.push(Block { conditionals, interactions: 0, after });
                }
                self.blocks[next].after = After::Fork { shared };
            } else if let After::End(_) = block.after {
                let procedure = rng.below_u32(conditionals.len() as u32).checked_sub(1);
                self.blocks[next].after = After::End(procedure);
                if let Some(number) = procedure {
                    let body = number as usize + 1;
                    if self.bodies[body] == UNREACHED {
                        self.bodies[body] = self.blocks.len();
                        let conditionals = conditionals[body];
                        self.blocks.push(Block { conditionals, interactions: 0, after: After::End(None) });
                        reached += 1;
                    }
                }
            }
            next += 1;
        }
        reached == conditionals.len()
    }

    /// Throws the interactions into the bodies, until no procedure is empty, and from there into the blocks.
    fn place_interactions(&mut self, interactions: u32, counts: &mut [u32], rng: &mut SeededRng) -> bool {
        let filled = |shape: &Shape, counts: &[u32]| {
            let holds = |(&count, &body): (&u32, &usize)| count > 0 || shape.blocks[body].conditionals > 0;
            counts.iter().zip(&shape.bodies).skip(1).all(holds)
        };
        let mut attempts = 0;
        loop {
            rng.scatter(interactions, counts);
            attempts += 1;
            if filled(self, counts) {
                break;
            }
            if attempts == MOST_ATTEMPTS {
                return false;
            }
        }
        for (&count, &body) in counts.iter().zip(&self.bodies) {
            self.blocks[body].interactions = count;
        }
        for index in 0..self.blocks.len() {
            let Block { conditionals, interactions, after } = self.blocks[index];
            let After::Fork { shared } = after else { continue };
            // Each order of interactions and conditionals is as likely as the others: the next is a conditional as
            // often as one of those that are left is.
            let mut behind = interactions;
            while rng.below_u32(behind + conditionals) >= conditionals {
                behind -= 1;
            }
            self.blocks[index].interactions = interactions - behind;
            let mut parts = [0; 3];
            rng.scatter(behind, &mut parts);
            for (block, part) in self.blocks[shared..].iter_mut().zip(parts) {
                block.interactions = part;
            }
        }
        true
    }

    /// How many terms it takes to write all bodies down. What is shared is written twice; what follows a block that
    /// falls through in several places is written in all of them. May be infinite.
    fn count_terms(&self) -> f64 {
        // For each block, the terms in it and in how many places it falls through.
        let mut sums = vec![(0.0, 0.0); self.blocks.len()];
        for (index, block) in self.blocks.iter().enumerate().rev() {
            let interactions = f64::from(block.interactions);
            sums[index] = match block.after {
                After::End(_) => (interactions + 1.0, 0.0),
                After::FallThrough => (interactions, 1.0),
                After::Fork { shared } => {
                    let [(terms, places), then, otherwise] = [sums[shared], sums[shared + 1], sums[shared + 2]];
                    let behind = places * (then.0 + otherwise.0);
                    (interactions + 1.0 + 2.0 * terms + behind, places * (then.1 + otherwise.1))
                }
            };
        }
        self.bodies.iter().map(|&body| sums[body].0).sum()
    }
}

/// For each number of procedures up to all, the probability that none of them is missed when interactions are thrown
/// into all bodies, `main` among them.
fn covering_chances(interactions: u32, procedures: u32) -> Vec<f64> {
    let bodies = f64::from(procedures) + 1.0;
    let mut chances = vec![0.0; procedures as usize + 1];
    chances[0] = 1.0;
    for _ in 0..interactions {
        // The first interaction hits one of those that are still to be hit, or not.
        for missing in (1..chances.len()).rev() {
            let hits = missing as f64 / bodies;
            chances[missing] = hits * chances[missing - 1] + (1.0 - hits) * chances[missing];
        }
    }
    chances
}
