//! The smallest automata: what replaces a state does the same, nothing that is left does the same as something else
//! of its process, and what has nothing to merge stays as it is.

#![allow(clippy::unwrap_used)]

use laban::generate::{Parameters, fuzz, network};
use laban::network::{Network, State, StateId, lower, minimise};
use laban::syntax::parse_network;
use std::collections::BTreeMap;

/// What a state does, and where that leads, by name and number of the process rather than by symbol.
fn local(network: &Network, state: StateId) -> (String, Vec<StateId>) {
    let text = |symbol| network.text(symbol).to_string();
    match network.state(state) {
        State::Stop => ("stop".to_string(), Vec::new()),
        State::Send { to, expression, next } => (format!("{}!{}", to.0, text(expression)), vec![next]),
        State::Receive { from, next } => (format!("{}?", from.0), vec![next]),
        State::Select { to, label, next } => (format!("{}+{}", to.0, text(label)), vec![next]),
        State::If { condition, then, otherwise } => (format!("if {}", text(condition)), vec![then, otherwise]),
        State::Offer { from, branches } => {
            let branches = network.branches(branches);
            let labels: Vec<String> = branches.iter().map(|branch| text(branch.label)).collect();
            (format!("{}&{}", from.0, labels.join(",")), branches.iter().map(|branch| branch.next).collect())
        }
        State::SelectValue { to, label, expression, next } => {
            (format!("{}+{}<{}>", to.0, text(label), text(expression)), vec![next])
        }
        State::Choose { arms } => ("choose".to_string(), network.arms(arms).to_vec()),
        State::Any { items } => ("any".to_string(), network.arms(items).to_vec()),
    }
}

/// The naive twin: tells states of two networks apart, one step further each time, until nothing changes.
fn classes(networks: [&Network; 2]) -> [Vec<usize>; 2] {
    let mut classes = networks.map(|network| vec![0; network.states().len()]);
    let mut count = 1;
    loop {
        let mut numbers = BTreeMap::new();
        let mut next = classes.clone();
        for (side, network) in networks.into_iter().enumerate() {
            for (owner, process) in network.processes().iter().enumerate() {
                for state in process.states.start..process.states.end {
                    let (action, targets) = local(network, StateId(state));
                    let targets: Vec<usize> = targets.iter().map(|target| classes[side][target.index()]).collect();
                    let fresh = numbers.len();
                    next[side][state as usize] = *numbers.entry((owner, action, targets)).or_insert(fresh);
                }
            }
        }
        classes = next;
        if numbers.len() == count {
            return classes;
        }
        count = numbers.len();
    }
}

/// Minimises and checks. Gives how many states were merged.
fn check(network: &Network) -> usize {
    let small = minimise(network);
    let [before, after] = classes([network, &small.network]);
    for (state, stands) in small.state_of.iter().enumerate() {
        assert_eq!(before[state], after[stands.index()], "state {state}");
    }
    let mut distinct = after.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), after.len(), "two states that are left do the same");
    for (process, old) in small.network.processes().iter().zip(network.processes()) {
        assert_eq!(after[process.start.index()], before[old.start.index()]);
        assert!((process.states.start..process.states.end).contains(&process.start.0));
    }
    network.states().len() - small.network.states().len()
}

fn lowered(text: &str) -> Network {
    lower(&parse_network(text).tree).network.unwrap()
}

#[test]
fn minimised_networks_do_the_same_and_cannot_be_smaller() {
    let (mut merged, mut untouched) = (0, 0);
    for seed in 0..400 {
        let (ifs, procedures) = (seed as u32 % 5, seed as u32 / 5 % 4);
        let generated = network(&Parameters::new(24, 4, ifs, procedures), seed).unwrap();
        for tree in [generated.network_tree.clone(), fuzz(&generated.network_tree, 1, 1, seed).0] {
            let Some(network) = lower(&tree).network else { continue };
            match check(&network) {
                0 => untouched += 1,
                _ => merged += 1,
            }
        }
    }
    assert!(merged > 100 && untouched > 100, "seeds 0..400: {merged} with something to merge, {untouched} without");
}

#[test]
fn rows_of_actions_stay_as_they_are() {
    let network = lowered("p { main { q!<x>; q!<x>; q?; q+a; q&{b: stop} } } | q { main { p?; p?; stop } }");
    let small = minimise(&network);
    assert_eq!(small.network.states(), network.states());
    assert!(small.state_of.iter().enumerate().all(|(number, state)| state.index() == number));
    assert_eq!(check(&network), 0);
}

#[test]
fn a_row_beside_a_loop_keeps_its_states() {
    let loops = "q { def X { p?; p?; X } main { p?; X } }";
    let row = "p { main { q!<x>; q!<x>; stop } }";
    for text in [format!("{row} | {loops}"), format!("{loops} | {row}")] {
        assert_eq!(check(&lowered(&text)), 2, "{text}");
    }
}

#[test]
fn procedures_that_nobody_calls_do_not_make_a_row() {
    let network = lowered("p { def X { q!<x>; stop } main { q!<x>; stop } } | q { main { p?; stop } }");
    check(&network);
}
