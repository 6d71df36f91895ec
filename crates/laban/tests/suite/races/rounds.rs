//! Whatever could act is looked at some time on every cycle.

use super::twin::Space;
use laban::extraction::{ExtractOptions, Strategy, search};
use laban::{Verdict, analyse, extract};
use std::collections::BTreeMap;

/// `r` and `q` could always meet, but `q` would also take what `s` never sends: they are in no smallest closed set, and
/// are looked at only because they would be put off forever. That must not put off the decision of `d` instead.
#[test]
fn who_decides_is_not_put_off_by_those_who_were() {
    let text = "t { def T { s?; T } main { z!<hello>; T } } | s { def S { t!<x>; S } main { S } }
        | q { def Q { any { r?; Q, s?; Q } } main { Q } } | r { def R { q!<y>; R } main { R } }
        | d { def D { if c then D else z!<v>; D } main { D } } | service z { def Z { d?; Z } main { t?; Z } }";
    is_extracted_by_all_strategies(text);
}

/// `r` is served whenever the race and the decision do not fit. If `d` knew how the race came out, it could avoid that
/// forever; but it may well decide before, and then the race comes out both ways.
#[test]
fn who_decides_does_not_know_how_a_race_comes_out() {
    let race = "s { def S { any { a?; SA, b?; SB } } def SA { d&{one: S, two: r?; S} }
        def SB { d&{one: r?; S, two: S} } main { S } }
        | a { def A { s!<x>; A } main { A } } | b { def B { s!<x>; B } main { B } }
        | r { def R { s!<y>; R } main { R } }";
    let at_once = "d { def D { if c then s+one; D else s+two; D } main { D } }";
    is_extracted_by_all_strategies(&format!("{race} | {at_once}"));
    let later = "d { def D { e?; if c then s+one; D else s+two; D } main { D } } | e { def E { d!<z>; E } main { E } }";
    is_extracted_by_all_strategies(&format!("{race} | {later}"));
}

fn is_extracted_by_all_strategies(text: &str) {
    let network = analyse(text).into_network().unwrap();
    assert_eq!(Space::new(&network).unwrap().verdict(false), Verdict::Extracted, "{text}");
    for &strategy in Strategy::ALL {
        for split in [false, true] {
            let options = ExtractOptions { strategy, split, ..ExtractOptions::default() };
            assert_eq!(search(&network, &options).verdict(), Verdict::Extracted, "{}: {text}", strategy.name);
        }
    }
}

/// All ways in which what comes of a race and a decision can depend on both.
#[test]
fn races_beside_decisions_are_as_every_interleaving_says() {
    let deciders = [
        "d { def D { if c then s+one; D else s+two; D } main { D } }",
        "d { def D { e?; if c then s+one; D else s+two; D } main { D } } | e { def E { d!<z>; E } main { E } }",
        "d { def D { any { e?; D, f?; choose { s+one; D, s+two; D } } } main { D } }
         | e { def E { d!<z>; E } main { E } } | f { def F { d!<z>; F } main { F } }",
    ];
    let others = "a { def A { s!<x>; A } main { A } } | b { def B { s!<x>; B } main { B } }
        | r { def R { s!<y>; R } main { R } }";
    let endings = ["S", "r?; S", "a?; S"];
    let mut seen = BTreeMap::new();
    for number in 0..81 * deciders.len() {
        let ending = |place: u32| endings[number / 3usize.pow(place) % 3];
        let text = format!(
            "s {{ def S {{ any {{ a?; SA, b?; SB }} }} def SA {{ d&{{one: {}, two: {}}} }}
             def SB {{ d&{{one: {}, two: {}}} }} main {{ S }} }} | {others} | {}",
            ending(0),
            ending(1),
            ending(2),
            ending(3),
            deciders[number / 81]
        );
        let network = analyse(&text).into_network().unwrap();
        let space = Space::new(&network).unwrap();
        for fair in [false, true] {
            let expected = space.verdict(fair);
            for &strategy in Strategy::ALL {
                let options = ExtractOptions { strategy, fair, parallel: false, ..ExtractOptions::default() };
                assert_eq!(search(&network, &options).verdict(), expected, "{}, fair {fair}: {text}", strategy.name);
            }
            *seen.entry((fair, expected.as_str())).or_insert(0) += 1;
        }
    }
    println!("{seen:?}");
    for kind in [(false, "extracted"), (false, "livelock"), (true, "extracted"), (true, "livelock")] {
        assert!(seen.get(&kind).is_some_and(|&count| count >= 20), "{kind:?}: {seen:?}");
    }
}

/// Two of them meet again and again, and one of these would also take what another never sends: they are in no smallest
/// closed set. Others decide, once or forever, and may starve or not.
#[test]
fn who_is_put_off_beside_those_who_decide_does_as_every_interleaving_says() {
    let race = "p { def X { q!<x>; X } main { X } } | q { def X { any { p?; X, t?; X } } main { X } }";
    let [telling, told] = ["r", "t"].map(|one| {
        let other = if one == "r" { "s" } else { "u" };
        format!(
            "{one} {{ def X {{ if c then {other}+l; X else {other}+m; X }} main {{ X }} }}
            | {other} {{ def X {{ {one}&{{l: X, m: X}} }} main {{ X }} }}"
        )
    });
    let meeting = "r { def X { s!<x>; X } main { X } } | s { def X { r?; X } main { X } }";
    let networks = [
        (Verdict::Extracted, format!("{race} | {telling} | {told}")),
        (Verdict::Extracted, format!("{race} | {meeting} | t {{ def X {{ if a then X else X }} main {{ X }} }}")),
        (
            Verdict::Livelock,
            format!(
                "{race} | {meeting} | t {{ def X {{ if a then X else s?; r!<x>; X }} main {{ if d then X else stop }} }}"
            ),
        ),
        (
            Verdict::Livelock,
            format!("{race} | {telling} | t {{ def X {{ if a then X else s+l; p?; X }} main {{ if d then X else X }} }}"),
        ),
        (
            Verdict::Livelock,
            "p { def X { s!<x>; r!<x>; q!<x>; X } main { X } } | q { def X { r!<x>; X } main { X } }
            | r { def X { any { q?; X, s?; X } } main { X } } | s { def X { if a then X else idle p?; q?; X } main { X } }"
                .to_string(),
        ),
    ];
    for (verdict, text) in &networks {
        let network = analyse(text.as_str()).into_network().unwrap();
        let space = Space::new(&network).unwrap();
        assert_eq!(space.verdict(false), *verdict, "{text}");
        for fair in [false, true] {
            let expected = space.verdict(fair);
            for &strategy in Strategy::ALL {
                let options =
                    ExtractOptions { strategy, fair, split: false, parallel: false, ..ExtractOptions::default() };
                let found = extract(&network, &options).unwrap().verdict();
                assert_eq!(found, expected, "{}, fair {fair}: {text}", strategy.name);
            }
        }
    }
}
