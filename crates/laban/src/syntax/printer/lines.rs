//! Lines, and the comments between them.
//!
//! The layout cuts a text into lines; each takes some of the tokens of the source, all of them in order. So every
//! comment lies before, in or behind a line, and has its place:
//!
//! * behind the last token of a line, and on one source line with it: at the end of the line;
//! * between two tokens of a line: on a line of its own before it;
//! * anywhere else: on a line of its own, before the line that follows.
//!
//! A comment that has been placed like this stays there when the result is laid out again. The same is true of empty
//! lines, of which one is kept between two lines that are not brackets.

use super::sink::{Buffered, Pieces};
use crate::syntax::Span;
use crate::syntax::lexer::lex;
use crate::syntax::token::{Token, TokenKind};
use std::fmt::{self, Write};

/// Deeper levels are not indented any further, so that the size of the result is linear.
const DEEPEST: usize = 30;
const SPACES: &str = "                                                            ";

/// How many columns a level is indented by.
pub(super) fn indentation(depth: usize) -> usize {
    2 * depth.min(DEEPEST)
}

/// What a line is, to the comments and the empty lines before and behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// An action, the end of a body, the beginning of a block.
    Item,
    /// It closes a bracket; comments before it belong to what is inside.
    Close,
    /// `else`
    Between,
}

/// Writes line by line.
pub(super) struct Lines<'a, 'b, 'f> {
    out: &'a mut Buffered<'b, 'f>,
    source: &'a str,
    tokens: Vec<Token>,
    /// The next token to be taken.
    at: usize,
    /// The comments that have not been written.
    comments: &'a [Span],
    /// The line that is being written.
    line: Pieces,
    depth: usize,
    role: Role,
    /// Whether what follows the line is inside of what it opens.
    opens: bool,
    /// The first token of the line; none before the first line.
    first: Option<usize>,
    /// Where the token or comment that was written last ends.
    written: u32,
    /// Whether an empty line may come next.
    may_be_empty: bool,
}

impl<'a, 'b, 'f> Lines<'a, 'b, 'f> {
    pub(super) fn new(out: &'a mut Buffered<'b, 'f>, source: &'a str, comments: &'a [Span]) -> Self {
        Lines {
            out,
            source,
            tokens: lex(source).tokens,
            at: 0,
            comments,
            line: Pieces::default(),
            depth: 0,
            role: Role::Item,
            opens: false,
            first: None,
            written: 0,
            may_be_empty: false,
        }
    }

    /// Ends the current line and starts another.
    pub(super) fn start(&mut self, depth: usize, role: Role) -> fmt::Result {
        self.end_line()?;
        self.depth = depth;
        self.role = role;
        self.opens = false;
        self.first = Some(self.at);
        Ok(())
    }

    /// The text of the current line.
    pub(super) fn text(&mut self) -> &mut Pieces {
        &mut self.line
    }

    /// The current line opens something.
    pub(super) fn opens(&mut self) {
        self.opens = true;
    }

    /// Takes so many tokens into the current line.
    pub(super) fn take(&mut self, count: usize) {
        self.at = (self.at + count).min(self.tokens.len().saturating_sub(1));
    }

    /// Takes all tokens that start before this place into the current line.
    pub(super) fn take_until(&mut self, place: u32) {
        while self.tokens.get(self.at).is_some_and(|token| token.kind != TokenKind::End && token.span.start < place) {
            self.at += 1;
        }
    }

    /// Whether there is a comment behind the next `count` tokens and before the given place.
    pub(super) fn comment_inside(&self, count: usize, end: u32) -> bool {
        let start = match (self.at + count).checked_sub(1).and_then(|last| self.tokens.get(last)) {
            Some(token) => token.span.end,
            None => return false,
        };
        let first = self.comments.partition_point(|comment| comment.start < start);
        self.comments.get(first).is_some_and(|comment| comment.start < end)
    }

    /// Ends the last line, and writes the comments behind it.
    pub(super) fn finish(mut self) -> fmt::Result {
        self.end_line()?;
        self.comments_before(u32::MAX, 0)
    }

    fn end_line(&mut self) -> fmt::Result {
        let Some(first) = self.first.take() else { return Ok(()) };
        let taken = self.tokens.get(first..self.at).unwrap_or(&[]);
        let place = taken.first().zip(taken.last()).map(|(first, last)| first.span.to(last.span));
        if let Some(place) = place {
            let depth = self.depth + usize::from(self.role == Role::Close);
            self.comments_before(place.start, depth)?;
            if self.role == Role::Item {
                self.empty_line(place.start)?;
            }
            while let Some(comment) = self.next_comment(place.end) {
                self.own_line(comment, depth)?;
            }
        }
        indent(self.out, self.depth)?;
        self.out.pieces().append(&mut self.line);
        if let Some(place) = place {
            self.written = place.end;
            self.comments_behind()?;
        }
        self.out.write_char('\n')?;
        self.may_be_empty = !self.opens;
        self.out.pass_on()
    }

    /// Writes the comments before this place on lines of their own.
    fn comments_before(&mut self, place: u32, depth: usize) -> fmt::Result {
        while let Some(comment) = self.next_comment(place) {
            self.empty_line(comment.start)?;
            self.own_line(comment, depth)?;
        }
        Ok(())
    }

    /// Writes the comments that are on one line with what was written last.
    fn comments_behind(&mut self) -> fmt::Result {
        let next = self.tokens.get(self.at).map_or(u32::MAX, |token| token.span.start);
        while let Some(&comment) = self.comments.first() {
            if comment.start >= next || self.line_ends_before(comment.start) > 0 {
                break;
            }
            self.comments = &self.comments[1..];
            self.out.write_char(' ')?;
            self.comment(comment)?;
        }
        Ok(())
    }

    fn next_comment(&mut self, place: u32) -> Option<Span> {
        let (&comment, rest) = self.comments.split_first()?;
        if comment.start >= place {
            return None;
        }
        self.comments = rest;
        Some(comment)
    }

    fn own_line(&mut self, comment: Span, depth: usize) -> fmt::Result {
        indent(self.out, depth)?;
        self.comment(comment)?;
        self.may_be_empty = true;
        self.out.write_char('\n')
    }

    fn comment(&mut self, comment: Span) -> fmt::Result {
        self.written = comment.end;
        // The blanks at the end of a line are not part of what it says, nor is half a line end.
        self.out.write_str(comment.text(self.source).trim_end())
    }

    /// Keeps one of the empty lines between what was written last and this place.
    fn empty_line(&mut self, place: u32) -> fmt::Result {
        match self.may_be_empty && self.line_ends_before(place) > 1 {
            true => self.out.write_char('\n'),
            false => Ok(()),
        }
    }

    /// How many lines end between what was written last and this place.
    fn line_ends_before(&self, place: u32) -> usize {
        let between = Span::new(self.written, place).text(self.source);
        between.bytes().filter(|&byte| byte == b'\n').count()
    }
}

fn indent(out: &mut impl Write, depth: usize) -> fmt::Result {
    out.write_str(SPACES.get(..indentation(depth)).unwrap_or(SPACES))
}
