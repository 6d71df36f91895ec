//! What lies in the queues of a network.
//!
//! A queue keeps the messages from one process to another in the order in which they were put into it. Whether a
//! message may be put or taken is for the [configuration](super::Configuration) to say; here they only move.

use super::Step;
use crate::network::{Channel, Content, Interaction, Network, ProcessId};
use std::collections::{BTreeMap, VecDeque};

/// The messages that were sent and not taken yet.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Queues {
    /// For each two processes with a message between them, from whom and to whom, the messages, the oldest first.
    messages: BTreeMap<(ProcessId, ProcessId), VecDeque<Content>>,
}

/// What lies in the queues of a network without queues.
pub(crate) static NO_QUEUES: Queues = Queues { messages: BTreeMap::new() };

impl Queues {
    /// Whether no message waits.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// The queues with messages in them: from whom, to whom, and the messages, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (ProcessId, ProcessId, impl ExactSizeIterator<Item = Content>)> {
        self.messages.iter().map(|(&(from, to), messages)| (from, to, messages.iter().copied()))
    }

    /// The messages that wait between two processes, the oldest first.
    pub fn messages(&self, from: ProcessId, to: ProcessId) -> impl Iterator<Item = Content> {
        self.messages.get(&(from, to)).into_iter().flatten().copied()
    }

    /// How many messages wait between two processes.
    pub fn len(&self, from: ProcessId, to: ProcessId) -> usize {
        self.messages.get(&(from, to)).map_or(0, VecDeque::len)
    }

    /// The oldest message between two processes.
    pub fn oldest(&self, from: ProcessId, to: ProcessId) -> Option<Content> {
        self.messages.get(&(from, to))?.front().copied()
    }

    /// Whether a message can be put into the queue between two processes; never if they have none.
    pub fn has_room(&self, network: &Network, from: ProcessId, to: ProcessId) -> bool {
        match network.channel(from, to) {
            Channel::Rendezvous => false,
            Channel::Queue { bound: None } => true,
            Channel::Queue { bound: Some(bound) } => self.len(from, to) < bound as usize,
        }
    }

    /// Moves the message of a step that puts or takes one.
    pub(crate) fn apply(&mut self, step: Step) {
        match step {
            Step::Put(Interaction { from, to, content }) => {
                self.messages.entry((from, to)).or_default().push_back(content);
            }
            Step::Take(Interaction { from, to, .. }) => self.remove(from, to, VecDeque::pop_front),
            Step::Interaction(_) | Step::Decision { .. } | Step::Choice { .. } => {}
        }
    }

    /// Moves the message back of the last step that put or took one between its two processes.
    pub(crate) fn undo(&mut self, step: Step) {
        match step {
            Step::Put(Interaction { from, to, .. }) => self.remove(from, to, VecDeque::pop_back),
            Step::Take(Interaction { from, to, content }) => {
                self.messages.entry((from, to)).or_default().push_front(content);
            }
            Step::Interaction(_) | Step::Decision { .. } | Step::Choice { .. } => {}
        }
    }

    /// Removes a message. A queue without messages is not kept.
    fn remove(&mut self, from: ProcessId, to: ProcessId, pop: impl FnOnce(&mut VecDeque<Content>) -> Option<Content>) {
        if let Some(messages) = self.messages.get_mut(&(from, to)) {
            pop(messages);
            if messages.is_empty() {
                self.messages.remove(&(from, to));
            }
        }
    }
}
