//! The order of the points in each layer: by the median of their neighbours, to and fro, as long as it helps.

use super::Layers;

const MOST_SWEEPS: usize = 16;

pub(super) fn order(layers: &mut Layers) {
    let mut position = vec![0; layers.sizes.len()];
    start(layers);
    number(layers, &mut position);
    let mut best = layers.rows.clone();
    let mut fewest = crossings(layers, &position);
    for sweep in 0..MOST_SWEEPS {
        if fewest == 0 {
            break;
        }
        let down = sweep % 2 == 0;
        let count = layers.rows.len();
        for step in 1..count {
            let layer = if down { step } else { count - 1 - step };
            let neighbours = if down { &layers.before } else { &layers.after };
            let mut row: Vec<(f64, usize)> = layers.rows[layer]
                .iter()
                .map(|&point| (median(&neighbours[point], &position).unwrap_or(position[point] as f64), point))
                .collect();
            row.sort_by(|one, other| one.0.total_cmp(&other.0));
            layers.rows[layer] = row.into_iter().map(|(_, point)| point).collect();
            layers.rows[layer].iter().enumerate().for_each(|(index, &point)| position[point] = index);
        }
        let crossed = crossings(layers, &position);
        if crossed < fewest {
            fewest = crossed;
            best.clone_from(&layers.rows);
        }
    }
    layers.rows = best;
}

/// First, everything stands in the order in which it is met from the first layer on.
fn start(layers: &mut Layers) {
    let mut met = vec![false; layers.sizes.len()];
    let mut layer_of = vec![0; layers.sizes.len()];
    for (layer, row) in layers.rows.iter().enumerate() {
        row.iter().for_each(|&point| layer_of[point] = layer);
    }
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers.rows.len()];
    for start in layers.rows.iter().flatten() {
        let mut work = vec![*start];
        while let Some(point) = work.pop() {
            if !std::mem::replace(&mut met[point], true) {
                rows[layer_of[point]].push(point);
                work.extend(layers.after[point].iter().rev());
            }
        }
    }
    layers.rows = rows;
}

fn number(layers: &Layers, position: &mut [usize]) {
    for row in &layers.rows {
        row.iter().enumerate().for_each(|(index, &point)| position[point] = index);
    }
}

fn median(neighbours: &[usize], position: &[usize]) -> Option<f64> {
    let mut places: Vec<usize> = neighbours.iter().map(|&point| position[point]).collect();
    places.sort_unstable();
    let middle = places.len() / 2;
    match places.len() {
        0 => None,
        count if count % 2 == 1 => Some(places[middle] as f64),
        _ => Some((places[middle - 1] + places[middle]) as f64 / 2.0),
    }
}

/// How often edges cross: inversions, counted with a tree of sums.
fn crossings(layers: &Layers, position: &[usize]) -> usize {
    let mut crossed = 0;
    let mut targets = Vec::new();
    for (layer, row) in layers.rows.iter().enumerate() {
        targets.clear();
        for &point in row {
            let start = targets.len();
            targets.extend(layers.after[point].iter().map(|&target| position[target]));
            targets[start..].sort_unstable();
        }
        let width = layers.rows.get(layer + 1).map_or(0, Vec::len);
        let mut sums = vec![0usize; width + 1];
        for (seen, &target) in targets.iter().enumerate() {
            let mut at_most = 0;
            let mut index = target + 1;
            while index > 0 {
                at_most += sums[index];
                index &= index - 1;
            }
            crossed += seen - at_most;
            let mut index = target + 1;
            while index <= width {
                sums[index] += 1;
                index += index & index.wrapping_neg();
            }
        }
    }
    crossed
}
