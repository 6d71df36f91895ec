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
//!
//! Queues have room for nothing at first and get more where they must (`room`). A node says nothing about how much room
//! there was, so only the nodes where somebody is held up are looked at again.

use super::graph::{Way, Ways};
use super::heads::{Heads, NONE};
use super::position::{Layout, Packed, Position};
use super::queues::{EMPTY, Queues};
use super::scene::{Event, Kind, Scene};
use super::starvation;
use super::store::Store;
use crate::extraction::strategy::Order;
use crate::extraction::{ExtractOptions, Failure, Found, Searched, Statistics};
use crate::limits::{Limits, StopReason};
use crate::network::{Network, ProcessId};
use crate::semantics::Step;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// How many nodes are expanded before the search asks again whether it should stop.
const NODES_BETWEEN_QUESTIONS: usize = 256;

/// How many nodes are looked at, at most, for a failure once some queue would need more room than is allowed.
const NODES_AT_THE_LIMIT: usize = 1 << 17;

/// Searches one component.
pub(in crate::extraction) fn search(
    network: &Network,
    component: &[ProcessId],
    seed: u64,
    options: &ExtractOptions<'_>,
) -> Searched {
    let heads = Heads::new(network, component);
    let mut queues = Queues::new(&heads);
    for careful in [false, true] {
        let mut search = Search::new(&heads, queues, seed, options, careful);
        let found = search.run();
        let statistics = Statistics { nodes: search.store.len(), bad_loops: 0, bytes: search.store.bytes() };
        match found {
            Answer::Found(found) => return Searched { found, statistics, capacities: search.longest() },
            // What room is needed is known already.
            Answer::WithCare => queues = search.queues,
            Answer::NoRoom => {
                queues = search.queues;
                queues.open(&heads, options.queue);
                let mut walk = Search { everything: true, ..Search::new(&heads, queues, seed, options, false) };
                let found = walk.find_failure().unwrap_or(Found::Undecided(StopReason::Queues(options.queue)));
                let statistics = Statistics { nodes: statistics.nodes + walk.store.len(), ..statistics };
                return Searched { found, statistics, capacities: Vec::new() };
            }
        }
    }
    // With care, there is always an answer.
    let found = Found::Undecided(StopReason::Bounds);
    Searched { found, statistics: Statistics::default(), capacities: Vec::new() }
}

/// What a search comes to.
enum Answer {
    Found(Found),
    /// Somebody starves only if others decide with foresight: more care is needed.
    WithCare,
    /// Some queue needs more room than is allowed.
    NoRoom,
}

/// One search of a component. With care, nobody decides with foresight; without, there is no answer if somebody starves
/// only because of that.
pub(super) struct Search<'a> {
    pub(super) heads: &'a Heads,
    pub(super) layout: Layout,
    pub(super) store: Store,
    pub(super) ways: Ways,
    pub(super) scene: Scene,
    pub(super) queues: Queues,
    pub(super) work: VecDeque<u32>,
    /// Nodes, each with a process that could act there, is in no smallest closed set, and was not looked at.
    pub(super) put_off: Vec<(u32, u32)>,
    /// For each node, whether there is a race in it while somebody outside may decide before or after.
    with_foresight: Vec<bool>,
    /// For some nodes, processes that have to be looked at there.
    pub(super) seeds: BTreeMap<u32, Vec<u32>>,
    /// For each queue, the nodes where somebody would send to it and it has no room.
    pub(super) full_at: Vec<Vec<u32>>,
    /// Where there are queues: for each node, on which way from which other it was met first.
    pub(super) parents: Vec<(u32, Way)>,
    /// For local states in which some waited for each other for want of room: the nodes, and the queues.
    pub(super) stuck: FxHashMap<Vec<u32>, Vec<(u32, Vec<u32>)>>,
    pub(super) order: Order,
    pub(super) careful: bool,
    /// Whether everything that can happen is looked at, and not one closed set.
    everything: bool,
    fair: bool,
    pub(super) seed: u64,
    until_asked: usize,
    pub(super) limits: &'a Limits<'a>,
    /// How many messages a queue may hold.
    pub(super) most_room: u32,
}

/// Why the search ends early.
#[derive(Clone, Copy)]
pub(super) enum End {
    Deadlock(u32),
    /// A node, and the queue with a message that will never be taken.
    Orphan(u32, u32),
    /// A node and a later one where everything is the same, but for longer queues.
    Unbounded(u32, u32),
    NoRoom,
    Stopped(StopReason),
}

impl<'a> Search<'a> {
    fn new(heads: &'a Heads, queues: Queues, seed: u64, options: &'a ExtractOptions<'_>, careful: bool) -> Self {
        let layout = Layout::new(heads);
        let mut search = Search {
            store: Store::new(layout.width),
            heads,
            ways: Ways::default(),
            scene: Scene::default(),
            queues,
            work: VecDeque::new(),
            put_off: Vec::new(),
            with_foresight: Vec::new(),
            seeds: BTreeMap::new(),
            full_at: vec![Vec::new(); heads.queues.len()],
            parents: Vec::new(),
            stuck: FxHashMap::default(),
            order: options.strategy.order,
            careful,
            everything: false,
            fair: options.fair,
            seed,
            until_asked: NODES_BETWEEN_QUESTIONS,
            limits: &options.limits,
            most_room: options.queue,
            layout,
        };
        let start = Position {
            states: heads.starts.clone(),
            pending: vec![0; search.layout.words],
            turn: NONE,
            queues: vec![EMPTY; heads.queues.len()],
        };
        let packed = Packed::new(&search.layout, heads, &start);
        search.node(&packed, None);
        search
    }

    /// Searches from the start.
    fn run(&mut self) -> Answer {
        loop {
            match self.explore() {
                Ok(()) => {}
                Err(end) => return self.ended(end),
            }
            match self.look_at_those_put_off() {
                Ok(true) => continue,
                Ok(false) => {}
                Err(reason) => return Answer::Found(Found::Undecided(reason)),
            }
            match self.judge() {
                Ok(answer) => return answer,
                Err(queue) if self.give_room(queue).is_err() => return Answer::NoRoom,
                Err(_) => {}
            }
        }
    }

    /// Looks for a failure among everything that can happen.
    fn find_failure(&mut self) -> Option<Found> {
        let end = self.explore().err()?;
        match self.ended(end) {
            Answer::Found(found) => Some(found),
            Answer::WithCare | Answer::NoRoom => None,
        }
    }

    /// The answer when the search ends early.
    fn ended(&self, end: End) -> Answer {
        let (graph, number) = self.ways.finished(self.heads, &self.ways.reachable());
        // A node may have been reached in a way that is no longer looked at.
        let run_to = |node: u32| match number[node as usize] {
            NONE => self.path_to(node),
            number => graph.shortest_run(number),
        };
        let failure = match end {
            End::NoRoom => return Answer::NoRoom,
            End::Stopped(reason) => return Answer::Found(Found::Undecided(reason)),
            End::Deadlock(node) => Failure::Deadlock { run: run_to(node) },
            End::Orphan(node, queue) => {
                let (from, to) = self.ends_of(queue);
                Failure::Orphan { run: run_to(node), cycle: Vec::new(), from, to }
            }
            End::Unbounded(first, again) => {
                let run = self.path_to(first);
                let cycle = self.path_to(again).split_off(run.len());
                Failure::Unbounded { run, cycle }
            }
        };
        Answer::Found(Found::Failure(failure, graph))
    }

    /// Between whom a queue is.
    fn ends_of(&self, queue: u32) -> (ProcessId, ProcessId) {
        let queue = self.heads.queues[queue as usize];
        (self.heads.processes[queue.from as usize], self.heads.processes[queue.to as usize])
    }

    /// Whether somebody starves in the graph, or a message is never taken. If that may be for want of room, a queue
    /// that should have more of it.
    fn judge(&mut self) -> Result<Answer, u32> {
        let nodes = self.ways.reachable();
        let (graph, number) = self.ways.finished(self.heads, &nodes);
        let subjects = self.layout.count + self.heads.queues.len();
        let mut position = Position::default();
        let mut may_wait = vec![false; self.ways.len() * subjects];
        for &node in &nodes {
            self.layout.unpack(self.heads, self.store.row(node), &mut position);
            let processes = position.states.iter().map(|&state| self.heads.head(state).may_wait);
            let queues = position.queues.iter().map(|&content| content == EMPTY);
            for (subject, waits) in processes.chain(queues).enumerate() {
                may_wait[node as usize * subjects + subject] = waits;
            }
        }
        // Who waits to send never waits forever: with more room, it sends.
        for (queue, full_at) in self.heads.queues.iter().zip(&self.full_at) {
            full_at.iter().for_each(|&node| may_wait[node as usize * subjects + queue.from as usize] = false);
        }
        let waits = |node: u32, subject: u32| may_wait[node as usize * subjects + subject as usize];
        let starved =
            |waits: &dyn Fn(u32, u32) -> bool| starvation::starved(&self.ways, &nodes, self.heads, self.fair, waits);
        let foresight = |node: u32| !self.careful && self.with_foresight.get(node as usize).copied().unwrap_or(false);
        // Where nobody has foresight, who starves does.
        let found = starved(&|node, subject| foresight(node) || waits(node, subject));
        let (subject, left) = match found {
            Some(found) => found,
            None if !nodes.iter().any(|&node| foresight(node)) || starved(&waits).is_none() => {
                return Ok(Answer::Found(Found::Graph(graph)));
            }
            None => return Ok(Answer::WithCare),
        };
        let start = nodes.iter().copied().find(|&node| left[node as usize]).unwrap_or(0);
        let (lead, cycle) = starvation::lasso(&self.ways, &left, start, self.fair);
        if let Some(queue) = self.held_on(&cycle) {
            return Err(queue);
        }
        let steps = |walk: &[(u32, usize)]| -> Vec<Step> {
            walk.iter().filter_map(|&(node, number)| self.step(node, number)).collect()
        };
        let mut run = graph.shortest_run(number[start as usize]);
        run.extend(steps(&lead));
        let cycle = steps(&cycle);
        let failure = match (subject as usize).checked_sub(self.layout.count) {
            None => Failure::Livelock { run, cycle },
            Some(queue) => {
                let (from, to) = self.ends_of(queue as u32);
                Failure::Orphan { run, cycle, from, to }
            }
        };
        Ok(Answer::Found(Found::Failure(failure, graph)))
    }

    /// What happens on the way of this number from a node.
    fn step(&self, node: u32, number: usize) -> Option<Step> {
        let way = self.ways.of(node).get(number)?;
        let action = self.heads.actions.get(way.action as usize)?;
        action.step(way.outcome() as usize)
    }

    /// The node of a position, which may be new; and from where.
    fn node(&mut self, Packed { row, hash }: &Packed, parent: Option<(u32, Way)>) -> u32 {
        if let Some(known) = self.store.find(*hash, row) {
            return known;
        }
        let node = self.store.insert(*hash, row);
        self.ways.push();
        if !self.heads.queues.is_empty() {
            let none = Way { action: NONE, decided: 0, actors: [NONE; 2], target: NONE };
            self.parents.push(parent.unwrap_or((NONE, none)));
        }
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
            if self.everything && self.store.len() > NODES_AT_THE_LIMIT {
                return Err(End::NoRoom);
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
        let chosen = loop {
            self.scene.look(self.heads, &self.queues, &position);
            if !self.everything
                && let Some(queue) = self.held_up()
            {
                self.note_stuck(node, &position);
                self.give_room(queue)?;
                continue;
            }
            self.find_stuck(node, &position)?;
            if !self.stuck.is_empty() {
                self.find_growth(node, &position)?;
            }
            let Some(mut chosen) = self.choose(node, &position) else { return Ok(()) };
            if self.everything {
                // There are no rounds then.
                chosen.members.copy_from_slice(&self.scene.live);
                chosen.pending.fill(0);
                chosen.turn = NONE;
            } else if let Some(queue) = self.tied(&position, &chosen.members) {
                self.give_room(queue)?;
                continue;
            }
            break chosen;
        };
        for held in &self.scene.held {
            self.full_at[held.queue as usize].push(node);
        }
        if !self.careful && !self.fair && self.heads.has_decisions() {
            let has_foresight = self.tells_too_much(&position, &chosen.members);
            self.with_foresight.resize(self.ways.len(), false);
            self.with_foresight[node as usize] = has_foresight;
        }
        let bottom = |process: u32| self.scene.bottom[process as usize];
        for event in &self.scene.events {
            let other = if event.kind == Kind::Meeting { event.to } else { event.from };
            for process in [event.from, other] {
                if bottom(process) == NONE && !chosen.members[process as usize] {
                    self.put_off.push((node, process));
                }
            }
        }
        let mut ways = Vec::new();
        (position.pending, position.turn) = (chosen.pending, chosen.turn);
        let mut next = Packed::new(&self.layout, self.heads, &position);
        let states = &position.states;
        let events = std::mem::take(&mut self.scene.events);
        for event in events.iter().filter(|event| chosen.members[event.from as usize]) {
            let &Event { kind, from, to, sent, taken, action, queue } = event;
            let mut way = Way { action, decided: 0, actors: [from, to], target: NONE };
            let moves = [(from, [states[from as usize], sent]), (to, [states[to as usize], taken])];
            let moves = match kind {
                Kind::Meeting | Kind::Passage => &moves[..],
                Kind::Put => &moves[..1],
                Kind::Take => &moves[1..],
            };
            moves.iter().for_each(|&(process, step)| next.step(&self.layout, self.heads, process, step));
            let content = position.queues.get(queue as usize).copied().unwrap_or(NONE);
            let refilled = match kind {
                Kind::Meeting | Kind::Passage => content,
                Kind::Put => self.queues.put(content, action - 1),
                Kind::Take => self.queues.taken(content),
            };
            if refilled != content {
                next.refill(&self.layout, queue, [content, refilled]);
            }
            way.target = self.node(&next, Some((node, way)));
            if refilled != content {
                next.refill(&self.layout, queue, [refilled, content]);
            }
            moves.iter().for_each(|&(process, [from, to])| next.step(&self.layout, self.heads, process, [to, from]));
            ways.push(way);
        }
        self.scene.events = events;
        for process in (0..chosen.members.len()).filter(|&process| chosen.members[process]) {
            let (state, process) = (states[process], process as u32);
            let action = self.heads.head(state).decision;
            for (decided, &chosen) in (1..).zip(self.heads.targets(state)) {
                let mut way = Way { action, decided, actors: [process; 2], target: NONE };
                next.step(&self.layout, self.heads, process, [state, chosen]);
                way.target = self.node(&next, Some((node, way)));
                next.step(&self.layout, self.heads, process, [chosen, state]);
                ways.push(way);
            }
        }
        self.ways.set(node, &ways);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::index::spread;
    use crate::network::lower;
    use crate::syntax::parse_network;

    #[test]
    fn a_search_for_a_failure_at_the_limit_gives_up_when_there_are_too_many_nodes() {
        let network = lower(&parse_network("p { main { stop } }").tree).network.unwrap();
        let heads = Heads::new(&network, &network.process_ids().collect::<Vec<_>>());
        let options = ExtractOptions::default();
        for (everything, nodes, gives_up) in [
            (true, NODES_AT_THE_LIMIT, false),
            (true, NODES_AT_THE_LIMIT + 1, true),
            (true, NODES_AT_THE_LIMIT + 2, true),
            (false, NODES_AT_THE_LIMIT + 2, false),
        ] {
            let mut search = Search { everything, ..Search::new(&heads, Queues::new(&heads), 0, &options, false) };
            let row = vec![0; search.layout.width];
            while search.store.len() < nodes {
                search.store.insert(spread(search.store.len() as u64), &row);
                search.ways.push();
            }
            assert_eq!(matches!(search.explore(), Err(End::NoRoom)), gives_up, "{nodes}");
        }
    }
}
