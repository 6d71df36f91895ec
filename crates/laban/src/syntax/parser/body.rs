//! Bodies: chains of actions that end in `stop`, a call or a fork.

use super::{Hole, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::Span;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{ArenaRange, Arm, Idle, Language, Name, Term, TermId};

/// What a language adds to the common grammar.
pub(super) trait Grammar: Language + Sized {
    /// What messages call a body of this language.
    const BODY: &'static str;
    /// What messages list as possible beginnings of a term.
    const TERMS: &'static str;
    /// Whether units have a name and braces.
    const NAMED_UNITS: bool;
    /// What separates two units.
    const BETWEEN_UNITS: TokenKind;

    /// Parses an action, a call or what a fork branches on. The current token is an identifier or an opening
    /// parenthesis.
    fn head(parser: &mut Parser<'_, Self>) -> Head<Self>;

    /// Parses the condition of an `if`, up to its `then`. What is wrong with it is reported and has an empty name.
    fn condition(parser: &mut Parser<'_, Self>) -> Self::Fork;
}

/// The beginning of a term.
pub(super) enum Head<L: Language> {
    Act(L::Action),
    Offer(L::Fork),
    /// An offer of one label, without braces.
    OfferOne(L::Fork, Name),
    /// `choose {` or `any {`.
    Items(L::Fork),
    /// The word `idle` before a term.
    Idle,
    Call(Name),
    /// It could not be parsed, and a diagnostic says why.
    Broken,
}

/// A fork that is open.
#[derive(Debug)]
pub(super) struct Frame {
    term: TermId,
    /// Its first arm in [`Parser::pending`].
    arms: usize,
    stage: Stage,
    /// The brace of an offer, or the `if`.
    opened: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Then,
    Else,
    Offer,
    Items,
}

const NOWHERE: TermId = TermId(u32::MAX);

impl<L: Grammar> Parser<'_, L> {
    /// Parses a body up to the token that follows it.
    pub(super) fn body(&mut self) -> TermId {
        let first = TermId(self.tree.terms.len() as u32);
        let mut hole = Hole::None;
        loop {
            let start = self.current().span;
            let id = match self.kind() {
                TokenKind::Stop | TokenKind::Def | TokenKind::Main | TokenKind::Then if self.at_reserved_process() => {
                    self.name("a process");
                    self.advance();
                    match self.recover() {
                        true => continue,
                        false => self.missing(),
                    }
                }
                TokenKind::Stop => {
                    self.advance();
                    self.tree.push(Term::Stop, start)
                }
                TokenKind::If => {
                    self.advance();
                    match self.open_if(hole, start) {
                        Some(arm) => {
                            hole = arm;
                            continue;
                        }
                        None => match self.recover() {
                            true => continue,
                            false => self.missing(),
                        },
                    }
                }
                TokenKind::Identifier | TokenKind::OpenParenthesis => match L::head(self) {
                    Head::Act(action) => {
                        let span = Span::new(start.start, self.previous_end().end);
                        // A body goes on until it has a last term, so what follows is the next one.
                        let next = TermId(self.tree.terms.len() as u32 + 1);
                        let id = self.tree.push(Term::Act(action, next), span);
                        self.fill(hole, id);
                        hole = Hole::None;
                        if !self.eat(TokenKind::Semicolon) {
                            self.no_semicolon(span);
                        }
                        continue;
                    }
                    Head::Offer(fork) => {
                        let id = self.tree.push(Term::Fork(fork, ArenaRange::default()), start);
                        self.fill(hole, id);
                        let opened = self.previous();
                        self.frames.push(Frame { term: id, arms: self.pending.len(), stage: Stage::Offer, opened });
                        if let Some(arm) = self.first_branch() {
                            hole = arm;
                            continue;
                        }
                        match self.close() {
                            Some(next) => {
                                hole = next;
                                continue;
                            }
                            None => return first,
                        }
                    }
                    Head::OfferOne(fork, label) => {
                        self.offer_one(fork, label, start, hole);
                        hole = Hole::None;
                        continue;
                    }
                    Head::Items(fork) => match self.open_items(fork, start, hole) {
                        Some(next) => {
                            hole = next;
                            continue;
                        }
                        None => return first,
                    },
                    Head::Idle => {
                        self.idle(start);
                        continue;
                    }
                    Head::Call(name) => self.tree.push(Term::Call(name), name.span),
                    Head::Broken => match self.recover() {
                        true => continue,
                        false => self.missing(),
                    },
                },
                TokenKind::Semicolon => {
                    self.expected(L::TERMS, Some("there is one `;` too many"));
                    self.advance();
                    continue;
                }
                _ => {
                    self.expected(L::TERMS, self.missing_term_hint());
                    match self.recover() {
                        true => continue,
                        false => self.missing(),
                    }
                }
            };
            self.fill(hole, id);
            match self.close() {
                Some(next) => hole = next,
                None => return first,
            }
        }
    }

    /// `p&label`, which goes on like an action.
    #[cold]
    fn offer_one(&mut self, fork: L::Fork, label: Name, start: Span, hole: Hole) {
        let span = Span::new(start.start, self.previous_end().end);
        let next = TermId(self.tree.terms.len() as u32 + 1);
        let arm = self.tree.arms.len() as u32;
        self.tree.arms.push(Arm { label: Some(label), body: next });
        let id = self.tree.push(Term::Fork(fork, ArenaRange { start: arm, end: arm + 1 }), span);
        self.fill(hole, id);
        if !self.eat(TokenKind::Semicolon) {
            self.no_semicolon(span);
        }
    }

    /// `choose {` or `any {`: the place of its first item, or of what follows if it has none.
    #[cold]
    fn open_items(&mut self, fork: L::Fork, start: Span, hole: Hole) -> Option<Hole> {
        let id = self.tree.push(Term::Fork(fork, ArenaRange::default()), start);
        self.fill(hole, id);
        let opened = self.previous();
        self.frames.push(Frame { term: id, arms: self.pending.len(), stage: Stage::Items, opened });
        if self.kind() != TokenKind::CloseBrace {
            return Some(self.item());
        }
        self.no_items();
        self.close()
    }

    /// The place of an item of a `choose` or `any`.
    fn item(&mut self) -> Hole {
        if self.kind() == TokenKind::Identifier && self.kind_after(1) == TokenKind::Colon {
            self.labelled_item();
        }
        self.arm(None)
    }

    #[cold]
    fn idle(&mut self, span: Span) {
        let term = TermId(self.tree.terms.len() as u32);
        // Said twice it says the same.
        if self.tree.idle.last().is_none_or(|known| known.term != term) {
            self.tree.idle.push(Idle { term, span });
        }
    }

    /// Whether the word here is used as a process, as in `main!<x>`.
    fn at_reserved_process(&self) -> bool {
        use TokenKind::*;
        matches!(self.kind_after(1), Exclamation | Question | Plus | Ampersand | Dot | Arrow)
    }

    fn missing(&mut self) -> TermId {
        let span = self.gap();
        self.tree.push(Term::Missing, span)
    }

    fn missing_term_hint(&self) -> Option<&'static str> {
        match self.kind() {
            TokenKind::CloseBrace | TokenKind::Else | TokenKind::Comma | TokenKind::End => {
                Some("write `stop` where nothing more happens")
            }
            TokenKind::Def | TokenKind::Main => Some("a `}` is missing before this"),
            TokenKind::OpenBrace => Some("only procedures, `main` and the branches of an offer have braces"),
            _ => None,
        }
    }

    /// After something that could not be parsed: whether there is a next term to go on with.
    fn recover(&mut self) -> bool {
        self.skip(true);
        self.eat(TokenKind::Semicolon)
    }

    /// Every action is followed by a semicolon and a term, but this one is not.
    #[cold]
    fn no_semicolon(&mut self, action: Span) {
        let starts_term = matches!(self.kind(), TokenKind::Identifier | TokenKind::If | TokenKind::Stop);
        self.report(|parser| {
            let place = parser.previous();
            let message = match starts_term {
                true => "expected `;` between two actions".to_string(),
                false => format!("expected `;` after this action, found {}", parser.found()),
            };
            let diagnostic = Diagnostic::new(Code::Syntax, place, message).label("expected `;` after this");
            match starts_term {
                true => diagnostic.fix("add `;`", place.after(), ";"),
                false => {
                    let body = L::BODY;
                    let text = parser.text(action);
                    let hint = match text.len() < 40 {
                        true => format!("{body} must end with `stop`, a call or a choice: write `{text}; stop`"),
                        false => format!("{body} must end with `stop`, a call or a choice: write `; stop` after it"),
                    };
                    match parser.kind() {
                        TokenKind::CloseBrace | TokenKind::Comma | TokenKind::Else => {
                            diagnostic.hint(hint).fix("add `; stop`", place.after(), "; stop")
                        }
                        _ => diagnostic.hint(hint),
                    }
                }
            }
        });
        // If no term starts here, the next round would complain about it once more.
        self.quiet_at = if starts_term { usize::MAX } else { self.at };
    }

    fn open_if(&mut self, hole: Hole, start: Span) -> Option<Hole> {
        let first = self.current().span;
        let fork = L::condition(self);
        let condition = first.to(self.previous_end());
        if self.kind() == TokenKind::OpenBrace {
            self.braced_if(condition, TokenKind::Then.describe());
            return None;
        }
        if !self.eat(TokenKind::Then) {
            self.expected(TokenKind::Then.describe(), None);
            // If there is an `else`, it belongs to this `if`.
            if self.kind() != TokenKind::Else {
                return None;
            }
        }
        if self.kind() == TokenKind::OpenBrace {
            self.braced_if(condition, L::TERMS);
            return None;
        }
        let id = self.tree.push(Term::Fork(fork, ArenaRange::default()), start);
        self.fill(hole, id);
        self.frames.push(Frame { term: id, arms: self.pending.len(), stage: Stage::Then, opened: start });
        Some(self.arm(None))
    }

    fn arm(&mut self, label: Option<Name>) -> Hole {
        self.pending.push(Arm { label, body: NOWHERE });
        Hole::Arm(self.pending.len() - 1)
    }

    /// The first branch of an offer, unless it has none.
    fn first_branch(&mut self) -> Option<Hole> {
        if self.kind() == TokenKind::CloseBrace {
            self.report(|parser| {
                let message = "an offer needs at least one branch";
                Diagnostic::new(Code::EmptyOffer, parser.current().span, message)
                    .label("expected a label, `:` and what to do")
            });
            return None;
        }
        self.branch()
    }

    /// `label:`, or nothing when it cannot be parsed and the offer has no further branch.
    fn branch(&mut self) -> Option<Hole> {
        loop {
            if self.kind() == TokenKind::CloseBrace {
                self.expected("another branch", Some("there is one `,` too many"));
                return None;
            }
            if let Some(label) = self.name("a label") {
                self.expect(TokenKind::Colon, Some("a branch is a label, `:` and what to do"));
                return Some(self.arm(Some(label)));
            }
            // In `then:` only the name is wrong.
            if self.kind().is_reserved_word() && self.kind_after(1) == TokenKind::Colon {
                self.advance();
                self.advance();
                return Some(self.arm(None));
            }
            self.skip(false);
            if !self.eat(TokenKind::Comma) {
                return None;
            }
        }
    }

    /// A body has ended: finishes the forks that end with it. Returns the next arm to parse, if there is one.
    fn close(&mut self) -> Option<Hole> {
        loop {
            let &Frame { stage, opened, .. } = self.frames.last()?;
            if self.kind() == TokenKind::Semicolon && stage != Stage::Items {
                self.after_end();
                continue;
            }
            match stage {
                Stage::Else => self.finish(),
                Stage::Then => {
                    if self.kind() == TokenKind::Else || self.repair(TokenKind::Else) {
                        self.advance();
                        if let Some(frame) = self.frames.last_mut() {
                            frame.stage = Stage::Else;
                        }
                        return Some(self.arm(None));
                    }
                    self.report(|parser| {
                        parser
                            .unexpected("`else`")
                            .at(opened, "this `if` has no `else`")
                            .hint("both outcomes are needed: write `else stop` if nothing else happens")
                            .fix("add `else stop`", parser.previous_end(), " else stop")
                    });
                    let hole = self.arm(None);
                    let missing = self.missing();
                    self.fill(hole, missing);
                    self.finish();
                }
                Stage::Items => match self.kind() {
                    TokenKind::Comma => {
                        self.advance();
                        if self.kind() != TokenKind::CloseBrace {
                            return Some(self.item());
                        }
                        self.expected("another item", Some("there is one `,` too many"));
                    }
                    TokenKind::CloseBrace => {
                        self.advance();
                        self.finish();
                    }
                    TokenKind::Semicolon | TokenKind::Bar | TokenKind::DoubleBar if self.item_follows() => {
                        self.between_items();
                        return Some(self.item());
                    }
                    TokenKind::Semicolon => self.after_end(),
                    _ => {
                        self.report(|parser| parser.unexpected("`,` or `}`").at(opened, "to close this"));
                        let before = self.at;
                        if self.kind() != TokenKind::Else {
                            self.skip(false);
                        }
                        if before == self.at {
                            self.finish();
                        }
                    }
                },
                Stage::Offer => match self.kind() {
                    TokenKind::Comma => {
                        self.advance();
                        if let Some(hole) = self.branch() {
                            return Some(hole);
                        }
                    }
                    TokenKind::CloseBrace => {
                        self.advance();
                        self.finish();
                    }
                    TokenKind::Identifier if self.kind_after(1) == TokenKind::Colon => {
                        self.expected("`,` before the next branch", None);
                        if let Some(hole) = self.branch() {
                            return Some(hole);
                        }
                    }
                    _ => {
                        self.report(|parser| parser.unexpected("`,` or `}`").at(opened, "to close this offer"));
                        let before = self.at;
                        if self.kind() != TokenKind::Else {
                            self.skip(false);
                        }
                        if before == self.at {
                            self.finish();
                        }
                    }
                },
            }
        }
    }

    /// Whether another item of a `choose` or `any` seems to come after this token, although it is not a comma.
    fn item_follows(&self) -> bool {
        use TokenKind::*;
        match self.kind_after(1) {
            If | Stop | OpenParenthesis => true,
            // `| p {` starts the next process.
            Identifier => self.kind() == Semicolon || self.kind_after(2) != OpenBrace,
            _ => false,
        }
    }

    #[cold]
    fn between_items(&mut self) {
        self.report(|parser| {
            let token = parser.current();
            let found = parser.found();
            Diagnostic::new(Code::Syntax, token.span, format!("expected `,` between two items, found {found}"))
                .label("expected `,`")
                .hint("items are separated by commas; what belongs to an item comes before the comma")
                .fix("replace it by `,`", token.span, ",")
        });
        self.advance();
    }

    #[cold]
    fn no_items(&mut self) {
        self.report(|parser| {
            let message = "there must be at least one item between these braces";
            Diagnostic::new(Code::EmptyChoice, parser.current().span, message).label("expected what can happen")
        });
    }

    /// Something follows a term after which nothing can.
    pub(super) fn after_end(&mut self) {
        self.report(|parser| {
            let body = L::BODY;
            let diagnostic =
                Diagnostic::new(Code::AfterEnd, parser.current().span, format!("{body} has already ended here"))
                    .label("nothing may follow");
            if parser.word_before() == "idle" && L::NAMED_UNITS {
                return diagnostic.hint("put `idle` right before what it is about, without a `;`: `idle p?`");
            }
            diagnostic.hint(
                "nothing may follow `stop`, a call, an offer or an `if`; delete the `;` or move the rest into a branch",
            )
        });
        self.skip(false);
    }

    /// Moves the arms of the innermost fork to their place.
    #[inline]
    fn finish(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let start = self.tree.arms.len() as u32;
        self.tree.arms.extend(self.pending.drain(frame.arms..));
        let arms = ArenaRange { start, end: self.tree.arms.len() as u32 };
        if let Some(Term::Fork(_, range)) = self.tree.terms.get_mut(frame.term.index()) {
            *range = arms;
        }
        let end = self.previous_end().end;
        if let Some(span) = self.tree.spans.get_mut(frame.term.index()) {
            span.end = end;
        }
    }
}
