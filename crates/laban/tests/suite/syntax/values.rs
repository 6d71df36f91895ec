//! What one language says, the other can say: values and conditions that are any balanced text, in both directions.

use super::generator::OnPanic;
use super::properties::format_idempotent;
use laban::choreography::Choreography;
use laban::generate::SeededRng;
use laban::generate::{fuzz, unroll};
use laban::network::Network;
use laban::syntax::{
    ChoreographyTree, Compact, NetworkTree, Pretty, TokenKind, lex, parse_choreography, parse_network,
};
use laban::{AmendOptions, ProjectOptions};
use laban::{EquivalenceOptions, ExtractOptions, VerifyOptions};
use std::collections::BTreeMap;

const PIECES: &[&str] = &[
    "x",
    "y1",
    "é",
    "->",
    "->",
    "<",
    ">",
    "<",
    ">",
    "if",
    "then",
    "else",
    "def",
    "main",
    "stop",
    "0",
    "-",
    "--",
    "=",
    "=>",
    "+",
    "*",
    "/",
    ",",
    ":",
    ".",
    "!",
    "?",
    "&",
    "|",
    "||",
    "\"a -> <b> then )\"",
    "'",
    "iffy",
    "\u{1b}",
    "\u{202e}",
];

/// Tokens that end a value too early in one of the languages.
const ENDS: &[TokenKind] = &[
    TokenKind::Arrow,
    TokenKind::Less,
    TokenKind::Greater,
    TokenKind::If,
    TokenKind::Then,
    TokenKind::Else,
    TokenKind::Def,
    TokenKind::Main,
];

/// A text that is balanced, more or less: whether a language takes it, its parser has to say.
fn expression(dice: &mut SeededRng, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..1 + dice.below(4) {
        if dice.one_in(2) {
            text.push(' ');
        }
        match dice.below(8) {
            0 if depth < 3 => {
                let (open, close) = [("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")][dice.below(4)];
                text.push_str(open);
                text.push_str(&expression(dice, depth + 1));
                if depth > 0 || open != "<" {
                    text.push_str(dice.pick(&["", "", "", "", ";", ")", "]", "(", "["]));
                }
                text.push_str(close);
            }
            _ => text.push_str(dice.pick(PIECES)),
        }
    }
    text
}

/// The tokens of an expression that are in no brackets and would end it in some language.
fn ends(value: &str) -> Vec<&'static str> {
    let mut depth = 0usize;
    let mut found = Vec::new();
    for token in lex(value).tokens {
        match token.kind {
            TokenKind::OpenParenthesis | TokenKind::OpenBracket | TokenKind::OpenBrace => depth += 1,
            TokenKind::CloseParenthesis | TokenKind::CloseBracket | TokenKind::CloseBrace => {
                depth = depth.saturating_sub(1);
            }
            kind if depth == 0 && ENDS.contains(&kind) => found.push(kind.describe()),
            _ => {}
        }
    }
    found
}

fn network(text: &str) -> (NetworkTree, Network) {
    let parsed = parse_network(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let lowered = laban::network::lower(&parsed.tree);
    (parsed.tree, lowered.network.unwrap_or_else(|| panic!("{:?}\n{text}", lowered.diagnostics)))
}

fn choreography(text: &str) -> (ChoreographyTree, Choreography) {
    let parsed = parse_choreography(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let lowered = laban::choreography::lower(&parsed.tree);
    (parsed.tree, lowered.choreography.unwrap_or_else(|| panic!("{:?}\n{text}", lowered.diagnostics)))
}

/// Expressions that a language takes, up to a number, each with what could end it; and how often each such thing was
/// met.
fn accepted(count: usize, seed: u64, takes: impl Fn(&str) -> bool) -> (Vec<String>, BTreeMap<&'static str, usize>) {
    let mut dice = SeededRng::new(seed);
    let mut met = BTreeMap::new();
    let mut accepted = Vec::new();
    while accepted.len() < count {
        let value = expression(&mut dice, 0);
        if takes(&value) {
            ends(&value).into_iter().for_each(|kind| *met.entry(kind).or_default() += 1);
            accepted.push(value);
        }
    }
    (accepted, met)
}

fn at_least(floor: usize, met: &BTreeMap<&'static str, usize>, kinds: &[&str]) {
    for kind in kinds {
        assert!(met.get(kind).is_some_and(|&count| count >= floor), "{kind} in {met:?}");
    }
}

#[test]
fn what_is_extracted_parses_back_whatever_the_values() {
    let takes_value = |value: &str| {
        let text = format!("p {{ main {{ q!<{value}>; stop }} }} | q {{ main {{ p?; stop }} }}");
        parse_network(&text).diagnostics.is_empty()
    };
    let takes_condition = |condition: &str| {
        let text = format!("p {{ main {{ if {condition} then stop else stop }} }}");
        parse_network(&text).diagnostics.is_empty()
    };
    let (values, met) = accepted(2000, 11, takes_value);
    at_least(75, &met, &["`->`", "`<`", "`>`", "`if`", "`then`", "`else`", "`def`", "`main`"]);
    let (conditions, met) = accepted(2000, 12, takes_condition);
    at_least(75, &met, &["`->`", "`<`", "`>`"]);
    for (number, (value, condition)) in values.iter().zip(&conditions).enumerate() {
        let bracketed = Some(format!("({value})")).filter(|value| takes_value(value)).unwrap_or(value.clone());
        let source = format!(
            "p {{ def X {{ q!<{value}>; q!<{bracketed}>; q!<plain>; if {condition} then q+go; X else q+no; stop }} main {{ X }} }}
             | q {{ def X {{ p?; p?; p?; p&{{ go: X, no: stop }} }} main {{ X }} }}"
        );
        let _context = OnPanic(source.clone());
        assert_eq!(format_idempotent(&source), 1);
        let (tree, network_model) = network(&source);
        let answer =
            laban::extract(&network_model, &ExtractOptions::default()).unwrap_or_else(|error| panic!("{error:?}"));
        let extracted = answer.tree().unwrap_or_else(|| panic!("not extracted"));
        for text in [Pretty { tree: extracted, source: "" }.to_string(), Compact(extracted).to_string()] {
            let (again, model) = choreography(&text);
            assert_eq!(Compact(&again).to_string(), Compact(extracted).to_string());
            assert!(laban::verify(&network_model, &model, &VerifyOptions::default()).is_ok(), "{text}");
            assert!(laban::equivalent(&network_model, &model, &EquivalenceOptions::default()).is_same(), "{text}");
        }
        // And what is rewritten in its own language.
        for (rewritten, _) in [unroll(&tree, number as u64), fuzz(&tree, 1, 1, number as u64)] {
            for text in [Pretty { tree: &rewritten, source: "" }.to_string(), Compact(&rewritten).to_string()] {
                let parsed = parse_network(&text);
                assert_eq!(parsed.diagnostics, [], "{text}");
                assert_eq!(Compact(&parsed.tree).to_string(), Compact(&rewritten).to_string());
            }
        }
    }
}

#[test]
fn what_is_projected_parses_back_whatever_the_values() {
    let takes_value =
        |value: &str| parse_choreography(&format!("main {{ p.{value} -> q; stop }}")).diagnostics.is_empty();
    let takes_condition = |condition: &str| {
        parse_choreography(&format!("main {{ if p.{condition} then stop else stop }}")).diagnostics.is_empty()
    };
    let (values, met) = accepted(2000, 21, takes_value);
    at_least(200, &met, &["`<`", "`>`"]);
    let (conditions, met) = accepted(2000, 22, takes_condition);
    at_least(75, &met, &["`->`", "`<`", "`>`"]);
    for (value, condition) in values.iter().zip(&conditions) {
        let bracketed = Some(format!("({value})")).filter(|value| takes_value(value)).unwrap_or(value.clone());
        let source = format!(
            "def X {{ p.{value} -> q; p.{bracketed} -> q; q.plain -> p; if p.{condition} then q.{value} -> p; X else stop }} main {{ X }}"
        );
        let _context = OnPanic(source.clone());
        assert_eq!(format_idempotent(&source), 1);
        let amended = laban::amend(&choreography(&source).0, &AmendOptions::default())
            .unwrap_or_else(|error| panic!("{error:?}"))
            .tree;
        for amended in [Pretty { tree: &amended, source: &source }.to_string(), Compact(&amended).to_string()] {
            let (_, model) = choreography(&amended);
            let projected =
                laban::project(&model, &ProjectOptions::default()).unwrap_or_else(|_| panic!("no projection")).tree();
            for text in [Pretty { tree: &projected, source: "" }.to_string(), Compact(&projected).to_string()] {
                let (_, network) = network(&text);
                assert!(laban::equivalent(&model, &network, &EquivalenceOptions::default()).is_same(), "{text}");
                assert!(laban::verify(&network, &model, &VerifyOptions::default()).is_ok(), "{text}");
            }
        }
    }
}

#[test]
fn a_value_is_the_same_with_or_without_the_brackets_it_needs() {
    let same = |one: &str, other: &str| {
        let (_, network) = network(&format!("p {{ main {{ q!<{one}>; stop }} }} | q {{ main {{ p?; stop }} }}"));
        let (_, choreography) = choreography(&format!("main {{ p.{other} -> q; stop }}"));
        laban::verify(&network, &choreography, &VerifyOptions::default()).is_ok()
    };
    assert!(same("a -> b", "(a -> b)"));
    assert!(same("(a -> b)", "(a -> b)"));
    assert!(same("(a < b)", "a < b"));
    assert!(same("if x", "(if x)"));
    // Where none are needed, they are part of the text.
    assert!(!same("a", "(a)"));
    assert!(!same("(a + b)", "a + b"));
    assert!(!same("(a -> b)", "((a -> b))"));
}
