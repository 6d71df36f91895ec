//! The words of Scribble and nuScr, one after the other.
//!
//! Comments of both are left out: `//`, `/* */`, and nuScr's `(*) …` up to the end of the line and `(* (* *) *)`, which
//! nest. A pragma `(*# … #*)` says nothing about the protocol and is left out, too. Strings come first: what looks like
//! a comment inside of one is part of it.

use crate::report::Report;
use crate::source::Source;
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name, a number or a keyword.
    Word,
    /// Something in quotes.
    Quoted,
    /// A character by itself, or `->`.
    Symbol,
    /// Nothing follows.
    End,
}

/// A piece of a text, and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) span: Span,
}

impl Token<'_> {
    /// Whether it is this word or symbol.
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Symbol) && self.text == text
    }
}

/// A walk through a text.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    offset: u32,
    /// Whether the rest was given up, because something in it is never closed.
    pub(super) is_cut_off: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &Source<'a>) -> Self {
        Lexer { text: source.text, at: 0, offset: source.offset, is_cut_off: false }
    }

    /// The text between two places.
    pub(super) fn between(&self, start: Span, end: Span) -> &'a str {
        let at = |place: u32| place.saturating_sub(self.offset) as usize;
        self.text.get(at(start.start)..at(end.end)).unwrap_or("")
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn span(&self, length: usize) -> Span {
        let start = self.at.min(self.text.len());
        let end = (start + length).min(self.text.len());
        Span::new(self.offset + start as u32, self.offset + end as u32)
    }

    /// The next token.
    pub(super) fn next(&mut self, report: &mut Report) -> Token<'a> {
        self.skip(report);
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Token { kind: Kind::End, text: "", span: self.span(0) };
        };
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let (kind, length) = if in_word(first) {
            let end = rest.find(|c| !in_word(c) && c != '\'').unwrap_or(rest.len());
            (Kind::Word, end)
        } else if first == '"' || first == '\'' {
            let Some(length) = rest[1..].find(first) else {
                let message = format!("this `{first}` is never closed");
                let diagnostic = Diagnostic::new(Code::Unclosed, self.span(1), message);
                report.add(diagnostic.label(format!("`{first}` is missing")));
                self.cut_off();
                return Token { kind: Kind::End, text: "", span: self.span(0) };
            };
            (Kind::Quoted, length + 2)
        } else if rest.starts_with("->") {
            (Kind::Symbol, 2)
        } else {
            (Kind::Symbol, first.len_utf8())
        };
        let token = Token { kind, text: &rest[..length], span: self.span(length) };
        self.at += length;
        token
    }

    fn cut_off(&mut self) {
        self.at = self.text.len();
        self.is_cut_off = true;
    }

    /// Skips blanks, comments and pragmas.
    fn skip(&mut self, report: &mut Report) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") || trimmed.starts_with("(*)") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
                continue;
            }
            let (end, close) = if let Some(inside) = trimmed.strip_prefix("/*") {
                (inside.find("*/").map(|at| at + 4), "*/")
            } else if trimmed.starts_with("(*#") {
                (trimmed.find("#*)").map(|at| at + 3), "#*)")
            } else if trimmed.starts_with("(*") {
                (nested_end(trimmed), "*)")
            } else {
                return;
            };
            let Some(end) = end else {
                let diagnostic = Diagnostic::new(Code::UnclosedComment, self.span(2), "this comment is never closed");
                report.add(diagnostic.hint(format!("end it with `{close}`")));
                self.cut_off();
                return;
            };
            self.at += end;
        }
    }
}

/// Where a comment `(* … *)` ends, in which there may be others.
fn nested_end(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(found) = text[at..].find(['(', '*']) {
        at += found;
        let rest = &text[at..];
        if rest.starts_with("(*)") && at > 0 {
            at += 3;
        } else if rest.starts_with("(*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*)") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
    None
}

/// The tokens at the beginning of a text, and whether all of it could be looked at.
pub(super) fn first_tokens<'a>(text: &'a str, count: usize) -> Vec<Token<'a>> {
    let mut lexer = Lexer::new(&Source::new("", text));
    let mut report = Report::default();
    let mut tokens = Vec::with_capacity(count);
    for _ in 0..count {
        let token = lexer.next(&mut report);
        if token.kind == Kind::End {
            break;
        }
        tokens.push(token);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        first_tokens(text, 100).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn strings_come_before_comments() {
        assert_eq!(texts("a \"{http://x}y\" b // c\nd"), ["a", "\"{http://x}y\"", "b", "d"]);
        assert_eq!(texts("@'P[x]' x'"), ["@", "'P[x]'", "x'"]);
    }

    #[test]
    fn comments_of_both_languages_are_left_out() {
        assert_eq!(texts("(*# P #*) a (* b (* c *) (*) d *) e (*) f\n g /* h // */ i"), ["a", "e", "g", "i"]);
        assert_eq!(texts("a (* b"), ["a"]);
        assert_eq!(texts("A->B:m(x)"), ["A", "->", "B", ":", "m", "(", "x", ")"]);
    }
}
