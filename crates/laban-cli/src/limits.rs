//! When to give up: options of all commands that may take long.

use crate::interrupt::is_interrupted;
use clap::Args;
use laban::{Limits, StopReason};
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
}

impl LimitArgs {
    /// Runs a task with these limits. The time starts now, and an interrupt ends it too.
    pub(crate) fn with_limits<T>(&self, task: impl FnOnce(Limits<'_>) -> T) -> T {
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let stop = || stop_reason(deadline);
        task(Limits { max_states: self.max_states, stop: &stop })
    }

    /// Why a task was given up.
    pub(crate) fn why_undecided(&self) -> String {
        if is_interrupted() {
            return "interrupted".to_string();
        }
        laban_report::gave_up(self.max_states, self.timeout.map(|timeout| timeout.as_secs_f64()))
    }
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
