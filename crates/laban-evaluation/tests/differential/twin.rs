//! A second way to decide networks, with nothing in common with the search but the semantics.
//!
//! Actions that are possible together concern different processes. So all of them can be taken at once, in one *round*,
//! and only the outcomes of decisions branch. Nothing possible ever waits: every infinite path of rounds is a fair run,
//! and every fair run is such a path up to the order of independent actions. There are no markings, no strategies and
//! no minimisation here, and every configuration is kept in full.

use crate::cycles::has_cycle;
use laban::extraction::Verdict;
use laban::network::{Network, ProcessId, components};
use laban::semantics::{Configuration, Step};
use std::collections::HashMap;

/// What becomes of a network; nothing if a component has more configurations than allowed.
pub(crate) fn decide(network: &Network, most: usize) -> Option<Verdict> {
    let mut verdict = Verdict::Extracted;
    for component in components(network) {
        match decide_component(network, &component, most)? {
            Verdict::Deadlock => return Some(Verdict::Deadlock),
            Verdict::Livelock => verdict = Verdict::Livelock,
            Verdict::Extracted | Verdict::Undecided | Verdict::Orphan | Verdict::Unbounded => {}
        }
    }
    Some(verdict)
}

/// All rounds between the configurations of a component.
struct Rounds {
    configurations: Vec<Configuration>,
    /// From where to where, and who acts.
    edges: Vec<(u32, u32, Vec<ProcessId>)>,
}

fn decide_component(network: &Network, component: &[ProcessId], most: usize) -> Option<Verdict> {
    let mut rounds = Rounds { configurations: vec![Configuration::start(network)], edges: Vec::new() };
    let mut number_of = HashMap::from([(rounds.configurations[0].clone(), 0u32)]);
    let mut here = 0;
    while here < rounds.configurations.len() {
        let configuration = rounds.configurations[here].clone();
        let possible: Vec<Vec<Step>> = component
            .iter()
            .map(|&process| configuration.steps_of(network, process))
            .filter(|steps| !steps.is_empty())
            .collect();
        if is_deadlock(network, &configuration, component) {
            return Some(Verdict::Deadlock);
        }
        for round in outcomes(&possible) {
            let mut after = configuration.clone();
            assert!(round.iter().all(|&step| after.take(network, step)), "steps of a round get in each other's way");
            let there = *number_of.entry(after).or_insert_with_key(|after| {
                rounds.configurations.push(after.clone());
                rounds.configurations.len() as u32 - 1
            });
            rounds.edges.push((here as u32, there, round.iter().flat_map(|step| step.actors()).collect()));
        }
        if rounds.configurations.len() > most {
            return None;
        }
        here += 1;
    }
    let starved = component.iter().any(|&process| is_starved(network, &rounds, process));
    Some(if starved { Verdict::Livelock } else { Verdict::Extracted })
}

/// Whether some process is neither done nor a service and will never act again, whatever the others do: it can do
/// nothing now, and waits for one of which the same is true. Of all processes that can do nothing, those are thrown out
/// who wait for one that is out, until nothing changes.
pub(crate) fn is_deadlock(network: &Network, configuration: &Configuration, component: &[ProcessId]) -> bool {
    let steps = component.iter().flat_map(|&process| configuration.steps_of(network, process));
    let busy: Vec<ProcessId> = steps.flat_map(|step| step.actors().collect::<Vec<_>>()).collect();
    let mut left: Vec<ProcessId> = component.iter().copied().filter(|process| !busy.contains(process)).collect();
    loop {
        let before = left.clone();
        left.retain(|&process| {
            network.partners(configuration.state(network, process)).all(|partner| before.contains(&partner))
        });
        if left == before {
            return left.iter().any(|&process| runs(network, configuration, process));
        }
    }
}

/// Whether a process is neither done nor a service.
fn runs(network: &Network, configuration: &Configuration, process: ProcessId) -> bool {
    !network.processes()[process.index()].service && !configuration.has_stopped(network, process)
}

/// One outcome of each action, in all combinations; nothing if there are no actions.
fn outcomes(possible: &[Vec<Step>]) -> Vec<Vec<Step>> {
    if possible.is_empty() {
        return Vec::new();
    }
    possible.iter().fold(vec![Vec::new()], |rounds, steps| {
        let longer = |round: &Vec<Step>| steps.iter().map(|&step| [&round[..], &[step]].concat()).collect::<Vec<_>>();
        rounds.iter().flat_map(longer).collect()
    })
}

/// Whether rounds can go in a circle while a process runs and never acts.
fn is_starved(network: &Network, rounds: &Rounds, process: ProcessId) -> bool {
    let mut without = vec![Vec::new(); rounds.configurations.len()];
    for (from, to, actors) in &rounds.edges {
        if runs(network, &rounds.configurations[*from as usize], process) && !actors.contains(&process) {
            without[*from as usize].push(*to);
        }
    }
    has_cycle(&without)
}
