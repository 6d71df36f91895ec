//! Choreographies that are the same but for how they are laid out take no walk to compare; and how far others are
//! walked.

use laban::analyse;
use laban::choreography::Choreography;
use laban::equivalence::{Bounded, Bounds, Equivalence, EquivalenceOptions, System, bounded, equivalent};
use laban::equivalence::{Conditions, equivalent_networks};
use laban::network::Network;
use laban::{Limits, StopReason};

fn choreography(text: &str) -> Choreography {
    analyse(text).into_choreography().unwrap_or_else(|ill_formed| panic!("{text}: {:?}", ill_formed.errors))
}

fn network(text: &str) -> Network {
    analyse(text).into_network().unwrap_or_else(|ill_formed| panic!("{text}: {:?}", ill_formed.errors))
}

/// Whether two choreographies are the same at first sight.
fn are_alike(one: &str, other: &str, conditions: Conditions) -> bool {
    let (one, other) = (choreography(one), choreography(other));
    let options = EquivalenceOptions { conditions, ..EquivalenceOptions::default() };
    let comparison = equivalent(&one, &other, &options);
    comparison.is_exact() && matches!(comparison.answer, Equivalence::Same { pairs: 0, .. })
}

#[test]
fn what_is_only_laid_out_in_another_way_is_the_same_at_first_sight() {
    for (one, other) in [
        ("main { p.x -> q; stop } || main { r.y -> s; stop }", "main { r.y -> s; stop } || main { p.x -> q; stop }"),
        ("main { p.x -> q; stop }", "def X { p.x -> q; stop } main { X }"),
        (
            "main { any { p.x -> q; r.y -> q; stop, r.y -> q; p.x -> q; stop } }",
            "main { any { r.y -> q; p.x -> q; stop, p.x -> q; r.y -> q; stop } }",
        ),
        (
            "main { any { p.x ~> q; q <~ p; r.y -> q; stop, r.y -> q; p.x -> q; stop } }",
            "main { any { r.y -> q; p.x -> q; stop, p.x ~> q; q <~ p; r.y -> q; stop } }",
        ),
        (
            "main { p.x ~> q; r.y ~> q; any { q <~ p; q <~ r; stop, q <~ r; q <~ p; stop } }",
            "main { p.x ~> q; r.y ~> q; any { q <~ r; q <~ p; stop, q <~ p; q <~ r; stop } }",
        ),
        ("main { (p.x -> q, q.y -> p); stop }", "main { (q.y -> p, p.x -> q); stop }"),
    ] {
        assert!(are_alike(one, other, Conditions::ByText), "{one} and {other}");
    }
}

#[test]
fn what_somebody_can_tell_apart_is_not_the_same_at_first_sight() {
    for (one, other) in [
        ("main { p.x -> q; stop }", "main { p.y -> q; stop }"),
        ("main { (p.x -> q, p.y -> r); stop }", "main { (p.y -> r, p.x -> q); stop }"),
        ("main { (p.x -> r, q.y -> r); stop }", "main { (q.y -> r, p.x -> r); stop }"),
        ("main { p.x ~> q; q <~ p; stop }", "main { p.x -> q; stop }"),
    ] {
        assert!(!are_alike(one, other, Conditions::ByText), "{one} and {other}");
    }
    let (one, other) = ("main { if p.e then stop else stop }", "main { if p.f then stop else stop }");
    assert!(are_alike(one, other, Conditions::Any) && !are_alike(one, other, Conditions::ByText));
}

#[test]
fn a_bounded_comparison_stops_at_the_states_that_it_is_allowed() {
    let (one, other) = (
        choreography("main { p.x -> q; q.y -> p; stop }"),
        choreography("def X { q.y -> p; stop } main { p.x -> q; X }"),
    );
    let compared = |most: usize, pairs: usize| {
        let bounds = Bounds { pairs, ..Bounds::default() };
        bounded(System::Choreography(&one), System::Choreography(&other), bounds, &Limits::states(most))
    };
    assert!(matches!(compared(3, 3), Bounded::Same));
    assert!(matches!(compared(2, 3), Bounded::Unknown(StopReason::MaxStates(2))));
    assert!(matches!(compared(3, 2), Bounded::Unknown(StopReason::Bounds)));
}

#[test]
fn what_is_put_into_a_queue_is_never_compared_as_it_is_written_by_messages_alone() {
    let written = choreography("main { if a.e then b.x -> c; stop else b.y -> c; stop }");
    let queues = network("channels queue; b { main { c!<x>; stop } } | c { main { b?; stop } }");
    let answer = |messages| {
        let options = EquivalenceOptions { messages, ..EquivalenceOptions::default() };
        equivalent(&written, &queues, &options).answer
    };
    assert!(matches!(answer(true), Equivalence::Undecided { .. }));
    assert!(matches!(answer(false), Equivalence::Different(_)));
}

#[test]
fn with_queues_too_being_stuck_is_told_though_it_is_no_difference() {
    let stops = network("channels queue; a { main { b!<x>; stop } } | b { main { a?; stop } }");
    let stuck = network("channels queue; a { main { b!<x>; stop } } | b { main { a?; a?; stop } }");
    let ends = |one: &Network, other: &Network| match equivalent_networks(one, other, &EquivalenceOptions::default()) {
        Equivalence::Same { ends, .. } => ends.map(|ends| ends.sentence("the first", "the second")),
        other => panic!("{other:?}"),
    };
    assert_eq!(ends(&stops, &stops), None);
    let said = ends(&stuck, &stops).unwrap();
    assert!(
        said.ends_with("`b` waits for a value from `a` forever in the first but has stopped in the second"),
        "{said}"
    );
    let said = ends(&stops, &stuck).unwrap();
    assert!(
        said.ends_with("`b` waits for a value from `a` forever in the second but has stopped in the first"),
        "{said}"
    );
}
