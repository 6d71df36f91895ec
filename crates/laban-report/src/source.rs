//! A text with a name, and where things are in it: files, lines and columns.
//!
//! A network may be spread over several files. They are put together as one text, so that everything else has to do
//! with one text only, and a place in it is shown as a place in the file that it comes from.

use laban::syntax::Span;
use std::path::PathBuf;
use std::sync::OnceLock;

/// A text with a name.
#[derive(Debug, Clone)]
pub struct Source {
    /// What messages call it.
    pub name: String,
    /// The text.
    pub text: String,
    /// The files that it was put together from, in order; one at least.
    pieces: Vec<Piece>,
    lines: OnceLock<Lines>,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct File {
    /// What messages call it.
    pub name: String,
    /// Where it is, unless it came from standard input.
    pub path: Option<PathBuf>,
}

/// What a file has in a text.
#[derive(Debug, Clone)]
struct Piece {
    file: File,
    /// Where it starts.
    start: usize,
    /// The line of the text that is its first, counted from 0.
    first_line: usize,
}

/// A place as people count: from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Which line.
    pub line: usize,
    /// Which character of it.
    pub column: usize,
}

/// What it takes to find positions without reading the text again for each.
#[derive(Debug, Clone)]
struct Lines {
    /// Where each line starts.
    starts: Vec<u32>,
    /// How many characters start before each multiple of [`STRIDE`] bytes.
    characters: Vec<u32>,
    /// Where the text ends, apart from white space.
    end: usize,
}

const STRIDE: usize = 1024;

impl Source {
    /// A text with a name, which is in no file.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let name = name.into();
        Self::of_file(File { name, path: None }, text)
    }

    /// The text of a file.
    pub fn of_file(file: File, text: impl Into<String>) -> Self {
        let name = file.name.clone();
        let pieces = vec![Piece { file, start: 0, first_line: 0 }];
        Source { name, text: text.into(), pieces, lines: OnceLock::new() }
    }

    /// Networks in parallel.
    pub fn together(sources: Vec<Source>) -> Self {
        // On a line of its own, after whatever comment the text before ends with.
        Self::joined(sources, "\n|\n")
    }

    /// Texts one after another.
    pub fn one_after_another(sources: Vec<Source>) -> Self {
        Self::joined(sources, "\n")
    }

    fn joined(sources: Vec<Source>, between: &str) -> Self {
        let name = sources.iter().map(|source| source.name.as_str()).collect::<Vec<_>>().join(" + ");
        let (mut text, mut pieces, mut lines) = (String::new(), Vec::new(), 0);
        for source in sources {
            if !pieces.is_empty() {
                text.push_str(between);
                lines += between.matches('\n').count();
            }
            let start = text.len();
            let moved = |piece: Piece| Piece {
                start: piece.start + start,
                first_line: piece.first_line + lines,
                file: piece.file,
            };
            pieces.extend(source.pieces.into_iter().map(moved));
            lines += source.text.bytes().filter(|&byte| byte == b'\n').count();
            text.push_str(&source.text);
        }
        Source { name, text, pieces, lines: OnceLock::new() }
    }

    /// The files that it was put together from, each with its place.
    pub fn pieces(&self) -> impl Iterator<Item = (&File, std::ops::Range<usize>)> {
        let ends = self.pieces.iter().skip(1).map(|next| next.start).chain([self.text.len()]);
        self.pieces.iter().zip(ends).map(|(piece, end)| (&piece.file, piece.start..end))
    }

    /// Whether it was put together from several files.
    pub fn is_spread(&self) -> bool {
        self.pieces.len() > 1
    }

    /// The number of the file in which an offset is.
    pub fn piece_at(&self, offset: usize) -> usize {
        self.pieces.partition_point(|piece| piece.start <= offset).saturating_sub(1)
    }

    /// The file in which an offset is.
    pub fn file_at(&self, offset: usize) -> &File {
        &self.pieces[self.piece_at(offset)].file
    }

    /// An offset in the file in which it is.
    pub fn offset_in_file(&self, offset: usize) -> usize {
        offset - self.pieces[self.piece_at(offset)].start
    }

    /// The number of a line in its own file.
    pub fn line_in_file(&self, line: usize) -> usize {
        line - self.pieces[self.piece_at(self.line_start(line))].first_line
    }

    /// The first and last offset of a span as offsets into the text; what lies behind the end of the text is moved to
    /// the last line that has something on it.
    pub fn range(&self, span: Span) -> (usize, usize) {
        let (mut start, mut end) = (self.floor(span.start as usize), self.floor(span.end as usize));
        if start == self.text.len() {
            start = self.lines().end;
            end = start;
        }
        (start, end.max(start))
    }

    /// The line and column of an offset in its file.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.floor(offset);
        let line = self.line_at(offset);
        let start = self.visible_start(line);
        let column = self.characters_before(offset.max(start)) - self.characters_before(start) + 1;
        Position { line: self.line_in_file(line), column }
    }

    /// The number of the line of the whole text in which an offset is, from 1.
    pub fn line_at(&self, offset: usize) -> usize {
        self.lines().starts.partition_point(|&start| start as usize <= offset).max(1)
    }

    /// Where a line starts.
    pub fn line_start(&self, number: usize) -> usize {
        self.lines().starts.get(number - 1).map_or(self.text.len(), |&start| start as usize)
    }

    /// Where the first thing in a line is that counts: a byte order mark at the start of a file does not.
    fn visible_start(&self, number: usize) -> usize {
        const MARK: char = '\u{feff}';
        let start = self.line_start(number);
        let is_marked =
            self.offset_in_file(start) == 0 && self.text.get(start..).is_some_and(|text| text.starts_with(MARK));
        start + if is_marked { MARK.len_utf8() } else { 0 }
    }

    /// A line without its end.
    pub fn line(&self, number: usize) -> &str {
        let line = self.text.get(self.line_start(number)..self.line_start(number + 1)).unwrap_or("");
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line)
    }

    fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| {
            let bytes = self.text.as_bytes();
            let mut starts = vec![0];
            let newlines = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
            starts.extend(newlines.map(|(at, _)| at as u32 + 1));
            let mut count = 0;
            let characters = bytes.chunks(STRIDE).map(|chunk| {
                let before = count;
                count += characters_in(chunk) as u32;
                before
            });
            Lines { characters: characters.collect(), starts, end: self.text.trim_end().len() }
        })
    }

    fn characters_before(&self, offset: usize) -> usize {
        let stride = offset / STRIDE;
        let bytes = self.text.as_bytes();
        match self.lines().characters.get(stride) {
            Some(&before) => before as usize + characters_in(&bytes[stride * STRIDE..offset]),
            None => characters_in(bytes),
        }
    }

    fn floor(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// A text on one line, in which everything can be seen.
pub fn on_one_line(text: &str) -> String {
    laban::text::on_one_line(text).into_owned()
}

/// How many characters start in these bytes.
fn characters_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let source = Source::new("x", "añb\r\n\tc\n");
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        assert_eq!(source.position(3), Position { line: 1, column: 3 });
        assert_eq!(source.position(7), Position { line: 2, column: 2 });
        assert_eq!(source.line(1), "añb");
        assert_eq!(source.line(2), "\tc");
        assert_eq!(source.line(3), "");
        assert_eq!(source.line(7), "");
    }

    #[test]
    fn positions_agree_with_counting_from_the_start() {
        let text: String = "ab\u{e9}\u{4e2d}\nx🦀 y".chars().cycle().take(5000).collect();
        let source = Source::new("x", text.clone());
        let (mut line, mut column) = (1, 1);
        for (offset, character) in text.char_indices() {
            assert_eq!(source.position(offset), Position { line, column });
            (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
    }

    #[test]
    fn places_in_texts_put_together_are_places_in_their_files() {
        let texts = [("a", "é {\n} // a"), ("b", "\nb { }\n"), ("c", "c { }")];
        let source = Source::together(texts.iter().map(|(name, text)| Source::new(*name, *text)).collect());
        assert_eq!(source.name, "a + b + c");
        for (name, text) in texts {
            let alone = Source::new(name, text);
            let start = source.text.find(text).unwrap_or_default();
            for (offset, _) in text.char_indices() {
                assert_eq!(source.file_at(start + offset).name, name);
                assert_eq!(source.offset_in_file(start + offset), offset);
                assert_eq!(source.position(start + offset), alone.position(offset));
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_column() {
        let alone = || Source::new("a", "\u{feff}p {\n\u{feff}");
        for (source, start) in [(alone(), 0), (Source::together(vec![alone(), alone()]), 13)] {
            assert_eq!(source.position(start), Position { line: 1, column: 1 });
            assert_eq!(source.position(start + 3), Position { line: 1, column: 1 });
            assert_eq!(source.position(start + 5), Position { line: 1, column: 3 });
            // Elsewhere it is a character like others.
            assert_eq!(source.position(start + 10), Position { line: 2, column: 2 });
        }
    }

    #[test]
    fn the_end_of_the_text_is_after_the_last_thing_in_it() {
        let source = Source::new("x", "p {\n\n  \n");
        assert_eq!(source.range(Span::new(8, 8)), (3, 3));
        assert_eq!(Source::new("x", "").range(Span::new(9, 12)), (0, 0));
        assert_eq!(Source::new("x", "").position(0), Position { line: 1, column: 1 });
    }
}
