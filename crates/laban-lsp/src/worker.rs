//! The thread that looks for deadlocks while the other one answers.
//!
//! It is given all documents at one moment and works through those that are open, the one that was edited last first.
//! What was found before is not looked for again. An edit makes the work pointless: it is cancelled, and other work
//! takes its place.

use crate::diagnostics::{Shown, shown};
use crate::settings::Settings;
use crate::workspace::Workspace;
use laban::{Limits, StopReason};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Instant;

/// What is to be done.
pub(crate) struct Work {
    /// The number of this work; later work has a greater one.
    pub(crate) number: u64,
    pub(crate) workspace: Workspace,
    /// The document that comes first.
    pub(crate) first: Option<String>,
    /// Set when the work is pointless.
    pub(crate) is_cancelled: Arc<AtomicBool>,
    pub(crate) settings: Settings,
}

/// What is known.
#[derive(Debug)]
pub(crate) struct Report {
    /// The number of the work.
    pub(crate) number: u64,
    /// What to show of which documents, by their keys.
    pub(crate) shown: BTreeMap<String, Shown>,
    /// Whether these are all documents, and the work is done.
    pub(crate) is_last: bool,
}

/// Works until there is nobody to work for.
pub(crate) fn run(orders: &Receiver<Work>, report: impl Fn(Report) -> bool) {
    while let Ok(mut work) = orders.recv() {
        // Only the latest counts.
        while let Ok(later) = orders.try_recv() {
            work = later;
        }
        if !do_all(&work, &report) {
            return;
        }
    }
}

/// Does all of it, unless it is cancelled. Returns whether somebody listens.
fn do_all(work: &Work, report: impl Fn(Report) -> bool) -> bool {
    let Work { number, workspace, first, .. } = work;
    let is_first = |key: &str| first.as_deref() == Some(key);
    let mut documents: Vec<_> = workspace.open_documents().collect();
    documents.sort_by_key(|document| !is_first(&document.key));
    let mut all = BTreeMap::new();
    for document in documents {
        for system in workspace.systems(document) {
            if !with_limits(work, |limits| system.settle(limits)) {
                return true;
            }
        }
        let shown = shown(workspace, document);
        if is_first(&document.key) && !report(Report { number: *number, shown: shown.clone(), is_last: false }) {
            return false;
        }
        all.extend(shown);
    }
    report(Report { number: *number, shown: all, is_last: true })
}

fn with_limits<T>(work: &Work, task: impl FnOnce(Limits<'_>) -> T) -> T {
    let deadline = work.settings.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let stop = || {
        if work.is_cancelled.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| StopReason::Timeout)
    };
    task(Limits { max_states: Some(work.settings.max_states), stop: &stop })
}
