//! Where a search is: the local states, the marking, and what is possible from there, kept up to date step by step.
//!
//! A step moves a few processes. [`Cursor::apply`] changes only what concerns these and can be undone; once a step is
//! certain, [`Cursor::commit`] brings the set of possible actions up to date, again only around the processes that
//! moved.

use super::machine::{Does, Machine};
use super::strategy::{Order, Strategy, random_place};
use crate::index::spread;

/// A set of processes, as bits.
#[derive(Debug, Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize) -> Self {
        Bits(vec![0; count.div_ceil(64)])
    }

    #[inline]
    fn set(&mut self, index: u32) {
        self.0[index as usize / 64] |= 1 << (index % 64);
    }

    #[inline]
    fn contains(&self, index: u32) -> bool {
        self.0.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    #[inline]
    fn clear(&mut self, index: u32) {
        self.0[index as usize / 64] &= !(1 << (index % 64));
    }

    #[inline]
    fn first(&self) -> Option<u32> {
        self.0.iter().position(|&word| word != 0).map(|at| at as u32 * 64 + self.0[at].trailing_zeros())
    }

    fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| at as u32 * 64 + rest.trailing_zeros())
        })
    }
}

/// A move of one process to a local state.
pub(super) type Move = (u32, u32);

/// What a step changed of one process.
#[derive(Debug, Clone, Copy)]
struct Change {
    process: u32,
    /// Where it was.
    state: u32,
    /// The byte of the marking that has its mark.
    marks: u8,
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

/// Where a search is.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    machine: &'a Machine,
    /// The local state of each process.
    pub(super) states: Vec<u32>,
    /// The same, packed as the store keeps it: states counted from the first of their process, then the marking.
    pub(super) row: Vec<u8>,
    /// How many bytes a local state takes in the row.
    cell: usize,
    /// The part of each row before the marking.
    marking_at: usize,
    /// The services and the stopped: the marking after it is erased.
    done: Vec<u8>,
    /// The random numbers of all local states, combined by exclusive or.
    hash: u64,
    /// A random number for each local state.
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
    erased: Vec<u8>,
    /// All possible actions in the order of the strategy, made when the first one did not do.
    order: Vec<(u64, u32)>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(machine: &'a Machine) -> Self {
        let count = machine.starts.len();
        let most = machine.first.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        let cell = match most {
            0..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        };
        let marking_at = count * cell;
        let width = marking_at + count.div_ceil(8);
        let mut cursor = Cursor {
            machine,
            states: machine.starts.clone(),
            row: vec![0; width],
            cell,
            marking_at,
            done: vec![0; count.div_ceil(8)],
            hash: 0,
            state_hashes: (0..machine.locals.len() as u64).map(|state| spread(state + 1)).collect(),
            unmarked: 0,
            running: 0,
            interactions: Bits::new(count),
            conditionals: Bits::new(count),
            changes: Vec::new(),
            erased: vec![0; count.div_ceil(8)],
            order: Vec::new(),
        };
        for process in 0..count as u32 {
            cursor.pack(process);
            if cursor.is_done(process) {
                cursor.row[marking_at + process as usize / 8] |= 1 << (process % 8);
            }
        }
        cursor.refresh();
        cursor
    }

    /// How many bytes a row has.
    pub(super) fn width(&self) -> usize {
        self.row.len()
    }

    /// Goes to a node, given its row.
    pub(super) fn load(&mut self, row: &[u8]) {
        self.row.copy_from_slice(row);
        for process in 0..self.states.len() {
            let at = process * self.cell;
            let packed = match self.cell {
                1 => u32::from(row[at]),
                2 => u32::from(u16::from_le_bytes([row[at], row[at + 1]])),
                _ => u32::from_le_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]),
            };
            self.states[process] = self.machine.first[process] + packed;
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

    /// Works out everything that follows from the row.
    fn refresh(&mut self) {
        self.hash = 0;
        self.unmarked = 0;
        self.running = 0;
        self.done.fill(0);
        self.interactions.0.fill(0);
        self.conditionals.0.fill(0);
        for process in 0..self.states.len() as u32 {
            let index = process as usize;
            self.hash ^= self.state_hashes[self.states[index] as usize];
            self.unmarked += u32::from(!self.is_marked(process));
            if self.is_done(process) {
                self.done[index / 8] |= 1 << (process % 8);
            } else {
                self.running += 1;
            }
            self.enable(process);
        }
    }

    pub(super) fn is_marked(&self, process: u32) -> bool {
        self.row[self.marking_at + process as usize / 8] >> (process % 8) & 1 == 1
    }

    /// A service, or a process that has stopped: nobody who could starve.
    fn is_done(&self, process: u32) -> bool {
        self.machine.locals[self.states[process as usize] as usize].done
    }

    /// Whether all but the services have stopped.
    pub(super) fn all_done(&self) -> bool {
        self.running == 0
    }

    #[inline(always)]
    fn pack(&mut self, process: u32) {
        let index = process as usize;
        let packed = self.states[index] - self.machine.first[index];
        match self.cell {
            1 => self.row[index] = packed as u8,
            2 => self.row[index * 2..index * 2 + 2].copy_from_slice(&(packed as u16).to_le_bytes()),
            _ => self.row[index * 4..index * 4 + 4].copy_from_slice(&packed.to_le_bytes()),
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
            let (byte, bit) = (index / 8, 1u8 << (index % 8));
            let old = std::mem::replace(&mut self.states[index], state);
            self.hash ^= self.state_hashes[old as usize] ^ self.state_hashes[state as usize];
            self.pack(process);
            let marks = &mut self.row[self.marking_at + byte];
            self.changes.push(Change { process, state: old, marks: *marks });
            if *marks & bit == 0 {
                *marks |= bit;
                self.unmarked -= 1;
            }
            if self.machine.locals[state as usize].done && self.done[byte] & bit == 0 {
                self.done[byte] |= bit;
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
            self.states[index] = state;
            self.pack(process);
            self.row[self.marking_at + index / 8] = marks;
            if !self.is_done(process) {
                self.done[index / 8] &= !(1 << (index % 8));
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
            let size_of = |process: u32| u64::from(self.machine.sizes[self.states[process as usize] as usize]);
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
