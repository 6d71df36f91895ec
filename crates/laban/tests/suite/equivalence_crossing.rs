//! Comparing systems in which messages wait: what is put and what is taken are steps of their own.

use laban::choreography::Choreography;
use laban::equivalence::{Comparison, EquivalenceOptions, System, equivalent};
use laban::generate::SeededRng;
use laban::network::Network;

fn network(text: &str) -> Network {
    laban::analyse(text).into_network().unwrap_or_else(|ill_formed| panic!("{text}: {:?}", ill_formed.errors))
}

fn choreography(text: &str) -> Choreography {
    laban::analyse(text).into_choreography().unwrap_or_else(|ill_formed| panic!("{text}: {:?}", ill_formed.errors))
}

fn compare<'a>(first: impl Into<System<'a>>, second: impl Into<System<'a>>) -> Comparison {
    equivalent(first, second, &EquivalenceOptions::default())
}

fn sentence(comparison: &Comparison) -> String {
    comparison.difference().expect("they differ").sentence("the first", "the second")
}

const GREETINGS: &str = "ann { main { bob!<hello>; bob?; stop } } | bob { main { ann!<hi>; ann?; stop } }";

#[test]
fn greetings_that_cross_can_be_written_in_many_ways() {
    let queues = network(&format!("channels queue; {GREETINGS}"));
    for text in [
        "main { ann.hello ~> bob; bob.hi ~> ann; ann <~ bob; bob <~ ann; stop }",
        "main { bob.hi ~> ann; ann.hello ~> bob; ann <~ bob; bob <~ ann; stop }",
        "main { ann.hello ~> bob; bob.hi -> ann; bob <~ ann; stop }",
        "main { (ann.hello -> bob, bob.hi -> ann); stop }",
        "main { (bob.hi -> ann, ann.hello -> bob); stop }",
    ] {
        let written = choreography(text);
        assert!(compare(&queues, &written).is_same(), "{text}");
        assert!(compare(&written, &queues).is_same(), "{text}");
        let first = choreography("main { (ann.hello -> bob, bob.hi -> ann); stop }");
        assert!(compare(&written, &first).is_same(), "{text}");
    }
    let in_turns = choreography("main { ann.hello ~> bob; bob <~ ann; bob.hi ~> ann; ann <~ bob; stop }");
    assert_eq!(
        sentence(&compare(&queues, &in_turns)),
        "the first can let `bob` put `hi` into the queue to `ann`, but the second cannot: there, `bob` waits for a value \
         from `ann`"
    );
}

#[test]
fn a_network_with_queues_runs_ahead_of_one_without() {
    let text = "p { main { q!<x>; r!<y>; stop } } | q { main { p?; stop } } | r { main { p?; stop } }";
    let (waits, runs_ahead) = (network(text), network(&format!("channels p -> q queue; {text}")));
    assert!(compare(&runs_ahead, &runs_ahead).is_same());
    assert!(!compare(&waits, &runs_ahead).is_same());
    // A choreography does not say so, and fits both.
    let written = choreography("main { p.x -> q; p.y -> r; stop }");
    assert!(compare(&waits, &written).is_same());
    assert!(compare(&runs_ahead, &written).is_same());
    let halves = choreography("main { p.x ~> q; p.y -> r; q <~ p; stop }");
    assert!(compare(&runs_ahead, &halves).is_same());
    assert!(!compare(&waits, &halves).is_same());
}

#[test]
fn bounds_of_queues_make_a_difference() {
    let text = "p { main { q!<x>; q!<y>; stop } } | q { main { p?; p?; stop } }";
    let queues = |channel: &str| network(&format!("channels {channel}; {text}"));
    assert!(compare(&queues("queue"), &queues("queue 2")).is_same());
    assert!(!compare(&queues("queue"), &queues("queue 1")).is_same());
    assert!(!compare(&queues("queue 1"), &queues("rendezvous")).is_same());
}

#[test]
fn what_waits_on_both_sides_of_a_race_is_compared() {
    let text = "p { main { s!<x>; stop } } | q { main { s!<y>; stop } } \
                | s { main { any { p?; q?; stop, q?; p?; stop } } }";
    let queues = network(&format!("channels queue; {text}"));
    let written = "main { p.x ~> s; q.y ~> s; any { s <~ p; s <~ q; stop, s <~ q; s <~ p; stop } }";
    assert!(compare(&queues, &choreography(written)).is_same());
    let first = "main { p.x ~> s; q.y ~> s; s <~ p; s <~ q; stop }";
    assert!(!compare(&queues, &choreography(first)).is_same());
}

const NAMES: [&str; 3] = ["a", "b", "c"];

/// What happens to a message: it is put into a queue, or taken from it.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    Put { from: usize, to: usize, value: usize },
    Take { from: usize, to: usize },
}

impl Half {
    fn actor(self) -> usize {
        match self {
            Half::Put { from, .. } => from,
            Half::Take { to, .. } => to,
        }
    }
}

/// Some messages in some order, each put and then taken.
fn random(dice: &mut SeededRng) -> Vec<Half> {
    let mut events = Vec::new();
    let mut waiting: Vec<(usize, usize)> = Vec::new();
    let messages = 2 + dice.below(3);
    let mut put = 0;
    while put < messages || !waiting.is_empty() {
        if put < messages && (waiting.is_empty() || dice.one_in(2)) {
            let from = dice.below(3);
            let to = (from + 1 + dice.below(2)) % 3;
            events.push(Half::Put { from, to, value: put });
            waiting.push((from, to));
            put += 1;
        } else {
            // Which queue does not matter; within one, the order is that of the queue.
            let (from, to) = waiting.swap_remove(dice.below(waiting.len()));
            events.push(Half::Take { from, to });
        }
    }
    events
}

fn as_choreography(events: &[Half]) -> Choreography {
    let mut text = String::new();
    for &event in events {
        text.push_str(&match event {
            Half::Put { from, to, value } => format!("{}.v{value} ~> {}; ", NAMES[from], NAMES[to]),
            Half::Take { from, to } => format!("{} <~ {}; ", NAMES[to], NAMES[from]),
        });
    }
    choreography(&format!("main {{ {text} stop }}"))
}

fn as_network(events: &[Half]) -> Network {
    let process = |process: usize| {
        let mut text = String::new();
        for &event in events.iter().filter(|event| event.actor() == process) {
            text.push_str(&match event {
                Half::Put { to, value, .. } => format!("{}!<v{value}>; ", NAMES[to]),
                Half::Take { from, .. } => format!("{}?; ", NAMES[from]),
            });
        }
        format!("{} {{ main {{ {text} stop }} }}", NAMES[process])
    };
    network(&format!("channels queue; {}", [process(0), process(1), process(2)].join(" | ")))
}

/// What each process does, in order.
fn local(events: &[Half]) -> [Vec<Half>; 3] {
    [0, 1, 2].map(|process| events.iter().copied().filter(|event| event.actor() == process).collect())
}

/// Whether each message is put before it is taken.
fn is_possible(events: &[Half]) -> bool {
    let mut waiting = [[0u32; 3]; 3];
    events.iter().all(|&event| match event {
        Half::Put { from, to, .. } => {
            waiting[from][to] += 1;
            true
        }
        Half::Take { from, to } => {
            let is_there = waiting[from][to] > 0;
            waiting[from][to] = waiting[from][to].saturating_sub(1);
            is_there
        }
    })
}

#[test]
fn what_each_process_does_in_order_is_all_that_counts() {
    let (mut moved, mut changed) = (0, 0);
    for seed in 0..300 {
        let mut dice = SeededRng::new(seed);
        let events = random(&mut dice);
        let (written, network) = (as_choreography(&events), as_network(&events));
        assert!(compare(&written, &network).is_same(), "seed {seed}");
        let mut other = events.clone();
        for _ in 0..6 {
            let at = dice.below(other.len() - 1);
            let before = other.clone();
            other.swap(at, at + 1);
            if !is_possible(&other) {
                other = before;
            }
        }
        let same = local(&events) == local(&other);
        assert_eq!(compare(&written, &as_choreography(&other)).is_same(), same, "seed {seed}");
        assert_eq!(compare(&as_network(&other), &network).is_same(), same, "seed {seed}");
        moved += usize::from(same && events != other);
        changed += usize::from(!same);
    }
    assert!(moved > 30 && changed > 100, "{moved} moved, {changed} changed");
}
