//! Which of several possible actions is tried first.
//!
//! A strategy is data: what it prefers, in order. It never decides whether a network can be extracted, only how large
//! the graph gets and which of the equivalent choreographies comes out.

use crate::index::spread;

/// How the actions that are possible at a node are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Strategy {
    /// Its name in full, as the paper has it.
    pub name: &'static str,
    /// Its abbreviation.
    pub short: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Whether actions of processes that are not marked yet come first.
    pub unmarked_first: bool,
    /// The order of the rest.
    pub order: Order,
}

/// How actions are ordered, apart from markings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// By the processes, as they are in the network.
    Processes,
    /// Interactions before conditionals.
    InteractionsFirst,
    /// Selections, then communications of values, then conditionals.
    SelectionsFirst,
    /// Conditionals before interactions.
    ConditionalsFirst,
    /// The process with the most left to do.
    LongestFirst,
    /// The process with the least left to do.
    ShortestFirst,
    /// At random, from a seed.
    Random,
}

impl Strategy {
    /// All strategies of the paper, in its order.
    pub const ALL: &'static [Strategy] = &[
        strategy("Random", "R", "a random action", false, Order::Random),
        strategy("LongestFirst", "L", "the process with the longest body", false, Order::LongestFirst),
        strategy("ShortestFirst", "S", "the process with the shortest body", false, Order::ShortestFirst),
        strategy("InteractionsFirst", "I", "interactions before conditionals", false, Order::InteractionsFirst),
        strategy("ConditionalsFirst", "C", "conditionals before interactions", false, Order::ConditionalsFirst),
        strategy("UnmarkedFirst", "U", "processes that have not acted for longest", true, Order::Processes),
        strategy(
            "UnmarkedThenInteractions",
            "UI",
            "unmarked processes, then interactions",
            true,
            Order::InteractionsFirst,
        ),
        strategy("UnmarkedThenSelections", "US", "unmarked processes, then selections", true, Order::SelectionsFirst),
        strategy(
            "UnmarkedThenConditionals",
            "UC",
            "unmarked processes, then conditionals",
            true,
            Order::ConditionalsFirst,
        ),
        strategy("UnmarkedThenRandom", "UR", "unmarked processes, in random order", true, Order::Random),
    ];

    /// The strategy of this name or abbreviation, in any case.
    pub fn named(name: &str) -> Option<Strategy> {
        let same = |strategy: &&Strategy| {
            strategy.name.eq_ignore_ascii_case(name) || strategy.short.eq_ignore_ascii_case(name)
        };
        Strategy::ALL.iter().find(same).copied()
    }
}

impl Default for Strategy {
    /// Interactions first: a decision is put off until nothing else is left, so that branches meet again early.
    fn default() -> Self {
        Strategy::ALL[3]
    }
}

const fn strategy(
    name: &'static str,
    short: &'static str,
    about: &'static str,
    unmarked_first: bool,
    order: Order,
) -> Strategy {
    Strategy { name, short, about, unmarked_first, order }
}

/// Where the random strategies put the action with this number, of those that are possible at a node: the same seed
/// gives the same places forever. (These are the numbers of SplitMix64.)
pub(super) fn random_place(seed: u64, node: u32, number: u64) -> u64 {
    let start = seed ^ (u64::from(node) << 20);
    spread(start.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))) >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn random_places_differ_from_node_to_node_whatever_the_seed() {
        for seed in [0, 7, 0xff << 20, u64::MAX] {
            let places: BTreeSet<u64> = (0..100).map(|node| random_place(seed, node, 0)).collect();
            assert_eq!(places.len(), 100, "seed {seed}");
        }
    }
}
