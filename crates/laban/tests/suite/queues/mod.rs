//! Queues: what they mean, and what the search says of them, against a naive twin.

mod meaning;
mod promela;
mod random;
mod verdicts;

use laban::analyse;
use laban::generate::SeededRng;
use laban::network::Network;

/// A network with these channels.
fn network(channels: &str, text: &str) -> Network {
    analyse(&format!("channels {channels}; {text}")).into_network().unwrap()
}

/// A random network, if it is well-formed, and what it says. Every other one has races.
pub(crate) fn random_network(seed: u64) -> Option<(String, Network)> {
    let text = random::network(&mut SeededRng::new(seed), seed % 2 == 1);
    let analysis = analyse(&text);
    assert!(analysis.syntax_errors().is_empty(), "seed {seed}: {text}");
    Some((text, analysis.into_network().ok()?))
}
