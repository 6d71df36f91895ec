//! The exact comparison of networks with choices and races: whole closed sets, in turn.
//!
//! Where a process can do one of several things with several others, taking one of them takes the others away, so one
//! action at a time does not do. But take a set of processes that is *closed in both* networks: whoever a member names
//! in its present state of either network is a member, unless he will never act again there. Then, in both networks,
//! the members can only act with each other until one of them has acted. So the first step of any run that concerns a
//! member is a step within the set that is possible now, and it could as well come first. Hence it is enough to compare
//! everything that is possible, and then to take everything that is possible *within the set*, in both networks; what
//! else is possible will still be there. If the set were closed in one network only, the other might have runs that
//! begin with none of these steps.
//!
//! What is put off must not be forgotten, so the processes take turns: the set is the smallest one that has the process
//! in it whose turn it is, and then the turn passes to the next who is not in the set. A decision concerns nobody else
//! and is a closed set of its own; it is taken first and the turn stays, unless the process could go on deciding
//! forever: then it is taken together with all the rest. Section 10 of `docs/algorithm.md` has the argument in full.
//!
//! The walk is breadth-first and ends at the first difference. It is made to be simple: what can happen, and who waits
//! for whom, is asked of `semantics` at each pair.

use super::difference::{Contrast, Difference, Side};
use super::networks::{Both, Findings, run_to};
use super::pairs::Pairs;
use crate::limits::{Limits, StopReason};
use crate::network::{Network, ProcessId, StateId};
use crate::semantics::{NO_QUEUES, Step, Waits, moves};

/// Compares one component of two networks.
pub(super) fn walk(both: &Both<'_>, limits: &Limits<'_>) -> Findings {
    let mut walk = Walk::new(both);
    let end = walk.run(limits);
    let (stopped, difference) = match end {
        End::Different(difference) => (None, Some(difference)),
        End::Stopped(reason) => (Some(reason), None),
        End::Same => (None, None),
    };
    let ends = match difference {
        Some(_) => None,
        None => walk.end.and_then(|node| walk.ending(node)),
    };
    Findings { pairs: walk.nodes.count(), stopped, difference, ends }
}

/// How a walk ends.
enum End {
    Same,
    Different(Difference),
    Stopped(StopReason),
}

/// The walk through one component. A node is a pair and whose turn it is.
struct Walk<'a> {
    both: &'a Both<'a>,
    /// The place of each process in the component.
    place: Vec<u32>,
    /// For each state, whether its process can go on deciding forever from there, with nobody else.
    restless: Vec<bool>,
    /// The nodes. The last number of a row is the place of the process whose turn it is.
    nodes: Pairs,
    /// For each node but the first, the node and the step that first led there.
    came_by: Vec<(u32, Step)>,
    /// The first node at which nothing is possible, and one of the networks is stuck where the other has stopped.
    end: Option<u32>,
}

/// How often the walk asks whether it should stop, in nodes.
const NODES_BETWEEN_QUESTIONS: u32 = 256;

impl<'a> Walk<'a> {
    fn new(both: &'a Both<'a>) -> Self {
        let mut row = both.start();
        row.push(StateId(0));
        let mut nodes = Pairs::new(row.len());
        nodes.insert(&row);
        let restless = restless(both.network);
        Walk { both, place: both.places(), restless, nodes, came_by: Vec::new(), end: None }
    }

    /// Walks until there is a difference, or nothing is left, or a limit is reached.
    fn run(&mut self, limits: &Limits<'_>) -> End {
        let most = limits.max_states.unwrap_or(usize::MAX).min(u32::MAX as usize - 2);
        let mut node = 0;
        while (node as usize) < self.nodes.count() {
            if node % NODES_BETWEEN_QUESTIONS == NODES_BETWEEN_QUESTIONS - 1
                && let Some(reason) = (limits.stop)()
            {
                return End::Stopped(reason);
            }
            if self.nodes.count() > most {
                return End::Stopped(limits.too_many());
            }
            if let Some(difference) = self.expand(node) {
                return End::Different(difference);
            }
            node += 1;
        }
        End::Same
    }

    /// Compares what is possible at a node, and takes what has to be taken.
    fn expand(&mut self, node: u32) -> Option<Difference> {
        let row = self.nodes.row(node).to_vec();
        let count = self.both.component.len();
        let sides = [&row[..count], &row[count..2 * count]];
        if sides[0] == sides[1] {
            return None;
        }
        let waits = sides.map(|states| self.waits(states));
        let possible = waits.each_ref().map(|waits| self.possible(waits));
        if possible[0] != possible[1] {
            return self.differing(node, &row, &possible);
        }
        if possible[0].is_empty() {
            if self.end.is_none() && self.both.stuck(sides[0], sides[1]).is_some() {
                self.end = Some(node);
            }
            return None;
        }
        let is_live = |place: usize| waits.iter().any(|waits| !waits.is_dead(self.both.component[place]));
        let from = row[2 * count].index();
        let turn = (0..count).map(|after| (from + after) % count).find(|&place| is_live(place))?;
        let set = closed(&waits, self.both.component[turn]);
        let decides = |process: ProcessId| self.both.network.state(self.at(sides[0], process)).decides();
        let is_restless =
            |process: ProcessId| sides.iter().any(|states| self.restless[self.at(states, process).index()]);
        let (steps, turn) = match set.iter().find(|&&process| decides(process) && !is_restless(process)) {
            Some(process) => (waits[0].steps(std::slice::from_ref(process)).collect(), turn),
            None => {
                let is_next =
                    |&place: &usize| is_live(place) && set.binary_search(&self.both.component[place]).is_err();
                let next = (1..count).map(|after| (turn + after) % count).find(is_next).unwrap_or(0);
                (waits[0].steps(&set).collect::<Vec<Step>>(), next)
            }
        };
        for step in steps {
            let mut target = self.after(&row, step)?;
            target[2 * count] = StateId(turn as u32);
            if self.nodes.insert(&target) as usize > self.came_by.len() {
                self.came_by.push((node, step));
            }
        }
        None
    }

    fn at(&self, states: &[StateId], process: ProcessId) -> StateId {
        states[self.place[process.index()] as usize]
    }

    fn waits(&self, states: &[StateId]) -> Waits {
        Waits::new(self.both.network, self.both.component, &NO_QUEUES, |process| self.at(states, process))
    }

    /// Everything that is possible, in order.
    fn possible(&self, waits: &Waits) -> Vec<Step> {
        let mut steps: Vec<Step> = waits.steps(self.both.component).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// The row after a step in both networks, if it is possible in both.
    fn after(&self, row: &[StateId], step: Step) -> Option<Vec<StateId>> {
        let count = self.both.component.len();
        let mut target = row.to_vec();
        for offset in [0, count] {
            let states = &row[offset..offset + count];
            for (process, state) in moves(self.both.network, step, &NO_QUEUES, |process| self.at(states, process))? {
                target[offset + self.place[process.index()] as usize] = state;
            }
        }
        Some(target)
    }

    /// The difference at a node where not the same is possible.
    fn differing(&self, node: u32, row: &[StateId], possible: &[Vec<Step>; 2]) -> Option<Difference> {
        let only = |one: &[Step], other: &[Step]| one.iter().copied().find(|step| other.binary_search(step).is_err());
        let (step, side, other) = match only(&possible[0], &possible[1]) {
            Some(step) => (step, Side::First, Side::Second),
            None => (only(&possible[1], &possible[0])?, Side::Second, Side::First),
        };
        let run = self.run_to(node);
        let (run, row) = self.needed(&run, step).unwrap_or_else(|| (run, row.to_vec()));
        let count = self.both.component.len();
        let sides = [&row[..count], &row[count..2 * count]];
        let there = match other {
            Side::First => sides[0],
            Side::Second => sides[1],
        };
        let place = |process: ProcessId| self.place[process.index()] as usize;
        let instead = step.actors().map(|process| self.both.instead(place(process), other, there)).collect();
        let reason = Contrast::Step { step, side, instead };
        Some(self.both.difference(run, reason, sides.map(|states| self.possible(&self.waits(states)))))
    }

    /// Of a run, the steps without which a step after it would not be as possible as it is, and the row that they lead
    /// to. The others, which were taken because it was somebody's turn, could as well come later: they concern neither
    /// the processes of that step nor those of a later one that is needed.
    fn needed(&self, run: &[Step], step: Step) -> Option<(Vec<Step>, Vec<StateId>)> {
        let mut concerned = vec![false; self.both.component.len()];
        let place = |process: ProcessId| self.place[process.index()] as usize;
        step.actors().for_each(|process| concerned[place(process)] = true);
        let mut needed = Vec::new();
        for &step in run.iter().rev() {
            if step.actors().any(|process| concerned[place(process)]) {
                step.actors().for_each(|process| concerned[place(process)] = true);
                needed.push(step);
            }
        }
        needed.reverse();
        let mut row = self.both.start();
        for &step in &needed {
            row = self.after(&row, step)?;
        }
        Some((needed, row))
    }

    /// How the networks end differently at a node.
    fn ending(&self, node: u32) -> Option<Difference> {
        let count = self.both.component.len();
        let (first, rest) = self.nodes.row(node).split_at(count);
        let (index, side) = self.both.stuck(first, &rest[..count])?;
        let states = match side {
            Side::First => first,
            Side::Second => &rest[..count],
        };
        let reason = Contrast::Ends { stuck: self.both.instead(index, side, states), side };
        Some(self.both.difference(self.run_to(node), reason, [Vec::new(), Vec::new()]))
    }

    fn run_to(&self, node: u32) -> Vec<Step> {
        run_to(&self.came_by, node)
    }
}

/// The smallest set that has a process in it and is closed in both networks, in order.
pub(super) fn closed(waits: &[Waits; 2], seed: ProcessId) -> Vec<ProcessId> {
    let mut set = vec![seed];
    loop {
        let mut more = set.clone();
        for waits in waits {
            more.extend(waits.closure(set.iter().copied()));
        }
        more.sort_unstable();
        more.dedup();
        if more.len() == set.len() {
            return set;
        }
        set = more;
    }
}

/// For each state, whether a process can go on deciding forever from there, with nobody else.
pub(super) fn restless(network: &Network) -> Vec<bool> {
    let decides = |state: StateId| network.state(state).decides();
    let mut restless = vec![false; network.states.len()];
    // For each state that decides, how many of its outcomes may go on deciding forever, and what leads to it.
    let mut outcomes = vec![0u32; network.states.len()];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); network.states.len()];
    for number in (0..network.states.len() as u32).filter(|&number| decides(StateId(number))) {
        restless[number as usize] = true;
        network.successors(StateId(number), |next| {
            if decides(next) {
                outcomes[number as usize] += 1;
                before[next.index()].push(number);
            }
        });
    }
    let settled = |number: &u32| restless[*number as usize] && outcomes[*number as usize] == 0;
    let mut work: Vec<u32> = (0..network.states.len() as u32).filter(settled).collect();
    while let Some(number) = work.pop() {
        restless[number as usize] = false;
        for &state in &before[number as usize] {
            outcomes[state as usize] -= 1;
            if outcomes[state as usize] == 0 {
                work.push(state);
            }
        }
    }
    restless
}
