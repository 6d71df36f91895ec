//! The exact comparison: two networks followed together under one schedule.
//!
//! Each process has one next action with at most one partner, so actions that are possible together concern different
//! processes, and one that is possible stays so until it is taken. Hence it is enough to take one action at a time,
//! in both networks, and to compare everything that is possible before; what else is possible will be there later.
//! What must not happen is that the walk loops forever without an action that was possible all the time. So the walk
//! is depth-first, it never takes an action that leads back to where it comes from if there is another, and if there
//! is none it takes them all. Section 10 of `docs/algorithm.md` has the argument in full.
//!
//! Local states that behave alike are one state to begin with, in both networks at once. Where both are in the same
//! states there is nothing left to compare.

use super::common::{Joined, join};
use super::difference::{Contrast, Difference, Instead, Side};
use super::pairs::{Edge, Pairs};
use super::verify::Conditions;
use crate::limits::{Limits, StopReason};
use crate::network::{self, Content, Interaction, Network, ProcessId, State, StateId};
use crate::semantics::Step;

/// How to compare.
#[derive(Clone, Copy, Default)]
pub struct EquivalenceOptions<'a> {
    /// Whether the same processes must be services.
    pub services: bool,
    /// How decisions are compared.
    pub conditions: Conditions,
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
    let Joined { network, starts, services, missing } = join(first, second);
    if options.services
        && let Some(number) = (0..network.processes.len()).find(|&process| services[0][process] != services[1][process])
    {
        let side = if services[0][number] { Side::First } else { Side::Second };
        let reason = Contrast::Service { process: ProcessId(number as u32), side };
        return Equivalence::Different(Box::new(difference(&network, Vec::new(), reason, [Vec::new(), Vec::new()])));
    }
    let small = network::minimise(&network);
    let starts = starts.map(|starts| starts.iter().map(|state| small.state_of[state.index()]).collect::<Vec<_>>());
    let patient: Vec<bool> = services[0].iter().zip(&services[1]).map(|(&one, &other)| one || other).collect();
    let mut pairs = 0;
    let mut stopped = None;
    let mut ends = None;
    for component in network::components(&small.network) {
        let mut walk = Walk::new(&small.network, &component, &starts, &missing, &patient);
        let halt = walk.run(&options.limits);
        pairs += walk.pairs.count();
        if let Some(different) = walk.shortest_difference() {
            return Equivalence::Different(Box::new(different));
        }
        ends = ends.or_else(|| walk.shortest_to_an_end().map(Box::new));
        stopped = stopped.or(halt);
    }
    match stopped {
        Some(reason) => Equivalence::Undecided { pairs, reason },
        None => Equivalence::Same { pairs, ends },
    }
}

fn difference(network: &Network, run: Vec<Step>, reason: Contrast, possible: [Vec<Step>; 2]) -> Difference {
    let processes = network.processes.iter().map(|process| process.name).collect();
    Difference { names: network.names.clone(), processes, run, reason, possible }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Status {
    New,
    OnPath,
    Finished,
}

/// The walk through one component.
struct Walk<'a> {
    network: &'a Network,
    component: &'a [ProcessId],
    /// Whether each process is missing in the first and in the second.
    missing: &'a [Vec<bool>; 2],
    /// Whether each process is a service, and may wait forever.
    patient: &'a [bool],
    /// The place of each process in the component.
    place: Vec<u32>,
    pairs: Pairs,
    /// For each pair, where the walk is with it.
    status: Vec<Status>,
    /// Pairs at which the networks differ.
    different: Vec<u32>,
    /// Pairs at which nothing is possible in either, and one of them is stuck where the other has stopped.
    ends: Vec<u32>,
    /// Pairs on the path, each with the number of targets below its own in `pending`.
    path: Vec<(u32, usize)>,
    pending: Vec<u32>,
    row: Vec<StateId>,
    /// For each process, what is possible on its initiative.
    possible: Vec<bool>,
}

/// How often the walk asks whether it should stop, in pairs.
const PAIRS_BETWEEN_QUESTIONS: usize = 1024;

impl<'a> Walk<'a> {
    fn new(
        network: &'a Network,
        component: &'a [ProcessId],
        starts: &[Vec<StateId>; 2],
        missing: &'a [Vec<bool>; 2],
        patient: &'a [bool],
    ) -> Self {
        let mut place = vec![0; network.processes.len()];
        for (index, process) in component.iter().enumerate() {
            place[process.index()] = index as u32;
        }
        let row: Vec<StateId> =
            starts.iter().flat_map(|starts| component.iter().map(|process| starts[process.index()])).collect();
        let mut walk = Walk {
            network,
            component,
            missing,
            patient,
            place,
            pairs: Pairs::new(row.len()),
            status: Vec::new(),
            different: Vec::new(),
            ends: Vec::new(),
            path: Vec::new(),
            pending: Vec::new(),
            row,
            possible: vec![false; component.len()],
        };
        walk.insert();
        walk
    }

    /// The pair with the current row, which may be new.
    fn insert(&mut self) -> u32 {
        let pair = self.pairs.insert(&self.row);
        self.status.resize(self.pairs.count(), Status::New);
        pair
    }

    /// Walks until nothing is left, or until a limit is reached.
    fn run(&mut self, limits: &Limits<'_>) -> Option<StopReason> {
        let most = limits.max_states.unwrap_or(usize::MAX).min(u32::MAX as usize - 2);
        let mut until_asked = PAIRS_BETWEEN_QUESTIONS;
        let mut next = Some(0);
        loop {
            if let Some(pair) = next {
                until_asked -= 1;
                if until_asked == 0 {
                    until_asked = PAIRS_BETWEEN_QUESTIONS;
                    if let Some(reason) = (limits.stop)() {
                        return Some(reason);
                    }
                }
                if self.pairs.count() > most {
                    return Some(limits.too_many());
                }
                self.expand(pair);
            }
            let &(pair, below) = self.path.last()?;
            next = None;
            while self.pending.len() > below {
                let Some(target) = self.pending.pop() else { break };
                if self.status[target as usize] == Status::New {
                    next = Some(target);
                    break;
                }
            }
            if next.is_none() {
                self.status[pair as usize] = Status::Finished;
                self.path.pop();
            }
        }
    }

    /// Chooses what is done at a pair.
    fn expand(&mut self, pair: u32) {
        self.status[pair as usize] = Status::OnPath;
        self.path.push((pair, self.pending.len()));
        self.row.copy_from_slice(self.pairs.row(pair));
        let count = self.component.len();
        let (first, second) = self.row.split_at(count);
        if first == second {
            return;
        }
        let mut any = false;
        for index in 0..count {
            let one = self.enabled(first, index);
            if one != self.enabled(second, index) {
                self.different.push(pair);
                return;
            }
            self.possible[index] = one.is_some();
            any |= one.is_some();
        }
        if !any {
            if self.stuck(first, second).is_some() {
                self.ends.push(pair);
            }
            return;
        }
        for decisions in [false, true] {
            for index in 0..count {
                let decides = matches!(self.network.state(self.row[index]), State::If { .. });
                if self.possible[index] && decides == decisions && !self.leads_back(index) {
                    self.take(pair, index);
                    return;
                }
            }
        }
        for index in 0..count {
            if self.possible[index] {
                self.take(pair, index);
            }
        }
    }

    /// What is possible on the initiative of a process, in one of the networks; for a decision, that it is true.
    fn enabled(&self, states: &[StateId], index: usize) -> Option<Step> {
        let process = self.component[index];
        match self.network.state(states[index]) {
            State::Send { to, expression, .. } => {
                let content = Content::Value(expression);
                let meets = matches!(self.network.state(states[self.place[to.index()] as usize]),
                    State::Receive { from, .. } if from == process);
                meets.then_some(Step::Interaction(Interaction { from: process, to, content }))
            }
            State::Select { to, label, .. } => {
                let content = Content::Label(label);
                let meets = matches!(self.network.state(states[self.place[to.index()] as usize]),
                    State::Offer { from, branches } if from == process && self.network.branch(branches, label).is_some());
                meets.then_some(Step::Interaction(Interaction { from: process, to, content }))
            }
            State::If { condition, .. } => Some(Step::Decision { process, condition, holds: true }),
            State::SelectValue { to, label, expression, .. } => {
                let content = Content::LabelledValue { label, value: expression };
                let meets = matches!(self.network.state(states[self.place[to.index()] as usize]),
                    State::Offer { from, branches } if from == process && self.network.branch(branches, label).is_some());
                meets.then_some(Step::Interaction(Interaction { from: process, to, content }))
            }
            State::Stop | State::Receive { .. } | State::Offer { .. } | State::Choose { .. } | State::Any { .. } => {
                None
            }
        }
    }

    /// Moves the row by what is possible on the initiative of a process, in both networks, and gives the places that
    /// changed, with what was there.
    fn go(&mut self, index: usize, holds: bool) -> [(usize, StateId); 4] {
        let count = self.component.len();
        let mut before = [(index, self.row[index]); 4];
        for side in 0..2 {
            let at = side * count + index;
            let state = self.network.state(self.row[at]);
            before[side * 2] = (at, self.row[at]);
            before[side * 2 + 1] = before[side * 2];
            self.row[at] = match state {
                State::If { then, otherwise, .. } => {
                    if holds {
                        then
                    } else {
                        otherwise
                    }
                }
                State::Send { to, next, .. } => {
                    let other = side * count + self.place[to.index()] as usize;
                    before[side * 2 + 1] = (other, self.row[other]);
                    if let State::Receive { next, .. } = self.network.state(self.row[other]) {
                        self.row[other] = next;
                    }
                    next
                }
                State::Select { to, label, next } | State::SelectValue { to, label, next, .. } => {
                    let other = side * count + self.place[to.index()] as usize;
                    before[side * 2 + 1] = (other, self.row[other]);
                    if let State::Offer { branches, .. } = self.network.state(self.row[other])
                        && let Some(next) = self.network.branch(branches, label)
                    {
                        self.row[other] = next;
                    }
                    next
                }
                State::Stop
                | State::Receive { .. }
                | State::Offer { .. }
                | State::Choose { .. }
                | State::Any { .. } => self.row[at],
            };
        }
        before
    }

    fn undo(&mut self, before: [(usize, StateId); 4]) {
        for (place, state) in before {
            self.row[place] = state;
        }
    }

    fn outcomes(&self, index: usize) -> &'static [bool] {
        match self.network.state(self.row[index]) {
            State::If { .. } => &[true, false],
            _ => &[true],
        }
    }

    /// Whether some outcome leads to a pair on the path.
    fn leads_back(&mut self, index: usize) -> bool {
        for &holds in self.outcomes(index) {
            let before = self.go(index, holds);
            let found = self.pairs.find(&self.row);
            self.undo(before);
            if found.is_some_and(|pair| self.status[pair as usize] == Status::OnPath) {
                return true;
            }
        }
        false
    }

    /// Takes what is possible on the initiative of a process, with all outcomes.
    fn take(&mut self, pair: u32, index: usize) {
        for &holds in self.outcomes(index) {
            let before = self.go(index, holds);
            let target = self.insert();
            self.undo(before);
            self.pairs.edges.push(Edge { from: pair, to: target, process: index as u32, holds });
            if self.status[target as usize] == Status::New {
                self.pending.push(target);
            }
        }
    }

    /// The step that an edge stands for.
    fn step(&self, edge: Edge) -> Option<Step> {
        let count = self.component.len();
        let states = &self.pairs.row(edge.from)[..count];
        match self.enabled(states, edge.process as usize) {
            Some(Step::Decision { process, condition, .. }) => {
                Some(Step::Decision { process, condition, holds: edge.holds })
            }
            step => step,
        }
    }

    /// A process that has stopped on one side only, and the side on which it has not.
    fn stuck(&self, first: &[StateId], second: &[StateId]) -> Option<(usize, Side)> {
        let stopped = |state: StateId| self.network.state(state) == State::Stop;
        (0..self.component.len()).filter(|&index| !self.patient[self.component[index].index()]).find_map(
            |index| match (stopped(first[index]), stopped(second[index])) {
                (false, true) => Some((index, Side::First)),
                (true, false) => Some((index, Side::Second)),
                _ => None,
            },
        )
    }

    /// The nearest pair at which the networks differ.
    fn shortest_difference(&self) -> Option<Difference> {
        let (run, [first, second]) = self.shortest(&self.different)?;
        let possible = [first, second]
            .map(|states| (0..self.component.len()).filter_map(|index| self.enabled(states, index)).collect());
        let (step, side) = (0..self.component.len()).find_map(|index| {
            match (self.enabled(first, index), self.enabled(second, index)) {
                (one, other) if one == other => None,
                (Some(step), _) => Some((step, Side::First)),
                (None, step) => step.map(|step| (step, Side::Second)),
            }
        })?;
        let (other, states) = match side {
            Side::First => (Side::Second, second),
            Side::Second => (Side::First, first),
        };
        let instead = step.actors().map(|process| self.instead(self.place[process.index()] as usize, other, states));
        let reason = Contrast::Step { step, side, instead: instead.collect() };
        Some(difference(self.network, run, reason, possible))
    }

    /// The nearest pair at which one network is stuck where the other has stopped.
    fn shortest_to_an_end(&self) -> Option<Difference> {
        let (run, [first, second]) = self.shortest(&self.ends)?;
        let (index, side) = self.stuck(first, second)?;
        let states = match side {
            Side::First => first,
            Side::Second => second,
        };
        let reason = Contrast::Ends { stuck: self.instead(index, side, states), side };
        Some(difference(self.network, run, reason, [Vec::new(), Vec::new()]))
    }

    /// What a process does at a pair.
    fn instead(&self, index: usize, side: Side, states: &[StateId]) -> Instead {
        let process = self.component[index];
        let state = self.network.state(states[index]);
        let labels = match state {
            State::Offer { branches, .. } => {
                branches.of(&self.network.branches).iter().map(|branch| branch.label).collect()
            }
            _ => Vec::new(),
        };
        let missing = match side {
            Side::First => &self.missing[0],
            Side::Second => &self.missing[1],
        };
        Instead { process, state, labels, missing: missing[process.index()] }
    }

    /// The shortest run to one of some pairs, and the states of both sides there.
    fn shortest(&self, goals: &[u32]) -> Option<(Vec<Step>, [&[StateId]; 2])> {
        let (goal, edges) = self.pairs.shortest(goals)?;
        let run = edges.into_iter().filter_map(|edge| self.step(edge)).collect();
        let (first, second) = self.pairs.row(goal).split_at(self.component.len());
        Some((run, [first, second]))
    }
}
