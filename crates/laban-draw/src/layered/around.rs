//! Ways back around what they lead back over.
//!
//! Swapping neighbours does not get a long edge out of a loop that it leads back from: on the way, it crosses more. So
//! each edge that goes back is tried at the left and at the right of all that is between its ends.

use super::order::{choose_sides, crossings, number};
use super::split::{Back, Layers};

/// Beyond this much work, it is not tried.
const MOST_WORK: usize = 4_000_000;

/// Moves edges that go back to where they cross fewer others; gives how many cross then.
pub(super) fn go_around(layers: &mut Layers, position: &mut [usize], mut fewest: usize) -> usize {
    let back: Vec<Back> = layers.back.iter().copied().flatten().collect();
    if back.len().saturating_mul(layers.len()).saturating_mul(4) > MOST_WORK {
        return fewest;
    }
    for ends in back {
        let chain = chain(layers, ends);
        let between = between(layers, ends);
        for right in [false, true] {
            if fewest == 0 {
                return 0;
            }
            let before = layers.rows.clone();
            for row in &mut layers.rows {
                let Some(at) = row.iter().position(|&point| chain[point]) else { continue };
                let point = row.remove(at);
                let found = match right {
                    true => row.iter().rposition(|&point| between[point]).map(|last| last + 1),
                    false => row.iter().position(|&point| between[point]),
                };
                row.insert(found.unwrap_or(at), point);
            }
            number(layers, position);
            choose_sides(layers, position);
            let crossed = crossings(layers, position);
            if crossed < fewest {
                fewest = crossed;
            } else {
                layers.rows = before;
                number(layers, position);
                choose_sides(layers, position);
            }
        }
    }
    fewest
}

/// The points of an edge.
fn chain(layers: &Layers, ends: Back) -> Vec<bool> {
    let mut chain = vec![false; layers.len()];
    let mut point = ends.below_upper;
    while !layers.is_node[point] {
        chain[point] = true;
        match layers.after[point].first() {
            Some(tie) => point = tie.point,
            None => break,
        }
    }
    chain
}

/// What is on a way forward from the one end to the other.
fn between(layers: &Layers, ends: Back) -> Vec<bool> {
    let reached = |start: usize, down: bool| {
        let mut reached = vec![false; layers.len()];
        let mut work = vec![start];
        while let Some(point) = work.pop() {
            if !std::mem::replace(&mut reached[point], true) {
                let ties = if down { &layers.after[point] } else { &layers.before[point] };
                work.extend(ties.iter().filter(|tie| tie.back.is_none()).map(|tie| tie.point));
            }
        }
        reached
    };
    let (from, to) = (reached(ends.upper, true), reached(ends.lower, false));
    from.into_iter().zip(to).map(|(from, to)| from && to).collect()
}
