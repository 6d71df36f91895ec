//! How systems are compared, and which difference is shown.

use super::{Digest, compare};
use crate::verify::races::mutations;
use crate::{queues, races, verify};
use laban::equivalence::{self, Bounds, Conditions, Equivalence, EquivalenceOptions, System, equivalent_networks};
use laban::generate::SeededRng;
use laban::network::Network;
use laban::{Comparison, ExtractOptions, Limits, extract};

/// Adds an answer; says it in a few words.
fn add_answer(digest: &mut Digest, answer: &Equivalence, networks: [Option<&Network>; 2]) -> String {
    let (said, difference) = match answer {
        Equivalence::Same { pairs, ends } => (format!("same, {pairs} pairs"), ends.as_deref()),
        Equivalence::Different(difference) => (difference.sentence("one", "two"), Some(&**difference)),
        Equivalence::Undecided { pairs, reason } => (format!("{reason}, {pairs} pairs"), None),
    };
    if let Some(difference) = difference {
        digest.add(difference.summary("one", "two"));
        difference.note().iter().flat_map(|note| note.lines()).for_each(|line| digest.add(line));
        for diagnostics in difference.diagnostics(networks, ["one", "two"]) {
            digest.add_diagnostics("", &diagnostics);
        }
        networks.iter().flatten().for_each(|network| digest.add_places(&difference.steps(network)));
    }
    said
}

/// A line about two networks.
fn line(name: &str, one: &Network, other: &Network) -> String {
    let mut digest = Digest::new();
    let usual = EquivalenceOptions { limits: Limits::states(300), ..EquivalenceOptions::default() };
    let ask = |digest: &mut Digest, [one, other]: [&Network; 2], options: &EquivalenceOptions<'_>| {
        add_answer(digest, &equivalent_networks(one, other, options), [Some(one), Some(other)])
    };
    let said = ask(&mut digest, [one, other], &usual);
    for options in [
        EquivalenceOptions { services: !usual.services, ..usual },
        EquivalenceOptions { conditions: Conditions::Any, ..usual },
        EquivalenceOptions { messages: true, ..usual },
    ] {
        let said = ask(&mut digest, [other, one], &options);
        digest.add(said);
    }
    format!("{name}: {said} {digest}")
}

/// Compares two systems of which one is a choreography, without looking very far.
fn compare_within<'a>(
    one: impl Into<System<'a>>,
    other: impl Into<System<'a>>,
    options: &EquivalenceOptions<'_>,
) -> Comparison {
    equivalence::compare(one.into(), other.into(), options, Bounds { pairs: 40, ahead: 12 })
}

/// Lines about a network and others that have something changed.
fn lines(seed: u64, network: &Network) -> Vec<String> {
    let mut rng = SeededRng::new(seed);
    let one = |number: u64| {
        let other = mutations::network(&mut rng, network)?;
        Some(line(&format!("{seed}, {number}"), network, &other))
    };
    (0..3).filter_map(one).collect()
}

#[test]
fn networks_with_races_are_compared_as_ever() {
    let one = |seed: u64| races::random_network(seed).map(|(_, network)| lines(seed, &network));
    compare("compared-races", &(0..200).filter_map(one).flatten().collect::<Vec<_>>());
}

#[test]
fn networks_with_queues_are_compared_as_ever() {
    let one = |seed: u64| queues::random_network(seed).map(|(_, network)| lines(seed, &network));
    compare("compared-queues", &(0..80).filter_map(one).flatten().collect::<Vec<_>>());
}

#[test]
fn networks_as_in_the_paper_are_compared_as_ever() {
    compare(
        "compared-plain",
        &(0..120).flat_map(|seed| lines(seed, &verify::random::case(seed).0)).collect::<Vec<_>>(),
    );
}

#[test]
fn choreographies_are_compared_as_ever() {
    let options =
        ExtractOptions { parallel: false, limits: Limits::states(400), queue: 8, ..ExtractOptions::default() };
    let usual = EquivalenceOptions { limits: Limits::states(300), ..EquivalenceOptions::default() };
    let extracted = |network: &Network| extract(network, &options).ok().and_then(|it| it.choreography().cloned());
    let one = |seed: u64| {
        let (_, network) =
            if seed.is_multiple_of(2) { races::random_network(seed) } else { queues::random_network(seed) }?;
        let choreography = extracted(&network)?;
        let mut rng = SeededRng::new(seed);
        let mut digest = Digest::new();
        let mut answers = Vec::new();
        for _ in 0..4 {
            let Some(other) = mutations::choreography(&mut rng, &choreography) else { continue };
            let Comparison { answer, unprojectable } = compare_within(&choreography, &other, &usual);
            answers.push(add_answer(&mut digest, &answer, [None; 2]));
            digest.add(unprojectable.map(|reasons| reasons.len().to_string()).join(" "));
            let Comparison { answer, .. } = compare_within(&network, &other, &usual);
            answers.push(add_answer(&mut digest, &answer, [Some(&network), None]));
        }
        Some(format!("{seed}: {}, {digest}", answers.join(", ")))
    };
    compare("compared-choreographies", &(0..120).filter_map(one).collect::<Vec<_>>());
}
