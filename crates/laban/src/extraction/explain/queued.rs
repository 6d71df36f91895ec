//! What lies in the queues at the end of a witness: where it was sent, and why nobody takes it.

use super::repetition::{Repetition, greatest_common_divisor};
use super::replay::{Replayed, may_take};
use super::{Event, Witness, WitnessKind};
use crate::network::{Content, Network, ProcessId, State};
use crate::semantics::Step;
use crate::syntax::Span;
use std::collections::{BTreeMap, VecDeque};

/// A message that was sent and not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// What is in it.
    pub content: Content,
    /// Where it was sent.
    pub span: Span,
}

/// Why the oldest message of a queue is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// The receiver has stopped.
    Stopped,
    /// The receiver never acts again: it waits for something else.
    Waits,
    /// The receiver waits for something from that sender, but not for this.
    DoesNotFit,
    /// The receiver goes on, but cannot take it in any state that it can still reach.
    NeverReceived,
    /// The receiver goes on without taking it.
    Ignored,
    /// It may be taken later.
    Open,
}

/// What lies in a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queued {
    /// Who sent it.
    pub from: ProcessId,
    /// Who should take it.
    pub to: ProcessId,
    /// The messages, the oldest first.
    pub messages: Vec<Message>,
    /// What the receiver would do next, in the text.
    pub receiver: Span,
    /// Why the oldest is not taken.
    pub left: Left,
}

/// A queue that has more in it after each round of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    /// Who sends to it.
    pub from: ProcessId,
    /// Who takes from it.
    pub to: ProcessId,
    /// How many messages are sent for as many as are taken.
    pub sent: usize,
    /// How many messages are taken for as many as are sent.
    pub taken: usize,
    /// Where the last of them is sent.
    pub sends: Span,
    /// Where the last of them is taken, if any is.
    pub takes: Option<Span>,
}

/// What a process sends and takes each time it goes round in a cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    /// Who.
    pub process: ProcessId,
    /// To whom it sends, and how many messages.
    pub sends: Vec<(ProcessId, usize)>,
    /// From whom it takes, and how many messages.
    pub takes: Vec<(ProcessId, usize)>,
}

/// The queues that are not empty at the end, in the order of the processes.
pub(super) fn queued(network: &Network, witness: &Witness, replayed: &Replayed) -> Vec<Queued> {
    if replayed.end.queues().is_empty() {
        return Vec::new();
    }
    let mut messages: BTreeMap<(ProcessId, ProcessId), VecDeque<Message>> = BTreeMap::new();
    for event in replayed.run.iter().chain(&replayed.cycle) {
        match event.step {
            Step::Put(interaction) => {
                let message = Message { content: interaction.content, span: event.span };
                messages.entry((interaction.from, interaction.to)).or_default().push_back(message);
            }
            Step::Take(interaction) => {
                messages.get_mut(&(interaction.from, interaction.to)).and_then(VecDeque::pop_front);
            }
            Step::Interaction(_) | Step::Decision { .. } | Step::Choice { .. } => {}
        }
    }
    let messages = messages.into_iter().filter(|(_, messages)| !messages.is_empty());
    let queue = |((from, to), messages): ((ProcessId, ProcessId), VecDeque<Message>)| {
        let messages = Vec::from(messages);
        let receiver = network.origin(replayed.end.at(network, to));
        let left = messages.first().map_or(Left::Open, |oldest| left(network, witness, replayed, (from, to), oldest));
        Queued { from, to, messages, receiver, left }
    };
    messages.map(queue).collect()
}

fn left(
    network: &Network,
    witness: &Witness,
    replayed: &Replayed,
    (from, to): (ProcessId, ProcessId),
    oldest: &Message,
) -> Left {
    let state = replayed.end.at(network, to);
    if network.state(state) == State::Stop {
        return Left::Stopped;
    }
    if !replayed.acts(to) {
        let receives = |item: State| matches!(item, State::Receive { .. } | State::Offer { .. });
        return match network.items_with(state, from).any(receives) {
            true => Left::DoesNotFit,
            false => Left::Waits,
        };
    }
    match witness.kind {
        _ if !may_take(network, to, state, from, oldest.content) => Left::NeverReceived,
        WitnessKind::Orphan { from: sender, to: receiver } if (sender, receiver) == (from, to) => Left::Ignored,
        _ => Left::Open,
    }
}

/// What each of those sends and takes whose queues grow.
pub(super) fn rates(witness: &Witness) -> Vec<Rate> {
    match witness.kind {
        WitnessKind::Unbounded => Repetition::of(&witness.cycle).rates(),
        _ => Vec::new(),
    }
}

/// The queues that grow in a cycle and must, in the order of the processes.
pub(super) fn growth(witness: &Witness, cycle: &[Event]) -> Vec<Growth> {
    if witness.kind != WitnessKind::Unbounded {
        return Vec::new();
    }
    let repetition = Repetition::of(&witness.cycle);
    let place = |from: ProcessId, to: ProcessId, taken: bool| {
        let mut events = cycle.iter().rev();
        let event = events.find(|event| match event.step {
            Step::Put(interaction) => !taken && (interaction.from, interaction.to) == (from, to),
            Step::Take(interaction) => taken && (interaction.from, interaction.to) == (from, to),
            Step::Interaction(interaction) => (interaction.from, interaction.to) == (from, to),
            Step::Decision { .. } | Step::Choice { .. } => false,
        })?;
        match (event.step, taken) {
            (Step::Interaction(_), true) => event.partner_span,
            _ => Some(event.span),
        }
    };
    let growing = repetition.growing().map(|(from, to, sent, taken)| {
        let sends = place(from, to, false).unwrap_or_default();
        let both = greatest_common_divisor(sent, taken).max(1);
        Growth { from, to, sent: sent / both, taken: taken / both, sends, takes: place(from, to, true) }
    });
    growing.collect()
}
