//! A run so far, and what can happen next.
//!
//! For each step the session remembers where its actors were before, which is enough to undo it; a message goes back to
//! where it came from. The set of possible actions is updated from the processes that moved, and from their partners:
//! an action needs one or two processes and the queue between them, so nothing else can have changed.

use super::enabled::Enabled;
use crate::extraction::explain::{Explanation, ReplayError, Witness, WitnessKind, explain};
use crate::index::spread;
use crate::network::{Interaction, Network, ProcessId, State, StateId, components};
use crate::semantics::{Action, Configuration, Step, steps_of};
use crate::syntax::Symbol;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A step that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// What happened.
    pub step: Step,
    /// Where its actors were before, in the order of [`Step::actors`]; for a decision, both are the same state.
    before: [StateId; 2],
    /// A fingerprint of where everyone was before.
    fingerprint: u64,
    /// The last step before this one with the same fingerprint.
    earlier: Option<usize>,
}

impl Taken {
    /// Who acted, and from where.
    pub fn moves(&self) -> impl Iterator<Item = (ProcessId, StateId)> {
        self.step.actors().zip(self.before)
    }
}

/// A process that has moved since some point of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// Who.
    pub process: ProcessId,
    /// Where it was then.
    pub before: StateId,
    /// Where it is now.
    pub after: StateId,
}

/// Whether a run can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Something can happen.
    Running,
    /// All processes have stopped, except those that may wait: services, and where they are idle.
    Stopped,
    /// Nothing can happen, and a process that may not wait forever has not stopped.
    Deadlock,
    /// All processes have stopped, except those that may wait, but a message lies in a queue.
    Orphan,
}

/// A part of the network that never interacts with the rest, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Part {
    /// How many actions are possible.
    enabled: usize,
    /// How many processes have not stopped, and may not wait forever where they are.
    running: usize,
}

/// A run of a network so far.
///
/// ```
/// use laban::simulate::{Session, Status};
///
/// let network = laban::analyse("p { main { q!<x>; q?; stop } } | q { main { p?; stop } }").into_network().unwrap();
/// let mut session = Session::new(&network);
/// let action = session.action(0).unwrap();
/// assert_eq!(action.describe(&network).to_string(), "p.x -> q");
/// assert!(session.take(action.step(0).unwrap()));
///
/// assert_eq!(session.status(), Status::Deadlock);
/// let why = session.deadlocks(1).unwrap();
/// assert_eq!(why[0].reason(&network), "`p` waits for a value from `q`, which has stopped");
///
/// session.undo();
/// assert_eq!(session.status(), Status::Running);
/// ```
#[derive(Debug, Clone)]
pub struct Session<'a> {
    network: Cow<'a, Network>,
    at: Configuration,
    /// How many actions each process can start.
    enabled: Enabled,
    /// The steps of the run, followed by those that were undone, the next one to redo first.
    taken: Vec<Taken>,
    done: usize,
    fingerprint: u64,
    /// For each fingerprint that a step of the run has, the last such step.
    latest: BTreeMap<u64, usize>,
    /// For each process, its part of the network.
    part_of: Vec<usize>,
    parts: Vec<Part>,
    /// The processes of each part.
    members: Vec<Vec<ProcessId>>,
}

impl<'a> Session<'a> {
    /// A network before anything has happened.
    pub fn new(network: &'a Network) -> Self {
        Self::start(Cow::Borrowed(network))
    }

    /// A network of its own, so that the session can be kept as long as needed.
    pub fn owning(network: Network) -> Session<'static> {
        Session::start(Cow::Owned(network))
    }

    fn start(network: Cow<'a, Network>) -> Self {
        let members = components(&network);
        let mut part_of = vec![0; network.processes.len()];
        for (part, processes) in members.iter().enumerate() {
            for process in processes {
                part_of[process.index()] = part;
            }
        }
        let at = Configuration::start(&network);
        let processes = network.processes.len();
        let mut session = Session {
            network,
            fingerprint: at.states.iter().fold(0, |sum: u64, &state| sum.wrapping_add(print_of(state))),
            at,
            enabled: Enabled::new(processes),
            taken: Vec::new(),
            done: 0,
            latest: BTreeMap::new(),
            part_of,
            parts: vec![Part::default(); members.len()],
            members,
        };
        for process in session.network.process_ids() {
            session.look_at(process);
            if session.counts(process, session.at(process)) {
                session.update_part(process, |part| part.running += 1);
            }
        }
        session
    }

    /// The network that runs.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Where everyone is.
    pub fn configuration(&self) -> &Configuration {
        &self.at
    }

    /// Where a process is.
    pub fn state_id(&self, process: ProcessId) -> Option<StateId> {
        self.at.states.get(process.index()).copied()
    }

    /// What a process does next.
    pub fn state(&self, process: ProcessId) -> State {
        self.at.state(&self.network, process)
    }

    /// How many steps were taken.
    pub fn len(&self) -> usize {
        self.done
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.done == 0
    }

    /// How many steps were undone and can be redone.
    pub fn undone(&self) -> usize {
        self.taken.len() - self.done
    }

    /// The steps that were taken, in order.
    pub fn taken(&self) -> &[Taken] {
        self.taken.get(..self.done).unwrap_or_default()
    }

    /// How many actions are possible.
    pub fn action_count(&self) -> usize {
        self.enabled.len()
    }

    /// One of the possible actions, counted from 0 in the order of the processes that start them. Of a race, each
    /// interaction that can come first is an action of its own.
    pub fn action(&self, index: usize) -> Option<Action> {
        let (process, within) = self.enabled.nth(index)?;
        self.actions_of(ProcessId(process as u32)).into_iter().nth(within)
    }

    /// All actions that are possible.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        self.enabled.iter().flat_map(|process| self.actions_of(ProcessId(process as u32)))
    }

    /// The actions that a process can start: several if it does whichever comes first.
    pub fn actions_of(&self, process: ProcessId) -> Vec<Action> {
        match self.state(process) {
            State::If { condition, .. } => vec![Action::Decision { process, condition }],
            State::Choose { arms } => vec![Action::Choice { process, arms: arms.len() as u32 }],
            _ => {
                let steps = steps_of(&self.network, process, &self.at.queues, |process| self.at(process));
                let interaction = |step| match step {
                    Step::Interaction(interaction) => Some(Action::Interaction(interaction)),
                    Step::Put(interaction) => Some(Action::Put(interaction)),
                    Step::Take(interaction) => Some(Action::Take(interaction)),
                    Step::Decision { .. } | Step::Choice { .. } => None,
                };
                steps.filter_map(interaction).collect()
            }
        }
    }

    /// Takes a step. Returns whether it was possible; if not, nothing has changed. Undone steps are
    /// forgotten.
    pub fn take(&mut self, step: Step) -> bool {
        let Some(taken) = self.step(step) else { return false };
        self.taken.truncate(self.done);
        self.taken.push(taken);
        self.done += 1;
        true
    }

    /// Undoes the last step and returns it; `None` if there isn't one.
    pub fn undo(&mut self) -> Option<Taken> {
        let index = self.done.checked_sub(1)?;
        let taken = *self.taken.get(index)?;
        self.done = index;
        match taken.earlier {
            Some(earlier) => self.latest.insert(taken.fingerprint, earlier),
            None => self.latest.remove(&taken.fingerprint),
        };
        let moves = taken.moves().filter_map(|(process, before)| Some((process, before, self.state_id(process)?)));
        let moves: Vec<(ProcessId, StateId, StateId)> = moves.collect();
        self.fingerprint = self.fingerprint.wrapping_sub(print_of_message(taken.step));
        self.at.queues.undo(taken.step);
        // All of them first: what can happen depends on both.
        for &(process, before, _) in &moves {
            if let Some(state) = self.at.states.get_mut(process.index()) {
                *state = before;
            }
        }
        moves.into_iter().for_each(|(process, _, after)| self.has_moved(process, after));
        Some(taken)
    }

    /// Redoes the step that was undone last and returns it; `None` if there isn't one.
    pub fn redo(&mut self) -> Option<Taken> {
        let taken = *self.taken.get(self.done)?;
        self.step(taken.step)?;
        self.done += 1;
        Some(taken)
    }

    /// Whether the run can go on.
    pub fn status(&self) -> Status {
        match self.enabled.len() {
            0 if self.is_stuck() => Status::Deadlock,
            0 if !self.at.queues.is_empty() => Status::Orphan,
            0 => Status::Stopped,
            _ => Status::Running,
        }
    }

    /// Whether there is a deadlock: a process that may not wait forever has not stopped, and will never act again.
    /// Others may go on.
    pub fn is_stuck(&self) -> bool {
        (0..self.parts.len()).any(|part| self.is_part_stuck(part))
    }

    /// Whether there is a deadlock in the part of the network to which a process belongs.
    pub fn is_stuck_around(&self, process: ProcessId) -> bool {
        self.part_of.get(process.index()).is_some_and(|&part| self.is_part_stuck(part))
    }

    /// In how many parts of the network, which never interact with each other, there is a deadlock.
    pub fn stuck_parts(&self) -> usize {
        (0..self.parts.len()).filter(|&part| self.is_part_stuck(part)).count()
    }

    /// The processes that will never act again, although they have not stopped and may not wait forever.
    pub fn deadlocked(&self) -> Vec<ProcessId> {
        let mut all: Vec<ProcessId> = (0..self.parts.len()).flat_map(|part| self.deadlocked_in(part)).collect();
        all.sort_unstable();
        all
    }

    fn is_part_stuck(&self, part: usize) -> bool {
        match self.parts.get(part) {
            None | Some(Part { running: 0, .. }) => false,
            Some(Part { enabled: 0, .. }) => true,
            Some(_) => !self.deadlocked_in(part).is_empty(),
        }
    }

    fn deadlocked_in(&self, part: usize) -> Vec<ProcessId> {
        let waits = self.at.waits(&self.network, &self.members[part]);
        waits.deadlocked(&self.network, |process| self.at(process))
    }

    /// Who waits for whom in each deadlock: one explanation for each part of the network that has one, at most `most`
    /// of them.
    ///
    /// An error would be a bug in this program: every explanation is replayed.
    pub fn deadlocks(&self, most: usize) -> Result<Vec<Explanation>, ReplayError> {
        let stuck: Vec<usize> = (0..self.parts.len()).filter(|&part| self.is_part_stuck(part)).take(most).collect();
        let place = |process: ProcessId| stuck.binary_search(self.part_of.get(process.index())?).ok();
        let witness = Witness { kind: WitnessKind::Deadlock, component: vec![], run: vec![], cycle: vec![] };
        let mut witnesses = vec![witness; stuck.len()];
        for process in self.network.process_ids() {
            if let Some(place) = place(process) {
                witnesses[place].component.push(process);
            }
        }
        for taken in self.taken() {
            if let Some(place) = taken.step.actors().next().and_then(place) {
                witnesses[place].run.push(taken.step);
            }
        }
        witnesses.iter().map(|witness| explain(&self.network, witness)).collect()
    }

    /// After how many steps everyone was last where they are now, if they were.
    pub fn been_here(&self) -> Option<usize> {
        let latest = self.latest.get(&self.fingerprint).copied();
        let mut candidates = std::iter::successors(latest, |&index| self.taken.get(index)?.earlier);
        candidates.find(|&index| {
            self.moved_since(index).iter().all(|moved| moved.before == moved.after) && self.has_same_queues(index)
        })
    }

    /// Whether the same messages lie in the queues as when the run had so many steps.
    fn has_same_queues(&self, steps: usize) -> bool {
        let since = self.taken().get(steps..).unwrap_or_default();
        if since.iter().all(|taken| print_of_message(taken.step) == 0) {
            return true;
        }
        let mut queues = self.at.queues.clone();
        since.iter().rev().for_each(|taken| queues.undo(taken.step));
        queues == self.at.queues
    }

    /// Who has acted since the run had so many steps, in the order of the text.
    pub fn moved_since(&self, steps: usize) -> Vec<Moved> {
        let mut first: BTreeMap<ProcessId, StateId> = BTreeMap::new();
        for taken in self.taken().get(steps..).unwrap_or_default() {
            for (process, before) in taken.moves() {
                first.entry(process).or_insert(before);
            }
        }
        let moved = |(process, before)| Some(Moved { process, before, after: self.state_id(process)? });
        first.into_iter().filter_map(moved).collect()
    }

    /// Moves the actors of a step, if it is possible. The steps that were taken are left as they are.
    fn step(&mut self, step: Step) -> Option<Taken> {
        let fingerprint = self.fingerprint;
        let mut actors = step.actors();
        let first = self.state_id(actors.next()?)?;
        let second = actors.next().map_or(Some(first), |process| self.state_id(process))?;
        if !self.at.take(&self.network, step) {
            return None;
        }
        self.fingerprint = fingerprint.wrapping_add(print_of_message(step));
        let earlier = self.latest.insert(fingerprint, self.done);
        let taken = Taken { step, before: [first, second], fingerprint, earlier };
        taken.moves().for_each(|(process, before)| self.has_moved(process, before));
        Some(taken)
    }

    /// Brings everything up to date with the place of a process, which was at `before` until now.
    fn has_moved(&mut self, process: ProcessId, before: StateId) {
        let Some(after) = self.state_id(process) else { return };
        self.fingerprint = self.fingerprint.wrapping_sub(print_of(before)).wrapping_add(print_of(after));
        let (old, new) = (self.network.state(before), self.network.state(after));
        match (self.counts(process, before), self.counts(process, after)) {
            (true, false) => self.update_part(process, |part| part.running -= 1),
            (false, true) => self.update_part(process, |part| part.running += 1),
            _ => {}
        }
        self.look_at(process);
        let partners: Vec<ProcessId> = self.network.partners(old).chain(self.network.partners(new)).collect();
        partners.into_iter().for_each(|partner| self.look_at(partner));
    }

    /// In which state a process is.
    fn at(&self, process: ProcessId) -> StateId {
        self.state_id(process).unwrap_or(StateId(u32::MAX))
    }

    /// Records how many actions a process can start.
    fn look_at(&mut self, process: ProcessId) {
        let possible = self.actions_of(process).len();
        let before = self.enabled.set(process.index(), possible as u32) as usize;
        if before != possible {
            self.update_part(process, |part| part.enabled = part.enabled + possible - before);
        }
    }

    fn update_part(&mut self, process: ProcessId, update: impl FnOnce(&mut Part)) {
        if let Some(part) = self.part_of.get(process.index()).and_then(|&part| self.parts.get_mut(part)) {
            update(part);
        }
    }

    /// Whether a process in this state keeps its part of the network running.
    fn counts(&self, process: ProcessId, state: StateId) -> bool {
        !self.network.may_wait(process, state)
    }
}

/// A number that stands for a state; no two processes share a state, so the sum over all processes stands for where
/// everyone is. It is looked at again where it says that two are the same.
fn print_of(state: StateId) -> u64 {
    spread((u64::from(state.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// By how much a step changes the number that stands for where everyone is, for what lies in the queues: each message
/// counts, the order does not.
fn print_of_message(step: Step) -> u64 {
    let print = |Interaction { from, to, content }: Interaction| {
        let part = |symbol: Option<Symbol>| symbol.map_or(0, |symbol| u64::from(symbol.0) + 1);
        let pair = u64::from(from.0) << 32 | u64::from(to.0);
        spread(spread(spread(pair) ^ part(content.label())) ^ part(content.value())) | 1
    };
    match step {
        Step::Put(interaction) => print(interaction),
        Step::Take(interaction) => print(interaction).wrapping_neg(),
        Step::Interaction(_) | Step::Decision { .. } | Step::Choice { .. } => 0,
    }
}
