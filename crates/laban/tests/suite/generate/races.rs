//! Random choreographies with races, and edits of networks with races, choices, labelled values and idle waits.

use super::networks::{bisimilar, check_edited, lowered, processes};
use crate::cases;
use crate::projection_races::strays;
use laban::choreography::{self, Choreography, Node};
use laban::generate::{Parameters, SeededRng, choreography as random_choreography, fuzz, network, unroll};
use laban::network::{Content, StateId, minimise};
use laban::syntax::{Compact, NetworkTree, parse_choreography, parse_network};
use laban::{ExtractOptions, Verdict};
use std::collections::BTreeSet;

/// Parameters of different kinds.
fn parameters(seed: u64) -> Parameters {
    let all = [
        Parameters::new(12, 4, 2, 2).with_races(2),
        Parameters::new(8, 3, 0, 1).with_races(3),
        Parameters::new(6, 2, 1, 1).with_races(1),
        Parameters::new(20, 6, 1, 3).with_races(4),
        Parameters::new(10, 5, 2, 0).with_races(1),
    ];
    all[(seed % 5) as usize]
}

fn races(choreography: &Choreography) -> usize {
    choreography.nodes().iter().filter(|node| matches!(node, Node::Any { .. })).count()
}

#[test]
fn random_choreographies_have_races_choices_and_labelled_values() {
    let (mut raced, mut chosen, mut labelled) = (0, 0, 0);
    for seed in 0..cases(200) {
        let tree = random_choreography(&parameters(seed), seed).unwrap();
        let text = Compact(&tree).to_string();
        let parsed = parse_choreography(&text);
        assert!(parsed.diagnostics.is_empty() && parsed.tree.eq_ignoring_spans(&tree), "seed {seed}: {text}");
        let lowered = choreography::lower(&tree).choreography.unwrap_or_else(|| panic!("seed {seed}: {text}"));
        raced += races(&lowered);
        chosen += lowered.nodes().iter().filter(|node| matches!(node, Node::Choose { .. })).count();
        let has_both = |node: &&Node| matches!(node, Node::Interaction { interaction, .. } if matches!(interaction.content, Content::LabelledValue { .. }));
        labelled += lowered.nodes().iter().filter(has_both).count();
    }
    assert!(raced > 400 && chosen > 50 && labelled > 100, "{raced} {chosen} {labelled}");
}

#[test]
fn without_races_a_seed_gives_what_it_always_gave() {
    for seed in 0..20 {
        let plain = Parameters::new(12, 4, 2, 2);
        let text = |parameters| Compact(&random_choreography(&parameters, seed).unwrap()).to_string();
        assert_eq!(text(plain), text(plain.with_races(0)));
    }
    assert_eq!(Parameters::new(12, 4, 2, 2).to_string(), "12-4-2-2");
    assert_eq!(Parameters::new(12, 4, 2, 2).with_races(3).to_string(), "12-4-2-2-3");
    let refused = random_choreography(&Parameters::new(4, 3, 2, 1).with_races(3), 0).unwrap_err();
    assert_eq!(refused.to_string(), "there cannot be more conditionals and races than actions");
}

#[test]
fn random_networks_follow_their_choreographies_and_can_be_extracted() {
    let mut raced = 0;
    for seed in 0..cases(400) {
        let generated = network(&parameters(seed), seed)
            .unwrap_or_else(|error| panic!("seed {seed}, {}: {error}", parameters(seed)));
        let amended = choreography::lower(&generated.amended).choreography.unwrap();
        assert_eq!(strays(&amended, &generated.network), None, "seed {seed}: {}", Compact(&generated.amended));
        let extraction = laban::extract(&generated.network, &ExtractOptions::default()).unwrap();
        assert_eq!(extraction.verdict(), Verdict::Extracted, "seed {seed}: {}", Compact(&generated.amended));
        raced += u64::from(generated.network.has_races());
    }
    assert!(raced > cases(300), "{raced}");
}

/// A network in which each process does what it likes, with everything that the language has.
fn wild(seed: u64) -> NetworkTree {
    let mut rng = SeededRng::for_purpose(seed, 1001);
    let names = ["p", "q", "r"];
    let mut text = String::new();
    for (process, name) in names.iter().enumerate() {
        let others = [names[(process + 1) % 3], names[(process + 2) % 3]];
        text += if process > 0 { " | " } else { "" };
        text += &format!("{name} {{ ");
        for procedure in ["X", "Y"] {
            let first = format!("{}?; ", others[rng.below(2)]);
            text += &format!("def {procedure} {{ {first}{} }} ", body(&mut rng, others, 5));
        }
        text += &format!("main {{ {} }} }}", body(&mut rng, others, 5));
    }
    let parsed = parse_network(&text);
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    lowered(&parsed.tree);
    parsed.tree
}

fn interaction(rng: &mut SeededRng, others: [&str; 2]) -> String {
    let other = others[rng.below(2)];
    match rng.below(5) {
        0 => format!("{other}!<x{}>", rng.below(2)),
        1 | 2 => format!("{other}?"),
        3 => format!("{other}+l{}", rng.below(2)),
        _ => format!("{other}+l{}<x>", rng.below(2)),
    }
}

fn body(rng: &mut SeededRng, others: [&str; 2], fuel: usize) -> String {
    if fuel == 0 {
        return ["stop", "X", "Y"][rng.below(3)].to_string();
    }
    let kind = rng.below(8);
    let idle = if rng.one_in(3) { "idle " } else { "" };
    match kind {
        0 => format!("choose {{ {}, {} }}", body(rng, others, fuel - 1), body(rng, others, fuel - 1)),
        1 | 2 => {
            let mut begun = BTreeSet::new();
            let mut items = Vec::new();
            for _ in 0..2 + rng.below(2) {
                let first = interaction(rng, others);
                if begun.insert(first.clone()) {
                    items.push(format!("{first}; {}", body(rng, others, fuel - 1)));
                }
            }
            if rng.one_in(2) {
                let (one, other) = (body(rng, others, fuel - 1), body(rng, others, fuel - 1));
                items.push(format!("{}&{{l0: {one}, l1: {other}}}", others[0]));
            }
            match items.as_slice() {
                [only] => only.clone(),
                _ => format!("{idle}any {{ {} }}", items.join(", ")),
            }
        }
        3 => format!("if e then {} else {}", body(rng, others, fuel - 1), body(rng, others, fuel - 1)),
        4 => format!("{idle}{}&l0; {}", others[rng.below(2)], body(rng, others, fuel - 1)),
        5 => format!("{idle}{}?; {}", others[rng.below(2)], body(rng, others, fuel - 1)),
        _ => format!("{}; {}", interaction(rng, others), body(rng, others, fuel - 1)),
    }
}

#[test]
fn edited_networks_with_races_are_well_formed() {
    let (mut edited, mut raced) = (0, 0);
    for seed in 0..cases(1_500) {
        let tree = wild(seed);
        let (after, edits) = fuzz(&tree, (seed % 3) as u32, (seed % 4) as u32, seed);
        check_edited(&tree, &after);
        edited += edits.len();
        raced += u64::from(lowered(&after).has_races());
    }
    assert!(edited > 2_000 && raced > 500, "{edited} {raced}");
}

#[test]
fn an_item_that_begins_no_more_with_an_interaction_is_left_out() {
    let tree = parse_network(
        "p { main { idle any { q?; stop, q+l; stop, r?; stop } } } | q { main { stop } } | r { main { stop } }",
    )
    .tree;
    let found: BTreeSet<String> = (0..100).map(|seed| processes(&fuzz(&tree, 1, 0, seed).0).swap_remove(0)).collect();
    let expected = [
        "p { main { idle any { q?; stop, q+l; stop } } }",
        "p { main { idle any { q?; stop, r?; stop } } }",
        "p { main { idle any { q+l; stop, r?; stop } } }",
        "p { main { q?; stop } }",
    ];
    assert_eq!(found, expected.map(ToString::to_string).into());
}

#[test]
fn unrolled_networks_with_races_do_the_same() {
    let mut edited = 0;
    for seed in 0..cases(1_000) {
        let tree = wild(seed);
        let (after, edits) = unroll(&tree, seed);
        check_edited(&tree, &after);
        let (before, after_network) = (lowered(&tree), lowered(&after));
        let text = || format!("seed {seed}: {}\n{}\n{edits:?}", Compact(&tree), Compact(&after));
        assert!(bisimilar([&before, &after_network]).iter().all(|&same| same), "{}", text());
        let [small, other] = [&before, &after_network].map(|network| minimise(network).network);
        assert_eq!(small.states().len(), other.states().len(), "{}", text());
        let idle = |network: &laban::network::Network| {
            (0..network.states().len() as u32).filter(|&state| network.is_idle(StateId(state))).count()
        };
        assert_eq!(idle(&small), idle(&other), "{}", text());
        edited += edits.len();
    }
    assert!(edited > 1_000, "{edited}");
}
