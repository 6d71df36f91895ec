//! Texts that are wrong in all ways: the parser ends and says what is wrong.

use super::generator::{OnPanic, text, tokens};
use super::properties::{format_idempotent, parse_total, plain_is_general};
use laban::generate::SeededRng;
use laban::syntax::{Kind, lex};

/// Runs over random texts of both languages. The seed is printed when something fails.
fn with_random_texts(cases: u64, mut check: impl FnMut(&mut SeededRng, Vec<String>)) {
    for seed in 0..cases {
        for kind in [Kind::Network, Kind::Choreography] {
            let mut dice = SeededRng::new(seed);
            let tokens = tokens(&mut dice, kind);
            let _seed = OnPanic(format!("seed {seed}"));
            check(&mut dice, tokens);
        }
    }
}

fn check(source: &str) {
    let _source = OnPanic(format!("{source:?}"));
    parse_total(source.as_bytes());
    format_idempotent(source);
    plain_is_general(source);
}

#[test]
fn texts_cut_off_anywhere() {
    with_random_texts(crate::scaled(5, 15) as u64, |dice, tokens| {
        let source = text(dice, &tokens, 1);
        for end in 0..source.len() {
            parse_total(&source.as_bytes()[..end]);
            if let Some(text) = source.get(..end) {
                check(text);
            }
        }
    });
}

#[test]
fn tokens_that_are_lost_doubled_swapped_or_out_of_place() {
    with_random_texts(1500, |dice, mut tokens| {
        let others: Vec<String> = tokens.clone();
        for _ in 0..1 + dice.below(3) {
            let at = dice.below(tokens.len());
            match dice.below(4) {
                0 if tokens.len() > 1 => {
                    tokens.remove(at);
                }
                1 => tokens.insert(at, tokens[at].clone()),
                2 => tokens.insert(at, others[dice.below(others.len())].clone()),
                _ => {
                    let other = dice.below(tokens.len());
                    tokens.swap(at, other);
                }
            }
        }
        let comments = dice.below(2);
        check(&text(dice, &tokens, comments));
    });
}

#[test]
fn token_soups() {
    const SOUP: &[&str] = &[
        "p", "q", "X", "def", "main", "if", "then", "else", "stop", "0", "{", "}", "(", ")", "[", "]", "<", ">", ";",
        ",", ":", ".", "!", "?", "+", "&", "|", "||", "->", "\"a\"", "\"", "∧", "service", "//", "/*", "*/", "\n", "-",
        "/",
    ];
    for seed in 0..4000 {
        let _seed = OnPanic(format!("seed {seed}"));
        let mut dice = SeededRng::new(seed);
        let soup: Vec<String> = (0..dice.below(60)).map(|_| dice.pick(SOUP).to_string()).collect();
        let between = dice.pick(&["", " "]);
        let opening = dice.pick(&["", "p { main { ", "main { ", "p{main{q!<", "main { if p.", "p { main { q&{ "]);
        check(&format!("{opening}{}", soup.join(between)));
    }
}

#[test]
fn random_bytes() {
    for seed in 0..2000 {
        let _seed = OnPanic(format!("seed {seed}"));
        let mut dice = SeededRng::new(seed);
        let bytes: Vec<u8> = (0..dice.below(80)).map(|_| dice.below(256) as u8).collect();
        parse_total(&bytes);
        check(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn the_pieces_of_a_text_cover_all_but_white_space_and_comments() {
    with_random_texts(300, |dice, tokens| {
        let source = text(dice, &tokens, 1);
        let lexed = lex(&source);
        let found: Vec<&str> = lexed.tokens.iter().map(|token| token.span.text(&source)).collect();
        let (last, found) = found.split_last().expect("the end is a token");
        assert_eq!(*last, "");
        // Where a message waits, the arrow is of two pieces: each may also belong to a value.
        let split = |token: &'_ String| match token.as_str() {
            "~>" => vec!["~".to_string(), ">".to_string()],
            "<~" => vec!["<".to_string(), "~".to_string()],
            other => vec![other.to_string()],
        };
        assert_eq!(found, tokens.iter().flat_map(split).collect::<Vec<_>>());
    });
}
