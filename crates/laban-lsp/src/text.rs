//! A text as an editor sees it: in lines and columns, and changed bit by bit.
//!
//! Positions are clamped and never refused: a column behind the end of its line is the end of the line, and one in the
//! middle of a character is its start. So whatever a client sends, there is a text.

use gen_lsp_types::{Position, Range};
use laban::text::{Columns, LineTable, Position as Place, Span};
use std::borrow::Cow;

/// Longer texts are not kept; they have no numbers for their places.
const MOST_BYTES: usize = 1 << 30;

/// A text and its lines.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    content: String,
    lines: LineTable,
}

/// A stretch of text and what comes in its place; without a range, all of it.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) range: Option<Range>,
    pub(crate) text: String,
}

impl Text {
    pub(crate) fn new(content: impl Into<String>) -> Self {
        let mut content = content.into();
        if content.len() > MOST_BYTES {
            content.clear();
        }
        let lines = LineTable::new(&content);
        Text { content, lines }
    }

    pub(crate) fn content(&self) -> &str {
        &self.content
    }

    pub(crate) fn lines(&self) -> &LineTable {
        &self.lines
    }

    /// The offset of a position.
    pub(crate) fn offset(&self, position: Position, columns: Columns) -> usize {
        self.lines.offset(&self.content, Place { line: position.line, column: position.character }, columns)
    }

    /// The position of an offset.
    pub(crate) fn position(&self, offset: usize, columns: Columns) -> Position {
        let Place { line, column } = self.lines.position(&self.content, offset, columns);
        Position { line, character: column }
    }

    pub(crate) fn range(&self, span: Span, columns: Columns) -> Range {
        Range {
            start: self.position(span.start as usize, columns),
            end: self.position(span.end.max(span.start) as usize, columns),
        }
    }

    /// The stretch that a range is.
    pub(crate) fn span(&self, range: Range, columns: Columns) -> Span {
        let start = self.offset(range.start, columns) as u32;
        Span::new(start, (self.offset(range.end, columns) as u32).max(start))
    }

    /// The text after changes, each of which is about the text that the one before it left.
    pub(crate) fn changed(&self, changes: &[Change], columns: Columns) -> Text {
        let mut text = Cow::Borrowed(self);
        let mut rest = changes;
        while let Some(first) = rest.first() {
            let (next, count) = match first.range {
                None => (Text::new(first.text.as_str()), 1),
                Some(_) => text.changed_upwards(rest, columns),
            };
            text = Cow::Owned(next);
            rest = &rest[count..];
        }
        text.into_owned()
    }

    /// The text after the first changes, and how many these are: as many as there are of which each is before the one
    /// before it, so that all of them are about the same text. Editors send thousands of these after a rename.
    fn changed_upwards(&self, changes: &[Change], columns: Columns) -> (Text, usize) {
        let mut replaced: Vec<(Span, &str)> = Vec::new();
        let mut above: Option<Position> = None;
        for Change { range, text } in changes {
            let Some(range) = *range else { break };
            let span = self.span(range, columns);
            // A position that was clamped may be another one after the changes below it.
            let is_exact = self.range(span, columns) == range;
            let is_above = above.is_none_or(|above| is_exact && range.end <= above);
            if !is_above {
                break;
            }
            replaced.push((span, text));
            above = Some(range.start);
            if !is_exact {
                break;
            }
        }
        let added: usize = replaced.iter().map(|(_, text)| text.len()).sum();
        if self.content.len() + added > MOST_BYTES {
            return (self.clone(), replaced.len());
        }
        let mut content = String::with_capacity(self.content.len() + added);
        let mut at = 0;
        for (span, text) in replaced.iter().rev() {
            content.push_str(&self.content[at..span.start as usize]);
            content.push_str(text);
            at = span.end as usize;
        }
        content.push_str(&self.content[at..]);
        (Text::new(content), replaced.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(start: (u32, u32), end: (u32, u32), text: &str) -> Change {
        let position = |(line, character)| Position { line, character };
        Change { range: Some(Range { start: position(start), end: position(end) }), text: text.to_string() }
    }

    /// One after the other, each about the whole text.
    fn one_by_one(text: &str, changes: &[Change]) -> String {
        let mut text = Text::new(text);
        for change in changes {
            text = match change.range {
                None => Text::new(change.text.as_str()),
                Some(range) => {
                    let span = text.span(range, Columns::Utf16);
                    let mut content = text.content.clone();
                    content.replace_range(span.start as usize..span.end as usize, &change.text);
                    Text::new(content)
                }
            };
        }
        text.content
    }

    #[test]
    fn changes_are_made_one_after_the_other() {
        let text = "one\ntwo 🦀\nthree\n";
        for changes in [
            vec![change((2, 0), (2, 5), "3"), change((1, 0), (1, 3), "2"), change((0, 0), (0, 3), "1")],
            vec![change((0, 0), (0, 3), "1"), change((0, 1), (1, 0), ""), change((0, 4), (0, 6), "x")],
            // At the same place, behind the end of a line, in the middle of a character.
            vec![change((0, 3), (0, 3), "abc"), change((0, 3), (0, 3), "def")],
            vec![change((0, 3), (0, 3), "abc"), change((0, 5), (0, 5), "def")],
            vec![change((0, 99), (0, 99), "abc"), change((0, 50), (0, 60), "def")],
            vec![change((1, 5), (1, 6), "abc"), change((1, 4), (1, 4), "def")],
            vec![change((9, 9), (9, 9), "end"), change((2, 9), (2, 9), "x"), change((1, 1), (0, 0), "y")],
            vec![change((2, 0), (2, 0), "x"), Change { range: None, text: "new".into() }, change((0, 1), (0, 2), "")],
        ] {
            let changed = Text::new(text).changed(&changes, Columns::Utf16);
            assert_eq!(changed.content, one_by_one(text, &changes), "{changes:?}");
        }
    }

    #[test]
    fn many_changes_from_below_are_made_at_once() {
        let text = Text::new("x\n".repeat(1000));
        let changes: Vec<Change> = (0..1000).rev().map(|line| change((line, 0), (line, 1), "yy")).collect();
        assert_eq!(text.changed_upwards(&changes, Columns::Utf16).1, 1000);
        assert_eq!(text.changed(&changes, Columns::Utf16).content, "yy\n".repeat(1000));
    }
}
