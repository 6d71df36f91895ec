//! The standard input, read so that an interrupt ends the reading.
//!
//! A read cannot be interrupted: it is begun again. So a thread of its own does the reading, and whoever waits for it looks
//! up now and then. As long as nobody notes interrupts, one ends the program, as it does everywhere.

use crate::interrupt::was_interrupted;
use std::io::{self, Read};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How long an interrupt may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(30);

/// What a reader gives until its end, of at most so many bytes.
pub(crate) fn read_patiently(reader: impl Read + Send + 'static, most: u64) -> io::Result<Vec<u8>> {
    let (sender, answer) = sync_channel(1);
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = reader.take(most).read_to_end(&mut bytes);
        // After an interrupt nobody is waiting for it.
        let _ = sender.send(read.map(|_| bytes));
    });
    loop {
        match answer.recv_timeout(PATIENCE) {
            Ok(read) => return read,
            Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
            Err(RecvTimeoutError::Timeout) if was_interrupted() => return Err(io::Error::other("interrupted")),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
