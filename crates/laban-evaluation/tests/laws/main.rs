//! The laws of the fuzz targets, on bytes by chance and on those that are kept because the fuzzer found them worth it.
//! `LABAN_TIMES` says how many times as many are tried.

#![allow(clippy::panic, clippy::expect_used)]

#[allow(unreachable_pub)] // The fuzz targets use it, too.
mod laws;
#[allow(unreachable_pub)] // The fuzz targets use it, too.
mod systems;

use laban::generate::SeededRng;
use std::path::Path;
use std::{env, fs};

/// Tries a law on so many random inputs, and on those that are kept for it.
fn holds(target: &str, cases: u64, law: fn(&[u8])) {
    let times: u64 = env::var("LABAN_TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    for seed in 0..cases * times {
        let mut rng = SeededRng::keyed([seed, 0xf0, 0, 0]);
        let length = rng.below_u32(90);
        let bytes: Vec<u8> = (0..length).map(|_| rng.below_u32(256) as u8).collect();
        law(&bytes);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../laban/tests/fuzz_corpus").join(target);
    let mut paths: Vec<_> = fs::read_dir(&folder).expect("it is there").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target}");
    for path in paths {
        law(&fs::read(&path).expect("it can be read"));
    }
}

#[test]
fn what_is_extracted_describes_the_network() {
    holds("extraction_is_certified", 4_000, laws::extraction_is_certified);
}

#[test]
fn what_is_projected_extracts_to_the_same() {
    holds("projection_is_extracted", 300, laws::projection_is_extracted);
}

#[test]
fn both_searches_and_all_strategies_agree() {
    holds("searches_agree", 1_000, laws::searches_agree);
}

#[test]
fn what_works_by_rendezvous_works_with_queues() {
    holds("queues_keep_rendezvous", 2_000, laws::queues_keep_rendezvous);
}

#[test]
fn saved_results_read_back() {
    holds("saved_runs_are_read", 1_000, |bytes| laws::saved_runs_are_read(&String::from_utf8_lossy(bytes)));
}

#[test]
fn edits_leave_a_text_and_mostly_a_network() {
    let edited = |seed: u64| {
        let mut rng = SeededRng::keyed([seed, 0xf1, 0, 0]);
        let bytes: Vec<u8> = (0..80).map(|_| rng.below_u32(256) as u8).collect();
        laban::analyse(systems::edited_network(&bytes).as_str()).into_network().is_ok()
    };
    let well_formed = (0..300).filter(|&seed| edited(seed)).count();
    assert!((60..290).contains(&well_formed), "{well_formed}");
}
