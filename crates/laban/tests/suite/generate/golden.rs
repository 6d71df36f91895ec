//! The same seed gives the same bytes, forever. Who changes these numbers changes every published seed.

use laban::generate::{Parameters, SeededRng, choreography, fuzz, network, test_seed, unroll};
use laban::syntax::{Compact, parse_network};

const ROLLED: [u32; 12] = [2, 0, 1, 0, 2, 0, 1, 5, 3, 4, 1, 1];
const LONG: u64 = 3960142614208096295;
const SEED: u64 = 4889934321166912;
const TEXT: &str = "def A { if a.c1 then b -> a[l1]; stop else b -> a[l2]; B } def B { b.m2 -> a; a -> c[l3]; if b.c2 then b -> a[l4]; stop else A } main { b.m1 -> a; B }";
const HASHES: [u64; 5] =
    [2485382961382410505, 1226998143490984432, 6671126360769841140, 7505226716940522839, 9893022622650071049];
const AMENDED: &str = "def A { if a.c1 then a -> b[L]; a -> c[L]; b -> a[l1]; stop else a -> b[R]; a -> c[R]; b -> a[l2]; B } def B { b.m2 -> a; a -> c[l3]; if b.c2 then b -> a[L]; b -> c[L]; b -> a[l4]; stop else b -> a[R]; b -> c[R]; A } main { b.m1 -> a; B }";
const FUZZED: &str = "p: deleted `q!<x>`, p: swapped `if e then` with `q+again`, p: swapped `q?` with `q+again`: p { def X { q+again; q?; if e then X else q+done; stop } main { X } } | q { def Y { p?; p!<y>; p&{again: Y, done: stop} } main { Y } }";
const UNROLLED: &str = "p: unfolded a call of `X`: p { def X { q!<x>; q?; if e then q+again; X else q+done; stop } main { q!<x>; q?; if e then q+again; X else q+done; stop } } | q { def Y { p?; p!<y>; p&{again: Y, done: stop} } main { Y } }";

/// FNV-1a, which is easily written down.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn numbers() {
    let mut dice = SeededRng::for_purpose(1, 2);
    let rolled: Vec<u32> = (0..12).map(|_| dice.below_u32(6)).collect();
    assert_eq!(rolled, ROLLED);
    assert_eq!(dice.long(), LONG);
    assert_eq!(test_seed(1, 2, 3, 4), SEED);
}

#[test]
fn choreographies() {
    let text = |parameters, seed| Compact(&choreography(&parameters, seed).unwrap()).to_string();
    assert_eq!(text(Parameters::new(8, 3, 2, 2), 1), TEXT);
    let hashes = [
        Parameters::new(2100, 6, 0, 0),
        Parameters::new(500, 100, 0, 0),
        Parameters::new(50, 6, 20, 0),
        Parameters::new(200, 5, 5, 10),
        Parameters::new(20, 5, 8, 15),
    ]
    .map(|parameters| hash(&text(parameters, 42)));
    assert_eq!(hashes, HASHES);
}

#[test]
fn selections() {
    let generated = network(&Parameters::new(8, 3, 2, 2), 1).unwrap();
    assert_eq!(Compact(&generated.amended).to_string(), AMENDED);
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
    assert_eq!(describe(fuzz(&tree, 1, 2, 1)), FUZZED);
    assert_eq!(describe(unroll(&tree, 1)), UNROLLED);
}
