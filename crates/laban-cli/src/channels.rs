//! How messages get from one process to another, whatever the text says: an option of the commands that read networks.

use clap::Args;
use laban::Model;
use laban::network::{Channel, Channels, Network};
use laban_report::channel;

/// How messages get from one process to another.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ChannelArgs {
    /// Let all channels of a network be like this, whatever it declares: `queue`, `queue:4` or `rendezvous`
    ///
    /// In a queue, messages wait until they are taken, in the order in which they were put there; with `queue:4`, at
    /// most 4 of them, and the sender waits when it is full. By rendezvous, sender and receiver act together. Without
    /// this option, the line `channels …;` of the network counts; without that, all channels are rendezvous. For files
    /// of other tools, what these tools mean counts.
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
