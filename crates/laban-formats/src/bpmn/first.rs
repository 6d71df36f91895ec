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
