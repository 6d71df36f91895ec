//! Every way in which a network can fail is explained: the facts, and the sentence.
//!
//! Deadlocks are found by a naive search; livelocks are given as text. Random networks
//! check what is true of every explanation, without an expected text.

#![allow(clippy::unwrap_used, clippy::panic)]

mod alike;
mod deadlocks;
mod edited;
mod facts;
mod growth;
mod hint_sentences;
mod hints;
mod livelocks;
mod networks;
mod otherwise;
mod queues;
mod random;
mod refusals;
mod sentences;
mod wording;

use laban::extraction::explain::{Witness, WitnessKind};
use laban::network::{Network, ProcessId, components, lower};
use laban::semantics::{Configuration, Step};
use laban::syntax::parse_network;
use std::collections::{BTreeMap, VecDeque};

fn network(source: &str) -> Network {
    let parsed = parse_network(source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let lowered = lower(&parsed.tree);
    lowered.network.unwrap_or_else(|| panic!("{:?}", lowered.diagnostics))
}

/// The shortest run to a deadlock, component by component, by a search that knows no tricks.
fn deadlock(network: &Network) -> Option<Witness> {
    components(network).into_iter().find_map(|component| {
        let start = Configuration::start(network);
        let mut before: BTreeMap<Configuration, Option<(Configuration, Step)>> = BTreeMap::new();
        before.insert(start.clone(), None);
        let mut work = VecDeque::from([start]);
        while let Some(at) = work.pop_front() {
            let steps: Vec<Step> = component.iter().flat_map(|&process| at.steps_of(network, process)).collect();
            let left = |process: &ProcessId| {
                !network.processes()[process.index()].service && !at.has_stopped(network, *process)
            };
            if steps.is_empty() && component.iter().any(left) {
                let mut run = Vec::new();
                let mut here = at;
                while let Some((earlier, step)) = before[&here].clone() {
                    run.push(step);
                    here = earlier;
                }
                run.reverse();
                return Some(Witness { kind: WitnessKind::Deadlock, component, run, cycle: Vec::new() });
            }
            for step in steps {
                let mut next = at.clone();
                assert!(next.take(network, step));
                if !before.contains_key(&next) {
                    before.insert(next.clone(), Some((at.clone(), step)));
                    work.push_back(next);
                }
            }
        }
        None
    })
}

/// The steps that read like this, each looked up among those that are possible.
fn steps(network: &Network, at: &mut Configuration, text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for text in text.split(';').map(str::trim).filter(|text| !text.is_empty()) {
        let possible = at.steps(network);
        let step = possible.iter().copied().find(|step| step.describe(network).to_string() == text);
        let step = step.unwrap_or_else(|| panic!("{text} is not possible"));
        at.take(network, step);
        steps.push(step);
    }
    steps
}

fn livelock(network: &Network, run: &str, cycle: &str) -> Witness {
    let mut at = Configuration::start(network);
    let run = steps(network, &mut at, run);
    let cycle = steps(network, &mut at, cycle);
    let actor = cycle[0].actors().next().unwrap();
    let component = components(network).into_iter().find(|component| component.contains(&actor)).unwrap();
    Witness { kind: WitnessKind::Livelock, component, run, cycle }
}

fn witness(kind: WitnessKind, component: &[u32], run: Vec<Step>, cycle: Vec<Step>) -> Witness {
    Witness { kind, component: component.iter().map(|&process| ProcessId(process)).collect(), run, cycle }
}
