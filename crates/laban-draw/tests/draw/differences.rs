//! Differences as diagrams: one of each kind, and what they say.

use crate::network;
use laban::VerifyOptions;
use laban::choreography::Choreography;
use laban::equivalence::{Bounds, Equivalence, EquivalenceOptions, System, compare};
use laban_draw::Focus;
use laban_draw::sequence::{self, MermaidSequence, Sequence};

fn choreography(source: &str) -> Choreography {
    laban::analyse(source).into_choreography().unwrap()
}

fn mismatch(net: &str, chor: &str, focus: &Focus) -> Sequence {
    let (network, choreography) = (network(net), choreography(chor));
    let mismatch = laban::verify(&network, &choreography, &VerifyOptions::default()).unwrap_err().mismatch().unwrap();
    sequence::mismatch(&network, &choreography, &mismatch, focus)
}

fn difference(first: &str, second: &str) -> Sequence {
    let read = |text: &str| laban::analyse(text).into_model().unwrap();
    let (first, second) = (read(first), read(second));
    let options = EquivalenceOptions { services: true, ..EquivalenceOptions::default() };
    let comparison = compare(System::from(&first), System::from(&second), &options, Bounds::default());
    match &comparison.answer {
        Equivalence::Different(found) | Equivalence::Same { ends: Some(found), .. } => {
            sequence::difference(found, "protocol.chor", "services.net", &Focus::default())
        }
        other => panic!("{other:?}"),
    }
}

const PAIR: &str = "p { main { q!<x>; if c then q+l; stop else q+r; stop } } | q { main { p?; p&{l: stop, r: stop} } }";

/// One of each kind.
pub(crate) fn differences() -> Vec<(String, Sequence)> {
    let all = Focus::default();
    let of = |chor: &str| mismatch(PAIR, chor, &all);
    let starving = "p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } } | r { main { p?; stop } }";
    let found = [
        ("mismatch-value", of("main { p.y -> q; stop }")),
        ("mismatch-label", of("main { p.x -> q; if p.c then p -> q[no]; stop else p -> q[r]; stop }")),
        ("mismatch-decision", of("main { p.x -> q; if q.d then stop else stop }")),
        ("mismatch-stops-early", of("main { p.x -> q; stop }")),
        ("mismatch-has-stopped", of("main { p.x -> q; if p.c then p -> q[l]; q.z -> p; stop else p -> q[r]; stop }")),
        ("mismatch-unknown", of("main { p.x -> q; s.y -> p; stop }")),
        ("mismatch-group", of("main { (p.x -> q, q.y -> p); stop }")),
        ("mismatch-absent", mismatch(starving, "def X { p.x -> q; X } main { X }", &all)),
        ("mismatch-starved", mismatch(
            "p { def X { if c then q+a; X else q+b; r!<x>; stop } main { X } } | q { def X { p&{a: X, b: stop} } main { X } }
             | r { main { p?; stop } }",
            "def X { if p.c then p -> q[a]; X else p -> q[b]; p.x -> r; stop } main { X }",
            &all,
        )),
        ("difference-step", difference("main { p.x -> q; q.y -> p; stop }", "main { p.x -> q; q.z -> p; stop }")),
        ("difference-decision", difference("main { p.x -> q; if p.c then stop else stop }", "main { p.x -> q; stop }")),
        ("difference-absent", difference("main { p.x -> q; stop }", "main { p.x -> r; stop }")),
        ("difference-ends", difference(
            "p { main { q!<x>; q?; stop } } | q { main { p?; stop } }",
            "p { main { q!<x>; stop } } | q { main { p?; stop } }",
        )),
        ("difference-service", difference(
            "p { main { q!<x>; stop } } | service q { main { p?; stop } }",
            "p { main { q!<x>; stop } } | q { main { p?; stop } }",
        )),
    ];
    found.into_iter().map(|(name, sequence)| (name.to_string(), sequence)).collect()
}

#[test]
fn what_the_one_does_and_the_other_does_not_is_marked() {
    for (name, sequence) in differences() {
        let [diagram] = sequence.diagrams.as_slice() else { panic!("{name}") };
        let drawn = MermaidSequence(&sequence).to_string();
        let word = name.split('-').next().unwrap();
        assert!(diagram.title.starts_with(word), "{name}: {}", diagram.title);
        assert!(
            drawn.contains("stuck, ") || drawn.contains("instead, ") || name == "mismatch-group",
            "{name}: {drawn}"
        );
        crate::geometry::check(&name, &sequence::SvgSequence(&sequence).to_string());
    }
}

#[test]
fn a_focus_keeps_those_whom_a_mismatch_is_about() {
    let net = "a { main { b!<x>; b!<y>; c!<z>; stop } } | b { main { a?; a?; stop } } | c { main { a?; stop } }";
    let focus = Focus { processes: vec!["c".into()], ..Focus::default() };
    let drawn = MermaidSequence(&mismatch(net, "main { a.x -> b; a.y -> b; a.w -> c; stop }", &focus)).to_string();
    assert!(drawn.contains("a->>c: w") && drawn.contains("Note over a: instead, wants to send `z` to `c`"), "{drawn}");
}
