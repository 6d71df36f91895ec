//! The search against a naive twin, on many random networks.
//!
//! Networks come in several [kinds](systems::Kind), all from a seed. For each, the verdict of the search is compared
//! with that of the [twin], an extracted choreography is [certified](certify) as a graph and as a text, and the witness
//! of a failure is [replayed](replay). `LABAN_TIMES` says how many times as many networks are tried as usual,
//! `LABAN_SEED` where they start.

#![allow(clippy::expect_used)]

mod behaviour;
mod certify;
mod check;
mod choices;
#[path = "../../../laban/tests/suite/cycles.rs"]
mod cycles;
mod edit;
mod global;
mod replay;
mod systems;
mod twin;

use behaviour::System;
use check::{Checked, Outcome};
use laban::generate::SeededRng;
use std::sync::atomic::{AtomicUsize, Ordering};
use systems::Kind;

/// How many networks are tried. Some are ill-formed: ten times as many leave a hundred thousand.
const CASES: u64 = 10_200;
/// How many are compared at once by a thread.
const BATCH: u64 = 100;

#[test]
fn verdicts_agree_with_a_fair_scheduler_and_every_answer_can_be_checked() {
    let cases = CASES * setting("LABAN_TIMES").unwrap_or(1);
    let first = setting("LABAN_SEED").unwrap_or(0);
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed) as u64 * BATCH;
            if batch >= cases {
                return tally;
            }
            for seed in first + batch..first + (batch + BATCH).min(cases) {
                let (kind, checked) = one(seed);
                tally.count(kind, checked);
            }
        }
    };
    let tally = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).fold(Tally::default(), Tally::plus)
    });
    eprintln!("seeds from {first}: {tally}");
    assert_eq!(tally.sum(), cases as usize, "a thread found a disagreement: {tally}");
    let least = cases as usize / 20;
    assert!(tally.detours >= least / 2, "only {} networks needed a detour", tally.detours);
    for outcome in Outcome::DECIDED {
        assert!(tally.of(outcome) >= least, "only {} networks are {outcome:?}: {tally}", tally.of(outcome));
    }
}

#[test]
fn certificates_agree_with_a_walk_over_all_pairs_for_networks_with_mistakes() {
    let cases = CASES * setting("LABAN_TIMES").unwrap_or(1) / 10;
    let (mut matches, mut mismatches) = (0, 0);
    for seed in 0..cases {
        let mut dice = SeededRng::new(seed);
        let kind = Kind::random(&mut dice);
        let system = systems::system(&mut dice, kind);
        let mut other = system.clone();
        for _ in 0..dice.between(1, 2) {
            edit::edit(&mut other, &mut dice);
        }
        match check::check_mismatch(&system, &other) {
            Ok(Some(true)) => matches += 1,
            Ok(Some(false)) => mismatches += 1,
            Ok(None) => {}
            Err(reason) => assert!(reason.is_empty(), "seed {seed}: {reason}\n{system}\n\nfor the network\n\n{other}"),
        }
    }
    let told = format!("{matches} choreographies still describe the network, {mismatches} do not");
    assert!(matches >= cases / 20 && mismatches >= cases / 20, "{told}");
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Makes the network of a seed and checks everything about it.
fn one(seed: u64) -> (Kind, Checked) {
    let mut dice = SeededRng::new(seed);
    let kind = Kind::random(&mut dice);
    let system = systems::system(&mut dice, kind);
    match check::check(&system, seed) {
        Ok(checked) => (kind, checked),
        Err(reason) => {
            let (system, reason) = shrink(system, reason, seed);
            // Written down at once: the other threads may go on for a while.
            eprintln!("seed {seed} ({kind:?}): {reason}\n{system}\n");
            assert!(reason.is_empty(), "seed {seed}: {reason}\n{system}");
            (kind, Outcome::TooLarge.into())
        }
    }
}

/// A smaller network that fails too.
fn shrink(mut system: System, mut reason: String, seed: u64) -> (System, String) {
    loop {
        let fails = |smaller: System| check::check(&smaller, seed).err().map(|reason| (smaller, reason));
        match edit::smaller(&system).into_iter().find_map(fails) {
            Some(smaller) => (system, reason) = smaller,
            None => return (system, reason),
        }
    }
}

/// How often each kind of network came to each outcome.
#[derive(Default, Clone, Copy)]
struct Tally {
    counts: [[usize; Outcome::ALL.len()]; Kind::ALL.len()],
    /// How many were extracted on a detour.
    detours: usize,
}

impl Tally {
    fn count(&mut self, kind: Kind, checked: Checked) {
        self.counts[kind as usize][checked.outcome as usize] += 1;
        self.detours += usize::from(checked.detour);
    }

    fn plus(mut self, other: Tally) -> Tally {
        for (row, others) in self.counts.iter_mut().zip(other.counts) {
            for (count, other) in row.iter_mut().zip(others) {
                *count += other;
            }
        }
        self.detours += other.detours;
        self
    }

    fn of(&self, outcome: Outcome) -> usize {
        self.counts.iter().map(|row| row[outcome as usize]).sum()
    }

    fn sum(&self) -> usize {
        self.counts.iter().flatten().sum()
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:12}", "")?;
        for outcome in Outcome::ALL {
            write!(out, "{:>12}", format!("{outcome:?}"))?;
        }
        for kind in Kind::ALL {
            write!(out, "\n{:12}", format!("{kind:?}"))?;
            for outcome in Outcome::ALL {
                write!(out, "{:12}", self.counts[kind as usize][outcome as usize])?;
            }
        }
        write!(out, "\n{:12}", "all")?;
        for outcome in Outcome::ALL {
            write!(out, "{:12}", self.of(outcome))?;
        }
        write!(out, "\n{} were extracted although some action would have starved a process", self.detours)
    }
}
