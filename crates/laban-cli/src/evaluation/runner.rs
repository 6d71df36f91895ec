//! Does what has not been done yet.

use super::journal::Journal;
use super::measure::{Limit, ill_formed, measure};
use super::plan::Job;
use super::progress::Progress;
use super::run::{Key, Run};
use crate::interrupt::is_interrupted;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Runs all searches of the jobs that are not among the known, in several threads, and adds the results to the journal.
pub(crate) fn run(
    jobs: &[Job],
    known: &BTreeMap<Key, Run>,
    journal: &mut Journal,
    threads: usize,
    limit: Limit,
) -> io::Result<()> {
    let open: Vec<Job> = jobs.iter().filter_map(|job| still_open(job, known)).collect();
    let total = open.iter().map(|job| job.searches.len()).sum();
    let desk = Mutex::new(Desk { journal, progress: Progress::new(total), failed: None });
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some(job) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if !one(job, limit, &desk) {
                        return;
                    }
                }
            });
        }
    });
    let desk = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    desk.progress.finish();
    desk.failed.map_or(Ok(()), Err)
}

/// What the threads share.
struct Desk<'a> {
    journal: &'a mut Journal,
    progress: Progress,
    failed: Option<io::Error>,
}

impl Desk<'_> {
    /// False if nothing more is to be done.
    fn accept(&mut self, run: &Run) -> bool {
        if self.failed.is_none() {
            self.failed = self.journal.add(run).err();
            self.progress.step();
        }
        self.failed.is_none()
    }
}

/// What is left of a job, if anything is.
fn still_open(job: &Job, known: &BTreeMap<Key, Run>) -> Option<Job> {
    let open = |asked: &&super::plan::Asked| !known.contains_key(&asked.key);
    let searches: Vec<_> = job.searches.iter().filter(open).cloned().collect();
    (!searches.is_empty()).then(|| Job { searches, ..job.clone() })
}

/// Does one job. False if nothing more is to be done.
fn one(job: &Job, limit: Limit, desk: &Mutex<Desk<'_>>) -> bool {
    let accept = |run: &Run| desk.lock().unwrap_or_else(PoisonError::into_inner).accept(run);
    if is_interrupted() {
        return false;
    }
    match job.subject.make() {
        Err(_) => job.searches.iter().all(|asked| accept(&ill_formed(asked))),
        Ok(made) => {
            job.searches.iter().all(|asked| measure(&made, asked, job.part, limit).is_some_and(|run| accept(&run)))
        }
    }
}
