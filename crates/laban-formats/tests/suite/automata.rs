//! Choreography automata: what is written reads back, and independent messages get one order.

use crate::{cases, random_network, read_text};
use laban::choreography::{Node, NodeId, read_off_named};
use laban::generate::{self, Parameters, SeededRng};
use laban::network::{Content, ProcessId, State, StateId};
use laban::syntax::{ArenaRange, Symbol};
use laban::{Choreography, Compact, EquivalenceOptions, ExtractOptions, Limits, Network};
use laban_formats::{Format, write_automaton};
use std::collections::{HashMap, HashSet};

fn choreography(text: &str) -> Choreography {
    laban::analyse(text).into_choreography().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn read_back(text: &str) -> Choreography {
    let reading = read_text(Format::ChoreographyAutomaton, text);
    let diagnostics = reading.report.diagnostics.clone();
    reading.into_choreography().unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

fn unsayable(text: &str) -> String {
    write_automaton(&choreography(text)).unwrap_err().to_string()
}

#[test]
fn a_choreography_is_a_graph_with_messages_on_its_edges() {
    let text =
        "def X { choose p { p -> q[yes]; q.\"a \\ b\" -> p; X, p.x > 1 -> q[no]; stop } } main { r -> p[go]; X }";
    let expected = "digraph choreography {\n    s0 [label=\"\" shape=none height=0 width=0]\n    s0 -> 0\n    \
                    0 -> 1 [label=\"r->p:go\"]\n    1 -> 2 [label=\"p->q:yes\"]\n    \
                    1 -> 3 [label=\"p->q:no<(x > 1)>\"]\n    2 -> 1 [label=\"q->p:<\\\"a \\\\ b\\\">\"]\n}\n";
    let written = write_automaton(&choreography(text)).unwrap();
    assert_eq!(written, expected);
    let back = Compact(&read_off_named(&read_back(&written))).to_string();
    assert_eq!(back, Compact(&read_off_named(&choreography(text))).to_string());
}

#[test]
fn decisions_that_share_what_follows_are_one_choice() {
    let text =
        "def X { choose p { p -> q[a]; stop, p -> q[b]; stop } } main { if p.x then X else if p.y then X else X }";
    let written = write_automaton(&choreography(text)).unwrap();
    assert_eq!(
        Compact(&read_off_named(&read_back(&written))).to_string(),
        "main { choose p { p -> q[a]; stop, p -> q[b]; stop } }"
    );
}

#[test]
fn what_would_be_read_as_something_else_is_refused() {
    let format = "which cannot be said in this format";
    assert_eq!(
        unsayable("main { if p.c then q -> p[a]; stop else p -> q[b]; stop }"),
        format!("`p` has a decision after which it does not send first, {format}")
    );
    assert_eq!(
        unsayable("main { any { p -> q[a]; stop, r -> s[b]; stop } }"),
        format!("`p` has an `any` without a process that takes part in all items, {format}")
    );
    assert_eq!(
        unsayable("main { any { p -> q[a]; stop, p -> q[b]; stop } }"),
        format!("`p` has an `any` of which it sends all items, which would be a choice, {format}")
    );
    assert_eq!(unsayable("main { (p.a -> q, q.b -> p); stop }"), format!("`p` has a queue, {format}"));
    assert_eq!(
        unsayable("main { p -> q[a]; stop } || main { r -> s[b]; stop }"),
        format!("`p` has a part side by side with others, {format}")
    );
    assert_eq!(
        unsayable("def X { choose p { X, p -> q[a]; stop } } main { X }"),
        format!("`p` has a decision that can go on forever, {format}")
    );
}

/// A random choreography: one that was made, or one that was extracted and may have races.
fn random(seed: u64) -> Option<Choreography> {
    let mut rng = SeededRng::keyed([seed, 0xca, 0, 0]);
    if seed.is_multiple_of(2) {
        let parameters =
            Parameters::new(4 + rng.below_u32(12), 2 + rng.below_u32(4), rng.below_u32(4), rng.below_u32(3));
        let tree = generate::network(&parameters, rng.long()).ok()?.amended;
        return laban::choreography::lower(&tree).choreography;
    }
    laban::extract(&random_network(seed), &ExtractOptions::default()).ok()?.choreography().cloned()
}

/// The same choreography with choices instead of conditionals, choices in choices as one, and each arm once.
fn with_choices(choreography: &Choreography) -> Choreography {
    let mut parts = choreography.clone().into_parts();
    for number in 0..parts.nodes.len() {
        let (Node::If { process, .. } | Node::Choose { process, .. }) = parts.nodes[number] else { continue };
        let start = parts.arms.len() as u32;
        let mut met = HashSet::new();
        let mut work = vec![NodeId(number as u32)];
        while let Some(node) = work.pop() {
            match choreography.node(node) {
                Node::If { process: again, .. } | Node::Choose { process: again, .. } if again == process => {
                    let branches: Vec<NodeId> = choreography.successors(node).collect();
                    work.extend(branches.into_iter().rev());
                }
                // An end is an end.
                Node::Interaction { interaction, next } => {
                    let follows = Some(next).filter(|&next| choreography.node(next) != Node::Stop);
                    if met.insert((interaction, follows)) {
                        parts.arms.push(node);
                    }
                }
                other => panic!("{other:?} is no message"),
            }
        }
        if let [only] = parts.arms[start as usize..] {
            parts.nodes[number] = choreography.node(only);
            continue;
        }
        let arms = ArenaRange { start, end: parts.arms.len() as u32 };
        parts.nodes[number] = Node::Choose { process, arms };
    }
    Choreography::from_parts(parts).unwrap()
}

#[test]
fn what_is_written_reads_back_as_an_equivalent_choreography() {
    let [mut written, mut refused, mut races, mut decisions] = [0; 4];
    let limits = Limits { max_states: Some(20_000), ..Limits::default() };
    let options = EquivalenceOptions { limits, ..EquivalenceOptions::default() };
    for seed in 0..cases(1500) {
        let Some(original) = random(seed) else { continue };
        let Ok(text) = write_automaton(&original) else {
            refused += 1;
            continue;
        };
        let back = read_back(&text);
        let comparison = laban::equivalent(&with_choices(&original), &back, &options);
        assert!(comparison.is_same(), "seed {seed}\n{text}\n{comparison:?}");
        written += 1;
        races += u64::from(original.nodes().iter().any(|node| matches!(node, Node::Any { .. })));
        let decides = |node: &Node| matches!(node, Node::If { .. } | Node::Choose { .. });
        decisions += u64::from(original.nodes().iter().any(decides));
    }
    assert!(written > 400 && decisions > 150 && races > 5 && refused > 50, "{written} {decisions} {races} {refused}");
}

/// The product of two automata that share no role, as a graph with all their interleavings.
fn product(graphs: [&[(usize, &str, usize)]; 2]) -> String {
    let mut text = "digraph product { start -> \"0,0\"\n".to_string();
    let states = graphs.map(|graph| 1 + graph.iter().flat_map(|&(from, _, to)| [from, to]).max().unwrap());
    for other in 0..states[1] {
        for &(from, label, to) in graphs[0] {
            text += &format!("\"{from},{other}\" -> \"{to},{other}\" [label=\"{label}\"]\n");
        }
    }
    for other in 0..states[0] {
        for &(from, label, to) in graphs[1] {
            text += &format!("\"{other},{from}\" -> \"{other},{to}\" [label=\"{label}\"]\n");
        }
    }
    text + "}"
}

#[test]
fn independent_messages_are_written_in_one_order_and_none_is_put_off_forever() {
    let straight: &[(usize, &str, usize)] = &[(0, "a->b:x", 1), (1, "b->a:y", 2)];
    let choice: &[(usize, &str, usize)] = &[(0, "c->d:l", 1), (0, "c->d:r", 2), (1, "d->c:k", 2)];
    let circle: &[(usize, &str, usize)] = &[(0, "e->f:x", 1), (1, "f->e:y", 0)];
    let parts = [
        (straight, "main { a -> b[x]; b -> a[y]; stop }"),
        (choice, "main { choose c { c -> d[l]; d -> c[k]; stop, c -> d[r]; stop } }"),
        (circle, "def X { e -> f[x]; f -> e[y]; X } main { X }"),
    ];
    for (number, &(one, one_text)) in parts.iter().enumerate() {
        for (other_number, &(other, other_text)) in parts.iter().enumerate() {
            if number == other_number {
                continue;
            }
            let read = read_back(&product([one, other]));
            let expected = choreography(&format!("{one_text} || {other_text}"));
            let comparison = laban::equivalent(&read, &expected, &EquivalenceOptions::default());
            assert!(comparison.is_same(), "{one_text} {other_text}: {comparison:?}");
        }
    }
}

#[test]
fn two_circles_side_by_side_are_refused() {
    let circle: &[(usize, &str, usize)] = &[(0, "e->f:x", 1), (1, "f->e:y", 0)];
    let other: &[(usize, &str, usize)] = &[(0, "g->h:x", 1), (1, "h->g:y", 0)];
    let reading = read_text(Format::ChoreographyAutomaton, &product([circle, other]));
    assert!(reading.report.diagnostics.iter().all(|diagnostic| diagnostic.message.contains("no role that takes part")));
    assert!(reading.report.has_errors());
}

/// What a process can do in a state: with whom, what, and where it is then. Decisions are left out.
fn acts(network: &Network, state: StateId) -> Option<Vec<(ProcessId, bool, Content, StateId)>> {
    Some(match network.state(state) {
        State::Stop => Vec::new(),
        State::Send { to, expression, next } => vec![(to, true, Content::Value(expression), next)],
        State::Select { to, label, next } => vec![(to, true, Content::Label(label), next)],
        State::Receive { from, next } => vec![(from, false, Content::Value(Symbol(0)), next)],
        State::Offer { from, branches } => {
            let branches = network.branches(branches).iter();
            branches.map(|branch| (from, false, Content::Label(branch.label), branch.next)).collect()
        }
        State::If { then, otherwise, .. } => {
            let both: Vec<_> = [acts(network, then)?, acts(network, otherwise)?].concat();
            // Who does not send first would decide by doing nothing.
            both.iter().all(|&(_, sends, _, _)| sends).then_some(both)?
        }
        _ => return None,
    })
}

/// All interleavings of what a network does, as a graph; nothing if they are many, or cannot be said.
fn interleavings(network: &Network) -> Option<String> {
    let processes: Vec<ProcessId> = network.process_ids().collect();
    let start: Vec<StateId> = processes.iter().map(|&process| network.process(process).unwrap().start).collect();
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut order = vec![start];
    let mut text = "digraph all { s -> 0\n".to_string();
    let mut next = 0;
    while let Some(configuration) = order.get(next).cloned() {
        if next > 300 {
            return None;
        }
        for &from in &processes {
            for (to, sends, content, after) in acts(network, configuration[from.index()])? {
                let answers = acts(network, configuration[to.index()])?;
                let fits = |&&(partner, sends, received, _): &&(ProcessId, bool, Content, StateId)| {
                    partner == from && !sends && received.label() == content.label()
                };
                let Some(&(_, _, _, received)) = answers.iter().find(fits).filter(|_| sends) else { continue };
                let mut target = configuration.clone();
                (target[from.index()], target[to.index()]) = (after, received);
                let number = *numbers.entry(target.clone()).or_insert_with(|| {
                    order.push(target);
                    order.len() - 1
                });
                let (from, to) = (network.process_name(from), network.process_name(to));
                let said = match content {
                    Content::Value(value) => format!("<{}>", network.text(value)),
                    Content::Label(label) | Content::LabelledValue { label, .. } => network.text(label).to_string(),
                };
                text += &format!("{next} -> {number} [label=\"{from}->{to}:{said}\"]\n");
            }
        }
        next += 1;
    }
    Some(text + "}")
}

#[test]
fn all_interleavings_of_a_choreography_read_back_as_that_choreography() {
    let [mut read, mut refused, mut reduced, mut decisions] = [0; 4];
    let options = EquivalenceOptions::default();
    for seed in 0..cases(3000) {
        let mut rng = SeededRng::keyed([seed, 0xd1, 0, 0]);
        let parameters =
            Parameters::new(3 + rng.below_u32(7), 4 + rng.below_u32(2), rng.below_u32(3), rng.below_u32(3));
        let Ok(generated) = generate::network(&parameters, rng.long()) else { continue };
        let original = laban::choreography::lower(&generated.amended).choreography.unwrap();
        if write_automaton(&original).is_err() {
            continue;
        }
        let Some(text) = interleavings(&generated.network) else { continue };
        // A decision between the same is none in a graph.
        let mut met = HashSet::new();
        if !text.lines().all(|line| met.insert(line)) {
            continue;
        }
        let reading = read_text(Format::ChoreographyAutomaton, &text);
        reduced += u64::from(!reading.report.remarks.is_empty());
        let Some(back) = reading.choreography() else {
            refused += 1;
            continue;
        };
        let comparison = laban::equivalent(&with_choices(&original), back, &options);
        assert!(comparison.is_same(), "seed {seed}\n{text}\n{comparison:?}");
        read += 1;
        decisions += u64::from(original.nodes().iter().any(|node| matches!(node, Node::If { .. })));
    }
    assert!(read > 300 && reduced > 200 && decisions > 50, "{read} {reduced} {decisions} {refused}");
}
