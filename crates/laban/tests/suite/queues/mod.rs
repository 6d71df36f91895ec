//! Queues: what they mean, and what the search says of them, against a naive twin.

mod meaning;
mod random;
mod verdicts;

use laban::analyse;
use laban::generate::SeededRng;
use laban::network::{Channel, Channels, Network};

/// A network in which all channels are of one kind.
fn network(text: &str, channel: Channel) -> Network {
    let mut network = analyse(text).into_network().unwrap();
    network.set_channels(Channels::all(channel));
    network
}

/// A network in which every message waits in a queue.
fn with_queues(text: &str) -> Network {
    network(text, Channel::Queue { bound: None })
}

/// A random network, if it is well-formed, and what it says. Every other one has races.
fn random_network(seed: u64) -> Option<(String, Network)> {
    let mut rng = SeededRng::new(seed);
    let text = random::network(&mut rng, seed % 2 == 1);
    let analysis = analyse(&text);
    assert!(analysis.syntax_errors().is_empty(), "seed {seed}: {text}");
    let mut network = analysis.into_network().ok()?;
    network.set_channels(random::channels(&mut rng, network.processes().len() as u32));
    Some((format!("{:?} {text}", network.channels()), network))
}

pub fn random_network_for(seed: u64) -> Option<(String, Network)> {
    random_network(seed)
}
