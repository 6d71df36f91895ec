//! The comparison of networks with queues: whole closed sets in turn, with what lies in the queues.
//!
//! That a message is sent and that it is received are two steps, by one process each, and both are compared. As in
//! `closed`, it is enough to compare everything that is possible and then to take everything that is possible *within
//! a set that is closed in both*; with queues, who waits for whom also depends on what lies in them, and each side
//! has its own. That is right because what lies in the queues is the same on both sides, as far as it is compared:
//! who sends helps nobody on one side only. Where a queue is bounded in only one of them, or not in the same way, who
//! takes from it does help who puts: there, both are in the set or neither. The processes take turns, so nothing is
//! put off forever.
//!
//! A sender could fill its queue without end while it is somebody else's turn to take. So a process whose queue is
//! not empty lets the receiver go first, a number of times; then it sends all the same. Queues may still grow: then
//! the walk gives up where one would be longer than `LONGEST_QUEUE`. What differs before is a difference; otherwise
//! there is no answer.
//!
//! If only messages count, sending is silent. A process that sends one thing at a time sends whatever it can before
//! anything is compared: that takes nothing away from anybody. One that sends forever does so as long as somebody has
//! nothing to receive from it. What lies in the queues need not be the same then, so everything that is possible is
//! taken, in every order. What a process with several sends to choose from will do cannot be known silently, and
//! there is no answer.

use super::closed::{closed, restless};
use super::conditions::compared;
use super::difference::{Contrast, Difference, Side};
use super::networks::{Both, Findings, run_to};
use super::pairs::Pairs;
use super::verify::Conditions;
use crate::limits::{Limits, StopReason};
use crate::network::{Interaction, Network, ProcessId, State, StateId};
use crate::semantics::{Queues, Step, Waits, moves};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most messages that wait in a queue of a network that is compared.
const LONGEST_QUEUE: usize = 256;

/// How often a process lets a receiver go first.
const MOST_DELAYS: u32 = 64;

/// How to compare.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// Whether only what is received counts.
    pub(super) messages: bool,
    pub(super) conditions: Conditions,
}

/// Compares one component of two networks, which are given with the channels of each.
pub(super) fn walk(both: &Both<'_>, networks: &[Network; 2], manner: Manner, limits: &Limits<'_>) -> Findings {
    let mut walk = Walk::new(both, networks, manner);
    if manner.messages && networks.iter().any(|network| walk.chooses_what_to_send(network)) {
        return Findings { pairs: 0, stopped: Some(StopReason::SilentChoice), difference: None, ends: None };
    }
    let difference = walk.run(limits);
    let ends = match difference {
        Some(_) => None,
        None => walk.end.and_then(|node| walk.ending(node)),
    };
    Findings { pairs: walk.nodes.count(), stopped: walk.stopped, difference, ends }
}

/// Where one of the networks is: the states of the component, and the number of what lies in the queues.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Position {
    states: Vec<StateId>,
    queues: u32,
}

/// The walk through one component. A node is a pair, whose turn it is, and how often it has let others go first.
struct Walk<'a> {
    both: &'a Both<'a>,
    networks: &'a [Network; 2],
    manner: Manner,
    /// The place of each process in the component.
    place: Vec<u32>,
    /// For each state, whether its process can go on deciding forever from there, with nobody else.
    restless: Vec<bool>,
    queues: Vec<Queues>,
    numbers: FxHashMap<Queues, u32>,
    /// The nodes: the states of both, what lies in the queues of both, the turn and the delays.
    nodes: Pairs,
    /// For each node but the first, the node and the step that first led there.
    came_by: Vec<(u32, Step)>,
    /// The first node at which nothing is possible, and one of the networks is stuck where the other has stopped.
    end: Option<u32>,
    /// Why there may be more.
    stopped: Option<StopReason>,
}

/// How often the walk asks whether it should stop, in nodes.
const NODES_BETWEEN_QUESTIONS: u32 = 256;

impl<'a> Walk<'a> {
    fn new(both: &'a Both<'a>, networks: &'a [Network; 2], manner: Manner) -> Self {
        let mut walk = Walk {
            both,
            networks,
            manner,
            place: both.places(),
            restless: restless(both.network),
            queues: vec![Queues::default()],
            numbers: FxHashMap::from_iter([(Queues::default(), 0)]),
            nodes: Pairs::new(both.component.len() * 2 + 4),
            came_by: Vec::new(),
            end: None,
            stopped: None,
        };
        let positions = walk.start();
        let row = walk.row(&positions, 0, 0);
        walk.nodes.insert(&row);
        walk
    }

    fn start(&mut self) -> [Position; 2] {
        let states = self.both.start();
        let (first, second) = states.split_at(self.both.component.len());
        let mut positions = [first, second].map(|states| Position { states: states.to_vec(), queues: 0 });
        for (side, position) in positions.iter_mut().enumerate() {
            self.settle(side, position);
        }
        positions
    }

    fn row(&self, positions: &[Position; 2], turn: usize, delays: u32) -> Vec<StateId> {
        let mut row: Vec<StateId> = positions.iter().flat_map(|position| position.states.iter().copied()).collect();
        row.extend(positions.iter().map(|position| StateId(position.queues)));
        row.extend([StateId(turn as u32), StateId(delays)]);
        row
    }

    fn positions(&self, node: u32) -> ([Position; 2], usize, u32) {
        let (row, count) = (self.nodes.row(node), self.both.component.len());
        let position = |side: usize| Position {
            states: row[side * count..(side + 1) * count].to_vec(),
            queues: row[2 * count + side].0,
        };
        ([position(0), position(1)], row[2 * count + 2].index(), row[2 * count + 3].0)
    }

    /// Whether a process of the component has several things to choose from, and puts one of them into a queue.
    fn chooses_what_to_send(&self, network: &Network) -> bool {
        self.both.component.iter().any(|&process| {
            let states = network.process(process).map_or(0..0, |process| process.states.start..process.states.end);
            let races = states.filter(|&state| matches!(network.state(StateId(state)), State::Any { .. }));
            let mut items = races.flat_map(|state| network.items(StateId(state)));
            items.any(|item| sends(network, process, item).is_some())
        })
    }

    /// Walks until there is a difference, or nothing is left, or a limit is reached.
    fn run(&mut self, limits: &Limits<'_>) -> Option<Difference> {
        let most = limits.max_states.unwrap_or(usize::MAX).min(u32::MAX as usize - 2);
        let mut node = 0;
        while (node as usize) < self.nodes.count() {
            if node % NODES_BETWEEN_QUESTIONS == NODES_BETWEEN_QUESTIONS - 1
                && let Some(reason) = (limits.stop)()
            {
                self.stopped = Some(reason);
                return None;
            }
            if self.nodes.count() > most {
                self.stopped = Some(limits.too_many());
                return None;
            }
            if let Some(difference) = self.expand(node) {
                return Some(difference);
            }
            node += 1;
        }
        None
    }

    /// Compares what is possible at a node, and takes what has to be taken.
    fn expand(&mut self, node: u32) -> Option<Difference> {
        let (positions, turn, delays) = self.positions(node);
        if positions[0] == positions[1] && self.networks[0].channels() == self.networks[1].channels() {
            return None;
        }
        let waits = [0, 1].map(|side| self.waits(side, &positions[side]));
        let possible = waits.each_ref().map(|waits| self.steps(waits, self.both.component));
        if possible[0] != possible[1] {
            return self.differing(node, &positions, &possible);
        }
        if possible[0].is_empty() {
            if self.end.is_none() && self.both.stuck(&positions[0].states, &positions[1].states).is_some() {
                self.end = Some(node);
            }
            return None;
        }
        let count = self.both.component.len();
        // Whose turn it is: the next with something to do that counts.
        let after = (0..count).map(|after| (turn + after) % count);
        let (turn, set) = after
            .filter(|&place| waits.iter().any(|waits| !waits.is_dead(self.both.component[place])))
            .map(|place| (place, self.closed(&waits, self.both.component[place])))
            .find(|(_, set)| !self.steps(&waits[0], set).is_empty())?;
        let (set, delays) = match self.receiver_first(&waits, &positions, self.both.component[turn], delays) {
            Some(first) => (first, delays + 1),
            None => (set, 0),
        };
        let own = |side: usize, process: ProcessId| positions[side].states[self.place[process.index()] as usize];
        let decides = |process: ProcessId| self.both.network.state(own(0, process)).decides();
        let is_restless = |process: ProcessId| [0, 1].iter().any(|&side| self.restless[own(side, process).index()]);
        let first = set.iter().find(|&&process| decides(process) && !is_restless(process));
        let (steps, turn) = match first {
            Some(process) if !self.manner.messages => (self.steps(&waits[0], std::slice::from_ref(process)), turn),
            _ if self.manner.messages => (possible[0].clone(), 0),
            _ if delays > 0 => (self.steps(&waits[0], &set), turn),
            _ => {
                let next = (1..count).map(|after| (turn + after) % count);
                let next = next.into_iter().find(|&place| set.binary_search(&self.both.component[place]).is_err());
                (self.steps(&waits[0], &set), next.unwrap_or(0))
            }
        };
        for step in steps {
            let Some(target) = self.after(&positions, step) else { continue };
            let row = self.row(&target, turn, delays);
            if self.nodes.insert(&row) as usize > self.came_by.len() {
                let shown = self.own(0, &positions[0], step);
                self.came_by.push((node, if step.is_decision() { shown } else { step }));
            }
        }
        None
    }

    /// The smallest set that has a process in it and is closed in both networks, in order.
    fn closed(&self, waits: &[Waits; 2], seed: ProcessId) -> Vec<ProcessId> {
        let mut set = closed(waits, seed);
        let [one, other] = self.networks;
        if one.channels() == other.channels() {
            return set;
        }
        let differ = |from: ProcessId, to: ProcessId| one.channel(from, to) != other.channel(from, to);
        while let Some(&more) = self.both.component.iter().find(|&&process| {
            set.binary_search(&process).is_err()
                && set.iter().any(|&member| differ(member, process) || differ(process, member))
        }) {
            set.push(more);
            set.extend(closed(waits, more));
            set.sort_unstable();
            set.dedup();
        }
        set
    }

    /// If all that a process does is to put something into a queue that is not empty: the closed set of the receiver,
    /// or of whom that one sends to in the same way.
    fn receiver_first(
        &self,
        waits: &[Waits; 2],
        positions: &[Position; 2],
        process: ProcessId,
        delays: u32,
    ) -> Option<Vec<ProcessId>> {
        if delays >= MOST_DELAYS {
            return None;
        }
        let mut chain = vec![process];
        loop {
            let sender = *chain.last()?;
            let set = self.closed(waits, sender);
            let held_up = self.steps(&waits[0], &set).into_iter().map(|step| match step {
                Step::Put(put) => (0..2)
                    .any(|side| self.queues[positions[side].queues as usize].len(put.from, put.to) > 0)
                    .then_some(put.to),
                _ => None,
            });
            match held_up.collect::<Option<Vec<ProcessId>>>().and_then(|receivers| receivers.first().copied()) {
                Some(receiver) if chain.contains(&receiver) || waits.iter().any(|waits| waits.is_dead(receiver)) => {
                    return None;
                }
                Some(receiver) => chain.push(receiver),
                None => return (chain.len() > 1).then_some(set),
            }
        }
    }

    fn waits(&self, side: usize, position: &Position) -> Waits {
        let at = |process: ProcessId| position.states[self.place[process.index()] as usize];
        Waits::new(&self.networks[side], self.both.component, &self.queues[position.queues as usize], at)
    }

    /// What can happen at the initiative of some processes, as it is compared, in order.
    fn steps(&self, waits: &Waits, among: &[ProcessId]) -> Vec<Step> {
        let Manner { messages, conditions } = self.manner;
        let seen = waits.steps(among).filter_map(|step| match step {
            Step::Put(_) if messages => None,
            Step::Take(interaction) if messages => Some(Step::Interaction(interaction)),
            _ => Some(compared(step, conditions)),
        });
        let mut seen: Vec<Step> = seen.collect();
        seen.sort_unstable();
        seen.dedup();
        seen
    }

    /// The step of one network that stands for a step as it is compared.
    fn own(&self, side: usize, position: &Position, step: Step) -> Step {
        match step {
            Step::Interaction(interaction)
                if self.manner.messages && self.networks[side].channel(interaction.from, interaction.to).is_queue() =>
            {
                Step::Take(interaction)
            }
            Step::Decision { process, holds, .. } => {
                match self.both.network.state(position.states[self.place[process.index()] as usize]) {
                    State::If { condition, .. } => Step::Decision { process, condition, holds },
                    _ => step,
                }
            }
            _ => step,
        }
    }

    /// Where both networks are after a step, if it is possible in both and no queue gets too long.
    fn after(&mut self, positions: &[Position; 2], step: Step) -> Option<[Position; 2]> {
        let mut after = positions.clone();
        for (side, position) in after.iter_mut().enumerate() {
            let own = self.own(side, position, step);
            if !self.take(side, position, own) {
                return None;
            }
            self.settle(side, position);
        }
        Some(after)
    }

    fn take(&mut self, side: usize, position: &mut Position, step: Step) -> bool {
        let at = |process: ProcessId| position.states[self.place[process.index()] as usize];
        let queues = &self.queues[position.queues as usize];
        if let Step::Put(put) = step
            && queues.len(put.from, put.to) >= LONGEST_QUEUE
        {
            self.stopped = Some(StopReason::Queues(LONGEST_QUEUE as u32));
            return false;
        }
        let Some(moves) = moves(&self.networks[side], step, queues, at) else { return false };
        for (process, state) in moves {
            position.states[self.place[process.index()] as usize] = state;
        }
        if matches!(step, Step::Put(_) | Step::Take(_)) {
            let mut queues = queues.clone();
            queues.apply(step);
            position.queues = self.number(queues);
        }
        true
    }

    fn number(&mut self, queues: Queues) -> u32 {
        let next = self.queues.len() as u32;
        *self.numbers.entry(queues).or_insert_with_key(|queues| {
            self.queues.push(queues.clone());
            next
        })
    }

    /// If only messages count: lets all processes send what they can.
    fn settle(&mut self, side: usize, position: &mut Position) {
        if !self.manner.messages {
            return;
        }
        let networks = self.networks;
        let network = &networks[side];
        for (place, &process) in self.both.component.iter().enumerate() {
            let receivers = receivers(network, process, position.states[place]);
            while let Some(put) = sends(network, process, network.state(position.states[place])) {
                let queues = &self.queues[position.queues as usize];
                let has_all = |receivers: &Vec<ProcessId>| receivers.iter().all(|&to| queues.len(process, to) > 0);
                if receivers.as_ref().is_some_and(has_all) || !self.take(side, position, Step::Put(put)) {
                    break;
                }
            }
        }
    }

    /// The difference at a node where not the same is possible.
    fn differing(&mut self, node: u32, positions: &[Position; 2], possible: &[Vec<Step>; 2]) -> Option<Difference> {
        let only = |one: &[Step], other: &[Step]| one.iter().copied().find(|step| other.binary_search(step).is_err());
        let (step, side) = match only(&possible[0], &possible[1]) {
            Some(step) => (step, Side::First),
            None => (only(&possible[1], &possible[0])?, Side::Second),
        };
        let run = self.run_to(node);
        let (run, positions) = self.needed(&run, step).unwrap_or_else(|| (run, positions.clone()));
        let (here, there, other) = match side {
            Side::First => (0, 1, Side::Second),
            Side::Second => (1, 0, Side::First),
        };
        let place = |process: ProcessId| self.place[process.index()] as usize;
        let instead = step.actors().map(|process| self.both.instead(place(process), other, &positions[there].states));
        let shown = |side: usize, step: Step| match step.is_decision() {
            true => self.own(side, &positions[side], step),
            false => step,
        };
        let reason = Contrast::Step { step: shown(here, step), side, instead: instead.collect() };
        let possible = [0, 1].map(|side| {
            let steps = self.steps(&self.waits(side, &positions[side]), self.both.component);
            steps.into_iter().map(|step| shown(side, step)).collect()
        });
        Some(self.both.difference(run, reason, possible))
    }

    /// Of a run, the steps without which a step after it would not be as possible as it is, and where they lead. The
    /// others could as well come later: they concern nobody of that step nor of a later one that is needed.
    fn needed(&mut self, run: &[Step], step: Step) -> Option<(Vec<Step>, [Position; 2])> {
        let mut concerned = vec![false; self.both.component.len()];
        let place = |process: ProcessId| self.place[process.index()] as usize;
        // Who takes a message needs who put it there, and with a bound the other way round.
        let ends = |step: Step| match step.interaction() {
            Some(interaction) => vec![place(interaction.from), place(interaction.to)],
            None => step.actors().map(place).collect::<Vec<usize>>(),
        };
        ends(step).into_iter().for_each(|place| concerned[place] = true);
        let mut needed = Vec::new();
        for &step in run.iter().rev() {
            if ends(step).into_iter().any(|place| concerned[place]) {
                ends(step).into_iter().for_each(|place| concerned[place] = true);
                needed.push(step);
            }
        }
        needed.reverse();
        let mut positions = self.start();
        for &step in &needed {
            positions = self.after(&positions, step)?;
        }
        let conditions = self.manner.conditions;
        let can = [0, 1].map(|side| {
            let steps = self.steps(&self.waits(side, &positions[side]), self.both.component);
            steps.binary_search(&compared(step, conditions)).is_ok()
        });
        (can[0] != can[1]).then_some((needed, positions))
    }

    /// How the networks end differently at a node.
    fn ending(&self, node: u32) -> Option<Difference> {
        let ([first, second], ..) = self.positions(node);
        let (index, side) = self.both.stuck(&first.states, &second.states)?;
        let states = match side {
            Side::First => &first.states,
            Side::Second => &second.states,
        };
        let reason = Contrast::Ends { stuck: self.both.instead(index, side, states), side };
        Some(self.both.difference(self.run_to(node), reason, [Vec::new(), Vec::new()]))
    }

    fn run_to(&self, node: u32) -> Vec<Step> {
        run_to(&self.came_by, node)
    }
}

/// The message that a process puts into a queue in a state that sends.
fn sends(network: &Network, process: ProcessId, state: State) -> Option<Interaction> {
    let (to, content, _) = state.sent()?;
    network.channel(process, to).is_queue().then_some(Interaction { from: process, to, content })
}

/// Those to whom a process sends that can do nothing else from a state, forever.
fn receivers(network: &Network, process: ProcessId, start: StateId) -> Option<Vec<ProcessId>> {
    let mut receivers = Vec::new();
    let mut met = FxHashSet::default();
    let mut state = start;
    while met.insert(state) {
        receivers.push(sends(network, process, network.state(state))?.to);
        state = network.state(state).sent()?.2;
    }
    Some(receivers)
}
