//! Positions of the search, and the rows of bytes that are stored for them.
//!
//! A row is as small as the automata allow. It does not say what can happen in a position; `scene` does.

use super::heads::Heads;
use crate::index::{mix, spread};

/// A configuration and what is left of the round.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) states: Vec<u32>,
    /// The smallest members of the closed sets that are still to be served, as bits; none at the start of a round.
    pub(super) pending: Vec<u64>,
    /// The process whose own closed set is to be looked at, or [`NONE`].
    pub(super) turn: u32,
}

/// How a position is packed into a row of bytes.
#[derive(Debug)]
pub(super) struct Layout {
    cell: usize,
    pub(super) count: usize,
    pub(super) words: usize,
    pub(super) width: usize,
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
        Layout { cell, count, words, width: count * cell + pending + 4 }
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
    }

    pub(super) fn unpack(&self, heads: &Heads, row: &[u8], position: &mut Position) {
        let (cells, rest) = row.split_at(self.count * self.cell);
        let (pending, turn) = rest.split_at(self.count.div_ceil(8));
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
        let mut whole = [0; 4];
        whole.copy_from_slice(turn);
        position.turn = u32::from_le_bytes(whole);
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
        Packed { row, hash: position.states.iter().fold(rest, |hash, &state| hash ^ place_hash(state)) }
    }

    /// Moves a process from one state to another.
    pub(super) fn step(&mut self, layout: &Layout, heads: &Heads, process: u32, [from, to]: [u32; 2]) {
        let at = process as usize * layout.cell;
        let bytes = (to - heads.first[process as usize]).to_le_bytes();
        self.row[at..at + layout.cell].copy_from_slice(&bytes[..layout.cell]);
        self.hash ^= place_hash(from) ^ place_hash(to);
    }
}

/// No two processes share a state, so a state says whose it is.
fn place_hash(state: u32) -> u64 {
    spread(u64::from(state) + 1)
}
