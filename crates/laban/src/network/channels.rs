//! How messages travel between processes: handed over, or by way of a queue.
//!
//! What this means for a run is said in [`semantics`](crate::semantics).

use super::{Network, ProcessId};

/// How messages travel from one process to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Channel {
    /// They are handed over: the sender waits for the receiver.
    #[default]
    Rendezvous,
    /// They wait in a queue: first in, first out.
    Queue {
        /// How many it holds at most; the sender waits while it is full.
        bound: Option<u32>,
    },
}

/// How messages travel between all processes of a network.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Channels {
    /// Unless something else is said.
    pub default: Channel,
    /// From whom to whom it is another way, in order.
    pub single: Vec<(ProcessId, ProcessId, Channel)>,
}

impl Network {
    /// How messages travel between its processes.
    pub fn channels(&self) -> &Channels {
        &self.channels
    }

    /// How messages travel from one process to another.
    pub fn channel(&self, from: ProcessId, to: ProcessId) -> Channel {
        let single = &self.channels.single;
        match single.binary_search_by_key(&(from, to), |&(from, to, _)| (from, to)) {
            Ok(index) => single[index].2,
            Err(_) => self.channels.default,
        }
    }

    /// Whether some messages travel by way of a queue.
    pub fn has_queues(&self) -> bool {
        let is_queue = |channel| matches!(channel, Channel::Queue { .. });
        is_queue(self.channels.default) || self.channels.single.iter().any(|&(_, _, channel)| is_queue(channel))
    }

    /// Says how messages travel between its processes.
    pub fn set_channels(&mut self, mut channels: Channels) {
        channels.single.sort_by_key(|&(from, to, _)| (from, to));
        channels.single.dedup_by_key(|&mut (from, to, _)| (from, to));
        self.channels = channels;
    }
}
