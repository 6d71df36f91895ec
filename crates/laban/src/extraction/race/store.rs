//! Where the nodes of a search with races are kept: rows of bytes in one arena, found by hash and compared in full.

use crate::index::Index;

/// The rows of all nodes.
#[derive(Debug)]
pub(super) struct Store {
    /// How many bytes a row has.
    width: usize,
    rows: Vec<u8>,
    index: Index,
}

impl Store {
    /// A store for rows of this width.
    pub(super) fn new(width: usize) -> Self {
        Store { width, rows: Vec::new(), index: Index::default() }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// The row of a node.
    #[inline]
    pub(super) fn row(&self, node: u32) -> &[u8] {
        let start = node as usize * self.width;
        &self.rows[start..start + self.width]
    }

    /// The node with this row.
    #[inline]
    pub(super) fn find(&self, hash: u64, row: &[u8]) -> Option<u32> {
        self.index.find(hash, |node| self.row(node) == row)
    }

    /// Adds a node.
    pub(super) fn insert(&mut self, hash: u64, row: &[u8]) -> u32 {
        let node = self.len() as u32;
        self.rows.extend_from_slice(row);
        self.index.insert(hash, node);
        node
    }

    /// How many bytes the nodes take.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() + self.index.bytes()
    }
}
