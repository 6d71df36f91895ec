//! Whatever could act is looked at some time on every cycle.

use super::twin::Space;
use laban::extraction::{ExtractOptions, Strategy, search};
use laban::{Verdict, analyse};

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
