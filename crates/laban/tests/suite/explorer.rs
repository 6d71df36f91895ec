//! The explorer against its naive twin: configurations of the plain semantics with a set of marked processes.

use crate::cases;
use laban::analyse;
use laban::extraction::explorer::{Arrival, Explorer, Initiative};
use laban::extraction::{Machine, Order, Strategy};
use laban::generate::{Parameters, fuzz, network};
use laban::network::{Network, ProcessId, lower};
use laban::semantics::{Action, Configuration, Step};
use std::collections::{BTreeMap, BTreeSet};

/// How many states are looked at, of one network.
const MOST: usize = 150;

/// A state of the twin: where the processes are, and which have acted since the marking was erased, or need not act.
type Joint = (Configuration, BTreeSet<ProcessId>);

/// Services, and processes that have stopped.
fn done(network: &Network, at: &Configuration) -> BTreeSet<ProcessId> {
    let is_done =
        |process: &ProcessId| network.processes()[process.index()].service || at.has_stopped(network, *process);
    network.process_ids().filter(is_done).collect()
}

/// Where a step leads, and whether the marking is erased.
fn after(network: &Network, (at, marked): &Joint, step: Step) -> (Joint, bool) {
    let (mut at, mut marked) = (at.clone(), marked.clone());
    assert!(at.take(network, step), "{step:?}");
    marked.extend(step.actors());
    let erased = marked.len() == network.processes().len();
    if erased {
        marked = done(network, &at);
    }
    ((at, marked), erased)
}

/// Where an action comes in the order of a strategy, unless that depends on sizes or is random.
fn place(strategy: Strategy, action: Action, marked: &BTreeSet<ProcessId>) -> Option<(bool, u32, ProcessId)> {
    let step = action.step(0)?;
    let is_late = strategy.unmarked_first && step.actors().all(|process| marked.contains(&process));
    let is_selection = step.interaction().is_some_and(|interaction| interaction.content.label().is_some());
    let key = match strategy.order {
        Order::Processes => 0,
        Order::InteractionsFirst => u32::from(action.is_decision()),
        Order::ConditionalsFirst => u32::from(!action.is_decision()),
        Order::SelectionsFirst => [1, 0, 2][if action.is_decision() { 2 } else { usize::from(is_selection) }],
        Order::LongestFirst | Order::ShortestFirst | Order::Random => return None,
    };
    Some((is_late, key, step.initiator()))
}

/// Walks through all states of a network with both; how many there are.
fn walk(network: &Network) -> usize {
    let processes: Vec<ProcessId> = network.process_ids().collect();
    let machine = Machine::new(network, &processes);
    let mut explorer = Explorer::new(&machine);
    let start = Configuration::start(network);
    let marked = done(network, &start);
    let mut states: Vec<Joint> = vec![(start, marked)];
    let mut numbers: BTreeMap<Joint, u32> = BTreeMap::from([(states[0].clone(), 0)]);
    let mut next = 0;
    while next < states.len().min(MOST) {
        let here = states[next].clone();
        let (at, marked) = &here;
        explorer.go_to(next as u32);
        let mut possible = at.steps(network);
        possible.sort();
        let enabled: Vec<(Initiative, Action)> = explorer
            .enabled()
            .into_iter()
            .map(|initiative| (initiative, machine.actions()[explorer.action(initiative).unwrap().0.0 as usize]))
            .collect();
        let mut steps: Vec<Step> = enabled.iter().flat_map(|(_, action)| action.steps()).collect();
        steps.sort();
        assert_eq!(steps, possible);
        assert_eq!(explorer.is_stuck(), possible.is_empty());
        assert_eq!(explorer.all_done(), done(network, at).len() == processes.len());
        for &strategy in Strategy::ALL {
            ordered(&mut explorer, strategy, marked, &enabled);
        }
        for &(initiative, action) in &enabled {
            for (outcome, step) in action.steps().enumerate() {
                explorer.go_to(next as u32);
                let (there, erased) = after(network, &here, step);
                let known = numbers.get(&there).copied();
                let expected = known.map(|state| Arrival { state, is_new: false, erased });
                assert_eq!(explorer.look(initiative, outcome, |_| true), expected, "{step:?}");
                assert_eq!(explorer.look(initiative, outcome, |_| false), None);
                let new = Arrival { state: states.len() as u32, is_new: true, erased };
                assert_eq!(explorer.follow(initiative, outcome, |_| true), Some(expected.unwrap_or(new)), "{step:?}");
                if known.is_none() {
                    numbers.insert(there.clone(), states.len() as u32);
                    states.push(there);
                }
                assert_eq!(explorer.len(), states.len());
            }
            explorer.go_to(next as u32);
            assert_eq!(explorer.follow(initiative, action.outcomes(), |_| true), None, "there is no such outcome");
        }
        next += 1;
    }
    forgotten(&mut explorer, states.len());
    states.len()
}

/// Checks the order of what is possible.
fn ordered(
    explorer: &mut Explorer<'_>,
    strategy: Strategy,
    marked: &BTreeSet<ProcessId>,
    enabled: &[(Initiative, Action)],
) {
    let ranked = |explorer: &mut Explorer<'_>, seed| -> Vec<Action> {
        let chosen = (0..).map_while(|rank| explorer.choose(strategy, seed, rank));
        let action = |one: Initiative| enabled.iter().find(|(other, _)| *other == one).map(|(_, action)| *action);
        chosen.map(|initiative| action(initiative).unwrap()).collect()
    };
    let order = ranked(explorer, 7);
    assert_eq!(order, ranked(explorer, 7), "{}", strategy.name);
    let mut expected: Vec<Action> = enabled.iter().map(|(_, action)| *action).collect();
    if expected.iter().all(|&action| place(strategy, action, marked).is_some()) {
        expected.sort_by_key(|&action| place(strategy, action, marked));
        assert_eq!(order, expected, "{}", strategy.name);
    }
    let late = |action: &Action| {
        strategy.unmarked_first && action.step(0).is_some_and(|step| step.actors().all(|one| marked.contains(&one)))
    };
    assert!(order.is_sorted_by_key(late), "{}", strategy.name);
    let all = |mut order: Vec<Action>| {
        order.sort();
        order
    };
    assert_eq!(all(order), all(expected), "{}", strategy.name);
}

/// What is forgotten is not known any more, and its numbers are given anew.
fn forgotten(explorer: &mut Explorer<'_>, count: usize) {
    let bytes = explorer.bytes();
    explorer.forget_from(1);
    assert_eq!(explorer.len(), 1);
    explorer.go_to(1);
    explorer.go_to(0);
    for initiative in explorer.enabled() {
        if let Some(arrival) = explorer.follow(initiative, 0, |_| true).filter(|arrival| arrival.is_new) {
            assert_eq!((arrival.state, explorer.len()), (1, 2));
            assert!(explorer.bytes() <= bytes && explorer.bytes() > 0, "{count} states take no less than two");
            break;
        }
    }
}

#[test]
fn the_explorer_goes_where_the_plain_semantics_goes() {
    let chain: Vec<String> = (0..70)
        .map(|number| match number {
            0 => "p0 { main { p1!<x>; p69?; stop } }".to_string(),
            _ => format!("p{number} {{ main {{ p{}?; p{}!<x>; stop }} }}", number - 1, (number + 1) % 70),
        })
        .collect();
    for text in [
        "p { main { stop } }",
        "p { def X { if c then q+l; X else q+r; stop } main { X } } | q { def Y { p&{l: r!<x>; Y, r: r!<y>; stop} } main { Y } }
            | r { def Z { q?; Z } main { Z } }",
        "p { main { choose { q+a<1>; stop, q+b; stop, q+c; q!<x>; stop } } } | q { main { p&{a: stop, b: stop, c: p?; stop} } }
            | r { main { s!<x>; stop } } | s { main { if d then r?; stop else r?; stop } }",
        "p { def X { s!<x>; X } main { X } } | service s { def Y { p?; Y } main { Y } } | q { main { if e then stop else r!<x>; stop } }
            | r { main { q?; stop } }",
        "a { main { b!<x>; stop } } | b { main { c!<x>; stop } } | c { main { a!<x>; stop } } | d { main { e+l; stop } }
            | e { main { d&{m: stop} } }",
        &chain.join(" | "),
    ] {
        assert!(walk(&analyse(text).into_network().unwrap()) >= 1, "{text}");
    }
}

#[test]
fn the_explorer_goes_where_the_plain_semantics_goes_in_random_networks() {
    let mut states = 0;
    for seed in 0..cases(20) {
        let Ok(made) = network(&Parameters::new(10, 4, 2, 1), seed) else { continue };
        let (edited, _) = fuzz(&made.network_tree, 1, 1, seed);
        for tree in [&made.network_tree, &edited] {
            if let Some(network) = lower(tree).network {
                states += walk(&network);
            }
        }
    }
    assert!(states > 200, "{states}");
}

#[test]
fn the_longest_and_the_shortest_come_first() {
    let text = "a { main { b!<x>; stop } } | b { main { a?; stop } } | c { main { d!<x>; d!<y>; d!<z>; stop } }
        | d { main { c?; c?; c?; stop } } | e { main { if f then stop else f!<x>; stop } } | f { main { e?; e?; e?; e?; stop } }";
    let network = analyse(text).into_network().unwrap();
    let processes: Vec<ProcessId> = network.process_ids().collect();
    let machine = Machine::new(&network, &processes);
    let mut explorer = Explorer::new(&machine);
    let mut order = |name: &str| -> Vec<String> {
        let strategy = Strategy::named(name).unwrap();
        let chosen: Vec<Initiative> = (0..).map_while(|rank| explorer.choose(strategy, 0, rank)).collect();
        let action = |one: &Initiative| machine.actions()[explorer.action(*one).unwrap().0.0 as usize];
        chosen.iter().map(|one| action(one).describe(&network).to_string()).collect()
    };
    assert_eq!(order("LongestFirst"), ["c.x -> d", "e decides f", "a.x -> b"]);
    assert_eq!(order("ShortestFirst"), ["a.x -> b", "e decides f", "c.x -> d"]);
}

/// Several pairs, each with a message to send.
fn pairs(count: usize) -> Network {
    let pair = |number: usize| {
        format!("p{number} {{ main {{ q{number}!<x>; stop }} }} | q{number} {{ main {{ p{number}?; stop }} }}")
    };
    analyse((0..count).map(pair).collect::<Vec<_>>().join(" | ")).into_network().unwrap()
}

#[test]
fn what_comes_last_can_be_asked_for_first() {
    let network = pairs(5);
    let processes: Vec<ProcessId> = network.process_ids().collect();
    let machine = Machine::new(&network, &processes);
    for &strategy in Strategy::ALL {
        let mut explorer = Explorer::new(&machine);
        let order: Vec<Option<Initiative>> = (0..6).map(|rank| explorer.choose(strategy, 7, rank)).collect();
        assert_eq!(order.iter().flatten().count(), 5, "{}", strategy.name);
        let mut explorer = Explorer::new(&machine);
        for rank in (0..6).rev() {
            assert_eq!(explorer.choose(strategy, 7, rank), order[rank], "{}, {rank}", strategy.name);
        }
    }
}

#[test]
fn what_is_done_cannot_be_done_again() {
    let network = pairs(2);
    let processes: Vec<ProcessId> = network.process_ids().collect();
    let machine = Machine::new(&network, &processes);
    let mut explorer = Explorer::new(&machine);
    let first = explorer.enabled()[0];
    assert!(explorer.action(first).is_some());
    assert!(explorer.follow(first, 0, |_| true).is_some());
    assert_eq!(explorer.action(first), None);
    assert_eq!(explorer.look(first, 0, |_| true), None);
    assert_eq!(explorer.follow(first, 0, |_| true), None);
    assert_eq!(explorer.len(), 2);
}

#[test]
fn more_states_take_more_bytes() {
    let network = pairs(3);
    let processes: Vec<ProcessId> = network.process_ids().collect();
    let machine = Machine::new(&network, &processes);
    let mut explorer = Explorer::new(&machine);
    let mut bytes = vec![explorer.bytes()];
    while let Some(first) = explorer.choose(Strategy::default(), 0, 0) {
        assert!(explorer.follow(first, 0, |_| true).unwrap().is_new);
        bytes.push(explorer.bytes());
    }
    assert_eq!(bytes.len(), 4);
    assert!(bytes.is_sorted_by(|one, next| one < next), "{bytes:?}");
}

#[test]
fn what_comes_first_by_chance_does_not_change_when_later_states_are_forgotten() {
    let network = pairs(8);
    let processes: Vec<ProcessId> = network.process_ids().collect();
    let machine = Machine::new(&network, &processes);
    let mut explorer = Explorer::new(&machine);
    let strategy = Strategy::named("Random").unwrap();
    let order = |explorer: &mut Explorer<'_>| -> Vec<Initiative> {
        (0..).map_while(|rank| explorer.choose(strategy, 7, rank)).collect()
    };
    let before = order(&mut explorer);
    assert!(explorer.follow(before[0], 0, |_| true).unwrap().is_new);
    explorer.go_to(0);
    explorer.forget_from(1);
    assert_eq!(order(&mut explorer), before);
}
