//! Work on several things at once, with the results in order and little in memory.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many things may be begun ahead of the oldest that is not finished, for each worker.
const AHEAD: usize = 16;

/// Takes things from `next`, works on them in `jobs` threads and hands the results to `accept`, in the order of the things.
/// Stops early when `accept` says no. Should a worker panic, so does this, and nobody is left waiting.
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
    let desk = Mutex::new(Desk { taken: 0, accepted: 0, exhausted: false, broken: false, finished: BTreeMap::new() });
    let source = Mutex::new(next);
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                let _notice = Notice { desk: &desk, changed: &changed };
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
                    if desk.broken || desk.exhausted && desk.accepted == desk.taken {
                        break None;
                    }
                    desk = changed.wait(desk).unwrap_or_else(PoisonError::into_inner);
                }
            };
            let Some(result) = result else { return };
            let go_on = accept(result);
            // From here on there is room for one more.
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
    /// A result will never come, since a worker has panicked.
    broken: bool,
    /// Results that wait for their turn.
    finished: BTreeMap<usize, R>,
}

/// Tells everybody when the thread that holds it panics.
struct Notice<'a, R> {
    desk: &'a Mutex<Desk<R>>,
    changed: &'a Condvar,
}

impl<R> Drop for Notice<'_, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut desk = lock(self.desk);
            desk.exhausted = true;
            desk.broken = true;
            drop(desk);
            self.changed.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A worker that panicked has poisoned nothing that matters: the desk is changed in single steps.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread::sleep;
    use std::time::Duration;

    /// The squares of the numbers below 1000 that were accepted.
    fn squares(jobs: usize, work: impl Fn(u64) -> u64 + Sync, most: usize) -> Vec<u64> {
        let mut numbers = 0..1000;
        let mut accepted = Vec::new();
        in_order(
            jobs,
            || numbers.next(),
            work,
            |square| {
                accepted.push(square);
                accepted.len() < most
            },
        );
        accepted
    }

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let expected: Vec<u64> = (0..1000).map(|number| number * number).collect();
        for jobs in [1, 2, 3, 8, 50] {
            let work = |number: u64| {
                if number.is_multiple_of(97) {
                    sleep(Duration::from_millis(3));
                }
                number * number
            };
            assert_eq!(squares(jobs, work, usize::MAX), expected, "{jobs} jobs");
        }
    }

    #[test]
    fn it_stops_when_told_to() {
        for jobs in [1, 2, 8] {
            assert_eq!(squares(jobs, |number| number, 5), [0, 1, 2, 3, 4], "{jobs} jobs");
        }
    }

    #[test]
    fn a_worker_that_panics_leaves_nobody_waiting() {
        for jobs in [2, 8] {
            let work = |number: u64| if number == 500 { panic!("on purpose") } else { number };
            assert!(catch_unwind(AssertUnwindSafe(|| squares(jobs, work, usize::MAX))).is_err());
        }
    }

    #[test]
    fn few_are_begun_ahead_of_the_oldest_that_is_not_finished() {
        let taken = Mutex::new(0usize);
        let mut numbers = 0..1000usize;
        let next = || {
            let number = numbers.next()?;
            *lock(&taken) = number;
            Some(number)
        };
        let mut furthest = 0;
        let mut expected = 0;
        in_order(
            4,
            next,
            |number| number,
            |number| {
                assert_eq!(number, expected);
                expected += 1;
                sleep(Duration::from_micros(50));
                furthest = furthest.max(*lock(&taken) - number);
                true
            },
        );
        assert!(furthest <= 4 * AHEAD, "{furthest}");
    }
}
