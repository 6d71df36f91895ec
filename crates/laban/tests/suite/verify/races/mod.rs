//! Choices, races and idle waits: by hand, and at random against a naive twin and against every interleaving.

pub(crate) mod mutations;
mod reasons;
mod twin;

use super::random;
use crate::cases;
use crate::races::random_network;
use crate::races::twin::Space;
use laban::choreography::Choreography;
use laban::equivalence::{self, Conditions, Mismatch, VerifyOptions};
use laban::extraction::{ExtractOptions, search};
use laban::generate::SeededRng;
use laban::network::Network;
use laban::semantics::Configuration;
use laban::{Verdict, analyse};
use std::collections::{BTreeMap, BTreeSet};
use twin::{Kind, Local, Twin};

/// As it is, without minimising it first.
fn verify(network: &Network, choreography: &Choreography, fair: bool, conditions: Conditions) -> Result<(), Mismatch> {
    let options = VerifyOptions { minimise: false, fair, conditions, ..VerifyOptions::default() };
    let answer = equivalence::verify(network, choreography, &options);
    answer.map(|_| ()).map_err(|error| error.mismatch().expect("there is no limit"))
}

/// Everything that can happen in a network, with the states of those who act; nothing if there are too many
/// configurations or processes.
fn everything(network: &Network) -> Option<BTreeSet<Local>> {
    if network.processes().len() > 8 {
        return None;
    }
    let start = Configuration::start(network);
    let mut met = BTreeSet::from([start.clone()]);
    let mut work = vec![start];
    let mut steps = BTreeSet::new();
    while let Some(configuration) = work.pop() {
        if met.len() > 3000 {
            return None;
        }
        for step in configuration.steps(network) {
            steps.insert((step, step.actors().map(|actor| configuration.states[actor.index()]).collect()));
            let mut after = configuration.clone();
            assert!(after.take(network, step));
            if met.insert(after.clone()) {
                work.push(after);
            }
        }
    }
    Some(steps)
}

/// What has been looked at.
#[derive(Debug, Default)]
struct Covered {
    outcomes: BTreeMap<Option<Kind>, usize>,
    judged_by_interleaving: usize,
}

/// Compares the check with its twin; and if it accepts, with every interleaving. Says what is wrong with the check.
fn compare(
    network: &Network,
    choreography: &Choreography,
    fair: bool,
    conditions: Conditions,
    covered: &mut Covered,
) -> Result<(), String> {
    let ensure = |fine: bool, why: &str| if fine { Ok(()) } else { Err(why.to_string()) };
    let twin = Twin { network, choreography, fair, conditions };
    let Some(judgement) = twin.judge() else { return Ok(()) };
    let outcome = match verify(network, choreography, fair, conditions) {
        Err(mismatch) => {
            let kind = twin::kind(&mismatch.reason);
            let why = format!("{mismatch:?}; the twin finds {:?}", judgement.wrong);
            ensure(judgement.wrong.contains(&kind), &why)?;
            ensure(twin.is_true(&mismatch), &format!("not true: {mismatch:?}"))?;
            ensure(!mismatch.diagnostic(network, choreography).message.is_empty(), "nothing is said")?;
            ensure(mismatch.clone().on(network) == mismatch, "not found again")?;
            Some(kind)
        }
        Ok(()) => {
            ensure(judgement.wrong.is_empty(), &format!("verified, but {:?}", judgement.wrong))?;
            if let Some(steps) = everything(network)
                && let Some(space) = Space::new(network)
            {
                covered.judged_by_interleaving += 1;
                ensure(space.verdict(fair) == Verdict::Extracted, "verified, but it fails when interleaved")?;
                let is_service = |process: usize| network.processes()[process].service;
                let left_out = steps.difference(&judgement.steps);
                let mut left_out = left_out.filter(|(step, _)| !step.actors().all(|actor| is_service(actor.index())));
                ensure(left_out.next().is_none(), "verified, but more can happen")?;
            }
            None
        }
    };
    *covered.outcomes.entry(outcome).or_insert(0) += 1;
    Ok(())
}

#[test]
fn the_check_agrees_with_its_naive_twin_and_with_every_interleaving() {
    let mut covered = Covered::default();
    for seed in 0..cases(3000) {
        let Some((text, network)) = random_network(seed) else { continue };
        let rng = &mut SeededRng::for_purpose(seed, 7);
        let fair = rng.below(3) == 0;
        let split = rng.below(4) > 0;
        // What is extracted if decisions are fair may starve if they are not.
        let options =
            ExtractOptions { fair: fair || rng.below(2) == 0, split, parallel: false, ..ExtractOptions::default() };
        let Some(found) = search(&network, &options).choreography else { continue };
        for round in 0..8 {
            let conditions = if rng.below(3) == 0 { Conditions::Any } else { Conditions::ByText };
            let mut choreography = Some(found.clone());
            for _ in 0..[0, 0, 0, 1, 2, 1, 1, 1][round] {
                choreography = choreography.and_then(|choreography| mutations::choreography(rng, &choreography));
            }
            let changed = match round {
                1 => mutations::strict_network(rng, &network),
                2 | 5 => mutations::network(rng, &network),
                _ => Some(network.clone()),
            };
            let (Some(choreography), Some(changed)) = (choreography, changed) else { continue };
            let compared = compare(&changed, &choreography, fair, conditions, &mut covered);
            if let Err(why) = compared {
                let tree = laban::choreography::read_off(&choreography);
                panic!("seed {seed}, round {round}, fair {fair}: {why}\n{text}\n{}", laban::Compact(&tree));
            }
        }
    }
    println!("{covered:?}");
    let count = |kind| covered.outcomes.get(&kind).copied().unwrap_or(0) as u64;
    for kind in [None, Some(Kind::NotEnabled), Some(Kind::ItemNotEnabled), Some(Kind::Overlooked)] {
        assert!(count(kind) >= cases(100), "{kind:?}: {covered:?}");
    }
    for kind in [Kind::Starved, Kind::StopsEarly, Kind::DecidesFirst, Kind::Forgotten, Kind::Absent] {
        assert!(count(Some(kind)) >= cases(3), "{kind:?}: {covered:?}");
    }
    assert!(covered.judged_by_interleaving as u64 >= cases(100), "{covered:?}");
}

/// Two random networks side by side.
fn two_networks(seed: u64) -> Option<(String, Network)> {
    let (first, _) = random_network(seed)?;
    let (second, _) = random_network(seed + 1_000_000)?;
    let mut text = format!("{first} | ");
    // The others need names of their own.
    for word in second.split_inclusive(|letter: char| !letter.is_alphanumeric()) {
        let name = word.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        let is_name = ["p", "q", "r", "s", "t"].contains(&name);
        text.push_str(&if is_name { word.replacen(name, &format!("{name}{name}"), 1) } else { word.to_string() });
    }
    let network = analyse(&text).into_network().ok()?;
    Some((text, network))
}

#[test]
fn parts_that_can_meet_are_found_as_the_naive_twin_finds_them() {
    let mut covered = Covered::default();
    for seed in 0..cases(2000) {
        let Some((text, network)) = two_networks(seed) else { continue };
        let rng = &mut SeededRng::for_purpose(seed, 8);
        let options = ExtractOptions { fair: true, parallel: false, ..ExtractOptions::default() };
        let Some(choreography) = search(&network, &options).choreography else { continue };
        for round in 0..6 {
            let Some(changed) = mutations::linked_network(rng, &network) else { continue };
            if let Err(why) = compare(&changed, &choreography, round % 2 == 0, Conditions::ByText, &mut covered) {
                let tree = laban::choreography::read_off(&choreography);
                panic!("seed {seed}, round {round}: {why}\n{text}\n{}", laban::Compact(&tree));
            }
        }
    }
    println!("{covered:?}");
    let count = |kind| covered.outcomes.get(&kind).copied().unwrap_or(0) as u64;
    assert!(count(None) >= cases(20) && count(Some(Kind::AcrossParts)) >= cases(5), "{covered:?}");
}

#[test]
fn without_races_it_agrees_with_its_naive_twin_as_well() {
    let mut covered = Covered::default();
    for seed in 0..cases(3000) {
        for (network, choreography) in [random::case(seed), random::hub(seed)] {
            let conditions = if seed % 4 == 0 { Conditions::Any } else { Conditions::ByText };
            // Only the one walk knows of fair decisions and of conditions that are not compared.
            if let Err(why) = compare(&network, &choreography, seed % 4 > 0, conditions, &mut covered) {
                panic!("seed {seed}: {why}");
            }
        }
    }
    println!("{covered:?}");
    for kind in [Kind::Absent, Kind::NotEnabled, Kind::Starved, Kind::StopsEarly, Kind::Shared, Kind::Unknown] {
        assert!(covered.outcomes.get(&Some(kind)).is_some_and(|&count| count as u64 >= cases(5)), "{covered:?}");
    }
    assert!(covered.outcomes.get(&None).is_some_and(|&count| count as u64 >= cases(500)), "{covered:?}");
}

#[test]
fn whatever_is_extracted_is_verified() {
    let mut extracted = 0;
    for seed in 0..cases(4000) {
        let Some((text, network)) = random_network(seed) else { continue };
        for fair in [false, true] {
            let options = ExtractOptions { fair, parallel: false, ..ExtractOptions::default() };
            let Some(choreography) = search(&network, &options).choreography else { continue };
            if let Err(mismatch) = verify(&network, &choreography, fair, Conditions::ByText) {
                let tree = laban::choreography::read_off(&choreography);
                let why = mismatch.explain(&network, &choreography);
                panic!("seed {seed}, fair {fair}: {why}\n{text}\n{}", laban::Compact(&tree));
            }
            extracted += 1;
        }
    }
    assert!(extracted >= cases(500), "only {extracted}");
}
