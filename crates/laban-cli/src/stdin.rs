//! Reading what may take forever: standard input, and files that are pipes.
//!
//! A read cannot be interrupted: the system starts it again. So a separate thread reads, and the one who waits for it
//! checks now and then whether to stop. As long as nobody listens for interrupts, one ends the program, as it does
//! everywhere.

use crate::interrupt::was_interrupted;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long an interrupt may go unnoticed.
const CHECK_EVERY: Duration = Duration::from_millis(30);

/// What came of waiting for a reading thread.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Received<T> {
    /// Something was read.
    Item(T),
    /// Everything has been read.
    End,
    /// There is a reason to stop.
    Stopped,
}

/// Waits for what a reading thread sends next.
pub(crate) fn receive<T>(from: &Receiver<T>, is_stopped: impl Fn() -> bool) -> Received<T> {
    loop {
        if is_stopped() {
            return Received::Stopped;
        }
        match from.recv_timeout(CHECK_EVERY) {
            Ok(item) => return Received::Item(item),
            Err(RecvTimeoutError::Disconnected) => return Received::End,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// All that a reader gives, up to so many bytes. Opening it may take as long as reading it.
pub(crate) fn read_to_end<R: Read>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    most: u64,
) -> io::Result<Vec<u8>> {
    let (sender, answer) = sync_channel(1);
    let open = Arc::new(Mutex::new(Some(open)));
    let theirs = Arc::clone(&open);
    let reading = thread::Builder::new().spawn(move || {
        if let Some(open) = taken(&theirs) {
            // After an interrupt nobody is waiting for it.
            let _ = sender.send(all_of(open, most));
        }
    });
    if reading.is_err()
        && let Some(open) = taken(&open)
    {
        // The system gives us no thread: an interrupt has to wait.
        return all_of(open, most);
    }
    match receive(&answer, was_interrupted) {
        Received::Item(read) => read,
        Received::End => Err(io::ErrorKind::BrokenPipe.into()),
        Received::Stopped => Err(io::Error::other("interrupted")),
    }
}

fn all_of<R: Read>(open: impl FnOnce() -> io::Result<R>, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open()?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn taken<T>(cell: &Mutex<Option<T>>) -> Option<T> {
    cell.lock().unwrap_or_else(PoisonError::into_inner).take()
}
