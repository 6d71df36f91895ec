//! How much is allowed and how often it is asked whether to go on: exactly as much as is needed is enough, one less is
//! not, and whoever says stop is heard at the next question.

use super::compare;
use laban::equivalence::{Bounds, Equivalence, EquivalenceOptions, compare as compare_systems, equivalent_networks};
use laban::extraction::search;
use laban::network::Network;
use laban::{
    Choreography, ExtractOptions, Limits, NotVerified, ProjectOptions, StopReason, Verdict, VerifyOptions, analyse,
    extract, project, services_left, verify,
};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The fewest states with which something is decided, and how often it is asked on the way.
fn line(name: &str, is_decided: impl Fn(Limits<'_>) -> bool) -> String {
    let asked = AtomicUsize::new(0);
    let count = || {
        asked.fetch_add(1, Relaxed);
        None
    };
    assert!(is_decided(Limits { max_states: None, stop: &count }), "{name}");
    let questions = asked.load(Relaxed);
    for last in [1, questions] {
        let asked = AtomicUsize::new(0);
        let stop = || (asked.fetch_add(1, Relaxed) + 1 == last).then_some(StopReason::Interrupted);
        let is_decided = is_decided(Limits { max_states: None, stop: &stop });
        assert_eq!(is_decided, questions == 0, "{name}: stopped at question {last}");
    }
    let (mut too_few, mut enough) = (0, 1);
    while !is_decided(Limits::states(enough)) {
        (too_few, enough) = (enough, 2 * enough);
    }
    while too_few + 1 < enough {
        let middle = (too_few + enough) / 2;
        *(if is_decided(Limits::states(middle)) { &mut enough } else { &mut too_few }) = middle;
    }
    format!("{name}: {enough} states, {questions} questions")
}

/// A process that sends so many messages to another, one by one, of which the last one is given; and what both do then.
fn chain(count: usize, last: &str, [p, q]: [&str; 2]) -> String {
    let sends: String = (1..count).map(|number| format!("q!<x{number}>; ")).collect();
    let receives = "p?; ".repeat(count);
    format!("p {{ main {{ {sends}q!<{last}>; {p} }} }} | q {{ main {{ {receives}{q} }} }}")
}

const STOP: [&str; 2] = ["stop", "stop"];
const DECISION: [&str; 2] = ["if c then stop else q!<z>; stop", "idle p?; stop"];
const CHOICE: [&str; 2] = ["choose { stop, stop }", "stop"];
const PLAIN: [&str; 2] = ["if c then q+l; stop else q+m; stop", "p&{l: stop, m: stop}"];

fn network(text: &str) -> Network {
    analyse(text).into_network().unwrap()
}

fn extracted(network: &Network) -> Choreography {
    extract(network, &ExtractOptions::default()).unwrap().choreography().unwrap().clone()
}

#[test]
fn searches_take_what_they_need_and_ask_as_often_as_ever() {
    let searched = |name: &str, text: String, merge: bool| {
        let network = network(&text);
        line(name, |limits| {
            let options = ExtractOptions { limits, merge, parallel: false, ..ExtractOptions::default() };
            search(&network, &options).verdict() != Verdict::Undecided
        })
    };
    compare(
        "limits-searches",
        &[
            searched("straight on", chain(1_023, "x", STOP), true),
            searched("straight on, longer", chain(2_100, "x", STOP), true),
            searched("with a decision", chain(2_100, "x", PLAIN), true),
            searched("with an idle wait", chain(600, "x", DECISION), true),
            searched("with a choice", chain(600, "x", CHOICE), true),
            searched("with a queue", format!("channels queue; {}", chain(600, "x", STOP)), true),
            searched("with a queue and a decision", format!("channels queue; {}", chain(600, "x", PLAIN)), true),
        ],
    );
}

#[test]
fn checks_take_what_they_need_and_ask_as_often_as_ever() {
    let checked = |name: &str, text: String| {
        let network = network(&text);
        let choreography = extracted(&network);
        line(name, |limits| {
            let options = VerifyOptions { limits, parallel: false, minimise: false, ..VerifyOptions::default() };
            !matches!(verify(&network, &choreography, &options), Err(NotVerified::Undecided(_)))
        })
    };
    let left = |name: &str, text: String| {
        let network = network(&text);
        let choreography = extracted(&network);
        line(name, |limits| {
            let options = VerifyOptions { limits, ..VerifyOptions::default() };
            !services_left(&network, &choreography, &options).is_empty()
        })
    };
    let met = |name: &str, text: String| {
        let network = network(&text);
        let answer = extract(&network, &ExtractOptions::default()).unwrap();
        line(name, |limits| answer.meetings(&network, &limits).is_complete())
    };
    let service =
        chain(4_200, "x", STOP).replace("| q {", "| service q {").replace("p?; stop", "p?; p?; p?; p?; p!<back>; stop");
    compare(
        "limits-checks",
        &[
            checked("straight on", chain(4_200, "x", STOP)),
            checked("with a decision", chain(4_200, "x", PLAIN)),
            checked("with an idle wait", chain(600, "x", DECISION)),
            checked("with a choice", chain(600, "x", CHOICE)),
            checked("with a queue", format!("channels queue; {}", chain(600, "x", STOP))),
            left("a service that is left", service),
            met("meetings", chain(600, "x", PLAIN)),
            met("meetings with a queue", format!("channels queue; {}", chain(600, "x", PLAIN))),
        ],
    );
}

#[test]
fn comparisons_take_what_they_need_and_ask_as_often_as_ever() {
    let compared = |name: &str, channels: &str, count: usize, rest: [&str; 2]| {
        let [one, other] = ["x", "y"].map(|last| network(&format!("{channels}{}", chain(count, last, rest))));
        line(name, |limits| {
            let options = EquivalenceOptions { limits, ..EquivalenceOptions::default() };
            !matches!(equivalent_networks(&one, &other, &options), Equivalence::Undecided { .. })
        })
    };
    let written = |name: &str, count: usize| {
        // The decision is not told to `q`, so there is no projection.
        let text = |last: &str| {
            let messages: String = (1..count).map(|number| format!("a.x{number} -> b; ")).collect();
            format!("main {{ {messages}a.{last} -> b; if a.c then a.u -> b; stop else b.v -> a; stop }}")
        };
        let [one, other] = ["x", "y"].map(|last| analyse(text(last)).into_choreography().unwrap());
        line(name, |limits| {
            let options = EquivalenceOptions { limits, ..EquivalenceOptions::default() };
            let answer = compare_systems((&one).into(), (&other).into(), &options, Bounds { pairs: 1_000, ahead: 10 });
            !matches!(answer.answer, Equivalence::Undecided { .. })
        })
    };
    compare(
        "limits-comparisons",
        &[
            compared("straight on", "", 2_100, STOP),
            compared("with a decision", "", 2_100, PLAIN),
            compared("with an idle wait", "", 600, DECISION),
            compared("with a choice", "", 600, CHOICE),
            compared("with queues", "channels queue 1; ", 600, STOP),
            compared("with queues and a decision", "channels queue 1; ", 600, PLAIN),
            written("without a projection", 40),
        ],
    );
}

#[test]
fn a_comparison_ends_where_a_projection_is_given_up() {
    let text = |last: &str| format!("main {{ a.x ~> b; b <~ a; a.{last} -> b; stop }}");
    let [one, other] = ["x", "y"].map(|last| analyse(text(last)).into_choreography().unwrap());
    let limits = Limits::states(1);
    assert!(project(&one, &ProjectOptions { services: &[], limits }).is_err());
    let options = EquivalenceOptions { limits, ..EquivalenceOptions::default() };
    let answer = compare_systems((&one).into(), (&other).into(), &options, Bounds::default());
    assert!(answer.is_exact() && matches!(answer.answer, Equivalence::Undecided { .. }), "{answer:?}");
}
