//! Processes that may decide forever without a word to anybody: what the searches say of them, against a naive twin.

use crate::cases;
use crate::races::twin::Space;
use laban::extraction::{ExtractOptions, Strategy, search};
use laban::generate::SeededRng;
use laban::{Verdict, analyse};
use std::collections::BTreeMap;

const NAMES: [&str; 4] = ["p", "q", "r", "s"];

/// A random body in which decisions are more frequent than interactions.
fn body(rng: &mut SeededRng, own: usize, processes: usize, procedures: usize) -> String {
    let mut text = String::new();
    // How many `else` are still to come.
    let mut open = 0;
    loop {
        let partner = NAMES[(own + 1 + rng.below(processes - 1)) % processes];
        match rng.below(9) {
            0 | 1 if open < 3 => {
                text += "if e then ";
                open += 1;
                continue;
            }
            2 => {
                text += &format!("{partner}!<x>; ");
                continue;
            }
            3 => {
                // Then it is up to the search for races.
                let idle = if rng.chance(10) { "idle " } else { "" };
                text += &format!("{idle}{partner}?; ");
                continue;
            }
            4 | 5 => text += "stop",
            _ => text += &format!("X{}", rng.below(procedures)),
        }
        if open == 0 {
            return text;
        }
        open -= 1;
        text += " else ";
    }
}

fn random_network(rng: &mut SeededRng) -> String {
    let processes = rng.between(2, 4);
    let one = |own: usize| {
        let procedures = rng.between(1, 3);
        let service = if rng.chance(20) { "service " } else { "" };
        let mut text = format!("{service}{} {{ ", NAMES[own]);
        for procedure in 0..procedures {
            // A decision, so that no procedure only calls itself.
            let [then, otherwise] = [0, 1].map(|_| body(rng, own, processes, procedures));
            text += &format!("def X{procedure} {{ if c then {then} else {otherwise} }} ");
        }
        text + "main { X0 } }"
    };
    (0..processes).map(one).collect::<Vec<_>>().join(" | ")
}

#[test]
fn verdicts_of_all_strategies_agree_with_every_interleaving() {
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..cases(1500) {
        let text = random_network(&mut SeededRng::new(seed));
        let analysis = analyse(&text);
        assert!(analysis.syntax_errors().is_empty(), "seed {seed}: {text}");
        let Ok(network) = analysis.into_network() else { continue };
        let Some(space) = Space::new(&network) else { continue };
        let expected = space.verdict(false);
        for &strategy in Strategy::ALL {
            for split in [false, true] {
                let options = ExtractOptions { strategy, split, parallel: false, ..ExtractOptions::default() };
                let found = search(&network, &options).verdict();
                assert_eq!(found, expected, "seed {seed}, {strategy:?}, split {split}: {text}");
            }
        }
        *seen.entry(expected.as_str()).or_default() += 1;
    }
    println!("{seen:?}");
    for verdict in [Verdict::Extracted, Verdict::Deadlock, Verdict::Livelock] {
        let count = seen.get(verdict.as_str()).copied().unwrap_or(0);
        assert!(count >= cases(30), "only {count} with {verdict:?}");
    }
}
