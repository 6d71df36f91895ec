//! Where everybody is and what lies in the queues, at one pair: what is possible then.

use super::contents::{Contents, EMPTY};
use super::scene::Scene;
use crate::network::{Channel, Content, Interaction, ProcessId, StateId};
use crate::semantics::{NO_QUEUES, Step, moved, moves};

/// The local states and the contents of the queues of a pair.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) row: &'a [u32],
    pub(super) contents: &'a Contents,
    /// A message that was put into a queue which was empty, and which the row does not know of.
    pub(super) put: Option<Interaction>,
}

impl<'a> Moment<'a> {
    pub(super) fn new(scene: &'a Scene<'a>, row: &'a [u32], contents: &'a Contents) -> Self {
        Moment { scene, row, contents, put: None }
    }

    /// In which state a process is.
    pub(super) fn at(self, process: ProcessId) -> StateId {
        self.scene.at(self.row, process)
    }

    /// Whether messages from one process to another wait in a queue.
    pub(super) fn is_queue(self, from: ProcessId, to: ProcessId) -> bool {
        self.scene.network.channel(from, to).is_queue()
    }

    /// What lies in a queue.
    fn content(self, from: ProcessId, to: ProcessId) -> u32 {
        self.scene.column(from, to).and_then(|column| self.row.get(column)).copied().unwrap_or(EMPTY)
    }

    fn was_put(self, from: ProcessId, to: ProcessId) -> Option<Interaction> {
        self.put.filter(|put| (put.from, put.to) == (from, to))
    }

    /// How many messages wait between two processes.
    pub(super) fn length(self, from: ProcessId, to: ProcessId) -> usize {
        self.contents.length(self.content(from, to)) + usize::from(self.was_put(from, to).is_some())
    }

    /// The oldest message between two processes.
    pub(super) fn oldest(self, from: ProcessId, to: ProcessId) -> Option<Content> {
        self.was_put(from, to).map(|put| put.content).or_else(|| self.contents.oldest(self.content(from, to)))
    }

    /// Whether a message can be put into the queue between two processes.
    pub(super) fn has_room(self, from: ProcessId, to: ProcessId) -> bool {
        match self.scene.network.channel(from, to) {
            Channel::Rendezvous => false,
            Channel::Queue { bound } => bound.is_none_or(|bound| self.length(from, to) < bound as usize),
        }
    }

    /// Who moves where in a step; `None` if it is not possible.
    pub(super) fn moves(self, step: Step) -> Option<Vec<(ProcessId, StateId)>> {
        let network = self.scene.network;
        let alone = |process: ProcessId, interaction: Interaction| {
            Some(vec![(process, moved(network, interaction, process, self.at(process))?)])
        };
        match step {
            Step::Put(put) => self.has_room(put.from, put.to).then(|| alone(put.from, put))?,
            Step::Take(taken) => {
                let is_first = self.oldest(taken.from, taken.to) == Some(taken.content);
                is_first.then(|| alone(taken.to, taken))?
            }
            Step::Interaction(Interaction { from, to, .. }) if self.is_queue(from, to) && self.length(from, to) > 0 => {
                None
            }
            _ => moves(network, step, &NO_QUEUES, |process| self.at(process)),
        }
    }

    /// Whether one of two who interact could do so now.
    pub(super) fn is_ready(self, process: ProcessId, interaction: Interaction) -> bool {
        moved(self.scene.network, interaction, process, self.at(process)).is_some()
    }
}
