//! The fast search: every node is expanded once, and nothing is ever taken back.
//!
//! A node is a row of local states with a marking: the processes that have acted since the marking was last erased,
//! always with the services and the stopped. The graph is valid when every cycle has an edge that erases the marking.
//! So the search walks depth-first along edges that do not erase, refuses those that lead back to the path, and puts
//! the targets of erasing edges on a list. `docs/algorithm.md` has the argument in full.

use super::cursor::{Cursor, Move, Undo};
use super::execution_graph::{Edge, ExecutionGraph, NOWHERE};
use super::machine::{ActionId, Machine};
use super::store::{Origin, Store};
use super::straight;
use super::strategy::Strategy;
use super::{Failure, Found, Searched, Statistics};
use crate::limits::{Limits, StopReason};
use crate::semantics::{Action, Step};

/// What is known of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Status {
    New,
    OnPath,
    Finished,
}

/// A node on the current path of edges that do not erase.
struct Frame {
    node: u32,
    /// How many of its edges are still to be followed, the last ones first.
    pending: u32,
}

/// How many nodes are expanded before the search asks again whether it should stop.
pub(super) const NODES_BETWEEN_QUESTIONS: usize = 1024;

/// Searches one component.
pub(super) fn search(
    machine: &Machine,
    actions: Vec<Action>,
    strategy: Strategy,
    seed: u64,
    limits: &Limits<'_>,
) -> Searched {
    if machine.is_straight {
        return straight::search(machine, actions, strategy, seed, limits);
    }
    let cursor = Cursor::new(machine);
    // Most actions move two processes, and most local states are met once.
    let room = machine.locals.len() / 2 + 1;
    let mut search = Search {
        strategy,
        seed,
        store: Store::new(cursor.width(), cursor.marking_at(), room),
        cursor_at: 0,
        cursor,
        graph: ExecutionGraph::with_capacity(actions, room),
        status: Vec::with_capacity(room),
        work: Vec::new(),
        path: Vec::new(),
        moves: Vec::new(),
        words: Vec::new(),
        bad_loops: 0,
        livelock: None,
    };
    search.insert(None);
    let end = search.run(limits);
    let Search { store, graph, bad_loops, livelock, .. } = search;
    let statistics = Statistics { nodes: store.len(), bad_loops, bytes: store.bytes() };
    drop(store);
    let found = match (end, livelock) {
        (End::Deadlock(node), _) => {
            let run = graph.shortest_run(node);
            Found::Failure(Failure::Deadlock { run }, graph)
        }
        (_, Some((node, cycle))) => {
            let run = graph.shortest_run(node);
            Found::Failure(Failure::Livelock { run, cycle }, graph)
        }
        (End::Done, None) => Found::Graph(graph),
        (End::Stopped(reason), None) => Found::Undecided(reason),
    };
    Searched::new(found, statistics)
}

enum End {
    Done,
    Deadlock(u32),
    Stopped(StopReason),
}

struct Search<'a> {
    strategy: Strategy,
    seed: u64,
    store: Store,
    cursor: Cursor<'a>,
    /// The node where the cursor is.
    cursor_at: u32,
    graph: ExecutionGraph,
    status: Vec<Status>,
    /// Nodes that were reached over an erasing edge, and may not be expanded yet.
    work: Vec<u32>,
    /// The current path of edges that do not erase.
    path: Vec<Frame>,
    moves: Vec<Move>,
    /// Words of a row that a step has changed.
    words: Vec<u32>,
    bad_loops: usize,
    /// The first node found at which every action closes a bad loop, and the cycle that starves somebody.
    livelock: Option<(u32, Vec<Step>)>,
}

impl Search<'_> {
    /// The node where the cursor is. A finished node with the same states and fewer marks replaces it: to
    /// forget that somebody has acted is never wrong.
    #[inline]
    fn find(&mut self) -> Option<u32> {
        let is_finished = |node: u32| self.status[node as usize] == Status::Finished;
        self.store.find_like(self.cursor.hash(), &self.cursor.row, is_finished)
    }

    /// Adds the row at the cursor as a new node, given the node that it was reached from and the step from there.
    #[inline]
    fn insert(&mut self, origin: Option<(u32, Undo)>) -> u32 {
        if let Some((_, step)) = origin.filter(|_| self.store.wants_origins()) {
            self.words.clear();
            self.cursor.changed_words(step, &mut self.words);
        }
        let origin = origin.map(|(node, _)| Origin { node, words: &self.words });
        let node = self.store.insert(self.cursor.hash(), &self.cursor.row, origin);
        self.graph.push();
        self.status.push(Status::New);
        node
    }

    fn run(&mut self, limits: &Limits<'_>) -> End {
        let most = limits.max_states.unwrap_or(usize::MAX).min(NOWHERE as usize - 2);
        let mut until_asked = NODES_BETWEEN_QUESTIONS;
        self.work.push(0);
        while let Some(node) = self.work.pop() {
            if self.status[node as usize] != Status::New {
                continue;
            }
            let mut next = Some(node);
            loop {
                if let Some(node) = next {
                    if self.store.len() > most {
                        return End::Stopped(limits.too_many());
                    }
                    until_asked -= 1;
                    if until_asked == 0 {
                        until_asked = NODES_BETWEEN_QUESTIONS;
                        if let Some(reason) = (limits.stop)() {
                            return End::Stopped(reason);
                        }
                    }
                    if !self.expand(node) {
                        return End::Deadlock(node);
                    }
                }
                let Some(frame) = self.path.last_mut() else { break };
                // The last outcome first: the cursor is there already.
                let edges = self.graph.edges(frame.node);
                next = None;
                while let Some(edge) = edges[..frame.pending as usize].last() {
                    frame.pending -= 1;
                    if !edge.erases() && self.status[edge.target() as usize] == Status::New {
                        next = Some(edge.target());
                        break;
                    }
                }
                if next.is_none() {
                    self.status[frame.node as usize] = Status::Finished;
                    self.path.pop();
                }
            }
        }
        End::Done
    }

    /// Chooses the action of a node and puts the node on the path. False if the node is a deadlock.
    fn expand(&mut self, node: u32) -> bool {
        self.status[node as usize] = Status::OnPath;
        if self.cursor_at != node {
            self.cursor.load(self.store.row(node));
            self.cursor_at = node;
        }
        self.path.push(Frame { node, pending: 0 });
        let mut rank = 0;
        while let Some(process) = self.cursor.choose(self.strategy, self.seed, node, rank) {
            if self.try_action(node, process) {
                return true;
            }
            self.bad_loops += 1;
            rank += 1;
        }
        if rank == 0 {
            return self.cursor.all_done();
        }
        // Some may wait for each other, or for the stopped, while others go on. Whoever is dead is so at every node of
        // a cycle without it, and at one of these every action closes a bad loop.
        if self.cursor.has_deadlock() {
            return false;
        }
        // Nobody can help the processes that are not marked. There is no choreography, but there may be a deadlock
        // somewhere, which is the simpler thing to tell: go on as if nothing had happened, but to somewhere else.
        if self.livelock.is_none() {
            let cycle = self.starving_cycle();
            self.livelock = Some((node, cycle));
        }
        let in_order = (0..rank).map_while(|rank| self.cursor.choose(self.strategy, self.seed, node, rank));
        let possible: Vec<u32> = in_order.collect();
        let onward = possible.iter().copied().find(|&process| self.leads_to_new(process));
        if let Some(process) = onward.or(possible.first().copied()) {
            self.take(node, process);
        }
        true
    }

    /// Whether some outcome leads to a node that is not known yet.
    fn leads_to_new(&mut self, process: u32) -> bool {
        let (outcomes, _) = self.cursor.action(process);
        (0..outcomes).any(|outcome| {
            self.cursor.moves(process, outcome, &mut self.moves);
            let step = self.cursor.apply(&self.moves);
            let found = self.find();
            self.cursor.undo(step);
            found.is_none()
        })
    }

    /// Takes the action at the initiative of a process, unless it closes a bad loop.
    fn try_action(&mut self, node: u32, process: u32) -> bool {
        let (outcomes, action) = self.cursor.action(process);
        if outcomes > 1 {
            let bad = (0..outcomes).any(|outcome| self.bad_target(process, outcome).is_some());
            if !bad {
                self.take(node, process);
            }
            return !bad;
        }
        // With one outcome, looking is going.
        self.cursor.moves(process, 0, &mut self.moves);
        let step = self.cursor.apply(&self.moves);
        let found = self.find();
        if !step.erased && found.is_some_and(|target| self.status[target as usize] == Status::OnPath) {
            self.cursor.undo(step);
            return false;
        }
        self.graph.choose(node, action);
        self.cursor_at = self.connect(node, step, found);
        self.cursor.commit();
        true
    }

    /// The node on the path that an outcome leads to without erasing the marking.
    fn bad_target(&mut self, process: u32, outcome: usize) -> Option<u32> {
        self.cursor.moves(process, outcome, &mut self.moves);
        // An edge that erases the marking cannot be bad.
        if self.cursor.would_erase(&self.moves) {
            return None;
        }
        let step = self.cursor.apply(&self.moves);
        let found = self.find();
        self.cursor.undo(step);
        found.filter(|&target| self.status[target as usize] == Status::OnPath)
    }

    /// Takes the action at the initiative of a process, with all its outcomes.
    fn take(&mut self, node: u32, process: u32) {
        let (outcomes, action) = self.cursor.action(process);
        self.graph.choose(node, action);
        for outcome in 0..outcomes {
            self.cursor.moves(process, outcome, &mut self.moves);
            let step = self.cursor.apply(&self.moves);
            let found = self.find();
            let target = self.connect(node, step, found);
            if outcome + 1 < outcomes {
                self.cursor.undo(step);
            } else {
                self.cursor.commit();
                self.cursor_at = target;
            }
        }
    }

    /// Draws the edge from a node to where the cursor has gone, and sees to it that the target is visited.
    #[inline]
    fn connect(&mut self, node: u32, step: Undo, found: Option<u32>) -> u32 {
        let target = found.unwrap_or_else(|| self.insert(Some((node, step))));
        self.graph.connect(node, Edge::new(target, step.erased));
        match self.path.last_mut() {
            Some(frame) if !step.erased => frame.pending = self.graph.edges(node).len() as u32,
            _ if self.status[target as usize] == Status::New => self.work.push(target),
            _ => {}
        }
        target
    }

    /// At a node where every action closes a bad loop: all these loops, one after the other.
    ///
    /// It is a fair run: an action that is possible somewhere on it stays possible until it is taken, so it is taken on
    /// the way or is one of those at the node. The processes that are not marked act nowhere on it.
    fn starving_cycle(&mut self) -> Vec<Step> {
        let mut place = vec![0u32; self.status.len()];
        for (index, frame) in self.path.iter().enumerate() {
            place[frame.node as usize] = index as u32;
        }
        let mut cycle = Vec::new();
        for process in self.cursor.enabled() {
            let (outcomes, action) = self.cursor.action(process);
            for outcome in 0..outcomes {
                let Some(target) = self.bad_target(process, outcome) else { continue };
                let Some(action) = self.graph.describe(ActionId(action)) else { continue };
                cycle.extend(action.step(outcome));
                let from = place[target as usize] as usize;
                for pair in self.path[from..].windows(2) {
                    let (here, there) = (pair[0].node, pair[1].node);
                    let outcome = self.graph.targets(here).position(|target| target == there);
                    cycle.extend(outcome.and_then(|outcome| self.graph.step(here, outcome)));
                }
                break;
            }
        }
        cycle
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::network::{ProcessId, lower};
    use crate::syntax::parse_network;

    /// A message goes round among so many processes, again and again.
    fn ring(count: usize) -> Machine {
        let process = |number: usize| {
            let [before, after] = [count - 1, 1].map(|step| (number + step) % count);
            let round = match number {
                0 => format!("p{after}!<x>; p{before}?"),
                _ => format!("p{before}?; p{after}!<x>"),
            };
            format!("p{number} {{ def X {{ {round}; X }} main {{ X }} }}")
        };
        let text: Vec<String> = (0..count).map(process).collect();
        let network = lower(&parse_network(&text.join(" | ")).tree).network.unwrap();
        let processes: Vec<ProcessId> = network.process_ids().collect();
        Machine::new(&network, &processes)
    }

    #[test]
    fn a_row_has_the_local_states_and_then_a_bit_for_each_process() {
        for (count, marking) in [(3, 1), (32, 1), (33, 2), (70, 3)] {
            let machine = ring(count);
            let cursor = Cursor::new(&machine);
            assert_eq!(cursor.width() - cursor.marking_at(), marking, "{count}");
            // Each is in the first of its two states, and nobody has acted.
            assert_eq!(cursor.row, vec![0; cursor.width()], "{count}");
            assert_eq!(cursor.marking_at(), count.div_ceil(32), "{count}");
        }
    }

    #[test]
    fn a_step_says_in_which_words_the_row_may_have_changed() {
        let machine = ring(70);
        let mut cursor = Cursor::new(&machine);
        let (mut moves, mut words, mut erased) = (Vec::new(), Vec::new(), 0);
        for _ in 0..300 {
            let process = cursor.enabled()[0];
            let before = cursor.row.clone();
            cursor.moves(process, 0, &mut moves);
            let step = cursor.apply(&moves);
            words.clear();
            cursor.changed_words(step, &mut words);
            let changed = (0..cursor.width()).filter(|&word| cursor.row[word] != before[word]);
            let unsaid: Vec<usize> = changed.filter(|&word| !words.contains(&(word as u32))).collect();
            assert!(unsaid.is_empty(), "{unsaid:?} are not among {words:?}");
            erased += usize::from(step.erased);
            cursor.commit();
        }
        assert!(erased > 3, "{erased}");
    }
}
