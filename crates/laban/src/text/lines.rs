//! Lines and columns of a text, found without reading the text again for each question.
//!
//! People count columns in characters, the language server protocol in UTF-16 code units (or in bytes, if both sides
//! agree), compilers in bytes. A [`LineTable`] answers in any of them and goes back from a position to an offset. It
//! holds no text: the caller passes the text that the table was made from.

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Columns {
    /// Characters (Unicode scalar values), as people count.
    #[default]
    Characters,
    /// UTF-16 code units, as editors count unless they say otherwise.
    Utf16,
    /// Bytes of UTF-8.
    Utf8,
}

/// A line and a column, both counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in the unit that was asked for.
    pub column: u32,
}

/// Where the lines of a text start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineTable {
    starts: Vec<u32>,
    /// How many characters, and how many UTF-16 units, start before each multiple of [`STRIDE`] bytes.
    counts: Vec<(u32, u32)>,
}

/// A question about a column reads at most this many bytes, however long the line is.
const STRIDE: usize = 1024;

impl LineTable {
    /// The table of a text.
    ///
    /// ```
    /// use laban::text::{Columns, LineTable, Position};
    ///
    /// let text = "a 🦀 b\nc";
    /// let lines = LineTable::new(text);
    /// assert_eq!(lines.position(text, 7, Columns::Characters), Position { line: 0, column: 4 });
    /// assert_eq!(lines.position(text, 7, Columns::Utf16), Position { line: 0, column: 5 });
    /// assert_eq!(lines.position(text, 7, Columns::Utf8), Position { line: 0, column: 7 });
    /// assert_eq!(lines.offset(text, Position { line: 0, column: 5 }, Columns::Utf16), 7);
    /// ```
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let newlines = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        starts.extend(newlines.map(|(at, _)| at as u32 + 1));
        let (mut characters, mut units) = (0, 0);
        let counts = bytes.chunks(STRIDE).map(|chunk| {
            let before = (characters, units);
            characters += count(chunk, Columns::Characters) as u32;
            units += count(chunk, Columns::Utf16) as u32;
            before
        });
        LineTable { counts: counts.collect(), starts }
    }

    /// How many lines there are: one more than line ends.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Never: a text without any character has one line.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The line in which an offset is.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= offset).saturating_sub(1)
    }

    /// Where a line starts; nothing behind the last line.
    pub fn start(&self, line: usize) -> Option<usize> {
        self.starts.get(line).map(|&start| start as usize)
    }

    /// The line and column of an offset. An offset inside a character counts as its start, one behind the end as the
    /// end.
    pub fn position(&self, text: &str, offset: usize, columns: Columns) -> Position {
        let offset = floor(text, offset);
        let line = self.line(offset);
        let start = self.start(line).unwrap_or(0);
        Position { line: line as u32, column: self.between(text, start, offset, columns) as u32 }
    }

    /// How many units there are from one offset to another, both at the start of a character.
    pub fn between(&self, text: &str, start: usize, end: usize, columns: Columns) -> usize {
        self.before(text, end.max(start), columns) - self.before(text, start, columns)
    }

    /// The offset of a position. A column behind the end of its line is the end of the line, without its line break; a
    /// line behind the last is the end of the text.
    pub fn offset(&self, text: &str, position: Position, columns: Columns) -> usize {
        let Some(start) = self.start(position.line as usize) else { return text.len() };
        let end = self.start(position.line as usize + 1).unwrap_or(text.len());
        let line = text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, character) in line.char_indices() {
            column += match columns {
                Columns::Characters => 1,
                Columns::Utf16 => character.len_utf16() as u32,
                Columns::Utf8 => character.len_utf8() as u32,
            };
            if column > position.column {
                return start + at;
            }
        }
        start + line.len()
    }

    /// How many units start before an offset.
    fn before(&self, text: &str, offset: usize, columns: Columns) -> usize {
        let stride = offset / STRIDE;
        let known = match (self.counts.get(stride), columns) {
            (_, Columns::Utf8) => return offset,
            (None, _) => return count(text.as_bytes(), columns),
            (Some(&(characters, _)), Columns::Characters) => characters,
            (Some(&(_, units)), Columns::Utf16) => units,
        };
        known as usize + count(text.as_bytes().get(stride * STRIDE..offset).unwrap_or(&[]), columns)
    }
}

/// How many units start in these bytes.
fn count(bytes: &[u8], columns: Columns) -> usize {
    let characters = || bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    match columns {
        Columns::Utf8 => bytes.len(),
        Columns::Characters => characters(),
        // Four bytes of UTF-8 are two units of UTF-16.
        Columns::Utf16 => characters() + bytes.iter().filter(|&&byte| byte >= 0xf0).count(),
    }
}

/// The start of the character in which an offset is.
fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_agree_with_counting_from_the_start_and_lead_back() {
        let text: String = "ab\u{e9}\u{4e2d}\nx🦀 y".chars().cycle().take(5000).collect();
        let lines = LineTable::new(&text);
        for columns in [Columns::Characters, Columns::Utf16, Columns::Utf8] {
            let (mut line, mut column) = (0, 0);
            for (offset, character) in text.char_indices() {
                let position = Position { line, column };
                assert_eq!(lines.position(&text, offset, columns), position);
                assert_eq!(lines.offset(&text, position, columns), offset);
                let width = match columns {
                    Columns::Characters => 1,
                    Columns::Utf16 => character.len_utf16() as u32,
                    Columns::Utf8 => character.len_utf8() as u32,
                };
                (line, column) = if character == '\n' { (line + 1, 0) } else { (line, column + width) };
            }
        }
    }

    #[test]
    fn what_is_behind_the_end_is_at_the_end() {
        let text = "p {\r\n}";
        let lines = LineTable::new(text);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines.position(text, 99, Columns::Utf16), Position { line: 1, column: 1 });
        assert_eq!(lines.offset(text, Position { line: 0, column: 99 }, Columns::Utf16), 3);
        assert_eq!(lines.offset(text, Position { line: 9, column: 0 }, Columns::Utf16), text.len());
        let empty = LineTable::new("");
        assert_eq!(empty.position("", 0, Columns::Characters), Position::default());
    }
}
