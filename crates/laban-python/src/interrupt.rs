//! Long work that a signal ends, without the interpreter's lock.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often Python is asked whether there was a signal.
pub(crate) const EVERY: Duration = Duration::from_millis(50);

/// Does something in another thread, while this one waits for it and for signals: Python hears of those only in its
/// main thread. After one, the work is told to stop, by the flag that it is given, and the exception is that of the
/// signal's handler, usually `KeyboardInterrupt`.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let stop = &stop;
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let worker = scope.spawn(move || {
                let result = work(stop);
                // If nobody waits any more, nobody needs it.
                let _ = sender.send(());
                result
            });
            let mut signal = Ok(());
            // When the other thread has panicked, this ends as well, and joining it panics in turn.
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(EVERY) {
                if signal.is_ok() {
                    signal = Python::attach(|py| py.check_signals());
                    stop.store(signal.is_err(), Ordering::Relaxed);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            signal.map(|()| result)
        })
    })
}
