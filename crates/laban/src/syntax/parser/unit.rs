//! What surrounds bodies: processes of a network, parallel parts of a choreography, procedures and `main`.

use super::Parser;
use super::body::Grammar;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::Span;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Main, Procedure, TermId, Unit};

impl<L: Grammar> Parser<'_, L> {
    /// The whole text.
    pub(super) fn units(&mut self) {
        if self.kind() == TokenKind::End && self.tree.units.is_empty() {
            self.report(|parser| {
                let span = parser.current().span;
                let diagnostic = Diagnostic::new(Code::Empty, span, "there is nothing here");
                match L::NAMED_UNITS {
                    true => diagnostic
                        .hint("a network looks like this: `p { main { q!<x>; stop } } | q { main { p?; stop } }`"),
                    false => diagnostic.hint("a choreography looks like this: `main { p.x -> q; stop }`"),
                }
            });
            return;
        }
        loop {
            let before = self.at;
            if L::NAMED_UNITS && self.at_channels() {
                self.channels();
                if self.at_channels() {
                    self.channels_again();
                }
            }
            let nothing = self.kind() == L::BETWEEN_UNITS || self.kind() == TokenKind::End;
            if nothing {
                let (unit, hint) = nothing_between(L::NAMED_UNITS);
                self.expected(unit, Some(hint));
            } else if L::NAMED_UNITS {
                self.process();
            } else {
                self.part();
            }
            while self.kind() == TokenKind::CloseBrace {
                self.report(|parser| {
                    Diagnostic::new(Code::Syntax, parser.current().span, "this `}` closes nothing")
                        .hint("a `{` is missing before it, or this is one `}` too many")
                });
                self.advance();
                // There may be more of them, for the same reason.
                self.quiet_at = self.at;
            }
            if self.eat(L::BETWEEN_UNITS) {
                continue;
            }
            if L::NAMED_UNITS && self.at_channels() {
                self.late_channels();
                if self.eat(L::BETWEEN_UNITS) {
                    continue;
                }
            }
            match self.kind() {
                TokenKind::End => return,
                TokenKind::Identifier if L::NAMED_UNITS && self.at_process() => {
                    self.expected("`|` between two processes", None);
                }
                TokenKind::Bar | TokenKind::DoubleBar => {
                    let between = L::BETWEEN_UNITS.describe();
                    self.expected(between, Some(between_hint(L::NAMED_UNITS)));
                    self.advance();
                }
                _ => {
                    self.expected(&format!("{} or the end of the text", L::BETWEEN_UNITS.describe()), None);
                    self.skip_to_unit();
                    self.eat(L::BETWEEN_UNITS);
                }
            }
            if self.kind() == TokenKind::End {
                return;
            }
            // Whatever it was, go on after it.
            if before == self.at {
                self.advance();
            }
        }
    }

    fn at_process(&self) -> bool {
        let name = usize::from(self.at_service());
        self.kind_after(name) == TokenKind::Identifier && self.kind_after(name + 1) == TokenKind::OpenBrace
    }

    fn at_service(&self) -> bool {
        self.kind() == TokenKind::Identifier
            && self.kind_after(1) == TokenKind::Identifier
            && self.text(self.current().span) == "service"
    }

    fn skip_to_unit(&mut self) {
        loop {
            let kind = self.kind();
            if kind == TokenKind::End || kind == L::BETWEEN_UNITS || (L::NAMED_UNITS && self.at_process()) {
                return;
            }
            match (kind, self.matching(self.at)) {
                (TokenKind::OpenBrace, Some(close)) => self.at = close + 1,
                _ => {
                    self.advance();
                }
            }
        }
    }

    /// `service? name { … }`
    fn process(&mut self) {
        let start = self.current().span;
        let service = self.at_service().then(|| self.advance().span);
        let of_reserved_name = matches!(self.kind_after(2), TokenKind::Def | TokenKind::Main);
        if matches!(self.kind(), TokenKind::Def | TokenKind::Main) && !of_reserved_name {
            self.expected(
                "the name of a process",
                Some("this looks like a choreography; a network is made of processes: `p { main { … } }`"),
            );
            if self.tree.units.is_empty() {
                // Nothing in it would make sense.
                self.at = self.tokens.len() - 1;
            } else {
                self.skip_to_unit();
            }
            self.quiet_at = self.at;
            return;
        }
        let name = self.name("a process");
        let opened = self.current().span;
        if name.is_none() && self.kind() != TokenKind::OpenBrace && self.kind_after(1) == TokenKind::OpenBrace {
            // A word that cannot be a name, but clearly is meant as one.
            self.advance();
        }
        let opened = if self.kind() == TokenKind::OpenBrace { self.current().span } else { opened };
        if !self.expect(
            TokenKind::OpenBrace,
            Some("a process is a name followed by its procedures and its `main`, in braces"),
        ) {
            self.skip_to_unit();
            self.quiet_at = self.at;
            return;
        }
        let mut unit = Unit { name, service, procedures: Vec::new(), mains: Vec::new(), span: start };
        self.items(&mut unit);
        self.close_brace(opened, "this process");
        unit.span.end = self.previous_end().end;
        self.tree.units.push(unit);
    }

    /// `def X { … } main { … }` without braces around it.
    fn part(&mut self) {
        let start = self.current().span;
        let mut unit = Unit { name: None, service: None, procedures: Vec::new(), mains: Vec::new(), span: start };
        if self.kind() == TokenKind::Identifier && self.at_process() && !self.repair_item() {
            self.expected(
                "`def` or `main`",
                Some("this looks like a network; a choreography is made of procedures and a `main`"),
            );
            self.skip_to_part();
            return;
        }
        self.items(&mut unit);
        // A part without anything recognisable is dropped; it was reported already.
        if !unit.procedures.is_empty() || !unit.mains.is_empty() {
            unit.span.end = self.previous_end().end;
            self.tree.units.push(unit);
        }
    }

    fn skip_to_part(&mut self) {
        while !matches!(self.kind(), TokenKind::End | TokenKind::DoubleBar) {
            match (self.kind(), self.matching(self.at)) {
                (TokenKind::OpenBrace, Some(close)) => self.at = close + 1,
                _ => {
                    self.advance();
                }
            }
        }
    }

    /// Procedures and mains, up to something that is neither.
    fn items(&mut self, unit: &mut Unit) {
        loop {
            let start = self.current().span;
            self.repair_item();
            match self.kind() {
                TokenKind::Def => {
                    if !unit.mains.is_empty() {
                        self.report(|_| {
                            Diagnostic::new(Code::Syntax, start, "procedures come before `main`")
                                .hint("move this definition up, before `main`")
                        });
                    }
                    self.advance();
                    let name = self.name("a procedure");
                    if name.is_none() && self.kind_after(1) == TokenKind::OpenBrace {
                        self.advance();
                    }
                    if let Some(body) = self.braced("this procedure") {
                        let span = start.to(self.previous_end());
                        if let Some(name) = name {
                            unit.procedures.push(Procedure { name, body, span });
                        }
                    }
                }
                TokenKind::Main => {
                    self.advance();
                    if let Some(body) = self.braced("this `main`") {
                        let span = start.to(self.previous_end());
                        unit.mains.push(Main { body, span });
                    }
                }
                TokenKind::CloseBrace if L::NAMED_UNITS => return,
                TokenKind::End | TokenKind::Bar if L::NAMED_UNITS => return,
                TokenKind::End | TokenKind::DoubleBar if !unit.procedures.is_empty() => return,
                TokenKind::End | TokenKind::Bar | TokenKind::DoubleBar if !unit.mains.is_empty() => return,
                _ if !L::NAMED_UNITS && !unit.mains.is_empty() => return,
                _ => {
                    let hint = match self.kind() {
                        TokenKind::Identifier if self.at_channels() => Some(match L::NAMED_UNITS {
                            true => "channels are declared before the first process",
                            false => {
                                "channels are declared in the network; in a choreography, `p.value ~> q` puts \
                                      a message into a queue, and `q <~ p` takes it"
                            }
                        }),
                        TokenKind::Identifier if self.kind_after(1) == TokenKind::OpenBrace => {
                            Some("only `def X { … }` and `main { … }` can appear here")
                        }
                        TokenKind::Identifier | TokenKind::If | TokenKind::Stop => Some("put this inside `main { … }`"),
                        _ => None,
                    };
                    self.expected("`def` or `main`", hint);
                    self.skip(false);
                    if !matches!(self.kind(), TokenKind::Def | TokenKind::Main) {
                        if matches!(self.kind(), TokenKind::Comma | TokenKind::Else) {
                            self.advance();
                            self.quiet_at = self.at;
                            continue;
                        }
                        return;
                    }
                }
            }
        }
    }

    /// Reads a word that is almost `def` or `main` as that, where what follows fits.
    fn repair_item(&mut self) -> bool {
        use TokenKind::*;
        match (self.kind(), self.kind_after(1), self.kind_after(2)) {
            (Identifier, OpenBrace, after) if !matches!(after, Def | Main) => self.repair(Main),
            (Identifier, Identifier, OpenBrace) => self.repair(Def),
            _ => false,
        }
    }

    /// `{ body }`
    fn braced(&mut self, what: &str) -> Option<TermId> {
        let opened = self.current().span;
        if !self.expect(TokenKind::OpenBrace, None) {
            return self.unbraced();
        }
        let body = self.body();
        if self.kind() == TokenKind::Semicolon {
            self.after_end();
        }
        self.close_brace(opened, what);
        Some(body)
    }

    /// A body of which the opening brace is missing. Whether the closing one is there too can only be guessed.
    fn unbraced(&mut self) -> Option<TermId> {
        if !matches!(self.kind(), TokenKind::Identifier | TokenKind::If | TokenKind::Stop) {
            self.skip(false);
            return None;
        }
        self.quiet_at = usize::MAX;
        let body = self.body();
        if self.kind() == TokenKind::Semicolon {
            self.after_end();
        }
        let more = matches!(self.kind_after(1), TokenKind::CloseBrace | TokenKind::Def | TokenKind::Main);
        if self.kind() == TokenKind::CloseBrace && (more || !L::NAMED_UNITS) {
            self.advance();
        }
        Some(body)
    }

    /// The brace that closes what `opened` opens.
    fn close_brace(&mut self, opened: Span, what: &str) {
        if self.eat(TokenKind::CloseBrace) {
            return;
        }
        self.report(|parser| {
            let diagnostic = match parser.kind() {
                TokenKind::End => {
                    Diagnostic::new(Code::Unclosed, opened, format!("the `{{` of {what} is never closed"))
                        .label("opened here")
                }
                _ => parser.unexpected("`}`").at(opened, format!("to close {what}")),
            };
            // Which of several braces was forgotten cannot be known; that of an offer is the likeliest.
            let diagnostic = match parser.offer_since(opened) {
                Some(offer) => diagnostic.at(offer, "or to close this offer, if its `}` is missing"),
                None => diagnostic,
            };
            match parser.kind() {
                TokenKind::Else => diagnostic.hint("this `else` has no `if`"),
                TokenKind::Identifier | TokenKind::If | TokenKind::Stop => match parser.word_before() {
                    "choose" if L::NAMED_UNITS => {
                        diagnostic.hint("what may be chosen is in braces, with commas: `choose { …, … }`")
                    }
                    "choose" => diagnostic.hint("what may be chosen is in braces, with commas: `choose p { …, … }`"),
                    "any" => diagnostic.hint("what may come first is in braces, with commas: `any { …, … }`"),
                    "idle" if !L::NAMED_UNITS => {
                        diagnostic.hint("only the processes of a network are `idle`; leave it out")
                    }
                    _ => diagnostic,
                },
                _ => diagnostic,
            }
        });
        loop {
            match self.kind() {
                TokenKind::End | TokenKind::Bar | TokenKind::DoubleBar | TokenKind::Def | TokenKind::Main => return,
                TokenKind::CloseBrace => {
                    self.advance();
                    return;
                }
                _ => {
                    self.advance();
                    self.skip(false);
                }
            }
        }
    }
}

impl<L: Grammar> Parser<'_, L> {
    /// The brace of the last offer that was opened after this one.
    fn offer_since(&self, opened: Span) -> Option<Span> {
        let before = self.tokens.get(..self.at)?;
        let since = before.iter().rev().take_while(|token| token.span.start > opened.start);
        let mut after = None;
        for token in since {
            match (token.kind, after) {
                (TokenKind::Ampersand, Some((TokenKind::OpenBrace, brace))) => return Some(brace),
                _ => after = Some((token.kind, token.span)),
            }
        }
        None
    }
}

/// What is expected next to the separator of two units, and why.
fn nothing_between(network: bool) -> (&'static str, &'static str) {
    match network {
        true => ("the name of a process", "`|` goes between two processes; separate files are joined without it"),
        false => ("`def` or `main`", "`||` goes between two parts of a choreography"),
    }
}

fn between_hint(network: bool) -> &'static str {
    match network {
        true => "processes of a network are joined by `|`",
        false => "parts of a choreography are joined by `||`",
    }
}
