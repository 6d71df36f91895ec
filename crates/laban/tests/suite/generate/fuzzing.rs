//! The fuzzer: its conventions one by one, and what is true of whatever it does. `LABAN_EDITED` says on how many
//! networks.

use super::networks::{check_edited, processes, projected, starving, wild};
use super::statistics::uniform;
use crate::long_cases;
use laban::generate::{Change, fuzz};
use laban::syntax::{Compact, NetworkTree, parse_network};
use std::collections::{BTreeMap, BTreeSet};

const OTHERS: &str = "| q { main { stop } } | r { main { stop } }";

/// All that edits can make of the process p with this body and procedure, as text without the frame.
fn outcomes(procedures: &str, main: &str, deletions: u32, swaps: u32) -> BTreeSet<String> {
    let tree = parse_network(&format!("p {{ {procedures} main {{ {main} }} }} {OTHERS}")).tree;
    let mut found = BTreeSet::new();
    for seed in 0..200 {
        let (after, edits) = fuzz(&tree, deletions, swaps, seed);
        assert_eq!(edits.len(), (deletions + swaps) as usize);
        check_edited(&tree, &after);
        let text = processes(&after).swap_remove(0);
        let text = text.strip_prefix("p { ").and_then(|text| text.strip_suffix(" }")).unwrap().to_string();
        found.insert(
            text.strip_prefix("main { ").and_then(|text| text.strip_suffix(" }")).map_or(text.clone(), Into::into),
        );
    }
    found
}

fn check(main: &str, (deletions, swaps): (u32, u32), expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(ToString::to_string).collect();
    assert_eq!(outcomes("", main, deletions, swaps), expected);
}

const DELETE: (u32, u32) = (1, 0);
const SWAP: (u32, u32) = (0, 1);

#[test]
fn deletes_an_action() {
    check("q!<x>; r?; q+l; stop", DELETE, &["r?; q+l; stop", "q!<x>; q+l; stop", "q!<x>; r?; stop"]);
}

#[test]
fn deleting_a_conditional_keeps_then() {
    check("if e then q?; stop else stop", DELETE, &["q?; stop", "if e then stop else stop"]);
}

#[test]
fn deleting_an_offer_keeps_the_first_branch() {
    let kept = ["r?; stop", "q&{b: stop, a: q?; stop}", "q&{b: r?; stop, a: stop}"];
    check("q&{b: r?; stop, a: q?; stop}", DELETE, &kept);
}

#[test]
fn swaps_actions_and_deletes_the_last() {
    check("q!<x>; r?; q+l; stop", SWAP, &["r?; q!<x>; q+l; stop", "q!<x>; q+l; r?; stop", "q!<x>; r?; stop"]);
}

#[test]
fn swaps_a_conditional_with_the_beginning_of_then() {
    let expected = ["q?; if e then r?; stop else q!<x>; stop", "if e then r?; q?; stop else q!<x>; stop"];
    let ends = ["if e then q?; stop else q!<x>; stop", "if e then q?; r?; stop else stop"];
    check("if e then q?; r?; stop else q!<x>; stop", SWAP, &[expected, ends].concat());
}

#[test]
fn swaps_an_offer_with_the_beginning_of_its_first_branch() {
    let expected = ["r?; q&{b: stop, a: stop}", "q&{b: stop, a: stop}"];
    check("q&{b: r?; stop, a: stop}", SWAP, &expected);
}

#[test]
fn swaps_an_action_with_a_conditional_behind_it() {
    check(
        "q?; if e then stop else r?; stop",
        SWAP,
        &["if e then q?; stop else r?; stop", "q?; stop", "q?; if e then stop else stop"],
    );
}

#[test]
fn swaps_two_forks() {
    let before = "if e then q&{a: r?; stop, b: q?; stop} else stop";
    let swapped = "q&{a: if e then r?; stop else stop, b: q?; stop}";
    assert!(outcomes("", before, 0, 1).contains(swapped));
    assert!(outcomes("", swapped, 0, 1).contains(before), "and back");
}

#[test]
fn a_loop_without_actions_stops() {
    let found = outcomes("def X { q?; X }", "X", 1, 0);
    assert_eq!(found, BTreeSet::from(["def X { stop } main { X }".to_string()]));
    let found = outcomes("def X { Y } def Y { q?; X }", "X", 0, 1);
    assert_eq!(found, BTreeSet::from(["def X { Y } def Y { stop } main { X }".to_string()]));
}

#[test]
fn nothing_to_edit() {
    let tree = parse_network("p { main { stop } } | q { def X { p?; X } main { stop } }").tree;
    let (after, edits) = fuzz(&tree, 5, 5, 0);
    assert_eq!((edits.len(), check_edited(&tree, &after)), (1, Some(1)), "only q has an action, and only one");
    let tree = parse_network("p { main { stop } }").tree;
    let (after, edits) = fuzz(&tree, 1, 1, 0);
    assert!(edits.is_empty() && after.eq_ignoring_spans(&tree));
    let (after, edits) = fuzz(&NetworkTree::default(), 1, 1, 0);
    assert!(edits.is_empty() && after.units.is_empty());
}

#[test]
fn every_action_is_as_likely() {
    let tree = parse_network(
        "p { def X { q?; if e then q!<x>; X else q&{a: q+b; stop, b: X} } main { q!<z>; q+c; X } } | q { main { stop } }",
    )
    .tree;
    for (deletions, swaps) in [DELETE, SWAP] {
        let mut counts = BTreeMap::<String, u64>::new();
        for seed in 0..7000 {
            let (_, edits) = fuzz(&tree, deletions, swaps, seed);
            let (Change::Deleted { action, .. } | Change::Swapped { action, .. }) = &edits[0].change else { panic!() };
            *counts.entry(action.clone()).or_default() += 1;
        }
        assert_eq!(counts.len(), 7);
        let found = uniform(&counts.into_values().collect::<Vec<_>>());
        assert!(found.probability > 1e-6, "actions to edit: {found:?}");
    }
}

#[test]
fn every_process_is_as_likely() {
    let tree =
        parse_network("p { main { q?; stop } } | q { main { p?; p?; p?; stop } } | r { main { p?; stop } }").tree;
    let mut counts = BTreeMap::<String, u64>::new();
    for seed in 0..6000 {
        *counts.entry(fuzz(&tree, 1, 0, seed).1.swap_remove(0).process).or_default() += 1;
    }
    let found = uniform(&counts.into_values().collect::<Vec<_>>());
    assert!(found.probability > 1e-6 && found.degrees == 2, "processes to edit: {found:?}");
}

#[test]
fn random_networks_stay_well_formed() {
    let mut loops = 0;
    for seed in 0..long_cases(40, 110) {
        for tree in [projected(seed), starving(seed), wild(seed)] {
            for (deletions, swaps) in [(0, 1), (1, 0), (2, 2)] {
                let (after, edits) = fuzz(&tree, deletions, swaps, seed);
                let changed = check_edited(&tree, &after);
                assert!(edits.len() <= (deletions + swaps) as usize);
                let enough = edits.len() == (deletions + swaps) as usize;
                let process = &edits.first().map(|edit| edit.process.clone());
                assert!(edits.iter().all(|edit| Some(&edit.process) == process.as_ref()));
                if let Some(number) = changed {
                    assert_eq!(Some(tree.text(tree.units[number].name.unwrap())), process.as_deref());
                }
                let unit = process
                    .as_ref()
                    .and_then(|name| after.units.iter().position(|unit| after.text(unit.name.unwrap()) == name));
                let left = unit.is_some_and(|unit| processes(&after)[unit].contains(['!', '?', '+', '&']));
                assert!(enough || !left, "fewer edits only when nothing is left");
                let stops = |edit: &laban::generate::Edit| {
                    matches!(edit.change, Change::Deleted { stopped: true, .. } | Change::Swapped { stopped: true, .. })
                };
                loops += edits.iter().filter(|edit| stops(edit)).count();
            }
        }
    }
    assert!(loops as u64 >= long_cases(40, 110) / 5, "only {loops} loops lost their last action");
}

#[test]
fn reports_say_where() {
    for seed in 0..100 {
        let tree = projected(seed);
        let text = Compact(&tree).to_string();
        for edit in fuzz(&tree, 2, 2, seed).1 {
            let (Change::Deleted { action, .. } | Change::Swapped { action, .. }) = &edit.change else { panic!() };
            assert!(text[edit.span.start as usize..].starts_with(action), "{action} in {text}");
        }
    }
}

#[test]
fn deep_networks() {
    let depth = 100_000;
    let chain = "q!<x>; ".repeat(depth) + "stop";
    let forks = "if e then ".repeat(depth) + "stop" + &" else stop".repeat(depth);
    let offers = "q&{a: ".repeat(depth) + "stop" + &"}".repeat(depth);
    for body in [chain, forks, offers] {
        let tree = parse_network(&format!("p {{ main {{ {body} }} }} | q {{ main {{ stop }} }}")).tree;
        let (after, edits) = fuzz(&tree, 2, 2, 1);
        assert_eq!(edits.len(), 4);
        assert_eq!(check_edited(&tree, &after), Some(0));
    }
}
