//! Why a network has no choreography: who waits for whom, after which run, and what would help.
//!
//! A search that finds a deadlock, a livelock or another failure returns a [`Witness`]: plain data. [`explain`] replays
//! it step by step on the network as written and rejects it if it does not show what it claims. For every stuck process
//! it then finds out what the process wants, from whom, and why that never comes. Each process waits for one partner,
//! so every chain of waits ends at one [`Root`]: a circle, two actions that do not match, a message that does not fit,
//! a partner that has stopped, or a partner that loops forever. Where there are queues, it says what lies in them. A
//! *circle* is one of waits, a *cycle* one of steps. This module does not know how the witness was found or how an
//! [`Explanation`] is shown.

mod counterfactual;
mod fixes;
mod hints;
mod partial_configuration;
mod queue_hints;
mod queued;
mod reasons;
mod repetition;
mod replay;
mod words;

pub use hints::Hint;
pub use queued::{Growth, Left, Message, Queued, Rate};
pub use replay::{Part, ReplayError};

use super::Failure;
use crate::network::{Content, Network, ProcessId, Wish};
use crate::semantics::Step;
use crate::syntax::{Span, Symbol};

/// The kind of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WitnessKind {
    /// Some processes are not done, and nothing can happen.
    Deadlock,
    /// Some processes never act while others loop forever.
    Livelock,
    /// A message lies in a queue, and nobody ever takes it.
    Orphan {
        /// Who sent it.
        from: ProcessId,
        /// Who should take it.
        to: ProcessId,
    },
    /// The queues grow forever.
    Unbounded,
}

/// A claim that a network has no choreography, with the run that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// What is claimed.
    pub kind: WitnessKind,
    /// The processes involved: they interact with nobody else.
    pub component: Vec<ProcessId>,
    /// What happens first.
    pub run: Vec<Step>,
    /// What repeats forever after that; empty for a deadlock, and where a message is left when all else is done.
    pub cycle: Vec<Step>,
}

impl Witness {
    /// What a search claims about a component.
    pub fn new(component: &[ProcessId], failure: &Failure) -> Self {
        let kind = match *failure {
            Failure::Deadlock { .. } => WitnessKind::Deadlock,
            Failure::Livelock { .. } => WitnessKind::Livelock,
            Failure::Orphan { from, to, .. } => WitnessKind::Orphan { from, to },
            Failure::Unbounded { .. } => WitnessKind::Unbounded,
        };
        let (run, cycle) = (failure.run().to_vec(), failure.cycle().to_vec());
        Witness { kind, component: component.to_vec(), run, cycle }
    }
}

/// A step, and where its actions are in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// What happens.
    pub step: Step,
    /// The action of the process that sends, selects or decides.
    pub span: Span,
    /// The action of the process that receives or offers.
    pub partner_span: Option<Span>,
}

/// Why what a process waits for never comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The partner has stopped.
    PartnerStopped,
    /// The partner waits for somebody else.
    PartnerWaits {
        /// For whom.
        on: ProcessId,
    },
    /// The partner never acts either: it waits for somebody else.
    PartnerStarved {
        /// For whom.
        on: ProcessId,
    },
    /// Both want to send or select, each to the other.
    BothSend,
    /// Both wait for a value or a label, each from the other.
    BothReceive,
    /// One selects a label that the other does not offer.
    LabelNotOffered {
        /// The label that is selected.
        label: Symbol,
        /// The labels that are offered.
        offered: Vec<Symbol>,
    },
    /// One sends a value where the other expects a label.
    ValueForLabel,
    /// One selects a label where the other expects a value.
    LabelForValue,
    /// The partner acts forever, but never in this way; see [`Explanation::busy`].
    PartnerBusy,
    /// The oldest message from the partner is not what the process waits for.
    OldestDoesNotFit {
        /// The message.
        oldest: Content,
    },
    /// The partner never acts again: it cannot take the oldest message of a queue.
    PartnerCannotTake {
        /// Who sent it.
        from: ProcessId,
        /// The message.
        oldest: Content,
    },
}

/// A process that waits for something that never comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Who.
    pub process: ProcessId,
    /// Whether it is a service.
    pub service: bool,
    /// Whether it is idle where it waits.
    pub idle: bool,
    /// What it wants, and from whom.
    pub wish: Wish,
    /// Where that is in the text.
    pub span: Span,
    /// Why it never comes.
    pub why: Why,
    /// Where the chain of waits ends, as an index into [`Explanation::roots`]; `None` for a service that holds nobody
    /// up.
    pub root: Option<usize>,
    /// Whether it is part of that root itself, rather than waiting because of it.
    pub in_root: bool,
}

impl Waiting {
    /// Whether it may wait forever.
    pub fn may_wait(&self) -> bool {
        self.service || self.idle
    }
}

/// The kind of a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootKind {
    /// Two processes address each other, but their actions do not match: the sender, then the receiver.
    Mismatch,
    /// A process waits for a message from another, but the oldest one is not what it waits for.
    Message {
        /// Who sent it.
        from: ProcessId,
    },
    /// Each waits for the next and the last for the first.
    Circle,
    /// They wait for a process that has stopped.
    Stopped {
        /// Which.
        partner: ProcessId,
    },
    /// They wait for a process that acts forever without them.
    Busy {
        /// Which.
        partner: ProcessId,
    },
}

/// A cause that is not the result of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// What it is.
    pub kind: RootKind,
    /// Who is part of it; for a circle, in the order of the waits.
    pub processes: Vec<ProcessId>,
}

/// What a process keeps doing while another one waits for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Busy {
    /// Who.
    pub process: ProcessId,
    /// What it does in the cycle, each step once.
    pub steps: Vec<Step>,
}

/// Why a network has no choreography.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// What went wrong.
    pub kind: WitnessKind,
    /// The processes involved, in the order of the text.
    pub component: Vec<ProcessId>,
    /// What happens first.
    pub run: Vec<Event>,
    /// What repeats forever after that; empty for a deadlock.
    pub cycle: Vec<Event>,
    /// The processes that act in the cycle; beside a deadlock, those that may still act.
    pub active: Vec<ProcessId>,
    /// Every process that is stuck, and every service that such a process waits on, in the order of the text.
    pub stuck: Vec<Waiting>,
    /// The services that are waiting and hold nobody up, which is fine.
    pub waiting_services: Vec<Waiting>,
    /// The causes: mismatches and messages that do not fit first, then circles, then partners that have stopped or are
    /// busy.
    pub roots: Vec<Root>,
    /// What the processes do that others wait for.
    pub busy: Vec<Busy>,
    /// The queues that are not empty at the end, in the order of the processes.
    pub queues: Vec<Queued>,
    /// The queues that grow forever.
    pub growth: Vec<Growth>,
    /// What those do each time round whose queues grow forever.
    pub rates: Vec<Rate>,
    /// Suggested fixes.
    pub hints: Vec<Hint>,
}

impl Explanation {
    /// The circles of waits, each in the order of the waits.
    pub fn circles(&self) -> impl Iterator<Item = &[ProcessId]> {
        self.roots.iter().filter(|root| root.kind == RootKind::Circle).map(|root| root.processes.as_slice())
    }

    /// The stuck processes that are not part of a cause, but wait because of one.
    pub fn tails(&self) -> impl Iterator<Item = &Waiting> {
        self.stuck.iter().filter(|waiting| !waiting.in_root)
    }

    /// What lies in the queue from one process to another at the end; nothing if it is empty.
    pub fn queue(&self, from: ProcessId, to: ProcessId) -> Option<&Queued> {
        let index = self.queues.binary_search_by_key(&(from, to), |queue| (queue.from, queue.to)).ok()?;
        self.queues.get(index)
    }

    /// What is known about a waiting process.
    pub fn waiting(&self, process: ProcessId) -> Option<&Waiting> {
        [&self.stuck, &self.waiting_services].into_iter().find_map(|list| {
            let index = list.binary_search_by_key(&process, |waiting| waiting.process).ok()?;
            list.get(index)
        })
    }
}

/// Whether a witness shows that the network has no choreography.
pub(super) fn is_proved(network: &Network, witness: &Witness) -> bool {
    replay::replay(network, witness).and_then(|replayed| reasons::reasons(network, &replayed)).is_ok()
}

/// Replays a witness and says why the network has no choreography, or why the witness does not show it.
pub fn explain(network: &Network, witness: &Witness) -> Result<Explanation, ReplayError> {
    let replayed = replay::replay(network, witness)?;
    let reasons = reasons::reasons(network, &replayed)?;
    let queues = queued::queued(network, witness, &replayed);
    let growth = queued::growth(witness, &replayed.cycle);
    let hints = hints::hints(network, witness, &replayed, &reasons, (&queues, &growth));
    let active = replayed.component.iter().copied().filter(|&process| replayed.acts(process)).collect();
    Ok(Explanation {
        kind: witness.kind,
        component: replayed.component,
        run: replayed.run,
        cycle: replayed.cycle,
        active,
        stuck: reasons.stuck,
        waiting_services: reasons.waiting_services,
        roots: reasons.roots,
        busy: reasons.busy,
        queues,
        growth,
        rates: queued::rates(witness),
        hints,
    })
}
