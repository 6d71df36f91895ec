//! Where a difference, a mismatch or a failure is in the text, and the run that leads to it.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use laban::Limits;
use laban::choreography::Choreography;
use laban::diagnostic::{Annotation, Code};
use laban::equivalence::{
    Bounds, Contrast, Equivalence, EquivalenceOptions, System, compare, equivalent_networks, stand_in,
};
use laban::network::Network;
use laban::{ExtractOptions, ServiceLeft, StopReason, VerifyOptions, services_left, verify};

const NETWORK: &str = "p { main { q!<a>; if c then q+l; q!<x>; stop else q+r; stop } } \
                       | q { main { p?; p&{l: p?; stop, r: stop} } }";

fn network(text: &str) -> Network {
    laban::analyse(text).into_network().expect("it is a network")
}

fn choreography(text: &str) -> Choreography {
    laban::analyse(text).into_choreography().expect("it is a choreography")
}

/// What is at each step, and the message about it.
fn shown<'a>(text: &'a str, steps: &'a [Annotation]) -> Vec<(&'a str, &'a str)> {
    steps.iter().map(|step| (step.span.text(text), step.label.as_str())).collect()
}

#[test]
fn a_difference_is_reported_at_the_second_with_notes_at_the_first() {
    let other = NETWORK.replace("q!<x>", "q!<y>");
    let (one, two) = (network(NETWORK), network(&other));
    let comparison =
        compare(System::Network(&one), System::Network(&two), &EquivalenceOptions::default(), Bounds::default());
    let difference = comparison.difference().expect("they differ");
    let [here, there] = difference.diagnostics([Some(&one), Some(&two)], ["one", "two"]);
    let [told] = there.as_slice() else { panic!("{there:?}") };
    assert_eq!(told.code, Code::Difference);
    assert!(told.message.starts_with("one and two differ: after `p.a -> q`, "), "{}", told.message);
    assert_eq!((told.primary.span.text(&other), told.primary.label.as_str()), ("q!<y>", "`p` sends `y` to `q`"));
    assert_eq!(told.secondary[0].span.text(&other), "p?");
    assert!(here.iter().all(|note| note.code == Code::DifferencePlace));
    assert_eq!(here[0].primary.span.text(NETWORK), "q!<x>");
    assert_eq!(here[0].message, "at that point in one, `p` sends `x` to `q`");
    let run = difference.steps(&two);
    let run = shown(&other, &run);
    assert_eq!((run[0], run[2]), (("q!<a>", "p.a -> q"), ("q+l", "p -> q[l]")));
    assert_eq!(run[1].1, "p decides c: yes");
}

#[test]
fn a_choreography_has_places_through_its_projection() {
    let text = "main { p.a -> q; if p.c then p -> q[l]; stop else p -> q[r]; stop }";
    let (one, two) = (network(NETWORK), choreography(text));
    let (first, second) = (System::Network(&one), System::Choreography(&two));
    let comparison = compare(first, second, &EquivalenceOptions::default(), Bounds::default());
    let difference = comparison.difference().expect("they differ");
    let projected = stand_in(second, first, Limits::default()).expect("it has a projection").expect("it needs one");
    let [_, there] = difference.diagnostics([Some(&one), Some(&projected)], ["one", "two"]);
    assert_eq!(there[0].primary.span.text(text), "p -> q[l]");
    assert_eq!(there[0].primary.label, "after this, `p` has stopped");
    let [here, there] = difference.diagnostics([None, None], ["one", "two"]);
    assert_eq!((here.len(), there[0].primary.span.text(text)), (0, ""), "without networks there are no places");
}

#[test]
fn a_process_that_is_missing_has_no_place() {
    let (one, two) = (network(NETWORK), network("a { main { b!<x>; stop } } | b { main { a?; stop } }"));
    let comparison =
        compare(System::Network(&one), System::Network(&two), &EquivalenceOptions::default(), Bounds::default());
    let difference = comparison.difference().expect("they differ");
    let [here, there] = difference.diagnostics([Some(&one), Some(&two)], ["one", "two"]);
    assert_eq!((here.len() + there[0].secondary.len(), there.len()), (2, 1));
}

#[test]
fn the_run_to_a_mismatch_is_in_the_network() {
    let network = network(NETWORK);
    let protocol = choreography("main { p.a -> q; if p.c then p -> q[l]; stop else p -> q[r]; stop }");
    let mismatch =
        verify(&network, &protocol, &VerifyOptions::default()).expect_err("it stops too early").mismatch().unwrap();
    let steps = mismatch.steps(&network);
    let run: Vec<&str> = shown(NETWORK, &steps).iter().map(|(_, step)| *step).collect();
    assert_eq!(run, ["p.a -> q", "p decides c: yes", "p -> q[l]"]);
}

#[test]
fn the_steps_of_a_livelock_go_round() {
    let text =
        "p { def X { q!<e>; X } main { r?; X } } | q { def Y { p?; Y } main { Y } } | r { main { p!<s>; q?; stop } }";
    let network = network(text);
    let answer = laban::extract(&network, &ExtractOptions::default()).expect("there is an answer");
    let steps = answer.explanations()[0].steps(&network);
    let expected = [("p!<s>", "r.s -> p"), ("q!<e>", "repeats: p.e -> q")];
    assert_eq!(shown(text, &steps), expected);
    let explanation = &answer.explanations()[0];
    let stuck: Vec<String> = explanation.stuck.iter().map(|waiting| waiting.text(&network, explanation)).collect();
    assert_eq!(stuck, [explanation.diagnostic(&network).primary.label]);
}

#[test]
fn a_service_in_one_of_two_is_shown_where_it_is_declared() {
    let other = NETWORK.replace("| q", "| service q");
    let (one, two) = (network(NETWORK), network(&other));
    let options = EquivalenceOptions { services: true, ..EquivalenceOptions::default() };
    let comparison = compare(System::Network(&one), System::Network(&two), &options, Bounds::default());
    let difference = comparison.difference().expect("they differ");
    let [here, there] = difference.diagnostics([Some(&one), Some(&two)], ["one", "two"]);
    assert_eq!((there[0].primary.span.text(&other), there[0].primary.label.as_str()), ("q", "`q` is a service"));
    assert_eq!(here[0].message, "at that point in one, `q` is not a service");
}

#[test]
fn what_a_process_does_instead_follows_its_name() {
    let other = NETWORK.replace("q!<x>; stop", "q+x; stop");
    let (one, two) = (network(NETWORK), network(&other));
    let options = EquivalenceOptions::default();
    let comparison = compare(System::Network(&one), System::Network(&two), &options, Bounds::default());
    let difference = comparison.difference().expect("they differ");
    let Contrast::Step { instead, .. } = &difference.reason else { panic!("{difference:?}") };
    let does: Vec<String> = instead.iter().map(|instead| difference.does(instead)).collect();
    assert_eq!(does, ["selects `x` at `q`", "waits for a value from `p`"]);
    let stops = network("a { main { b!<x>; stop } } | b { main { a?; stop } }");
    let stuck = network("a { main { b!<x>; b!<y>; stop } } | b { main { a?; stop } }");
    let Equivalence::Same { ends: Some(ends), .. } = equivalent_networks(&stuck, &stops, &options) else { panic!() };
    let Contrast::Ends { stuck, .. } = &ends.reason else { panic!("{ends:?}") };
    assert_eq!(ends.waits(stuck), "waits to send `y` to `b`");
}

#[test]
fn who_does_not_fit_stands_somewhere_in_the_network() {
    let network = network(NETWORK);
    let protocol = choreography("main { p.a -> q; if p.c then p -> q[l]; stop else p -> q[r]; stop }");
    let mismatch =
        verify(&network, &protocol, &VerifyOptions::default()).expect_err("it stops too early").mismatch().unwrap();
    let standing: Vec<(&str, &str)> = mismatch
        .reason
        .standing()
        .into_iter()
        .map(|(process, state)| (network.process_name(process), network.origin(state).text(NETWORK)))
        .collect();
    assert_eq!(standing, [("p", "q!<x>"), ("q", "p?")]);
}

#[test]
fn the_steps_to_where_a_service_is_left_go_round() {
    let text = "p { def X { q!<e>; X } main { s!<x>; X } } | q { def Y { p?; Y } main { Y } } | service s { main { p?; p?; stop } }";
    let network = network(text);
    let answer = laban::extract(&network, &ExtractOptions::default()).expect("there is an answer");
    let left = answer.services_left(&network, Limits::default());
    let [left] = left.as_slice() else { panic!("{left:?}") };
    assert_eq!(shown(text, &left.steps(&network)), [("s!<x>", "p.x -> s"), ("q!<e>", "repeats: p.e -> q")]);
    let words = "service `s` may be left in the middle: it waits for a value from `p` while `p` and `q` can loop forever \
                 without it";
    assert_eq!(left.reason(&network), words);
    assert_eq!(ServiceLeft::at_end(&network, &left.run).len(), 1);
    assert!(ServiceLeft::at_end(&network, &[]).is_empty(), "it may wait where it starts");
    assert!(ServiceLeft::at_end(&network, &left.cycle).is_empty(), "that cannot happen at once");
}

#[test]
fn services_that_are_left_are_found_within_the_limits() {
    let text = "p { def X { q!<e>; X } main { s!<x>; X } } | q { def Y { p?; Y } main { Y } } \
                | service s { main { p?; p?; stop } }";
    let network = network(text);
    let protocol = choreography("def X { p.e -> q; X } main { p.x -> s; X }");
    let left = |limits| services_left(&network, &protocol, &VerifyOptions { limits, ..VerifyOptions::default() }).len();
    assert_eq!((left(Limits::default()), left(Limits::states(2)), left(Limits::states(1))), (1, 1, 0));
    let stop = || Some(StopReason::Timeout);
    assert_eq!(left(Limits { max_states: None, stop: &stop }), 1, "what is small is always known");
}
