//! Does what has not been done yet.

use super::journal::Journal;
use super::measure::{Limit, ill_formed, measure};
use crate::plan::Job;
use crate::run::{Key, Run};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How jobs are done.
pub struct Workers<'a> {
    /// How many threads work at the same time.
    pub threads: usize,
    /// When a search is given up.
    pub limit: Limit,
    /// Asked from time to time: is it time to stop?
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
    /// Told of each search that is done.
    pub done: &'a mut (dyn FnMut() + Send),
}

/// What is still to be done of some jobs, given the results that are known.
pub fn open_jobs(jobs: &[Job], known: &BTreeMap<Key, Run>) -> Vec<Job> {
    jobs.iter().filter_map(|job| still_open(job, known)).collect()
}

/// Runs all searches of the jobs, in several threads, and adds the results to the journal.
pub fn run_jobs(open: &[Job], journal: &mut Journal, workers: Workers<'_>) -> io::Result<()> {
    let Workers { threads, limit, interrupted, done } = workers;
    let shared = Mutex::new(Shared { journal, done, failed: None });
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(job) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !one(job, limit, interrupted, &shared) {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        let start = || std::thread::Builder::new().spawn_scoped(scope, worker).is_ok();
        // As many as the system gives us.
        if (0..threads.max(1)).take_while(|_| start()).count() == 0 {
            worker();
        }
    });
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    shared.failed.map_or(Ok(()), Err)
}

/// Runs all searches of one job, in this thread. If it is interrupted, what was done until then.
pub fn run_job(job: &Job, limit: Limit, interrupted: &(dyn Fn() -> bool + Sync)) -> Vec<Run> {
    let mut runs = Vec::new();
    each(job, limit, interrupted, |run| {
        runs.push(run);
        true
    });
    runs
}

/// What the threads share.
struct Shared<'a> {
    journal: &'a mut Journal,
    done: &'a mut (dyn FnMut() + Send),
    failed: Option<io::Error>,
}

impl Shared<'_> {
    /// False if there is nothing more to do.
    fn accept(&mut self, run: &Run) -> bool {
        if self.failed.is_none() {
            self.failed = self.journal.add(run).err();
            (self.done)();
        }
        self.failed.is_none()
    }
}

/// What is left of a job, if anything is.
fn still_open(job: &Job, known: &BTreeMap<Key, Run>) -> Option<Job> {
    let open = |asked: &&crate::plan::Asked| !known.contains_key(&asked.key);
    let searches: Vec<_> = job.searches.iter().filter(open).cloned().collect();
    (!searches.is_empty()).then(|| Job { searches, ..job.clone() })
}

/// Does one job. False if there is nothing more to do.
fn one(job: &Job, limit: Limit, interrupted: &(dyn Fn() -> bool + Sync), shared: &Mutex<Shared<'_>>) -> bool {
    let accept = |run: &Run| shared.lock().unwrap_or_else(PoisonError::into_inner).accept(run);
    each(job, limit, interrupted, |run| accept(&run))
}

/// Runs the searches of a job one after the other. False if there is nothing more to do.
fn each(job: &Job, limit: Limit, interrupted: &(dyn Fn() -> bool + Sync), mut accept: impl FnMut(Run) -> bool) -> bool {
    if interrupted() {
        return false;
    }
    match job.subject.make() {
        Err(_) => job.searches.iter().all(|asked| accept(ill_formed(asked))),
        Ok(made) => job
            .searches
            .iter()
            .all(|asked| measure(&made, asked, job.part, limit, interrupted).is_some_and(&mut accept)),
    }
}
