//! What the readers and writers promise: by hand, by laws on random networks, and on broken texts.
//!
//! Random inputs come from a seed, which a failure prints. `LABAN_TIMES=10` tries ten times as many.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod aldebaran;
mod broken;
mod detection;
mod diagrams;
mod documents;
mod drawings;
mod goldens;
mod promela;
mod properties;
mod protocols;
mod reading;
mod round_trip;
mod twin;

use laban::Network;
use laban::generate::{self, Parameters, SeededRng};
use laban::syntax::NetworkTree;
use laban_formats::{Format, Reading, Source, read};

/// How many cases a law is tried on: so many, or `LABAN_TIMES` as many.
fn cases(usual: u64) -> u64 {
    usual * std::env::var("LABAN_TIMES").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(1)
}

fn read_text(format: Format, text: &str) -> Reading {
    read(format, &[Source::new("", text)])
}

/// Reads a text without mistakes.
fn network_of(format: Format, text: &str) -> Network {
    let reading = read_text(format, text);
    let diagnostics = reading.report.diagnostics.clone();
    reading.into_network().unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

/// A network of Laban's own language.
fn network(text: &str) -> Network {
    laban::analyse(text).into_network().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A random network, of which some have races, some have no choices, and half have a broken process.
fn random_network(seed: u64) -> Network {
    let mut rng = SeededRng::keyed([seed, 0xf0, 0, 0]);
    let processes = 2 + rng.below_u32(4);
    let procedures = rng.below_u32(3);
    let ifs = rng.below_u32(3);
    let races = if rng.below_u32(2) == 0 { 0 } else { 1 + rng.below_u32(2) };
    let size = 4 + ifs + races + procedures + rng.below_u32(8);
    let parameters = Parameters::new(size, processes, ifs, procedures).with_races(races);
    let generated = generate::network(&parameters, rng.long()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    if rng.below_u32(2) == 0 {
        return generated.network;
    }
    let (deletions, swaps) = (rng.below_u32(3), rng.below_u32(3));
    let (fuzzed, _): (NetworkTree, _) = generate::fuzz(&generated.network_tree, deletions, swaps, rng.long());
    // A broken process may be broken beyond what a network can be.
    laban::network::lower(&fuzzed).network.unwrap_or(generated.network)
}
