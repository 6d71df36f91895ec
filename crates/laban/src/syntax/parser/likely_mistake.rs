//! Likely mistakes: what people often write instead of something else, so that it is clear what they meant.
//!
//! Each is reported once, with what to write instead, and then read as what was meant, so that it causes no other
//! message.

use super::Parser;
use super::body::Grammar;
use crate::diagnostic::{Code, Diagnostic, Replacement, closest, quote};
use crate::syntax::Span;
use crate::syntax::lexer::MOST_DIAGNOSTICS;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Language, Name};

impl<L: Language> Parser<'_, L> {
    /// The name of which this is the first part, which may be all of it: `order-service`. The current token is the one
    /// after it.
    #[cold]
    pub(super) fn hyphenated(&mut self, first: Span) -> Name {
        let start = self.at - 1;
        let mut span = first;
        while self.is_at(0, "-", span.end) && self.is_word_at(1, span.end + 1) {
            self.advance();
            span = span.to(self.advance().span);
        }
        let name = self.intern(span);
        if span != first && self.misnamed.contains(&name.symbol) {
            self.rename_here_too(span);
            return name;
        }
        // Report it at its first use; whoever renames it renames it everywhere.
        if span != first && self.misnamed.len() < MOST_DIAGNOSTICS {
            self.misnamed.push(name.symbol);
            let end = std::mem::replace(&mut self.at, start);
            self.report(|parser| {
                let text = parser.text(span);
                let message = format!("{} is not a name: it contains `-`", quote(text));
                Diagnostic::new(Code::UnknownCharacter, span, message)
                    .label("expected a name")
                    .hint(format!(
                        "names are made of letters, digits, `_` and `'`: write {}",
                        quote(&text.replace('-', "_"))
                    ))
                    .fix_word(span, text, &text.replace('-', "_"))
            });
            self.at = end;
        }
        name
    }

    /// A name that was reported before is mended here, too, by the fix that was proposed.
    fn rename_here_too(&mut self, span: Span) {
        let (wrong, source) = (span.text(self.source), self.source);
        let known = self.diagnostics.iter_mut().find(|known| {
            known.code == Code::UnknownCharacter && !known.fixes.is_empty() && known.primary.span.text(source) == wrong
        });
        if let Some(fix) = known.and_then(|known| known.fixes.first_mut()) {
            fix.replacements.push(Replacement { span, text: wrong.replace('-', "_") });
        }
    }

    /// Whether the token at this distance is a certain character, and in this place.
    fn is_at(&self, distance: usize, character: &str, start: u32) -> bool {
        let token = self.tokens.get(self.at + distance);
        token.is_some_and(|token| token.span.start == start && self.text(token.span) == character)
    }

    fn is_word_at(&self, distance: usize, start: u32) -> bool {
        let token = self.tokens.get(self.at + distance);
        token.is_some_and(|token| {
            token.span.start == start && (token.kind == TokenKind::Identifier || token.kind.is_reserved_word())
        })
    }

    /// Reads the current token as this reserved word, if it looks like a typo.
    pub(super) fn repair(&mut self, word: TokenKind) -> bool {
        if !self.is_like(self.at, word) {
            return false;
        }
        let (span, meant) = (self.current().span, word.describe());
        self.report(|parser| {
            parser.unexpected(meant).hint(format!("did you mean {meant}?")).fix_word(
                span,
                parser.text(span),
                meant.trim_matches('`'),
            )
        });
        self.tokens[self.at].kind = word;
        true
    }

    fn is_like(&self, at: usize, word: TokenKind) -> bool {
        let Some(token) = self.tokens.get(at).filter(|token| token.kind == TokenKind::Identifier) else { return false };
        closest(self.text(token.span), [word.describe().trim_matches('`')]).is_some()
    }

    /// Reads the current token as an arrow, if it is another kind of arrow: `=>`.
    pub(super) fn repair_arrow(&mut self) -> bool {
        let Some(length) = self.arrow_at(self.at) else { return false };
        let span = self.current().span.to(self.tokens[self.at + length - 1].span);
        self.report(|parser| {
            let message = format!("expected `->`, found {}", quote(parser.text(span)));
            Diagnostic::new(Code::Syntax, span, message).label("expected `->`").hint("did you mean `->`?").fix_word(
                span,
                parser.text(span),
                "->",
            )
        });
        self.at += length - 1;
        self.tokens[self.at].kind = TokenKind::Arrow;
        true
    }

    /// How many tokens the foreign arrow here has.
    pub(super) fn arrow_at(&self, at: usize) -> Option<usize> {
        let token = self.tokens.get(at).filter(|token| token.kind == TokenKind::Other)?;
        let next = self.tokens.get(at + 1)?;
        match self.text(token.span) {
            "=" if next.kind == TokenKind::Greater && next.span.start == token.span.end => Some(2),
            "→" | "⇒" => Some(1),
            _ => None,
        }
    }

    /// After an expression, from `first` up to the current token, that does not end as it should: goes back to where it
    /// ends in something that stands for what is expected there, if there is such a place.
    pub(super) fn repair_end(&mut self, first: usize, close: TokenKind) -> bool {
        let end = std::mem::replace(&mut self.at, first);
        while self.at < end {
            // What was expected before the expression may have been missing as well, and that was told.
            let found = (self.at > first || self.quiet_at == first)
                && match close {
                    TokenKind::Then => self.kind() == TokenKind::OpenBrace || self.is_like(self.at, close),
                    TokenKind::Arrow => self.arrow_at(self.at).is_some(),
                    _ => false,
                };
            if found {
                return true;
            }
            self.at = match self.kind() {
                TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParenthesis => {
                    self.matching(self.at).map_or(self.at + 1, |close| close + 1)
                }
                _ => self.at + 1,
            };
        }
        self.at = end;
        false
    }
}

impl<L: Grammar> Parser<'_, L> {
    /// Goes past `label:` before an item of a `choose` or `any`, which has no label.
    #[cold]
    pub(super) fn labelled_item(&mut self) {
        self.report(|parser| {
            let label = parser.text(parser.current().span);
            let next = parser.tokens.get(parser.at + 2).map_or(parser.current().span, |token| token.span);
            let span = Span::new(parser.current().span.start, next.start);
            let offer = match L::NAMED_UNITS {
                true => format!("to wait for the label {}, begin the item with `p&{label}`", quote(label)),
                false => format!("to select the label {}, begin the item with `p -> q[{label}]`", quote(label)),
            };
            Diagnostic::new(Code::Syntax, parser.current().span, "the items of `choose` and `any` have no labels")
                .label("expected an action")
                .hint(offer)
                .fix(format!("delete {}", quote(&format!("{label}:"))), span, "")
        });
        self.advance();
        self.advance();
    }

    /// An `if` with braces around its branches, from the first of them on. Nothing in it is looked at: it may be
    /// laid out in any way.
    #[cold]
    pub(super) fn braced_if(&mut self, condition: Span, expected: &str) {
        self.report(|parser| {
            let text = parser.text(condition);
            let condition = if (1..40).contains(&text.len()) && !text.contains('\n') { text } else { "…" };
            let hint = format!("write `if {condition} then … else …`, without braces");
            parser.unexpected(expected).hint(hint)
        });
        loop {
            // Up to the brace, which comes after a condition in the second round.
            while !matches!(
                self.kind(),
                TokenKind::OpenBrace | TokenKind::CloseBrace | TokenKind::Semicolon | TokenKind::End
            ) {
                self.advance();
            }
            match (self.kind(), self.matching(self.at)) {
                (TokenKind::OpenBrace, Some(close)) => self.at = close + 1,
                _ => return,
            }
            if !self.eat(TokenKind::Else) || !matches!(self.kind(), TokenKind::OpenBrace | TokenKind::If) {
                return;
            }
        }
    }
}
