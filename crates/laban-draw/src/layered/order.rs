//! The order of the points in each layer: by the median of their neighbours, back and forth, and then by swapping
//! neighbours, as long as it helps.

use super::around::go_around;
use super::split::{Layers, Tie};

const MOST_SWEEPS: usize = 24;
/// With at most this many points, the search starts from many orders.
const FEW_POINTS: usize = 400;
const MANY_STARTS: usize = 24;
/// Beyond this many points, it starts from one, and neighbours are not swapped: it takes too long.
const SOME_POINTS: usize = 6_000;
const SOME_STARTS: usize = 4;

/// The rows of points, layer by layer.
pub(super) type Rows = Vec<Vec<usize>>;

/// Orders in which as few edges cross as were found; at least one.
pub(super) fn orders(layers: &mut Layers) -> Vec<Rows> {
    let starts = match layers.len() {
        count if count <= FEW_POINTS => MANY_STARTS,
        count if count <= SOME_POINTS => SOME_STARTS,
        _ => 1,
    };
    let mut position = vec![0; layers.len()];
    let mut fewest = usize::MAX;
    let mut best: Vec<Rows> = Vec::new();
    for attempt in 0..starts {
        start(layers, attempt);
        take(layers, &mut position);
        if let Some((crossed, rows)) = sweeps(layers, &mut position, fewest.saturating_add(1)) {
            if crossed < fewest {
                best.clear();
            }
            fewest = crossed;
            best.push(rows);
        }
    }
    best
}

/// Takes the rows as they are, and chooses the sides of nodes that fit them.
fn take(layers: &mut Layers, position: &mut [usize]) {
    number(layers, position);
    choose_sides(layers, position);
}

/// Puts points into this order.
pub(super) fn apply(layers: &mut Layers, rows: Rows) {
    let mut position = vec![0; layers.len()];
    layers.rows = rows;
    take(layers, &mut position);
}

/// The best order with fewer crossings than this that comes up, and how many it has.
fn sweeps(layers: &mut Layers, position: &mut [usize], mut fewest: usize) -> Option<(usize, Rows)> {
    let crossed = crossings(layers, position);
    let crossed = go_around(layers, position, crossed);
    let mut best = None;
    if crossed < fewest {
        fewest = crossed;
        best = Some((fewest, layers.rows.clone()));
    }
    for sweep in 0..MOST_SWEEPS {
        if fewest == 0 {
            break;
        }
        by_median(layers, position, sweep % 2 == 0);
        choose_sides(layers, position);
        if layers.len() <= SOME_POINTS {
            swap(layers, position, sweep % 4 < 2);
            choose_sides(layers, position);
        }
        let mut crossed = crossings(layers, position);
        if sweep % 4 == 3 {
            crossed = go_around(layers, position, crossed);
        }
        if crossed < fewest {
            fewest = crossed;
            best = Some((fewest, layers.rows.clone()));
        }
    }
    best
}

/// First, everything is in the order in which it is met from the first layer on, or from the last; with what comes
/// next in its order, the other way round, or mixed.
fn start(layers: &mut Layers, attempt: usize) {
    let mut met = vec![false; layers.len()];
    let layer_of = layers.layer_of();
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers.rows.len()];
    let (up, reversed) = (attempt / 2 % 2 == 1, attempt % 2 == 1);
    let mut starts: Vec<usize> = (0..layers.len()).collect();
    starts.sort_by_key(|&point| if up { rows.len() - layer_of[point] } else { layer_of[point] });
    for start in starts {
        let mut work = vec![start];
        while let Some(point) = work.pop() {
            if !std::mem::replace(&mut met[point], true) {
                rows[layer_of[point]].push(point);
                let ties = if up { &layers.before[point] } else { &layers.after[point] };
                let mut next: Vec<usize> = ties.iter().map(|tie| tie.point).collect();
                if attempt >= 4 {
                    // As good as random, and the same everywhere.
                    next.sort_by_key(|&point| (point + attempt).wrapping_mul(40_503) & 0xffff);
                }
                match reversed {
                    true => work.extend(next),
                    false => work.extend(next.into_iter().rev()),
                }
            }
        }
    }
    layers.rows = rows;
}

pub(super) fn number(layers: &Layers, position: &mut [usize]) {
    for row in &layers.rows {
        row.iter().enumerate().for_each(|(index, &point)| position[point] = index);
    }
}

/// Orders each layer by the one before it, or each by the one after it.
fn by_median(layers: &mut Layers, position: &mut [usize], down: bool) {
    let count = layers.rows.len();
    for step in 1..count {
        let layer = if down { step } else { count - 1 - step };
        let mut row: Vec<(f64, usize)> = layers.rows[layer]
            .iter()
            .map(|&point| {
                let ties = if down { &layers.before[point] } else { &layers.after[point] };
                (median(ties, position, down).unwrap_or(position[point] as f64), point)
            })
            .collect();
        row.sort_by(|one, other| one.0.total_cmp(&other.0));
        layers.rows[layer] = row.into_iter().map(|(_, point)| point).collect();
        layers.rows[layer].iter().enumerate().for_each(|(index, &point)| position[point] = index);
    }
}

fn median(ties: &[Tie], position: &[usize], down: bool) -> Option<f64> {
    let mut keys: Vec<usize> = ties.iter().map(|tie| far_key(tie, position, down)).collect();
    keys.sort_unstable();
    let middle = keys.len() / 2;
    let median = match keys.len() {
        0 => return None,
        count if count % 2 == 1 => keys[middle] as f64,
        _ => (keys[middle - 1] + keys[middle]) as f64 / 2.0,
    };
    Some((median - 1.0) / 3.0)
}

/// Where the far end of a link is: three for each point, its left ear, its middle and its right ear.
fn far_key(tie: &Tie, position: &[usize], down: bool) -> usize {
    let ear = if down { tie.upper } else { tie.lower };
    (3 * position[tie.point] + 1).saturating_add_signed(isize::from(ear))
}

/// Swaps neighbours as long as fewer edges cross; at first also where it makes no difference, which may open a way.
fn swap(layers: &mut Layers, position: &mut [usize], mut free: bool) {
    for _ in 0..8 {
        let mut better = false;
        for layer in 0..layers.rows.len() {
            for index in 1..layers.rows[layer].len() {
                let (one, other) = (layers.rows[layer][index - 1], layers.rows[layer][index]);
                let (mut now, mut then) = (0, 0);
                for (ties, down) in [(&layers.before, true), (&layers.after, false)] {
                    let keys = |point: usize| ties[point].iter().map(|tie| far_key(tie, position, down));
                    for first in keys(one) {
                        for second in keys(other) {
                            now += usize::from(first > second);
                            then += usize::from(first < second);
                        }
                    }
                }
                if then < now || free && then == now && now > 0 {
                    layers.rows[layer].swap(index - 1, index);
                    position[one] = index;
                    position[other] = index - 1;
                    better = true;
                }
            }
        }
        if !better {
            break;
        }
        free = false;
    }
}

/// Chooses for each end of an edge that goes back the side of the node where fewer edges are in its way.
pub(super) fn choose_sides(layers: &mut Layers, position: &[usize]) {
    for edge in 0..layers.back.len() {
        let Some(ends) = layers.back[edge] else { continue };
        let side = |node: usize, beside: usize, ties: &[Tie]| {
            let ahead = ties.iter().filter(|tie| tie.back.is_none()).map(|tie| position[tie.point]);
            let (mut left, mut right) = (0, 0);
            for place in ahead {
                left += usize::from(place < position[beside]);
                right += usize::from(place > position[beside]);
            }
            if left < right || layers.only_left[node] { -1 } else { 1 }
        };
        let upper = side(ends.upper, ends.below_upper, &layers.after[ends.upper]);
        let lower = side(ends.lower, ends.above_lower, &layers.before[ends.lower]);
        let of_edge = |tie: &&mut Tie| tie.back == Some(edge);
        layers.after[ends.upper].iter_mut().filter(of_edge).for_each(|tie| tie.upper = upper);
        layers.before[ends.below_upper].iter_mut().for_each(|tie| tie.upper = upper);
        layers.before[ends.lower].iter_mut().filter(of_edge).for_each(|tie| tie.lower = lower);
        layers.after[ends.above_lower].iter_mut().for_each(|tie| tie.lower = lower);
    }
}

/// How often edges cross: inversions, counted with a tree of sums.
pub(super) fn crossings(layers: &Layers, position: &[usize]) -> usize {
    let mut crossed = 0;
    let mut targets = Vec::new();
    let mut ties = Vec::new();
    for (layer, row) in layers.rows.iter().enumerate() {
        targets.clear();
        for &point in row {
            ties.clear();
            ties.extend(layers.after[point].iter().map(|tie| (tie.upper, far_key(tie, position, false))));
            ties.sort_unstable();
            targets.extend(ties.iter().map(|&(_, key)| key));
        }
        let width = 3 * layers.rows.get(layer + 1).map_or(0, Vec::len) + 1;
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
