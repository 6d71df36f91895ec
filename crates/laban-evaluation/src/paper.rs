//! The paper's own search, for comparison: a depth-first construction that takes back what did not work.
//!
//! It follows sections 3 and 4 of *Implementing choreography extraction*. A node has a configuration, a marking and a
//! choice path; an edge to an existing node is drawn only if that node's choice path is a prefix of the current one; a
//! loop is valid if the marking is erased on it, which is seen from the number of erasures so far (the same as the
//! paper's lists of bad nodes); building an edge gives *ok*, *fail* or *bad loop*; when the `else` part of a
//! conditional fails, what was built for `then` is removed. Without the *clever backtracking* a failure is not final:
//! the next action is tried.
//!
//! What differs from the paper: an explicit stack replaces recursion, a choice path is a number with a flag that
//! says whether it is a prefix of the current path, and stopped processes always count as marked. A `choose` is a
//! conditional with any number of outcomes. Neither races nor idle waits are known:
//! such a network is left undecided.

use crate::search::has_idle_waits;
use laban::extraction::explorer::{Explorer, Initiative};
use laban::extraction::{
    ActionId, Edge as GraphEdge, ExecutionGraph, ExtractOptions, Failure, Found, Machine, Searched, Statistics,
    Strategy, search_component,
};
use laban::network::{Network, ProcessId};
use laban::semantics::{Action, Step};
use laban::{Limits, StopReason};
use std::collections::BTreeMap;

/// Searches one component of a network the way the paper does, given its processes in their order.
pub fn search(
    network: &Network,
    processes: &[ProcessId],
    number: usize,
    options: &ExtractOptions<'_>,
    clever: bool,
) -> Searched {
    if network.has_races() || has_idle_waits(network) {
        let statistics = Statistics { nodes: 0, bad_loops: 0, bytes: 0 };
        return Searched::new(Found::Undecided(StopReason::Races), statistics);
    }
    let machine = Machine::new(network, processes);
    let seed = options.component_seed(number);
    let mut searched = Search::new(&machine, options.strategy, seed, clever).finish(&options.limits);
    // The paper's search ends with the first failure. If that is a livelock, there may be a deadlock elsewhere, and the
    // answer should not depend on which search was asked.
    if let Found::Failure(Failure::Livelock { .. }, _) = searched.found {
        let again = search_component(network, processes, number, options);
        if let Found::Failure(Failure::Deadlock { .. }, _) = again.found {
            searched.found = again.found;
        }
    }
    searched
}

/// The result of building an edge, or what follows a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Built {
    Ok,
    Fail,
}

enum End {
    Ok,
    Fail,
    Stopped(StopReason),
}

/// Where an edge leads.
enum Edge {
    /// To an existing node, and the loop is valid.
    Closed,
    BadLoop,
    /// To a new node, which is to be built next.
    New(u32),
}

/// What the paper annotates a node with, besides its configuration and marking.
#[derive(Debug, Clone, Copy)]
struct Note {
    choice: u32,
    /// How often the marking was erased on the way here.
    erasures: u32,
}

/// What has been built of a node: its action and where its first outcomes lead.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    action: Option<ActionId>,
    edges: [Option<GraphEdge>; 2],
}

/// A node that is being built.
#[derive(Debug, Clone, Copy)]
struct Frame {
    node: u32,
    /// How many actions have been tried.
    rank: u32,
    /// The current action.
    initiative: Option<Initiative>,
    /// How many nodes and choices there were before the current action.
    nodes: u32,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Choosing,
    Communication,
    /// One of several outcomes.
    Branch {
        outcome: usize,
        outcomes: usize,
        /// The choice of the branch.
        choice: u32,
    },
}

struct Search<'a> {
    actions: &'a [Action],
    strategy: Strategy,
    seed: u64,
    clever: bool,
    explorer: Explorer<'a>,
    nodes: Vec<Node>,
    /// Where outcomes after the second lead, by node and outcome.
    more: BTreeMap<(u32, usize), GraphEdge>,
    notes: Vec<Note>,
    /// For each choice path, whether it is a prefix of the current one.
    active: Vec<bool>,
    frames: Vec<Frame>,
    created: usize,
    bad_loops: usize,
    /// The first failure that was met.
    failure: Option<Failure>,
}

/// How often the search asks whether it should stop, in rounds.
const ROUNDS_BETWEEN_QUESTIONS: usize = 1024;
/// The explorer numbers its states, and this is the most that it can.
const MOST_NODES: usize = u32::MAX as usize - 2;

impl<'a> Search<'a> {
    fn new(machine: &'a Machine, strategy: Strategy, seed: u64, clever: bool) -> Self {
        Search {
            actions: machine.actions(),
            strategy,
            seed,
            clever,
            explorer: Explorer::new(machine),
            nodes: vec![Node::default()],
            more: BTreeMap::new(),
            notes: vec![Note { choice: 0, erasures: 0 }],
            active: vec![true],
            frames: Vec::new(),
            created: 1,
            bad_loops: 0,
            failure: None,
        }
    }

    fn finish(mut self, limits: &Limits<'_>) -> Searched {
        let end = self.run(limits);
        let statistics = Statistics { nodes: self.created, bad_loops: self.bad_loops, bytes: self.explorer.bytes() };
        let found = match (end, self.graph(), self.failure) {
            (End::Ok, Some(graph), _) => Found::Graph(graph),
            (End::Fail, Some(graph), Some(failure)) => Found::Failure(failure, graph),
            (End::Stopped(reason), ..) => Found::Undecided(reason),
            // A failure is always noted.
            _ => Found::Undecided(StopReason::TooManyStates),
        };
        Searched::new(found, statistics)
    }

    /// What has been built.
    fn graph(&self) -> Option<ExecutionGraph> {
        let mut edges: Vec<Vec<GraphEdge>> =
            self.nodes.iter().map(|node| node.edges.iter().flatten().copied().collect()).collect();
        for (&(node, _), &edge) in &self.more {
            if let Some(edges) = edges.get_mut(node as usize) {
                edges.push(edge);
            }
        }
        let nodes: Vec<_> =
            self.nodes.iter().zip(&edges).map(|(node, edges)| (node.action, edges.as_slice())).collect();
        ExecutionGraph::new(self.actions.to_vec(), &nodes)
    }

    /// Removes all nodes from this one on: they were made after it.
    fn remove_from(&mut self, count: u32) {
        self.explorer.forget_from(count);
        self.more.split_off(&(count, 0));
        self.notes.truncate(count as usize);
        self.nodes.truncate(count as usize);
    }

    fn frame(node: u32) -> Frame {
        Frame { node, rank: 0, initiative: None, nodes: 0, phase: Phase::Choosing }
    }

    fn run(&mut self, limits: &Limits<'_>) -> End {
        let most = limits.max_states.unwrap_or(usize::MAX);
        let mut rounds = ROUNDS_BETWEEN_QUESTIONS;
        self.frames.push(Self::frame(0));
        let mut built = None;
        while let Some(&frame) = self.frames.last() {
            rounds -= 1;
            if rounds == 0 {
                rounds = ROUNDS_BETWEEN_QUESTIONS;
                if let Some(reason) = (limits.stop)() {
                    return End::Stopped(reason);
                }
            }
            if self.created > most || self.notes.len() >= MOST_NODES {
                return End::Stopped(limits.too_many());
            }
            built = match (frame.phase, built) {
                (Phase::Choosing, _) => self.try_next(frame),
                (Phase::Communication, Some(Built::Ok)) => Some(Built::Ok),
                (Phase::Branch { outcome, outcomes, .. }, Some(Built::Ok)) => {
                    self.leave_choice(frame);
                    self.build_branches(frame, outcome + 1, outcomes)
                }
                (_, _) => self.fail(frame),
            };
            if built.is_some() {
                self.frames.pop();
            }
        }
        match built {
            Some(Built::Ok) => End::Ok,
            _ => End::Fail,
        }
    }

    fn set_phase(&mut self, phase: Phase) {
        if let Some(frame) = self.frames.last_mut() {
            frame.phase = phase;
        }
    }

    fn leave_choice(&mut self, frame: Frame) {
        if let Phase::Branch { choice, .. } = frame.phase {
            self.active[choice as usize] = false;
        }
    }

    /// What the current action led to has failed. With clever backtracking that is final.
    fn fail(&mut self, frame: Frame) -> Option<Built> {
        self.leave_choice(frame);
        if self.clever {
            return Some(Built::Fail);
        }
        self.next_action(frame);
        None
    }

    /// Takes back the current action and goes on to the next.
    fn next_action(&mut self, frame: Frame) {
        self.leave_choice(frame);
        self.remove_from(frame.nodes);
        self.nodes[frame.node as usize].edges = [None; 2];
        self.more.retain(|&(node, _), _| node != frame.node);
        if let Some(frame) = self.frames.last_mut() {
            frame.phase = Phase::Choosing;
            frame.rank += 1;
        }
    }

    /// Tries the next action of a node.
    fn try_next(&mut self, mut frame: Frame) -> Option<Built> {
        let node = frame.node;
        self.explorer.go_to(node);
        if self.explorer.is_stuck() {
            if self.explorer.all_done() {
                return Some(Built::Ok);
            }
            if self.failure.is_none() {
                self.failure = Some(Failure::Deadlock { run: self.path_run() });
            }
            return Some(Built::Fail);
        }
        let initiative = self.explorer.choose(self.strategy, self.seed, frame.rank as usize);
        let chosen = initiative.and_then(|initiative| self.explorer.action(initiative));
        let Some((action, outcomes)) = chosen else {
            if self.failure.is_none() {
                let run = self.path_run();
                let cycle = self.starving_cycle();
                self.failure = Some(Failure::Livelock { run, cycle });
            }
            return Some(Built::Fail);
        };
        self.nodes[node as usize].action = Some(action);
        frame.initiative = initiative;
        frame.nodes = self.notes.len() as u32;
        if let Some(top) = self.frames.last_mut() {
            *top = frame;
        }
        let choice = self.notes[node as usize].choice;
        if outcomes == 1 {
            return match self.build_edge(frame, 0, choice) {
                Edge::Closed => Some(Built::Ok),
                Edge::BadLoop => {
                    self.next_action(frame);
                    None
                }
                Edge::New(child) => {
                    self.set_phase(Phase::Communication);
                    self.frames.push(Self::frame(child));
                    None
                }
            };
        }
        self.build_branches(frame, 0, outcomes)
    }

    /// After an edge that closes no valid loop: tries the next action, or builds the new node first.
    fn go_on(&mut self, frame: Frame, edge: &Edge) -> Option<Built> {
        match *edge {
            Edge::New(child) => {
                self.set_phase(frame.phase);
                self.frames.push(Self::frame(child));
            }
            Edge::BadLoop | Edge::Closed => self.next_action(frame),
        }
        None
    }

    /// The outcomes before this one went well: now the others.
    fn build_branches(&mut self, mut frame: Frame, first: usize, outcomes: usize) -> Option<Built> {
        for outcome in first..outcomes {
            self.explorer.go_to(frame.node);
            let choice = self.new_choice();
            frame.phase = Phase::Branch { outcome, outcomes, choice };
            match self.build_edge(frame, outcome, choice) {
                Edge::Closed => self.leave_choice(frame),
                open => return self.go_on(frame, &open),
            }
        }
        Some(Built::Ok)
    }

    fn new_choice(&mut self) -> u32 {
        self.active.push(true);
        self.active.len() as u32 - 1
    }

    /// Draws the edge of an outcome from the node where the explorer is.
    fn build_edge(&mut self, frame: Frame, outcome: usize, choice: u32) -> Edge {
        let (notes, active) = (&self.notes, &self.active);
        let is_prefix = |node: u32| active[notes[node as usize].choice as usize];
        let arrival = frame.initiative.and_then(|initiative| self.explorer.follow(initiative, outcome, is_prefix));
        // Only what is possible is ever chosen; what is not leads nowhere.
        let Some(arrival) = arrival else { return Edge::BadLoop };
        let erasures = self.notes[frame.node as usize].erasures;
        let edge = GraphEdge::new(arrival.state, arrival.erased);
        if !arrival.is_new && !arrival.erased && self.notes[arrival.state as usize].erasures == erasures {
            self.bad_loops += 1;
            return Edge::BadLoop;
        }
        match self.nodes[frame.node as usize].edges.get_mut(outcome) {
            Some(place) => *place = Some(edge),
            None => {
                self.more.insert((frame.node, outcome), edge);
            }
        }
        if !arrival.is_new {
            return Edge::Closed;
        }
        self.nodes.push(Node::default());
        self.notes.push(Note { choice, erasures: erasures + u32::from(arrival.erased) });
        self.created += 1;
        Edge::New(arrival.state)
    }

    /// At a node where every action closes a bad loop: all these loops, one after the other.
    fn starving_cycle(&mut self) -> Vec<Step> {
        let mut cycle = Vec::new();
        let Some(&Frame { node, .. }) = self.frames.last() else { return cycle };
        let erasures = self.notes[node as usize].erasures;
        for initiative in self.explorer.enabled() {
            let Some((action, outcomes)) = self.explorer.action(initiative) else { continue };
            for outcome in 0..outcomes {
                let (notes, active) = (&self.notes, &self.active);
                let on_path = |node: u32| active[notes[node as usize].choice as usize];
                let found = self.explorer.look(initiative, outcome, on_path);
                let is_bad = |to: u32| self.notes[to as usize].erasures == erasures;
                let bad = found.filter(|arrival| !arrival.erased && is_bad(arrival.state));
                let Some(arrival) = bad else { continue };
                cycle.extend(self.step(action, outcome));
                let from = self.frames.iter().position(|frame| frame.node == arrival.state).unwrap_or(0);
                cycle.extend(self.path_steps(&self.frames[from..]));
                break;
            }
        }
        cycle
    }

    fn step(&self, action: ActionId, outcome: usize) -> Option<Step> {
        self.actions.get(action.0 as usize).and_then(|action| action.step(outcome))
    }

    /// The run along the nodes that are being built.
    fn path_run(&self) -> Vec<Step> {
        self.path_steps(&self.frames).collect()
    }

    fn path_steps(&self, frames: &[Frame]) -> impl Iterator<Item = Step> {
        frames.iter().take(frames.len().saturating_sub(1)).filter_map(|frame| {
            let outcome = match frame.phase {
                Phase::Branch { outcome, .. } => outcome,
                Phase::Choosing | Phase::Communication => 0,
            };
            self.step(self.nodes[frame.node as usize].action?, outcome)
        })
    }
}
