//! A part that several threads follow together has the same certificate, and the same mismatch, as one that a single
//! thread follows.

use super::random;
use crate::cases;
use laban::choreography::Choreography;
use laban::equivalence::{Certificate, NotVerified, VerifyOptions, verify};
use laban::network::Network;
use laban::{ExtractOptions, Limits, StopReason, Verdict};
use std::sync::atomic::{AtomicUsize, Ordering};

const ALONE: VerifyOptions<'static> = VerifyOptions {
    minimise: false,
    parallel: false,
    wide: 0,
    limits: Limits { max_states: None, stop: &|| None },
    fair: false,
    conditions: laban::equivalence::Conditions::ByText,
};

/// Follows a choreography alone, and together from where so many pairs wait.
fn agree(seed: u64, network: &Network, choreography: &Choreography) -> Result<Certificate, NotVerified> {
    let alone = verify(network, choreography, &ALONE);
    for wide in [0, 1, 3] {
        let together = verify(network, choreography, &VerifyOptions { parallel: true, wide, ..ALONE });
        assert_eq!(together, alone, "seed {seed}, wide {wide}");
    }
    alone
}

#[test]
fn random_parts_are_the_same_however_many_follow_them() {
    let (mut remembered, mut wrong) = (0, 0);
    for seed in 0..cases(3_000) {
        for (network, choreography) in [random::case(seed), random::hub(seed)] {
            match agree(seed, &network, &choreography) {
                Ok(certificate) => remembered += usize::from(certificate.remembered > 2),
                Err(_) => wrong += 1,
            }
        }
    }
    assert!(remembered > 500 && wrong > 500, "{remembered} remembered, {wrong} wrong");
}

/// Deciders that tell nobody until a hub starts the next round: each round has more pairs than ways to decide.
fn rounds(deciders: usize) -> (Network, Choreography) {
    let tell: String = (0..deciders).map(|number| format!("d{number}+go; ")).collect();
    let mut text = format!("hub {{ def X {{ {tell}X }} main {{ X }} }}");
    for number in 0..deciders {
        text += &format!(
            " | d{number} {{ def X {{ if c then hub&{{go: X, x: stop}} else hub&{{go: X, y: stop}} }} main {{ X }} }}"
        );
    }
    let network = laban::analyse(&text).into_network().expect("the text is a network");
    let options = ExtractOptions { certify: false, ..ExtractOptions::default() };
    let extraction = laban::extract(&network, &options).expect("there is no fault");
    assert_eq!(extraction.verdict(), Verdict::Extracted);
    let choreography = extraction.choreography().expect("it was extracted").clone();
    (network, choreography)
}

#[test]
fn rounds_of_many_decisions_are_the_same_however_many_follow_them() {
    for deciders in 2..=8 {
        let (network, choreography) = rounds(deciders);
        let certificate = agree(0, &network, &choreography).expect("it describes the network");
        assert!(certificate.remembered >= 1 << deciders, "{certificate:?}");
    }
}

#[test]
fn more_pairs_than_go_into_one_round_are_followed() {
    let (network, choreography) = rounds(16);
    let alone = verify(&network, &choreography, &ALONE);
    assert!(alone.as_ref().is_ok_and(|certificate| certificate.remembered > 1 << 17), "{alone:?}");
    let options = VerifyOptions { minimise: false, ..VerifyOptions::default() };
    assert_eq!(verify(&network, &choreography, &options), alone);
}

#[test]
fn a_limit_is_the_same_however_many_follow() {
    let (network, choreography) = rounds(12);
    let pairs = verify(&network, &choreography, &ALONE).expect("it describes the network").pairs;
    let mut given_up = 0;
    for most in (0..=10).map(|tenth| pairs / 10 * tenth).chain([pairs - 1, pairs]) {
        let limits = Limits::states(most);
        let alone = verify(&network, &choreography, &VerifyOptions { limits, ..ALONE });
        let together = verify(&network, &choreography, &VerifyOptions { limits, parallel: true, wide: 0, ..ALONE });
        assert_eq!(together, alone, "at most {most}");
        given_up += usize::from(alone.is_err());
    }
    assert!((3..12).contains(&given_up), "{given_up}");
}

#[test]
fn an_interrupt_ends_what_many_follow() {
    let (network, choreography) = rounds(10);
    for patience in 0..4 {
        let asked = AtomicUsize::new(0);
        let stop = || (asked.fetch_add(1, Ordering::Relaxed) >= patience).then_some(StopReason::Interrupted);
        let limits = Limits { max_states: None, stop: &stop };
        let answer = verify(&network, &choreography, &VerifyOptions { limits, parallel: true, wide: 0, ..ALONE });
        assert_eq!(answer, Err(NotVerified::Undecided(StopReason::Interrupted)), "after {patience}");
    }
}
