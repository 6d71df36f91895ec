//! How choreographies are checked, and what is said where they do not describe a network.

use super::{Digest, compare};
use crate::{queues, races, verify};
use laban::equivalence::{Conditions, NotVerified, VerifyOptions};
use laban::generate::SeededRng;
use laban::network::Network;
use laban::{Choreography, ExtractOptions, Limits, extract, services_left};

/// A line about a network and a choreography: what is certified, or the mismatch, and all that is said.
fn line(name: &str, network: &Network, choreography: &Choreography) -> String {
    let mut digest = Digest::new();
    let usual = VerifyOptions { parallel: false, limits: Limits::states(300), ..VerifyOptions::default() };
    let answer = |digest: &mut Digest, options: &VerifyOptions<'_>| match laban::verify(network, choreography, options)
    {
        Ok(it) => format!("{} parts, {} pairs, {} remembered, {} ends", it.parts, it.pairs, it.remembered, it.ends),
        Err(NotVerified::Mismatch(mismatch)) => {
            digest.add_steps(network, &mismatch.run);
            digest.add_steps(network, mismatch.cycle());
            digest.add_diagnostics("", &[mismatch.diagnostic(network, choreography)]);
            digest.add_diagnostics("", &mismatch.places(network));
            digest.add_places(&mismatch.steps(network));
            mismatch.explain(network, choreography)
        }
        Err(NotVerified::Undecided(reason)) => reason.to_string(),
    };
    let said = answer(&mut digest, &usual);
    let fair = VerifyOptions { fair: true, minimise: false, ..usual };
    let any = VerifyOptions { conditions: Conditions::Any, ..usual };
    for options in [fair, any] {
        let said = answer(&mut digest, &options);
        digest.add(said);
    }
    let left = services_left(network, choreography, &usual);
    let left: Vec<_> = left.iter().map(|left| left.diagnostic(network)).collect();
    digest.add_diagnostics("", &left);
    format!("{name}: {said} {digest}")
}

/// Lines about a network and what it comes to, as it is and with mistakes.
fn lines(seed: u64, network: &Network) -> Vec<String> {
    let options =
        ExtractOptions { parallel: false, limits: Limits::states(400), queue: 8, ..ExtractOptions::default() };
    let Some(choreography) = extract(network, &options).ok().and_then(|answer| answer.choreography().cloned()) else {
        return Vec::new();
    };
    let mut rng = SeededRng::new(seed);
    let mut lines = vec![line(&format!("{seed}"), network, &choreography)];
    for number in 0..6 {
        if let Some(other) = verify::races::mutations::choreography(&mut rng, &choreography) {
            lines.push(line(&format!("{seed}, choreography {number}"), network, &other));
        }
        if let Some(other) = verify::races::mutations::network(&mut rng, network) {
            lines.push(line(&format!("{seed}, network {number}"), &other, &choreography));
        }
    }
    lines
}

#[test]
fn choreographies_of_networks_with_races_are_checked_as_ever() {
    let one = |seed: u64| races::random_network(seed).map(|(_, network)| lines(seed, &network));
    compare("checked-races", &(0..80).filter_map(one).flatten().collect::<Vec<_>>());
}

#[test]
fn choreographies_of_networks_with_queues_are_checked_as_ever() {
    let one = |seed: u64| queues::random_network(seed).map(|(_, network)| lines(seed, &network));
    compare("checked-queues", &(0..80).filter_map(one).flatten().collect::<Vec<_>>());
}

#[test]
fn choreographies_as_in_the_paper_are_checked_as_ever() {
    let one = |seed: u64| {
        let case = if seed.is_multiple_of(2) { verify::random::case } else { verify::random::hub };
        let (network, choreography) = case(seed);
        line(&seed.to_string(), &network, &choreography)
    };
    compare("checked-plain", &(0..600).map(one).collect::<Vec<_>>());
}
