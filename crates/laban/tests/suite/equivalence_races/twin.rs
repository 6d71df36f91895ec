//! The naive twin: all pairs of configurations that the same run leads to, whatever the order of its steps.

use laban::equivalence::{Conditions, Contrast, Difference, Side};
use laban::network::{Network, ProcessId, components};
use laban::semantics::Configuration;
use std::collections::{BTreeMap, HashSet, VecDeque};

/// What the twin says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// They can do the same; whether one of them is stuck somewhere where the other has stopped, and how many pairs.
    Same {
        ends: bool,
        pairs: usize,
    },
    Different,
    TooMany,
}

/// A step in words, without the condition if that does not matter.
fn plain(step: &str, conditions: Conditions) -> String {
    match (step.split_once(" decides "), step.rsplit_once(": "), conditions) {
        (Some((who, _)), Some((_, outcome)), Conditions::Any) => format!("{who} decides: {outcome}"),
        _ => step.to_string(),
    }
}

/// All that is possible, in words, and where it leads.
fn ahead(network: &Network, at: &Configuration, conditions: Conditions) -> BTreeMap<String, Configuration> {
    let steps = at.steps(network).into_iter().map(|step| {
        let mut after = at.clone();
        assert!(after.take(network, step), "what is possible can be done");
        (plain(&step.describe(network).to_string(), conditions), after)
    });
    steps.collect()
}

/// The processes that have to do with each other in one network or in the other, which have the same processes.
fn parts(one: &Network, other: &Network) -> Vec<Vec<ProcessId>> {
    let mut parts: Vec<Vec<ProcessId>> = components(one);
    for component in components(other) {
        let touches = |part: &Vec<ProcessId>| part.iter().any(|process| component.contains(process));
        let (together, mut rest): (Vec<_>, Vec<_>) = parts.into_iter().partition(touches);
        rest.push(together.concat());
        parts = rest;
    }
    parts
}

/// Whether, in a part in which nothing is possible, a process has stopped in one and is stuck in the other.
fn ends_differ(one: (&Network, &Configuration), other: (&Network, &Configuration)) -> bool {
    let stopped = |(network, at): (&Network, &Configuration), process: ProcessId| at.has_stopped(network, process);
    let stuck = |(network, at): (&Network, &Configuration), process: ProcessId| {
        !at.has_stopped(network, process) && !network.is_idle(at.at(network, process))
    };
    let differs = |&process: &ProcessId| {
        (stuck(one, process) && stopped(other, process)) || (stopped(one, process) && stuck(other, process))
    };
    let steps = one.1.steps(one.0);
    let is_over = |part: &Vec<ProcessId>| !steps.iter().any(|step| part.contains(&step.initiator()));
    parts(one.0, other.0).iter().any(|part| is_over(part) && part.iter().any(differs))
}

pub(super) fn compare(one: &Network, other: &Network, conditions: Conditions, most: usize) -> Verdict {
    let start = (Configuration::start(one), Configuration::start(other));
    let mut known = HashSet::from([start.clone()]);
    let mut queue = VecDeque::from([start]);
    let mut ends = false;
    while let Some((left, right)) = queue.pop_front() {
        let (lefts, rights) = (ahead(one, &left, conditions), ahead(other, &right, conditions));
        if !lefts.keys().eq(rights.keys()) {
            return Verdict::Different;
        }
        ends |= ends_differ((one, &left), (other, &right));
        for pair in lefts.into_values().zip(rights.into_values()) {
            if known.insert(pair.clone()) {
                queue.push_back(pair);
            }
        }
        if known.len() > most {
            return Verdict::TooMany;
        }
    }
    Verdict::Same { ends, pairs: known.len() }
}

/// Follows the run of a difference in both networks, and sees that they differ then as it says.
pub(super) fn replay(difference: &Difference, one: &Network, other: &Network, conditions: Conditions) {
    let word = |step| plain(&difference.step(step), conditions);
    let mut at = [one, other].map(|network| (network, Configuration::start(network)));
    for &step in &difference.run {
        for (network, at) in &mut at {
            *at = ahead(network, at, conditions).remove(&word(step)).unwrap_or_else(|| panic!("{}", word(step)));
        }
    }
    let [first, second] = at.each_ref().map(|(network, at)| ahead(network, at, conditions));
    match &difference.reason {
        Contrast::Step { step, side, .. } => {
            let can = [first.contains_key(&word(*step)), second.contains_key(&word(*step))];
            assert_eq!(can, [*side == Side::First, *side == Side::Second]);
        }
        Contrast::Ends { .. } => assert!(ends_differ((at[0].0, &at[0].1), (at[1].0, &at[1].1))),
        Contrast::Service { .. } => panic!("nobody asked"),
    }
    assert!(!difference.sentence("the first", "the second").is_empty());
}
