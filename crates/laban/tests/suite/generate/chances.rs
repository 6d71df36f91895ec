//! Each choice of the generator is as likely as the others.
//!
//! A test fails if what it sees has a probability of less than one in a million. Seeds are fixed, so it fails always or
//! never.

use super::statistics::{ChiSquared, chi_squared, uniform};
use crate::cases;
use laban::generate::{Parameters, SeededRng, choreography};
use laban::syntax::{ChoreographyTree, GlobalAction, GlobalFork, GlobalInteraction, Name, Term, TermId};
use std::collections::{BTreeMap, BTreeSet};

const LEAST: f64 = 1e-6;

fn expect(what: &str, found: &ChiSquared) {
    let ChiSquared { statistic, degrees, probability } = found;
    let told = format!("chi-squared {statistic:.1} with {degrees} degrees of freedom, p = {probability:.3}");
    assert!(*probability > LEAST, "{what}: {told}");
}

fn samples(parameters: Parameters, share: u64) -> impl Iterator<Item = ChoreographyTree> {
    let count = cases(1000) / share;
    (0..count).map(move |seed| choreography(&parameters, seed).unwrap())
}

fn letter(tree: &ChoreographyTree, name: Name) -> usize {
    usize::from(tree.text(name).as_bytes()[0] - b'a')
}

#[test]
fn numbers_below_a_limit() {
    let mut dice = SeededRng::for_purpose(0, 0);
    for limit in [2, 3, 7, 16, 100, 1000] {
        let mut counts = vec![0; limit as usize];
        for _ in 0..200_000 {
            counts[dice.below_u32(limit) as usize] += 1;
        }
        expect(&format!("below {limit}"), &uniform(&counts));
    }
    // Half of all words are thrown away: what is left must not lean to the lower half.
    let limit = (1 << 31) + 1;
    let mut halves = [0; 2];
    for _ in 0..200_000 {
        halves[usize::from(dice.below_u32(limit) > limit / 2)] += 1;
    }
    expect("below two to the 31st and one", &uniform(&halves));
    assert_eq!((dice.below_u32(0), dice.below_u32(1)), (0, 0));
}

#[test]
fn processes_and_kinds() {
    let mut pairs = vec![0u64; 64];
    let mut kinds = [0u64; 2];
    for tree in samples(Parameters::new(100, 8, 0, 0), 4) {
        for term in &tree.terms {
            let Term::Act(GlobalAction::Interaction(interaction), _) = *term else { continue };
            let (from, to, kind) = match interaction {
                GlobalInteraction::Communicate { from, to, .. } => (from, to, 0),
                GlobalInteraction::Select { from, to, .. } => (from, to, 1),
                GlobalInteraction::SelectValue { .. } => panic!("no labelled values are generated"),
            };
            pairs[letter(&tree, from) * 8 + letter(&tree, to)] += 1;
            kinds[kind] += 1;
        }
    }
    let different: Vec<u64> = (0..64).filter(|pair| pair / 8 != pair % 8).map(|pair| pairs[pair]).collect();
    assert_eq!(different.iter().sum::<u64>(), pairs.iter().sum::<u64>(), "nobody talks to itself");
    expect("pairs of sender and receiver", &uniform(&different));
    expect("values and labels", &uniform(&kinds));
}

#[test]
fn who_decides() {
    let mut deciders = vec![0u64; 7];
    for tree in samples(Parameters::new(12, 7, 4, 0), 1) {
        // A shared conditional is written more than once.
        let mut seen = BTreeSet::new();
        for term in &tree.terms {
            if let Term::Fork(GlobalFork::If { process, condition }, _) = *term
                && seen.insert(condition.symbol)
            {
                deciders[letter(&tree, process)] += 1;
            }
        }
    }
    expect("who decides", &uniform(&deciders));
}

/// The actions of `main` before its first conditional, and what is in the arms of that.
fn first_fork(tree: &ChoreographyTree) -> (usize, [Vec<String>; 2]) {
    let mut at = tree.units[0].mains[0].body;
    let mut before = 0;
    while let Term::Act(_, next) = tree.term(at) {
        (before, at) = (before + 1, next);
    }
    let Term::Fork(_, arms) = tree.term(at) else { panic!("no conditional") };
    let arms = arms.of(&tree.arms);
    (before, [names(tree, arms[0].body), names(tree, arms[1].body)])
}

/// The values and labels from a term to the end.
fn names(tree: &ChoreographyTree, start: TermId) -> Vec<String> {
    let mut at = start;
    let mut found = Vec::new();
    while let Term::Act(GlobalAction::Interaction(interaction), next) = tree.term(at) {
        found.push(match interaction {
            GlobalInteraction::Communicate { expression, .. } => tree.text(expression).to_string(),
            GlobalInteraction::Select { label, .. } => tree.text(label).to_string(),
            GlobalInteraction::SelectValue { .. } => panic!("no labelled values are generated"),
        });
        at = next;
    }
    found
}

#[test]
fn positions_of_a_conditional_and_parts_behind_it() {
    let mut positions = vec![0u64; 13];
    let mut parts = [0u64; 3];
    // All three parts of two actions: nine cases.
    let mut two = BTreeMap::<[usize; 3], u64>::new();
    let mut twos = 0;
    for tree in samples(Parameters::new(13, 4, 1, 0), 1) {
        let (before, [then, otherwise]) = first_fork(&tree);
        positions[before] += 1;
        let shared = then.iter().zip(&otherwise).take_while(|(a, b)| a == b).count();
        let split = [shared, then.len() - shared, otherwise.len() - shared];
        assert_eq!(before + 1 + split.iter().sum::<usize>(), 13);
        for (sum, part) in parts.iter_mut().zip(split) {
            *sum += part as u64;
        }
        if before == 10 {
            *two.entry(split).or_default() += 1;
            twos += 1;
        }
    }
    expect("position of the conditional", &uniform(&positions));
    expect("parts behind it", &uniform(&parts));
    let cases = [[2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 0], [1, 0, 1], [0, 1, 1]];
    let expected = |case: &[usize; 3]| f64::from(twos) / 9.0 * if case.contains(&2) { 1.0 } else { 2.0 };
    let pairs = cases.iter().map(|case| (two.get(case).copied().unwrap_or(0) as f64, expected(case)));
    expect("how two actions fall behind it", &chi_squared(pairs));
}

#[test]
fn positions_of_the_first_of_two_conditionals() {
    // Of the 45 places for two among ten, the first is at `before` in 9 - before.
    let mut positions = [0u64; 9];
    for tree in samples(Parameters::new(10, 4, 2, 0), 1) {
        positions[first_fork(&tree).0] += 1;
    }
    let total = positions.iter().sum::<u64>() as f64;
    let pairs = positions.iter().enumerate();
    let pairs = pairs.map(|(before, &count)| (count as f64, total * (9 - before) as f64 / 45.0));
    expect("position of the first of two conditionals", &chi_squared(pairs));
}

/// Which of three ends each branch of the only conditional has, with that of the other body.
#[test]
fn ends() {
    // Without procedures that must be reached there is one end only; with one, `main` must call it.
    let mut ends = [0u64; 2];
    for tree in samples(Parameters::new(6, 4, 0, 1), 1) {
        let mut at = tree.units[0].procedures[0].body;
        while let Term::Act(_, next) = tree.term(at) {
            at = next;
        }
        ends[usize::from(matches!(tree.term(at), Term::Call(_)))] += 1;
    }
    expect("end of a procedure", &uniform(&ends));

    // Two procedures and no conditional: `main` calls one, that one the other, and the last ends anyhow.
    let mut cases = BTreeMap::<String, u64>::new();
    for tree in samples(Parameters::new(9, 4, 0, 2), 1) {
        let unit = &tree.units[0];
        let bodies = unit.procedures.iter().map(|procedure| procedure.body).chain([unit.mains[0].body]);
        let mut text = String::new();
        for mut at in bodies {
            while let Term::Act(_, next) = tree.term(at) {
                at = next;
            }
            text.push_str(match tree.term(at) {
                Term::Call(name) => tree.text(name),
                _ => "-",
            });
        }
        *cases.entry(text).or_default() += 1;
    }
    assert_eq!(cases.len(), 6, "{cases:?}");
    expect("ends of two procedures and main", &uniform(&cases.into_values().collect::<Vec<_>>()));
}

#[test]
fn bodies() {
    // Of three interactions thrown into two bodies, the procedure has at least one: 7 of 8 cases.
    let mut sizes = [0u64; 4];
    for tree in samples(Parameters::new(3, 2, 0, 1), 1) {
        sizes[names(&tree, tree.units[0].procedures[0].body).len()] += 1;
    }
    assert_eq!(sizes[0], 0);
    let total = sizes.iter().sum::<u64>() as f64;
    let expected = [0.0, 3.0, 3.0, 1.0];
    let pairs = (1..4).map(|size| (sizes[size] as f64, total * expected[size] / 7.0));
    expect("size of the only procedure", &chi_squared(pairs));
}

/// The same with conditionals: shapes are given up before interactions are thrown, and that must make no difference to
/// making whole choreographies until one will do.
#[test]
fn giving_up_early_makes_no_difference() {
    let parameters = Parameters::new(4, 2, 2, 2);
    let count = 5 * cases(4000);
    let mut counts = BTreeMap::<String, [u64; 2]>::new();
    for seed in 0..count {
        counts.entry(outline(&choreography(&parameters, seed).unwrap())).or_default()[0] += 1;
    }
    let mut dice = SeededRng::for_purpose(9, 9);
    let mut made = 0;
    while made < count {
        if let Some(outline) = plain(&mut dice) {
            counts.entry(outline).or_default()[1] += 1;
            made += 1;
        }
    }
    // Two samples of the same size: compare each with their mean, and what is seldom together.
    let (mut seldom, mut statistic, mut cells) = ([0.0; 2], 0.0, 0usize);
    for &[one, other] in counts.values() {
        let (one, other) = (one as f64, other as f64);
        if one + other < 20.0 {
            seldom = [seldom[0] + one, seldom[1] + other];
        } else {
            statistic += (one - other) * (one - other) / (one + other);
            cells += 1;
        }
    }
    if seldom[0] + seldom[1] > 0.0 {
        statistic += (seldom[0] - seldom[1]) * (seldom[0] - seldom[1]) / (seldom[0] + seldom[1]);
        cells += 1;
    }
    // The same statistic as pairs that differ from an expectation of one.
    let root = statistic.sqrt();
    let pairs = (0..cells).map(|cell| if cell == 0 { (1.0 + root, 1.0) } else { (1.0, 1.0) });
    expect("outlines against a plain generator", &chi_squared(pairs));
    assert!(cells > 20);
}

/// A body without names: `.` for an interaction, brackets for branches.
fn outline(tree: &ChoreographyTree) -> String {
    let unit = &tree.units[0];
    let mut text = String::new();
    for body in unit.mains.iter().map(|main| main.body).chain(unit.procedures.iter().map(|procedure| procedure.body)) {
        write_outline(tree, body, &mut text);
        text.push('|');
    }
    text
}

fn write_outline(tree: &ChoreographyTree, at: TermId, text: &mut String) {
    match tree.term(at) {
        Term::Act(_, next) => {
            text.push('.');
            write_outline(tree, next, text);
        }
        Term::Fork(_, arms) => {
            text.push('[');
            for arm in arms.of(&tree.arms) {
                write_outline(tree, arm.body, text);
                text.push(',');
            }
            text.push(']');
        }
        Term::Call(name) => text.push_str(tree.text(name)),
        _ => text.push('-'),
    }
}

/// The outline of a choreography with four actions, two of them conditionals, and two procedures, or nothing if it will
/// not do. Made as the paper says, straight away.
fn plain(dice: &mut SeededRng) -> Option<String> {
    let (mut interactions, mut conditionals) = ([0; 3], [0; 3]);
    dice.scatter(2, &mut interactions);
    dice.scatter(2, &mut conditionals);
    if (1..3).any(|body| interactions[body] + conditionals[body] == 0) {
        return None;
    }
    let bodies: Vec<String> = (0..3)
        .map(|body| {
            sequence(dice, interactions[body], conditionals[body], &mut |dice| {
                ["-", "A", "B"][dice.below_u32(3) as usize].to_string()
            })
        })
        .collect();
    let mut reached = BTreeSet::from([0]);
    for _ in 0..3 {
        for body in reached.clone() {
            reached.extend(
                ["", "A", "B"]
                    .iter()
                    .enumerate()
                    .skip(1)
                    .filter(|(_, name)| bodies[body].contains(**name))
                    .map(|(n, _)| n),
            );
        }
    }
    (reached.len() == 3).then(|| format!("{}|{}|{}|", bodies[0], bodies[1], bodies[2]))
}

fn sequence(
    dice: &mut SeededRng,
    mut interactions: u32,
    conditionals: u32,
    end: &mut dyn FnMut(&mut SeededRng) -> String,
) -> String {
    let mut text = String::new();
    while interactions + conditionals > 0 {
        if dice.below_u32(interactions + conditionals) < conditionals {
            let (mut i, mut c) = ([0; 3], [0; 3]);
            dice.scatter(interactions, &mut i);
            dice.scatter(conditionals - 1, &mut c);
            let shared = sequence(dice, i[0], c[0], &mut |_| "#".to_string());
            let then = sequence(dice, i[1], c[1], end);
            let otherwise = sequence(dice, i[2], c[2], end);
            return format!("{text}[{},{},]", shared.replace('#', &then), shared.replace('#', &otherwise));
        }
        text.push('.');
        interactions -= 1;
    }
    text + &end(dice)
}
