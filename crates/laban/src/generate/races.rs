//! Random races: which forks of a choreography are races or choices, and who takes part.

use super::choreography::{Acts, Content, Drawn, Other};
use super::parameters::Parameters;
use super::shape::{After, Shape};
use crate::random::SeededRng;

impl Acts {
    /// What a block ends with, if that is not a conditional.
    pub(super) fn other(&self, block: usize) -> Other {
        self.others.get(block).copied().unwrap_or(Other::None)
    }

    /// Makes races of some forks, all with the same probability; of the others, about half become choices. Of the
    /// labels, about a quarter get a value.
    ///
    /// The clients of a hub come after it in the order of the processes, so that no two processes are each a hub of the
    /// other: such races can be projected only with luck.
    pub(super) fn draw_races(&mut self, shape: &Shape, parameters: &Parameters, rng: &mut SeededRng) {
        let is_fork = |&block: &usize| matches!(shape.blocks[block].after, After::Fork { .. });
        let mut forks: Vec<usize> = (0..shape.blocks.len()).filter(is_fork).collect();
        self.others = vec![Other::None; shape.blocks.len()];
        for _ in 0..parameters.races {
            let Some(index) = rng.index(forks.len()) else { break };
            let block = forks.swap_remove(index);
            self.others[block] = self.race(block, parameters.processes, rng);
        }
        forks.sort_unstable();
        for block in forks {
            if rng.below_u32(2) == 0 {
                self.others[block] = Other::Choose;
            }
        }
        for index in 0..self.interactions.len() {
            if let Content::Label(label) = self.interactions[index].content
                && rng.below_u32(4) == 0
            {
                self.interactions[index].content = self.value_with(label);
            }
        }
    }

    /// A race of two clients with a hub, mostly to give it something. Of two processes, each gives something to the
    /// other.
    fn race(&mut self, block: usize, processes: u32, rng: &mut SeededRng) -> Other {
        let hub = rng.below_u32(processes.saturating_sub(2).max(1));
        self.deciders[block].0 = hub;
        let count = processes.saturating_sub(hub + 1);
        let first = rng.below_u32(count);
        // One of the others: those from the first on are one further on.
        let second = rng.below_u32(count.saturating_sub(1));
        let second = if count > 1 && second >= first { second + 1 } else { second };
        let items = [first, second].map(|client| {
            let client = hub + 1 + client;
            let content = self.content(rng);
            match rng.below_u32(4) {
                0 => Drawn { from: hub, to: client, content },
                _ => Drawn { from: client, to: hub, content },
            }
        });
        let [one, other] = items;
        let turned = Drawn { from: one.to, to: one.from, content: other.content };
        Other::Any(if count > 1 { items } else { [one, turned] })
    }
}
