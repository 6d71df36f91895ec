//! What the fuzz targets ask of the ways in, on bytes by chance and on those that are kept because the fuzzer found
//! them worth it. `LABAN_TIMES` says how many times as many are tried.

#![allow(clippy::panic, clippy::expect_used)]

#[path = "../../../laban-evaluation/tests/laws/systems.rs"]
#[allow(dead_code, unreachable_pub)]
mod systems;
#[allow(unreachable_pub)] // The fuzz targets use it, too.
mod ways_in;

use laban::generate::SeededRng;
use std::path::Path;
use std::{env, fs};

/// What texts are made of.
const PIECES: [&str; 30] = [
    "\n",
    "\n",
    "\r\n",
    " ",
    "\t",
    "testId\tnetwork",
    "```",
    "~~~",
    ":::",
    "> ",
    "- ",
    "mermaid\n",
    "net\n",
    "chor\n",
    "plantuml\n",
    "p { main { stop } }",
    "p { main { q!<x>; stop } } | q { main { p?; stop } }",
    "main { p.x -> q; stop }",
    "sequenceDiagram\n",
    "A->>B: x\n",
    "alt a\n",
    "else\n",
    "end\n",
    "@startuml\n",
    "@enduml\n",
    "é",
    "\u{feff}",
    "\0",
    "{",
    "|",
];

/// Tries a law on so many random texts or bytes, and on those that are kept for it.
fn holds(target: &str, cases: u64, law: fn(&[u8])) {
    let times: u64 = env::var("LABAN_TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    for seed in 0..cases * times {
        let mut rng = SeededRng::keyed([seed, 0xf2, 0, 0]);
        let length = rng.below_u32(60);
        let mut bytes = vec![rng.below_u32(256) as u8];
        for _ in 0..length {
            match seed % 2 {
                0 => bytes.push(rng.below_u32(256) as u8),
                _ => bytes.extend(PIECES[rng.below(PIECES.len())].bytes()),
            }
        }
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
fn rows_of_tables_read_back() {
    holds("tables_are_read", 3_000, ways_in::tables_are_read);
}

#[test]
fn what_is_wrong_with_a_file_has_its_place_and_can_be_shown() {
    holds("files_are_shown", 3_000, ways_in::files_are_shown);
}

#[test]
fn what_is_written_for_other_tools_reads_back() {
    holds("exports_are_read_back", 400, ways_in::exports_are_read_back);
}
