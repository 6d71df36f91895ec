//! What projections look like, and what is said where there is none.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::choreographies::{read, tree};
use laban::choreography::{amend, amend_with_services, project, project_with_services};
use laban::network::{self, ProcessId};
use laban::syntax::{Compact, parse_network};

/// The projection of a choreography, as text that parses back.
fn projection(text: &str) -> String {
    let projection = project(&read(text)).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let tree = network::read_off(&projection.network, &projection.procedures);
    let text = Compact(&tree).to_string();
    let parsed = parse_network(&text);
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    assert!(network::lower(&parsed.tree).network.is_some(), "{text}");
    text
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(projection(text), expected.join(" "));
}

/// What is wrong with a choreography that has no projection.
fn messages(text: &str) -> Vec<String> {
    let choreography = read(text);
    let failures = project(&choreography).err().unwrap_or_default();
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
    let failures = project(&choreography).unwrap_err();
    let [failure] = failures.as_slice() else { panic!("{failures:?}") };
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
fn groups_have_no_projection() {
    assert_eq!(
        messages("main { (a.x -> b, b.y -> a); stop }"),
        ["a group cannot be projected: without queues, a process does one thing at a time"]
    );
    assert!(amend(&tree("main { (a.x -> b, b.y -> a); stop }")).is_err());
}

#[test]
fn a_service_may_wait_in_vain() {
    let choreography = read("main { if a.e then a.x -> log; stop else stop }");
    assert!(project(&choreography).is_err());
    let projection = project_with_services(&choreography, &[ProcessId(1)]).unwrap();
    let tree = network::read_off(&projection.network, &projection.procedures);
    assert_eq!(
        Compact(&tree).to_string(),
        "a { main { if e then log!<x>; stop else stop } } | service log { main { a?; stop } }"
    );
}

#[test]
fn a_service_is_told_what_to_do_but_not_when_to_stop() {
    let text = "main { if a.e then a.x -> log; log.y -> b; stop else a.x -> log; log.z -> b; stop }";
    assert_eq!(amend_with_services(&tree(text), &["log"]).unwrap().added.len(), 1);
    let text = "def X { if a.e then a.x -> log; X else stop } main { X }";
    assert_eq!(amend_with_services(&tree(text), &["log"]).unwrap().added.len(), 0);
    assert_eq!(amend(&tree(text)).unwrap().added.len(), 1);
}

#[test]
fn an_amended_text_keeps_its_names_and_gains_selections() {
    let text = "def X { a.x -> b; if a.e then X else stop } main { X }";
    let amended = amend(&tree(text)).unwrap();
    assert_eq!(
        Compact(&amended.tree).to_string(),
        "def X { a.x -> b; if a.e then a -> b[L]; X else a -> b[R]; stop } main { X }"
    );
}
