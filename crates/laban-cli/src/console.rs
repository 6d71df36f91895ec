//! The two outputs: results on standard output, or in the file of `--output`, and everything else on standard
//! error.
//!
//! What is shown is written with colours, which are taken out again where nobody would see them; what users wrote is
//! made [visible] in it first, so that no colour or cursor of theirs gets through. Data goes out as it is. A reader
//! that has gone away (`laban … | head`) is not a mistake: what it does not want to read is dropped, and the exit
//! status still tells the answer.

use crate::exit::Exit;
use crate::interrupt;
use crate::output::OutputFile;
use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use laban::text::visible;
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stderr, Write};
use std::path::{Path, PathBuf};

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
    out: BufWriter<UntilClosed<AutoStream<Box<dyn Write + Send>>>>,
    data: BufWriter<UntilClosed<Box<dyn Write + Send>>>,
    err: BufWriter<UntilClosed<AutoStream<Stderr>>>,
    /// The file that results go to instead of standard output.
    output: Option<OutputFile>,
    /// Its name.
    path: Option<PathBuf>,
}

impl Console {
    /// The outputs of this process; results go to a file instead if there is a path.
    pub(crate) fn new(color: Color, path: Option<&Path>) -> io::Result<Self> {
        match color {
            Color::Auto => {}
            Color::Always => ColorChoice::Always.write_global(),
            Color::Never => ColorChoice::Never.write_global(),
        }
        let path = path.filter(|path| path.as_os_str() != "-");
        let choice = AutoStream::choice(&io::stdout());
        let mut console = Console {
            out: shown(Box::new(io::stdout()), choice),
            data: raw(Box::new(io::stdout())),
            err: BufWriter::new(UntilClosed { stream: anstream::stderr(), closed: false }),
            output: None,
            path: path.map(Path::to_path_buf),
        };
        console.open_file()?;
        Ok(console)
    }

    /// Begins a new content of the file, if results go to one.
    fn open_file(&mut self) -> io::Result<()> {
        if let Some(path) = &self.path {
            let output = OutputFile::create(path)?;
            self.out = shown(Box::new(output.writer()?), ColorChoice::Never);
            self.data = raw(Box::new(output.writer()?));
            self.output = Some(output);
        }
        Ok(())
    }

    /// The file that results go to, if one was named.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Whether results go to a file that was named.
    pub(crate) fn is_to_file(&self) -> bool {
        self.path.is_some()
    }

    /// Writes everything and puts the file in its place. Without an answer, it stays as it was.
    pub(crate) fn finish(&mut self, exit: Exit) -> io::Result<()> {
        self.flush()?;
        match self.output.take() {
            Some(output) if exit == Exit::Yes || !output.is_empty() => output.commit(),
            _ => Ok(()),
        }
    }

    /// The same, and the next results replace these.
    pub(crate) fn finish_round(&mut self, exit: Exit) -> io::Result<()> {
        self.finish(exit)?;
        self.open_file()
    }

    /// From now on, a reader of the results that goes away is a reason to stop.
    pub(crate) fn watch_reader(&self) {
        if !self.is_to_file() {
            interrupt::watch_reader();
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

    /// Says what went wrong with something that is not a text to point into.
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
        interrupt::is_reader_gone() || self.out.get_ref().closed || self.data.get_ref().closed
    }

    /// Makes sure that everything has been written, results first.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.data.flush()?;
        self.err.flush()
    }
}

fn shown(
    stream: Box<dyn Write + Send>,
    choice: ColorChoice,
) -> BufWriter<UntilClosed<AutoStream<Box<dyn Write + Send>>>> {
    BufWriter::new(UntilClosed { stream: AutoStream::new(stream, choice), closed: false })
}

fn raw(stream: Box<dyn Write + Send>) -> BufWriter<UntilClosed<Box<dyn Write + Send>>> {
    BufWriter::with_capacity(1 << 16, UntilClosed { stream, closed: false })
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
