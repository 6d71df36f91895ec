//! Laws of equivalence, on random choreographies: with extraction, after edits, and against the bounded comparison.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::choreographies::{Shape, projectable, read, tree};
use crate::cycles::on_cycle;
use crate::long_cases;
use laban::Limits;
use laban::ProjectOptions;
use laban::choreography::{Choreography, Node, NodeId, lower, project};
use laban::equivalence::{
    Bounded, Bounds, Contrast, Difference, Equivalence, EquivalenceOptions, Side, System, bounded, equivalent_networks,
};
use laban::extraction::{self, Verdict, search};
use laban::generate::SeededRng;
use laban::network::{Branch, Content, Interaction, Network, ProcessId, State, StateId};
use laban::semantics::{Configuration, Step};
use laban::syntax::{ArenaRange, GlobalAction, GlobalFork, GlobalInteraction, Name, Span, Term};

fn same(one: &Network, other: &Network) -> bool {
    match equivalent_networks(one, other, &EquivalenceOptions::default()) {
        Equivalence::Same { .. } => true,
        Equivalence::Different(_) => false,
        Equivalence::Undecided { .. } => panic!("there is no limit"),
    }
}

/// The processes that some cycle goes on without, although they could still come to act.
fn starved(choreography: &Choreography) -> Vec<ProcessId> {
    let acts = |node: NodeId, process: ProcessId| match choreography.node(node) {
        Node::Interaction { interaction, .. } => interaction.from == process || interaction.to == process,
        Node::If { process: decides, .. } | Node::Choose { process: decides, .. } => decides == process,
        Node::Stop | Node::Group { .. } | Node::Any { .. } | Node::Put { .. } | Node::Take { .. } => false,
    };
    let all = (0..choreography.processes().len() as u32).map(ProcessId);
    all.filter(|&process| {
        let nodes = (0..choreography.nodes().len() as u32).map(NodeId);
        let without: Vec<Vec<u32>> = nodes
            .map(|node| match acts(node, process) {
                true => Vec::new(),
                false => choreography.successors(node).map(|next| next.0).collect(),
            })
            .collect();
        let cycles = on_cycle(&without);
        (0..choreography.nodes().len() as u32).any(|start| {
            let mut seen = vec![false; choreography.nodes().len()];
            let mut work = vec![NodeId(start)];
            let mut live = false;
            while let Some(node) = work.pop() {
                if !std::mem::replace(&mut seen[node.index()], true) {
                    live |= acts(node, process);
                    work.extend(choreography.successors(node));
                }
            }
            live && cycles[start as usize]
        })
    })
    .collect()
}

/// The network with a branch more in each offer, for a label that nobody selects.
fn with_offers_never_selected(network: &Network) -> Network {
    let mut padded = network.clone().into_parts();
    let label = padded.names.intern("never");
    for (number, state) in padded.states.iter_mut().enumerate() {
        if let State::Offer { branches, .. } = state {
            let mut more = branches.of(&padded.branches).to_vec();
            more.push(Branch { label, next: StateId(number as u32) });
            let start = padded.branches.len() as u32;
            padded.branches.extend(more);
            *branches = ArenaRange { start, end: padded.branches.len() as u32 };
        }
    }
    Network::from_parts(padded).unwrap()
}

#[test]
fn extraction_undoes_projection() {
    let cases = long_cases(250, 700);
    let options = extraction::ExtractOptions { parallel: false, ..extraction::ExtractOptions::default() };
    let (mut extracted, mut starving) = (0, 0);
    for seed in 0..cases {
        let mut dice = SeededRng::new(seed);
        let shape = Shape::random(&mut dice);
        let text = projectable(&mut dice, shape);
        let choreography = read(&text);
        let mut network = project(&choreography, &ProjectOptions::default()).unwrap().network;
        let found = search(&network, &options);
        if found.verdict() == Verdict::Livelock {
            // Somebody waits for what others may put off forever; it would have to be a service.
            let services = starved(&choreography);
            assert!(!services.is_empty(), "seed {seed}: {text}: livelock, but nobody is starved");
            for &process in &services {
                let name = choreography.process_name(process);
                assert!(network.declare_service(name), "{name}");
            }
            let found = search(&network, &options);
            assert_eq!(found.verdict(), Verdict::Extracted, "seed {seed}: {text}");
            starving += 1;
            continue;
        }
        assert_eq!(found.verdict(), Verdict::Extracted, "seed {seed}: {text}");
        extracted += 1;
        let again = found.choreography.as_ref().unwrap_or_else(|| panic!("seed {seed}: {text}"));
        let back = project(again, &ProjectOptions::default())
            .unwrap_or_else(|error| panic!("seed {seed}: {text}: {error:?}"))
            .network;
        assert!(same(&back, &network), "seed {seed}: {text}");
        // The other way round: a network with more offers than are ever used.
        let padded = with_offers_never_selected(&network);
        assert!(same(&padded, &network) && same(&network, &padded), "seed {seed}: {text}");
        let found = search(&padded, &options);
        let again = found.choreography.as_ref().unwrap_or_else(|| panic!("seed {seed}: {text}"));
        let back = project(again, &ProjectOptions::default()).unwrap().network;
        assert!(same(&back, &padded), "seed {seed}: {text}");
    }
    let told = format!("{extracted} extracted at once, {starving} with services for the starved");
    assert!(extracted >= cases / 2 && starving >= cases / 16, "{told}");
}

/// Follows the run of a difference in both networks, and sees that they differ then as it says.
fn replay(difference: &Difference, first: &Network, second: &Network) {
    let own = |network: &Network, step: Step| {
        let symbol = |symbol| network.names().find(difference.names.text(symbol));
        let process = |process| network.process_named(difference.process_name(process));
        let interaction = |Interaction { from, to, content }: Interaction| {
            let content = match content {
                Content::Value(value) => Content::Value(symbol(value)?),
                Content::Label(label) => Content::Label(symbol(label)?),
                Content::LabelledValue { label, value } => {
                    Content::LabelledValue { label: symbol(label)?, value: symbol(value)? }
                }
            };
            Some(Interaction { from: process(from)?, to: process(to)?, content })
        };
        Some(match step {
            Step::Interaction(one) => Step::Interaction(interaction(one)?),
            Step::Put(one) => Step::Put(interaction(one)?),
            Step::Take(one) => Step::Take(interaction(one)?),
            Step::Decision { process: decides, condition, holds } => {
                Step::Decision { process: process(decides)?, condition: symbol(condition)?, holds }
            }
            Step::Choice { process: chooses, arm } => Step::Choice { process: process(chooses)?, arm },
        })
    };
    let Contrast::Step { step: last, side, .. } = difference.reason else { panic!("it is not about services") };
    for (network, can) in [(first, side == Side::First), (second, side == Side::Second)] {
        let mut at = Configuration::start(network);
        for &step in &difference.run {
            assert!(at.take(network, own(network, step).unwrap()));
        }
        assert_eq!(own(network, last).is_some_and(|last| at.take(network, last)), can);
    }
    assert!(!difference.sentence("the first", "the second").is_empty());
}

/// A text and the same with one edit that changes what it does; or nothing if there is no place for the edit.
fn edited(dice: &mut SeededRng, text: &str, kind: usize) -> Option<(String, String)> {
    let tree = tree(text);
    let lowered = lower(&tree);
    let choreography = lowered.choreography?;
    let put = |span: Span, new: &str| format!("{}{new}{}", &text[..span.start as usize], &text[span.end as usize..]);
    let before = |place: u32, new: &str| put(Span::new(place, place), new);
    // There are few conditionals: where one is asked for, one is taken, but not each time.
    let is_asked_for =
        |id: &NodeId| !matches!(kind, 2 | 5) || matches!(choreography.nodes()[id.index()], Node::If { .. });
    let nodes: Vec<NodeId> = (0..choreography.nodes().len() as u32).map(NodeId).filter(is_asked_for).collect();
    if nodes.is_empty() || matches!(kind, 2 | 5) && !dice.one_in(4) {
        return None;
    }
    let node = nodes[dice.below(nodes.len())];
    let term = lowered.terms[node.index()];
    let action = match tree.term(term) {
        Term::Act(GlobalAction::Interaction(interaction), next) => Some((interaction, next)),
        _ => None,
    };
    let conditional = match tree.term(term) {
        Term::Fork(GlobalFork::If { process, condition }, arms) => Some((process, condition, arms.of(&tree.arms))),
        _ => None,
    };
    let original = text.to_string();
    // What is added concerns processes of the first part.
    if text[..tree.span(term).start as usize].contains("||") {
        return None;
    }
    let ends = |interaction: GlobalInteraction| match interaction {
        GlobalInteraction::Communicate { from, to, .. }
        | GlobalInteraction::Select { from, to, .. }
        | GlobalInteraction::SelectValue { from, to, .. } => [from, to].map(|name: Name| name.symbol),
    };
    match kind {
        // Another value or label.
        0 => match action?.0 {
            GlobalInteraction::Communicate { expression: content, .. }
            | GlobalInteraction::Select { label: content, .. } => Some((original, put(content.span, "fresh"))),
            GlobalInteraction::SelectValue { content, .. } => {
                Some((original, put(tree.labelled(content).label.span, "fresh")))
            }
        },
        // Another receiver.
        1 => match action?.0 {
            GlobalInteraction::Communicate { to, .. }
            | GlobalInteraction::Select { to, .. }
            | GlobalInteraction::SelectValue { to, .. } => Some((original, put(to.span, "fresh"))),
        },
        // Another condition.
        2 => Some((original, put(conditional?.1.span, "fresh"))),
        // Two actions of one process, the other way round.
        3 => {
            let (first, next) = action?;
            let Term::Act(GlobalAction::Interaction(second), _) = tree.term(next) else { return None };
            let (one, other) = (tree.span(term), tree.span(next));
            let shared = ends(first).iter().any(|process| ends(second).contains(process));
            let (a, b) = (one.text(text), other.text(text));
            if !shared || a == b {
                return None;
            }
            let between = &text[one.end as usize..other.start as usize];
            Some((original, put(one.to(other), &format!("{b}{between}{a}"))))
        }
        // An action less.
        4 => Some((before(tree.span(term).start, "a.fresh -> b; "), original)),
        // Then and else, the other way round.
        5 => {
            let (process, _, arms) = conditional?;
            let other = if tree.text(process) == "a" { "b" } else { "a" };
            let tell = |label: &str| format!("{} -> {other}[{label}]; ", tree.text(process));
            let [then, otherwise] = arms else { return None };
            let [then, otherwise] = [then, otherwise].map(|arm| tree.span(arm.body).start as usize);
            let with = |first: &str, second: &str| {
                [&text[..then], &tell(first), &text[then..otherwise], &tell(second), &text[otherwise..]].concat()
            };
            Some((with("fresh", "stale"), with("stale", "fresh")))
        }
        // An action more before the end.
        _ => match tree.term(term) {
            Term::Stop => Some((before(tree.span(term).start, "a.fresh -> b; "), original)),
            _ => None,
        },
    }
}

#[test]
fn equivalence_is_reflexive_and_symmetric_and_sees_every_edit() {
    let cases = long_cases(300, 1_200);
    let mut seen = [0; 7];
    for seed in 0..cases {
        let mut dice = SeededRng::new(seed);
        let shape = Shape::random(&mut dice);
        let text = projectable(&mut dice, shape);
        let network = project(&read(&text), &ProjectOptions::default()).unwrap().network;
        assert!(same(&network, &network), "seed {seed}: {text}");
        for (kind, seen) in seen.iter_mut().enumerate() {
            let Some((one, other)) = edited(&mut dice, &text, kind) else { continue };
            let (Ok(first), Ok(second)) =
                (project(&read(&one), &ProjectOptions::default()), project(&read(&other), &ProjectOptions::default()))
            else {
                continue;
            };
            let forth = equivalent_networks(&first.network, &second.network, &EquivalenceOptions::default());
            let back = equivalent_networks(&second.network, &first.network, &EquivalenceOptions::default());
            let context = || format!("seed {seed}, edit {kind}: {one} and {other}");
            replay(forth.difference().unwrap_or_else(|| panic!("{}", context())), &first.network, &second.network);
            replay(back.difference().unwrap_or_else(|| panic!("{}", context())), &second.network, &first.network);
            *seen += 1;
        }
    }
    assert!(seen.iter().all(|&seen| seen >= cases / 12), "edits seen: {seen:?}");
}

#[test]
fn exact_and_bounded_never_contradict_each_other() {
    let cases = long_cases(200, 600);
    let bounds = Bounds { pairs: 400, ahead: 24 };
    // Same, different; by the exact comparison, and by both.
    let mut exact = [0; 2];
    let mut both = [0; 2];
    let mut seed = 0;
    let mut tried = 0;
    while tried < cases {
        seed += 1;
        let mut dice = SeededRng::new(seed);
        let shape = Shape { actions: 1 + dice.below(6), ..Shape::random(&mut dice) };
        let text = projectable(&mut dice, shape);
        let (one, other) = match tried % 2 {
            0 => {
                let network = project(&read(&text), &ProjectOptions::default()).unwrap().network;
                let Some(again) = search(&network, &extraction::ExtractOptions::default()).choreography else {
                    continue;
                };
                (read(&text), again)
            }
            _ => {
                let kind = dice.below(7);
                let Some((one, other)) = edited(&mut dice, &text, kind) else { continue };
                (read(&one), read(&other))
            }
        };
        let (Ok(first), Ok(second)) =
            (project(&one, &ProjectOptions::default()), project(&other, &ProjectOptions::default()))
        else {
            continue;
        };
        tried += 1;
        let is_same = same(&first.network, &second.network);
        exact[usize::from(!is_same)] += 1;
        match bounded(System::Choreography(&one), System::Choreography(&other), bounds, &Limits::default()) {
            Bounded::Same => assert!(is_same, "seed {seed}: {text}"),
            Bounded::Different(_) => assert!(!is_same, "seed {seed}: {text}"),
            Bounded::Unknown(_) => continue,
        }
        both[usize::from(!is_same)] += 1;
        // A choreography is also the same as its projection.
        match bounded(System::Choreography(&one), System::Network(&first.network), bounds, &Limits::default()) {
            Bounded::Different(difference) => {
                panic!("seed {seed}: {text}: {}", difference.sentence("the choreography", "its projection"))
            }
            Bounded::Same | Bounded::Unknown(_) => {}
        }
    }
    let enough = |counts: [u64; 2]| counts.iter().all(|&count| count >= cases / 10);
    let told = format!("{exact:?} same and different, of which {both:?} by the bounded comparison too");
    assert!(enough(exact) && enough(both), "seeds 1 to {seed}: {told}");
}

/// The network with some edges of some processes led elsewhere: most such networks get stuck, or loop.
fn rewired(dice: &mut SeededRng, network: &Network) -> Network {
    let mut rewired = network.clone().into_parts();
    for _ in 0..1 + dice.below(3) {
        let process = rewired.processes[dice.below(rewired.processes.len())];
        let state = |dice: &mut SeededRng| process.states.start + dice.below(process.states.len()) as u32;
        let (from, to) = (state(dice), StateId(state(dice)));
        match &mut rewired.states[from as usize] {
            State::Stop => {}
            State::Send { next, .. }
            | State::Receive { next, .. }
            | State::Select { next, .. }
            | State::SelectValue { next, .. } => *next = to,
            State::Choose { arms } => rewired.arms[arms.start as usize + dice.below(arms.len())] = to,
            // Its items are rewired as states of their own.
            State::Any { .. } => {}
            State::If { then, otherwise, .. } => *(if dice.chance(50) { then } else { otherwise }) = to,
            State::Offer { branches, .. } => {
                let branch = branches.start as usize + dice.below(branches.len());
                rewired.branches[branch].next = to;
            }
        }
    }
    Network::from_parts(rewired).unwrap()
}

#[test]
fn the_walk_agrees_with_looking_at_all_states() {
    let cases = long_cases(250, 700);
    let bounds = Bounds { pairs: 3_000, ahead: 0 };
    let mut both = [0; 2];
    for seed in 0..cases {
        let mut dice = SeededRng::new(seed);
        let shape = Shape { procedures: 1 + dice.below(3), ..Shape::random(&mut dice) };
        let text = projectable(&mut dice, shape);
        let one = project(&read(&text), &ProjectOptions::default()).unwrap().network;
        let one = if dice.chance(60) { rewired(&mut dice, &one) } else { one };
        let other = rewired(&mut dice, &one);
        // Without this, states that behave alike would be taken for the same, and half of the walks would end at once.
        let other = if dice.chance(50) { with_offers_never_selected(&other) } else { other };
        let is_same = same(&one, &other);
        match bounded(System::Network(&one), System::Network(&other), bounds, &Limits::default()) {
            Bounded::Same => assert!(is_same, "seed {seed}: {text}"),
            Bounded::Different(_) => assert!(!is_same, "seed {seed}: {text}"),
            Bounded::Unknown(_) => continue,
        }
        both[usize::from(!is_same)] += 1;
    }
    assert!(both.iter().all(|&count| count >= cases / 5), "{both:?} same and different");
}
