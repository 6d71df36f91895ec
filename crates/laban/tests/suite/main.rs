//! What the library promises, room by room: by hand, by laws on random inputs, against naive twins, and at scale.
//!
//! Random inputs come from a seed, which a failure prints. `LABAN_TIMES=10` tries ten times as many, and makes the
//! largest inputs larger, as `scripts/differential` does.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod architecture;
mod choreographies;
mod choreographies_waiting;
mod cycles;
mod deciders;
mod equivalence;
mod equivalence_alike;
mod equivalence_crossing;
mod equivalence_laws;
mod equivalence_queues;
mod equivalence_races;
mod explain;
mod explorer;
mod fixes;
mod generate;
mod goldens;
mod meetings;
mod minimise;
mod outcomes;
mod places;
mod projection;
mod projection_laws;
mod projection_queues;
mod projection_races;
mod queues;
mod races;
mod scale;
mod semantics;
mod simulate;
mod steady;
mod syntax;
mod verify;

/// How many cases a law is tried on: so many, or `LABAN_TIMES` as many.
fn cases(usual: u64) -> u64 {
    usual * times()
}

/// The same for a law of which each case takes long: so few, or `LABAN_TIMES` as many as many.
fn long_cases(few: u64, many: u64) -> u64 {
    if times() > 1 { many * times() } else { few }
}

/// How large a test is made: as large as it takes to see that size does not matter, or with `LABAN_TIMES` as large as
/// anybody would ever want.
fn scaled(usual: usize, large: usize) -> usize {
    if times() > 1 { large } else { usual }
}

fn times() -> u64 {
    std::env::var("LABAN_TIMES").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}
