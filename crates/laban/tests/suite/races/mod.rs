//! Races: what the search says of them, against a naive twin.

mod growth;
pub(crate) mod random;
mod rounds;
pub(crate) mod twin;

use crate::cases;
use laban::choreography::Unprojectable;
use laban::extraction::{ExtractOptions, Strategy, search};
use laban::generate::SeededRng;
use laban::network::Network;
use laban::syntax::parse_choreography;
use laban::{Compact, EquivalenceOptions, Extraction, ProjectOptions, Verdict, analyse, equivalent, extract, project};
use std::collections::BTreeMap;
use twin::Space;

/// A random network, if it is well-formed.
pub(crate) fn random_network(seed: u64) -> Option<(String, Network)> {
    let text = random::network(&mut SeededRng::new(seed));
    let analysis = analyse(&text);
    assert!(analysis.syntax_errors().is_empty(), "seed {seed}: {text}");
    Some((text, analysis.into_network().ok()?))
}

#[test]
fn verdicts_agree_with_every_interleaving() {
    let mut seen: BTreeMap<(bool, &str), usize> = BTreeMap::new();
    let mut too_large = 0;
    for seed in 0..cases(4000) {
        let Some((text, network)) = random_network(seed) else { continue };
        let Some(space) = Space::new(&network) else {
            too_large += 1;
            continue;
        };
        for fair in [false, true] {
            let expected = space.verdict(fair);
            let options = ExtractOptions { fair, parallel: false, ..ExtractOptions::default() };
            let found = search(&network, &options).verdict();
            assert_eq!(found, expected, "seed {seed}, fair {fair}: {text}");
            let whole = search(&network, &ExtractOptions { split: false, ..options }).verdict();
            assert_eq!(whole, expected, "seed {seed}, fair {fair}, not split: {text}");
            *seen.entry((fair, expected.as_str())).or_default() += 1;
        }
    }
    println!("{seen:?}, too large {too_large}");
    for fair in [false, true] {
        for verdict in [Verdict::Extracted, Verdict::Deadlock, Verdict::Livelock] {
            let count = seen.get(&(fair, verdict.as_str())).copied().unwrap_or(0) as u64;
            assert!(count >= cases(100), "only {count} with {verdict:?}");
        }
    }
}

#[test]
fn every_extraction_is_certified_and_every_failure_can_be_replayed() {
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..cases(3000) {
        let Some((text, network)) = random_network(seed) else { continue };
        let strategy = Strategy::ALL[seed as usize % Strategy::ALL.len()];
        for fair in [false, true] {
            let options = ExtractOptions { fair, strategy, seed, parallel: false, ..ExtractOptions::default() };
            let extraction = match extract(&network, &options) {
                Ok(extraction) => extraction,
                Err(error) => panic!("seed {seed}, fair {fair}, {}: {error}: {text}", strategy.name),
            };
            *seen.entry(extraction.verdict().as_str()).or_default() += 1;
            let usual = search(&network, &ExtractOptions { strategy: Strategy::default(), ..options });
            assert_eq!(extraction.verdict(), usual.verdict(), "seed {seed}, {}: {text}", strategy.name);
            for explanation in extraction.explanations() {
                let diagnostic = explanation.diagnostic(&network);
                assert!(!diagnostic.message.is_empty(), "seed {seed}: {text}");
            }
            let Some(tree) = extraction.tree() else { continue };
            let printed = Compact(tree).to_string();
            let again = parse_choreography(&printed);
            assert!(again.diagnostics.is_empty(), "seed {seed}: {printed}");
            assert_eq!(Compact(&again.tree).to_string(), printed);
        }
    }
    println!("{seen:?}");
    for verdict in ["extracted", "deadlock", "livelock"] {
        assert!(seen[verdict] >= cases(200), "only {} with {verdict}", seen[verdict]);
    }
}

#[test]
fn what_is_extracted_and_projected_can_do_the_same() {
    let (mut same, mut without) = (0, BTreeMap::new());
    for seed in 0..cases(4000) {
        // What services do among themselves need not be in a choreography.
        let text = random::network(&mut SeededRng::new(seed)).replace("service ", "");
        let Ok(network) = analyse(&text).into_network() else { continue };
        let options = ExtractOptions { parallel: false, ..ExtractOptions::default() };
        let extraction = extract(&network, &options).unwrap();
        let Some(choreography) = extraction.choreography() else { continue };
        match project(choreography, &ProjectOptions::default()) {
            Err(error) => {
                let kind = match error.reasons().first() {
                    Some(Unprojectable::Uninformed { .. }) => "not told",
                    Some(Unprojectable::NoHub { .. }) => "nothing in common",
                    _ => "another reason",
                };
                *without.entry(kind).or_insert(0u64) += 1;
            }
            Ok(projection) => {
                let comparison = equivalent(&network, &projection.network, &EquivalenceOptions::default());
                let difference = comparison.difference().map(|difference| difference.sentence("network", "projection"));
                assert!(comparison.is_same(), "seed {seed}: {text}\n{difference:?}");
                same += 1;
            }
        }
    }
    println!("{same} are equivalent to their projection; {without:?} have none");
    assert!(same >= cases(800), "only {same} have a projection");
}

#[test]
fn a_race_of_one_is_no_race() {
    let (mut same, mut wrapped) = (0, 0);
    for seed in 0..cases(1500) {
        let Some((text, network)) = random_network(seed) else { continue };
        let alone = random::text(&random::alone(&random::processes(&mut SeededRng::new(seed))));
        let Ok(other) = analyse(&alone).into_network() else { panic!("seed {seed}: {alone}") };
        wrapped += u64::from(alone != text);
        let options = ExtractOptions { parallel: false, ..ExtractOptions::default() };
        let [one, other] = [&network, &other].map(|network| extract(network, &options).unwrap());
        assert_eq!(one.verdict(), other.verdict(), "seed {seed}: {alone}");
        let printed = |extraction: &Extraction| extraction.tree().map(|tree| Compact(tree).to_string());
        assert_eq!(printed(&one), printed(&other), "seed {seed}: {alone}");
        same += 1;
    }
    assert!(same >= cases(1000) && wrapped >= cases(500), "{same} were compared, {wrapped} of them wrapped");
}
