//! The graph of pairs: a node of the choreography and the local states of the processes that take part.
//!
//! A breadth-first walk: pairs are numbered as they are met, so the way on which a pair was met first is a shortest run
//! to it. A race is one pair, with the edges of each of its items.

use super::super::mismatch::{Mismatch, Reason};
use super::super::{Certificate, NotVerified};
use super::closed::ClosedSet;
use super::scene::Scene;
use crate::choreography::{Node, NodeId};
use crate::index::{Index, mix, spread};
use crate::limits::Limits;
use crate::network::{ProcessId, State};
use crate::semantics::{NO_QUEUES, Step, moves};

/// No state, no pair.
const NONE: u32 = u32::MAX;

/// After how many pairs it is asked again whether there was an interrupt.
const PAIRS_BETWEEN_QUESTIONS: usize = 1 << 8;

/// All pairs of a part, and how they lead to each other.
pub(super) struct Pairs<'a> {
    pub(super) scene: &'a Scene<'a>,
    /// The node of each pair.
    nodes: Vec<NodeId>,
    /// The local states of each pair, one row after the other.
    rows: Vec<u32>,
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
            first_items: vec![0],
            items: Vec::new(),
            targets: Vec::new(),
            parents: Vec::new(),
            owed: Vec::new(),
            index: Index::default(),
            ends: 0,
        };
        let most = limits.max_states.unwrap_or(usize::MAX);
        let start: Vec<u32> = scene
            .members()
            .iter()
            .map(|&process| scene.network.process(process).map_or(NONE, |process| process.start.0))
            .collect();
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
            if let Err(reason) = pairs.check(&row, at as u32, node, &mut closed) {
                return Err(Mismatch { run: pairs.run_to(at as u32), reason }.into());
            }
            after.copy_from_slice(&row);
            let hash = hash_of(&row);
            let mut side = 0u32;
            for &item in scene.items(&node) {
                let first_edge = pairs.targets.len();
                let mut outcome = 0;
                while let Some((step, next)) = scene.step(&row, item, outcome) {
                    // What was checked is possible.
                    let moved = moves(scene.network, step, &NO_QUEUES, |process| scene.at(&row, process));
                    let moved = moved.unwrap_or_default();
                    let moved = || moved.iter().filter_map(|&(process, state)| Some((scene.place(process)?, state.0)));
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

    /// The local states of a pair.
    pub(super) fn row(&self, pair: u32) -> &[u32] {
        let width = self.scene.part.slots.len();
        let start = pair as usize * width;
        &self.rows[start..start + width]
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
        let (scene, row) = (self.scene, self.row(pair));
        let items = scene.items(&self.nodes[pair as usize]).iter();
        items.flat_map(move |&item| (0..).map_while(move |outcome| Some(scene.step(row, item, outcome)?.0)))
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
            self.ends += usize::from(self.scene.choreography.node(node) == Node::Stop);
        }
        found
    }

    /// Checks what a node says against the states of a pair, and notes what somebody idly waits for.
    fn check(&mut self, row: &[u32], pair: u32, node: NodeId, closed: &mut ClosedSet) -> Result<(), Reason> {
        let scene = self.scene;
        let noted = self.owed.len();
        self.note_owed(row, pair, closed);
        match scene.choreography.node(node) {
            Node::Stop => {
                let must_act = |process: &&ProcessId| scene.must_act(row, **process);
                let running = scene.members().iter().filter(must_act);
                let running: Vec<_> = running.map(|&process| (process, scene.at(row, process))).collect();
                if !running.is_empty() {
                    return Err(Reason::StopsEarly { node, running });
                }
                match self.owed.get(noted) {
                    Some(&owed) => Err(self.forgotten(owed, Some(node), Vec::new())),
                    None => Ok(()),
                }
            }
            Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => Err(Reason::GroupNotSupported { node }),
            _ => check_items(scene, row, node, closed),
        }
    }

    /// Notes what can happen that somebody idly waits for.
    fn note_owed(&mut self, row: &[u32], pair: u32, closed: &mut ClosedSet) {
        let mut idle = self.scene.idle(row).peekable();
        if idle.peek().is_none() {
            return;
        }
        closed.find(self.scene, row, idle);
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
        let mut closed = ClosedSet::default();
        let mut waits_for_it = |&process: &ProcessId| {
            closed.find(scene, row, [process]);
            closed.contains(first)
        };
        let waits = scene.idle(row).find(|process| waits_for_it(process)).unwrap_or(first);
        closed.find(scene, row, [first]);
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

/// Checks that the items of a node are possible, and all that can happen within a closed set.
fn check_items(scene: &Scene<'_>, row: &[u32], node: NodeId, closed: &mut ClosedSet) -> Result<(), Reason> {
    let items = scene.items(&node);
    for &item in items {
        scene.check(row, node, item)?;
    }
    let mut listed: Vec<Step> =
        items.iter().filter_map(|&item| scene.interaction(item)).map(Step::Interaction).collect();
    let races = |process: ProcessId| matches!(scene.network.state(scene.at(row, process)), State::Any { .. });
    if !listed.iter().flat_map(|step| step.actors()).any(races) {
        // The two actors of each have nobody else in mind, and whoever decides has nobody at all.
        return Ok(());
    }
    closed.find(scene, row, listed.iter().flat_map(|step| step.actors()));
    if let Some((process, other)) = closed.leaves {
        return Err(Reason::AcrossParts { process, state: scene.at(row, process), other });
    }
    listed.sort_unstable();
    let is_missing = |step: &&Step| listed.binary_search(step).is_err();
    let missing: Vec<Step> = closed.interactions.iter().filter(is_missing).copied().collect();
    if let Some(first) = missing.first() {
        let process = first.initiator();
        return Err(Reason::Overlooked { node, process, state: scene.at(row, process), missing });
    }
    let decides = |process: ProcessId| items.iter().any(|&item| scene.decider(item) == Some(process));
    match closed.deciders.iter().find(|&&process| !decides(process)) {
        Some(&process) => Err(Reason::DecidesFirst { node, process, state: scene.at(row, process) }),
        None => Ok(()),
    }
}
