//! Two networks, compared exactly.
//!
//! Both are put next to each other, states that behave alike are merged in both at once, and each part that interacts
//! with no other is compared on its own: by the walk of `product` if each process has at most one partner at a time,
//! by that of `closed` if there are choices and races, and by that of `queues` if messages may wait. What is the same
//! for all walks is here. The first two do not know whether the texts of conditions matter: if they do not, they are
//! taken out before and put back into the answer.

use super::closed;
use super::common::{Joined, join};
use super::conditions::{put_back, without_conditions};
use super::difference::{Contrast, Difference, Instead, Side};
use super::product;
use super::queues::{self, Manner};
use super::verify::Conditions;
use crate::limits::{Limits, StopReason};
use crate::network::{self, Channel, Channels, Network, ProcessId, State, StateId};
use crate::semantics::Step;
use std::borrow::Cow;

/// How to compare.
#[derive(Clone, Copy, Default)]
pub struct EquivalenceOptions<'a> {
    /// Whether the same processes must be services.
    pub services: bool,
    /// How decisions are compared.
    pub conditions: Conditions,
    /// Whether a message counts only when it is received: that it was put into a queue does not. Makes no difference
    /// where there are no queues.
    pub messages: bool,
    /// When to give up; the states are those of both together, in one component.
    pub limits: Limits<'a>,
}

/// Whether two systems can do the same.
#[derive(Debug, Clone)]
pub enum Equivalence {
    /// They can.
    Same {
        /// How many pairs of states were looked at.
        pairs: usize,
        /// A run after which one of them is stuck where the other has stopped: neither can do anything then.
        ends: Option<Box<Difference>>,
    },
    /// They cannot.
    Different(Box<Difference>),
    /// A limit was reached.
    Undecided {
        /// How many pairs of states were looked at.
        pairs: usize,
        /// Why there is no answer.
        reason: StopReason,
    },
}

impl Equivalence {
    /// Whether they are known to be the same.
    pub fn is_same(&self) -> bool {
        matches!(self, Equivalence::Same { .. })
    }

    /// The difference, if there is one.
    pub fn difference(&self) -> Option<&Difference> {
        match self {
            Equivalence::Different(difference) => Some(difference),
            _ => None,
        }
    }
}

/// Whether two networks can do the same: whether there is a bisimulation between them. Processes, values, conditions
/// and labels are compared by name; a process that one of them lacks counts as stopped there.
///
/// ```
/// use laban::equivalence::{EquivalenceOptions, equivalent_networks as equivalent};
///
/// let network = |text: &str| laban::analyse(text).into_network().unwrap();
/// let once = network("p { def X { q!<a>; X } main { X } } | q { def X { p?; X } main { X } }");
/// let unrolled = network("p { def X { q!<a>; q!<a>; X } main { X } } | q { def X { p?; p?; X } main { p?; X } }");
/// let ends = network("p { main { q!<a>; stop } } | q { main { p?; stop } }");
/// assert!(equivalent(&once, &unrolled, &EquivalenceOptions::default()).is_same());
/// let answer = equivalent(&once, &ends, &EquivalenceOptions::default());
/// assert_eq!(
///     answer.difference().unwrap().sentence("the first", "the second"),
///     "after `p.a -> q`, the first can do `p.a -> q`, but the second cannot: both have stopped there"
/// );
/// ```
pub fn equivalent(first: &Network, second: &Network, options: &EquivalenceOptions<'_>) -> Equivalence {
    let Joined { network, starts: begin, services, missing, channels } = join(first, second);
    let has_queues = channels.iter().any(Channels::has_queues);
    if options.services
        && let Some(number) = (0..network.processes.len()).find(|&process| services[0][process] != services[1][process])
    {
        let side = if services[0][number] { Side::First } else { Side::Second };
        let reason = Contrast::Service { process: ProcessId(number as u32), side };
        return Equivalence::Different(Box::new(difference(&network, Vec::new(), reason, [Vec::new(), Vec::new()])));
    }
    let compared = match options.conditions {
        // With queues, the walk knows about conditions.
        _ if has_queues => Cow::Borrowed(&network),
        Conditions::ByText => Cow::Borrowed(&network),
        Conditions::Any => Cow::Owned(without_conditions(&network)),
    };
    let answer = |found: Difference| {
        Box::new(match options.conditions {
            _ if has_queues => found,
            Conditions::ByText => found,
            Conditions::Any => put_back(found, &network, &begin),
        })
    };
    let small = network::minimise(&compared);
    let starts = begin.each_ref().map(|starts| starts.iter().map(|state| small.state_of[state.index()]).collect());
    let patient: Vec<bool> = services[0].iter().zip(&services[1]).map(|(&one, &other)| one || other).collect();
    let manner = Manner { messages: options.messages, conditions: options.conditions };
    let sides = has_queues.then(|| {
        channels.map(|channels| {
            let mut side = small.network.clone();
            side.set_channels(used(&side, &channels));
            side
        })
    });
    let mut pairs = 0;
    let mut stopped = None;
    let mut ends = None;
    for component in network::components(&small.network) {
        let both = Both {
            network: &small.network,
            component: &component,
            starts: &starts,
            missing: &missing,
            patient: &patient,
        };
        let found = match &sides {
            Some(sides) => queues::walk(&both, sides, manner, &options.limits),
            None if both.has_choices() => closed::walk(&both, &options.limits),
            None => product::walk(&both, &options.limits),
        };
        pairs += found.pairs;
        if let Some(different) = found.difference {
            return Equivalence::Different(answer(different));
        }
        ends = ends.or(found.ends.map(answer));
        stopped = stopped.or(found.stopped);
    }
    match stopped {
        Some(reason) => Equivalence::Undecided { pairs, reason },
        None => Equivalence::Same { pairs, ends },
    }
}

/// Of some channels, those on which a process sends something; the others make no difference.
fn used(network: &Network, channels: &Channels) -> Channels {
    let mut single = Vec::new();
    for (process, number) in network.processes.iter().zip(0..) {
        let from = ProcessId(number);
        single.extend(process.states.of(&network.states).iter().filter_map(|&state| match state {
            State::Send { to, .. } | State::Select { to, .. } | State::SelectValue { to, .. } => {
                Some((from, to, channels.channel(from, to)))
            }
            _ => None,
        }));
    }
    Channels { default: Channel::Rendezvous, single }
}

/// One component of two networks that are next to each other in one.
pub(super) struct Both<'a> {
    /// Both networks: each process has its states of the first and of the second.
    pub(super) network: &'a Network,
    /// The processes of the component, in order.
    pub(super) component: &'a [ProcessId],
    /// Where each process starts in the first and in the second.
    starts: &'a [Vec<StateId>; 2],
    /// Whether each process is missing in the first and in the second.
    missing: &'a [Vec<bool>; 2],
    /// Whether each process is a service, and may wait forever.
    patient: &'a [bool],
}

/// What a walk through one component has found.
pub(super) struct Findings {
    /// How many pairs of states it has looked at.
    pub(super) pairs: usize,
    /// Why it ended early.
    pub(super) stopped: Option<StopReason>,
    /// The nearest difference.
    pub(super) difference: Option<Difference>,
    /// The nearest end at which one of the networks is stuck where the other has stopped.
    pub(super) ends: Option<Difference>,
}

impl Both<'_> {
    /// Whether a process of the component chooses somewhere, or does whichever comes first.
    fn has_choices(&self) -> bool {
        let processes = self.component.iter().filter_map(|&process| self.network.process(process));
        let is_choice = |state: &State| matches!(state, State::Choose { .. } | State::Any { .. });
        !self.network.arms.is_empty()
            && processes.flat_map(|process| process.states.of(&self.network.states)).any(is_choice)
    }

    /// For each process, its place in the component.
    pub(super) fn places(&self) -> Vec<u32> {
        let mut place = vec![0; self.network.processes.len()];
        for (index, process) in self.component.iter().enumerate() {
            place[process.index()] = index as u32;
        }
        place
    }

    /// Where the processes of the component start: in the first, then in the second.
    pub(super) fn start(&self) -> Vec<StateId> {
        self.starts.iter().flat_map(|starts| self.component.iter().map(|process| starts[process.index()])).collect()
    }

    /// The place of a process that has stopped on one side only and may not wait forever on the other, and that side.
    pub(super) fn stuck(&self, first: &[StateId], second: &[StateId]) -> Option<(usize, Side)> {
        let stopped = |state: StateId| self.network.state(state) == State::Stop;
        let stuck = |state: StateId| !stopped(state) && !self.network.is_idle(state);
        (0..self.component.len()).filter(|&index| !self.patient[self.component[index].index()]).find_map(
            |index| match (first[index], second[index]) {
                (one, other) if stuck(one) && stopped(other) => Some((index, Side::First)),
                (one, other) if stopped(one) && stuck(other) => Some((index, Side::Second)),
                _ => None,
            },
        )
    }

    /// What the process at a place of the component does on one side.
    pub(super) fn instead(&self, index: usize, side: Side, states: &[StateId]) -> Instead {
        let process = self.component[index];
        let missing = match side {
            Side::First => &self.missing[0],
            Side::Second => &self.missing[1],
        };
        Instead::of(self.network, process, states[index], missing[process.index()])
    }

    /// A difference between the two.
    pub(super) fn difference(&self, run: Vec<Step>, reason: Contrast, possible: [Vec<Step>; 2]) -> Difference {
        difference(self.network, run, reason, possible)
    }
}

fn difference(network: &Network, run: Vec<Step>, reason: Contrast, possible: [Vec<Step>; 2]) -> Difference {
    let processes = network.processes.iter().map(|process| process.name).collect();
    Difference { names: network.names.clone(), processes, run, reason, possible }
}

/// The run to a node of a walk, given for each node but the first from which other it was met, and by which step.
pub(super) fn run_to(came_by: &[(u32, Step)], mut node: u32) -> Vec<Step> {
    let mut run = Vec::new();
    while let Some(&(before, step)) = (node as usize).checked_sub(1).and_then(|index| came_by.get(index)) {
        run.push(step);
        node = before;
    }
    run.reverse();
    run
}
