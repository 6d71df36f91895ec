//! Work on several things at once, with the results in order and little in memory.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

/// How many things may be begun ahead of the oldest that is not finished, for each worker.
const AHEAD: usize = 64;

/// Takes things from `next`, works on them in `jobs` threads and hands the results to `accept`, in the order of the
/// things, as many at a time as are there. Stops early when `accept` says no. Should a worker panic, so does this, and
/// nobody is left waiting.
///
/// Whoever finishes the result that is wanted next hands it on, with those that have waited for it: a thread for that
/// alone would have to be woken up for each.
pub(crate) fn in_order<T, R, Next, Work, Accept>(jobs: usize, mut next: Next, work: Work, mut accept: Accept)
where
    T: Send,
    R: Send,
    Next: FnMut() -> Option<T> + Send,
    Work: Fn(T) -> R + Sync,
    Accept: FnMut(Vec<R>) -> bool + Send,
{
    if jobs <= 1 {
        while let Some(thing) = next() {
            if !accept(vec![work(thing)]) {
                return;
            }
        }
        return;
    }
    let source = Mutex::new(next);
    let accept = Mutex::new(accept);
    let queue = Queue { shared: Mutex::default(), room: Condvar::new(), most: jobs * AHEAD };
    std::thread::scope(|scope| {
        let worker = || {
            let _guard = PanicGuard(&queue);
            while let Some((number, thing)) = queue.take(&source) {
                queue.finish(number, work(thing), &accept);
            }
        };
        // As many others as the system gives us.
        for _ in 1..jobs {
            if Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        worker();
    });
}

/// What the workers share, and how they wake each other.
struct Queue<R> {
    shared: Mutex<Shared<R>>,
    /// There is room for one more, or none is wanted.
    room: Condvar,
    /// How many may be begun and not accepted.
    most: usize,
}

struct Shared<R> {
    /// How many things have been taken from the source.
    taken: usize,
    /// How many results have been accepted.
    accepted: usize,
    /// Whether somebody is handing on results.
    is_handing_on: bool,
    /// Nothing more will be taken: there is nothing, somebody said no, or a worker has panicked.
    exhausted: bool,
    /// Results that wait for their turn.
    finished: BTreeMap<usize, R>,
}

impl<R> Default for Shared<R> {
    fn default() -> Self {
        Shared { taken: 0, accepted: 0, is_handing_on: false, exhausted: false, finished: BTreeMap::new() }
    }
}

impl<R> Queue<R> {
    /// The next thing and its number.
    fn take<T>(&self, source: &Mutex<impl FnMut() -> Option<T>>) -> Option<(usize, T)> {
        // Whoever holds the source takes numbers in the order of the things; so at most one waits for room.
        let mut source = lock(source);
        let mut shared = lock(&self.shared);
        while !shared.exhausted && shared.taken >= shared.accepted + self.most {
            shared = self.room.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
        if shared.exhausted {
            return None;
        }
        drop(shared);
        let thing = source();
        let mut shared = lock(&self.shared);
        match thing {
            Some(thing) => {
                shared.taken += 1;
                Some((shared.taken - 1, thing))
            }
            None => {
                shared.exhausted = true;
                None
            }
        }
    }

    /// Adds a result. If it is the one that is wanted next, hands on all whose turn it is, unless somebody else does.
    fn finish(&self, number: usize, result: R, accept: &Mutex<impl FnMut(Vec<R>) -> bool>) {
        let mut shared = lock(&self.shared);
        shared.finished.insert(number, result);
        if shared.is_handing_on {
            return;
        }
        shared.is_handing_on = true;
        loop {
            let mut results = Vec::new();
            while let Some(result) = {
                let wanted = shared.accepted + results.len();
                shared.finished.remove(&wanted)
            } {
                results.push(result);
            }
            if results.is_empty() {
                shared.is_handing_on = false;
                return;
            }
            drop(shared);
            let count = results.len();
            let go_on = lock(accept)(results);
            shared = lock(&self.shared);
            if !go_on {
                // Nothing is handed on any more.
                shared.exhausted = true;
            }
            shared.accepted += count;
            self.room.notify_one();
            if !go_on {
                return;
            }
        }
    }
}

/// Wakes everybody when the thread that holds it panics.
struct PanicGuard<'a, R>(&'a Queue<R>);

impl<R> Drop for PanicGuard<'_, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut shared = lock(&self.0.shared);
            shared.exhausted = true;
            self.0.room.notify_one();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A worker that panicked has poisoned nothing that matters: the shared is changed in single steps.
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
            |squares| {
                accepted.extend(squares);
                accepted.len() < most
            },
        );
        accepted.truncate(most);
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
            |numbers| {
                let first = expected;
                for number in numbers {
                    assert_eq!(number, expected);
                    expected += 1;
                }
                sleep(Duration::from_micros(50));
                furthest = furthest.max((*lock(&taken) + 1).saturating_sub(first));
                true
            },
        );
        assert!(furthest <= 4 * AHEAD, "{furthest}");
    }
}
