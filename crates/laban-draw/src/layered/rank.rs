//! Which layer each node goes into, and which edges go back.

use super::Input;

/// A node with more partners than this that have no other partner gets some of them on the other side.
const MOST_PARTNERS: usize = 2;

/// The layers of nodes, counted without those for labels.
pub(super) struct Ranks {
    /// For each edge whether it goes back.
    pub(super) turned: Vec<bool>,
    pub(super) ranks: Vec<usize>,
}

impl Ranks {
    pub(super) fn new(input: &Input) -> Self {
        let mut turned = turned(input);
        let mut ranks = ranks(input, &turned);
        if input.both_sides && spread(input, &mut ranks) {
            turned = input.edges.iter().map(|&(from, to, _)| ranks[from] > ranks[to]).collect();
        }
        Ranks { turned, ranks }
    }
}

/// Which edges lead back to a node that is on the way to them.
fn turned(input: &Input) -> Vec<bool> {
    let mut outgoing: Vec<Vec<(usize, usize)>> = vec![Vec::new(); input.nodes.len()];
    for (edge, &(from, to, _)) in input.edges.iter().enumerate() {
        outgoing[from].push((edge, to));
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let mut visits = vec![Visit::New; input.nodes.len()];
    let mut turned = vec![false; input.edges.len()];
    let mut path: Vec<(usize, usize)> = Vec::new();
    for start in 0..input.nodes.len() {
        if visits[start] != Visit::New {
            continue;
        }
        visits[start] = Visit::Open;
        path.push((start, 0));
        while let Some((node, cursor)) = path.last_mut() {
            let Some(&(edge, to)) = outgoing[*node].get(*cursor) else {
                visits[*node] = Visit::Done;
                path.pop();
                continue;
            };
            *cursor += 1;
            match visits[to] {
                Visit::New => {
                    visits[to] = Visit::Open;
                    path.push((to, 0));
                }
                Visit::Open => turned[edge] = true,
                Visit::Done => {}
            }
        }
    }
    turned
}

/// The length of the longest way to each node, with some edges turned round; then each node moves to where more of its
/// edges get short.
fn ranks(input: &Input, turned: &[bool]) -> Vec<usize> {
    let count = input.nodes.len();
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut incoming: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (&(from, to, _), &turned) in input.edges.iter().zip(turned) {
        let (from, to) = if turned { (to, from) } else { (from, to) };
        outgoing[from].push(to);
        incoming[to].push(from);
    }
    let mut ranks = vec![0usize; count];
    let mut missing: Vec<usize> = incoming.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..count).filter(|&node| missing[node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for &target in &outgoing[node] {
            ranks[target] = ranks[target].max(ranks[node] + 1);
            missing[target] -= 1;
            if missing[target] == 0 {
                order.push(target);
            }
        }
    }
    for &node in order.iter().rev() {
        let nearest = outgoing[node].iter().map(|&target| ranks[target]).min();
        if let Some(nearest) = nearest.filter(|_| outgoing[node].len() > incoming[node].len()) {
            ranks[node] = nearest.saturating_sub(1);
        }
    }
    let first = ranks.iter().copied().min().unwrap_or(0);
    ranks.iter_mut().for_each(|rank| *rank -= first);
    ranks
}

/// Moves every second of a node's partners that have no other partner to its other side, where edges go both ways.
fn spread(input: &Input, ranks: &mut [usize]) -> bool {
    let count = input.nodes.len();
    // For each node its only partner, if it has just one, and whether it is spoken to and speaks.
    let mut partner: Vec<Option<usize>> = vec![None; count];
    let mut several = vec![false; count];
    let mut leaves = vec![false; count];
    for &(from, to, _) in &input.edges {
        leaves[from] = true;
        for (one, other) in [(from, to), (to, from)] {
            several[one] |= partner[one].is_some_and(|known| known != other);
            partner[one] = Some(other);
        }
    }
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); count];
    for node in 0..count {
        if let Some(hub) = partner[node].filter(|_| !several[node] && leaves[node])
            && ranks[node] == ranks[hub] + 1
        {
            around[hub].push(node);
        }
    }
    let mut changed = false;
    ranks.iter_mut().for_each(|rank| *rank += 1);
    for (hub, around) in around.iter().enumerate().filter(|(_, around)| around.len() > MOST_PARTNERS) {
        for &node in around.iter().skip(1).step_by(2) {
            ranks[node] = ranks[hub] - 1;
            changed = true;
        }
    }
    let first = ranks.iter().copied().min().unwrap_or(0);
    ranks.iter_mut().for_each(|rank| *rank -= first);
    changed
}
