//! Expressions: any balanced text up to the token that closes it.
//!
//! What an expression means does not matter here: it is a name like any other. White space and comments in it count as
//! one space, so that an expression over several lines is the same as on one.

use super::Parser;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::Span;
use crate::syntax::brackets::Brackets;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Language, Name};

impl<L: Language> Parser<'_, L> {
    /// The text from here up to `close`, which is left for the caller; `None` if it is missing or not balanced, and
    /// then it is skipped.
    #[inline]
    pub(super) fn expression(&mut self, close: TokenKind) -> Option<Name> {
        // Most are just a name.
        let token = self.current();
        if token.kind == TokenKind::Identifier && self.kind_after(1) == close {
            self.at += 1;
            return Some(self.intern(token.span));
        }
        let expression = self.long_expression(close);
        if expression.is_none() {
            self.skip_expression(close);
        }
        expression
    }

    fn long_expression(&mut self, close: TokenKind) -> Option<Name> {
        let first = self.at;
        let mut angles = 0usize;
        loop {
            let kind = self.kind();
            if kind == close && angles == 0 {
                break;
            }
            match kind {
                TokenKind::Less if close == TokenKind::Greater => angles += 1,
                TokenKind::Greater if close == TokenKind::Greater => angles -= 1,
                TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParenthesis => {
                    let Some(end) = self.matching(self.at) else {
                        self.unclosed_in_expression();
                        return None;
                    };
                    self.at = end;
                }
                TokenKind::End
                | TokenKind::Semicolon
                | TokenKind::CloseBrace
                | TokenKind::CloseBracket
                | TokenKind::CloseParenthesis => return self.unended_expression(first, close),
                TokenKind::Then | TokenKind::Else | TokenKind::If | TokenKind::Def | TokenKind::Main
                    if close != TokenKind::Greater =>
                {
                    return self.unended_expression(first, close);
                }
                _ => {}
            }
            self.advance();
        }
        if first == self.at {
            self.report(|parser| {
                let span = parser.current().span;
                Diagnostic::new(Code::Expression, span, "an expression is missing")
                    .label(format!("expected an expression before {}", close.describe()))
            });
            return None;
        }
        Some(self.expression_name(first))
    }

    /// The condition of an `if`, up to its `then` or to where there can be none; an empty name if it is wrong.
    pub(super) fn condition(&mut self) -> Name {
        match self.expression(TokenKind::Then) {
            Some(name) => name,
            None => self.nobody(),
        }
    }

    /// Skips an expression that cannot be understood.
    fn skip_expression(&mut self, close: TokenKind) {
        use TokenKind::*;
        loop {
            match self.kind() {
                kind if kind == close => return,
                Then | Else | If | Def | Main | Semicolon | CloseBrace | Bar | DoubleBar | End => return,
                _ => self.step_over(),
            }
        }
    }

    /// The empty name, for one that is missing.
    pub(super) fn nobody(&mut self) -> Name {
        Name { symbol: self.tree.names.intern(""), span: self.gap() }
    }

    /// The name of the expression that the tokens from `first` up to the current one make.
    fn expression_name(&mut self, first: usize) -> Name {
        let tokens = &self.tokens[first..self.at];
        let span = tokens[0].span.to(tokens[tokens.len() - 1].span);
        self.scratch.clear();
        let mut end = span.start;
        for token in tokens {
            if token.span.start != end {
                self.scratch.push(' ');
            }
            self.scratch.push_str(token.span.text(self.source));
            end = token.span.end;
        }
        Name { symbol: self.tree.names.intern(&self.scratch), span }
    }

    fn unclosed_in_expression(&mut self) {
        self.report(|parser| {
            let token = parser.current();
            let message = format!("{} is never closed", token.kind.describe());
            Diagnostic::new(Code::Unclosed, token.span, message)
                .hint("brackets in an expression must be balanced; put a lone one in quotes: \"(\"")
        });
        // Go on after it, or the same bracket would be met again.
        self.advance();
    }

    /// An expression without its `close`, but maybe with something meant as it.
    #[cold]
    fn unended_expression(&mut self, first: usize, close: TokenKind) -> Option<Name> {
        if close == TokenKind::Arrow
            && let Some(arrow) = self.last_put_arrow(first)
        {
            self.at = arrow;
            if arrow > first {
                return Some(self.expression_name(first));
            }
            self.report(|parser| {
                let span = parser.current().span.to(parser.tokens[parser.at + 1].span);
                Diagnostic::new(Code::Expression, span, "an expression is missing")
                    .label("expected an expression before `~>`")
            });
            return None;
        }
        if self.repair_end(first, close) {
            let name = if self.at == first { self.nobody() } else { self.expression_name(first) };
            match close {
                TokenKind::Arrow => self.repair_arrow(),
                _ => self.repair(close),
            };
            return Some(name);
        }
        let start = self.tokens[first].span;
        let reported_at = self.at;
        self.report(|parser| {
            let end = close;
            let close = close.describe();
            let span = match parser.at == first {
                true => parser.current().span,
                false => start.to(parser.previous_end()),
            };
            let diagnostic = Diagnostic::new(
                Code::Expression,
                span,
                format!("expected {close} after this expression, found {}", parser.found()),
            )
            .at(parser.current().span, format!("expected {close} before this"));
            match parser.kind() {
                TokenKind::Semicolon if parser.closes_in_this_body(end) => {
                    diagnostic.hint("an expression that contains `;` needs parentheses around it")
                }
                _ => diagnostic,
            }
        });
        self.quiet_at = reported_at;
        None
    }

    /// Whether `~>` begins at a token. It is no token of its own, since `q!<~x>` and `q!<x~>` are actions.
    pub(super) fn put_arrow_at(&self, at: usize) -> bool {
        match self.tokens.get(at..at + 2) {
            Some([tilde, greater]) => {
                tilde.kind == TokenKind::Other
                    && greater.kind == TokenKind::Greater
                    && tilde.span.end == greater.span.start
                    && self.text(tilde.span) == "~"
            }
            _ => false,
        }
    }

    /// Whether the current token begins `~>`.
    pub(super) fn at_put(&self) -> bool {
        self.put_arrow_at(self.at)
    }

    /// Whether the current token begins `<~`.
    pub(super) fn at_take(&self) -> bool {
        match self.tokens.get(self.at..self.at + 2) {
            Some([less, tilde]) => {
                less.kind == TokenKind::Less
                    && tilde.kind == TokenKind::Other
                    && less.span.end == tilde.span.start
                    && self.text(tilde.span) == "~"
            }
            _ => false,
        }
    }

    /// The last `~>` between a token and the current one, outside of brackets: what ends a value that no `->` ends.
    /// With `->` it would be part of the value.
    #[cold]
    fn last_put_arrow(&mut self, first: usize) -> Option<usize> {
        let (mut at, mut last) = (first, None);
        while at < self.at {
            if self.put_arrow_at(at) {
                last = Some(at);
            }
            at = match self.tokens[at].kind {
                TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParenthesis => {
                    self.matching(at).map_or(at + 1, |close| close + 1)
                }
                _ => at + 1,
            };
        }
        last
    }

    /// The first `~>` between a token and the current one that a comma follows, both outside of brackets: in a group,
    /// it is not part of a value, but the arrow of a member.
    pub(super) fn put_before_comma(&mut self, first: usize) -> Option<usize> {
        let (mut at, mut angles, mut arrow) = (first, 0usize, None);
        while at < self.at {
            match self.tokens[at].kind {
                TokenKind::Less => angles += 1,
                TokenKind::Greater => angles = angles.saturating_sub(1),
                TokenKind::Comma if angles == 0 && arrow.is_some() => return arrow,
                TokenKind::Other if angles == 0 && arrow.is_none() && self.put_arrow_at(at) => arrow = Some(at),
                TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParenthesis => {
                    at = self.matching(at).unwrap_or(at);
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Whether this token comes before the next brace.
    fn closes_in_this_body(&self, close: TokenKind) -> bool {
        let mut rest = self.tokens[self.at..].iter().map(|token| token.kind);
        let next = rest.find(|&kind| {
            kind == close || matches!(kind, TokenKind::OpenBrace | TokenKind::CloseBrace | TokenKind::Less)
        });
        next == Some(close)
    }

    /// Where the bracket, brace or parenthesis at this token is closed.
    pub(super) fn matching(&mut self, open: usize) -> Option<usize> {
        let tokens = &self.tokens;
        self.brackets.get_or_insert_with(|| Brackets::new(tokens)).closing(open)
    }

    /// A place right before the current token.
    pub(super) fn gap(&self) -> Span {
        self.previous_end()
    }
}
