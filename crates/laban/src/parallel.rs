//! Work shared out among threads, where there are any.
//!
//! Without the feature `parallel` everything happens in the thread that asks. The order of the results is that of the
//! work, so nothing that is computed from them depends on the number of threads.
//!
//! A system that has too little left to start threads is one without them.

#[cfg(feature = "parallel")]
use std::{error::Error, sync::OnceLock};

/// How many threads work is shared out among.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    if can_share() {
        return rayon::current_num_threads().max(1);
    }
    1
}

/// Whether there are threads to share work among. They are started when this is first asked; once that has failed, to
/// use them would be a panic.
#[cfg(feature = "parallel")]
fn can_share() -> bool {
    static STARTED: OnceLock<bool> = OnceLock::new();
    let start = || match rayon::ThreadPoolBuilder::new().build_global() {
        Ok(()) => true,
        // Somebody else has started them, or the system has said no.
        Err(error) => error.source().is_none(),
    };
    rayon::current_thread_index().is_some() || *STARTED.get_or_init(start)
}

/// Does the same with each item, at the same time if that is allowed and there are several.
pub(crate) fn map_in_parallel<T: Send, R: Send>(
    parallel: bool,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if parallel && items.len() > 1 && can_share() {
        use rayon::prelude::*;
        return items.into_par_iter().map(work).collect();
    }
    let _ = parallel;
    items.into_iter().map(work).collect()
}
