//! What projections look like, and the messages where there isn't one.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::choreographies::{read, tree};
use laban::choreography::{AmendOptions, NotProjected, ProjectOptions, amend, project};
use laban::extraction::Strategy;
use laban::network::{self, ProcessId};
use laban::syntax::{Compact, parse_network};
use laban::{ExtractOptions, Limits, StopReason, VerifyOptions, extract, verify};

/// The projection of a choreography, as text that parses back.
pub(crate) fn projection(text: &str) -> String {
    let projection =
        project(&read(text), &ProjectOptions::default()).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let text = Compact(&projection.tree()).to_string();
    let parsed = parse_network(&text);
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    let again = network::lower(&parsed.tree).network.unwrap_or_else(|| panic!("{text}"));
    assert_eq!(again.channels(), projection.network.channels(), "{text}");
    text
}

/// A projection is as it should be; line ends and indentation do not matter.
#[track_caller]
pub(crate) fn check(text: &str, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(projection(text), expected.join(" "));
}

/// What is wrong with a choreography that has no projection.
fn messages(text: &str) -> Vec<String> {
    let choreography = read(text);
    let failures =
        project(&choreography, &ProjectOptions::default()).err().map_or(Vec::new(), NotProjected::into_reasons);
    failures.iter().map(|failure| failure.diagnostic(&choreography).message).collect()
}

#[test]
fn each_process_keeps_what_concerns_it() {
    check(
        "main { a.x -> b; b -> c[ok]; if a.e then a -> b[l]; stop else a -> b[r]; b.y -> a; stop }",
        "a { main { b!<x>; if e then b+l; stop else b+r; b?; stop } } |
         b { main { a?; c+ok; a&{l: stop, r: a!<y>; stop} } } |
         c { main { b&{ok: stop} } }",
    );
}

#[test]
fn procedures_keep_their_names_where_a_process_takes_part() {
    check(
        "def Ask { buyer.title -> seller; seller.price -> buyer; if buyer.happy then buyer -> seller[ok]; Pay
           else buyer -> seller[again]; Ask }
         def Pay { buyer.money -> bank; bank.receipt -> buyer; stop }
         main { Ask }",
        "buyer { def Ask { seller!<title>; seller?; if happy then seller+ok; bank!<money>; bank?; stop else seller+again; Ask }
           main { Ask } } |
         seller { def Ask { buyer?; buyer!<price>; buyer&{ok: stop, again: Ask} } main { Ask } } |
         bank { main { buyer?; buyer!<receipt>; stop } }",
    );
}

#[test]
fn a_process_outside_a_loop_does_what_comes_after_it() {
    check(
        "def X { a.x -> b; if a.e then a -> b[more]; X else a -> b[done]; b.y -> c; stop } main { X }",
        "a { def X { b!<x>; if e then b+more; X else b+done; stop } main { X } } |
         b { def X { a?; a&{more: X, done: c!<y>; stop} } main { X } } |
         c { main { b?; stop } }",
    );
}

#[test]
fn whoever_never_acts_again_has_stopped() {
    check(
        "def X { a.x -> b; X } main { c.y -> a; X }",
        "c { main { a!<y>; stop } } | a { def X { b!<x>; X } main { c?; X } } | b { def X { a?; X } main { X } }",
    );
    // c acts in one branch, and in the other not any more: it must be told although nothing else comes.
    let text = "def X { a.x -> b; X } main { if a.e then a -> b[l]; X else a -> b[r]; c.y -> a; stop }";
    assert_eq!(
        messages(text),
        ["`c` is not told what `a` decides: it must do `stop` if `e` is true, and `a!<y>; …` if not"]
    );
}

#[test]
fn loops_in_different_shapes_merge() {
    check(
        "def X { b.x -> c; X } def Y { b.x -> c; b.x -> c; Y } main { if a.e then X else b.x -> c; Y }",
        "a { main { if e then stop else stop } } |
         b { def X { c!<x>; c!<x>; X } main { c!<x>; X } } |
         c { def X { b?; b?; X } main { b?; X } }",
    );
}

#[test]
fn offers_merge_to_the_union_of_their_labels() {
    check(
        "main { if a.e then a -> b[l]; b.x -> c; stop else if a.f then a -> b[l]; b.x -> c; stop else a -> b[r]; b.x -> c; stop }",
        "a { main { if e then b+l; stop else if f then b+l; stop else b+r; stop } } |
         b { main { a&{l: c!<x>; stop, r: c!<x>; stop} } } |
         c { main { b?; stop } }",
    );
}

#[test]
fn parts_give_independent_processes() {
    check(
        "def X { a.x -> b; X } main { X } || main { c.x -> d; stop }",
        "a { def X { b!<x>; X } main { X } } | b { def X { a?; X } main { X } } |
         c { main { d!<x>; stop } } | d { main { c?; stop } }",
    );
}

#[test]
fn a_failure_names_the_process_the_conditional_and_both_behaviours() {
    let text = "main { seller.price -> buyer; if buyer.happy then buyer -> seller[ok]; seller.parcel -> shipper; stop
        else buyer -> seller[no]; stop }";
    let choreography = read(text);
    let failures = project(&choreography, &ProjectOptions::default()).unwrap_err();
    let [failure] = failures.reasons() else { panic!("{failures:?}") };
    let diagnostic = failure.diagnostic(&choreography);
    assert_eq!(
        diagnostic.message,
        "`shipper` is not told what `buyer` decides: it must do `seller?; …` if `happy` is true, and `stop` if not"
    );
    assert_eq!(diagnostic.primary.span.text(text), "if buyer.happy");
    assert_eq!(diagnostic.secondary[0].span.text(text), "seller.parcel -> shipper");
    assert!(diagnostic.hints[0].contains("laban amend"));
}

#[test]
fn what_both_branches_begin_with_is_shown_before_what_differs() {
    let text = "main { if a.e then b.x -> c; c -> d[l]; stop else b.x -> c; c.y -> d; stop }";
    assert_eq!(
        messages(text),
        [
            "`c` is not told what `a` decides: it must do `b?; d+l; …` if `e` is true, and `b?; d!<y>; …` if not",
            "`d` is not told what `a` decides: it must do `c&{l: …}` if `e` is true, and `c?; …` if not"
        ]
    );
}

#[test]
fn a_service_may_wait_in_vain() {
    let choreography = read("main { if a.e then a.x -> log; stop else stop }");
    assert!(project(&choreography, &ProjectOptions::default()).is_err());
    let projection =
        project(&choreography, &ProjectOptions { services: &[ProcessId(1)], ..Default::default() }).unwrap();
    let tree = network::read_off(&projection.network, &projection.procedures);
    assert_eq!(
        Compact(&tree).to_string(),
        "a { main { if e then log!<x>; stop else stop } } | service log { main { a?; stop } }"
    );
}

#[test]
fn a_service_is_told_what_to_do_but_not_when_to_stop() {
    let text = "main { if a.e then a.x -> log; log.y -> b; stop else a.x -> log; log.z -> b; stop }";
    let options = AmendOptions { services: &["log"], ..Default::default() };
    assert_eq!(amend(&tree(text), &options).unwrap().added.len(), 2);
    let text = "def X { if a.e then a.x -> log; X else stop } main { X }";
    assert_eq!(amend(&tree(text), &options).unwrap().added.len(), 0);
    assert_eq!(amend(&tree(text), &AmendOptions::default()).unwrap().added.len(), 2);
}

#[test]
fn an_amended_text_keeps_its_names_and_gains_selections() {
    let text = "def X { a.x -> b; if a.e then X else stop } main { X }";
    let amended = amend(&tree(text), &AmendOptions::default()).unwrap();
    assert_eq!(
        Compact(&amended.tree).to_string(),
        "def X { a.x -> b; if a.e then a -> b[L]; X else a -> b[R]; stop } main { X }"
    );
}

/// A choreography of so many procedures in which `r` is told of what happens, but not where: it has to remember which
/// of the last so many labels were `a`.
fn exponential(count: usize) -> String {
    let mut text =
        "def S0 { if p.c then p -> r[a]; S0 else if p.d then p -> r[b]; S0 else p -> r[a]; S1 } ".to_string();
    for number in 1..count {
        let next = number + 1;
        text += &format!("def S{number} {{ if p.c then p -> r[a]; S{next} else p -> r[b]; S{next} }} ");
    }
    text + &format!("def S{count} {{ p -> r[end]; r.x -> p; S0 }} main {{ S0 }}")
}

#[test]
fn a_projection_can_be_exponential_and_is_given_up_at_a_limit() {
    let small = project(&read(&exponential(8)), &ProjectOptions::default()).unwrap();
    let states = small.network.processes()[1].states.len();
    assert!(states > 1 << 8, "{states} local states");
    let large = read(&exponential(40));
    let given_up = |limits: Limits<'_>| {
        let refused = project(&large, &ProjectOptions { limits, ..Default::default() }).unwrap_err();
        assert!(refused.reasons().is_empty());
        match refused {
            NotProjected::Undecided(reason) => reason,
            other => panic!("{other}"),
        }
    };
    assert_eq!(given_up(Limits::states(1_000)), StopReason::MaxStates(1_000));
    let questions = std::sync::atomic::AtomicUsize::new(0);
    let stop = || {
        let asked = questions.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        (asked > 20).then_some(StopReason::Timeout)
    };
    assert_eq!(given_up(Limits { stop: &stop, ..Limits::default() }), StopReason::Timeout);
    // Amendment asks whether there is a projection, and does not make it.
    let text = exponential(40);
    assert!(amend(&tree(&text), &AmendOptions::default()).unwrap().added.is_empty());
}

#[test]
fn amendment_is_given_up_at_a_limit() {
    let text = "main { if p.e then q.x -> p; stop else stop }";
    let options = |limits| AmendOptions { limits, ..AmendOptions::default() };
    let refused = amend(&tree(text), &options(Limits::states(0))).unwrap_err();
    assert_eq!(refused.to_string(), "undecided: gave up after 0 states");
    let stop = || Some(StopReason::Interrupted);
    let refused = amend(&tree(text), &options(Limits { stop: &stop, ..Limits::default() })).unwrap_err();
    assert_eq!(refused.to_string(), "undecided: interrupted");
}

#[test]
fn the_projection_of_nothing_has_no_processes_and_extracts_to_nothing() {
    let nothing = read("main { stop }");
    let network = project(&nothing, &ProjectOptions::default()).unwrap().network;
    assert_eq!(network.processes().len(), 0);
    for split in [false, true] {
        for fair in [false, true] {
            for &strategy in Strategy::ALL {
                let options = ExtractOptions { strategy, split, fair, ..ExtractOptions::default() };
                let extraction = extract(&network, &options).unwrap();
                assert_eq!(Compact(extraction.tree().unwrap()).to_string(), "main { stop }", "{strategy:?}");
                assert!(verify(&network, extraction.choreography().unwrap(), &VerifyOptions::default()).is_ok());
            }
        }
    }
}

/// How often a projection asks whether it should stop: once for each thousand pairs, and for each decision.
fn questions(text: &str) -> usize {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let stop = || {
        asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        None
    };
    let limits = Limits { max_states: None, stop: &stop };
    let refused = project(&read(text), &ProjectOptions { limits, ..ProjectOptions::default() });
    assert!(refused.is_err());
    asked.into_inner()
}

#[test]
fn many_decisions_that_nobody_is_told_of_take_time_linear_in_their_number() {
    // One after the other, and inside each other with something after each.
    let sequence = |count: usize| {
        let mut text = String::new();
        for number in 0..count {
            let next = number + 1;
            text += &format!("def X{number} {{ a.x -> b; if a.e then b.x -> c; X{next} else X{next} }} ");
        }
        text + &format!("def X{count} {{ a.x -> b; stop }} main {{ X0 }}")
    };
    let nested = |count: usize| {
        let mut text = String::from("def X0 { b.x -> c; stop } ");
        for number in 0..count {
            text += &format!("def X{} {{ b.x -> c; X{number} }} ", number + 1);
        }
        text += "main { ";
        for _ in 0..count {
            text += "if a.e then ";
        }
        text += "b.y -> c; X0";
        for number in 0..count {
            text += &format!(" else X{number}");
        }
        text + " }"
    };
    for text in [&sequence as &dyn Fn(usize) -> String, &nested] {
        let [few, many] = [200, 800].map(|count| questions(&text(count)));
        assert!(many < 5 * few, "{few} and {many}");
    }
}
