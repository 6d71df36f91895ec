//! Where the nodes of a search are kept: rows of bytes in one flat arena, found by hash and compared in full.

use crate::index::Index;

/// The rows of all nodes.
#[derive(Debug)]
pub(super) struct Store {
    /// How many bytes a row has.
    width: usize,
    /// Where in a row the marking starts.
    marking_at: usize,
    rows: Vec<u8>,
    count: u32,
    index: Index,
}

impl Store {
    /// A store for rows of this width, with room for some of them.
    pub(super) fn new(width: usize, marking_at: usize, room: usize) -> Self {
        Store { width, marking_at, rows: Vec::with_capacity(room * width), count: 0, index: Index::with_capacity(room) }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// The row of a node.
    #[inline]
    pub(super) fn row(&self, node: u32) -> &[u8] {
        let start = node as usize * self.width;
        &self.rows[start..start + self.width]
    }

    /// A node with this row, or else one with the same local states and a marking that is part of this row's, if it is
    /// one that may replace it.
    #[inline]
    pub(super) fn find_like(&self, hash: u64, row: &[u8], may_stand_in: impl Fn(u32) -> bool) -> Option<u32> {
        let (states, marking) = row.split_at(self.marking_at);
        let alike = |node: u32| {
            let (known_states, known_marking) = self.row(node).split_at(self.marking_at);
            known_states == states
                && (known_marking == marking || may_stand_in(node) && is_part(known_marking, marking))
        };
        self.index.find(hash, alike)
    }

    /// A node with this row that also has some property: several nodes may have the same row.
    pub(super) fn find_where(&self, hash: u64, row: &[u8], property: impl Fn(u32) -> bool) -> Option<u32> {
        self.index.find(hash, |node| self.row(node) == row && property(node))
    }

    /// Removes the newest node, given its hash.
    pub(super) fn remove_last(&mut self, hash: u64) {
        let Some(last) = self.count.checked_sub(1) else { return };
        self.index.remove(hash, last);
        self.count = last;
        self.rows.truncate(last as usize * self.width);
    }

    /// Adds a node.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, row: &[u8]) -> u32 {
        let node = self.count;
        self.count += 1;
        self.rows.extend_from_slice(row);
        self.index.insert(hash, node);
        node
    }

    /// How many bytes the nodes take.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() + self.index.bytes()
    }
}

/// Whether every mark of one marking is in the other.
fn is_part(one: &[u8], other: &[u8]) -> bool {
    one.iter().zip(other).all(|(one, other)| one & !other == 0)
}
