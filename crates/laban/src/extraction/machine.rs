//! One component of a network, laid out for the search.
//!
//! Processes are numbered from 0 within the component; what a local state does is one small record with everything that
//! a step needs: who is concerned, where it leads, and the number of the action. Actions are what edges of the graph
//! are labelled with; equal actions have equal numbers.

use super::strategy::{Order, Strategy};
use crate::index::{Index, mix};
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
use crate::semantics::Action;
use crate::syntax::ArenaRange;

/// The number of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);

/// What a local state does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Does {
    Stop,
    Send,
    Receive,
    Select,
    Offer,
    If,
    Choose,
}

/// A local state, with processes and states numbered within the component.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local {
    pub(super) does: Does,
    /// The process has stopped or is a service: it cannot starve here.
    pub(super) done: bool,
    /// The other process; for `If`, the `else` state.
    pub(super) partner: u32,
    /// The label of a selection, or the first branch of an offer or arm of a choice.
    pub(super) datum: u32,
    /// What follows; the end of the branches of an offer or arms of a choice.
    pub(super) next: u32,
    /// The action that starts here.
    pub(super) action: u32,
}

/// A component, ready to be searched.
#[derive(Debug)]
pub struct Machine {
    /// Where each process starts.
    pub(super) starts: Vec<u32>,
    /// The first state of each process, and the end of the last one's.
    pub(super) first: Vec<u32>,
    pub(super) locals: Vec<Local>,
    /// Labels and targets of offers.
    pub(super) branches: Vec<(u32, u32)>,
    /// How much each local state has left to do; empty if nobody asks.
    sizes: Vec<u32>,
    pub(super) actions: Vec<Action>,
    /// Whether no process decides or comes back to a state: nothing happens twice.
    pub(super) is_straight: bool,
}

const NO_ACTION: u32 = u32::MAX;

/// In how many local states there is a new action, or fewer.
const ACTIONS_EXPECTED: usize = 4;

impl Machine {
    /// The processes of a component, in their order, as a machine. Who waits for a process that is not among them waits
    /// forever.
    pub fn new(network: &Network, component: &[ProcessId]) -> Self {
        Machine::with_sizes(network, component, true, false)
    }

    /// The same for searches by a strategy. Where nothing happens twice, equal actions may have several numbers: nobody
    /// compares them.
    pub(super) fn for_strategy(network: &Network, component: &[ProcessId], strategy: Strategy) -> Self {
        let by_size = matches!(strategy.order, Order::LongestFirst | Order::ShortestFirst);
        Machine::with_sizes(network, component, by_size, is_straight(network, component))
    }

    fn with_sizes(network: &Network, component: &[ProcessId], with_sizes: bool, is_straight: bool) -> Self {
        let is_known = |&process: &ProcessId| process.index() < network.processes.len();
        if component.is_sorted_by(|one, next| one < next) && component.last().is_none_or(is_known) {
            return Machine::of_component(network, component, with_sizes, is_straight);
        }
        let mut component: Vec<ProcessId> = component.iter().copied().filter(is_known).collect();
        component.sort_unstable();
        component.dedup();
        Machine::of_component(network, &component, with_sizes, is_straight)
    }

    fn of_component(network: &Network, component: &[ProcessId], with_sizes: bool, is_straight: bool) -> Self {
        // A network can have as many components as processes: nothing here may take a look at all processes.
        let is_all = component.len() == network.processes.len();
        let index_of = |process: ProcessId| match is_all {
            true => process.0,
            false => component.binary_search(&process).map_or(u32::MAX, |index| index as u32),
        };
        let mut first = Vec::with_capacity(component.len() + 1);
        let mut count = 0;
        for &process in component {
            first.push(count);
            count += network.processes[process.index()].states.len() as u32;
        }
        first.push(count);
        let mut machine = Machine {
            starts: Vec::with_capacity(component.len()),
            first,
            locals: Vec::with_capacity(count as usize),
            branches: Vec::new(),
            sizes: Vec::new(),
            // Where nothing happens twice, every other state starts an action.
            actions: Vec::with_capacity(count as usize / if is_straight { 2 } else { ACTIONS_EXPECTED }),
            is_straight,
        };
        let mut table = match is_straight {
            true => Table(None),
            false => Table(Some(Index::with_capacity(count as usize / ACTIONS_EXPECTED))),
        };
        for (index, &id) in component.iter().enumerate() {
            let process = &network.processes[id.index()];
            let offset = machine.first[index].wrapping_sub(process.states.start);
            let local = |state: StateId| state.0.wrapping_add(offset);
            machine.starts.push(local(process.start));
            if with_sizes {
                machine.sizes.extend_from_slice(process.states.of(&network.sizes));
            }
            for &state in process.states.of(&network.states) {
                let done = process.service || state == State::Stop;
                let stop = Local { does: Does::Stop, done, partner: 0, datum: 0, next: 0, action: NO_ACTION };
                let local = match state {
                    State::Stop => stop,
                    State::Send { to, expression, next } => {
                        let content = Content::Value(expression);
                        let action = Action::Interaction(Interaction { from: id, to, content });
                        let action = table.number(&mut machine.actions, action);
                        Local { does: Does::Send, partner: index_of(to), next: local(next), action, ..stop }
                    }
                    State::Receive { from, next } => {
                        Local { does: Does::Receive, partner: index_of(from), next: local(next), ..stop }
                    }
                    State::Select { to, label, next } => {
                        let content = Content::Label(label);
                        let action = Action::Interaction(Interaction { from: id, to, content });
                        let action = table.number(&mut machine.actions, action);
                        let partner = index_of(to);
                        Local { does: Does::Select, partner, datum: label.0, next: local(next), action, ..stop }
                    }
                    State::Offer { from, branches } => {
                        let datum = machine.branches.len() as u32;
                        let targets = branches.of(&network.branches).iter();
                        machine.branches.extend(targets.map(|branch| (branch.label.0, local(branch.next))));
                        let next = machine.branches.len() as u32;
                        Local { does: Does::Offer, partner: index_of(from), datum, next, ..stop }
                    }
                    State::If { condition, then, otherwise } => {
                        let action = table.number(&mut machine.actions, Action::Decision { process: id, condition });
                        Local { does: Does::If, partner: local(otherwise), next: local(then), action, ..stop }
                    }
                    State::SelectValue { to, label, expression, next } => {
                        let content = Content::LabelledValue { label, value: expression };
                        let action = Action::Interaction(Interaction { from: id, to, content });
                        let action = table.number(&mut machine.actions, action);
                        let partner = index_of(to);
                        Local { does: Does::Select, partner, datum: label.0, next: local(next), action, ..stop }
                    }
                    State::Choose { arms } => {
                        let action = Action::Choice { process: id, arms: arms.len() as u32 };
                        let action = table.number(&mut machine.actions, action);
                        let datum = machine.branches.len() as u32;
                        machine.branches.extend(network.arms(arms).iter().map(|&arm| (0, local(arm))));
                        Local { does: Does::Choose, datum, next: machine.branches.len() as u32, action, ..stop }
                    }
                    // Races, and who is idle, have a search of their own.
                    State::Any { .. } => stop,
                };
                let is_alone = local.partner == u32::MAX && !matches!(local.does, Does::If | Does::Choose);
                machine.locals.push(if is_alone { stop } else { local });
            }
        }
        machine
    }

    /// How much a local state has left to do. A network that was not made from a text does not know.
    pub(super) fn size(&self, state: u32) -> u64 {
        self.sizes.get(state as usize).copied().unwrap_or(0).into()
    }

    /// What can be done: each action once, by its number.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Hands out the actions; a search by itself only needs their numbers.
    pub(super) fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// Where an offer goes on with this label.
    #[inline]
    pub(super) fn branch(&self, offer: Local, label: u32) -> Option<u32> {
        let branches = self.branches.get(offer.datum as usize..offer.next as usize).unwrap_or(&[]);
        if branches.len() <= 8 {
            branches.iter().find(|branch| branch.0 == label).map(|branch| branch.1)
        } else {
            branches.binary_search_by_key(&label, |branch| branch.0).ok().map(|found| branches[found].1)
        }
    }
}

/// The same for what the paper does not know.
#[cold]
fn rare(action: Action) -> (u64, u32, u32, u32) {
    match action {
        Action::Interaction(Interaction { from, to, content }) => {
            (3, from.0, to.0, content.label().map_or(0, |label| label.0))
        }
        Action::Put(Interaction { from, to, .. }) => (6, from.0, to.0, 0),
        Action::Take(Interaction { from, to, .. }) => (7, from.0, to.0, 0),
        Action::Choice { process, arms } => (4, process.0, 0, arms),
        Action::Decision { .. } | Action::Race => (5, 0, 0, 0),
    }
}

/// Whether no process of a component decides, and none comes back to a state: each leads only to later ones, and to
/// ends.
fn is_straight(network: &Network, component: &[ProcessId]) -> bool {
    let states =
        |process: &ProcessId| network.process(*process).map_or(ArenaRange::default(), |process| process.states);
    component.iter().map(states).all(|states| {
        (states.start..).zip(states.of(&network.states)).all(|(here, state)| {
            let leads_on = |next: StateId| next.0 > here || network.state(next) == State::Stop;
            match *state {
                State::Send { next, .. }
                | State::Receive { next, .. }
                | State::Select { next, .. }
                | State::SelectValue { next, .. } => leads_on(next),
                State::Offer { branches, .. } => {
                    branches.of(&network.branches).iter().all(|branch| leads_on(branch.next))
                }
                State::Stop => true,
                State::If { .. } | State::Choose { .. } | State::Any { .. } => false,
            }
        })
    })
}

/// Gives equal actions equal numbers, if it has an index, and else each its own.
struct Table(Option<Index>);

impl Table {
    fn number(&mut self, actions: &mut Vec<Action>, action: Action) -> u32 {
        let Some(index) = &mut self.0 else {
            actions.push(action);
            return actions.len() as u32 - 1;
        };
        let (kind, one, other, datum) = match action {
            Action::Interaction(Interaction { from, to, content: Content::Value(value) }) => (0, from.0, to.0, value.0),
            Action::Interaction(Interaction { from, to, content: Content::Label(label) }) => (1, from.0, to.0, label.0),
            Action::Decision { process, condition } => (2, process.0, 0, condition.0),
            other => rare(other),
        };
        let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let hash = mix(mix(kind, pair(one, other)), u64::from(datum));
        let number = index.find_or_insert(hash, actions.len() as u32, |known| actions[known as usize] == action);
        if number as usize == actions.len() {
            actions.push(action);
        }
        number
    }
}
