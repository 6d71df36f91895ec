//! The graph of pairs: a node of the choreography, the local states of the processes that take part, and what lies in
//! the queues.
//!
//! A breadth-first walk: pairs are numbered as they are met, so the way on which a pair was met first is a shortest run
//! to it. A race is one pair, with the edges of each of its items.

use super::super::mismatch::{Mismatch, Reason};
use super::super::{Certificate, NotVerified};
use super::closed::ClosedSet;
use super::contents::{Contents, EMPTY};
use super::items::check_items;
use super::moment::Moment;
use super::scene::Scene;
use crate::choreography::{Node, NodeId};
use crate::index::{Index, mix, spread};
use crate::limits::Limits;
use crate::network::{Interaction, ProcessId, State};
use crate::semantics::Step;

/// No state, no pair.
const NONE: u32 = u32::MAX;

/// After how many pairs it is asked again whether there was an interrupt.
const PAIRS_BETWEEN_QUESTIONS: usize = 1 << 8;

/// All pairs of a part, and how they lead to each other.
pub(super) struct Pairs<'a> {
    pub(super) scene: &'a Scene<'a>,
    /// The node of each pair.
    nodes: Vec<NodeId>,
    /// The local states of each pair and the contents of the queues, one row after the other.
    rows: Vec<u32>,
    contents: Contents,
    /// For each pair, where its items start; and where those of the last one end.
    first_items: Vec<usize>,
    /// The items of each pair: what can come first there.
    items: Vec<Item>,
    /// Where the edges lead; those of an item are in the order of its outcomes.
    targets: Vec<u32>,
    /// For each pair but the first, from which pair and on which of its edges it was met first.
    parents: Vec<Option<(u32, u32)>>,
    /// What can happen that somebody idly waits for, in the order of the pairs.
    pub(super) owed: Vec<Owed>,
    index: Index,
    ends: usize,
}

/// Something that can come first at a pair: an interaction, or a decision with all its outcomes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// Whether it is a decision.
    pub(super) decides: bool,
    /// Its edges, among those of all pairs.
    first_edge: usize,
    past: usize,
}

/// Something that can happen at a pair and that, directly or not, somebody idly waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Owed {
    /// Who would act.
    pub(super) actors: (ProcessId, Option<ProcessId>),
    /// Whether the second actor takes part in another part of the choreography, so that it is not known whether this
    /// can happen.
    pub(super) is_elsewhere: bool,
    /// At which pair.
    pub(super) pair: u32,
}

impl<'a> Pairs<'a> {
    /// Follows a part from its start to all its ends.
    pub(super) fn walk(scene: &'a Scene<'a>, limits: &Limits<'_>) -> Result<Self, NotVerified> {
        let mut pairs = Pairs {
            scene,
            nodes: Vec::new(),
            rows: Vec::new(),
            contents: Contents::default(),
            first_items: vec![0],
            items: Vec::new(),
            targets: Vec::new(),
            parents: Vec::new(),
            owed: Vec::new(),
            index: Index::default(),
            ends: 0,
        };
        let most = limits.max_states.unwrap_or(usize::MAX);
        let start_of = |&process: &ProcessId| scene.network.process(process).map_or(NONE, |process| process.start.0);
        let mut start: Vec<u32> = scene.members().iter().map(start_of).collect();
        start.resize(scene.width(), EMPTY);
        pairs.meet(scene.part.start, &start, hash_of(&start), None);
        let (mut row, mut after) = (start.clone(), start);
        let mut closed = ClosedSet::default();
        let mut at = 0;
        while let Some(&node) = pairs.nodes.get(at) {
            if at.is_multiple_of(PAIRS_BETWEEN_QUESTIONS)
                && let Some(reason) = (limits.stop)()
            {
                return Err(NotVerified::Undecided(reason));
            }
            if pairs.nodes.len() - pairs.ends > most || pairs.nodes.len() >= NONE as usize {
                return Err(NotVerified::Undecided(limits.too_many()));
            }
            row.copy_from_slice(pairs.row(at as u32));
            let checked = pairs.check_growth(at as u32, node);
            if let Err(reason) = checked.and_then(|()| pairs.check(&row, at as u32, node, &mut closed)) {
                let before = pairs.before(at as u32, &reason);
                return Err(Mismatch { run: pairs.run_to(before), reason }.into());
            }
            after.copy_from_slice(&row);
            let hash = hash_of(&row);
            let mut side = 0u32;
            for &item in scene.items(&node) {
                let first_edge = pairs.targets.len();
                let mut outcome = 0;
                loop {
                    let moment = Moment::new(scene, &row, &pairs.contents);
                    let Some((step, next)) = scene.step(moment, item, outcome) else { break };
                    // What was checked is possible.
                    let moved = moment.moves(step).unwrap_or_default();
                    let queue = pairs.queue_after(&row, step);
                    let moved = moved.iter().filter_map(|&(process, state)| Some((scene.place(process)?, state.0)));
                    let moved = || moved.clone().chain(queue);
                    let mut new_hash = hash;
                    for (place, state) in moved() {
                        after[place] = state;
                        new_hash ^= place_hash(place, row[place]) ^ place_hash(place, state);
                    }
                    let target = pairs.meet(next, &after, new_hash, Some((at as u32, side)));
                    moved().for_each(|(place, _)| after[place] = row[place]);
                    pairs.targets.push(target);
                    (outcome, side) = (outcome + 1, side + 1);
                }
                pairs.items.push(Item { decides: scene.decides(item), first_edge, past: pairs.targets.len() });
            }
            pairs.first_items.push(pairs.items.len());
            at += 1;
        }
        Ok(pairs)
    }

    /// What was looked at.
    pub(super) fn certificate(&self) -> Certificate {
        let pairs = self.nodes.len() - self.ends;
        Certificate { parts: 1, pairs, remembered: pairs, ends: self.ends }
    }

    /// How many pairs there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The local states of a pair, then the contents of the queues.
    pub(super) fn row(&self, pair: u32) -> &[u32] {
        let width = self.scene.width();
        let start = pair as usize * width;
        &self.rows[start..start + width]
    }

    /// Where everybody is at a pair, and what lies in the queues.
    pub(super) fn moment(&self, pair: u32) -> Moment<'_> {
        Moment::new(self.scene, self.row(pair), &self.contents)
    }

    /// The items of a pair.
    pub(super) fn items(&self, pair: u32) -> &[Item] {
        &self.items[self.first_items[pair as usize]..self.first_items[pair as usize + 1]]
    }

    /// The pairs that an item leads to, one for each outcome.
    pub(super) fn targets_of(&self, item: &Item) -> &[u32] {
        &self.targets[item.first_edge..item.past]
    }

    /// The pairs that a pair leads to, item by item.
    pub(super) fn targets(&self, pair: u32) -> &[u32] {
        match self.items(pair) {
            [] => &[],
            [first, ..] => {
                let past = self.items(pair).last().map_or(first.past, |last| last.past);
                &self.targets[first.first_edge..past]
            }
        }
    }

    /// What happens on each of the edges of a pair.
    pub(super) fn steps(&self, pair: u32) -> impl Iterator<Item = Step> {
        let (scene, moment) = (self.scene, self.moment(pair));
        let items = scene.items(&self.nodes[pair as usize]).iter();
        items.flat_map(move |&item| (0..).map_while(move |outcome| Some(scene.step(moment, item, outcome)?.0)))
    }

    /// What happens on one of the edges of a pair.
    pub(super) fn step(&self, pair: u32, side: usize) -> Option<Step> {
        self.steps(pair).nth(side)
    }

    /// A shortest run to a pair.
    pub(super) fn run_to(&self, pair: u32) -> Vec<Step> {
        let mut run = Vec::new();
        let mut at = pair;
        while let Some((parent, side)) = self.parents[at as usize] {
            run.extend(self.step(parent, side as usize));
            at = parent;
        }
        run.reverse();
        run
    }

    /// The number of a pair, which is new or was met before.
    fn meet(&mut self, node: NodeId, row: &[u32], hash: u64, parent: Option<(u32, u32)>) -> u32 {
        let number = self.nodes.len() as u32;
        let Pairs { nodes, rows, index, .. } = self;
        let is_it = |known: u32| {
            let start = known as usize * row.len();
            nodes[known as usize] == node && rows[start..start + row.len()] == *row
        };
        let found = index.find_or_insert(mix(hash, u64::from(node.0)), number, is_it);
        if found == number {
            nodes.push(node);
            rows.extend_from_slice(row);
            self.parents.push(parent);
            self.ends += usize::from(self.scene.node(node) == Node::Stop);
        }
        found
    }

    /// Where the content of a queue is in a row, and what it is after a step, if the step changes it.
    fn queue_after(&mut self, row: &[u32], step: Step) -> Option<(usize, u32)> {
        let (Step::Put(message) | Step::Take(message)) = step else { return None };
        let column = self.scene.column(message.from, message.to)?;
        let before = row.get(column).copied().unwrap_or(EMPTY);
        Some(match step {
            Step::Put(Interaction { content, .. }) => (column, self.contents.with(before, content)),
            _ => (column, self.contents.rest(before)),
        })
    }

    /// Checks what a node says against the states of a pair, and notes what somebody idly waits for.
    fn check(&mut self, row: &[u32], pair: u32, node: NodeId, closed: &mut ClosedSet) -> Result<(), Reason> {
        let scene = self.scene;
        let noted = self.owed.len();
        self.note_owed(row, pair, closed);
        match scene.node(node) {
            Node::Stop => {
                let must_act = |process: &&ProcessId| scene.must_act(row, **process);
                let running = scene.members().iter().filter(must_act);
                let running: Vec<_> = running.map(|&process| (process, scene.at(row, process))).collect();
                if !running.is_empty() {
                    return Err(Reason::StopsEarly { node, running });
                }
                let moment = self.moment(pair);
                let left = scene.growth.queues.iter();
                let mut left = left.filter_map(|&(from, to)| Some((from, to, moment.oldest(from, to)?)));
                if let Some((from, to, content)) = left.next() {
                    let message = Interaction { from, to, content };
                    return Err(Reason::MessageLeft { node, message, state: moment.at(to) });
                }
                match self.owed.get(noted) {
                    Some(&owed) => Err(self.forgotten(owed, Some(node), Vec::new())),
                    None => Ok(()),
                }
            }
            Node::Group { .. } => Err(Reason::GroupNotSupported { node }),
            _ => check_items(Moment::new(scene, row, &self.contents), node, closed),
        }
    }

    /// Checks that no queue has got longer since the same node was met on the way.
    fn check_growth(&self, pair: u32, node: NodeId) -> Result<(), Reason> {
        let scene = self.scene;
        // On each cycle there is a node that several edges lead to.
        if !scene.growth.nodes.contains(&node) || !scene.cast.is_joint(node) {
            return Ok(());
        }
        let now = self.moment(pair);
        let mut at = pair;
        while let Some((parent, _)) = self.parents[at as usize] {
            at = parent;
            let before = self.moment(at);
            if self.nodes[at as usize] != node {
                continue;
            }
            let is_longer = |&&(from, to): &&(ProcessId, ProcessId)| now.length(from, to) > before.length(from, to);
            if let Some(&(from, to)) = scene.growth.queues.iter().find(is_longer) {
                let more = now.length(from, to) - before.length(from, to);
                let mut cycle = self.run_to(pair);
                cycle.drain(..self.run_to(at).len());
                return Err(Reason::QueueGrows { from, to, state: before.at(to), more, cycle });
            }
        }
        Ok(())
    }

    /// The pair that the run of a mismatch leads to, where a reason was found: for a cycle, where it starts.
    fn before(&self, pair: u32, reason: &Reason) -> u32 {
        let Reason::QueueGrows { cycle, .. } = reason else { return pair };
        let up = |at: u32, _: &Step| self.parents[at as usize].map_or(at, |(parent, _)| parent);
        cycle.iter().fold(pair, up)
    }

    /// Notes what can happen that somebody idly waits for.
    fn note_owed(&mut self, row: &[u32], pair: u32, closed: &mut ClosedSet) {
        let mut idle = self.scene.idle(row).peekable();
        if idle.peek().is_none() {
            return;
        }
        closed.find(Moment::new(self.scene, row, &self.contents), idle, None);
        let deciders = closed.deciders.iter().map(|&decider| (decider, None, false));
        let leaving = closed.leaves.iter().map(|&(member, other)| (member, Some(other), true));
        let interactions = closed.interactions.iter().filter_map(|step| {
            let mut actors = step.actors();
            Some((actors.next()?, actors.next(), false))
        });
        let owed = deciders.chain(leaving).chain(interactions);
        self.owed.extend(owed.map(|(one, other, is_elsewhere)| Owed { actors: (one, other), is_elsewhere, pair }));
    }

    /// The reason that something is never done although somebody idly waits for it.
    pub(super) fn forgotten(&self, owed: Owed, node: Option<NodeId>, cycle: Vec<Step>) -> Reason {
        let (scene, row) = (self.scene, self.row(owed.pair));
        let (first, second) = owed.actors;
        let state = scene.at(row, first);
        if let (true, Some(other)) = (owed.is_elsewhere, second) {
            return Reason::AcrossParts { process: first, state, other };
        }
        let moment = self.moment(owed.pair);
        let mut closed = ClosedSet::default();
        let mut waits_for_it = |&process: &ProcessId| {
            closed.find(moment, [process], None);
            closed.contains(first)
        };
        let waits = scene.idle(row).find(|process| waits_for_it(process)).unwrap_or(first);
        closed.find(moment, [first], None);
        let is_it = |step: &&Step| Some(step.initiator()) == Some(first) && step.actors().nth(1) == second;
        let step = match closed.interactions.iter().find(is_it) {
            Some(&step) => step,
            None => match scene.network.state(state) {
                State::If { condition, .. } => Step::Decision { process: first, condition, holds: true },
                _ => Step::Choice { process: first, arm: 0 },
            },
        };
        Reason::Forgotten { node, process: waits, state: scene.at(row, waits), step, cycle }
    }
}

/// A hash of a row, to which each place adds a part of its own: moving a process changes one of them.
fn hash_of(row: &[u32]) -> u64 {
    row.iter().enumerate().fold(0, |hash, (place, &state)| hash ^ place_hash(place, state))
}

fn place_hash(place: usize, state: u32) -> u64 {
    spread((place as u64 + 1) << 32 | u64::from(state))
}
