//! Networks with queues as Promela, for a second opinion on what can happen: `scripts/check-promela` asks Spin.
//!
//! Only bounded queues can be written down, and only where everything comes to a standstill is compared: Spin finds an
//! invalid end state if somebody who may not wait has not stopped, or if a message lies in a queue.

use super::random_network;
use crate::cases;
use crate::races::twin::Space;
use laban::network::{Channel, Channels, Network, ProcessId, State, StateId};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The network as Promela. Of a message only the label matters: values are 0, labels are numbers from 1.
fn promela(network: &Network) -> String {
    let mut text = String::new();
    let count = network.processes().len();
    for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))).filter(|(from, to)| from != to) {
        let capacity = match network.channel(ProcessId(from as u32), ProcessId(to as u32)) {
            Channel::Queue { bound } => bound.unwrap_or(0),
            Channel::Rendezvous => 0,
        };
        writeln!(text, "chan c{from}_{to} = [{capacity}] of {{ short }};").unwrap();
    }
    for (number, process) in network.processes().iter().enumerate() {
        writeln!(text, "active proctype p{number}() {{ goto {};", label(network, number, process.start)).unwrap();
        for state in (process.states.start..process.states.end).map(StateId) {
            let ways: Vec<String> = ways(network, number, state).iter().map(|way| format!(":: {way}")).collect();
            let body = if ways.is_empty() { "goto done".to_string() } else { format!("if {} fi", ways.join(" ")) };
            writeln!(text, "{}: {body};", label(network, number, state)).unwrap();
        }
        writeln!(text, "done: skip }}").unwrap();
    }
    text
}

/// The label of a state: where a process may wait forever, it may also end.
fn label(network: &Network, process: usize, state: StateId) -> String {
    let end = if network.may_wait(ProcessId(process as u32), state) { "end_" } else { "" };
    format!("{end}s{}", state.0)
}

/// How a process can go on from a state.
fn ways(network: &Network, own: usize, state: StateId) -> Vec<String> {
    let to = |next: StateId| format!("goto {}", label(network, own, next));
    match network.state(state) {
        State::If { then, otherwise, .. } => vec![to(then), to(otherwise)],
        State::Choose { arms } => network.arms(arms).iter().map(|&arm| to(arm)).collect(),
        _ => network.items(state).flat_map(|item| item_ways(network, own, item, to)).collect(),
    }
}

fn item_ways(network: &Network, own: usize, item: State, to: impl Fn(StateId) -> String) -> Vec<String> {
    match item {
        State::Send { to: partner, next, .. } => vec![format!("c{own}_{}!0 -> {}", partner.0, to(next))],
        State::Select { to: partner, label, next } | State::SelectValue { to: partner, label, next, .. } => {
            vec![format!("c{own}_{}!{} -> {}", partner.0, label.0 + 1, to(next))]
        }
        State::Receive { from, next } => vec![format!("c{}_{own}?0 -> {}", from.0, to(next))],
        State::Offer { from, branches } => {
            let branches = network.branches(branches).iter();
            branches.map(|it| format!("c{}_{own}?{} -> {}", from.0, it.label.0 + 1, to(it.next))).collect()
        }
        State::Stop | State::If { .. } | State::Choose { .. } | State::Any { .. } => Vec::new(),
    }
}

/// Whether everything can come to a standstill as it should not.
fn stands_still(network: &Network, space: &Space<'_>) -> bool {
    space.configurations().iter().any(|at| {
        let waits = |process| network.may_wait(process, at.at(network, process));
        at.steps(network).is_empty() && !(at.queues.is_empty() && network.process_ids().all(waits))
    })
}

#[test]
fn networks_with_bounded_queues_can_be_written_as_promela() {
    let folder = std::env::var_os("PROMELA").map(std::path::PathBuf::from);
    let mut seen = [0, 0];
    for seed in 0..cases(300) {
        let Some((_, mut network)) = random_network(seed) else { continue };
        let bound = Channel::Queue { bound: Some(1 + (seed / 2 % 3) as u32) };
        let single = network.channels().single.iter().filter(|(.., channel)| !channel.is_queue()).copied().collect();
        network.set_channels(Channels { default: bound, single });
        let space = Space::beginning(&network, 3000, usize::MAX);
        if !space.is_complete() {
            continue;
        }
        let text = promela(&network);
        let words = || text.split_whitespace();
        let labels: BTreeSet<&str> = words().filter_map(|word| word.strip_suffix(':')).collect();
        let jumps = words().zip(words().skip(1)).filter(|(word, _)| *word == "goto").map(|(_, label)| label);
        for jump in jumps.map(|label| label.trim_end_matches(';')) {
            assert!(labels.contains(jump), "seed {seed}: {jump} is nowhere\n{text}");
        }
        let expected = stands_still(&network, &space);
        seen[usize::from(expected)] += 1;
        if let Some(folder) = &folder {
            let name = format!("{seed}-{}.pml", if expected { "stuck" } else { "fine" });
            std::fs::write(folder.join(name), &text).unwrap();
        }
    }
    println!("{seen:?}");
    assert!(seen.iter().all(|&count| count >= cases(50)), "{seen:?}");
}
