//! Whether a witness shows what it claims, step by step with the plain semantics.

use crate::twin::is_deadlock;
use laban::extraction::{Component, Failure};
use laban::network::{Network, ProcessId, minimise};
use laban::semantics::{Configuration, Step};

/// Says what is wrong with the witness of a failure.
pub(crate) fn replay(network: &Network, component: &Component, failure: &Failure) -> Result<(), String> {
    let mut configuration = Configuration::start(network);
    match failure {
        Failure::Deadlock { run } => {
            follow(network, &mut configuration, run)?;
            match is_deadlock(network, &configuration, &component.processes) {
                true => Ok(()),
                false => Err("nobody is stuck forever at the end of the run".to_string()),
            }
        }
        Failure::Orphan { .. } | Failure::Unbounded { .. } => Err("there are no queues".to_string()),
        Failure::Livelock { run, cycle } => {
            follow(network, &mut configuration, run)?;
            let start = configuration.clone();
            let actors: Vec<ProcessId> = cycle.iter().flat_map(|step| step.actors()).collect();
            for &step in cycle {
                // What is possible stays so until it is taken, so it is enough that who takes the initiative acts.
                let left_out = |step: &Step| step.actors().next().is_none_or(|actor| !actors.contains(&actor));
                if let Some(step) = steps(network, &configuration, component).into_iter().find(left_out) {
                    return Err(format!("the cycle is not fair: {step:?} is never taken"));
                }
                follow(network, &mut configuration, &[step])?;
            }
            let class_of = minimise(network).state_of;
            let classes = |configuration: &Configuration| -> Vec<_> {
                configuration.states.iter().map(|state| class_of[state.index()]).collect()
            };
            if cycle.is_empty() || classes(&start) != classes(&configuration) {
                return Err("the cycle does not come back to where it starts".to_string());
            }
            let starved = |&&process: &&ProcessId| runs(network, &configuration, process) && !actors.contains(&process);
            match component.processes.iter().find(starved) {
                Some(_) => Ok(()),
                None => Err("the cycle starves nobody".to_string()),
            }
        }
    }
}

fn follow(network: &Network, configuration: &mut Configuration, run: &[Step]) -> Result<(), String> {
    match run.iter().position(|&step| !configuration.take(network, step)) {
        Some(place) => Err(format!("step {place} of {run:?} is not possible")),
        None => Ok(()),
    }
}

fn steps(network: &Network, configuration: &Configuration, component: &Component) -> Vec<Step> {
    component.processes.iter().flat_map(|&process| configuration.steps_of(network, process)).collect()
}

fn runs(network: &Network, configuration: &Configuration, process: ProcessId) -> bool {
    !network.processes()[process.index()].service && !configuration.has_stopped(network, process)
}
