//! What would have happened otherwise: had a decision gone the other way, had channels held messages.
//!
//! Hints are given only when they are known to help, and this is how it is known: by trying. Both trials have a limit;
//! one that is not over by then counts as no help.

use super::partial_configuration::PartialConfiguration;
use super::replay::Replayed;
use crate::network::{Content, Network, ProcessId, State, StateId};
use crate::semantics::Step;
use crate::syntax::Symbol;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How many steps of a trial are taken, beyond a few for each process.
const MOST_STEPS: usize = 10_000;
/// How many actions each process takes in a trial with channels that hold messages.
const MOST_ACTIONS: usize = 16;

/// A decision that was made on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Decision {
    /// The number of the step in run and cycle.
    pub(super) index: usize,
    pub(super) process: ProcessId,
    pub(super) condition: Symbol,
    pub(super) holds: bool,
}

/// For each process that has made some, the last decision that it made.
pub(super) fn last_decisions(replayed: &Replayed) -> BTreeMap<ProcessId, Decision> {
    let mut last = BTreeMap::new();
    for (index, step) in replayed.steps().enumerate() {
        if let Step::Decision { process, condition, holds } = step {
            last.insert(process, Decision { index, process, condition, holds });
        }
    }
    last
}

/// For each decision, where everyone was when it was made. The decisions are in the order in which they were made.
pub(super) fn places(network: &Network, replayed: &Replayed, decisions: &[Decision]) -> Vec<PartialConfiguration> {
    let mut at = PartialConfiguration::default();
    let mut places = Vec::new();
    let mut wanted = decisions.iter().peekable();
    for (index, step) in replayed.steps().enumerate() {
        while wanted.next_if(|decision| decision.index <= index).is_some() {
            places.push(at.clone());
        }
        if wanted.peek().is_none() {
            break;
        }
        at.take(network, step);
    }
    places
}

/// How a process fared after a decision.
pub(super) struct Aftermath {
    /// In how many steps it took part.
    pub(super) actions: usize,
    /// Whether it may have heard of the decision: by a label from one who had.
    pub(super) informed: bool,
}

/// What happened to a process after a decision.
pub(super) fn aftermath(replayed: &Replayed, decision: Decision, process: ProcessId) -> Aftermath {
    let mut informed = BTreeSet::from([decision.process]);
    let mut actions = 0;
    for step in replayed.steps().skip(decision.index + 1) {
        actions += usize::from(step.actors().any(|actor| actor == process));
        if let Step::Interaction(interaction) | Step::Take(interaction) = step
            && matches!(interaction.content, Content::Label(_))
            && informed.contains(&interaction.from)
        {
            informed.insert(interaction.to);
        }
    }
    Aftermath { actions, informed: informed.contains(&process) }
}

/// How far a process gets if a decision goes the other way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// No further than it did.
    None,
    /// It acts, and more often than it did or up to its end.
    Acts,
    /// It stops, and does nothing before.
    Stops,
}

/// How far a process gets if a decision goes the other way, given in how many steps it took part as things were. The
/// others decide as they did last; the decider does not decide a second time.
pub(super) fn progress(
    network: &Network,
    replayed: &Replayed,
    mut at: PartialConfiguration,
    decision: Decision,
    (process, actions): (ProcessId, usize),
    last: &BTreeMap<ProcessId, Decision>,
) -> Progress {
    let mut taken = 0;
    let enough = |step: Step| {
        taken += usize::from(step.actors().any(|actor| actor == process));
        taken > actions
    };
    match go_on(network, replayed, &mut at, decision, last, enough) {
        Ended::GaveUp => Progress::None,
        Ended::Enough => Progress::Acts,
        Ended::Over => match (at.has_stopped(network, process), taken) {
            (false, _) => Progress::None,
            (true, 0) => Progress::Stops,
            (true, _) => Progress::Acts,
        },
    }
}

/// Whether all is over some time if a decision goes the other way, and no message is left in a queue.
pub(super) fn all_taken(
    network: &Network,
    replayed: &Replayed,
    mut at: PartialConfiguration,
    decision: Decision,
    last: &BTreeMap<ProcessId, Decision>,
    (from, to): (ProcessId, ProcessId),
) -> bool {
    let mut put = at.queues().len(from, to);
    // Or else the queue has had something in it, and is empty again.
    let emptied = |step: Step| {
        match step {
            Step::Put(interaction) if (interaction.from, interaction.to) == (from, to) => put += 1,
            Step::Take(interaction) if (interaction.from, interaction.to) == (from, to) => {
                put = put.saturating_sub(1);
                return put == 0;
            }
            _ => {}
        }
        false
    };
    match go_on(network, replayed, &mut at, decision, last, emptied) {
        Ended::Enough => true,
        Ended::Over => at.queues().is_empty(),
        Ended::GaveUp => false,
    }
}

/// How a trial ended.
enum Ended {
    /// It has shown what it was to show.
    Enough,
    /// Nothing more happens.
    Over,
    /// It took too long.
    GaveUp,
}

/// Goes on after a decision that goes the other way, until there is enough. Others decide as they did last; whoever has
/// not decided, and who decided that, waits.
fn go_on(
    network: &Network,
    replayed: &Replayed,
    at: &mut PartialConfiguration,
    decision: Decision,
    last: &BTreeMap<ProcessId, Decision>,
    mut enough: impl FnMut(Step) -> bool,
) -> Ended {
    let Decision { process: decider, condition, holds, .. } = decision;
    if !at.take(network, Step::Decision { process: decider, condition, holds: !holds }) {
        return Ended::GaveUp;
    }
    let mut left = MOST_STEPS + 4 * replayed.component.len();
    let mut work: VecDeque<ProcessId> = replayed.component.iter().copied().collect();
    while let Some(one) = work.pop_front() {
        let partners = network.partners(at.state(network, one));
        let possible = std::iter::once(one).chain(partners).find_map(|who| {
            at.steps_of(network, who).find(|step| match *step {
                Step::Interaction(_) | Step::Put(_) | Step::Take(_) => true,
                Step::Choice { .. } => false,
                Step::Decision { process, condition, holds } => {
                    let before = last.get(&process);
                    process != decider && before.is_some_and(|one| (one.condition, one.holds) == (condition, holds))
                }
            })
        });
        let Some(step) = possible else { continue };
        if left == 0 || !at.take(network, step) {
            return Ended::GaveUp;
        }
        left -= 1;
        work.extend(step.parties());
        if enough(step) {
            return Ended::Enough;
        }
    }
    Ended::Over
}

/// Whether a process that has just decided may yet select a label at another, if it has decided so. What comes after
/// it has decided the same question again does not count.
pub(super) fn may_tell(
    network: &Network,
    at: &PartialConfiguration,
    decision: Decision,
    holds: bool,
    whom: ProcessId,
) -> bool {
    let Some(conditional) = at.state_id(network, decision.process) else { return false };
    let State::If { then, otherwise, .. } = network.state(conditional) else { return false };
    let mut work = vec![if holds { then } else { otherwise }];
    let mut seen = BTreeSet::from([conditional]);
    while let Some(state) = work.pop() {
        if !seen.insert(state) {
            continue;
        }
        let state_here = network.state(state);
        if matches!(state_here, State::Select { to, .. } | State::SelectValue { to, .. } if to == whom) {
            return true;
        }
        network.successors(state, |next| work.push(next));
    }
    false
}

/// Who could tell a process of a decision: somebody who is told by a label itself, before that process does anything,
/// and who deals with that process already. Of several, whom the process waits for, or who is told first; nobody if it
/// waits for the one who decides.
pub(super) fn teller(
    network: &Network,
    replayed: &Replayed,
    place: &PartialConfiguration,
    decision: Decision,
    process: ProcessId,
) -> Option<ProcessId> {
    let waits_for = replayed.end.state(network, process).partner();
    if waits_for == Some(decision.process) {
        return None;
    }
    let mut candidates: Vec<ProcessId> = Vec::new();
    for step in replayed.steps().skip(decision.index + 1) {
        if step.actors().any(|actor| actor == process) {
            break;
        }
        if let Step::Interaction(interaction) | Step::Take(interaction) = step
            && interaction.content.label().is_some()
            && ![decision.process].iter().chain(&candidates).any(|&known| known == interaction.to)
        {
            candidates.push(interaction.to);
        }
    }
    candidates.sort_by_key(|&candidate| Some(candidate) != waits_for);
    let knows = |&candidate: &ProcessId| {
        let [now, otherwise] = [decision.holds, !decision.holds]
            .map(|holds| first_label(network, replayed, place, Decision { holds, ..decision }, (candidate, process)));
        matches!((now, otherwise), (Some((state, label)), Some((other, another))) if state == other && label != another)
    };
    candidates.into_iter().filter(|&candidate| deal(network, candidate, process)).find(knows)
}

/// Whether two processes deal with each other anywhere.
fn deal(network: &Network, one: ProcessId, other: ProcessId) -> bool {
    let names = |one: ProcessId, other: ProcessId| {
        let states = network.process(one).map_or(&[] as &[State], |process| process.states.of(&network.states));
        states.iter().any(|state| state.partner() == Some(other))
    };
    names(one, other) || names(other, one)
}

/// The first label that a process is told after a decision, and in which state, while another one does nothing and
/// nobody decides anything else; nothing if that does not come, or if there are races on the way.
fn first_label(
    network: &Network,
    replayed: &Replayed,
    place: &PartialConfiguration,
    decision: Decision,
    (told, still): (ProcessId, ProcessId),
) -> Option<(StateId, Symbol)> {
    let Decision { process, condition, holds, .. } = decision;
    let mut at = place.clone();
    at.take(network, Step::Decision { process, condition, holds }).then_some(())?;
    let mut work: VecDeque<ProcessId> = replayed.component.iter().copied().collect();
    for _ in 0..MOST_STEPS + 4 * replayed.component.len() {
        let one = work.pop_front()?;
        let state = at.state(network, one);
        if matches!(state, State::Any { .. }) {
            return None;
        }
        let happens = |step: &Step| !step.is_decision() && step.actors().all(|actor| actor != still);
        let mut who = [Some(one), state.partner()].into_iter().flatten();
        let Some(step) = who.find_map(|who| at.steps_of(network, who).find(happens)) else { continue };
        if let Step::Interaction(interaction) | Step::Take(interaction) = step
            && interaction.to == told
            && let Some(label) = interaction.content.label()
        {
            return Some((at.state_id(network, told)?, label));
        }
        at.take(network, step).then_some(())?;
        work.extend(step.parties());
    }
    None
}

/// Whether everyone in a circle of waits gets past where it is if channels hold messages: who sends does not wait.
pub(super) fn asynchrony_helps(network: &Network, at: &PartialConfiguration, circle: &[ProcessId]) -> bool {
    let mut states: Vec<StateId> = circle.iter().filter_map(|&process| at.state_id(network, process)).collect();
    // Messages under way, each with whether it is the one that its sender was stuck with.
    let mut channels: BTreeMap<(ProcessId, ProcessId), VecDeque<(Content, bool)>> = BTreeMap::new();
    let mut taken = vec![0; circle.len()];
    let mut stuck = circle.len();
    let mut progress = true;
    while std::mem::take(&mut progress) {
        for (index, &process) in circle.iter().enumerate() {
            while taken[index] < MOST_ACTIONS {
                let first = taken[index] == 0;
                let mut send = |to: ProcessId, content: Content| {
                    channels.entry((process, to)).or_default().push_back((content, first));
                };
                let next = match network.state(states[index]) {
                    State::Stop | State::If { .. } | State::Choose { .. } | State::Any { .. } => None,
                    State::SelectValue { to, label, expression, next } => {
                        send(to, Content::LabelledValue { label, value: expression });
                        Some(next)
                    }
                    State::Send { to, expression, next } => {
                        send(to, Content::Value(expression));
                        Some(next)
                    }
                    State::Select { to, label, next } => {
                        send(to, Content::Label(label));
                        Some(next)
                    }
                    State::Receive { .. } | State::Offer { .. } => {
                        let found = receive(network, &mut channels, process, states[index]);
                        found.map(|(next, freed)| {
                            stuck -= usize::from(freed) + usize::from(first);
                            next
                        })
                    }
                };
                let Some(next) = next else { break };
                states[index] = next;
                taken[index] += 1;
                progress = true;
            }
        }
        if stuck == 0 {
            return true;
        }
    }
    false
}

/// Takes the next message for a process that receives or offers, if it is there and fits: where the process goes on,
/// and whether the sender was stuck with the message.
fn receive(
    network: &Network,
    channels: &mut BTreeMap<(ProcessId, ProcessId), VecDeque<(Content, bool)>>,
    process: ProcessId,
    state: StateId,
) -> Option<(StateId, bool)> {
    let state = network.state(state);
    let from = network.partners(state).next()?;
    let channel = channels.get_mut(&(from, process))?;
    let &(content, freed) = channel.front()?;
    let next = match (state, content) {
        (State::Receive { next, .. }, Content::Value(_)) => next,
        (State::Offer { branches, .. }, Content::Label(label) | Content::LabelledValue { label, .. }) => {
            network.branch(branches, label)?
        }
        _ => return None,
    };
    channel.pop_front();
    Some((next, freed))
}
