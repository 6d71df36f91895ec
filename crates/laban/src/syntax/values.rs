//! Values as both languages can write them.
//!
//! The two languages end a value in different ways: `q!<value>` and `p.value -> q`. So `a -> b` and `if x` can be in
//! a network as they are, but not in a choreography, and with `a < b` it is the other way round. A value that one of
//! the two could not write counts as if it were in parentheses: models have it with them, so it can be written in
//! either language, and it is the same value in both, with or without parentheses in the text.

use super::brackets::Brackets;
use super::lexer::lex;
use super::names::{Names, Symbol};
use super::token::TokenKind;
use rustc_hash::FxHashMap;

/// The values of a text, as a model has them.
#[derive(Debug)]
pub(crate) struct Values {
    names: Names,
    /// For each value that is not just a word and was asked for, the one that counts.
    known: FxHashMap<Symbol, Symbol>,
}

impl Values {
    /// The values of a text with these names.
    pub(crate) fn new(names: &Names) -> Self {
        Values { names: names.clone(), known: FxHashMap::default() }
    }

    /// The value that counts for one of the text.
    #[inline]
    pub(crate) fn of(&mut self, value: Symbol) -> Symbol {
        match self.names.are_words() {
            true => value,
            false => self.of_phrase(value),
        }
    }

    #[inline(never)]
    fn of_phrase(&mut self, value: Symbol) -> Symbol {
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        let counts = match bracketed(self.names.text(value)) {
            Some(text) => self.names.intern(&text),
            None => value,
        };
        self.known.insert(value, counts);
        counts
    }

    /// The names of the text, and those of values in parentheses.
    pub(crate) fn into_names(self) -> Names {
        self.names
    }
}

/// The value in parentheses, if it cannot do without them in both languages.
fn bracketed(value: &str) -> Option<String> {
    if stands_alone(value) {
        return None;
    }
    let text = format!("({value})");
    let tokens = lex(&text).tokens;
    // Inside of other brackets there may be a `)` too many. It would close ours, but never a brace: in a text, braces
    // are open around every value.
    match Brackets::new(&tokens).closing(0) == tokens.len().checked_sub(2) {
        true => Some(text),
        false => Some(format!("{{{value}}}")),
    }
}

/// Whether nothing in a value ends it too early, in either language.
fn stands_alone(value: &str) -> bool {
    let tokens = lex(value).tokens;
    let brackets = Brackets::new(&tokens);
    let (mut at, mut angles) = (0, 0usize);
    while let Some(token) = tokens.get(at) {
        match token.kind {
            TokenKind::Arrow | TokenKind::If | TokenKind::Then | TokenKind::Else | TokenKind::Def | TokenKind::Main => {
                return false;
            }
            TokenKind::Less => angles += 1,
            TokenKind::Greater => match angles.checked_sub(1) {
                Some(fewer) => angles = fewer,
                None => return false,
            },
            TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParenthesis => {
                at = brackets.closing(at).unwrap_or(at);
            }
            _ => {}
        }
        at += 1;
    }
    angles == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_gets_parentheses_only_where_it_needs_them() {
        for value in [
            "x",
            "a + b",
            "f(x, y -> z)",
            "a<b>",
            "(a < b)",
            "[if]",
            "\"->\"",
            "a - ",
            "iffy",
            "0",
            "x.y || z",
            "map<a, b<c>>",
        ] {
            assert_eq!(bracketed(value), None, "{value}");
        }
        for value in [
            "->", "a -> b", "a->", "if x", "then", "not else", "def", "main.x", "a < b", "a > b", ">a<", "a<b>>",
            "<a -> b>",
        ] {
            assert_eq!(bracketed(value), Some(format!("({value})")), "{value}");
        }
    }

    #[test]
    fn a_parenthesis_too_many_does_not_close_ours() {
        assert_eq!(bracketed("[ ) ] -> b").as_deref(), Some("{[ ) ] -> b}"));
        assert_eq!(bracketed("[ ( ] -> b").as_deref(), Some("([ ( ] -> b)"));
    }
}
