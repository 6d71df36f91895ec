//! What an action of a process is.

use super::Parser;
use super::body::{Grammar, Head};
use crate::diagnostic::quote;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{LocalAction, LocalFork, Name, Networks};

impl Grammar for Networks {
    const BODY: &'static str = "a behaviour";
    const TERMS: &'static str = "an action";
    const NAMED_UNITS: bool = true;
    const BETWEEN_UNITS: TokenKind = TokenKind::Bar;

    fn head(parser: &mut Parser<'_, Self>) -> Head<Self> {
        let Some(name) = parser.name("a process or procedure") else { return Head::Broken };
        match parser.kind() {
            TokenKind::Exclamation => {
                parser.advance();
                if !parser.expect(TokenKind::Less, Some("to send a value, write `q!<value>`")) {
                    return Head::Broken;
                }
                let expression = parser.expression(TokenKind::Greater);
                parser.eat(TokenKind::Greater);
                match expression {
                    Some(expression) => Head::Act(LocalAction::Send { to: name, expression }),
                    None => Head::Broken,
                }
            }
            TokenKind::Question => {
                parser.advance();
                if let Some(end) = variable_end(parser) {
                    let hint = format!(
                        "received values have no names here: write {}",
                        quote(&format!("{}?;", parser.text(name.span)))
                    );
                    parser.expected("`;`", Some(&hint));
                    parser.at = end;
                }
                Head::Act(LocalAction::Receive { from: name })
            }
            TokenKind::Plus => {
                parser.advance();
                match parser.name("a label") {
                    Some(label) if parser.kind() == TokenKind::Less => labelled_value(parser, name, label),
                    Some(label) => Head::Act(LocalAction::Select { to: name, label }),
                    None => Head::Broken,
                }
            }
            TokenKind::Ampersand => {
                parser.advance();
                if parser.kind() == TokenKind::Identifier && parser.kind_after(1) != TokenKind::Colon {
                    let label = parser.intern(parser.current().span);
                    parser.advance();
                    return Head::OfferOne(LocalFork::OfferOne { from: name }, label);
                }
                let hint = "to offer labels, write `p&{yes: …, no: …}`";
                let opened = parser.expect(TokenKind::OpenBrace, Some(hint));
                let at_label = parser.kind() == TokenKind::Identifier && parser.kind_after(1) == TokenKind::Colon;
                match opened || at_label {
                    true => Head::Offer(LocalFork::Offer { from: name }),
                    false => Head::Broken,
                }
            }
            TokenKind::Arrow | TokenKind::Dot => {
                parser.expected(
                    "`!`, `?`, `+` or `&`",
                    Some("`p.e -> q` is an action of a choreography; in a network, p does `q!<e>` and q does `p?`"),
                );
                Head::Broken
            }
            TokenKind::Less | TokenKind::Other if parser.at_put() || parser.at_take() => {
                parser.expected(
                    "`!`, `?`, `+` or `&`",
                    Some("`~>` and `<~` are for choreographies; in a network, p does `q!<e>` and q does `p?`"),
                );
                Head::Broken
            }
            TokenKind::Less | TokenKind::Other | TokenKind::Quoted | TokenKind::LoneQuote | TokenKind::OpenBracket => {
                parser.expected("`!`, `?`, `+` or `&`", None);
                Head::Broken
            }
            TokenKind::OpenBrace | TokenKind::Identifier | TokenKind::If | TokenKind::Stop => word(parser, name),
            _ => Head::Call(name),
        }
    }

    fn condition(parser: &mut Parser<'_, Self>) -> LocalFork {
        LocalFork::If { condition: parser.condition() }
    }
}

/// `choose {`, `any {` or `idle` before a term. These words are not reserved: a process or a procedure may have them as
/// its name, but neither is followed by any of this.
#[cold]
fn word(parser: &mut Parser<'_, Networks>, name: Name) -> Head<Networks> {
    let fork = match (parser.text(name.span), parser.kind()) {
        ("choose", TokenKind::OpenBrace) => LocalFork::Choose,
        ("any", TokenKind::OpenBrace) => LocalFork::Any,
        ("idle", TokenKind::Identifier | TokenKind::If | TokenKind::Stop) => return Head::Idle,
        _ => return Head::Call(name),
    };
    parser.advance();
    Head::Items(fork)
}

/// `<expression>`, after the label of a selection.
#[cold]
fn labelled_value(parser: &mut Parser<'_, Networks>, to: Name, label: Name) -> Head<Networks> {
    parser.advance();
    let expression = parser.expression(TokenKind::Greater);
    parser.eat(TokenKind::Greater);
    match expression {
        Some(expression) => {
            let content = parser.tree.push_labelled(label, expression);
            Head::Act(LocalAction::SelectValue { to, content })
        }
        None => Head::Broken,
    }
}

/// Where the variable ends that follows a receive, if there is one: `p?x`, `p?(x)` or `p?<x>`.
fn variable_end(parser: &mut Parser<'_, Networks>) -> Option<usize> {
    match parser.kind() {
        // Otherwise it is an action, and the `;` before it is missing.
        TokenKind::Identifier if parser.kind_after(1) == TokenKind::Semicolon => Some(parser.at + 1),
        TokenKind::OpenParenthesis => Some(parser.matching(parser.at)? + 1),
        TokenKind::Less if parser.kind_after(2) == TokenKind::Greater => Some(parser.at + 3),
        _ => None,
    }
}
