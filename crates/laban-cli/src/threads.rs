//! How many threads to use: an option that several commands share.

use clap::Args;
use std::num::NonZeroUsize;

/// More threads than this only get into each other's way.
const MOST_THREADS: usize = 256;

/// How many threads to use.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct JobsArgs {
    /// How many threads to use; 0 means one for each core, and at most 256 are used
    #[arg(long, short, default_value_t = 0, value_name = "NUMBER")]
    jobs: usize,
}

impl JobsArgs {
    /// Whether there is a thread for each core.
    pub(crate) fn is_default(self) -> bool {
        self.jobs == 0
    }

    /// The number of threads.
    pub(crate) fn threads(self) -> usize {
        match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            jobs => jobs.min(MOST_THREADS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_jobs_mean_all_cores_and_too_many_are_capped() {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        assert_eq!(JobsArgs { jobs: 0 }.threads(), cores);
        assert_eq!(JobsArgs { jobs: 3 }.threads(), 3);
        assert_eq!(JobsArgs { jobs: usize::MAX }.threads(), MOST_THREADS);
    }
}
