//! Why a network has no choreography: who waits for whom, after which run, and what would help.
//!
//! A search that finds a deadlock or a livelock hands over a [`Witness`], plain data. [`explain`] replays it step by step
//! on the network as it was written, refuses it if it does not show what it claims, and says of every process that is
//! stuck what it wants, from whom, and why that will not come. Waiting is a matter of one partner each, so the chain of
//! waits from any process ends at one [`Root`]: a circle, two actions that do not match, a partner that has stopped or one that
//! is busy for ever. How the witness was found is not known here, nor how an [`Explanation`] looks on a screen.

mod hints;
mod reasons;
mod replay;
mod standing;
mod what_if;
mod words;

pub use hints::Hint;
pub use replay::{Part, ReplayError};

use crate::network::{Network, ProcessId, Wish};
use crate::semantics::Step;
use crate::syntax::{Span, Symbol};

/// What a negative answer is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WitnessKind {
    /// Some are not done and nothing can happen.
    Deadlock,
    /// Some never act while others go round for ever.
    Livelock,
}

/// A claim that a network has no choreography, with the run that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// What is claimed.
    pub kind: WitnessKind,
    /// The processes that it is about: all that they ever interact with is among them.
    pub component: Vec<ProcessId>,
    /// What happens first.
    pub run: Vec<Step>,
    /// What happens then for ever; empty for a deadlock.
    pub cycle: Vec<Step>,
}

/// A step, and where the actions that it is made of stand in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// What happens.
    pub step: Step,
    /// The action of the process that sends, selects or decides.
    pub span: Span,
    /// The action of the process that receives or offers.
    pub partner_span: Option<Span>,
}

/// Why what a process waits for will not come.
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
    /// Both want to receive or be told, each by the other.
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
    /// The partner acts for ever, but never so; see [`Explanation::busy`].
    PartnerBusy,
}

/// A process that waits for something that will not come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Who.
    pub process: ProcessId,
    /// Whether it is a service.
    pub service: bool,
    /// What it wants, and from whom.
    pub wish: Wish,
    /// Where that stands in the text.
    pub span: Span,
    /// Why it will not come.
    pub why: Why,
    /// Where the chain of waits ends, as an index into [`Explanation::roots`]. Nothing for a service that holds nobody up.
    pub root: Option<usize>,
    /// Whether it is itself part of that root, and does not merely wait on it.
    pub in_root: bool,
}

/// What kind of cause a root is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootKind {
    /// Two want to deal with each other, but their actions do not match: first who sends, then who receives.
    Mismatch,
    /// Each waits for the next and the last for the first.
    Circle,
    /// They wait for a process that has stopped.
    Stopped {
        /// Which.
        partner: ProcessId,
    },
    /// They wait for a process that acts for ever without them.
    Busy {
        /// Which.
        partner: ProcessId,
    },
}

/// A cause that does not come from another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// What it is.
    pub kind: RootKind,
    /// Who is part of it; a circle in the order of the waits.
    pub processes: Vec<ProcessId>,
}

/// What a process does, again and again, while another one waits for it.
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
    /// The processes that it is about, in the order of the text.
    pub component: Vec<ProcessId>,
    /// What happens first.
    pub run: Vec<Event>,
    /// What happens then for ever; empty for a deadlock.
    pub cycle: Vec<Event>,
    /// The processes that act in the cycle.
    pub active: Vec<ProcessId>,
    /// Every process that is stuck, and every service that such a process waits on, in the order of the text.
    pub stuck: Vec<Waiting>,
    /// The services that wait, as they may, and hold nobody up.
    pub waiting_services: Vec<Waiting>,
    /// The causes: mismatches first, then circles, then partners that have stopped or are busy.
    pub roots: Vec<Root>,
    /// What the processes do that others wait for in vain.
    pub busy: Vec<Busy>,
    /// What would help.
    pub hints: Vec<Hint>,
}

impl Explanation {
    /// The circles of waits, each in the order of the waits.
    pub fn circles(&self) -> impl Iterator<Item = &[ProcessId]> {
        self.roots.iter().filter(|root| root.kind == RootKind::Circle).map(|root| root.processes.as_slice())
    }

    /// Those that are part of no cause and merely wait on one.
    pub fn tails(&self) -> impl Iterator<Item = &Waiting> {
        self.stuck.iter().filter(|waiting| !waiting.in_root)
    }

    /// What is known of a process that waits.
    pub fn waiting(&self, process: ProcessId) -> Option<&Waiting> {
        [&self.stuck, &self.waiting_services].into_iter().find_map(|list| {
            let index = list.binary_search_by_key(&process, |waiting| waiting.process).ok()?;
            list.get(index)
        })
    }
}

/// Replays a witness and says why the network has no choreography, or why the witness does not show it.
pub fn explain(network: &Network, witness: &Witness) -> Result<Explanation, ReplayError> {
    let replayed = replay::replay(network, witness)?;
    let reasons = reasons::reasons(network, &replayed)?;
    let hints = hints::hints(network, witness, &replayed, &reasons);
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
        hints,
    })
}
