//! How long this thread has worked.

use std::time::Duration;

/// Measures the time that the thread which started it works. Where the system does not say, the time that passes.
pub(crate) struct Stopwatch(Now);

#[cfg(unix)]
type Now = rustix::time::Timespec;
#[cfg(not(unix))]
type Now = std::time::Instant;

#[cfg(unix)]
impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch(now())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        let nanoseconds = |time: Now| time.tv_sec * 1_000_000_000 + time.tv_nsec;
        Duration::from_nanos(u64::try_from(nanoseconds(now()) - nanoseconds(self.0)).unwrap_or(0))
    }
}

#[cfg(unix)]
fn now() -> Now {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(not(unix))]
impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch(Now::now())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
