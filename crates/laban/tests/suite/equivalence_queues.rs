//! Comparing systems with queues: by hand, and against a naive twin that looks at everything.

use crate::cases;
use crate::choreographies::read;
use crate::projection_queues::parameters;
use laban::equivalence::{Conditions, Equivalence, EquivalenceOptions, equivalent_networks as equivalent};
use laban::generate::{SeededRng, fuzz, network as random_network, unroll};
use laban::network::{Channel, Channels, Network, lower as lower_network};
use laban::semantics::{Configuration, Step};
use std::collections::{BTreeMap, BTreeSet};

fn network(text: &str) -> Network {
    laban::analyse(text).into_network().unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

const MESSAGES: EquivalenceOptions<'_> = EquivalenceOptions {
    services: false,
    conditions: Conditions::ByText,
    messages: true,
    limits: laban::Limits { max_states: None, stop: &|| None },
};

fn answer(one: &str, other: &str, options: &EquivalenceOptions<'_>) -> String {
    match equivalent(&network(one), &network(other), options) {
        Equivalence::Same { .. } => "same".to_string(),
        Equivalence::Different(difference) => difference.sentence("one", "two"),
        Equivalence::Undecided { reason, .. } => reason.to_string(),
    }
}

#[track_caller]
fn check(one: &str, other: &str, exactly: &str, messages: &str) {
    assert_eq!(answer(one, other, &EquivalenceOptions::default()), exactly);
    assert_eq!(answer(one, other, &MESSAGES), messages);
}

const LOOP: &str = "p { def X { q!<a>; X } main { X } } | q { def X { p?; X } main { X } }";

#[test]
fn a_system_that_runs_ahead_differs_from_one_that_does_not() {
    check(LOOP, &format!("channels queue; {LOOP}"), "one can do `p.a -> q`, but two cannot", "same");
    check(
        &format!("channels queue 1; {LOOP}"),
        &format!("channels queue 2; {LOOP}"),
        "after `p puts a into the queue to q`, two can let `p` put `a` into the queue to `q`, but one cannot",
        "same",
    );
    check(&format!("channels queue; {LOOP}"), &format!("channels p -> q queue; {LOOP}"), "same", "same");
}

#[test]
fn unrolled_producers_are_the_same_although_they_run_ahead() {
    let unrolled = "p { def X { q!<a>; q!<a>; X } main { X } } | q { def X { p?; p?; X } main { p?; X } }";
    check(&format!("channels queue; {LOOP}"), &format!("channels queue; {unrolled}"), "same", "same");
    // A consumer that does more than its producer between two messages.
    let slow = |ping: &str| {
        format!(
            "channels queue; p {{ def X {{ q!<a>; X }} main {{ X }} }} \
             | q {{ def X {{ p?; r!<b>; r?; r!<c>; r?; X }} main {{ X }} }} | r {{ def X {{ {ping} X }} main {{ X }} }}"
        )
    };
    check(&slow("q?; q!<d>;"), &slow("q?; q!<d>; q?; q!<d>;"), "same", "same");
}

#[test]
fn the_order_in_which_one_sends_and_receives_counts_only_for_itself() {
    let crossing = "channels queue; p { main { q!<x>; q?; stop } } | q { main { p!<y>; p?; stop } }";
    let polite = "channels queue; p { main { q!<x>; q?; stop } } | q { main { p?; p!<y>; stop } }";
    check(
        crossing,
        polite,
        "one can let `q` put `y` into the queue to `p`, but two cannot: there, `q` waits for a value from `p`",
        "one can do `q.y -> p`, but two cannot: there, `q` waits for a value from `p`",
    );
    // With queues the greetings cross, and by rendezvous they cannot: but who receives what is the same.
    check(
        crossing,
        "p { main { q!<x>; q?; stop } } | q { main { p?; p!<y>; stop } }",
        "one can let `p` put `x` into the queue to `q`, but two cannot",
        "one can do `q.y -> p`, but two cannot: there, `q` waits for a value from `p` and `p` sends `x` to `q`",
    );
}

#[test]
fn what_was_sent_before_is_received_whatever_the_sender_waits_for() {
    let text = |p: &str| {
        format!(
            "channels queue; p {{ main {{ {p} stop }} }} | q {{ main {{ s?; p?; stop }} }} | r {{ main {{ p!<y>; stop }} }} \
             | s {{ main {{ q!<z>; stop }} }}"
        )
    };
    let late = answer(&text("q!<x>; r?;"), &text("r?; q!<x>;"), &MESSAGES);
    assert!(late.starts_with("after `s.z -> q`, one can do `p.x -> q`, but two cannot"), "{late}");
}

#[test]
fn a_queue_that_grows_leaves_the_question_open() {
    let grows = |then: &str, value: &str| {
        format!(
            "channels queue; p {{ def X {{ q!<a>; q!<{value}>; X }} main {{ X }} }} | q {{ main {{ r?; {then} stop }} }} \
             | r {{ main {{ stop }} }}"
        )
    };
    let undecided = "gave up: some queue needs room for more than 256 messages";
    assert_eq!(answer(&grows("", "b"), &grows("p?;", "b"), &EquivalenceOptions::default()), undecided);
    assert_eq!(answer(&grows("", "b"), &grows("p?;", "b"), &MESSAGES), "same");
    let other = answer(&grows("", "b"), &grows("p?;", "c"), &EquivalenceOptions::default());
    assert!(other.starts_with("after `p puts a into the queue to q`, one can let `p` put `b` into"), "{other}");
}

#[test]
fn who_chooses_what_to_send_cannot_be_compared_by_messages() {
    let chooses = "channels queue; p { main { any { q!<x>; stop, q!<y>; stop } } } | q { main { p?; stop } }";
    let turned = "channels queue; p { main { any { q!<y>; stop, q!<x>; stop } } } | q { main { p?; stop } }";
    check(
        chooses,
        turned,
        "same",
        "with `--messages`, a process that chooses what to put into a queue cannot be compared",
    );
    let one = "channels queue; p { main { q!<x>; stop } } | q { main { p?; stop } }";
    let answer = answer(chooses, one, &EquivalenceOptions::default());
    assert_eq!(answer, "one can let `p` put `y` into the queue to `q`, but two cannot: there, `p` sends `x` to `q`");
}

#[test]
fn conditions_are_put_back_with_queues() {
    let text = |condition: &str, value: &str| {
        format!(
            "channels queue; p {{ main {{ if {condition} then q!<x>; stop else q!<{value}>; stop }} }} | q {{ main {{ p?; stop }} }}"
        )
    };
    let any = EquivalenceOptions { conditions: Conditions::Any, ..EquivalenceOptions::default() };
    assert_eq!(answer(&text("e", "y"), &text("f", "y"), &any), "same");
    let told = answer(&text("e", "y"), &text("f", "z"), &any);
    assert_eq!(
        told,
        "after `p decides e: no`, one can let `p` put `y` into the queue to `q`, but two cannot: there, `p` sends `z` to `q`"
    );
    assert_ne!(answer(&text("e", "y"), &text("f", "y"), &EquivalenceOptions::default()), "same");
}

#[test]
fn a_choreography_has_the_channels_of_the_network_it_is_compared_with() {
    let network = network("channels queue; p { main { q!<x>; q?; stop } } | q { main { p?; p!<y>; stop } }");
    let choreography = read("main { p.x -> q; q.y -> p; stop }");
    let options = EquivalenceOptions::default();
    assert!(laban::equivalent(&network, &choreography, &options).is_same());
    assert!(laban::equivalent(&choreography, &network, &options).is_same());
    let waits = read("main { p.x ~> q; q <~ p; q.y -> p; stop }");
    assert!(laban::equivalent(&network, &waits, &options).is_same());
    assert!(!laban::equivalent(&choreography, &waits, &options).is_same());
    let messages = EquivalenceOptions { messages: true, ..options };
    assert!(laban::equivalent(&choreography, &waits, &messages).is_same());
}

/// What the twin finds: everything that can be done together, with all orders, up to a number of pairs.
#[derive(Debug, PartialEq, Eq)]
enum Twin {
    Same,
    Different,
    Unknown,
}

/// The plain definition: from each pair that the same steps lead to, both can do the same.
fn twin(one: &Network, other: &Network) -> Twin {
    const LONGEST: usize = 5;
    let symbols = |network: &Network, step: Step| step.describe(network).to_string();
    let start = (Configuration::start(one), Configuration::start(other));
    let mut seen = BTreeSet::from([start.clone()]);
    let mut work = vec![start];
    let mut cut = false;
    while let Some((left, right)) = work.pop() {
        let steps = |network: &Network, at: &Configuration| -> BTreeMap<String, Step> {
            at.steps(network).into_iter().map(|step| (symbols(network, step), step)).collect()
        };
        let (lefts, rights) = (steps(one, &left), steps(other, &right));
        if !lefts.keys().eq(rights.keys()) {
            return Twin::Different;
        }
        for (text, &step) in &lefts {
            let mut after = (left.clone(), right.clone());
            assert!(after.0.take(one, step) && after.1.take(other, rights[text]));
            let long = |at: &Configuration| at.queues.iter().any(|(.., messages)| messages.len() > LONGEST);
            if long(&after.0) || seen.len() > 4_000 {
                cut = true;
            } else if seen.insert(after.clone()) {
                work.push(after);
            }
        }
    }
    if cut { Twin::Unknown } else { Twin::Same }
}

#[test]
fn the_walk_agrees_with_the_twin() {
    let (mut same, mut different, mut open) = (0, 0, 0);
    for seed in 0..cases(500) {
        let generated = random_network(&parameters(seed), seed).unwrap();
        let mut dice = SeededRng::new(seed);
        let tree = match dice.below(3) {
            0 => unroll(&generated.network_tree, seed).0,
            _ => fuzz(&generated.network_tree, 1, dice.below(2) as u32, seed).0,
        };
        let Some(mut edited) = lower_network(&tree).network else { continue };
        assert_eq!(edited.channels(), generated.network.channels(), "seed {seed}");
        if dice.one_in(10) {
            edited.set_channels(Channels::all(Channel::Queue { bound: Some(1 + dice.below(2) as u32) }));
        }
        let answer = equivalent(&generated.network, &edited, &EquivalenceOptions::default());
        let text = format!("seed {seed}: {answer:?}");
        match twin(&generated.network, &edited) {
            Twin::Same => {
                assert!(answer.is_same(), "{text}");
                same += 1;
            }
            Twin::Different => {
                let difference = answer.difference().unwrap_or_else(|| panic!("{text}"));
                assert!(!difference.possible[0].is_empty() || !difference.possible[1].is_empty());
                different += 1;
            }
            Twin::Unknown => {
                assert!(answer.difference().is_none() || matches!(answer, Equivalence::Different(_)));
                open += 1;
            }
        }
    }
    assert!(same > cases(40) && different > cases(150), "{same} the same, {different} not, {open} open");
}

#[test]
fn what_is_the_same_is_the_same_by_messages() {
    let mut differ = 0;
    for seed in 0..cases(200) {
        let generated = random_network(&parameters(seed), seed).unwrap();
        let (tree, _) = unroll(&generated.network_tree, seed);
        let unrolled = lower_network(&tree).network.unwrap();
        assert!(equivalent(&generated.network, &unrolled, &MESSAGES).is_same(), "seed {seed}");
        let (tree, _) = fuzz(&generated.network_tree, 1, 0, seed);
        let Some(fuzzed) = lower_network(&tree).network else { continue };
        let exact = equivalent(&generated.network, &fuzzed, &EquivalenceOptions::default());
        let messages = equivalent(&generated.network, &fuzzed, &MESSAGES);
        if exact.is_same() {
            assert!(messages.is_same(), "seed {seed}");
        }
        if let Equivalence::Different(difference) = &messages {
            assert!(exact.difference().is_some(), "seed {seed}");
            assert!(difference.run.iter().all(|step| !matches!(step, Step::Put(_) | Step::Take(_))), "seed {seed}");
            differ += 1;
        }
    }
    assert!(differ > cases(100), "{differ}");
}

#[test]
fn a_queue_that_is_full_later_makes_a_difference() {
    let queue = |bound: &str| format!("channels queue{bound}; {LOOP}");
    check(
        &queue(" 2"),
        &queue(""),
        "after `p puts a into the queue to q`, `p puts a into the queue to q`, two can let `p` put `a` into the queue to \
         `q`, but one cannot",
        "same",
    );
}

#[test]
fn the_nearest_of_several_ends_is_shown() {
    let ends = |near: &str, far: &str| {
        network(&format!(
            "channels queue; p {{ main {{ if c then q+l; stop else q+m; q!<x>; stop }} }}
             | q {{ main {{ p&{{ l: {near} stop, m: p?; {far} stop }} }} }} | r {{ main {{ stop }} }}"
        ))
    };
    for (near, far) in [("r?;", "r?; r?;"), ("r?; r?;", "r?;")] {
        let answer = equivalent(&ends(near, far), &ends("", ""), &EquivalenceOptions::default());
        let Equivalence::Same { ends: Some(end), .. } = answer else {
            panic!("one of them is stuck where the other stops")
        };
        assert_eq!(end.run.len(), 3, "{}", end.sentence("one", "two"));
    }
}

/// `t` is told before `q` is, although `p` sends to `q` first.
#[test]
fn conditions_are_shown_as_they_are_decided_although_messages_are_ahead() {
    let text = |first: &str, second: &str, sent: &str| {
        format!(
            "channels queue; p {{ main {{ q!<a>; t!<b>; t?; if {first} then q!<a>; t!<b>; t?;
             if {second} then q!<{sent}>; stop else q!<y>; stop else stop }} }}
             | t {{ main {{ p?; p!<k>; p?; p!<k>; stop }} }} | q {{ main {{ p?; p?; p?; stop }} }}"
        )
    };
    let options = EquivalenceOptions { conditions: Conditions::Any, ..MESSAGES };
    let different = equivalent(&network(&text("c", "e", "x")), &network(&text("d", "f", "w")), &options);
    let difference = different.difference().expect("they send something else");
    let decisions = difference.run.iter().filter_map(|step| match *step {
        Step::Decision { condition, .. } => Some(difference.names.text(condition)),
        _ => None,
    });
    assert_eq!(decisions.collect::<Vec<_>>(), ["c", "e"], "{}", difference.sentence("one", "two"));
}
