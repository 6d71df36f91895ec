//! Amendment as the paper's authors do it: who is told about which conditional.
//!
//! Where the branches of a conditional differ, the process that decides tells all others that take part in the body
//! that the conditional is in, or in a procedure that can be reached from it; after what both branches
//! share. Where they do not differ, nobody is told. This is how all conditionals of the choreographies that the authors
//! have published look.
//!
//! That tells more processes than `choreography::amend` does, and for a reason. A process that waits for the end of a
//! loop of others has a projection without being told at each turn that the loop goes on; but then the loop may starve
//! it, and the network has no choreography. Here, who is not told has nothing more to do, or does the same whatever is
//! decided. So every network that is made can be extracted.

use super::choreography::{Acts, Other};
use super::shape::{After, Block, Shape};

/// For each block that ends with a conditional, the processes that are told, in order.
pub(super) fn informed(shape: &Shape, acts: &Acts, processes: u32) -> Vec<Vec<u32>> {
    let body_of = bodies(shape);
    let parts = participants(shape, acts, &body_of, processes);
    let tell = |(number, block): (usize, &Block)| match block.after {
        After::Fork { shared }
            if is_race(acts, number) || differ(&shape.blocks[shared + 1], &shape.blocks[shared + 2]) =>
        {
            let decider = acts.deciders[number].0;
            let takes_part = |process: &u32| parts[body_of[number]][*process as usize];
            (0..processes).filter(|process| *process != decider && takes_part(process)).collect()
        }
        _ => Vec::new(),
    };
    shape.blocks.iter().enumerate().map(tell).collect()
}

/// Whether a block ends with a race. Its items differ in any case, and all are told right after them.
fn is_race(acts: &Acts, block: usize) -> bool {
    matches!(acts.other(block), Other::Any(_))
}

/// Whether two branches are different. Whatever is done names something new, so they are the same only if nothing is.
fn differ(then: &Block, otherwise: &Block) -> bool {
    if then.interactions + otherwise.interactions > 0 {
        return true;
    }
    match (then.after, otherwise.after) {
        (After::FallThrough, After::FallThrough) => false,
        (After::End(one), After::End(other)) => one != other,
        _ => true,
    }
}

/// For each block, the number of its body.
fn bodies(shape: &Shape) -> Vec<usize> {
    let mut body_of = vec![0; shape.blocks.len()];
    for (body, &first) in shape.bodies.iter().enumerate() {
        body_of[first] = body;
    }
    // Blocks come before those behind them.
    for (number, block) in shape.blocks.iter().enumerate() {
        if let After::Fork { shared } = block.after {
            let body = body_of[number];
            body_of[shared..shared + 3].fill(body);
        }
    }
    body_of
}

/// For each body and process, whether the process takes part in it or in one that can be reached from it.
fn participants(shape: &Shape, acts: &Acts, body_of: &[usize], processes: u32) -> Vec<Vec<bool>> {
    let mut parts = vec![vec![false; processes as usize]; shape.bodies.len()];
    let mut callers = vec![Vec::new(); shape.bodies.len()];
    for (number, block) in shape.blocks.iter().enumerate() {
        let body = body_of[number];
        let start = acts.starts[number];
        for act in &acts.interactions[start..start + block.interactions as usize] {
            parts[body][act.from as usize] = true;
            parts[body][act.to as usize] = true;
        }
        match block.after {
            After::Fork { .. } => {
                parts[body][acts.deciders[number].0 as usize] = true;
                if let Other::Any(items) = acts.other(number) {
                    items.iter().flat_map(|item| [item.from, item.to]).for_each(|end| parts[body][end as usize] = true);
                }
            }
            After::End(Some(procedure)) => callers[procedure as usize + 1].push(body),
            After::End(None) | After::FallThrough => {}
        }
    }
    for process in 0..processes as usize {
        let mut work: Vec<usize> = (0..parts.len()).filter(|&body| parts[body][process]).collect();
        while let Some(body) = work.pop() {
            for &caller in &callers[body] {
                if !std::mem::replace(&mut parts[caller][process], true) {
                    work.push(caller);
                }
            }
        }
    }
    parts
}
