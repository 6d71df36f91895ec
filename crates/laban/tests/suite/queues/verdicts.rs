//! The verdicts of the search, against every interleaving.
//!
//! With queues that have no bound there may be no end to the configurations. Then the beginning of them can show that a
//! network fails, and with queues of a few sizes it is seen whether any of these would do; more is not asked.

use super::{network, random_network};
use crate::cases;
use crate::races::twin::{Failures, Space};
use laban::extraction::{ExtractOptions, search};
use laban::network::{Channel, Channels, Network, ProcessId};
use laban::{Limits, Verdict, extract};
use std::collections::BTreeMap;

/// So many configurations are looked at.
const MOST: usize = 1000;

/// With more messages in a queue than this, nothing is looked at.
const LONGEST: usize = 6;

/// Bounds that are tried for queues without one.
const BOUNDS: [u32; 3] = [1, 2, 4];

/// What every interleaving says, as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Expected {
    Safe,
    Deadlock,
    Orphan,
    Livelock,
    /// It goes on and on, and fails with all small queues.
    Grows,
    /// It goes on and on.
    Unknown,
}

impl Expected {
    fn new(space: &Space<'_>, failures: Failures, grows: impl FnOnce() -> bool) -> Self {
        match failures {
            Failures { deadlock: true, .. } => Expected::Deadlock,
            Failures { orphan: true, .. } => Expected::Orphan,
            Failures { livelock: true, .. } => Expected::Livelock,
            _ if space.is_complete() => Expected::Safe,
            _ if grows() => Expected::Grows,
            _ => Expected::Unknown,
        }
    }
}

/// Whether everybody can go on if queues without bounds have one of these; `None` if it cannot be told.
fn works_with(network: &Network, bounds: &[u32], fair: bool) -> Option<bool> {
    let answers: Vec<Option<bool>> = bounds.iter().map(|&bound| works_with_one(network, bound, fair)).collect();
    match answers.contains(&Some(true)) {
        true => Some(true),
        false => answers.into_iter().reduce(|one, other| one.and(other))?,
    }
}

fn works_with_one(network: &Network, bound: u32, fair: bool) -> Option<bool> {
    let mut bounded = network.clone();
    let bound = |channel: Channel| match channel {
        Channel::Queue { bound: None } => Channel::Queue { bound: Some(bound) },
        other => other,
    };
    let Channels { default, single } = network.channels();
    let single = single.iter().map(|&(from, to, channel)| (from, to, bound(channel))).collect();
    bounded.set_channels(Channels { default: bound(*default), single });
    let space = Space::beginning(&bounded, MOST, usize::MAX);
    space.is_complete().then(|| space.failures(fair).is_safe())
}

/// What is wrong with a verdict, if anything.
fn objection(
    network: &Network,
    space: &Space<'_>,
    failures: Failures,
    fair: bool,
    found: &str,
) -> Option<&'static str> {
    let is_wrong = match found {
        "extracted" => !failures.is_safe(),
        "deadlock" => space.is_complete() && !failures.deadlock,
        "orphan" => space.is_complete() && !failures.orphan,
        "livelock" => space.is_complete() && !failures.livelock,
        "unbounded" if space.is_complete() => return Some("there is an end to it"),
        "unbounded" => works_with(network, &BOUNDS, fair) == Some(true),
        "undecided" if space.is_complete() => return Some("every interleaving decides it"),
        "undecided" => false,
        _ => return Some("there is no such verdict"),
    };
    is_wrong.then_some("every interleaving says otherwise")
}

#[test]
fn verdicts_agree_with_every_interleaving() {
    let mut seen: BTreeMap<(Expected, &str), u64> = BTreeMap::new();
    let mut expected: BTreeMap<(bool, bool, Expected), u64> = BTreeMap::new();
    let mut objections = 0;
    for seed in (0..cases(1000)).step_by(3) {
        let Some((text, network)) = random_network(seed) else { continue };
        let space = Space::beginning(&network, MOST, LONGEST);
        for (fair, failures) in [false, true].into_iter().zip(space.all_failures()) {
            let limits = Limits::states(4_000);
            let options = ExtractOptions { fair, limits, parallel: false, ..ExtractOptions::default() };
            for split in [true, false] {
                let found = search(&network, &ExtractOptions { split, ..options }).verdict().as_str();
                if let Some(objection) = objection(&network, &space, failures, fair, found) {
                    println!("seed {seed}, fair {fair}, split {split}: {found}, but {objection}: {failures:?}\n{text}");
                    objections += 1;
                }
                let grows = || works_with(&network, &BOUNDS, fair) == Some(false);
                if split {
                    let what = Expected::new(&space, failures, grows);
                    *expected.entry((network.has_races(), fair, what)).or_default() += 1;
                    *seen.entry((what, found)).or_default() += 1;
                }
            }
        }
    }
    println!("{expected:?}\n{seen:?}");
    assert_eq!(objections, 0, "they are printed above");
    let unbounded: u64 = seen.iter().filter(|((_, found), _)| *found == "unbounded").map(|(_, &count)| count).sum();
    assert!(unbounded >= cases(6), "only {unbounded} are unbounded");
    for races in [false, true] {
        for fair in [false, true] {
            for (what, least) in floors() {
                let count = expected.get(&(races, fair, what)).copied().unwrap_or(0);
                assert!(count >= cases(least), "only {count} are {what:?}, with races {races}, fair {fair}");
            }
        }
    }
}

/// How many of each kind there must be.
fn floors() -> [(Expected, u64); 5] {
    use Expected::{Deadlock, Grows, Livelock, Orphan, Safe};
    [(Safe, 26), (Deadlock, 33), (Orphan, 6), (Livelock, 1), (Grows, 1)]
}

/// Who is dead, against all sets of processes.
#[test]
fn who_is_dead_is_in_a_closed_set_that_has_nothing_to_do() {
    let (mut configurations, mut dead_ones) = (0, 0);
    for seed in 0..cases(300) {
        let Some((text, network)) = random_network(seed) else { continue };
        let space = Space::beginning(&network, 300, LONGEST);
        if !space.is_complete() {
            continue;
        }
        let all: Vec<ProcessId> = network.process_ids().collect();
        for (number, at) in space.configurations().iter().enumerate() {
            let dead: Vec<ProcessId> = at.waits(&network, &all).dead().collect();
            assert_eq!(dead, space.dead(number), "seed {seed}: {at:?} of {text}");
            dead_ones += dead.iter().filter(|&&process| !at.has_stopped(&network, process)).count();
            configurations += 1;
        }
    }
    println!("{configurations} configurations, {dead_ones} dead");
    assert!(configurations >= cases(5000) && dead_ones as u64 >= cases(400));
}

#[test]
fn a_message_is_not_lost_in_a_queue_that_is_never_empty() {
    // As it is searched, some message is on the way from p to q at any time of a round, but never the same for long.
    let network = network(
        "queue",
        "p { def X { q!<x>; q!<y>; q&{l: q+m; q!<y>; q?; q?; q?; X} } main { X } }
        | q { def X { p+l<z>; p!<x>; p?; p!<x>; p!<y>; p?; p&{m: p?; X} } main { X } }",
    );
    let extraction = extract(&network, &ExtractOptions::default()).unwrap();
    assert_eq!(extraction.verdict(), Verdict::Extracted);
}

#[test]
fn who_sends_more_than_is_taken_is_stuck_once_a_queue_with_a_bound_is_full() {
    let text = "p { def X { q!<y>; q!<y>; q!<y>; q?; q?; X } main { X } }
        | q { def X { p!<y>; p!<x>; idle p?; p?; X } main { X } }";
    for (channels, verdict) in [("queue 3", Verdict::Deadlock), ("queue", Verdict::Unbounded)] {
        let network = network(channels, text);
        let extraction = extract(&network, &ExtractOptions::default()).unwrap();
        assert_eq!(extraction.verdict(), verdict, "{channels}");
    }
    let space = &network("queue 3", text);
    assert!(Space::new(space).unwrap().failures(false).deadlock);
}
