//! Channels: how messages get from one process to another, by rendezvous or through a queue.
//!
//! There is one channel for each ordered pair of processes. In the calculus of the paper all are rendezvous: sender and
//! receiver act together. Here it is only said which channels are queues; what that means is not known here.

use super::{Network, ProcessId};
pub use crate::syntax::Channel;

/// The channels of a network.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Channels {
    /// All channels that are not named.
    pub default: Channel,
    /// From whom, to whom, and how: in order, without those that are like the default.
    pub single: Vec<(ProcessId, ProcessId, Channel)>,
}

impl Channels {
    /// The same for all.
    pub fn all(default: Channel) -> Channels {
        Channels { default, single: Vec::new() }
    }

    /// The channel from one process to another.
    pub fn channel(&self, from: ProcessId, to: ProcessId) -> Channel {
        if self.single.is_empty() {
            return self.default;
        }
        let found = self.single.binary_search_by_key(&(from, to), |&(from, to, _)| (from, to));
        found.ok().and_then(|index| self.single.get(index)).map_or(self.default, |&(.., channel)| channel)
    }

    /// Whether one of them is a queue.
    pub fn has_queues(&self) -> bool {
        self.default.is_queue() || self.single.iter().any(|(.., channel)| channel.is_queue())
    }

    /// The same channels for processes with other numbers. Those of a process without a number are left out.
    #[must_use]
    pub fn renumbered(&self, number: impl Fn(ProcessId) -> Option<ProcessId>) -> Channels {
        let single = self.single.iter();
        let single = single.filter_map(|&(from, to, channel)| Some((number(from)?, number(to)?, channel)));
        Channels { default: self.default, single: single.collect() }.normalised(usize::MAX)
    }

    /// In order, each pair once (what was said first counts), without pairs that are no pair of this many processes.
    fn normalised(mut self, processes: usize) -> Channels {
        self.default = self.default.normalised();
        self.single.sort_by_key(|&(from, to, _)| (from, to));
        self.single.dedup_by_key(|&mut (from, to, _)| (from, to));
        self.single.retain_mut(|(from, to, channel)| {
            *channel = channel.normalised();
            from != to && from.index() < processes && to.index() < processes && *channel != self.default
        });
        self
    }
}

impl Network {
    /// The channels between its processes.
    pub fn channels(&self) -> &Channels {
        &self.channels
    }

    /// The channel from one process to another.
    pub fn channel(&self, from: ProcessId, to: ProcessId) -> Channel {
        self.channels.channel(from, to)
    }

    /// Whether messages may wait in a queue somewhere.
    #[inline]
    pub fn has_queues(&self) -> bool {
        self.channels.has_queues()
    }

    /// Sets all channels at once, whatever they were. What is said of processes that are not there counts for nothing.
    ///
    /// ```
    /// use laban::network::{Channel, Channels};
    ///
    /// let text = "p { main { q!<x>; q?; stop } } | q { main { p!<y>; p?; stop } }";
    /// let mut network = laban::analyse(text).into_network()?;
    /// assert!(!network.has_queues());
    /// network.set_channels(Channels::all(Channel::Queue { bound: None }));
    /// assert!(network.has_queues());
    /// # Ok::<(), laban::IllFormed>(())
    /// ```
    pub fn set_channels(&mut self, channels: Channels) {
        self.channels = channels.normalised(self.processes.len());
    }
}
