//! What can happen, and what happens.

use crate::network::{Interaction, ProcessId};
use crate::syntax::Symbol;

/// Something that happens in a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A value or label goes from one process to another, at once.
    Interaction(Interaction),
    /// A value or label is put into the queue from one process to another.
    Put(Interaction),
    /// A process takes a value or label, the oldest, from the queue to it.
    Take(Interaction),
    /// A process decides.
    Decision {
        /// Who.
        process: ProcessId,
        /// What decides.
        condition: Symbol,
        /// Whether it is true.
        holds: bool,
    },
    /// A process chooses, by nobody's expression.
    Choice {
        /// Who.
        process: ProcessId,
        /// Which arm, from 0.
        arm: u32,
    },
}

impl Step {
    /// The processes that act.
    pub fn actors(self) -> impl Iterator<Item = ProcessId> {
        let (first, second) = match self {
            Step::Interaction(Interaction { from, to, .. }) => (from, Some(to)),
            Step::Put(Interaction { from: process, .. })
            | Step::Take(Interaction { to: process, .. })
            | Step::Decision { process, .. }
            | Step::Choice { process, .. } => (process, None),
        };
        std::iter::once(first).chain(second)
    }

    /// The processes that it concerns: those that act, and with a queue who is to take the message, or has put it
    /// there.
    pub(crate) fn parties(self) -> impl Iterator<Item = ProcessId> {
        let (first, second) = match self.interaction() {
            Some(Interaction { from, to, .. }) => (from, Some(to)),
            None => (self.initiator(), None),
        };
        std::iter::once(first).chain(second)
    }

    /// The process that sends, selects or decides, or takes from a queue.
    pub fn initiator(self) -> ProcessId {
        match self {
            Step::Interaction(Interaction { from: process, .. })
            | Step::Put(Interaction { from: process, .. })
            | Step::Take(Interaction { to: process, .. })
            | Step::Decision { process, .. }
            | Step::Choice { process, .. } => process,
        }
    }

    /// What goes from one process to another: at once, into a queue or out of it.
    pub fn interaction(self) -> Option<Interaction> {
        match self {
            Step::Interaction(interaction) | Step::Put(interaction) | Step::Take(interaction) => Some(interaction),
            Step::Decision { .. } | Step::Choice { .. } => None,
        }
    }

    /// Whether a process decides, with nobody else.
    pub fn is_decision(self) -> bool {
        matches!(self, Step::Decision { .. } | Step::Choice { .. })
    }
}

/// Something that can happen: a step, without the outcome of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// A value or label goes from one process to another, at once.
    Interaction(Interaction),
    /// A value or label is put into the queue from one process to another.
    Put(Interaction),
    /// A process takes a value or label, the oldest, from the queue to it.
    Take(Interaction),
    /// A process decides, one way or the other.
    Decision {
        /// Who.
        process: ProcessId,
        /// What decides.
        condition: Symbol,
    },
    /// A process chooses one of several arms.
    Choice {
        /// Who.
        process: ProcessId,
        /// How many arms there are.
        arms: u32,
    },
    /// One of several interactions comes first: each has a node of its own, which the edges lead to.
    Race,
}

impl Action {
    /// The step that is taken with an outcome: for a decision, 0 if its condition is true and 1 if not; for a choice,
    /// the number of the arm. Nothing happens at a race until one of its interactions does.
    pub fn step(self, outcome: usize) -> Option<Step> {
        Some(match self {
            Action::Interaction(interaction) => Step::Interaction(interaction),
            Action::Put(interaction) => Step::Put(interaction),
            Action::Take(interaction) => Step::Take(interaction),
            Action::Decision { process, condition } => Step::Decision { process, condition, holds: outcome == 0 },
            Action::Choice { process, .. } => Step::Choice { process, arm: outcome as u32 },
            Action::Race => return None,
        })
    }

    /// How many outcomes there are.
    pub fn outcomes(self) -> usize {
        match self {
            Action::Interaction(_) | Action::Put(_) | Action::Take(_) => 1,
            Action::Decision { .. } => 2,
            Action::Choice { arms, .. } => arms as usize,
            Action::Race => 0,
        }
    }

    /// The steps with all outcomes, in order.
    pub fn steps(self) -> impl Iterator<Item = Step> {
        (0..self.outcomes()).filter_map(move |outcome| self.step(outcome))
    }

    /// Whether a process decides, with nobody else.
    pub fn is_decision(self) -> bool {
        matches!(self, Action::Decision { .. } | Action::Choice { .. })
    }
}
