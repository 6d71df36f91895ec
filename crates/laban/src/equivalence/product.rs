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

use super::difference::{Contrast, Difference, Side};
use super::networks::{Both, Findings};
use super::pairs::{Edge, Pairs};
use crate::limits::{Limits, StopReason};
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
use crate::semantics::Step;

/// Compares one component of two networks. Nobody in it chooses, or does whichever comes first.
pub(super) fn walk(both: &Both<'_>, limits: &Limits<'_>) -> Findings {
    let mut walk = Walk::new(both);
    let stopped = walk.run(limits);
    let difference = walk.shortest_difference();
    let ends = match difference {
        Some(_) => None,
        None => walk.shortest_to_an_end(),
    };
    Findings { pairs: walk.pairs.count(), stopped, difference, ends }
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
    both: &'a Both<'a>,
    network: &'a Network,
    component: &'a [ProcessId],
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
    fn new(both: &'a Both<'a>) -> Self {
        let row = both.start();
        let mut walk = Walk {
            both,
            network: both.network,
            component: both.component,
            place: both.places(),
            pairs: Pairs::new(row.len()),
            status: Vec::new(),
            different: Vec::new(),
            ends: Vec::new(),
            path: Vec::new(),
            pending: Vec::new(),
            row,
            possible: vec![false; both.component.len()],
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
            if self.both.stuck(first, second).is_some() {
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
        let instead =
            step.actors().map(|process| self.both.instead(self.place[process.index()] as usize, other, states));
        let reason = Contrast::Step { step, side, instead: instead.collect() };
        Some(self.both.difference(run, reason, possible))
    }

    /// The nearest pair at which one network is stuck where the other has stopped.
    fn shortest_to_an_end(&self) -> Option<Difference> {
        let (run, [first, second]) = self.shortest(&self.ends)?;
        let (index, side) = self.both.stuck(first, second)?;
        let states = match side {
            Side::First => first,
            Side::Second => second,
        };
        let reason = Contrast::Ends { stuck: self.both.instead(index, side, states), side };
        Some(self.both.difference(run, reason, [Vec::new(), Vec::new()]))
    }

    /// The shortest run to one of some pairs, and the states of both sides there.
    fn shortest(&self, goals: &[u32]) -> Option<(Vec<Step>, [&[StateId]; 2])> {
        let (goal, edges) = self.pairs.shortest(goals)?;
        let run = edges.into_iter().filter_map(|edge| self.step(edge)).collect();
        let (first, second) = self.pairs.row(goal).split_at(self.component.len());
        Some((run, [first, second]))
    }
}
