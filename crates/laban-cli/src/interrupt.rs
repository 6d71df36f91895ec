//! Reasons to stop early: the user has asked for it, or nobody reads the results any more.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static READER_GONE: AtomicBool = AtomicBool::new(false);

/// Whether there is a reason to stop, if somebody listens for interrupts: [`is_interrupted`] begins to.
pub(crate) fn was_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed) || is_reader_gone()
}

/// Whether there is a reason to stop. From the first call on, an interrupt is noted instead of ending the program; a
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

/// Whether the reader of standard output has gone away, if somebody watches it: [`watch_reader`] begins to.
pub(crate) fn is_reader_gone() -> bool {
    READER_GONE.load(Ordering::Relaxed)
}

/// From now on, a reader that goes away, as in `laban … | head -1`, is a reason to stop like an interrupt. A pipe tells
/// even while nothing is written to it.
#[cfg(unix)]
pub(crate) fn watch_reader() {
    use rustix::event::{PollFd, PollFlags, poll};
    let watch = || {
        let stdout = std::io::stdout();
        let mut descriptors = [PollFd::new(&stdout, PollFlags::empty())];
        loop {
            match poll(&mut descriptors, None) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(_) if descriptors[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => {
                    READER_GONE.store(true, Ordering::Relaxed);
                    return;
                }
                // It cannot be watched: the next write tells.
                _ => return,
            }
        }
    };
    // Where there is no room for another thread, the next write tells.
    let _ = std::thread::Builder::new().spawn(watch);
}

/// Elsewhere, the next write tells.
#[cfg(not(unix))]
pub(crate) fn watch_reader() {}
