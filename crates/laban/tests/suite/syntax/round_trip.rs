//! What is printed parses back to the same tree, keeps every comment, and is not changed by printing it again.

use super::generator::{OnPanic, text, tokens};
use super::properties::{Inspect, formats, sound};
use laban::generate::SeededRng;
use laban::syntax::{Kind, Parsed, parse_choreography, parse_network};

const CASES: u64 = 4000;

fn random_texts_round_trip<L: Inspect>(kind: Kind, parse: fn(&str) -> Parsed<L>) {
    for seed in 0..CASES {
        let mut dice = SeededRng::new(seed);
        let tokens = tokens(&mut dice, kind);
        let comments = [0, 1, 1, 5][dice.below(4)];
        let source = text(&mut dice, &tokens, comments);
        let _context = OnPanic(format!("seed {seed}, {kind:?}:\n{source}"));
        let parsed = parse(&source);
        assert_eq!(parsed.diagnostics, []);
        sound(&source, &parsed);
        assert!(formats(&source, parse));
    }
}

#[test]
fn networks() {
    random_texts_round_trip(Kind::Network, parse_network);
}

#[test]
fn choreographies() {
    random_texts_round_trip(Kind::Choreography, parse_choreography);
}
