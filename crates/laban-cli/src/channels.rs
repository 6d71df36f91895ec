//! How messages get from one process to another, whatever the text says: an option of the commands that read networks.

use clap::Args;
use laban::Model;
use laban::network::{Channel, Channels, Network};
use laban_report::channel;

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
