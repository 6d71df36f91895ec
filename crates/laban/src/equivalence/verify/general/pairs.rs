//! The graph of pairs: a node of the choreography and the local states of the processes that take part.
//!
//! A breadth-first walk: pairs are numbered as they are met, so the way on which a pair was met first is a shortest run
//! to it. A race is one pair with an edge for each item, and the edge takes the item's interaction.

use super::super::mismatch::{Mismatch, Reason};
use super::super::{Certificate, NotVerified};
use super::closed::ClosedSet;
use super::scene::Scene;
use crate::choreography::{Node, NodeId};
use crate::index::Index;
use crate::limits::Limits;
use crate::network::{ProcessId, State};
use crate::semantics::{Step, moves};
use std::hash::Hasher;

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
    /// For each pair, where its edges start; and where those of the last one end.
    first_edges: Vec<usize>,
    /// Where the edges lead; those of a pair are in the order of the sides of its node.
    targets: Vec<u32>,
    /// For each pair but the first, from which pair and on which side it was met first.
    parents: Vec<Option<(u32, u32)>>,
    /// What can happen that somebody idly waits for, in the order of the pairs.
    pub(super) owed: Vec<Owed>,
    index: Index,
    ends: usize,
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
            first_edges: vec![0],
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
        pairs.meet(scene.part.start, &start, None);
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
            let mut side = 0;
            while let Some((step, next)) = scene.step(&row, node, side) {
                after.copy_from_slice(&row);
                // What was checked is possible.
                for (process, state) in
                    moves(scene.network, step, |process| scene.at(&row, process)).into_iter().flatten()
                {
                    if let Some(place) = scene.place(process) {
                        after[place] = state.0;
                    }
                }
                let target = pairs.meet(next, &after, Some((at as u32, side as u32)));
                pairs.targets.push(target);
                side += 1;
            }
            pairs.first_edges.push(pairs.targets.len());
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

    /// The node of a pair.
    pub(super) fn node(&self, pair: u32) -> Node {
        self.scene.choreography.node(self.nodes[pair as usize])
    }

    /// The local states of a pair.
    pub(super) fn row(&self, pair: u32) -> &[u32] {
        let width = self.scene.part.slots.len();
        let start = pair as usize * width;
        &self.rows[start..start + width]
    }

    /// The pairs that a pair leads to, one for each side of its node.
    pub(super) fn targets(&self, pair: u32) -> &[u32] {
        &self.targets[self.first_edges[pair as usize]..self.first_edges[pair as usize + 1]]
    }

    /// What happens on the way from a pair on one of its sides.
    pub(super) fn step(&self, pair: u32, side: usize) -> Option<Step> {
        self.scene.step(self.row(pair), self.nodes[pair as usize], side).map(|(step, _)| step)
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
    fn meet(&mut self, node: NodeId, row: &[u32], parent: Option<(u32, u32)>) -> u32 {
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write_u32(node.0);
        row.iter().for_each(|&state| hasher.write_u32(state));
        let number = self.nodes.len() as u32;
        let Pairs { nodes, rows, index, .. } = self;
        let is_it = |known: u32| {
            let start = known as usize * row.len();
            nodes[known as usize] == node && rows[start..start + row.len()] == *row
        };
        let found = index.find_or_insert(hasher.finish(), number, is_it);
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
            Node::Group { .. } => Err(Reason::GroupNotSupported { node }),
            Node::If { .. } | Node::Choose { .. } => scene.not_decided(row, node).map_or(Ok(()), Err),
            Node::Interaction { .. } => check_interactions(scene, row, node, None, &[node], closed),
            Node::Any { items } => {
                check_interactions(scene, row, node, Some(node), scene.choreography.arms(items), closed)
            }
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

/// Checks that the interactions of a node are possible, and all that can happen within a closed set.
fn check_interactions(
    scene: &Scene<'_>,
    row: &[u32],
    node: NodeId,
    race: Option<NodeId>,
    items: &[NodeId],
    closed: &mut ClosedSet,
) -> Result<(), Reason> {
    let mut listed = Vec::with_capacity(items.len());
    for &item in items {
        let Some((interaction, _)) = scene.interaction(item) else { continue };
        let step = Step::Interaction(interaction);
        if moves(scene.network, step, |process| scene.at(row, process)).is_none() {
            return scene.not_enabled(row, item, race).map_or(Ok(()), Err);
        }
        listed.push(step);
    }
    let races = |process: ProcessId| matches!(scene.network.state(scene.at(row, process)), State::Any { .. });
    if !listed.iter().flat_map(|step| step.actors()).any(races) {
        // The two actors of each have nobody else in mind.
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
    match closed.deciders.first() {
        Some(&process) => Err(Reason::DecidesFirst { node, process, state: scene.at(row, process) }),
        None => Ok(()),
    }
}
