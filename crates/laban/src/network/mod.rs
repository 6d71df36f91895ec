//! Networks: what each process of a system does, as automata.
//!
//! A behaviour is a graph whose nodes are its actions; procedure calls are just edges, so nothing is unfolded, folded
//! or copied later on. [`lower`](lower()) makes a [`Network`] from a syntax tree and says what is wrong with it,
//! [`warnings`] tells what is probably not meant, [`minimise`](minimise()) makes each automaton as small as it can be,
//! and [`components`] splits a network into parts that never interact; [`read_off`](read_off()) gives a network back as
//! text. How processes run together is not known here.

mod channels;
mod declaration;
mod describe;
mod interaction;
mod lower;
mod minimise;
mod parts;
mod race;
mod read_off;
mod split;
mod warnings;

pub use channels::{Channel, Channels};
pub use describe::{DescribedContent, DescribedState, DescribedWish, Wish};
pub use interaction::{Content, Interaction};
pub use lower::{LoweredNetwork, lower};
pub use minimise::{Minimised, minimise, smaller};
pub use parts::NetworkParts;
pub(crate) use parts::check_common;
pub use read_off::read_off;
pub use split::components;
pub use warnings::warnings;

use crate::syntax::{ArenaRange, Names, Span, Symbol};

/// The number of a process in its network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(pub u32);

impl ProcessId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a local state; no two processes share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a process does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing: it is done.
    Stop,
    /// Send a value.
    Send {
        /// Who receives it.
        to: ProcessId,
        /// The value.
        expression: Symbol,
        /// What follows.
        next: StateId,
    },
    /// Receive a value.
    Receive {
        /// Who sends it.
        from: ProcessId,
        /// What follows.
        next: StateId,
    },
    /// Select a label.
    Select {
        /// Who is told.
        to: ProcessId,
        /// The label.
        label: Symbol,
        /// What follows.
        next: StateId,
    },
    /// Wait for one of several labels.
    Offer {
        /// Who selects.
        from: ProcessId,
        /// A stretch of [`Network::branches`], in the order of the labels' symbols.
        branches: ArenaRange,
    },
    /// Decide.
    If {
        /// What decides.
        condition: Symbol,
        /// What follows if it is true.
        then: StateId,
        /// What follows if it does not.
        otherwise: StateId,
    },
    /// Select a label and send a value with it.
    SelectValue {
        /// Who is told.
        to: ProcessId,
        /// The label.
        label: Symbol,
        /// The value.
        expression: Symbol,
        /// What follows.
        next: StateId,
    },
    /// Decide, by nobody's expression.
    Choose {
        /// What may follow: a stretch of [`Network::arms`].
        arms: ArenaRange,
    },
    /// Do whichever can be done first.
    Any {
        /// The items, each a state that sends, receives, selects or offers: a stretch of [`Network::arms`].
        items: ArenaRange,
    },
}

/// One branch of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// Its label.
    pub label: Symbol,
    /// What follows.
    pub next: StateId,
}

/// A process.
#[derive(Debug, Clone, Copy)]
pub struct Process {
    /// Its name.
    pub name: Symbol,
    /// Where its name is.
    pub span: Span,
    /// Whether it may wait forever.
    pub service: bool,
    /// Where it starts.
    pub start: StateId,
    /// Its states, a stretch of [`Network::states`].
    pub states: ArenaRange,
}

/// A well-formed network as local automata.
#[derive(Debug, Clone, Default)]
pub struct Network {
    /// The names in it.
    pub(crate) names: Names,
    /// The processes, in the order of the text.
    pub(crate) processes: Vec<Process>,
    /// All local states, one process after the other.
    pub(crate) states: Vec<State>,
    /// The branches of all offers.
    pub(crate) branches: Vec<Branch>,
    /// What the states that choose, or do whichever comes first, lead to.
    pub(crate) arms: Vec<StateId>,
    /// The same, but with the items of each race in the order of their partners; empty if that is not known.
    pub(crate) by_partner: Vec<StateId>,
    /// For each state, whether the process may wait there forever; empty if this is so nowhere.
    pub(crate) idle: Vec<bool>,
    /// For each state, where it is in the text.
    pub(crate) origins: Vec<Span>,
    /// For each state, how many actions its text has, up to `stop` and calls. Strategies may look at it.
    pub(crate) sizes: Vec<u32>,
    /// How messages get from one process to another.
    pub(crate) channels: Channels,
}

impl Network {
    /// The names in it.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The processes, in the order of the text.
    pub fn processes(&self) -> &[Process] {
        &self.processes
    }

    /// All local states, one process after the other.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The branches of an offer, in the order of the labels' symbols.
    pub fn branches(&self, branches: ArenaRange) -> &[Branch] {
        branches.of(&self.branches)
    }

    /// The states that a choice leads to, or the items of a race, in the order of the text.
    pub fn arms(&self, arms: ArenaRange) -> &[StateId] {
        arms.of(&self.arms)
    }

    /// Whether `idle` is written before a state: the process may wait there forever.
    pub fn is_idle(&self, state: StateId) -> bool {
        self.idle.get(state.index()).copied().unwrap_or(false)
    }

    /// Whether a process may wait forever in a state: it has stopped, is a service, or is idle there.
    pub fn may_wait(&self, process: ProcessId, state: StateId) -> bool {
        let is_service = self.process(process).is_some_and(|process| process.service);
        is_service || self.state(state) == State::Stop || self.is_idle(state)
    }

    /// Whether some process does whichever comes first somewhere.
    pub fn has_races(&self) -> bool {
        self.states.iter().any(|state| matches!(state, State::Any { .. }))
    }

    /// What a process can do in a state with another: the items of a race, or the state itself.
    pub fn items(&self, state: StateId) -> impl Iterator<Item = State> {
        let (own, items) = match self.state(state) {
            State::Any { items } => (None, items.of(&self.arms)),
            other => (Some(other), &[] as &[StateId]),
        };
        own.into_iter().chain(items.iter().map(|&item| self.state(item)))
    }

    /// What a process can do in a state with this other one.
    pub(crate) fn items_with(&self, state: StateId, partner: ProcessId) -> impl Iterator<Item = State> {
        let partner_of = |item: StateId| self.state(item).partner();
        let (own, items) = match self.state(state) {
            State::Any { items } => match items.of(&self.by_partner) {
                [] => (None, items.of(&self.arms)),
                sorted => {
                    let from = sorted.partition_point(|&item| partner_of(item) < Some(partner));
                    let count = sorted[from..].iter().take_while(|&&item| partner_of(item) == Some(partner)).count();
                    (None, &sorted[from..from + count])
                }
            },
            other => (Some(other), &[] as &[StateId]),
        };
        let items = own.into_iter().chain(items.iter().map(|&item| self.state(item)));
        items.filter(move |item| item.partner() == Some(partner))
    }

    /// The process of this number.
    pub fn process(&self, id: ProcessId) -> Option<&Process> {
        self.processes.get(id.index())
    }

    /// The text of a name, a value, a condition or a label.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    /// The state of this number; [`State::Stop`] for a number of another network.
    pub fn state(&self, id: StateId) -> State {
        self.states.get(id.index()).copied().unwrap_or(State::Stop)
    }

    /// Where a state is in the text.
    pub fn origin(&self, id: StateId) -> Span {
        self.origins.get(id.index()).copied().unwrap_or_default()
    }

    /// The name of a process.
    pub fn process_name(&self, id: ProcessId) -> &str {
        self.processes.get(id.index()).map_or("", |process| self.names.text(process.name))
    }

    /// The process that has this name.
    pub fn process_named(&self, name: &str) -> Option<ProcessId> {
        let symbol = self.names.find(name)?;
        let index = self.processes.iter().position(|process| process.name == symbol)?;
        Some(ProcessId(index as u32))
    }

    /// Declares a process a service. Returns whether there is such a process.
    pub fn declare_service(&mut self, name: &str) -> bool {
        let Some(process) = self.process_named(name) else { return false };
        self.processes[process.index()].service = true;
        true
    }

    /// The same network with each automaton as small as it can be.
    #[must_use]
    pub fn minimised(&self) -> Network {
        minimise(self).network
    }

    /// All processes.
    pub fn process_ids(&self) -> impl Iterator<Item = ProcessId> + use<> {
        (0..self.processes.len() as u32).map(ProcessId)
    }

    /// The other processes that can take part in what a process does in a state, in order.
    #[inline]
    pub fn partners(&self, state: State) -> impl Iterator<Item = ProcessId> {
        let items = match state {
            State::Any { items } => items.of(&self.arms),
            _ => &[],
        };
        let of_items = items.iter().filter_map(|&item| self.state(item).partner());
        state.partner().into_iter().chain(of_items)
    }

    /// Where an offer goes on when this label is selected, if it has it.
    pub fn branch(&self, branches: ArenaRange, label: Symbol) -> Option<StateId> {
        let branches = branches.of(&self.branches);
        let found = if branches.len() <= 8 {
            branches.iter().position(|branch| branch.label == label)
        } else {
            branches.binary_search_by_key(&label, |branch| branch.label).ok()
        };
        found.map(|index| branches[index].next)
    }

    /// Calls `visit` with each successor of a state, in order.
    pub fn successors(&self, id: StateId, mut visit: impl FnMut(StateId)) {
        match self.state(id) {
            State::Stop => {}
            State::Send { next, .. }
            | State::Receive { next, .. }
            | State::Select { next, .. }
            | State::SelectValue { next, .. } => visit(next),
            State::Offer { branches, .. } => branches.of(&self.branches).iter().for_each(|branch| visit(branch.next)),
            State::If { then, otherwise, .. } => {
                visit(then);
                visit(otherwise);
            }
            State::Choose { arms } | State::Any { items: arms } => arms.of(&self.arms).iter().copied().for_each(visit),
        }
    }
}

impl State {
    /// The one other process that takes part; none for a process that has stopped, decides, or does whichever comes
    /// first.
    #[inline]
    pub fn partner(self) -> Option<ProcessId> {
        match self {
            State::Send { to, .. } | State::Select { to, .. } | State::SelectValue { to, .. } => Some(to),
            State::Receive { from, .. } | State::Offer { from, .. } => Some(from),
            State::Stop | State::If { .. } | State::Choose { .. } | State::Any { .. } => None,
        }
    }

    /// Who is sent what here, if the process sends or selects, and what follows.
    pub(crate) fn sent(self) -> Option<(ProcessId, Content, StateId)> {
        match self {
            State::Send { to, expression, next } => Some((to, Content::Value(expression), next)),
            State::Select { to, label, next } => Some((to, Content::Label(label), next)),
            State::SelectValue { to, label, expression, next } => {
                Some((to, Content::LabelledValue { label, value: expression }, next))
            }
            _ => None,
        }
    }

    /// Whether the process decides here, with nobody else.
    #[inline]
    pub fn decides(self) -> bool {
        matches!(self, State::If { .. } | State::Choose { .. })
    }
}
