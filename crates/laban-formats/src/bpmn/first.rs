//! Who sends first from each node of a graph on: nobody, one, or several. In time linear in the graph.

/// Who sends first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    Nobody,
    One(usize),
    Several,
}

impl First {
    /// Who sends first if it goes on in one of two ways.
    fn or(self, other: First) -> First {
        match (self, other) {
            (First::Nobody, first) | (first, First::Nobody) => first,
            (First::One(one), First::One(other)) if one == other => self,
            _ => First::Several,
        }
    }
}

/// Who sends first after each of so many nodes, given who sends at a node, if somebody does, and what follows it.
pub(super) fn first_senders(
    count: usize,
    sender: impl Fn(usize) -> Option<usize>,
    next: impl Fn(usize) -> Vec<usize>,
) -> Vec<First> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    for node in 0..count {
        for target in next(node) {
            if let Some(before) = before.get_mut(target) {
                before.push(node);
            }
        }
    }
    // What is known after each node grows twice at most.
    let mut after = vec![First::Nobody; count];
    let at = |after: &[First], node: usize| sender(node).map_or(after[node], First::One);
    let mut work: Vec<usize> = (0..count).filter(|&node| sender(node).is_some()).collect();
    while let Some(node) = work.pop() {
        let here = at(&after, node);
        for &earlier in &before[node] {
            let joined = after[earlier].or(here);
            if joined != after[earlier] {
                after[earlier] = joined;
                if sender(earlier).is_none() {
                    work.push(earlier);
                }
            }
        }
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use laban::generate::SeededRng;
    use std::collections::BTreeSet;

    #[test]
    fn a_walk_from_each_node_finds_the_same_senders() {
        let mut several = 0;
        for seed in 0..2_000 {
            let mut rng = SeededRng::keyed([seed, 0xf1, 0, 0]);
            let count = 1 + rng.below_u32(12) as usize;
            let senders: Vec<Option<usize>> =
                (0..count).map(|_| (rng.below_u32(3) == 0).then(|| rng.below_u32(3) as usize)).collect();
            let nexts: Vec<Vec<usize>> = (0..count)
                .map(|_| (0..rng.below_u32(3)).map(|_| rng.below_u32(count as u32) as usize).collect())
                .collect();
            let found = first_senders(count, |node| senders[node], |node| nexts[node].clone());
            for (node, &found) in found.iter().enumerate() {
                let mut met = BTreeSet::new();
                let mut first = BTreeSet::new();
                let mut work = nexts[node].clone();
                while let Some(next) = work.pop() {
                    if met.insert(next) {
                        match senders[next] {
                            Some(sender) => drop(first.insert(sender)),
                            None => work.extend(&nexts[next]),
                        }
                    }
                }
                let expected = match first.first() {
                    None => First::Nobody,
                    Some(&one) if first.len() == 1 => First::One(one),
                    Some(_) => First::Several,
                };
                assert_eq!(found, expected, "seed {seed}, node {node}");
                several += u32::from(found == First::Several);
            }
        }
        assert!(several > 500, "{several}");
    }
}
