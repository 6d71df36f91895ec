//! Reasons to stop early: the user has asked for it, or nobody reads the results any more.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the user has asked to stop, if somebody listens for that: [`is_interrupted`] begins to.
pub(crate) fn was_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Whether the user has asked to stop. From the first call on, an interrupt is noted instead of ending the program; a
/// second one ends it.
pub(crate) fn is_interrupted() -> bool {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        // Without a handler an interrupt ends the program at once, which is what it would do anyway.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
    was_interrupted()
}

/// Whether the reader of the standard output has gone away, as in `laban … | head -1`. A pipe tells even before anything
/// is written to it.
#[cfg(unix)]
pub(crate) fn is_reader_gone() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = std::io::stdout();
    let mut descriptors = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut descriptors, Some(&now)).is_ok() && descriptors[0].revents().contains(PollFlags::ERR)
}

/// Elsewhere, the next write tells.
#[cfg(not(unix))]
pub(crate) fn is_reader_gone() -> bool {
    false
}
