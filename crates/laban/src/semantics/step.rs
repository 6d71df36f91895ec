//! What can happen, and what happens.

use crate::network::{Interaction, ProcessId};
use crate::syntax::Symbol;

/// Something that happens in a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A value or label goes from one process to another.
    Interaction(Interaction),
    /// A process decides.
    Decision {
        /// Who.
        process: ProcessId,
        /// What decides.
        condition: Symbol,
        /// Whether it is true.
        holds: bool,
    },
}

impl Step {
    /// The processes that act.
    pub fn actors(self) -> impl Iterator<Item = ProcessId> {
        let (first, second) = match self {
            Step::Interaction(Interaction { from, to, .. }) => (from, Some(to)),
            Step::Decision { process, .. } => (process, None),
        };
        std::iter::once(first).chain(second)
    }

    /// The process that sends, selects or decides.
    pub fn initiator(self) -> ProcessId {
        match self {
            Step::Interaction(Interaction { from, .. }) => from,
            Step::Decision { process, .. } => process,
        }
    }
}

/// Something that can happen: a step, without the outcome of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// A value or label goes from one process to another.
    Interaction(Interaction),
    /// A process decides, one way or the other.
    Decision {
        /// Who.
        process: ProcessId,
        /// What decides.
        condition: Symbol,
    },
}

impl Action {
    /// The step that is taken; for a decision, depending on whether its condition is true.
    pub fn step(self, holds: bool) -> Step {
        match self {
            Action::Interaction(interaction) => Step::Interaction(interaction),
            Action::Decision { process, condition } => Step::Decision { process, condition, holds },
        }
    }

    /// Whether it has two outcomes.
    pub fn is_decision(self) -> bool {
        matches!(self, Action::Decision { .. })
    }
}
