//! Positions of the search, and the rows of bytes that are stored for them.
//!
//! A row is as small as the automata allow. It does not say what can happen in a position; `scene` does.

use super::heads::{Heads, NONE};
use crate::index::{mix, spread};

/// A configuration and what is left of the round.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) states: Vec<u32>,
    /// The smallest members of the closed sets that are still to be served, as bits; none at the start of a round.
    pub(super) pending: Vec<u64>,
    /// The process whose own closed set is to be looked at, or [`NONE`].
    pub(super) turn: u32,
    /// What lies in each queue: the number of a list of messages.
    pub(super) queues: Vec<u32>,
}

/// How a position is packed into a row of bytes.
#[derive(Debug)]
pub(super) struct Layout {
    cell: usize,
    pub(super) count: usize,
    pub(super) words: usize,
    pub(super) width: usize,
    queues: usize,
}

impl Layout {
    pub(super) fn new(heads: &Heads) -> Self {
        let count = heads.starts.len();
        let most = heads.first.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        let cell = match most {
            0..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        };
        let words = count.div_ceil(64);
        let pending = count.div_ceil(8);
        let queues = heads.queues.len();
        Layout { cell, count, words, width: count * cell + pending + 4 + 4 * queues, queues }
    }

    fn pack(&self, heads: &Heads, position: &Position, row: &mut Vec<u8>) {
        row.clear();
        for (process, &state) in position.states.iter().enumerate() {
            let bytes = (state - heads.first[process]).to_le_bytes();
            row.extend_from_slice(&bytes[..self.cell]);
        }
        let bytes = position.pending.iter().flat_map(|word| word.to_le_bytes());
        row.extend(bytes.take(self.count.div_ceil(8)));
        row.extend_from_slice(&position.turn.to_le_bytes());
        position.queues.iter().for_each(|content| row.extend_from_slice(&content.to_le_bytes()));
    }

    pub(super) fn unpack(&self, heads: &Heads, row: &[u8], position: &mut Position) {
        let (cells, rest) = row.split_at(self.count * self.cell);
        let (pending, rest) = rest.split_at(self.count.div_ceil(8));
        let (turn, queues) = rest.split_at(4);
        position.states.clear();
        for (process, bytes) in cells.chunks_exact(self.cell).enumerate() {
            let mut state = [0; 4];
            state[..self.cell].copy_from_slice(bytes);
            position.states.push(heads.first[process] + u32::from_le_bytes(state));
        }
        position.pending.clear();
        position.pending.resize(self.words, 0);
        for (word, bytes) in position.pending.iter_mut().zip(pending.chunks(8)) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(whole);
        }
        position.turn = word(turn);
        position.queues.clear();
        position.queues.extend(queues.chunks_exact(4).map(word));
    }
}

/// A position that is packed, and its hash: to move a process changes both in one place.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) row: Vec<u8>,
    pub(super) hash: u64,
}

impl Packed {
    pub(super) fn new(layout: &Layout, heads: &Heads, position: &Position) -> Self {
        let mut row = Vec::with_capacity(layout.width);
        layout.pack(heads, position, &mut row);
        let rest = position.pending.iter().fold(u64::from(position.turn), |hash, &word| mix(hash, word));
        let states = position.states.iter().fold(rest, |hash, &state| hash ^ place_hash(state));
        let queues = (0u32..).zip(&position.queues);
        Packed { row, hash: queues.fold(states, |hash, (queue, &content)| hash ^ queue_hash(queue, content)) }
    }

    /// Moves a process from one state to another.
    pub(super) fn step(&mut self, layout: &Layout, heads: &Heads, process: u32, [from, to]: [u32; 2]) {
        let at = process as usize * layout.cell;
        let bytes = (to - heads.first[process as usize]).to_le_bytes();
        self.row[at..at + layout.cell].copy_from_slice(&bytes[..layout.cell]);
        self.hash ^= place_hash(from) ^ place_hash(to);
    }

    /// Changes what lies in a queue.
    pub(super) fn refill(&mut self, layout: &Layout, queue: u32, [from, to]: [u32; 2]) {
        let at = layout.width - 4 * (layout.queues - queue as usize);
        self.row[at..at + 4].copy_from_slice(&to.to_le_bytes());
        self.hash ^= queue_hash(queue, from) ^ queue_hash(queue, to);
    }
}

fn queue_hash(queue: u32, content: u32) -> u64 {
    spread(u64::from(queue + 1) << 32 | u64::from(content))
}

/// No two processes share a state, so a state says whose it is.
fn place_hash(state: u32) -> u64 {
    spread(u64::from(state) + 1)
}

fn word(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(NONE, u32::from_le_bytes)
}
