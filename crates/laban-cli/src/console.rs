//! The two outputs: results on the standard output, everything else on the standard error.
//!
//! What is shown is written with colours, which are taken out again where nobody would see them; what users wrote is
//! made [visible] in it first, so that no colour or cursor of theirs gets through. Data goes out as it is. A reader that has gone
//! away (`laban … | head`) is no mistake: what it does not want to read is dropped, and the exit status still tells the
//! answer.

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use laban::text::visible;
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stderr, Stdout, Write};

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Where commands write to.
pub(crate) struct Console {
    out: BufWriter<UntilClosed<AutoStream<Stdout>>>,
    data: BufWriter<UntilClosed<Stdout>>,
    err: BufWriter<UntilClosed<AutoStream<Stderr>>>,
}

impl Console {
    /// The outputs of this process.
    pub(crate) fn new(color: Color) -> Self {
        match color {
            Color::Auto => {}
            Color::Always => ColorChoice::Always.write_global(),
            Color::Never => ColorChoice::Never.write_global(),
        }
        Console {
            out: BufWriter::new(UntilClosed { stream: anstream::stdout(), closed: false }),
            data: BufWriter::with_capacity(1 << 16, UntilClosed { stream: io::stdout(), closed: false }),
            err: BufWriter::new(UntilClosed { stream: anstream::stderr(), closed: false }),
        }
    }

    /// Where results go that are shown, with colours. Nothing is written here that somebody may want to read as it is.
    pub(crate) fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Where results go that are data: not a byte of it is changed. A command writes here or to [`out`](Self::out).
    pub(crate) fn data(&mut self) -> &mut impl Write {
        &mut self.data
    }

    /// Where everything else goes.
    pub(crate) fn err(&mut self) -> &mut impl Write {
        &mut self.err
    }

    /// Says what went wrong with something that is no text to point into.
    pub(crate) fn error(&mut self, message: impl Display) {
        // There is nobody left to tell if this fails.
        let message = message.to_string();
        let _ = writeln!(self.err, "\x1b[1;91merror\x1b[0m: {}", visible(&message)).and_then(|()| self.flush());
    }

    /// Shows a line as a result.
    pub(crate) fn say(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.out, "{}", visible(&line.to_string()))
    }

    /// Shows a line beside the results.
    pub(crate) fn say_aside(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.err, "{}", visible(&line.to_string()))
    }

    /// Empties the screen, if there is one and all goes to it.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        match io::stdout().is_terminal() && io::stderr().is_terminal() {
            true => write!(self.err, "\x1b[2J\x1b[3J\x1b[H"),
            false => Ok(()),
        }
    }

    /// Whether nobody reads the results any more, as far as is known.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.get_ref().closed || self.data.get_ref().closed
    }

    /// Makes sure that everything has been written, results first.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.data.flush()?;
        self.err.flush()
    }
}

/// Drops what is written after the reader has gone away.
struct UntilClosed<W> {
    stream: W,
    closed: bool,
}

impl<W: Write> UntilClosed<W> {
    fn unless_closed<T>(&mut self, dropped: T, write: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.closed {
            return Ok(dropped);
        }
        match write(&mut self.stream) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(dropped)
            }
            outcome => outcome,
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |stream| stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), Write::flush)
    }
}
