//! Work shared out among threads, where there are any.
//!
//! Without the feature `parallel` everything happens in the thread that asks. The order of the results is that of the
//! work, so nothing that is computed from them depends on the number of threads.

/// How many threads work is shared out among.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads().max(1);
    #[cfg(not(feature = "parallel"))]
    return 1;
}

/// Does the same with each item, at the same time if that is allowed and there are several.
pub(crate) fn map_in_parallel<T: Send, R: Send>(
    parallel: bool,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if parallel && items.len() > 1 {
        use rayon::prelude::*;
        return items.into_par_iter().map(work).collect();
    }
    let _ = parallel;
    items.into_iter().map(work).collect()
}
