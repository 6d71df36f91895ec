//! What an action of a choreography is.

use super::Parser;
use super::body::{Grammar, Head};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{ArenaRange, Choreographies, GlobalAction, GlobalFork, GlobalInteraction, Name};

impl Grammar for Choreographies {
    const BODY: &'static str = "a choreography";
    const TERMS: &'static str = "an action";
    const NAMED_UNITS: bool = false;
    const BETWEEN_UNITS: TokenKind = TokenKind::DoubleBar;

    fn head(parser: &mut Parser<'_, Self>) -> Head<Self> {
        if parser.kind() == TokenKind::OpenParenthesis {
            return group(parser);
        }
        let Some(name) = parser.name("a process or procedure") else { return Head::Broken };
        parser.repair_arrow();
        match parser.kind() {
            TokenKind::Dot | TokenKind::Arrow => match interaction(parser, name) {
                Some((interaction, Arrow::Both)) => Head::Act(GlobalAction::Interaction(interaction)),
                Some((interaction, Arrow::Put)) => put(parser, interaction),
                None => Head::Broken,
            },
            TokenKind::Other if parser.at_put() => match interaction(parser, name) {
                Some((interaction, _)) => put(parser, interaction),
                None => Head::Broken,
            },
            TokenKind::Less if parser.at_take() => take(parser, name),
            TokenKind::Exclamation | TokenKind::Question | TokenKind::Plus | TokenKind::Ampersand => {
                parser.expected(
                    "`.` or `->`",
                    Some("this looks like an action of a process; in a choreography, write `p.value -> q` or `p -> q[label]`"),
                );
                Head::Broken
            }
            TokenKind::Less
            | TokenKind::Other
            | TokenKind::Quoted
            | TokenKind::LoneQuote
            | TokenKind::OpenBracket
            | TokenKind::Greater => {
                parser.expected("`.` or `->`", None);
                Head::Broken
            }
            TokenKind::OpenBrace | TokenKind::Identifier => word(parser, name),
            _ => Head::Call(name),
        }
    }

    fn condition(parser: &mut Parser<'_, Self>) -> GlobalFork {
        let process = match parser.name("the process that decides") {
            Some(process) => process,
            None => parser.nobody(),
        };
        parser.expect(TokenKind::Dot, Some("in a choreography, a condition says who decides: `if p.condition then …`"));
        GlobalFork::If { process, condition: parser.condition() }
    }
}

/// `choose p {` or `any {`. These words are not reserved: a process or a procedure may have them as its name, but
/// neither is followed by any of this.
#[cold]
fn word(parser: &mut Parser<'_, Choreographies>, name: Name) -> Head<Choreographies> {
    let fork = match (parser.text(name.span), parser.kind(), parser.kind_after(1)) {
        ("any", TokenKind::OpenBrace, _) => GlobalFork::Any,
        ("choose", TokenKind::Identifier, TokenKind::OpenBrace) => {
            let process = parser.intern(parser.current().span);
            parser.advance();
            GlobalFork::Choose { process }
        }
        ("choose", TokenKind::OpenBrace, _) => {
            let hint = "in a choreography, a choice says who decides: `choose p { …, … }`";
            parser.expected("the process that decides", Some(hint));
            GlobalFork::Choose { process: parser.nobody() }
        }
        _ => return Head::Call(name),
    };
    parser.advance();
    Head::Items(fork)
}

/// What an interaction is written with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrow {
    /// `->`: it is sent and received.
    Both,
    /// `~>`: it is put into a queue.
    Put,
}

#[cold]
fn put(parser: &mut Parser<'_, Choreographies>, interaction: GlobalInteraction) -> Head<Choreographies> {
    Head::Act(GlobalAction::Put(parser.tree.push_interaction(interaction)))
}

/// `<~ p`, after the name of the process that takes a message.
#[cold]
fn take(parser: &mut Parser<'_, Choreographies>, to: Name) -> Head<Choreographies> {
    parser.advance();
    parser.advance();
    let Some(from) = parser.name("a process") else { return Head::Broken };
    if matches!(parser.kind(), TokenKind::Dot | TokenKind::OpenBracket) {
        let [taker, sender] = [to, from].map(|name| parser.text(name.span));
        let hint = format!("it is the oldest message that is taken, whatever it is: write `{taker} <~ {sender}`");
        parser.expected("`;`", Some(&hint));
        return Head::Broken;
    }
    Head::Act(GlobalAction::Take { from, to })
}

/// `.expression -> q` or `-> q[label]`, after the name of the process that acts.
#[inline]
fn interaction(parser: &mut Parser<'_, Choreographies>, from: Name) -> Option<(GlobalInteraction, Arrow)> {
    if parser.eat(TokenKind::Dot) {
        let expression = parser.expression(TokenKind::Arrow)?;
        let arrow = parser.arrow();
        let to = parser.name("a process")?;
        if parser.eat(TokenKind::OpenBracket) {
            let label = parser.name("a label")?;
            let content = parser.tree.push_labelled(label, expression);
            let labelled = GlobalInteraction::SelectValue { from, to, content };
            return parser.expect(TokenKind::CloseBracket, None).then_some((labelled, arrow));
        }
        return Some((GlobalInteraction::Communicate { from, expression, to }, arrow));
    }
    if parser.kind() != TokenKind::Arrow && !parser.at_put() {
        parser.expected(TokenKind::Arrow.describe(), None);
        return None;
    }
    let arrow = parser.arrow();
    let to = parser.name("a process")?;
    let hint = match arrow {
        Arrow::Both => "to select a label, write `p -> q[label]`; to send a value, write `p.value -> q`",
        Arrow::Put => "to put a label into a queue, write `p ~> q[label]`; a value, `p.value ~> q`",
    };
    if !parser.expect(TokenKind::OpenBracket, Some(hint)) {
        return None;
    }
    let label = parser.name("a label")?;
    let interaction = GlobalInteraction::Select { from, to, label };
    parser.expect(TokenKind::CloseBracket, None).then_some((interaction, arrow))
}

/// `(p.e -> q, q.f -> p)`
fn group(parser: &mut Parser<'_, Choreographies>) -> Head<Choreographies> {
    parser.advance();
    let start = parser.tree.interactions.len() as u32;
    loop {
        let first = parser.at;
        let member = parser.name("a process").and_then(|from| interaction(parser, from));
        let Some((member, arrow)) = member else { return Head::Broken };
        let put = match arrow {
            Arrow::Put => (first..parser.at).rev().find(|&at| parser.put_arrow_at(at)),
            Arrow::Both => parser.put_before_comma(first),
        };
        if let Some(put) = put {
            put_in_group(parser, put);
        }
        parser.tree.interactions.push(member);
        if parser.eat(TokenKind::Comma) {
            continue;
        }
        return match parser.expect(TokenKind::CloseParenthesis, None) {
            true => Head::Act(GlobalAction::Group(ArenaRange { start, end: parser.tree.interactions.len() as u32 })),
            false => Head::Broken,
        };
    }
}

/// A member of a group is written with this `~>`.
#[cold]
fn put_in_group(parser: &mut Parser<'_, Choreographies>, arrow: usize) {
    let end = std::mem::replace(&mut parser.at, arrow);
    parser.report(|parser| {
        let span = parser.current().span.to(parser.tokens[parser.at + 1].span);
        Diagnostic::new(Code::Syntax, span, "expected `->` in a group, found `~>`")
            .label("expected `->`")
            .hint("in a group, all messages are sent, and then all are received")
            .fix_word(span, "~>", "->")
    });
    parser.at = end;
}

impl Parser<'_, Choreographies> {
    /// Goes past the arrow that is here.
    #[inline]
    fn arrow(&mut self) -> Arrow {
        if self.kind() == TokenKind::Arrow {
            self.advance();
            return Arrow::Both;
        }
        self.advance();
        self.advance();
        Arrow::Put
    }
}
