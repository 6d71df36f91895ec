//! Witnesses made shorter.
//!
//! A search tells states apart by their markings and so comes to a cycle later than a reader would: the states of the
//! cycle may have been there before. A run is cut at the first state that lies on the cycle, which is turned to begin
//! there. A deadlock beside which others go on is cut where somebody is stuck for the first time.

use super::Failure;
use crate::network::{Network, ProcessId, StateId};
use crate::semantics::{Configuration, Step};
use rustc_hash::FxHashMap;

/// More local states than this are not remembered for the sake of a shorter text.
const MOST_REMEMBERED: usize = 10_000_000;

/// The same failure, with a shorter run if there is one.
pub(super) fn shortened(network: &Network, component: &[ProcessId], failure: Failure) -> Failure {
    match failure {
        Failure::Deadlock { run } if network.processes.len().saturating_mul(run.len()) <= MOST_REMEMBERED => {
            Failure::Deadlock { run: until_stuck(network, component, run) }
        }
        Failure::Livelock { run, cycle } if cycle.len().saturating_mul(network.processes.len()) <= MOST_REMEMBERED => {
            let (run, cycle) = turned(network, run, cycle);
            Failure::Livelock { run, cycle }
        }
        other => other,
    }
}

/// While others can still go on, the run may end as soon as somebody is stuck.
fn until_stuck(network: &Network, component: &[ProcessId], mut run: Vec<Step>) -> Vec<Step> {
    let mut configuration = Configuration::start(network);
    run.iter().for_each(|&step| {
        configuration.take(network, step);
    });
    if component.iter().all(|&process| configuration.steps_of(network, process).is_empty()) {
        return run;
    }
    let mut configuration = Configuration::start(network);
    for done in 0..run.len() {
        let waits = configuration.waits(network, component);
        if !waits.deadlocked(network, |process| configuration.at(network, process)).is_empty() {
            run.truncate(done);
            break;
        }
        configuration.take(network, run[done]);
    }
    run
}

fn turned(network: &Network, mut run: Vec<Step>, mut cycle: Vec<Step>) -> (Vec<Step>, Vec<Step>) {
    let mut configuration = Configuration::start(network);
    run.iter().for_each(|&step| {
        configuration.take(network, step);
    });
    let mut on_cycle: FxHashMap<Vec<StateId>, usize> = FxHashMap::default();
    for (place, &step) in cycle.iter().enumerate() {
        on_cycle.entry(configuration.states.clone()).or_insert(place);
        configuration.take(network, step);
    }
    let mut configuration = Configuration::start(network);
    for done in 0..run.len() {
        if let Some(&place) = on_cycle.get(&configuration.states) {
            run.truncate(done);
            cycle.rotate_left(place);
            break;
        }
        configuration.take(network, run[done]);
    }
    (run, cycle)
}
