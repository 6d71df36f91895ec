//! The same seed gives the same bytes, for ever. Who changes these numbers changes every published seed.

use laban::generate::{Dice, Parameters, choreography, fuzz, unroll};
use laban::syntax::{Compact, parse_network};

/// FNV-1a, which is easily written down.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn numbers() {
    let mut dice = Dice::new(1, 2);
    let rolled: Vec<u32> = (0..12).map(|_| dice.below(6)).collect();
    assert_eq!(rolled, []);
    assert_eq!(dice.long(), 0);
}

#[test]
fn choreographies() {
    let text = |parameters, seed| Compact(&choreography(&parameters, seed).unwrap()).to_string();
    assert_eq!(text(Parameters::new(8, 3, 2, 2), 1), "");
    let hashes = [
        Parameters::new(2100, 6, 0, 0),
        Parameters::new(500, 100, 0, 0),
        Parameters::new(50, 6, 20, 0),
        Parameters::new(200, 5, 5, 10),
        Parameters::new(20, 5, 8, 15),
    ]
    .map(|parameters| hash(&text(parameters, 42)));
    assert_eq!(hashes, [0; 5]);
}

#[test]
fn edits() {
    let text = "p { def X { q!<x>; q?; if e then q+again; X else q+done; stop } main { X } }
        | q { def Y { p?; p!<y>; p&{again: Y, done: stop} } main { Y } }";
    let tree = parse_network(text).tree;
    let describe = |(tree, edits): (_, Vec<laban::generate::Edit>)| {
        let edits: Vec<String> = edits.iter().map(ToString::to_string).collect();
        format!("{}: {}", edits.join(", "), Compact(&tree))
    };
    assert_eq!(describe(fuzz(&tree, 1, 2, 1)), "");
    assert_eq!(describe(unroll(&tree, 1)), "");
}
