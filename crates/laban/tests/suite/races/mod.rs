//! Races: what the search says of them, against a naive twin.

mod growth;
pub(crate) mod random;
mod rounds;
mod twin;

use crate::cases;
use laban::extraction::{ExtractOptions, search};
use laban::generate::SeededRng;
use laban::network::Network;
use laban::{Verdict, analyse};
use std::collections::BTreeMap;
use twin::Space;

/// A random network, if it is well-formed.
fn random_network(seed: u64) -> Option<(String, Network)> {
    let text = random::network(&mut SeededRng::new(seed));
    let analysis = analyse(&text);
    assert!(analysis.syntax_errors().is_empty(), "seed {seed}: {text}");
    Some((text, analysis.into_network().ok()?))
}

#[test]
fn verdicts_agree_with_every_interleaving() {
    let mut seen: BTreeMap<(bool, &str), usize> = BTreeMap::new();
    let mut too_large = 0;
    for seed in 0..cases(4000) {
        let Some((text, network)) = random_network(seed) else { continue };
        let Some(space) = Space::new(&network) else {
            too_large += 1;
            continue;
        };
        for fair in [false, true] {
            let expected = space.verdict(fair);
            let options = ExtractOptions { fair, parallel: false, ..ExtractOptions::default() };
            let found = search(&network, &options).verdict();
            assert_eq!(found, expected, "seed {seed}, fair {fair}: {text}");
            let whole = search(&network, &ExtractOptions { split: false, ..options }).verdict();
            assert_eq!(whole, expected, "seed {seed}, fair {fair}, not split: {text}");
            *seen.entry((fair, expected.as_str())).or_default() += 1;
        }
    }
    println!("{seen:?}, too large {too_large}");
    for fair in [false, true] {
        for verdict in [Verdict::Extracted, Verdict::Deadlock, Verdict::Livelock] {
            let count = seen.get(&(fair, verdict.as_str())).copied().unwrap_or(0) as u64;
            assert!(count >= cases(100), "only {count} with {verdict:?}");
        }
    }
}
