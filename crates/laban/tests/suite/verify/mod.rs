//! Whether choreographies describe networks: by hand, at random against a naive twin, and at scale.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod kind;
mod loops;
mod queues;
pub(crate) mod races;
pub(crate) mod random;
mod reasons;
mod scale;
mod sentences;
mod services;
mod twin;
mod wide;

use crate::cases;
use laban::choreography::Choreography;
use laban::equivalence::{self, Certificate, Mismatch, VerifyOptions};
use laban::network::Network;
use std::collections::BTreeMap;

/// As it is, without minimising it first.
fn verify(network: &Network, choreography: &Choreography) -> Result<Certificate, Mismatch> {
    let options = VerifyOptions { minimise: false, ..VerifyOptions::default() };
    equivalence::verify(network, choreography, &options).map_err(|error| error.mismatch().expect("there is no limit"))
}

/// Compares the twins and counts the outcomes.
fn agree(
    seeds: std::ops::Range<u64>,
    case: impl Fn(u64) -> (Network, Choreography),
) -> BTreeMap<Option<twin::Kind>, usize> {
    let mut outcomes = BTreeMap::new();
    for seed in seeds {
        let (network, choreography) = case(seed);
        let expected = twin::verify(&network, &choreography);
        let outcome = match verify(&network, &choreography) {
            Ok(_) => {
                assert!(expected.is_empty(), "seed {seed}: verified, but {expected:?}");
                None
            }
            Err(mismatch) => {
                let kind = twin::kind(&mismatch.reason);
                assert!(expected.contains(&kind), "seed {seed}: {kind:?} is not among {expected:?}");
                assert!(twin::is_true(&network, &choreography, &mismatch), "seed {seed}: {mismatch:?}");
                assert!(!mismatch.explain(&network, &choreography).is_empty());
                Some(kind)
            }
        };
        *outcomes.entry(outcome).or_insert(0) += 1;
    }
    outcomes
}

#[test]
fn the_check_agrees_with_its_naive_twin() {
    use twin::Kind::{Absent, Group, NotEnabled, Shared, Starved, StopsEarly, Unknown};
    let outcomes = agree(0..cases(6_000), random::case);
    for kind in [None, Some(Absent), Some(NotEnabled), Some(Starved), Some(StopsEarly)] {
        assert!(outcomes.get(&kind).is_some_and(|&count| count >= 100), "{kind:?}: {outcomes:?}");
    }
    for kind in [Group, Shared, Unknown] {
        assert!(outcomes.get(&Some(kind)).is_some_and(|&count| count >= 10), "{kind:?}: {outcomes:?}");
    }
}

#[test]
fn the_check_of_cycles_agrees_with_its_naive_twin() {
    let outcomes = agree(0..cases(4_000), random::hub);
    for kind in [None, Some(twin::Kind::Starved)] {
        assert!(outcomes.get(&kind).is_some_and(|&count| count >= 500), "{kind:?}: {outcomes:?}");
    }
}
