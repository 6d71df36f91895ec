//! Where each point goes within its layer, once the order is known.
//!
//! Each point would like to stand in the middle of its neighbours. For one layer, the places that come closest to what its
//! points want and keep their distance are found exactly, by merging points that push each other into blocks (isotonic
//! regression). A few rounds over all layers give a picture in which long edges are straight.

use super::{BETWEEN_EDGES, BETWEEN_NODES, Layers};

const ROUNDS: usize = 12;

pub(super) fn shift(layers: &Layers) -> Vec<f64> {
    let mut across = vec![0.0; layers.sizes.len()];
    for row in &layers.rows {
        let mut at = 0.0;
        for (index, &point) in row.iter().enumerate() {
            if index > 0 {
                at += distance(layers, row[index - 1], point);
            }
            across[point] = at;
        }
    }
    for round in 0..ROUNDS {
        let both = round + 2 >= ROUNDS;
        let down = round % 2 == 0;
        for step in 0..layers.rows.len() {
            let layer = if down { step } else { layers.rows.len() - 1 - step };
            arrange(layers, &layers.rows[layer], &mut across, down, both);
        }
    }
    let left = (0..across.len()).map(|point| across[point] - layers.sizes[point].across / 2.0).fold(f64::MAX, f64::min);
    across.iter_mut().for_each(|place| *place -= left);
    across
}

fn distance(layers: &Layers, one: usize, other: usize) -> f64 {
    let between = if layers.is_node[one] || layers.is_node[other] { BETWEEN_NODES } else { BETWEEN_EDGES };
    (layers.sizes[one].across + layers.sizes[other].across) / 2.0 + between
}

/// Points that touch each other and move together.
struct Block {
    /// What they want together, and how much.
    wanted: f64,
    weight: f64,
    points: usize,
}

fn arrange(layers: &Layers, row: &[usize], across: &mut [f64], down: bool, both: bool) {
    let mut blocks: Vec<Block> = Vec::new();
    let mut offsets = Vec::with_capacity(row.len());
    let mut offset = 0.0;
    for (index, &point) in row.iter().enumerate() {
        if index > 0 {
            offset += distance(layers, row[index - 1], point);
        }
        offsets.push(offset);
        let (before, after) = (&layers.before[point], &layers.after[point]);
        let (mut sum, mut count) = (0.0, 0.0);
        let first = if down || both { before.as_slice() } else { &[] };
        let second = if !down || both { after.as_slice() } else { &[] };
        for &neighbour in first.iter().chain(second) {
            sum += across[neighbour];
            count += 1.0;
        }
        // Points of long edges pull more than nodes: they should stand in one line.
        let (wanted, weight) = match count > 0.0 {
            true => (sum / count, if layers.is_node[point] { 1.0 } else { 2.0 }),
            false => (across[point], 0.2),
        };
        blocks.push(Block { wanted: (wanted - offset) * weight, weight, points: 1 });
        while let [.., one, other] = blocks.as_slice()
            && one.wanted / one.weight > other.wanted / other.weight
        {
            let merged = Block {
                wanted: one.wanted + other.wanted,
                weight: one.weight + other.weight,
                points: one.points + other.points,
            };
            blocks.pop();
            blocks.pop();
            blocks.push(merged);
        }
    }
    let mut index = 0;
    for block in blocks {
        for _ in 0..block.points {
            across[row[index]] = block.wanted / block.weight + offsets[index];
            index += 1;
        }
    }
}
