//! Where a search is: the local states, the marking, and what is possible from there, kept up to date step by step.
//!
//! A step moves a few processes. [`Cursor::apply`] changes only what concerns these and can be undone; once a step is
//! certain, [`Cursor::commit`] brings the set of possible actions up to date, again only around the processes that
//! moved.

use super::bits::Bits;
use super::machine::{Does, Machine};
use super::strategy::{Order, Strategy, random_place};
use crate::index::spread;
use crate::packed::{Cell, cells};

/// A move of one process to a local state.
pub(super) type Move = (u32, u32);

/// What a step changed of one process.
#[derive(Debug, Clone, Copy)]
struct Change {
    process: u32,
    /// Where it was.
    state: u32,
    /// The word of the marking that has its mark.
    marks: u32,
}

/// What it takes to undo a step, until it is committed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Undo {
    /// The marking was erased.
    pub(super) erased: bool,
    hash: u64,
    unmarked: u32,
    running: u32,
}

/// How many processes have their marks in one word of a row.
const MARKS: usize = u32::BITS as usize;

/// Where a search is.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    machine: &'a Machine,
    /// The local state of each process.
    pub(super) states: Vec<u32>,
    /// The same, packed as the store keeps it, and then the marking; just the marking if there is no store.
    pub(super) row: Vec<u32>,
    /// Where the local states are in the row; empty if they are not.
    cells: Vec<Cell>,
    /// How many words come before the marking.
    marking_at: usize,
    /// The services and the stopped: the marking after it is erased.
    done: Vec<u32>,
    /// The random numbers of all local states, combined by exclusive or, if they are in the row.
    hash: u64,
    /// A random number for each local state, if they are in the row.
    state_hashes: Vec<u64>,
    /// How many processes are not marked.
    unmarked: u32,
    /// How many processes are neither services nor done.
    running: u32,
    /// Processes whose interaction, or conditional, is possible.
    interactions: Bits,
    conditionals: Bits,
    /// The last step.
    changes: Vec<Change>,
    /// The marking that the last step erased, if it did.
    erased: Vec<u32>,
    /// All possible actions in the order of the strategy, made when the first one did not do.
    order: Vec<(u64, u32)>,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start, with rows and hashes for a store.
    pub(super) fn new(machine: &'a Machine) -> Self {
        let (cells, marking_at) = cells(machine.first.windows(2).map(|pair| pair[0]..pair[1]));
        let state_hashes = (0..machine.locals.len() as u64).map(|state| spread(state + 1)).collect();
        Cursor::with_cells(machine, cells, marking_at, state_hashes)
    }

    /// A cursor at the start for a search that goes nowhere twice: it has no rows.
    pub(super) fn without_rows(machine: &'a Machine) -> Self {
        Cursor::with_cells(machine, Vec::new(), 0, Vec::new())
    }

    fn with_cells(machine: &'a Machine, cells: Vec<Cell>, marking_at: usize, state_hashes: Vec<u64>) -> Self {
        let count = machine.starts.len();
        let marking = count.div_ceil(MARKS);
        let mut cursor = Cursor {
            machine,
            states: machine.starts.clone(),
            row: vec![0; marking_at + marking],
            cells,
            marking_at,
            done: vec![0; marking],
            hash: 0,
            state_hashes,
            unmarked: 0,
            running: 0,
            interactions: Bits::new(count),
            conditionals: Bits::new(count),
            changes: Vec::new(),
            erased: vec![0; marking],
            order: Vec::new(),
        };
        for (cell, &state) in cursor.cells.iter().zip(&cursor.states) {
            cell.put(&mut cursor.row, state);
        }
        for process in 0..count as u32 {
            if cursor.is_done(process) {
                cursor.row[marking_at + process as usize / MARKS] |= 1 << (process as usize % MARKS);
            }
        }
        cursor.refresh();
        cursor
    }

    /// How many words a row has.
    pub(super) fn width(&self) -> usize {
        self.row.len()
    }

    /// Goes to a node, given its row.
    pub(super) fn load(&mut self, row: &[u32]) {
        self.row.copy_from_slice(row);
        for (state, cell) in self.states.iter_mut().zip(&self.cells) {
            *state = cell.get(row);
        }
        self.refresh();
    }

    /// The hash of the local states; the marking does not count.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// How much of a row is local states; the rest is the marking.
    pub(super) fn marking_at(&self) -> usize {
        self.marking_at
    }

    /// Adds the words of the row that the last step may have changed.
    pub(super) fn changed_words(&self, step: Undo, words: &mut Vec<u32>) {
        for change in &self.changes {
            let process = change.process as usize;
            words.extend(self.cells.get(process).map(|cell| cell.word));
            words.push((self.marking_at + process / MARKS) as u32);
        }
        if step.erased {
            let marking = self.erased.iter().zip(&self.row[self.marking_at..]).zip(self.marking_at as u32..);
            words.extend(marking.filter(|((before, now), _)| before != now).map(|(_, word)| word));
        }
    }

    /// Works out everything that follows from the row.
    fn refresh(&mut self) {
        self.hash = 0;
        self.unmarked = 0;
        self.running = 0;
        self.done.fill(0);
        self.interactions.clear_all();
        self.conditionals.clear_all();
        for process in 0..self.states.len() as u32 {
            let index = process as usize;
            self.hash ^= self.state_hashes.get(self.states[index] as usize).copied().unwrap_or(0);
            self.unmarked += u32::from(!self.is_marked(process));
            if self.is_done(process) {
                self.done[index / MARKS] |= 1 << (index % MARKS);
            } else {
                self.running += 1;
            }
            self.enable(process);
        }
    }

    pub(super) fn is_marked(&self, process: u32) -> bool {
        self.row[self.marking_at + process as usize / MARKS] >> (process as usize % MARKS) & 1 == 1
    }

    /// A service, or a process that has stopped: nobody who could starve.
    fn is_done(&self, process: u32) -> bool {
        self.machine.locals[self.states[process as usize] as usize].done
    }

    /// Whether all but the services have stopped.
    pub(super) fn all_done(&self) -> bool {
        self.running == 0
    }

    /// Brings the row and the hash up to date when a process has moved.
    #[inline(always)]
    fn repack(&mut self, process: usize, old: u32, new: u32) {
        if let Some(cell) = self.cells.get(process) {
            cell.replace(&mut self.row, old, new);
            self.hash ^= self.state_hashes[old as usize] ^ self.state_hashes[new as usize];
        }
    }

    /// Moves processes; they have acted. The possible actions are not up to date afterwards, until the step is undone
    /// or committed.
    #[inline]
    pub(super) fn apply(&mut self, moves: &[Move]) -> Undo {
        let before = Undo { erased: false, hash: self.hash, unmarked: self.unmarked, running: self.running };
        self.changes.clear();
        for &(process, state) in moves {
            let index = process as usize;
            let (word, bit) = (index / MARKS, 1u32 << (index % MARKS));
            let old = std::mem::replace(&mut self.states[index], state);
            self.repack(index, old, state);
            let marks = &mut self.row[self.marking_at + word];
            self.changes.push(Change { process, state: old, marks: *marks });
            if *marks & bit == 0 {
                *marks |= bit;
                self.unmarked -= 1;
            }
            if self.machine.locals[state as usize].done && self.done[word] & bit == 0 {
                self.done[word] |= bit;
                self.running -= 1;
            }
        }
        let erased = self.unmarked == 0;
        if erased {
            let marking = &mut self.row[self.marking_at..];
            self.erased.copy_from_slice(marking);
            marking.copy_from_slice(&self.done);
            self.unmarked = self.running;
        }
        Undo { erased, ..before }
    }

    /// Takes the interaction at the initiative of a process, for good, where there are no rows. Returns whether the
    /// marking is erased.
    #[inline]
    pub(super) fn advance(&mut self, process: u32) -> bool {
        let machine = self.machine;
        let local = machine.locals[self.states[process as usize] as usize];
        let other = machine.locals[self.states[local.partner as usize] as usize];
        let told = match local.does {
            Does::Select => machine.branch(other, local.datum).unwrap_or(other.next),
            _ => other.next,
        };
        for (process, state) in [(process, local.next), (local.partner, told)] {
            let (word, bit) = (process as usize / MARKS, 1u32 << (process as usize % MARKS));
            self.states[process as usize] = state;
            self.unmarked -= u32::from(self.row[word] & bit == 0);
            self.row[word] |= bit;
            if machine.locals[state as usize].done && self.done[word] & bit == 0 {
                self.done[word] |= bit;
                self.running -= 1;
            }
        }
        let erased = self.unmarked == 0;
        if erased {
            self.row.copy_from_slice(&self.done);
            self.unmarked = self.running;
        }
        self.interactions.clear(process);
        self.enable(process);
        self.enable(local.partner);
        erased
    }

    /// Whether the step would erase the marking.
    pub(super) fn would_erase(&self, moves: &[Move]) -> bool {
        let fresh = moves.iter().filter(|&&(process, _)| !self.is_marked(process)).count();
        self.unmarked == fresh as u32
    }

    /// Takes back the last step.
    pub(super) fn undo(&mut self, step: Undo) {
        if step.erased {
            self.row[self.marking_at..].copy_from_slice(&self.erased);
        }
        while let Some(Change { process, state, marks }) = self.changes.pop() {
            let index = process as usize;
            let new = std::mem::replace(&mut self.states[index], state);
            self.repack(index, new, state);
            self.row[self.marking_at + index / MARKS] = marks;
            if !self.is_done(process) {
                self.done[index / MARKS] &= !(1 << (index % MARKS));
            }
        }
        self.hash = step.hash;
        self.unmarked = step.unmarked;
        self.running = step.running;
    }

    /// Keeps the last step: brings the possible actions up to date.
    #[inline]
    pub(super) fn commit(&mut self) {
        for change in &self.changes {
            self.interactions.clear(change.process);
            self.conditionals.clear(change.process);
        }
        for at in 0..self.changes.len() {
            self.enable(self.changes[at].process);
        }
    }

    /// Finds out whether what a process does is possible now, on its own initiative or on its partner's.
    #[inline]
    fn enable(&mut self, process: u32) {
        let local = self.machine.locals[self.states[process as usize] as usize];
        match local.does {
            Does::Stop => {}
            Does::If | Does::Choose => self.conditionals.set(process),
            Does::Send | Does::Select => {
                if self.meets(process, local.partner) {
                    self.interactions.set(process);
                }
            }
            Does::Receive | Does::Offer => {
                if self.meets(local.partner, process) {
                    self.interactions.set(local.partner);
                }
            }
        }
    }

    /// Whether one process sends or selects what the other takes.
    #[inline(always)]
    fn meets(&self, from: u32, to: u32) -> bool {
        let local = |process: u32| self.machine.locals[self.states[process as usize] as usize];
        let (sender, receiver) = (local(from), local(to));
        if sender.partner != to || receiver.partner != from {
            return false;
        }
        match (sender.does, receiver.does) {
            (Does::Send, Does::Receive) => true,
            (Does::Select, Does::Offer) => self.machine.branch(receiver, sender.datum).is_some(),
            _ => false,
        }
    }

    /// The moves of the action at the initiative of a process, one row of them for each outcome.
    #[inline(always)]
    pub(super) fn moves(&self, process: u32, outcome: usize, moves: &mut Vec<Move>) {
        moves.clear();
        let local = self.machine.locals[self.states[process as usize] as usize];
        match local.does {
            Does::If => moves.push((process, if outcome == 0 { local.next } else { local.partner })),
            Does::Choose => self.chosen(process, outcome, moves),
            _ => {
                let other = self.machine.locals[self.states[local.partner as usize] as usize];
                let told = match local.does {
                    Does::Select => self.machine.branch(other, local.datum).unwrap_or(other.next),
                    _ => other.next,
                };
                moves.push((process, local.next));
                moves.push((local.partner, told));
            }
        }
    }

    #[cold]
    fn chosen(&self, process: u32, outcome: usize, moves: &mut Vec<Move>) {
        let state = self.states[process as usize];
        let first = self.machine.locals[state as usize].datum as usize;
        moves.push((process, self.machine.branches.get(first + outcome).map_or(state, |arm| arm.1)));
    }

    /// How many outcomes the action at the initiative of a process has, and its number.
    #[inline]
    pub(super) fn action(&self, process: u32) -> (usize, u32) {
        let local = self.machine.locals[self.states[process as usize] as usize];
        let outcomes = match local.does {
            Does::If => 2,
            Does::Choose => (local.next - local.datum) as usize,
            _ => 1,
        };
        (outcomes, local.action)
    }

    /// The process whose action comes first, or after `rank` others.
    #[inline(always)]
    pub(super) fn choose(&mut self, strategy: Strategy, seed: u64, node: u32, rank: usize) -> Option<u32> {
        if rank == 0 && !strategy.unmarked_first {
            match strategy.order {
                Order::InteractionsFirst => return self.interactions.first().or_else(|| self.conditionals.first()),
                Order::ConditionalsFirst => return self.conditionals.first().or_else(|| self.interactions.first()),
                _ => {}
            }
        }
        self.choose_ranked(strategy, seed, node, rank)
    }

    #[inline(never)]
    fn choose_ranked(&mut self, strategy: Strategy, seed: u64, node: u32, rank: usize) -> Option<u32> {
        if rank <= 1 {
            self.rank_all(strategy, seed, node);
        }
        self.order.get(rank).map(|&(_, process)| process)
    }

    /// The same for a search that comes back to a node after it has been elsewhere.
    pub(super) fn choose_any(&mut self, strategy: Strategy, seed: u64, node: u32, rank: usize) -> Option<u32> {
        if rank > 1 {
            self.rank_all(strategy, seed, node);
        }
        self.choose(strategy, seed, node, rank)
    }

    /// Sorts all possible actions.
    fn rank_all(&mut self, strategy: Strategy, seed: u64, node: u32) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        let interactions = self.interactions.iter().map(|process| (process, false));
        let conditionals = self.conditionals.iter().map(|process| (process, true));
        for (number, (process, conditional)) in (0..).zip(interactions.chain(conditionals)) {
            let local = self.machine.locals[self.states[process as usize] as usize];
            let size_of = |process: u32| self.machine.size(self.states[process as usize]);
            let size = || match conditional {
                true => size_of(process),
                false => size_of(process).max(size_of(local.partner)),
            };
            let key = match strategy.order {
                Order::Processes => u64::from(process),
                Order::InteractionsFirst => u64::from(conditional),
                Order::ConditionalsFirst => u64::from(!conditional),
                Order::SelectionsFirst => match local.does {
                    Does::Select => 0,
                    Does::Send => 1,
                    _ => 2,
                },
                Order::LongestFirst => u64::from(u32::MAX) - size(),
                Order::ShortestFirst => size(),
                Order::Random => random_place(seed, node, number),
            };
            let partner_unmarked = !conditional && !self.is_marked(local.partner);
            let late = strategy.unmarked_first && self.is_marked(process) && !partner_unmarked;
            order.push(((u64::from(late) << 63) | key, process));
        }
        order.sort_unstable();
        self.order = order;
    }

    /// Whether a process that may not wait forever will never act again, whatever the others do: everyone waits for one
    /// other, and from it the chain of waits comes to a process that has stopped, or back to itself.
    #[cold]
    #[inline(never)]
    pub(super) fn has_deadlock(&self) -> bool {
        #[derive(Clone, Copy, PartialEq)]
        enum Fate {
            Unknown,
            OnChain,
            Live,
            Dead,
        }
        let mut fate = vec![Fate::Unknown; self.states.len()];
        for initiator in self.enabled() {
            fate[initiator as usize] = Fate::Live;
            let local = self.machine.locals[self.states[initiator as usize] as usize];
            if let Some(partner) =
                fate.get_mut(local.partner as usize).filter(|_| self.interactions.contains(initiator))
            {
                *partner = Fate::Live;
            }
        }
        let mut chain: Vec<usize> = Vec::new();
        for start in 0..fate.len() {
            let mut at = start;
            while fate[at] == Fate::Unknown {
                fate[at] = Fate::OnChain;
                chain.push(at);
                let local = self.machine.locals[self.states[at] as usize];
                match local.does {
                    Does::Stop | Does::If | Does::Choose => break,
                    _ => at = local.partner as usize,
                }
            }
            let end = if fate[at] == Fate::Live { Fate::Live } else { Fate::Dead };
            chain.drain(..).for_each(|process| fate[process] = end);
        }
        let stuck = |(process, &fate): (usize, &Fate)| fate == Fate::Dead && !self.is_done(process as u32);
        fate.iter().enumerate().any(stuck)
    }

    /// Whether nothing is possible.
    pub(super) fn is_stuck(&self) -> bool {
        self.interactions.first().is_none() && self.conditionals.first().is_none()
    }

    /// Whether an action at the initiative of this process is possible.
    pub(super) fn is_enabled(&self, process: u32) -> bool {
        self.interactions.contains(process) || self.conditionals.contains(process)
    }

    /// The processes whose actions are possible.
    pub(super) fn enabled(&self) -> Vec<u32> {
        self.interactions.iter().chain(self.conditionals.iter()).collect()
    }
}
