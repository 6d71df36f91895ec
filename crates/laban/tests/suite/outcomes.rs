//! What searches give, as data: strategies by name, verdicts, graphs, and what was given up.

use laban::extraction::explorer::Explorer;
use laban::extraction::{ExecutionGraph, Failure, Found, Machine, Searched, Statistics, Strategy, Verdict, search};
use laban::network::{Network, ProcessId};
use laban::semantics::Action;
use laban::{ExtractOptions, Limits, analyse, extract_with};

fn network(text: &str) -> Network {
    analyse(text).into_network().unwrap()
}

#[test]
fn a_strategy_has_a_name_and_an_abbreviation_in_any_case() {
    for strategy in Strategy::ALL {
        for name in [strategy.name, strategy.short] {
            for name in [name.to_string(), name.to_lowercase(), name.to_uppercase()] {
                assert_eq!(Strategy::named(&name), Some(*strategy), "{name}");
            }
        }
    }
    assert_eq!(Strategy::named("Fastest"), None);
}

#[test]
fn a_failure_is_certain() {
    let failures = [Verdict::Deadlock, Verdict::Livelock, Verdict::Orphan, Verdict::Unbounded];
    assert!(failures.into_iter().all(Verdict::is_failure));
    assert!(![Verdict::Extracted, Verdict::Undecided].into_iter().any(Verdict::is_failure));
}

#[test]
fn what_was_given_up_is_listed() {
    let network = network(
        "p { main { q!<x>; stop } } | q { main { p?; stop } } | r { main { s!<x>; s!<y>; stop } } | s { main { r?; r?; stop } }",
    );
    let limits = Limits { max_states: Some(2), ..Limits::default() };
    let found = search(&network, &ExtractOptions { limits, ..ExtractOptions::default() });
    assert_eq!(found.verdict(), Verdict::Undecided);
    let given_up: Vec<Vec<&str>> = found
        .undecided()
        .map(|component| component.processes.iter().map(|&process| network.process_name(process)).collect())
        .collect();
    assert_eq!(given_up, [["r", "s"]]);
}

#[test]
fn a_graph_has_an_action_and_an_edge_for_each_outcome_at_each_node() {
    let text =
        "p { def X { if c then q+l; X else q+r; stop } main { X } } | q { def Y { p&{l: Y, r: stop} } main { Y } }";
    let network = network(text);
    let options = ExtractOptions { merge: false, ..ExtractOptions::default() };
    let found = search(&network, &options);
    let Found::Graph(graph) = &found.components[0].found else { panic!("it can be extracted") };
    assert!(!graph.is_empty() && ExecutionGraph::default().is_empty());
    let mut erased = 0;
    for node in 0..graph.len() as u32 {
        let Some(action) = graph.action(node) else {
            assert!(graph.edges(node).is_empty());
            continue;
        };
        let described = graph.describe(action).unwrap();
        assert_eq!(graph.actions()[action.0 as usize], described);
        assert_eq!(graph.edges(node).len(), described.outcomes());
        assert!(!graph.erases(node, described.outcomes()), "there is no such outcome");
        erased += (0..described.outcomes()).filter(|&outcome| graph.erases(node, outcome)).count();
    }
    assert!(graph.actions().iter().any(|action| matches!(action, Action::Decision { .. })));
    // Both act once in a round, and the last of them closes it.
    assert!(erased > 0 && erased < graph.len(), "{erased}");
}

#[test]
fn an_explorer_is_empty_once_it_has_forgotten_everything() {
    let network = network("p { main { q!<x>; stop } } | q { main { p?; stop } }");
    let processes: Vec<_> = network.process_ids().collect();
    let machine = Machine::new(&network, &processes);
    let mut explorer = Explorer::new(&machine);
    let first = explorer.choose(Strategy::default(), 0, 0).unwrap();
    assert!(explorer.follow(first, 0, |_| true).unwrap().is_new);
    assert_eq!((explorer.len(), explorer.is_empty()), (2, false));
    explorer.forget_from(0);
    assert_eq!((explorer.len(), explorer.is_empty()), (0, true));
}

#[test]
fn a_machine_has_each_process_once_and_in_order() {
    let text = "p { main { q!<x>; stop } } | q { main { p?; p!<y>; stop } } | r { main { stop } }";
    let network = network(text);
    let unknown = ProcessId(7);
    let [p, q, r] = [0, 1, 2].map(ProcessId);
    let first = |processes: &[ProcessId]| {
        let machine = Machine::new(&network, processes);
        let mut explorer = Explorer::new(&machine);
        let first = explorer.choose(Strategy::default(), 0, 0)?;
        Some((first, machine.actions().to_vec(), explorer.follow(first, 0, |_| true).unwrap().is_new))
    };
    let expected = first(&[p, q]);
    assert!(expected.is_some());
    let next = ProcessId(3);
    for processes in
        [vec![q, p], vec![p, p, q], vec![q, p, q], vec![p, q, unknown], vec![p, q, next], vec![unknown, q, p]]
    {
        assert_eq!(first(&processes), expected, "{processes:?}");
    }
    // Who waits for a process that is not among them waits forever.
    for processes in [vec![p], vec![q], vec![p, r], vec![q, r], vec![unknown], vec![]] {
        assert_eq!(first(&processes), None, "{processes:?}");
    }
}

#[test]
fn who_is_named_twice_decides_once() {
    let network = network("p { main { if c then stop else stop } } | q { main { stop } }");
    for processes in [&[ProcessId(0)][..], &[ProcessId(0); 2], &[ProcessId(0); 3]] {
        let machine = Machine::new(&network, processes);
        assert_eq!(Explorer::new(&machine).enabled().len(), 1, "{processes:?}");
    }
}

#[test]
fn what_a_search_costs_is_what_all_components_cost() {
    // The first two would go round again before the last two have begun.
    let part = |number: usize| {
        let text = "p { def X { q!<x>; X } main { u?; X } } | q { def X { p?; X } main { X } }
            | r { def X { s!<x>; X } main { u?; X } } | s { def X { r?; X } main { X } }
            | u { main { p!<go>; r!<go>; stop } }";
        ["p", "q", "r", "s", "u"].into_iter().fold(text.to_string(), |text, name| {
            let named = |after: &str| (format!("{name}{after}"), format!("{name}{number}{after}"));
            [" {", "!", "?"].into_iter().map(named).fold(text, |text, (old, new)| text.replace(&old, &new))
        })
    };
    let found = search(&network(&format!("{} | {}", part(1), part(2))), &ExtractOptions::default());
    assert_eq!(found.verdict(), Verdict::Extracted);
    assert_eq!(found.components.len(), 2);
    let sum = |part: fn(&Statistics) -> usize| found.components.iter().map(|one| part(&one.statistics)).sum::<usize>();
    let all = found.statistics();
    assert_eq!(all.nodes, sum(|one| one.nodes));
    assert_eq!(all.bad_loops, sum(|one| one.bad_loops));
    assert_eq!(all.bytes, sum(|one| one.bytes));
    assert!(all.nodes > 0 && all.bad_loops > 0 && all.bytes > 0, "{all:?}");
}

#[test]
fn a_failure_that_does_not_happen_is_a_mistake_or_with_queues_no_answer() {
    let text = "p { main { q!<x>; stop } } | q { main { p?; stop } }";
    // A search that takes the start for a deadlock.
    let wrong = |channels: &str| {
        let search = |_: &Network, _: &[ProcessId], _: usize| {
            let failure = Failure::Deadlock { run: Vec::new() };
            Searched::new(Found::Failure(failure, ExecutionGraph::default()), Statistics::default())
        };
        extract_with(&network(&format!("{channels}{text}")), &ExtractOptions::default(), search)
    };
    assert!(wrong("").is_err());
    assert_eq!(wrong("channels queue; ").unwrap().verdict(), Verdict::Undecided);
}

#[test]
fn a_deadlock_is_found_even_if_somebody_else_decides_forever_beside_it() {
    // p decides forever; whoever q waits for may do so, too, or stop, or wait for p.
    let p = "p { def X { if a then X else X } main { X } }";
    let q = "q { main { r!<x>; stop } }";
    let r = "r { def X { if b then X else if c then stop else p!<x>; stop } main { X } }";
    let later = "r { def X { if b then X else if c then stop else p!<x>; stop } main { if d then X else X } }";
    let through = "s { def X { if b then X else if c then stop else p!<x>; r!<y>; stop } main { if d then X else X } }";
    let networks = [
        format!("{p} | {q} | {r}"),
        format!("{p} | {q} | service {r}"),
        format!("{p} | {q} | {later}"),
        format!("{p} | {q} | service {later}"),
        format!("{p} | {q} | {through} | r {{ main {{ s?; stop }} }}"),
    ];
    for text in networks {
        for &strategy in Strategy::ALL {
            for seed in 0..4 {
                let options = ExtractOptions { strategy, seed, ..ExtractOptions::default() };
                let extraction = laban::extract(&network(&text), &options).unwrap();
                assert_eq!(extraction.verdict(), Verdict::Deadlock, "{strategy:?}: {text}");
            }
        }
    }
}
