//! A walk through a text, character by character, for all readers: blanks and comments, words, places, complaints.
//!
//! It never goes back, so reading takes time linear in the text, and it knows no grammar.

use crate::report::Report;
use crate::source::Source;
use crate::system::{Payload, Word};
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;

/// What starts a comment up to the end of the line, and whether `/*` starts one up to `*/`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Comments {
    pub(crate) line: &'static [&'static str],
    pub(crate) block: bool,
}

/// A place in a text, and what was found wrong before it.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    offset: u32,
    comments: Comments,
    /// Whether the rest of the text was given up, because something in it is never closed.
    pub(crate) is_cut_off: bool,
    pub(crate) report: Report,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(source: &Source<'a>, comments: Comments) -> Self {
        Scanner {
            text: source.text,
            at: 0,
            offset: source.offset,
            comments,
            is_cut_off: false,
            report: Report::default(),
        }
    }

    /// What follows, without blanks and comments.
    pub(crate) fn rest(&mut self) -> &'a str {
        self.skip();
        self.raw_rest()
    }

    /// What follows, with blanks and comments.
    pub(crate) fn raw_rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Skips blanks and comments, up to the end of the line or beyond it.
    fn skip_blanks(&mut self, beyond_line: bool) {
        loop {
            let rest = self.raw_rest();
            let is_blank = |c: char| (c.is_whitespace() || c == '\u{feff}') && (beyond_line || c != '\n');
            let trimmed = rest.trim_start_matches(is_blank);
            self.at += rest.len() - trimmed.len();
            if self.starts_line_comment(trimmed) {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if self.comments.block && trimmed.starts_with("/*") {
                let Some(length) = trimmed.find("*/") else {
                    let diagnostic =
                        Diagnostic::new(Code::UnclosedComment, self.span(2), "this comment is never closed");
                    self.report.add(diagnostic.hint("end it with `*/`"));
                    self.cut_off();
                    return;
                };
                self.at += length + 2;
            } else {
                return;
            }
        }
    }

    fn starts_line_comment(&self, rest: &str) -> bool {
        self.comments.line.iter().any(|start| rest.starts_with(start))
    }

    fn starts_comment(&self, rest: &str) -> bool {
        self.starts_line_comment(rest) || self.comments.block && rest.starts_with("/*")
    }

    /// Skips blanks and comments.
    pub(crate) fn skip(&mut self) {
        self.skip_blanks(true);
    }

    /// Skips blanks and comments of this line. Returns whether the line, or the text, ends here.
    pub(crate) fn at_line_end(&mut self) -> bool {
        self.skip_blanks(false);
        matches!(self.raw_rest().chars().next(), None | Some('\n'))
    }

    /// Skips the rest of the line.
    pub(crate) fn skip_line(&mut self) {
        let rest = self.raw_rest();
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    /// Whether nothing follows but blanks and comments.
    pub(crate) fn at_end(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// The next character that is not a blank.
    pub(crate) fn peek(&mut self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The place of the next bytes.
    fn span(&self, length: usize) -> Span {
        let start = self.at.min(self.text.len());
        let end = (start + length).min(self.text.len());
        Span::new(self.offset + start as u32, self.offset + end as u32)
    }

    /// Where the scanner is.
    pub(crate) fn position(&self) -> Span {
        self.span(0)
    }

    /// The place of what comes next: a word or a single character.
    pub(crate) fn here(&mut self) -> Span {
        let length = self.next_piece().len();
        self.span(length)
    }

    fn next_piece(&mut self) -> &'a str {
        let rest = self.rest();
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = rest.len() - rest.trim_start_matches(in_word).len();
        let character = rest.chars().next().map_or(0, char::len_utf8);
        rest.get(..word.max(character)).unwrap_or("")
    }

    /// Takes a piece of text if it comes next.
    pub(crate) fn eat(&mut self, piece: &str) -> bool {
        let found = self.rest().starts_with(piece);
        if found {
            self.at += piece.len();
        }
        found
    }

    /// Takes a piece of text, or complains that it does not come next.
    pub(crate) fn expect(&mut self, piece: &str) -> bool {
        let found = self.eat(piece);
        if !found {
            self.expected(&format!("`{piece}`"));
        }
        found
    }

    /// Gives up the rest of the text. What is missing then is not worth a message.
    pub(crate) fn cut_off(&mut self) {
        self.at = self.text.len();
        self.is_cut_off = true;
    }

    /// Complains that something else comes next.
    pub(crate) fn expected(&mut self, what: &str) {
        if self.at_end() && self.is_cut_off {
            return;
        }
        let found = match self.next_piece() {
            "" => "the end of the text".to_string(),
            piece => quote(piece),
        };
        let message = format!("expected {what}, found {found}");
        let span = self.here();
        self.report.add(Diagnostic::new(Code::Syntax, span, message).label(format!("expected {what}")));
    }

    /// Takes the characters that come next and are part of a word, up to a comment; nothing if there are none.
    pub(crate) fn word(&mut self, in_word: impl Fn(char) -> bool) -> Option<Word> {
        let rest = self.rest();
        let end = rest.char_indices().find(|&(at, c)| !in_word(c) || at > 0 && self.starts_comment(&rest[at..]));
        let length = end.map_or(rest.len(), |(at, _)| at);
        (length > 0).then(|| self.take(length))
    }

    /// Takes a word of letters, digits and `_` without looking further.
    pub(crate) fn identifier(&mut self) -> Option<Word> {
        self.word(|c| c.is_alphanumeric() || c == '_' || c == '\'')
    }

    /// Takes this many bytes.
    pub(crate) fn take(&mut self, length: usize) -> Word {
        let span = self.span(length);
        let text = self.raw_rest().get(..length).unwrap_or("");
        self.at += text.len();
        Word::new(text, span)
    }

    /// Takes everything up to the bracket that closes one that was just taken, and the bracket itself; brackets may be
    /// nested. Nothing, and a complaint about the opening one, if there isn't any.
    pub(crate) fn balanced(&mut self, open: char, close: char, opened: Span) -> Option<Word> {
        let mut depth = 0usize;
        for (at, c) in self.raw_rest().char_indices() {
            if c == open {
                depth += 1;
            } else if c == close && depth > 0 {
                depth -= 1;
            } else if c == close {
                let inside = self.take(at);
                self.at += close.len_utf8();
                return Some(inside);
            }
        }
        let message = format!("this `{open}` is never closed");
        self.report.add(Diagnostic::new(Code::Unclosed, opened, message).label(format!("`{close}` is missing")));
        self.cut_off();
        None
    }

    /// The payload of a message in angle brackets, if there is one; nothing at all if they are not closed.
    pub(crate) fn payload(&mut self) -> Option<Option<Payload>> {
        let opened = self.here();
        if !self.eat("<") {
            return Some(None);
        }
        let inside = self.balanced('<', '>', opened)?.text;
        let sort = inside.split_whitespace().collect::<Vec<_>>().join(" ");
        Some((!sort.is_empty()).then(|| Payload { text: sort.clone(), sort }))
    }

    /// Skips one character, so that reading goes on however strange the text is.
    pub(crate) fn skip_character(&mut self) {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        self.at += length;
    }
}
