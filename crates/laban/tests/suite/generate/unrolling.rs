//! The unroller: whatever it does, each process does the same as before.

use super::networks::{bisimilar, check_edited, lowered, processes, projected, starving, wild};
use crate::long_cases;
use laban::Limits;
use laban::extraction::{ExtractOptions, search};
use laban::generate::{Change, unroll};
use laban::network::minimise;
use laban::syntax::{Compact, NetworkTree, parse_network};
use std::collections::BTreeSet;

/// All that the unroller makes of the process p with one edit.
fn outcomes(process: &str) -> BTreeSet<String> {
    let tree = parse_network(&format!("{process} | q {{ main {{ stop }} }}")).tree;
    let unrolled = (0..300).map(|seed| unroll(&tree, seed)).filter(|(_, edits)| edits.len() == 1);
    unrolled.map(|(after, _)| processes(&after).swap_remove(0)).collect()
}

fn check(process: &str, expected: &[&str]) {
    assert_eq!(outcomes(process), expected.iter().map(ToString::to_string).collect::<BTreeSet<_>>());
}

#[test]
fn unfolds_calls_and_shifts_loops() {
    check(
        "p { def X { q!<a>; q?; X } main { X } }",
        &[
            "p { def X { q!<a>; q?; q!<a>; q?; X } main { X } }",
            "p { def X { q!<a>; q?; X } main { q!<a>; q?; X } }",
            "p { def X { q?; q!<a>; X } main { q!<a>; X } }",
        ],
    );
}

#[test]
fn shifts_loops_through_other_procedures() {
    check(
        "p { def X { q!<a>; Y } def Y { if e then X else stop } main { Y } }",
        &[
            "p { def X { Y } def Y { if e then q!<a>; X else stop } main { Y } }",
            "p { def X { q!<a>; Y } def Y { if e then q!<a>; Y else stop } main { Y } }",
            "p { def X { q!<a>; Y } def Y { if e then X else stop } main { if e then X else stop } }",
            "p { def X { q!<a>; if e then X else stop } def Y { if e then X else stop } main { Y } }",
        ],
    );
}

#[test]
fn does_not_shift_what_is_no_loop() {
    check("p { def X { q!<a>; stop } main { X } }", &["p { def X { q!<a>; stop } main { q!<a>; stop } }"]);
}

#[test]
fn nothing_to_unroll() {
    let tree = parse_network("p { main { q?; stop } } | q { main { p!<x>; stop } }").tree;
    let (after, edits) = unroll(&tree, 0);
    assert!(edits.is_empty() && after.eq_ignoring_spans(&tree));
    assert!(unroll(&NetworkTree::default(), 0).1.is_empty());
}

#[test]
fn unrolled_networks_do_the_same() {
    let (mut unfolded, mut shifted, mut networks) = (0, 0, 0);
    let mut verdicts = BTreeSet::new();
    for seed in 0..long_cases(40, 110) {
        for tree in [projected(seed), starving(seed), wild(seed)] {
            let (after, edits) = unroll(&tree, seed);
            check_edited(&tree, &after);
            let size = |tree: &NetworkTree| tree.terms.len();
            assert!(size(&after) <= 4 * size(&tree) + 64, "it grows, but not without bounds");
            let (before, after_network) = (lowered(&tree), lowered(&after));
            let text = || format!("{}\n{}\n{edits:?}", Compact(&tree), Compact(&after));
            assert!(bisimilar([&before, &after_network]).iter().all(|&same| same), "{}", text());
            let [small, other] = [&before, &after_network].map(|network| minimise(network).network);
            assert_eq!(small.states().len(), other.states().len(), "{}", text());
            let limits = Limits { max_states: Some(20_000), ..Limits::default() };
            let options = ExtractOptions { limits, ..ExtractOptions::default() };
            let verdict = search(&before, &options).verdict();
            assert_eq!(verdict, search(&after_network, &options).verdict(), "{}", text());
            verdicts.insert(verdict);
            networks += 1;
            for edit in &edits {
                match edit.change {
                    Change::Unfolded { .. } => unfolded += 1,
                    Change::Shifted { .. } => shifted += 1,
                    _ => panic!("{edit}"),
                }
            }
        }
    }
    let seen = format!("{networks} networks, {unfolded} calls unfolded, {shifted} loops shifted, {verdicts:?}");
    assert!(unfolded >= networks / 2 && shifted >= networks / 4 && verdicts.len() >= 3, "{seen}");
}

/// What is compared above can tell the difference.
#[test]
fn bisimilarity_sees_changes() {
    let network = |text| lowered(&parse_network(text).tree);
    let one = network("p { def X { q?; X } main { X } } | q { main { stop } }");
    let other = network("p { def X { q?; q?; X } main { q?; X } } | q { main { p?; stop } }");
    assert_eq!(bisimilar([&one, &other]), [true, false]);
}

#[test]
fn deep_networks() {
    let depth = crate::scaled(50_000, 100_000);
    let chain = "q!<x>; ".repeat(depth) + "X";
    let forks = "if e then ".repeat(depth) + "X" + &" else q?; X".repeat(depth);
    for body in [chain, forks] {
        let tree = parse_network(&format!("p {{ def X {{ {body} }} main {{ X }} }} | q {{ main {{ stop }} }}")).tree;
        for seed in 0..2 {
            let (after, edits) = unroll(&tree, seed);
            assert!(!edits.is_empty());
            assert_eq!(check_edited(&tree, &after), Some(0));
        }
    }
}
