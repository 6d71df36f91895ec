//! What keeps a process from doing what a choreography says.

use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};

/// How what a process wants to do differs from what the choreography goes on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Obstacle {
    /// It has stopped.
    Stopped,
    /// It wants to do another kind of action, or to address another process.
    OtherAction,
    /// It sends to the right process, but another value.
    OtherValue,
    /// It selects a label at the right process, but another one.
    OtherLabel,
    /// It decides, but on another condition.
    OtherCondition,
    /// It chooses, but among more or fewer arms.
    OtherArms,
    /// It offers labels to the right process, but not this one.
    NotOffered,
    /// There is no queue between the two: messages are handed over.
    NoQueue {
        /// Who sends.
        from: ProcessId,
        /// Who receives.
        to: ProcessId,
    },
    /// It wants to put the message into a queue that is full.
    QueueFull {
        /// Who receives.
        to: ProcessId,
        /// How many messages are in it.
        length: usize,
    },
    /// It wants to take a message from a queue that is empty.
    QueueEmpty {
        /// Who sends.
        from: ProcessId,
    },
    /// It has yet to take other messages of the same sender.
    QueueNotEmpty {
        /// Who sent them.
        from: ProcessId,
        /// The oldest of them.
        oldest: Content,
    },
    /// It cannot take the oldest message of the queue.
    OldestDoesNotFit {
        /// Who sent it.
        from: ProcessId,
        /// That message.
        oldest: Content,
    },
}

/// Who is not ready for an interaction that is not possible, and why.
pub(super) fn obstacle(
    network: &Network,
    interaction: Interaction,
    at: impl Fn(ProcessId) -> StateId,
) -> (ProcessId, Obstacle) {
    let Interaction { from, to, content } = interaction;
    match sender(network, interaction, at(from)) {
        Some(obstacle) => (from, obstacle),
        None if network.state(at(to)) == State::Stop => (to, Obstacle::Stopped),
        None => {
            let offers = |item| matches!(item, State::Offer { from: sender, .. } if sender == from);
            let is_told = content.label().is_some() && network.items(at(to)).any(offers);
            (to, if is_told { Obstacle::NotOffered } else { Obstacle::OtherAction })
        }
    }
}

/// What keeps a process from taking anything at all from a sender, if anything does.
pub(super) fn taker(network: &Network, from: ProcessId, state: StateId) -> Option<Obstacle> {
    if network.state(state) == State::Stop {
        return Some(Obstacle::Stopped);
    }
    let takes = |item: State| match item {
        State::Receive { from: sender, .. } | State::Offer { from: sender, .. } => sender == from,
        _ => false,
    };
    (!network.items(state).any(takes)).then_some(Obstacle::OtherAction)
}

/// What keeps the sender from an interaction, if anything does.
pub(super) fn sender(network: &Network, interaction: Interaction, state: StateId) -> Option<Obstacle> {
    let Interaction { to, content, .. } = interaction;
    if network.state(state) == State::Stop {
        return Some(Obstacle::Stopped);
    }
    let mut nearest = Obstacle::OtherAction;
    for item in network.items(state) {
        let obstacle = match (item, content) {
            (State::Send { to: receiver, expression, .. }, Content::Value(value)) if receiver == to => {
                (expression != value).then_some(Obstacle::OtherValue)
            }
            (State::Select { to: receiver, label, .. }, Content::Label(named)) if receiver == to => {
                (label != named).then_some(Obstacle::OtherLabel)
            }
            (
                State::SelectValue { to: receiver, label, expression, .. },
                Content::LabelledValue { label: named, value },
            ) if receiver == to => match label == named {
                true => (expression != value).then_some(Obstacle::OtherValue),
                false => Some(Obstacle::OtherLabel),
            },
            _ => continue,
        };
        nearest = obstacle?;
    }
    Some(nearest)
}
