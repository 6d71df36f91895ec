//! How messages get from one process to another, whatever the text says: an option of the commands that read networks.

use clap::Args;
use laban::Model;
use laban::network::{Channel, Channels, Network};

/// How messages get from one process to another.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ChannelArgs {
    /// Use this kind of channel everywhere, whatever the network declares: `queue`, `queue:4` or `rendezvous`
    ///
    /// In a queue, messages wait until they are taken, oldest first; `queue:4` holds at most 4, and the sender waits
    /// while it is full. With a rendezvous, sender and receiver act together. Without this option, the line
    /// `channels …;` of the network decides; without that line, all channels are rendezvous. A file of another tool has
    /// the channels that the tool uses.
    #[arg(long, value_name = "KIND", value_parser = channel)]
    channels: Option<Channel>,
}

impl ChannelArgs {
    /// Whether it is said how messages get from one process to another.
    pub(crate) fn is_given(self) -> bool {
        self.channels.is_some()
    }

    /// Changes the channels of a network, if that was asked for.
    pub(crate) fn apply(self, network: &mut Network) {
        if let Some(channel) = self.channels {
            network.set_channels(Channels::all(channel));
        }
    }

    /// The same for whatever was read.
    pub(crate) fn apply_to(self, model: &mut Model) {
        if let Model::Network(network) = model {
            self.apply(network);
        }
    }
}

fn channel(text: &str) -> Result<Channel, String> {
    let expected = "expected queue, queue:4 (at most 4 messages wait) or rendezvous";
    let (kind, bound) = match text.split_once([':', '=', ' ']) {
        Some((kind, bound)) => (kind, Some(bound)),
        None => (text, None),
    };
    match (kind, bound) {
        ("rendezvous", None) => Ok(Channel::Rendezvous),
        ("queue", None) => Ok(Channel::Queue { bound: None }),
        ("queue", Some(bound)) => match bound.parse() {
            Ok(0) => Err("a queue must have room for a message; without any, it is rendezvous".to_string()),
            Ok(bound) => Ok(Channel::Queue { bound: Some(bound) }),
            Err(_) => Err(expected.to_string()),
        },
        ("async" | "asynchronous", None) => Err(format!("{expected}; did you mean queue?")),
        ("sync" | "synchronous", None) => Err(format!("{expected}; did you mean rendezvous?")),
        _ => Err(expected.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_queues_with_or_without_a_bound_or_rendezvous() {
        assert_eq!(channel("queue"), Ok(Channel::Queue { bound: None }));
        assert_eq!(channel("queue:4"), Ok(Channel::Queue { bound: Some(4) }));
        assert_eq!(channel("rendezvous"), Ok(Channel::Rendezvous));
        for wrong in ["", "queue:", "queue:0", "queue:-1", "queue:99999999999", "rendezvous:1", "async", "queues"] {
            assert!(channel(wrong).is_err(), "{wrong}");
        }
    }
}
