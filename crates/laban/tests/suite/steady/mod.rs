//! The same input gives the same answer: how many nodes a search makes with each strategy, which of several failures or
//! differences is shown, and each word that is said about it.
//!
//! `goldens/` has a line for each input: what matters, so that a difference can be read, and a number for everything
//! else. If an answer changes on purpose, `UPDATE_GOLDENS=1 cargo test -p laban --test suite steady` writes the lines
//! anew.

mod comparisons;
mod limits;
mod searches;
mod verifications;

use crate::goldens::lines;
use laban::diagnostic::{Annotation, Diagnostic};
use laban::network::Network;
use laban::semantics::Step;
use std::fmt::Display;
use std::fs;
use std::path::Path;

/// All that is said in an answer, as a number: FNV-1a.
struct Digest(u64);

impl Digest {
    fn new() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, said: impl Display) {
        for byte in said.to_string().bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_steps(&mut self, network: &Network, steps: &[Step]) {
        steps.iter().for_each(|step| self.add(step.describe(network)));
        self.add(steps.len());
    }

    fn add_places(&mut self, places: &[Annotation]) {
        for Annotation { span, label } in places {
            self.add(format_args!("{}-{} {label}", span.start, span.end));
        }
        self.add(places.len());
    }

    fn add_diagnostics(&mut self, text: &str, diagnostics: &[Diagnostic]) {
        lines(text, diagnostics).iter().for_each(|line| self.add(line));
        for diagnostic in diagnostics {
            self.add_places(std::slice::from_ref(&diagnostic.primary));
            self.add_places(&diagnostic.secondary);
        }
    }
}

impl Display for Digest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

/// Compares lines with those of a golden.
#[track_caller]
fn compare(name: &str, found: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/steady/goldens").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&path, found.join("\n") + "\n").unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    for (found, expected) in found.iter().zip(expected.lines()) {
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(found.len(), expected.lines().count(), "{name}");
}
