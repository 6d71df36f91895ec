//! Choreographies of all test sets are as their parameters say. `LABAN_CHOREOGRAPHIES` says how many of each set; the
//! default is twenty for each of its parameters.

use crate::cases;
use laban::choreography::lower;
use laban::extraction::{ExtractOptions, Verdict, search};
use laban::generate::{Family, Parameters, Refusal, choreography, families, network, test_seed, tests};
use laban::syntax::{
    ChoreographyTree, Compact, GlobalAction, GlobalFork, GlobalInteraction, Term, parse_choreography, parse_network,
};
use std::collections::BTreeSet;

/// The values, labels and conditions of a choreography, and how many conditions are among them.
fn actions(tree: &ChoreographyTree) -> (usize, usize) {
    let mut found = BTreeSet::new();
    let mut conditions = BTreeSet::new();
    for &term in &tree.terms {
        match term {
            Term::Act(GlobalAction::Interaction(GlobalInteraction::Communicate { expression, .. }), _) => {
                found.insert(expression.symbol);
            }
            Term::Act(GlobalAction::Interaction(GlobalInteraction::Select { label, .. }), _) => {
                found.insert(label.symbol);
            }
            Term::Fork(GlobalFork::If { condition, .. }, _) => {
                conditions.insert(condition.symbol);
            }
            _ => {}
        }
    }
    (found.len() + conditions.len(), conditions.len())
}

fn check(parameters: &Parameters, seed: u64) -> usize {
    let tree = choreography(parameters, seed).unwrap();
    let name = format!("{parameters} from seed {seed}");
    let (size, ifs) = actions(&tree);
    assert_eq!(size, parameters.size as usize, "the size of {name}");
    assert_eq!(ifs, parameters.ifs as usize, "the conditionals of {name}");
    assert_eq!(tree.units[0].procedures.len(), parameters.procedures as usize, "the procedures of {name}");
    let lowered = lower(&tree);
    // Also of procedures that cannot be reached.
    assert!(lowered.diagnostics.is_empty(), "{name}: {:?}", lowered.diagnostics);
    assert!(
        lowered.choreography.unwrap().processes().len() <= parameters.processes as usize,
        "the processes of {name}"
    );
    tree.terms.len()
}

fn check_family(number: usize) {
    let family = &families()[number];
    let each = cases(4) as u32;
    for (point, parameters) in family.parameters.iter().enumerate() {
        for index in 0..each {
            check(parameters, test_seed(1, number, point, index));
        }
    }
}

#[test]
fn size() {
    check_family(0);
}

#[test]
fn processes() {
    check_family(1);
}

#[test]
fn ifs_finite() {
    check_family(2);
}

#[test]
fn ifs_varying_procedures() {
    check_family(3);
}

#[test]
fn procedures_fixed_ifs() {
    check_family(4);
}

#[test]
fn there_are_as_many_tests_as_in_the_paper() {
    let families = families();
    assert_eq!(families.iter().map(Family::tests).collect::<Vec<_>>(), [420, 200, 40, 240, 150]);
    let all: Vec<_> = tests(&families, 7).collect();
    assert_eq!(all.len(), 1050);
    let seeds: BTreeSet<u64> = all.iter().map(|test| test.seed).collect();
    assert_eq!(seeds.len(), 1050, "no two have the same seed");
    assert!(all.iter().all(|test| test.parameters == families[test.family].parameters[test.point]));
}

/// One for each set of parameters; with `LABAN_TIMES=10` all 1,050.
#[test]
fn networks_are_extracted() {
    let each = cases(1) as u32;
    let mut extracted = 0;
    for test in tests(&families(), 2).filter(|test| test.index < each) {
        let generated = network(&test.parameters, test.seed).unwrap();
        let parsed = parse_network(&Compact(&generated.network_tree).to_string());
        assert!(parsed.diagnostics.is_empty());
        let lowered = laban::network::lower(&parsed.tree).network.unwrap();
        let verdict = search(&lowered, &ExtractOptions::default()).verdict();
        assert_eq!(verdict, Verdict::Extracted, "{} from seed {}", test.parameters, test.seed);
        extracted += 1;
    }
    assert!(extracted >= 105, "only {extracted} networks");
}

#[test]
fn trees_are_those_of_their_text() {
    for test in tests(&families(), 3).filter(|test| test.index < 2) {
        let tree = choreography(&test.parameters, test.seed).unwrap();
        let parsed = parse_choreography(&Compact(&tree).to_string());
        assert!(parsed.diagnostics.is_empty());
        assert!(tree.eq_ignoring_spans(&parsed.tree), "{}", test.parameters);
    }
}

#[test]
fn small_and_odd_parameters() {
    let text = |parameters: [u32; 4]| {
        let [size, processes, ifs, procedures] = parameters;
        let tree = choreography(&Parameters::new(size, processes, ifs, procedures), 5)?;
        Ok(Compact(&tree).to_string())
    };
    assert_eq!(text([0, 0, 0, 0]), Ok("main { stop }".to_string()));
    assert_eq!(text([1, 1, 1, 0]), Ok("main { if a.c1 then stop else stop }".to_string()));
    assert_eq!(text([1, 1, 0, 0]), Err(Refusal::TooFewProcesses));
    assert_eq!(text([1, 0, 1, 0]), Err(Refusal::TooFewProcesses));
    assert_eq!(text([3, 5, 4, 0]), Err(Refusal::TooManyConditionals));
    assert_eq!(text([3, 5, 0, 4]), Err(Refusal::TooManyProcedures));
    assert_eq!(text([u32::MAX, 5, 0, 0]), Err(Refusal::TooLarge));
    for size in 1..8 {
        for ifs in 0..=size {
            for procedures in 0..=size.min(5) {
                for seed in 0..5 {
                    check(&Parameters::new(size, 2, ifs, procedures), seed);
                }
            }
        }
    }
    check(&Parameters::new(3000, 2000, 0, 1), 0);
}
