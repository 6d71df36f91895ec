//! From one configuration to the next, looking at one closed set in each.
//!
//! The smallest closed sets of a configuration are served in rounds: a round begins with all of them and ends when each
//! has had its turn, in the order of the strategy; one that is not served stays as it is until it is. So a node is a
//! configuration and what is left of the round. A process that names others who are busy may belong to no smallest
//! closed set, again and again, although it could act: once everything has been explored, cycles that put off such a
//! process are sought out, and in one node of each the smallest closed set *of that process* is looked at instead.
//!
//! Whoever decides must not know how a race comes out that it could also have come before. So a process that starves in
//! this graph may do so only because somebody decides with foresight. If all do, the search is repeated with more care:
//! a race is looked at by itself only if nobody outside may ever decide; otherwise decisions come first, and then
//! everything together.

use super::graph::{Way, Ways};
use super::heads::{Heads, NONE};
use super::position::{Layout, Packed, Position};
use super::scene::{Meeting, Scene};
use super::starvation;
use crate::extraction::store::Store;
use crate::extraction::strategy::{Order, random_place};
use crate::extraction::{ExtractOptions, Failure, Found, Searched, Statistics};
use crate::graph::{Graph, strong_components};
use crate::limits::{Limits, StopReason};
use crate::network::{Network, ProcessId};
use crate::semantics::Step;
use std::collections::{BTreeMap, VecDeque};

/// How many nodes are expanded before the search asks again whether it should stop.
const NODES_BETWEEN_QUESTIONS: usize = 256;

/// Searches one component.
pub(in crate::extraction) fn search(
    network: &Network,
    component: &[ProcessId],
    seed: u64,
    options: &ExtractOptions<'_>,
) -> Searched {
    let heads = Heads::new(network, component);
    let quick = search_with_care(&heads, seed, options, false);
    quick.or_else(|| search_with_care(&heads, seed, options, true)).unwrap_or_else(|| {
        // With care, there is always an answer.
        Searched::new(Found::Undecided(StopReason::Bounds), Statistics::default())
    })
}

/// One search of a component. With care, nobody decides with foresight; without, there is no answer if somebody starves
/// only because of that.
fn search_with_care(heads: &Heads, seed: u64, options: &ExtractOptions<'_>, careful: bool) -> Option<Searched> {
    let layout = Layout::new(heads);
    let mut search = Search {
        store: Store::new(layout.width, layout.width, 0),
        layout,
        heads,
        ways: Ways::default(),
        scene: Scene::default(),
        work: VecDeque::new(),
        put_off: Vec::new(),
        with_foresight: Vec::new(),
        seeds: BTreeMap::new(),
        order: options.strategy.order,
        careful,
        fair: options.fair,
        seed,
        until_asked: NODES_BETWEEN_QUESTIONS,
        limits: &options.limits,
    };
    let found = search.run()?;
    let statistics = Statistics { nodes: search.store.len(), bad_loops: 0, bytes: search.store.bytes() };
    Some(Searched::new(found, statistics))
}

/// What is looked at in a node.
#[derive(Debug)]
struct Chosen {
    /// For each process, whether it is in the set that is looked at.
    members: Vec<bool>,
    /// What is left of the round.
    pending: Vec<u64>,
    /// Whose turn it is after a decision.
    turn: u32,
}

struct Search<'a> {
    heads: &'a Heads,
    layout: Layout,
    store: Store,
    ways: Ways,
    scene: Scene,
    work: VecDeque<u32>,
    /// Nodes, each with a process that could act there, is in no smallest closed set, and was not looked at.
    put_off: Vec<(u32, u32)>,
    /// For each node, whether there is a race in it while somebody outside may decide before or after.
    with_foresight: Vec<bool>,
    /// For some nodes, processes that have to be looked at there.
    seeds: BTreeMap<u32, Vec<u32>>,
    order: Order,
    careful: bool,
    fair: bool,
    seed: u64,
    until_asked: usize,
    limits: &'a Limits<'a>,
}

enum End {
    Deadlock(u32),
    Stopped(StopReason),
}

impl Search<'_> {
    /// Searches from the start. There is no answer if more care is needed.
    fn run(&mut self) -> Option<Found> {
        let fair = self.fair;
        let start = Position { states: self.heads.starts.clone(), pending: vec![0; self.layout.words], turn: NONE };
        self.node(&Packed::new(&self.layout, self.heads, &start));
        loop {
            match self.explore() {
                Ok(()) => {}
                Err(End::Stopped(reason)) => return Some(Found::Undecided(reason)),
                Err(End::Deadlock(node)) => {
                    let (graph, number) = self.ways.finished(self.heads, &self.ways.reachable());
                    let run = graph.shortest_run(number[node as usize]);
                    return Some(Found::Failure(Failure::Deadlock { run }, graph));
                }
            }
            match self.look_at_those_put_off() {
                Ok(false) => break,
                Ok(true) => {}
                Err(reason) => return Some(Found::Undecided(reason)),
            }
        }
        let nodes = self.ways.reachable();
        let (graph, number) = self.ways.finished(self.heads, &nodes);
        let mut position = Position::default();
        let mut may_wait = vec![false; self.ways.len() * self.layout.count];
        for &node in &nodes {
            self.layout.unpack(self.heads, self.store.row(node), &mut position);
            for (process, &state) in position.states.iter().enumerate() {
                may_wait[node as usize * self.layout.count + process] = self.heads.head(state).may_wait;
            }
        }
        let waits = |node: u32, process: u32| may_wait[node as usize * self.layout.count + process as usize];
        let starved =
            |waits: &dyn Fn(u32, u32) -> bool| starvation::starved(&self.ways, &nodes, self.layout.count, fair, waits);
        let foresight = |node: u32| !self.careful && self.with_foresight.get(node as usize).copied().unwrap_or(false);
        // Where nobody has foresight, who starves does.
        let found = starved(&|node, process| foresight(node) || waits(node, process));
        let left = match found {
            Some((_, left)) => left,
            None if !nodes.iter().any(|&node| foresight(node)) || starved(&waits).is_none() => {
                return Some(Found::Graph(graph));
            }
            None => return None,
        };
        let start = nodes.iter().copied().find(|&node| left[node as usize]).unwrap_or(0);
        let (lead, cycle) = starvation::lasso(&self.ways, &left, start, fair);
        let steps = |walk: &[(u32, usize)]| -> Vec<Step> {
            walk.iter().filter_map(|&(node, number)| self.step(node, number)).collect()
        };
        let mut run = graph.shortest_run(number[start as usize]);
        run.extend(steps(&lead));
        Some(Found::Failure(Failure::Livelock { run, cycle: steps(&cycle) }, graph))
    }

    /// What happens on the way of this number from a node.
    fn step(&self, node: u32, number: usize) -> Option<Step> {
        let way = self.ways.of(node).get(number)?;
        let action = self.heads.actions.get(way.action as usize)?;
        action.step(way.outcome as usize)
    }

    /// The node of a position, which may be new.
    fn node(&mut self, Packed { row, hash }: &Packed) -> u32 {
        if let Some(known) = self.store.find_like(*hash, row, |_| false) {
            return known;
        }
        let node = self.store.insert(*hash, row);
        self.ways.push();
        self.work.push_back(node);
        node
    }

    /// Expands what is still to be expanded, the nearest to the start first.
    fn explore(&mut self) -> Result<(), End> {
        let most = self.limits.max_states.unwrap_or(usize::MAX).min(u32::MAX as usize - 2);
        while let Some(node) = self.work.pop_front() {
            if self.store.len() > most {
                return Err(End::Stopped(self.limits.too_many()));
            }
            self.until_asked -= 1;
            if self.until_asked == 0 {
                self.until_asked = NODES_BETWEEN_QUESTIONS;
                if let Some(reason) = (self.limits.stop)() {
                    return Err(End::Stopped(reason));
                }
            }
            self.expand(node)?;
        }
        Ok(())
    }

    /// Chooses what is looked at in a node and follows it.
    fn expand(&mut self, node: u32) -> Result<(), End> {
        let mut position = Position::default();
        self.layout.unpack(self.heads, self.store.row(node), &mut position);
        self.scene.look(self.heads, &position.states);
        let is_stuck = |(&state, &live): (&u32, &bool)| !live && !self.heads.head(state).may_wait;
        if position.states.iter().zip(&self.scene.live).any(is_stuck) {
            return Err(End::Deadlock(node));
        }
        let Some(chosen) = self.choose(node, &position) else { return Ok(()) };
        if !self.careful && !self.fair && self.heads.has_decisions() {
            let has_foresight = self.tells_too_much(&position, &chosen.members);
            self.with_foresight.resize(self.ways.len(), false);
            self.with_foresight[node as usize] = has_foresight;
        }
        let bottom = |process: u32| self.scene.bottom[process as usize];
        for meeting in &self.scene.meetings {
            for process in [meeting.from, meeting.to] {
                if bottom(process) == NONE && !chosen.members[process as usize] {
                    self.put_off.push((node, process));
                }
            }
        }
        let mut ways = Vec::new();
        (position.pending, position.turn) = (chosen.pending, chosen.turn);
        let mut next = Packed::new(&self.layout, self.heads, &position);
        let states = &position.states;
        let meetings = std::mem::take(&mut self.scene.meetings);
        for meeting in meetings.iter().filter(|meeting| chosen.members[meeting.from as usize]) {
            let &Meeting { from, to, sent, taken, action } = meeting;
            let moves = [(from, [states[from as usize], sent]), (to, [states[to as usize], taken])];
            moves.iter().for_each(|&(process, step)| next.step(&self.layout, self.heads, process, step));
            let target = self.node(&next);
            moves.iter().for_each(|&(process, [from, to])| next.step(&self.layout, self.heads, process, [to, from]));
            ways.push(Way { action, outcome: 0, actors: [from, to], target });
        }
        self.scene.meetings = meetings;
        for process in (0..chosen.members.len()).filter(|&process| chosen.members[process]) {
            let (state, process) = (states[process], process as u32);
            let action = self.heads.head(state).decision;
            for (outcome, &chosen) in (0..).zip(self.heads.targets(state)) {
                next.step(&self.layout, self.heads, process, [state, chosen]);
                let target = self.node(&next);
                next.step(&self.layout, self.heads, process, [chosen, state]);
                ways.push(Way { action, outcome, actors: [process; 2], target });
            }
        }
        self.ways.set(node, &ways);
        Ok(())
    }

    /// What is looked at in a node; nothing if nothing can happen.
    fn choose(&self, node: u32, position: &Position) -> Option<Chosen> {
        let Scene { bottom, meetings, .. } = &self.scene;
        let is_bottom = |process: usize| bottom[process] == process as u32;
        let bottoms = || (0..bottom.len()).filter(|&process| is_bottom(process));
        let is_pending = |process: usize| position.pending[process / 64] >> (process % 64) & 1 == 1;
        let anew = !bottoms().any(is_pending);
        let mut pending = vec![0u64; self.layout.words];
        for process in bottoms().filter(|&process| anew || is_pending(process)) {
            pending[process / 64] |= 1 << (process % 64);
        }
        let decision_of = |process: usize| self.heads.head(position.states[process]).decision;
        let candidates = bottoms().filter(|&process| pending[process / 64] >> (process % 64) & 1 == 1);
        let key = |process: usize, number: u64| {
            let decides = decision_of(process) != NONE;
            let members = || (0..bottom.len()).filter(|&member| bottom[member] == process as u32);
            let sizes = || members().map(|member| u64::from(self.heads.head(position.states[member]).size));
            match self.order {
                Order::Processes => 0,
                Order::InteractionsFirst => u64::from(decides),
                Order::ConditionalsFirst => u64::from(!decides),
                Order::SelectionsFirst => {
                    let of_label = |meeting: &&Meeting| {
                        let action = self.heads.actions[meeting.action as usize];
                        matches!(action, crate::semantics::Action::Interaction(it) if it.content.label().is_some())
                    };
                    let own = meetings.iter().filter(|meeting| bottom[meeting.from as usize] == process as u32);
                    match decides {
                        true => 2,
                        false => u64::from(own.clone().find(of_label).is_none()),
                    }
                }
                Order::LongestFirst => u64::from(u32::MAX) - sizes().max().unwrap_or(0),
                Order::ShortestFirst => sizes().max().unwrap_or(0),
                Order::Random => random_place(self.seed, node, number),
            }
        };
        let keyed = candidates.zip(0..).map(|(process, number)| (key(process, number), process));
        let (_, first) = keyed.min()?;
        let seeds = self.seeds.get(&node).into_iter().flatten().copied();
        let seeds: Vec<u32> = seeds.chain((position.turn != NONE).then_some(position.turn)).collect();
        let mut members: Vec<bool> = bottom.iter().map(|&bottom| bottom == first as u32).collect();
        let mut turn = NONE;
        let decides = decision_of(first) != NONE;
        if !seeds.iter().any(|&seed| self.scene.live[seed as usize]) {
            // Nobody in particular is to be looked at.
        } else if decides && !anew {
            // Nor may a decision that is due in this round be put off: a cycle could begin and end here.
            turn = seeds[0];
        } else {
            let own = (0..bottom.len() as u32).filter(|&process| members[process as usize] && !decides);
            let all: Vec<u32> = seeds.iter().copied().chain(own).collect();
            members = self.scene.closure(self.heads, &position.states, &all);
            let deciding = || (0..members.len()).filter(|&process| members[process] && decision_of(process) != NONE);
            let forever = |process: usize| self.heads.head(position.states[process]).decides_forever;
            match deciding().next() {
                // A decision comes first, and alone; but not where that might go on forever.
                Some(process) if !deciding().any(forever) => {
                    members.fill(false);
                    members[process] = true;
                    turn = seeds[0];
                }
                _ => {}
            }
        }
        if self.careful && self.tells_too_much(position, &members) {
            let deciding = || (0..bottom.len()).filter(|&process| decision_of(process) != NONE);
            let forever = |process: usize| self.heads.head(position.states[process]).decides_forever;
            match deciding().next() {
                Some(process) if !deciding().any(forever) => {
                    members.fill(false);
                    members[process] = true;
                    turn = seeds.first().copied().unwrap_or(NONE);
                }
                _ => members.copy_from_slice(&self.scene.live),
            }
        }
        for process in bottoms().filter(|&process| members[process]) {
            pending[process / 64] &= !(1 << (process % 64));
        }
        Some(Chosen { members, pending, turn })
    }

    /// Whether a set has a race in it, while somebody outside may decide before or after.
    fn tells_too_much(&self, position: &Position, members: &[bool]) -> bool {
        let head = |process: usize| self.heads.head(position.states[process]);
        let may_decide = |process: usize| !members[process] && self.scene.live[process] && head(process).may_decide;
        let inside = (0..members.len()).filter(|&process| members[process] && head(process).decision != NONE);
        let meetings = self.scene.meetings.iter().filter(|meeting| members[meeting.from as usize]);
        inside.count() + meetings.count() > 1 && (0..members.len()).any(may_decide)
    }

    /// Finds cycles that put off a process that could act, and looks at it in one of their nodes. Returns whether there
    /// were any.
    fn look_at_those_put_off(&mut self) -> Result<bool, StopReason> {
        if self.put_off.is_empty() {
            return Ok(false);
        }
        let nodes = self.ways.reachable();
        let mut is_reachable = vec![false; self.ways.len()];
        nodes.iter().for_each(|&node| is_reachable[node as usize] = true);
        self.put_off.retain(|&(node, _)| is_reachable[node as usize]);
        self.put_off.sort_unstable_by_key(|&(node, process)| (process, node));
        self.put_off.dedup();
        let mut looked_at = vec![false; self.ways.len() * self.layout.count];
        let mut position = Position::default();
        for &node in &nodes {
            self.layout.unpack(self.heads, self.store.row(node), &mut position);
            self.scene.look(self.heads, &position.states);
            if let Some(chosen) = self.choose(node, &position) {
                looked_at[node as usize * self.layout.count..][..self.layout.count].copy_from_slice(&chosen.members);
            }
        }
        let put_off = std::mem::take(&mut self.put_off);
        let mut again: Vec<u32> = Vec::new();
        for same in put_off.chunk_by(|one, other| one.1 == other.1) {
            if let Some(reason) = (self.limits.stop)() {
                return Err(reason);
            }
            let process = same[0].1;
            let is_put_off = |node: u32| {
                is_reachable[node as usize] && !looked_at[node as usize * self.layout.count + process as usize]
            };
            let mut graph = Graph::with_capacity(self.ways.len(), self.ways.len());
            for node in 0..self.ways.len() as u32 {
                let targets = self.ways.of(node).iter().map(|way| way.target).filter(|&target| is_put_off(target));
                graph.push(0, targets.filter(|_| is_put_off(node)));
            }
            let components = strong_components(&graph);
            let mut treated = vec![false; components.count()];
            // A node where the process can be looked at with nobody deciding first, if there is one.
            for decisions in [false, true] {
                for &(node, _) in same.iter().filter(|&&(node, _)| components.on_cycle(node)) {
                    let component = components.component_of[node as usize] as usize;
                    if treated[component] || again.contains(&node) {
                        continue;
                    }
                    self.layout.unpack(self.heads, self.store.row(node), &mut position);
                    self.scene.look(self.heads, &position.states);
                    let members = self.scene.closure(self.heads, &position.states, &[process]);
                    let heads = position.states.iter().map(|&state| self.heads.head(state));
                    let deciding = heads.zip(&members).any(|(head, member)| *member && head.decision != NONE);
                    if deciding == decisions && !self.seeds.get(&node).is_some_and(|seeds| seeds.contains(&process)) {
                        self.seeds.entry(node).or_default().push(process);
                        again.push(node);
                        treated[component] = true;
                    }
                }
            }
        }
        self.work.extend(again.iter().copied());
        // What has been put off elsewhere is still put off there.
        self.put_off = put_off;
        Ok(!again.is_empty())
    }
}
