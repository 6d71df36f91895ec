//! The lines of a diagram: without blanks around them, without comments, joined where one goes on in the next.

use laban::text::Span;
use std::borrow::Cow;

/// A line, or several that are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement<'a> {
    /// Without blanks around it.
    pub(super) text: Cow<'a, str>,
    /// Where it is, without blanks around it.
    pub(super) span: Span,
}

impl Statement<'_> {
    /// The place of a piece of the statement; the whole of it if the statement is not as it was written.
    pub(super) fn place(&self, piece: &str) -> Span {
        let Cow::Borrowed(text) = self.text else { return self.span };
        // The piece is part of the text, so addresses tell where.
        let start = (piece.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        if start > text.len() || start + piece.len() > text.len() {
            return self.span;
        }
        let start = self.span.start + start as u32;
        Span::new(start, start + piece.len() as u32)
    }
}

/// A walk through the lines of a diagram.
#[derive(Debug, Clone)]
pub(super) struct Statements<'a> {
    text: &'a str,
    at: usize,
    offset: u32,
    prefix: &'a str,
}

impl<'a> Statements<'a> {
    /// The lines of a text. A prefix, such as that of a comment around the diagram, is left out of each line.
    pub(super) fn new(text: &'a str, offset: u32, prefix: &'a str) -> Self {
        Statements { text, at: 0, offset, prefix }
    }

    /// The next line, without blanks around it, and where it starts.
    fn line(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let line = &rest[..length];
        self.at += length;
        let inner = line.strip_prefix(self.prefix).unwrap_or(line);
        let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
        let trimmed = inner.trim_start_matches(blank);
        let start = self.at - trimmed.len();
        Some((start, trimmed.trim_end_matches(blank)))
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.offset + start as u32, self.offset + end as u32)
    }

    /// The next line as it is: what notes and other blocks consist of.
    pub(super) fn raw(&mut self) -> Option<Statement<'a>> {
        let (start, line) = self.line()?;
        Some(Statement { text: Cow::Borrowed(line), span: self.span(start, start + line.len()) })
    }

    /// The next line that is not a comment, with those that it goes on in. An empty one is possible. Nothing in
    /// `Err` is a comment that is never closed.
    pub(super) fn next(&mut self) -> Option<Result<Statement<'a>, Span>> {
        loop {
            let (mut start, mut line) = self.line()?;
            if line.starts_with('\'') {
                continue;
            }
            while let Some(comment) = line.strip_prefix("/'") {
                let inside = start + 2;
                let Some(length) = self.text[inside..].find("'/") else {
                    self.at = self.text.len();
                    return Some(Err(self.span(start, start + 2)));
                };
                let end = inside + length + 2;
                line = match comment.get(length + 2..) {
                    Some(rest) => rest,
                    None => {
                        let rest = &self.text[end..];
                        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
                        self.at = (end + rest.len() + 1).min(self.text.len());
                        rest.trim_end()
                    }
                };
                let trimmed = line.trim_start();
                start = end + line.len() - trimmed.len();
                line = trimmed;
            }
            let end = start + line.len();
            let mut text = without_inner_comments(line);
            let mut span = self.span(start, end);
            while text.ends_with('\\') && !text.ends_with("\\\\") {
                let Some((start, line)) = self.line() else { break };
                let mut joined = text.into_owned();
                joined.pop();
                joined.push_str(line);
                text = Cow::Owned(joined);
                span = span.to(self.span(start, start + line.len()));
            }
            return Some(Ok(Statement { text, span }));
        }
    }
}

/// A line without the comments `/' … '/` in it.
fn without_inner_comments(line: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut rest = line;
    while let Some(start) = rest.find("/'") {
        let Some(length) = rest[start + 2..].find("'/") else { break };
        kept.push_str(&rest[..start]);
        rest = &rest[start + 2 + length + 2..];
    }
    if rest.len() == line.len() {
        return Cow::Borrowed(line);
    }
    kept.push_str(rest);
    Cow::Owned(kept.trim().to_string())
}
