//! A witness is believed only after it has been run, one step at a time, on the network as it was written.
//!
//! What is proved then: a *deadlock* has somebody who never acts again, whatever happens. In a *livelock* the cycle can
//! be repeated forever, whoever can act acts in it, and somebody who may not wait does not. An *orphan* without a cycle
//! is a message in a queue whose receiver never acts again, or never takes such a message in any state that it can
//! still reach; with a cycle, one that can be repeated forever, in which whoever can act acts, and nobody takes from
//! that queue. *Unbounded* is a cycle that can be repeated forever, in which whoever can act acts, and which queues of
//! no length can keep up with, however the processes are scheduled: see [`Repetition`].

use super::partial_configuration::PartialConfiguration;
use super::repetition::Repetition;
use super::{Event, Witness, WitnessKind};
use crate::graph::Disjoint;
use crate::network::{Channel, Content, Interaction, Network, ProcessId, State, StateId};
use crate::semantics::{self, Step, Waits};
use std::collections::BTreeSet;
use std::fmt::{Display, Formatter};

/// A part of a witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// What happens first.
    Run,
    /// What happens then forever.
    Cycle,
}

/// Why a witness does not show what it claims. It is a fault of the search and not of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplayError {
    /// The component has a process that is not in the network.
    UnknownProcess(ProcessId),
    /// A process of the component deals with one that is not in it.
    NotInComponent(ProcessId),
    /// A step is not possible at its place.
    Impossible {
        /// Where.
        part: Part,
        /// Which, counted from 0.
        index: usize,
        /// The step.
        step: Step,
    },
    /// A deadlock has no cycle.
    CycleOfDeadlock,
    /// Something can happen after the run.
    NotDeadlocked(Step),
    /// All but services have stopped.
    NobodyStuck,
    /// A livelock, or queues that grow forever, need a cycle.
    NoCycle,
    /// After the cycle a process is not where it was before.
    NotClosed(ProcessId),
    /// Something can happen throughout the cycle and never does.
    Unfair(Step),
    /// All but services act in the cycle or have stopped.
    NobodyStarved,
    /// What the cycle takes from a queue is not always there, or the queue has no room for what it puts there.
    NotRepeatable {
        /// Who sends to the queue.
        from: ProcessId,
        /// Who takes from it.
        to: ProcessId,
    },
    /// The message may be taken some time, or there isn't one.
    NotLeft,
    /// The queues need not grow, if some go round more often than others.
    NotUnbounded,
}

impl Display for ReplayError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match *self {
            ReplayError::UnknownProcess(process) => {
                write!(f, "the component has process number {}, which is not in the network", process.0)
            }
            ReplayError::NotInComponent(process) => {
                write!(f, "process number {} takes part, but is not in the component", process.0)
            }
            ReplayError::Impossible { part, index, .. } => {
                let part = if part == Part::Run { "run" } else { "cycle" };
                write!(f, "step {} of the {part} is not possible", index + 1)
            }
            ReplayError::CycleOfDeadlock => write!(f, "the witness of a deadlock has a cycle"),
            ReplayError::NotDeadlocked(_) => write!(f, "something can still happen after the run"),
            ReplayError::NobodyStuck => write!(f, "all but services have stopped after the run"),
            ReplayError::NoCycle => write!(f, "the witness has no cycle"),
            ReplayError::NotClosed(process) => {
                write!(f, "process number {} is not where it was before the cycle", process.0)
            }
            ReplayError::Unfair(_) => write!(f, "something can happen throughout the cycle and never does"),
            ReplayError::NotRepeatable { from, to } => {
                write!(
                    f,
                    "the cycle cannot be repeated: see the queue from process number {} to number {}",
                    from.0, to.0
                )
            }
            ReplayError::NotLeft => write!(f, "no message is left in the queue forever"),
            ReplayError::NotUnbounded => write!(f, "the queues need not grow"),
            ReplayError::NobodyStarved => write!(f, "all but services act in the cycle or have stopped"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// A witness that was found to be true.
pub(super) struct Replayed {
    pub(super) component: Vec<ProcessId>,
    pub(super) run: Vec<Event>,
    pub(super) cycle: Vec<Event>,
    /// Where all are after the run and, if there is one, the cycle.
    pub(super) end: PartialConfiguration,
    /// Who acts in the cycle; beside a deadlock, who may still act.
    active: BTreeSet<ProcessId>,
}

impl Replayed {
    pub(super) fn acts(&self, process: ProcessId) -> bool {
        self.active.contains(&process)
    }

    /// Run and cycle, one after the other.
    pub(super) fn steps(&self) -> impl Iterator<Item = Step> {
        self.run.iter().chain(&self.cycle).map(|event| event.step)
    }
}

pub(super) fn replay(network: &Network, witness: &Witness) -> Result<Replayed, ReplayError> {
    let mut component = witness.component.clone();
    component.sort_unstable();
    component.dedup();
    if let Some(&process) = component.iter().find(|process| process.index() >= network.processes.len()) {
        return Err(ReplayError::UnknownProcess(process));
    }
    let active = witness.cycle.iter().flat_map(|step| step.actors()).collect();
    let mut replay = Replay { network, component: &component, active, at: PartialConfiguration::default() };
    let mut run = Vec::with_capacity(witness.run.len());
    for (index, &step) in witness.run.iter().enumerate() {
        run.push(replay.take(Part::Run, index, step)?);
    }
    let cycle = match witness.kind {
        WitnessKind::Deadlock => {
            replay.check_deadlock(witness)?;
            Vec::new()
        }
        WitnessKind::Orphan { from, to } if witness.cycle.is_empty() => {
            replay.check_left(from, to)?;
            Vec::new()
        }
        WitnessKind::Livelock | WitnessKind::Orphan { .. } | WitnessKind::Unbounded => replay.go_round(witness)?,
    };
    let Replay { active, at: end, .. } = replay;
    Ok(Replayed { component, run, cycle, end, active })
}

struct Replay<'a> {
    network: &'a Network,
    /// In order.
    component: &'a [ProcessId],
    active: BTreeSet<ProcessId>,
    at: PartialConfiguration,
}

impl Replay<'_> {
    fn take(&mut self, part: Part, index: usize, step: Step) -> Result<Event, ReplayError> {
        let mut spans = [None; 2];
        for (span, process) in spans.iter_mut().zip(step.actors()) {
            let Some(state) = self.at.state_id(self.network, process) else {
                return Err(ReplayError::UnknownProcess(process));
            };
            if self.component.binary_search(&process).is_err() {
                return Err(ReplayError::NotInComponent(process));
            }
            *span = Some(self.network.origin(item(self.network, step, process, state)));
        }
        if !self.at.take(self.network, step) {
            return Err(ReplayError::Impossible { part, index, step });
        }
        let [span, partner_span] = spans;
        Ok(Event { step, span: span.unwrap_or_default(), partner_span })
    }

    /// Somebody will never act again; those who may are active, although there is no cycle.
    fn check_deadlock(&mut self, witness: &Witness) -> Result<(), ReplayError> {
        if !witness.cycle.is_empty() {
            return Err(ReplayError::CycleOfDeadlock);
        }
        let at = |process| self.at.at(self.network, process);
        let waits = Waits::new(self.network, self.component, self.at.queues(), at);
        if waits.deadlocked(self.network, at).is_empty() {
            let step = waits.steps(self.component).next();
            return Err(step.map_or(ReplayError::NobodyStuck, ReplayError::NotDeadlocked));
        }
        self.active = self.component.iter().copied().filter(|&process| !waits.is_dead(process)).collect();
        Ok(())
    }

    /// A message lies in a queue, and will forever: whoever should take it never acts again, or never takes it, however
    /// it goes on.
    fn check_left(&mut self, from: ProcessId, to: ProcessId) -> Result<(), ReplayError> {
        let at = |process| self.at.at(self.network, process);
        let waits = Waits::new(self.network, self.component, self.at.queues(), at);
        let left = |message| waits.is_dead(to) || !may_take(self.network, to, at(to), from, message);
        if !self.at.queues().oldest(from, to).is_some_and(left) {
            return Err(ReplayError::NotLeft);
        }
        self.active = self.component.iter().copied().filter(|&process| !waits.is_dead(process)).collect();
        Ok(())
    }

    /// Something if a process waits forever and may not: it does not act in the cycle.
    fn somebody_left(&self) -> Option<()> {
        let waits = |&&process: &&ProcessId| {
            !self.active.contains(&process) && !self.network.may_wait(process, self.at.at(self.network, process))
        };
        self.component.iter().find(waits).map(|_| ())
    }

    fn go_round(&mut self, witness: &Witness) -> Result<Vec<Event>, ReplayError> {
        if witness.cycle.is_empty() {
            return Err(ReplayError::NoCycle);
        }
        let before = self.at.clone();
        let repetition = Repetition::of(&witness.cycle);
        // Nobody who is left out could help those who would wait for each other if there were no more room.
        let must_be_fair = witness.kind != WitnessKind::Unbounded || !self.waits_for_room(&repetition);
        if must_be_fair {
            self.component.iter().try_for_each(|&process| self.check_fair(process))?;
        }
        let mut cycle = Vec::with_capacity(witness.cycle.len());
        for (index, &step) in witness.cycle.iter().enumerate() {
            cycle.push(self.take(Part::Cycle, index, step)?);
            // What has become possible involves one of those who moved, or can take or send what they could not before.
            for process in step.parties().filter(|_| must_be_fair) {
                self.check_fair(process)?;
                for partner in self.network.partners(self.at.state(self.network, process)) {
                    self.check_fair(partner)?;
                }
            }
        }
        if let Some(process) = self.moved(&before) {
            return Err(ReplayError::NotClosed(process));
        }
        if let Some((from, to)) = repetition.obstacle(self.network, before.queues()) {
            return Err(ReplayError::NotRepeatable { from, to });
        }
        match witness.kind {
            WitnessKind::Deadlock | WitnessKind::Livelock => self.somebody_left().ok_or(ReplayError::NobodyStarved)?,
            WitnessKind::Orphan { from, to } => {
                let lies_there = before.queues().len(from, to) > 0;
                (lies_there && repetition.leaves(from, to)).then_some(()).ok_or(ReplayError::NotLeft)?;
            }
            WitnessKind::Unbounded => repetition.must_grow().then_some(()).ok_or(ReplayError::NotUnbounded)?,
        }
        Ok(cycle)
    }

    /// Whether all who make a queue grow would never act again if these queues had room for no more than they hold now.
    fn waits_for_room(&self, repetition: &Repetition) -> bool {
        let queues = self.at.queues();
        let bound = |from, to| Channel::Queue { bound: u32::try_from(queues.len(from, to)).ok() };
        let mut channels = self.network.channels().clone();
        let full = repetition.growing().map(|(from, to, ..)| (from, to, bound(from, to)));
        channels.single = full.chain(channels.single.iter().copied()).collect();
        let mut network = self.network.clone();
        network.set_channels(channels);
        let waits = Waits::new(&network, self.component, queues, |process| self.at.at(&network, process));
        let mut growing = repetition.growing().peekable();
        growing.peek().is_some() && growing.all(|(from, ..)| waits.is_dead(from))
    }

    /// What is possible stays possible until those who take part do it: so it is done on the way round exactly if they
    /// act on the way round at all.
    fn check_fair(&self, process: ProcessId) -> Result<(), ReplayError> {
        match self.at.steps_of(self.network, process).next() {
            Some(step) if step.actors().any(|actor| !self.active.contains(&actor)) => Err(ReplayError::Unfair(step)),
            _ => Ok(()),
        }
    }

    /// A process whose behaviour is not what it was. A loop may be unrolled in the text, so that one way round leads
    /// to other states which behave the same; then the cycle can be repeated forever as well.
    fn moved(&self, before: &PartialConfiguration) -> Option<ProcessId> {
        let place = |configuration: &PartialConfiguration, process| configuration.state_id(self.network, process);
        self.component.iter().copied().find(|&process| match (place(before, process), place(&self.at, process)) {
            (Some(before), Some(after)) => !are_alike(self.network, process, before, after),
            _ => true,
        })
    }
}

/// Whether two states of a process behave the same: whether nothing that can be reached from both tells them apart.
fn are_alike(network: &Network, process: ProcessId, one: StateId, other: StateId) -> bool {
    if one == other {
        return true;
    }
    let Some(states) = network.processes.get(process.index()).map(|process| process.states) else { return false };
    let number = |state: StateId| state.0.wrapping_sub(states.start);
    let mut same = Disjoint::new(states.len());
    let mut work = vec![(one, other)];
    while let Some((one, other)) = work.pop() {
        // What follows belongs to the same process.
        if [one, other].iter().any(|&state| number(state) as usize >= states.len()) {
            return false;
        }
        if !same.union(number(one), number(other)) {
            continue;
        }
        if network.is_idle(one) != network.is_idle(other) {
            return false;
        }
        match (network.state(one), network.state(other)) {
            (State::Stop, State::Stop) => {}
            (State::Send { to, expression, next }, State::Send { to: whom, expression: what, next: then })
                if (to, expression) == (whom, what) =>
            {
                work.push((next, then));
            }
            (State::Receive { from, next }, State::Receive { from: whom, next: then }) if from == whom => {
                work.push((next, then));
            }
            (State::Select { to, label, next }, State::Select { to: whom, label: what, next: then })
                if (to, label) == (whom, what) =>
            {
                work.push((next, then));
            }
            (State::Offer { from, branches }, State::Offer { from: whom, branches: others })
                if from == whom && branches.len() == others.len() =>
            {
                for (branch, other) in branches.of(&network.branches).iter().zip(others.of(&network.branches)) {
                    if branch.label != other.label {
                        return false;
                    }
                    work.push((branch.next, other.next));
                }
            }
            (State::If { condition, then, otherwise }, State::If { condition: what, then: one, otherwise: other })
                if condition == what =>
            {
                work.extend([(then, one), (otherwise, other)]);
            }
            (
                State::SelectValue { to, label, expression, next },
                State::SelectValue { to: whom, label: what, expression: value, next: then },
            ) if (to, label, expression) == (whom, what, value) => work.push((next, then)),
            (State::Choose { arms }, State::Choose { arms: others })
            | (State::Any { items: arms }, State::Any { items: others })
                if arms.len() == others.len() =>
            {
                work.extend(network.arms(arms).iter().copied().zip(network.arms(others).iter().copied()));
            }
            _ => return false,
        }
    }
    true
}

/// Of several things that a process could do here, the one that puts a message into a queue or takes it from there.
fn item(network: &Network, step: Step, process: ProcessId, state: StateId) -> StateId {
    let (Step::Put(interaction) | Step::Take(interaction), State::Any { items }) = (step, network.state(state)) else {
        return state;
    };
    let does = |item: &&StateId| semantics::moved(network, interaction, process, **item).is_some();
    network.arms(items).iter().find(does).copied().unwrap_or(state)
}

/// Whether a process that is in this state can ever take this message from that sender.
pub(super) fn may_take(
    network: &Network,
    process: ProcessId,
    state: StateId,
    sender: ProcessId,
    message: Content,
) -> bool {
    let Some(states) = network.process(process).map(|process| process.states) else { return false };
    let mut reached = vec![false; states.len()];
    let mut work = vec![state];
    while let Some(state) = work.pop() {
        let place = reached.get_mut(state.0.wrapping_sub(states.start) as usize);
        if place.is_none_or(|reached| std::mem::replace(reached, true)) {
            continue;
        }
        let interaction = Interaction { from: sender, to: process, content: message };
        if semantics::moved(network, interaction, process, state).is_some() {
            return true;
        }
        network.successors(state, |next| work.push(next));
    }
    false
}

/// The partner of every process that waits has to be in the component.
pub(super) fn in_component(replayed: &Replayed, partner: ProcessId) -> Result<ProcessId, ReplayError> {
    match replayed.component.binary_search(&partner) {
        Ok(_) => Ok(partner),
        Err(_) => Err(ReplayError::NotInComponent(partner)),
    }
}
