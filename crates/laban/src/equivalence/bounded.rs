//! The paper's own comparison, on choreographies as they are written.
//!
//! All pairs of states that the same steps lead to are compared, whatever the order of the steps, up to a bound. A
//! choreography runs out of order: a step may be taken before others that come before it if none of them concerns
//! its processes. It may be taken before a decision or a race of others, too, if it comes first whatever the outcome.
//! Where a loop goes on without the processes of a step, looking further ahead may or may not find it: then the
//! answer may be that it is not known. So there are three answers; an exact comparison never contradicts the two
//! certain ones.

use super::common::{Common, Translation};
use super::compare::System;
use super::difference::{Contrast, Difference, Side};
use super::networks::EquivalenceOptions;
use super::terms::{Ahead, Processes, Terms, actors};
use super::verify::Conditions;
use crate::choreography::NodeId;
use crate::limits::{Limits, StopReason};
use crate::network::{Network, ProcessId};
use crate::semantics::{Configuration, Queues, Step};
use rustc_hash::{FxHashMap, FxHashSet};

/// How far to go.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The most pairs of states.
    pub pairs: usize,
    /// The most actions of a choreography to look ahead for what is possible.
    pub ahead: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { pairs: 10_000, ahead: 40 }
    }
}

/// The result of a bounded comparison.
#[derive(Debug, Clone)]
pub enum Bounded {
    /// They can do the same.
    Same,
    /// They cannot.
    Different(Box<Difference>),
    /// A bound or a limit was reached.
    Unknown(StopReason),
}

/// Compares two systems, as far as the bounds and the limits allow; the states are pairs.
pub fn bounded(first: System<'_>, second: System<'_>, bounds: Bounds, limits: &Limits<'_>) -> Bounded {
    bounded_by(first, second, bounds, &EquivalenceOptions { limits: *limits, ..EquivalenceOptions::default() })
}

/// Compares two systems in the way of the options.
pub(super) fn bounded_by(
    first: System<'_>,
    second: System<'_>,
    bounds: Bounds,
    options: &EquivalenceOptions<'_>,
) -> Bounded {
    // What is put into a queue is a step here, and not silent.
    let has_queues = |system: System<'_>| match system {
        System::Network(network) => network.has_queues(),
        System::Choreography(choreography) => choreography.has_queues(),
    };
    if options.messages && (has_queues(first) || has_queues(second)) {
        return Bounded::Unknown(StopReason::Bounds);
    }
    let EquivalenceOptions { conditions, limits, .. } = options;
    let mut common = Common::default();
    let [one, other] = [first, second].map(|system| Runner::new(system, &mut common, *conditions));
    let (Some(mut one), Some(mut other)) = (one, other) else {
        return Bounded::Unknown(StopReason::Bounds);
    };
    // Where one of them has a queue, a choreography is about one.
    let queues: Vec<_> = [&one, &other].into_iter().flat_map(|runner| runner.queues(common.processes.len())).collect();
    [&mut one, &mut other].into_iter().for_each(|runner| runner.set_queues(&queues));
    let mut certain = true;
    let mut known: FxHashSet<(u32, u32)> = FxHashSet::default();
    // Each pair with the one that it was reached from, and the step.
    let mut pairs: Vec<(u32, u32, usize, Option<Step>)> = vec![(one.start(), other.start(), 0, None)];
    known.insert((pairs[0].0, pairs[0].1));
    let mut next = 0;
    while let Some(&(left, right, ..)) = pairs.get(next) {
        if pairs.len() > bounds.pairs {
            return Bounded::Unknown(StopReason::Bounds);
        }
        if limits.max_states.is_some_and(|most| pairs.len() > most) {
            return Bounded::Unknown(limits.too_many());
        }
        if let Some(reason) = (limits.stop)() {
            return Bounded::Unknown(reason);
        }
        let (lefts, rights) = (one.ahead(left, bounds.ahead), other.ahead(right, bounds.ahead));
        for (here, there, side) in [(&lefts, &rights, Side::First), (&rights, &lefts, Side::Second)] {
            for &(step, after) in &here.steps {
                match there.find(step, *conditions) {
                    Some(also) if side == Side::First => {
                        if known.insert((after, also)) {
                            pairs.push((after, also, next, Some(step)));
                        }
                    }
                    Some(_) => {}
                    None if actors(step) & !there.open == 0 => certain = false,
                    None => {
                        let mut run = Vec::new();
                        let mut at = next;
                        while let (.., before, Some(step)) = pairs[at] {
                            run.push(step);
                            at = before;
                        }
                        run.reverse();
                        let possible =
                            [&lefts, &rights].map(|ahead| ahead.steps.iter().map(|&(step, _)| step).collect());
                        let reason = Contrast::Step { step, side, instead: Vec::new() };
                        let Common { names, processes, .. } = common;
                        return Bounded::Different(Box::new(Difference { names, processes, run, reason, possible }));
                    }
                }
            }
        }
        next += 1;
    }
    if certain { Bounded::Same } else { Bounded::Unknown(StopReason::Bounds) }
}

/// Runs a system; its states are numbers.
enum Runner<'a> {
    Network {
        network: &'a Network,
        translation: Translation,
        states: States<Configuration>,
    },
    /// A state has one node for each part, and what lies in the queues.
    Choreography {
        terms: Terms<'a>,
        states: States<(Vec<NodeId>, Queues)>,
    },
}

struct States<T> {
    all: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + std::hash::Hash> States<T> {
    fn number(&mut self, state: T) -> u32 {
        let next = self.all.len() as u32;
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.all.push(state.clone());
            next
        })
    }
}

impl<'a> Runner<'a> {
    fn new(system: System<'a>, common: &mut Common, conditions: Conditions) -> Option<Self> {
        let runner = match system {
            System::Network(network) => {
                let processes = network.processes.iter().map(|process| process.name);
                let translation = common.add(&network.names, processes);
                let mut states = States { all: Vec::new(), numbers: FxHashMap::default() };
                states.number(Configuration::start(network));
                Runner::Network { network, translation, states }
            }
            System::Choreography(choreography) => {
                let translation = common.add(&choreography.names, choreography.processes.iter().copied());
                let mut states = States { all: Vec::new(), numbers: FxHashMap::default() };
                states.number((choreography.starts.clone(), Queues::default()));
                Runner::Choreography { terms: Terms::new(choreography, translation, conditions), states }
            }
        };
        (common.processes.len() <= Processes::BITS as usize).then_some(runner)
    }

    /// From whom and to whom there are queues, in the numbers of both systems; of so many processes.
    fn queues(&self, count: usize) -> Vec<(ProcessId, ProcessId)> {
        match self {
            Runner::Choreography { terms, .. } => terms.needed_queues(),
            Runner::Network { network, .. } if !network.has_queues() => Vec::new(),
            Runner::Network { network, translation, .. } => {
                // Processes that it does not have may have the channels of all others.
                let channels = network.channels().renumbered(|process| Some(translation.process(process)));
                let all = || (0..count as u32).map(ProcessId);
                let pairs = all().flat_map(|from| all().map(move |to| (from, to)));
                pairs.filter(|&(from, to)| from != to && channels.channel(from, to).is_queue()).collect()
            }
        }
    }

    fn set_queues(&mut self, queues: &[(ProcessId, ProcessId)]) {
        if let Runner::Choreography { terms, .. } = self {
            terms.set_queues(queues.iter().copied());
        }
    }

    fn start(&self) -> u32 {
        0
    }

    fn ahead(&mut self, state: u32, distance: usize) -> Ahead {
        match self {
            Runner::Network { network, translation, states } => {
                let here = states.all[state as usize].clone();
                let steps = here.steps(network).into_iter().map(|step| {
                    let mut after = here.clone();
                    after.take(network, step);
                    (translation.step(step), states.number(after))
                });
                Ahead { steps: steps.collect(), open: 0 }
            }
            Runner::Choreography { terms, states } => {
                let (parts, queues) = states.all[state as usize].clone();
                let mut all = Ahead::default();
                terms.refuel();
                for (number, &part) in parts.iter().enumerate() {
                    let ahead = terms.possible(part, distance, &queues);
                    all.open |= ahead.open;
                    for (step, after) in ahead.steps {
                        let mut parts = parts.clone();
                        parts[number] = NodeId(after);
                        let mut queues = queues.clone();
                        queues.apply(step);
                        all.steps.push((step, states.number((parts, queues))));
                    }
                }
                all
            }
        }
    }
}
