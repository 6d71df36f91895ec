//! When to give up: options of all commands that may take long.

use crate::interrupt::is_interrupted;
use crate::memory;
use clap::Args;
use laban::{Limits, StopReason};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to give up.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct LimitArgs {
    /// Give up after this many states (in each part that never interacts with the rest)
    #[arg(long, value_name = "NUMBER")]
    max_states: Option<usize>,

    /// Give up after this many seconds (for each network or choreography)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,

    /// Give up when Laban uses more memory than this, such as 500M or 4G [default: half of the machine's memory]
    #[arg(long, value_name = "BYTES", value_parser = memory::bytes)]
    memory: Option<usize>,
}

impl LimitArgs {
    /// Runs a task with these limits. The time starts now, and an interrupt ends it too.
    pub(crate) fn with_limits<T>(&self, task: impl FnOnce(Limits<'_>) -> T) -> T {
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let most = self.most_memory();
        let stop = || stop_reason(deadline).or_else(|| out_of_memory(most));
        task(Limits { max_states: self.max_states, stop: &stop })
    }

    /// How many bytes may be used.
    fn most_memory(&self) -> usize {
        static DEFAULT: OnceLock<usize> = OnceLock::new();
        self.memory.unwrap_or_else(|| *DEFAULT.get_or_init(memory::default_limit))
    }

    /// Why a task was given up for want of memory.
    pub(crate) fn out_of_memory(&self) -> String {
        let most = memory::shown(self.most_memory());
        format!("gave up: more than {most} of memory is needed (`--memory` allows more)")
    }

    /// Why a task was given up.
    pub(crate) fn why_undecided(&self) -> String {
        if is_interrupted() {
            return "interrupted".to_string();
        }
        if (self.max_states, self.timeout) == (None, None) && WAS_SPENT.load(Ordering::Relaxed) {
            return self.out_of_memory();
        }
        laban_report::gave_up(self.max_states, self.timeout.map(|timeout| timeout.as_secs_f64()))
    }
}

/// Whether some task was given up for want of memory.
static WAS_SPENT: AtomicBool = AtomicBool::new(false);

/// Why to stop now, if more memory than this is used.
fn out_of_memory(most: usize) -> Option<StopReason> {
    (memory::used() > most).then(|| {
        WAS_SPENT.store(true, Ordering::Relaxed);
        StopReason::Memory
    })
}

/// Why to stop now: an interrupt, or the time.
pub(crate) fn stop_reason(deadline: Option<Instant>) -> Option<StopReason> {
    if is_interrupted() {
        return Some(StopReason::Interrupted);
    }
    deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| StopReason::Timeout)
}

/// Reads a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds, such as 0.5 or 60".to_string())?;
    let duration = Duration::try_from_secs_f64(number).map_err(|error| error.to_string())?;
    match duration.is_zero() {
        true => Err("must be more than 0".to_string()),
        false => Ok(duration),
    }
}
