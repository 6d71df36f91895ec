//! What a text says of channels: `channels queue, a -> b queue 2, c -> d rendezvous;`. Whether there are such processes
//! is not known here.

use super::Span;
use super::tree::Name;

/// How messages get from one process to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Channel {
    /// Sender and receiver act together.
    #[default]
    Rendezvous,
    /// Messages wait, and are taken in the order in which they were put there.
    Queue {
        /// How many may wait; when there are so many, the sender waits. Any number if there is none.
        bound: Option<u32>,
    },
}

impl Channel {
    /// Whether messages may wait.
    pub fn is_queue(self) -> bool {
        matches!(self, Channel::Queue { .. })
    }

    /// A queue that has room for nothing is a rendezvous.
    pub(crate) fn normalised(self) -> Channel {
        match self {
            Channel::Queue { bound: Some(0) } => Channel::Rendezvous,
            other => other,
        }
    }
}

/// As in a text: `queue 4`.
impl std::fmt::Display for Channel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Channel::Rendezvous => f.write_str("rendezvous"),
            Channel::Queue { bound: None } => f.write_str("queue"),
            Channel::Queue { bound: Some(bound) } => write!(f, "queue {bound}"),
        }
    }
}

/// `channels …;` before a process.
#[derive(Debug, Clone)]
pub struct ChannelDeclaration {
    /// The number of the process behind it.
    pub unit: usize,
    /// What is said, in the order of the text.
    pub items: Vec<ChannelItem>,
    /// All of it, from `channels` to its semicolon.
    pub span: Span,
}

/// What is said of one channel, or of all that are not named.
#[derive(Debug, Clone, Copy)]
pub struct ChannelItem {
    /// From whom and to whom; none if it is said of all others.
    pub ends: Option<(Name, Name)>,
    /// How messages get there.
    pub channel: Channel,
    /// Where.
    pub span: Span,
}
