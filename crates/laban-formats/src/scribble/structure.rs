//! Which procedures of a choreography become loops where they are called, and which become protocols of their own.
//!
//! A procedure that is called from one place, and otherwise only from inside of itself, is a loop at that place:
//! `rec X { … continue X; }`. Others are called from several places, so each becomes a protocol, and calls are
//! `do X(…)`.

/// Bodies by number; 0 is where everything starts.
pub(super) struct Structure {
    /// For each body, whether it is a loop.
    pub(super) is_loop: Vec<bool>,
    /// For each body, the times at which a walk through the tree of dominators enters and leaves it.
    times: Vec<(usize, usize)>,
}

impl Structure {
    /// The structure of some bodies, each with the bodies that it calls, as often as it calls them.
    pub(super) fn new(calls: &[Vec<usize>]) -> Self {
        let count = calls.len();
        let dominators = dominators(calls);
        let mut structure = Structure { is_loop: vec![false; count], times: times(&dominators) };
        // For each body, where it is called from outside of it.
        let mut outside: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (caller, called) in calls.iter().enumerate() {
            for &body in called {
                if !structure.is_inside(caller, body) {
                    outside[body].push(caller);
                }
            }
        }
        for (is_loop, outside) in structure.is_loop.iter_mut().zip(&outside).skip(1) {
            *is_loop = outside.len() == 1;
        }
        // A call from inside must be in the same protocol. What is no loop any more may be in the way of others.
        loop {
            let protocols = structure.protocols(&outside);
            let mut changed = false;
            for (caller, called) in calls.iter().enumerate() {
                for &body in called {
                    let crosses = structure.is_inside(caller, body) && protocols[caller] != protocols[body];
                    if crosses && structure.is_loop[body] {
                        structure.is_loop[body] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return structure;
            }
        }
    }

    /// Whether each way to a body leads through another one, or it is that one.
    pub(super) fn is_inside(&self, body: usize, other: usize) -> bool {
        let ((start, _), (enter, leave)) = (self.times[body], self.times[other]);
        enter <= start && start < leave
    }

    /// For each body, the protocol in which it is written.
    fn protocols(&self, outside: &[Vec<usize>]) -> Vec<usize> {
        let mut protocols: Vec<Option<usize>> =
            self.is_loop.iter().enumerate().map(|(body, &is_loop)| (!is_loop).then_some(body)).collect();
        for start in 0..protocols.len() {
            let mut path = vec![start];
            while let Some(&last) = path.last()
                && protocols[last].is_none()
            {
                path.push(outside[last][0]);
            }
            let found = path.pop().and_then(|last| protocols[last]);
            for body in path {
                protocols[body] = found;
            }
        }
        protocols.into_iter().enumerate().map(|(body, found)| found.unwrap_or(body)).collect()
    }
}

/// For each body, the last one that each way to it leads through; the first is its own.
fn dominators(calls: &[Vec<usize>]) -> Vec<usize> {
    let order = reverse_postorder(calls);
    let mut place = vec![usize::MAX; calls.len()];
    order.iter().enumerate().for_each(|(number, &body)| place[body] = number);
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); calls.len()];
    for (caller, called) in calls.iter().enumerate() {
        called.iter().for_each(|&body| callers[body].push(caller));
    }
    let mut dominator = vec![usize::MAX; calls.len()];
    dominator[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for &body in order.iter().skip(1) {
            let mut new = usize::MAX;
            for &caller in callers[body].iter().filter(|&&caller| dominator[caller] != usize::MAX) {
                new = if new == usize::MAX { caller } else { common(&dominator, &place, new, caller) };
            }
            if dominator[body] != new {
                dominator[body] = new;
                changed = true;
            }
        }
    }
    dominator
}

fn common(dominator: &[usize], place: &[usize], one: usize, other: usize) -> usize {
    let (mut one, mut other) = (one, other);
    while one != other {
        if place[one] > place[other] {
            one = dominator[one];
        } else {
            other = dominator[other];
        }
    }
    one
}

fn reverse_postorder(calls: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(calls.len());
    let mut met = vec![false; calls.len()];
    met[0] = true;
    let mut work = vec![(0, 0)];
    while let Some((body, next)) = work.last_mut() {
        match calls[*body].get(*next) {
            Some(&called) => {
                *next += 1;
                if !std::mem::replace(&mut met[called], true) {
                    work.push((called, 0));
                }
            }
            None => {
                order.push(*body);
                work.pop();
            }
        }
    }
    order.reverse();
    order
}

/// When a walk through the tree enters and leaves each body.
fn times(dominators: &[usize]) -> Vec<(usize, usize)> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); dominators.len()];
    for (body, &dominator) in dominators.iter().enumerate().skip(1) {
        // What cannot be reached is inside of nothing.
        if let Some(children) = children.get_mut(dominator) {
            children.push(body);
        }
    }
    let mut times = vec![(usize::MAX, usize::MAX); dominators.len()];
    let mut clock = 0;
    let mut work = vec![(0, false)];
    while let Some((body, is_left)) = work.pop() {
        if is_left {
            times[body].1 = clock;
            continue;
        }
        times[body].0 = clock;
        clock += 1;
        work.push((body, true));
        work.extend(children[body].iter().rev().map(|&child| (child, false)));
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops(calls: &[&[usize]]) -> Vec<bool> {
        let calls: Vec<Vec<usize>> = calls.iter().map(|calls| calls.to_vec()).collect();
        Structure::new(&calls).is_loop
    }

    #[test]
    fn what_is_called_from_one_place_outside_is_a_loop() {
        assert_eq!(loops(&[&[1], &[1, 1]]), [false, true]);
        assert_eq!(loops(&[&[1], &[2], &[1, 2]]), [false, true, true]);
        assert_eq!(loops(&[&[1, 1], &[1]]), [false, false]);
    }

    #[test]
    fn a_loop_does_not_reach_into_other_protocols() {
        // 2 is called twice, so it is a protocol, and cannot go on with the loop 1.
        assert_eq!(loops(&[&[1], &[2, 2], &[1]]), [false, false, false]);
        // 3 and 4 call each other from two sides.
        assert_eq!(loops(&[&[1, 2], &[3], &[4], &[4], &[3]]), [false, true, true, false, false]);
    }
}
