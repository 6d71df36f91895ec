//! Where each point goes within its layer, once the order is known.
//!
//! A point is straight below one of its neighbours in the layer before it, in the manner of Brandes and Köpf: so a
//! chain of nodes is one line, and so is a long edge, which comes first. Points in one line move together, as a block.
//! Blocks keep their distance, and within that each moves as close to what it is connected with as it can.

use super::split::Layers;
use super::{BETWEEN_EDGES, BETWEEN_NODES};

const ROUNDS: usize = 40;

/// Where each point goes; what is leftmost begins at 0.
pub(super) fn shift(layers: &Layers) -> Vec<f64> {
    let blocks = Blocks::new(layers);
    let mut positions = blocks.packed(layers);
    blocks.relax(&mut positions);
    let mut across: Vec<f64> = blocks.block_of.iter().map(|&block| positions[block]).collect();
    // Blocks keep their distance already; this holds whatever the order of the blocks.
    for row in &layers.rows {
        for pair in row.windows(2) {
            if let &[one, other] = pair {
                across[other] = across[other].max(across[one] + distance(layers, one, other));
            }
        }
    }
    let left = (0..across.len()).map(|point| across[point] - layers.left[point]).fold(f64::MAX, f64::min);
    across.iter_mut().for_each(|position| *position -= left);
    across
}

fn distance(layers: &Layers, one: usize, other: usize) -> f64 {
    let between = if layers.is_node[one] || layers.is_node[other] { BETWEEN_NODES } else { BETWEEN_EDGES };
    layers.right[one] + layers.left[other] + between
}

/// How far from the middle of a point its ear at this side is, if it is a node.
fn ear(layers: &Layers, point: usize, side: i8) -> f64 {
    match side {
        0 => 0.0,
        side if side < 0 => -layers.left[point],
        _ => layers.right[point],
    }
}

/// Points in one line.
struct Blocks {
    block_of: Vec<usize>,
    count: usize,
    /// For each block the blocks at its right, and how far away they must stay.
    right: Vec<Vec<(usize, f64)>>,
    left: Vec<Vec<(usize, f64)>>,
    /// For each block the blocks that edges lead to or come from, and how far from these it had best be.
    connected: Vec<Vec<(usize, f64)>>,
    /// All blocks, each after those at its left.
    order: Vec<usize>,
}

impl Blocks {
    fn new(layers: &Layers) -> Self {
        let (block_of, count) = align(layers);
        let mut blocks = Blocks {
            block_of,
            count,
            right: vec![Vec::new(); count],
            left: vec![Vec::new(); count],
            connected: vec![Vec::new(); count],
            order: Vec::with_capacity(count),
        };
        for row in &layers.rows {
            for pair in row.windows(2) {
                if let &[one, other] = pair {
                    let apart = distance(layers, one, other);
                    let (one, other) = (blocks.block_of[one], blocks.block_of[other]);
                    blocks.right[one].push((other, apart));
                    blocks.left[other].push((one, apart));
                }
            }
        }
        for (point, after) in layers.after.iter().enumerate() {
            for tie in after {
                let (one, other) = (blocks.block_of[point], blocks.block_of[tie.point]);
                let aside = ear(layers, point, tie.upper) - ear(layers, tie.point, tie.lower);
                if one != other {
                    blocks.connected[one].push((other, -aside));
                    blocks.connected[other].push((one, aside));
                }
            }
        }
        let mut missing: Vec<usize> = blocks.left.iter().map(Vec::len).collect();
        blocks.order.extend((0..count).filter(|&block| missing[block] == 0));
        let mut next = 0;
        while let Some(&block) = blocks.order.get(next) {
            next += 1;
            for &(other, _) in &blocks.right[block] {
                missing[other] -= 1;
                if missing[other] == 0 {
                    blocks.order.push(other);
                }
            }
        }
        blocks
    }

    /// Halfway between as far left and as far right as possible.
    fn packed(&self, layers: &Layers) -> Vec<f64> {
        let mut leftmost = vec![0.0f64; self.count];
        for &block in &self.order {
            for &(other, apart) in &self.right[block] {
                leftmost[other] = leftmost[other].max(leftmost[block] + apart);
            }
        }
        let widest = layers.rows.iter().flatten().map(|&point| leftmost[self.block_of[point]]).fold(0.0, f64::max);
        let mut rightmost = vec![widest; self.count];
        for &block in self.order.iter().rev() {
            for &(other, apart) in &self.left[block] {
                rightmost[other] = rightmost[other].min(rightmost[block] - apart);
            }
        }
        leftmost.iter().zip(rightmost).map(|(left, right)| (left + right) / 2.0).collect()
    }

    /// Moves each block towards what it is connected with, as far as those beside it permit.
    fn relax(&self, positions: &mut [f64]) {
        for round in 0..ROUNDS {
            for step in 0..self.order.len() {
                let block = self.order[if round % 2 == 0 { step } else { self.order.len() - 1 - step }];
                let connected = &self.connected[block];
                if connected.is_empty() {
                    continue;
                }
                let wanted = connected.iter().map(|&(other, aside)| positions[other] + aside).sum::<f64>()
                    / connected.len() as f64;
                let least = self.left[block].iter().map(|&(other, apart)| positions[other] + apart);
                let most = self.right[block].iter().map(|&(other, apart)| positions[other] - apart);
                let (least, most) = (least.fold(f64::MIN, f64::max), most.fold(f64::MAX, f64::min));
                positions[block] = wanted.min(most).max(least);
            }
        }
    }
}

/// The block of each point, and how many blocks there are.
fn align(layers: &Layers) -> (Vec<usize>, usize) {
    let mut position = vec![0; layers.len()];
    for row in &layers.rows {
        row.iter().enumerate().for_each(|(index, &point)| position[point] = index);
    }
    const NONE: usize = usize::MAX;
    let mut block_of = vec![NONE; layers.len()];
    let mut count = 0;
    for row in &layers.rows {
        let barriers = Barriers::new(layers, row, &position);
        // Lines do not cross: the next one starts at the right of this position in the layer before.
        let mut free_from = 0;
        for (index, &point) in row.iter().enumerate() {
            let mut before: Vec<usize> = layers.before[point]
                .iter()
                .filter(|tie| tie.upper == 0 && tie.lower == 0)
                .map(|tie| tie.point)
                .collect();
            before.sort_unstable_by_key(|&other| position[other]);
            let middle = before.len() / 2;
            let medians = [middle.saturating_sub(usize::from(before.len().is_multiple_of(2))), middle];
            for other in medians.into_iter().filter_map(|median| before.get(median).copied()) {
                let straight = !layers.is_node[point] && !layers.is_node[other];
                let at = position[other];
                if block_of[point] == NONE && at >= free_from && (straight || !barriers.crossed(index, at)) {
                    block_of[point] = block_of[other];
                    free_from = at + 1;
                }
            }
            if block_of[point] == NONE {
                block_of[point] = count;
                count += 1;
            }
        }
    }
    (block_of, count)
}

/// The long edges between two layers, which others must not keep from being straight.
struct Barriers {
    /// For each position the rightmost start of the long edges that end left of it.
    from_left: Vec<Option<usize>>,
    /// For each position the leftmost start of the long edges that end right of it.
    from_right: Vec<Option<usize>>,
}

impl Barriers {
    fn new(layers: &Layers, row: &[usize], position: &[usize]) -> Self {
        let start = |point: usize| match layers.before[point].as_slice() {
            [tie] if !layers.is_node[point] && !layers.is_node[tie.point] => Some(position[tie.point]),
            _ => None,
        };
        let mut from_left = Vec::with_capacity(row.len());
        let mut rightmost: Option<usize> = None;
        for &point in row {
            from_left.push(rightmost);
            rightmost = rightmost.max(start(point));
        }
        let mut from_right = vec![None; row.len()];
        let mut leftmost: Option<usize> = None;
        for (index, &point) in row.iter().enumerate().rev() {
            from_right[index] = leftmost;
            leftmost = match (leftmost, start(point)) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        }
        Barriers { from_left, from_right }
    }

    fn crossed(&self, index: usize, at: usize) -> bool {
        self.from_left[index].is_some_and(|start| start > at) || self.from_right[index].is_some_and(|start| start < at)
    }
}
