//! Work on several things at once, with the results in order and little in memory.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many things may be begun ahead of the oldest that is not finished, for each worker.
const AHEAD: usize = 16;

/// Takes things from `next`, works on them in `jobs` threads and hands the results to `accept`, in the order of the things.
/// Stops early when `accept` says no.
pub(crate) fn in_order<T, R, Next, Work, Accept>(jobs: usize, mut next: Next, work: Work, mut accept: Accept)
where
    T: Send,
    R: Send,
    Next: FnMut() -> Option<T> + Send,
    Work: Fn(T) -> R + Sync,
    Accept: FnMut(R) -> bool,
{
    if jobs <= 1 {
        while let Some(thing) = next() {
            if !accept(work(thing)) {
                return;
            }
        }
        return;
    }
    let desk = Mutex::new(Desk { taken: 0, accepted: 0, exhausted: false, finished: BTreeMap::new() });
    let source = Mutex::new(next);
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    // Whoever holds the source takes numbers in the order of the things.
                    let mut source = lock(&source);
                    {
                        let mut desk = lock(&desk);
                        while !desk.exhausted && desk.taken >= desk.accepted + jobs * AHEAD {
                            desk = changed.wait(desk).unwrap_or_else(PoisonError::into_inner);
                        }
                        if desk.exhausted {
                            return;
                        }
                    }
                    let thing = source();
                    let number = {
                        let mut desk = lock(&desk);
                        desk.taken += usize::from(thing.is_some());
                        desk.exhausted |= thing.is_none();
                        desk.taken
                    };
                    drop(source);
                    let Some(thing) = thing else {
                        changed.notify_all();
                        return;
                    };
                    let result = work(thing);
                    lock(&desk).finished.insert(number - 1, result);
                    changed.notify_all();
                }
            });
        }
        loop {
            let result = {
                let mut desk = lock(&desk);
                loop {
                    let wanted = desk.accepted;
                    if let Some(result) = desk.finished.remove(&wanted) {
                        break Some(result);
                    }
                    if desk.exhausted && desk.accepted == desk.taken {
                        break None;
                    }
                    desk = changed.wait(desk).unwrap_or_else(PoisonError::into_inner);
                }
            };
            let Some(result) = result else { return };
            let go_on = accept(result);
            let mut desk = lock(&desk);
            desk.accepted += 1;
            desk.exhausted |= !go_on;
            drop(desk);
            changed.notify_all();
            if !go_on {
                return;
            }
        }
    });
}

struct Desk<R> {
    /// How many things have been taken from the source.
    taken: usize,
    /// How many results have been handed on.
    accepted: usize,
    /// Nothing more will be taken.
    exhausted: bool,
    /// Results that wait for their turn.
    finished: BTreeMap<usize, R>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A worker that panicked has poisoned nothing that matters: the desk is changed in single steps.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
