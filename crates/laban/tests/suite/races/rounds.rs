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
    let network = analyse(text).into_network().unwrap();
    assert_eq!(Space::new(&network).unwrap().verdict(false), Verdict::Extracted);
    for &strategy in Strategy::ALL {
        for split in [false, true] {
            let options = ExtractOptions { strategy, split, ..ExtractOptions::default() };
            assert_eq!(search(&network, &options).verdict(), Verdict::Extracted, "{}", strategy.name);
        }
    }
}
