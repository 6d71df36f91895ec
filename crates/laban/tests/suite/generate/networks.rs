//! Networks to change: projections of random choreographies, and wild ones that make no sense but are well-formed.

use laban::choreography::{amend, project};
use laban::diagnostic::has_errors;
use laban::generate::{Parameters, SeededRng, choreography, network};
use laban::network::{Network, State, StateId, lower, read_off};
use laban::syntax::{Compact, NetworkTree, parse_network};
use laban::{AmendOptions, ProjectOptions};
use std::collections::BTreeMap;

/// A network that follows a random choreography, of which some have loops and some have none.
pub(crate) fn projected(seed: u64) -> NetworkTree {
    let parameters = [
        Parameters::new(12, 4, 2, 2),
        Parameters::new(20, 5, 8, 1),
        Parameters::new(20, 5, 8, 5),
        Parameters::new(30, 6, 0, 3),
        Parameters::new(10, 3, 1, 0),
        Parameters::new(6, 3, 2, 2),
    ];
    let parameters = parameters[(seed % 6) as usize];
    parse_network(&Compact(&network(&parameters, seed).unwrap().network_tree).to_string()).tree
}

/// A network that follows a random choreography to which as few selections as possible were added: loops may starve
/// somebody.
pub(crate) fn starving(seed: u64) -> NetworkTree {
    let tree = choreography(&Parameters::new(14, 4, 4, 3), seed).unwrap();
    let amended = amend(&tree, &AmendOptions::default()).unwrap().tree;
    let projection =
        project(&laban::choreography::lower(&amended).choreography.unwrap(), &ProjectOptions::default()).unwrap();
    parse_network(&Compact(&read_off(&projection.network, &projection.procedures)).to_string()).tree
}

/// A network in which each process does what it likes. Some procedures are nothing but a call of an earlier one.
pub(crate) fn wild(seed: u64) -> NetworkTree {
    let mut dice = SeededRng::for_purpose(seed, 1000);
    let names = ["p", "q", "r", "s"];
    let count = 2 + dice.below_u32(3) as usize;
    let mut text = String::new();
    for process in 0..count {
        let procedures = dice.below_u32(4);
        if process > 0 {
            text.push_str(" | ");
        }
        if dice.below_u32(6) == 0 {
            text.push_str("service ");
        }
        text.push_str(&format!("{} {{ ", names[process]));
        for number in 0..procedures {
            let body = match dice.below_u32(8) {
                0 if number > 0 => format!("X{}", dice.below_u32(number)),
                _ => {
                    let start = action(&mut dice, &names[..count], process);
                    start + &body(&mut dice, &names[..count], process, procedures, 6)
                }
            };
            text.push_str(&format!("def X{number} {{ {body} }} "));
        }
        text.push_str(&format!("main {{ {} }} }}", body(&mut dice, &names[..count], process, procedures, 6)));
    }
    let parsed = parse_network(&text);
    assert!(parsed.diagnostics.is_empty(), "{text}");
    parsed.tree
}

fn partner<'a>(dice: &mut SeededRng, names: &[&'a str], process: usize) -> &'a str {
    let other = dice.below_u32(names.len() as u32 - 1) as usize;
    names[if other < process { other } else { other + 1 }]
}

fn action(dice: &mut SeededRng, names: &[&str], process: usize) -> String {
    let other = partner(dice, names, process);
    match dice.below_u32(3) {
        0 => format!("{other}!<x{}>; ", dice.below_u32(2)),
        1 => format!("{other}?; "),
        _ => format!("{other}+l{}; ", dice.below_u32(2)),
    }
}

fn body(dice: &mut SeededRng, names: &[&str], process: usize, procedures: u32, fuel: u32) -> String {
    let end = |dice: &mut SeededRng| match dice.below_u32(procedures + 1) {
        0 => "stop".to_string(),
        number => format!("X{}", number - 1),
    };
    let choice = dice.below_u32(6);
    if fuel == 0 || choice == 0 {
        return end(dice);
    }
    let arm = |dice: &mut SeededRng| body(dice, names, process, procedures, fuel - 1);
    match choice {
        1 => format!("if e{} then {} else {}", dice.below_u32(2), arm(dice), arm(dice)),
        2 => {
            let labels = (0..1 + dice.below_u32(3)).map(|label| format!("l{label}: {}", arm(dice)));
            let branches = labels.collect::<Vec<_>>().join(", ");
            format!("{}&{{{branches}}}", partner(dice, names, process))
        }
        _ => action(dice, names, process) + &arm(dice),
    }
}

/// The network of a tree that must be well-formed.
pub(crate) fn lowered(tree: &NetworkTree) -> Network {
    let lowered = lower(tree);
    assert!(!has_errors(&lowered.diagnostics), "{}: {:?}", Compact(tree), lowered.diagnostics);
    lowered.network.unwrap()
}

/// The text of each process.
pub(crate) fn processes(tree: &NetworkTree) -> Vec<String> {
    let mut one = tree.clone();
    let text = |unit: &laban::syntax::Unit| {
        one.units = vec![unit.clone()];
        Compact(&one).to_string()
    };
    tree.units.iter().map(text).collect()
}

/// Checks what is true of every edited network: it is well-formed, it is what its text says, and all but one process
/// are as they were. Gives the number of that one.
pub(crate) fn check_edited(before: &NetworkTree, after: &NetworkTree) -> Option<usize> {
    let text = Compact(after).to_string();
    let parsed = parse_network(&text);
    assert!(parsed.diagnostics.is_empty(), "{text}");
    assert!(parsed.tree.eq_ignoring_spans(after), "{text}");
    lowered(after);
    let pairs: Vec<(String, String)> = processes(before).into_iter().zip(processes(after)).collect();
    assert_eq!(pairs.len(), before.units.len());
    assert_eq!(pairs.len(), after.units.len());
    let changed: Vec<usize> = (0..pairs.len()).filter(|&number| pairs[number].0 != pairs[number].1).collect();
    assert!(changed.len() <= 1, "{}\n{text}", Compact(before));
    changed.first().copied()
}

/// For each process, whether it does the same in both networks: all local states in one graph, and the starts must be
/// alike.
pub(crate) fn bisimilar(networks: [&Network; 2]) -> Vec<bool> {
    let mut labels = BTreeMap::<String, u64>::new();
    let mut graph: Vec<(u64, Vec<u32>)> = Vec::new();
    let mut shift = 0;
    for network in networks {
        for id in (0..network.states().len() as u32).map(StateId) {
            let (mut text, targets) = describe(network, id);
            if network.is_idle(id) {
                text.insert_str(0, "idle ");
            }
            let next = labels.len() as u64;
            let label = *labels.entry(text).or_insert(next);
            graph.push((label, targets.iter().map(|target| target + shift).collect()));
        }
        shift += network.states().len() as u32;
    }
    let class_of = alike(&graph);
    let [one, other] = networks;
    assert_eq!(one.processes().len(), other.processes().len());
    let pairs = one.processes().iter().zip(other.processes());
    pairs.map(|(a, b)| class_of[a.start.index()] == class_of[b.start.index() + one.states().len()]).collect()
}

/// For each node of a graph a number, the same for those that behave alike: told apart again and again until nothing
/// changes.
fn alike(graph: &[(u64, Vec<u32>)]) -> Vec<usize> {
    let mut class_of = vec![0; graph.len()];
    let mut count = 0;
    loop {
        let mut numbers = BTreeMap::new();
        let look = |(label, next): &(u64, Vec<u32>)| {
            let next: Vec<usize> = next.iter().map(|&next| class_of[next as usize]).collect();
            let fresh = numbers.len();
            *numbers.entry((*label, next)).or_insert(fresh)
        };
        let refined: Vec<usize> = graph.iter().map(look).collect();
        class_of = refined;
        if numbers.len() == count {
            return class_of;
        }
        count = numbers.len();
    }
}

/// What a process does in a state, in words that do not depend on numbers, and the states that follow.
fn describe(network: &Network, id: StateId) -> (String, Vec<u32>) {
    let name = |process| network.process_name(process);
    let text = |symbol| network.text(symbol);
    match network.state(id) {
        State::Stop => ("stop".to_string(), Vec::new()),
        State::Send { to, expression, next } => (format!("{}!{}", name(to), text(expression)), vec![next.0]),
        State::Receive { from, next } => (format!("{}?", name(from)), vec![next.0]),
        State::Select { to, label, next } => (format!("{}+{}", name(to), text(label)), vec![next.0]),
        State::Offer { from, branches } => {
            let mut arms: Vec<(&str, u32)> =
                network.branches(branches).iter().map(|branch| (text(branch.label), branch.next.0)).collect();
            arms.sort_unstable();
            let labels: Vec<&str> = arms.iter().map(|arm| arm.0).collect();
            (format!("{}&{}", name(from), labels.join(",")), arms.iter().map(|arm| arm.1).collect())
        }
        State::If { condition, then, otherwise } => (format!("if {}", text(condition)), vec![then.0, otherwise.0]),
        State::SelectValue { to, label, expression, next } => {
            (format!("{}+{}<{}>", name(to), text(label), text(expression)), vec![next.0])
        }
        State::Choose { arms } => ("choose".to_string(), network.arms(arms).iter().map(|arm| arm.0).collect()),
        State::Any { items } => ("any".to_string(), network.arms(items).iter().map(|item| item.0).collect()),
    }
}
