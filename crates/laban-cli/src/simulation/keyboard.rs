//! Lines from standard input, or the news that there was an interrupt.
//!
//! A separate thread reads, so that an interrupt ends the wait.

use crate::interrupt::is_interrupted;
use crate::stdin::{Received, receive};
use std::io::{self, BufRead, IsTerminal, Read};
use std::sync::mpsc::{Receiver, sync_channel};

/// Of a longer line, the rest is not read, and the line counts as unknown.
const LONGEST_LINE: u64 = 4096;

/// What came from the keyboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    Line(String),
    End,
    Interrupt,
}

/// Standard input, by lines.
pub(super) struct Keyboard {
    lines: Receiver<Option<String>>,
    /// Whether nobody sees what is typed, because it is not typed on a terminal.
    pub(super) unseen: bool,
}

impl Keyboard {
    pub(super) fn new() -> Self {
        let (sender, lines) = sync_channel(1);
        // Without a thread there is nothing to hear.
        let _ = std::thread::Builder::new().spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let mut bytes = Vec::new();
                let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
                if bytes.len() as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
                    // The rest is part of the same line, and none of it is an order.
                    let _ = input.skip_until(b'\n');
                    bytes.extend("…".bytes());
                }
                // What cannot be read has come to its end.
                let end = !matches!(read, Ok(1..));
                let line = (!end).then(|| String::from_utf8_lossy(&bytes).into_owned());
                if sender.send(line).is_err() || end {
                    return;
                }
            }
        });
        // From now on an interrupt is noticed.
        is_interrupted();
        Keyboard { lines, unseen: !io::stdin().is_terminal() }
    }

    /// Waits for a line.
    pub(super) fn listen(&self) -> Heard {
        match receive(&self.lines, is_interrupted) {
            Received::Item(Some(line)) => Heard::Line(line),
            Received::Item(None) | Received::End => Heard::End,
            Received::Stopped => Heard::Interrupt,
        }
    }
}
