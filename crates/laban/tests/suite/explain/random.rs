//! What is true of every explanation, on random networks.

use super::networks::random_labels;
use super::{deadlock, network};
use crate::cases;
use laban::extraction::explain::{Explanation, ReplayError, RootKind, Waiting, Why, Witness, WitnessKind, explain};
use laban::generate::SeededRng;
use laban::network::{Network, ProcessId, State, components};
use laban::semantics::{Configuration, Step};
use std::collections::BTreeMap;

/// A few processes of a few actions each; some are services, most loop.
pub(super) fn random_network(random: &mut SeededRng) -> String {
    let count = 2 + random.below_u32(4);
    let units: Vec<String> = (0..count)
        .map(|process| {
            let body = body(random, process, count, 4);
            let service = if random.below_u32(8) == 0 { "service " } else { "" };
            format!("{service}p{process} {{ def X {{ p{}!<x>; {body} }} main {{ {body} }} }}", (process + 1) % count)
        })
        .collect();
    units.join(" | ")
}

/// Two that may loop forever, and others that wait, stop or go along.
pub(super) fn random_loop(random: &mut SeededRng) -> String {
    let count = 2 + random.below_u32(4);
    let aside = body(random, 0, count, 2);
    let (then, otherwise) = match random.below_u32(3) {
        0 => ("p1!<x>; X".to_string(), aside),
        1 => (aside, "p1!<x>; X".to_string()),
        _ => ("p1!<x>; X".to_string(), "p1!<y>; p1!<z>; X".to_string()),
    };
    let mut units = vec![
        format!("p0 {{ def X {{ if c then {then} else {otherwise} }} main {{ X }} }}"),
        "p1 { def X { p0?; p0?; X } main { p0?; X } }".to_string(),
    ];
    for process in 2..count {
        let body = body(random, process, count, 2);
        let service = if random.below_u32(4) == 0 { "service " } else { "" };
        units.push(format!("{service}p{process} {{ def X {{ p0?; {body} }} main {{ {body} }} }}"));
    }
    units.join(" | ")
}

fn body(random: &mut SeededRng, process: u32, count: u32, depth: u32) -> String {
    if depth == 0 {
        return if random.below_u32(2) == 0 { "stop".to_string() } else { "X".to_string() };
    }
    let partner = (process + 1 + random.below_u32(count - 1)) % count;
    let next = |random: &mut SeededRng| body(random, process, count, depth - 1);
    match random.below_u32(14) {
        0..=3 => format!("p{partner}!<e>; {}", next(random)),
        4..=7 => format!("p{partner}?; {}", next(random)),
        8 => format!("p{partner}+l; {}", next(random)),
        9 => format!("p{partner}+m; {}", next(random)),
        10 => format!("p{partner}&{{l: {}, m: {}}}", next(random), next(random)),
        11 => format!("p{partner}&{{l: {}}}", next(random)),
        12 => format!("if c then {} else {}", next(random), next(random)),
        _ => "stop".to_string(),
    }
}

/// Walks from each process that is stuck to whom it waits for, and so on: it comes to the root that was named.
fn check_chains(network: &Network, end: &Configuration, explanation: &Explanation) {
    for waiting in &explanation.stuck {
        let partners: Vec<ProcessId> = network.partners(end.state(network, waiting.process)).collect();
        assert_eq!(partners, [waiting.wish.partner()]);
        let root = &explanation.roots[waiting.root.unwrap()];
        assert_eq!(waiting.in_root, root.processes.contains(&waiting.process));
        let mut at = waiting.process;
        for _ in 0..=network.processes().len() {
            if root.processes.contains(&at) {
                break;
            }
            at = explanation.waiting(at).unwrap().wish.partner();
        }
        assert!(root.processes.contains(&at));
    }
    for root in &explanation.roots {
        let partner = |index: usize| explanation.waiting(root.processes[index]).unwrap().wish.partner();
        for index in 0..root.processes.len() {
            let expected = match root.kind {
                RootKind::Stopped { partner } => {
                    assert_eq!(end.state(network, partner), State::Stop);
                    partner
                }
                RootKind::Busy { partner } => {
                    assert!(explanation.active.contains(&partner));
                    partner
                }
                RootKind::Message { .. } => panic!("there are no queues"),
                RootKind::Circle | RootKind::Mismatch => root.processes[(index + 1) % root.processes.len()],
            };
            assert_eq!(partner(index), expected);
        }
        // Somebody who is not a service is held up by every cause.
        let held = |one: &Waiting| !one.service && one.root.is_some_and(|index| explanation.roots[index] == *root);
        assert!(explanation.stuck.iter().any(held));
    }
    for waiting in &explanation.waiting_services {
        assert!(waiting.service && waiting.root.is_none());
    }
}

/// All steps that are possible at once, again and again, until everyone is where they were: a fair run of one
/// component.
fn round_robin(network: &Network, component: &[ProcessId], random: &mut SeededRng) -> Option<Witness> {
    let outcomes: Vec<bool> = network.processes().iter().map(|_| random.below_u32(2) == 0).collect();
    let mut at = Configuration::start(network);
    let mut seen: BTreeMap<Configuration, usize> = BTreeMap::new();
    let mut run = Vec::new();
    loop {
        if let Some(&start) = seen.get(&at) {
            let cycle = run.split_off(start);
            let witness = Witness { kind: WitnessKind::Livelock, component: component.to_vec(), run, cycle };
            return Some(witness).filter(|witness| !witness.cycle.is_empty());
        }
        seen.insert(at.clone(), run.len());
        let possible: Vec<Step> = component.iter().flat_map(|&process| at.steps_of(network, process)).collect();
        for step in possible {
            match step {
                Step::Decision { process, holds, .. } if outcomes[process.index()] != holds => continue,
                _ => assert!(at.take(network, step)),
            }
            run.push(step);
        }
    }
}

#[test]
fn every_deadlock_that_a_naive_search_finds_is_explained() {
    let (mut found, mut early) = (BTreeMap::new(), 0);
    for seed in 0..cases(4_600) {
        let mut random = SeededRng::new(seed);
        // Labels that are not offered are rare, unless somebody sees to it.
        let source = if seed % 8 == 0 { random_labels(&mut random) } else { random_network(&mut random) };
        let network = network(&source);
        let Some(witness) = deadlock(&network) else { continue };
        let explanation = explain(&network, &witness).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        let mut end = Configuration::start(&network);
        witness.run.iter().for_each(|&step| assert!(end.take(&network, step)));
        check_chains(&network, &end, &explanation);
        let left = witness.component.iter().filter(|&&process| !end.has_stopped(&network, process)).count();
        assert_eq!(explanation.stuck.len() + explanation.waiting_services.len(), left, "seed {seed}: {source}");
        for waiting in &explanation.stuck {
            let why = format!("{:?}", waiting.why);
            let word = why.split([' ', '{']).next().unwrap_or_default().to_string();
            *found.entry(word).or_insert(0) += 1;
        }
        // Without its last step the same run shows nothing, unless somebody was stuck before; nor with it twice.
        if let Some(&last) = witness.run.last() {
            let shorter = Witness { run: witness.run[..witness.run.len() - 1].to_vec(), ..witness.clone() };
            let mut before = Configuration::start(&network);
            shorter.run.iter().for_each(|&step| assert!(before.take(&network, step)));
            let waits = before.waits(&network, &witness.component);
            let stuck = waits.deadlocked(&network, |process| before.at(&network, process));
            early += usize::from(!stuck.is_empty());
            match explain(&network, &shorter) {
                Ok(explanation) => {
                    let is_stuck = |process| explanation.waiting(process).is_some();
                    assert!(!stuck.is_empty() && stuck.into_iter().all(is_stuck), "seed {seed}");
                }
                Err(error) => {
                    assert!(stuck.is_empty() && matches!(error, ReplayError::NotDeadlocked(_)), "seed {seed}");
                }
            }
            let mut longer = witness.clone();
            longer.run.push(last);
            assert!(matches!(explain(&network, &longer), Err(ReplayError::Impossible { .. })), "seed {seed}");
        }
    }
    assert!(early > 100, "somebody was stuck before the end only {early} times");
    // Every reason was met, many times.
    assert_eq!(found.len(), 7, "{found:?}");
    assert!(found.values().all(|&count| count > 100), "{found:?}");
}

#[test]
fn every_fair_cycle_is_explained_or_starves_nobody() {
    let (mut starved, mut refused, mut busy) = (0, 0, 0);
    for seed in 0..cases(4_000) {
        let mut random = SeededRng::new(seed);
        let source = random_loop(&mut random);
        let network = network(&source);
        for component in components(&network) {
            let Some(witness) = round_robin(&network, &component, &mut random) else { continue };
            let mut end = Configuration::start(&network);
            witness.run.iter().for_each(|&step| assert!(end.take(&network, step)));
            let acts = |process: ProcessId| witness.cycle.iter().any(|step| step.actors().any(|one| one == process));
            let left: Vec<ProcessId> = component
                .iter()
                .copied()
                .filter(|&process| !acts(process) && !end.has_stopped(&network, process))
                .collect();
            let somebody = left.iter().any(|process| !network.processes()[process.index()].service);
            match explain(&network, &witness) {
                Ok(explanation) => {
                    assert!(somebody, "seed {seed}: {source}");
                    check_chains(&network, &end, &explanation);
                    assert_eq!(explanation.stuck.len() + explanation.waiting_services.len(), left.len());
                    busy += explanation.stuck.iter().filter(|waiting| waiting.why == Why::PartnerBusy).count();
                    starved += 1;
                }
                Err(error) => {
                    assert_eq!((error, somebody), (ReplayError::NobodyStarved, false), "seed {seed}: {source}");
                    refused += 1;
                }
            }
        }
    }
    assert!(starved > 100 && refused > 100 && busy > 100, "{starved} starved, {refused} refused, {busy} busy");
}
