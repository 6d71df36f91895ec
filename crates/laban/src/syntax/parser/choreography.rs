//! What an action of a choreography is.

use super::Parser;
use super::body::{Grammar, Head};
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
                Some(interaction) => Head::Act(GlobalAction::Interaction(interaction)),
                None => Head::Broken,
            },
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

/// `.expression -> q` or `-> q[label]`, after the name of the process that acts.
fn interaction(parser: &mut Parser<'_, Choreographies>, from: Name) -> Option<GlobalInteraction> {
    if parser.eat(TokenKind::Dot) {
        let expression = parser.expression(TokenKind::Arrow)?;
        parser.advance();
        let to = parser.name("a process")?;
        if parser.eat(TokenKind::OpenBracket) {
            let label = parser.name("a label")?;
            let content = parser.tree.push_labelled(label, expression);
            let labelled = GlobalInteraction::SelectValue { from, to, content };
            return parser.expect(TokenKind::CloseBracket, None).then_some(labelled);
        }
        return Some(GlobalInteraction::Communicate { from, expression, to });
    }
    if !parser.expect(TokenKind::Arrow, None) {
        return None;
    }
    let to = parser.name("a process")?;
    let hint = "to select a label, write `p -> q[label]`; to send a value, write `p.value -> q`";
    if !parser.expect(TokenKind::OpenBracket, Some(hint)) {
        return None;
    }
    let label = parser.name("a label")?;
    parser.expect(TokenKind::CloseBracket, None).then_some(GlobalInteraction::Select { from, to, label })
}

/// `(p.e -> q, q.f -> p)`
fn group(parser: &mut Parser<'_, Choreographies>) -> Head<Choreographies> {
    parser.advance();
    let start = parser.tree.interactions.len() as u32;
    loop {
        let member = parser.name("a process").and_then(|from| interaction(parser, from));
        let Some(member) = member else { return Head::Broken };
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
