//! Queues: what they mean, and what the search says of them, against a naive twin.

mod meaning;

use laban::analyse;
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
