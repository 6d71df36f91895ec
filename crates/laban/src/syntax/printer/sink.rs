//! Where the printers write.
//!
//! Most of what is printed are short names. A table of names has each of them in a number of eight bytes, and copying
//! that costs a fraction of what copying a text does; so a sink is told which name to write, rather than its text.

use crate::syntax::tree::{Language, Name, Tree};
use std::fmt::{self, Formatter, Write};

/// Something that texts and names are written to.
pub trait Sink: Write {
    /// Writes a name of a tree.
    fn write_name<L: Language>(&mut self, tree: &Tree<L>, name: Name) -> fmt::Result {
        self.write_str(tree.text(name))
    }
}

impl Sink for String {}

/// Text that is put together from small pieces. It is kept as bytes, since names are copied as such.
#[derive(Debug, Default)]
pub(super) struct Pieces(Vec<u8>);

impl Pieces {
    fn with_capacity(bytes: usize) -> Self {
        Pieces(Vec::with_capacity(bytes))
    }

    #[inline]
    pub(super) fn push_str(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    #[inline]
    pub(super) fn push(&mut self, character: char) {
        match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() => self.0.push(byte),
            _ => self.push_str(character.encode_utf8(&mut [0; 4])),
        }
    }

    /// Moves all the pieces of another text behind these.
    #[inline]
    pub(super) fn append(&mut self, others: &mut Pieces) {
        self.0.extend_from_slice(&others.0);
        others.0.clear();
    }

    fn text(&self) -> Result<&str, fmt::Error> {
        // Whole texts went in, so it is one.
        std::str::from_utf8(&self.0).map_err(|_| fmt::Error)
    }
}

impl Write for Pieces {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }

    #[inline]
    fn write_char(&mut self, character: char) -> fmt::Result {
        self.push(character);
        Ok(())
    }
}

impl Sink for Pieces {
    #[inline]
    fn write_name<L: Language>(&mut self, tree: &Tree<L>, name: Name) -> fmt::Result {
        match tree.names.short(name.symbol) {
            Some((bytes, length)) => {
                let end = self.0.len() + length;
                self.0.extend_from_slice(&bytes);
                self.0.truncate(end);
            }
            None => self.push_str(tree.text(name)),
        }
        Ok(())
    }
}

/// Gathers many small pieces of text, since each costs a formatter as much as a large one.
pub(super) struct Buffered<'a, 'b> {
    pieces: Pieces,
    out: &'a mut Formatter<'b>,
}

/// How much text is gathered, in bytes.
const ENOUGH: usize = 8192;

impl<'a, 'b> Buffered<'a, 'b> {
    pub(super) fn new(out: &'a mut Formatter<'b>) -> Self {
        // What comes after enough, before it is passed on, is an action or a line.
        Buffered { pieces: Pieces::with_capacity(ENOUGH + 256), out }
    }

    /// The pieces themselves. Whoever writes to them calls [`pass_on`](Self::pass_on) now and then.
    pub(super) fn pieces(&mut self) -> &mut Pieces {
        &mut self.pieces
    }

    /// Passes on what has been gathered, if that is enough.
    #[inline]
    pub(super) fn pass_on(&mut self) -> fmt::Result {
        match self.pieces.0.len() < ENOUGH {
            true => Ok(()),
            false => self.flush(),
        }
    }

    #[cold]
    fn flush(&mut self) -> fmt::Result {
        self.out.write_str(self.pieces.text()?)?;
        self.pieces.0.clear();
        Ok(())
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> fmt::Result {
        self.flush()
    }
}

impl Write for Buffered<'_, '_> {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.pieces.push_str(text);
        self.pass_on()
    }

    #[inline]
    fn write_char(&mut self, character: char) -> fmt::Result {
        self.pieces.push(character);
        Ok(())
    }
}

impl Sink for Buffered<'_, '_> {
    #[inline]
    fn write_name<L: Language>(&mut self, tree: &Tree<L>, name: Name) -> fmt::Result {
        self.pieces.write_name(tree, name)
    }
}
