//! The paper's own search, for comparison: a depth-first construction that takes back what did not work.
//!
//! It follows sections 3 and 4 of *Implementing choreography extraction*. A node has a configuration, a marking and a
//! choice path; an edge to an existing node is drawn only if that node's choice path is a prefix of the current one; a
//! loop is valid if the marking is erased on it, which is seen from the number of erasures so far (the same as the paper's
//! lists of bad nodes); building an edge gives *ok*, *fail* or *bad loop*; when the `else` part of a conditional fails, what
//! was built for `then` is removed. Without the *clever backtracking* a failure is not final: the next action is tried.
//!
//! What differs from the paper: a stack of its own stands in for recursion, a choice path is a number with a flag that says
//! whether it is a prefix of the current path, and stopped processes always count as marked.

use super::cursor::{Cursor, Move};
use super::machine::Machine;
use super::seg::{NOWHERE, STOP, Seg, SegNode};
use super::store::Store;
use super::strategy::Strategy;
use super::{Failure, Found, Searched, Statistics};
use crate::limits::{Limits, StopReason};
use crate::semantics::Step;

/// Searches one component the way the paper does.
pub(super) fn search(machine: &Machine, strategy: Strategy, seed: u64, clever: bool, limits: &Limits<'_>) -> Searched {
    let cursor = Cursor::new(machine);
    let mut search = Search {
        machine,
        strategy,
        seed,
        clever,
        store: Store::new(cursor.width(), cursor.marking_at(), 0),
        cursor,
        cursor_at: 0,
        seg: Seg { actions: machine.actions.clone(), ..Seg::default() },
        notes: Vec::new(),
        active: vec![true],
        frames: Vec::new(),
        moves: Vec::new(),
        created: 0,
        bad_loops: 0,
        failure: None,
    };
    search.create(0, 0);
    let end = search.run(limits);
    let statistics = Statistics { nodes: search.created, bad_loops: search.bad_loops, bytes: search.store.bytes() };
    let Search { seg, failure, .. } = search;
    let found = match (end, failure) {
        (End::Ok, _) => Found::Graph(seg),
        (End::Fail, Some(failure)) => Found::Failure(failure, seg),
        (End::Stopped(reason), _) => Found::Undecided(reason),
        // A failure is always noted.
        (End::Fail, None) => Found::Undecided(StopReason::TooManyStates),
    };
    Searched { found, statistics }
}

/// What building an edge, or what follows a node, came to.
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
    hash: u64,
    choice: u32,
    /// How often the marking was erased on the way here.
    erasures: u32,
}

/// A node that is being built.
#[derive(Debug, Clone, Copy)]
struct Frame {
    node: u32,
    /// How many actions have been tried.
    rank: u32,
    /// The process at whose initiative the current action is.
    process: u32,
    /// How many nodes and choices there were before the current action.
    nodes: u32,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Choosing,
    Communication,
    /// With the choice of the branch.
    Then(u32),
    Else(u32),
}

struct Search<'a> {
    machine: &'a Machine,
    strategy: Strategy,
    seed: u64,
    clever: bool,
    store: Store,
    cursor: Cursor<'a>,
    cursor_at: u32,
    seg: Seg,
    notes: Vec<Note>,
    /// For each choice path, whether it is a prefix of the current one.
    active: Vec<bool>,
    frames: Vec<Frame>,
    moves: Vec<Move>,
    created: usize,
    bad_loops: usize,
    /// The first failure that was met.
    failure: Option<Failure>,
}

/// How often the search asks whether it should stop, in rounds.
const STEPS_BETWEEN_QUESTIONS: usize = 1024;

impl Search<'_> {
    fn create(&mut self, choice: u32, erasures: u32) -> u32 {
        let hash = self.cursor.hash();
        let node = self.store.insert(hash, &self.cursor.row);
        self.seg.nodes.push(SegNode { action: STOP, targets: [NOWHERE; 2] });
        self.seg.erasing.push(0);
        self.notes.push(Note { hash, choice, erasures });
        self.created += 1;
        node
    }

    /// Removes all nodes from this one on: they were made after it.
    fn remove_from(&mut self, count: u32) {
        for node in (count as usize..self.notes.len()).rev() {
            self.store.remove_last(self.notes[node].hash);
        }
        self.notes.truncate(count as usize);
        self.seg.nodes.truncate(count as usize);
        self.seg.erasing.truncate(count as usize);
        if self.cursor_at >= count {
            self.cursor_at = NOWHERE;
        }
    }

    fn frame(node: u32) -> Frame {
        Frame { node, rank: 0, process: 0, nodes: 0, phase: Phase::Choosing }
    }

    fn run(&mut self, limits: &Limits<'_>) -> End {
        let most = limits.max_states.unwrap_or(usize::MAX);
        let mut until_asked = STEPS_BETWEEN_QUESTIONS;
        self.frames.push(Self::frame(0));
        let mut built = None;
        while let Some(&frame) = self.frames.last() {
            until_asked -= 1;
            if until_asked == 0 {
                until_asked = STEPS_BETWEEN_QUESTIONS;
                if let Some(reason) = (limits.stop)() {
                    return End::Stopped(reason);
                }
            }
            if self.created > most || self.notes.len() >= NOWHERE as usize - 2 {
                return End::Stopped(limits.too_many());
            }
            built = match (frame.phase, built) {
                (Phase::Choosing, _) => self.try_next(frame),
                (Phase::Communication | Phase::Else(_), Some(Built::Ok)) => {
                    self.leave_choice(frame);
                    Some(Built::Ok)
                }
                (Phase::Then(choice), Some(Built::Ok)) => {
                    self.active[choice as usize] = false;
                    self.go_to(frame.node);
                    self.build_else(frame)
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
        if let Phase::Then(choice) | Phase::Else(choice) = frame.phase {
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
        self.seg.nodes[frame.node as usize].targets = [NOWHERE; 2];
        self.seg.erasing[frame.node as usize] = 0;
        if let Some(frame) = self.frames.last_mut() {
            frame.phase = Phase::Choosing;
            frame.rank += 1;
        }
    }

    fn go_to(&mut self, node: u32) {
        if self.cursor_at != node {
            self.cursor.load(self.store.row(node));
            self.cursor_at = node;
        }
    }

    /// Tries the next action of a node.
    fn try_next(&mut self, mut frame: Frame) -> Option<Built> {
        let node = frame.node;
        self.go_to(node);
        if self.cursor.is_stuck() {
            if self.cursor.all_done() {
                return Some(Built::Ok);
            }
            self.failure.get_or_insert_with(|| Failure::Deadlock { run: path_run(&self.seg, &self.frames) });
            return Some(Built::Fail);
        }
        let Some(process) = self.cursor.choose_any(self.strategy, self.seed, node, frame.rank as usize) else {
            if self.failure.is_none() {
                let run = path_run(&self.seg, &self.frames);
                let cycle = self.starving_cycle();
                self.failure = Some(Failure::Livelock { run, cycle });
            }
            return Some(Built::Fail);
        };
        let (outcomes, action) = self.cursor.action(process);
        self.seg.nodes[node as usize].action = action;
        frame.process = process;
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
        let choice = self.new_choice();
        frame.phase = Phase::Then(choice);
        match self.build_edge(frame, 0, choice) {
            Edge::Closed => {
                self.active[choice as usize] = false;
                self.go_to(node);
                self.build_else(frame)
            }
            Edge::BadLoop => {
                self.next_action(frame);
                None
            }
            Edge::New(child) => {
                self.set_phase(frame.phase);
                self.frames.push(Self::frame(child));
                None
            }
        }
    }

    /// `then` went well: now `else`.
    fn build_else(&mut self, mut frame: Frame) -> Option<Built> {
        let choice = self.new_choice();
        frame.phase = Phase::Else(choice);
        match self.build_edge(frame, 1, choice) {
            Edge::Closed => {
                self.leave_choice(frame);
                Some(Built::Ok)
            }
            Edge::BadLoop => {
                self.next_action(frame);
                None
            }
            Edge::New(child) => {
                self.set_phase(frame.phase);
                self.frames.push(Self::frame(child));
                None
            }
        }
    }

    fn new_choice(&mut self) -> u32 {
        self.active.push(true);
        self.active.len() as u32 - 1
    }

    /// Draws the edge of an outcome from the node where the cursor is.
    fn build_edge(&mut self, frame: Frame, outcome: usize, choice: u32) -> Edge {
        let mut moves = std::mem::take(&mut self.moves);
        self.cursor.moves(frame.process, outcome, &mut moves);
        let gone = self.cursor.go(&moves);
        self.moves = moves;
        let (notes, active) = (&self.notes, &self.active);
        let is_prefix = |node: u32| active[notes[node as usize].choice as usize];
        let found = self.store.find_where(self.cursor.hash(), &self.cursor.row, is_prefix);
        let erasures = self.notes[frame.node as usize].erasures;
        if let Some(target) = found {
            let valid = gone.erased || self.notes[target as usize].erasures != erasures;
            self.cursor.undo(gone);
            if !valid {
                self.bad_loops += 1;
                return Edge::BadLoop;
            }
            self.draw(frame.node, outcome, target, gone.erased);
            return Edge::Closed;
        }
        let target = self.create(choice, erasures + u32::from(gone.erased));
        self.draw(frame.node, outcome, target, gone.erased);
        self.cursor.settle();
        self.cursor_at = target;
        Edge::New(target)
    }

    fn draw(&mut self, node: u32, outcome: usize, target: u32, erased: bool) {
        self.seg.nodes[node as usize].targets[outcome] = target;
        self.seg.erasing[node as usize] |= u8::from(erased) << outcome;
    }

    /// At a node where every action closes a bad loop: all these loops, one after the other.
    fn starving_cycle(&mut self) -> Vec<Step> {
        let mut cycle = Vec::new();
        let Some(&Frame { node, .. }) = self.frames.last() else { return cycle };
        let erasures = self.notes[node as usize].erasures;
        for process in self.cursor.enabled() {
            let (outcomes, action) = self.cursor.action(process);
            let mut moves = std::mem::take(&mut self.moves);
            for outcome in 0..outcomes {
                self.cursor.moves(process, outcome, &mut moves);
                let gone = self.cursor.go(&moves);
                let (hash, row) = (self.cursor.hash(), &self.cursor.row);
                let (notes, active) = (&self.notes, &self.active);
                let on_path = |node: u32| active[notes[node as usize].choice as usize];
                let found = self.store.find_where(hash, row, on_path);
                self.cursor.undo(gone);
                let bad = found.filter(|&to| !gone.erased && self.notes[to as usize].erasures == erasures);
                let Some(target) = bad else { continue };
                cycle.extend(self.machine.actions.get(action as usize).map(|action| action.step(outcome == 0)));
                let from = self.frames.iter().position(|frame| frame.node == target).unwrap_or(0);
                cycle.extend(path_steps(&self.seg, &self.frames[from..]));
                break;
            }
            self.moves = moves;
        }
        cycle
    }
}

/// The run along the nodes that are being built.
fn path_run(seg: &Seg, frames: &[Frame]) -> Vec<Step> {
    path_steps(seg, frames).collect()
}

fn path_steps<'a>(seg: &'a Seg, frames: &'a [Frame]) -> impl Iterator<Item = Step> + 'a {
    frames.iter().take(frames.len().saturating_sub(1)).filter_map(|frame| {
        let outcome = usize::from(matches!(frame.phase, Phase::Else(_)));
        seg.step(frame.node, outcome)
    })
}
