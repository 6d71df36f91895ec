//! Where the nodes of a search are kept: rows of bytes in one flat arena, found by hash and compared in full.

use hashbrown::HashTable;

/// The rows of all nodes.
#[derive(Debug)]
pub(super) struct Store {
    /// How many bytes a row has.
    width: usize,
    /// Where in a row the marking starts.
    marking_at: usize,
    rows: Vec<u8>,
    count: u32,
    /// Nodes with half of their hashes: enough to grow the table without reading rows.
    table: HashTable<(u32, u32)>,
}

impl Store {
    pub(super) fn new(width: usize, marking_at: usize) -> Self {
        Store { width, marking_at, rows: Vec::new(), count: 0, table: HashTable::new() }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// The row of a node.
    pub(super) fn row(&self, node: u32) -> &[u8] {
        let start = node as usize * self.width;
        &self.rows[start..start + self.width]
    }

    /// A node with this row, or else one with the same local states and a marking that is part of this row's, if it is
    /// one that may stand in for it.
    pub(super) fn find_like(&self, hash: u64, row: &[u8], may_stand_in: impl Fn(u32) -> bool) -> Option<u32> {
        let short = shorten(hash);
        let (states, marking) = row.split_at(self.marking_at);
        let alike = |&(other, node): &(u32, u32)| {
            if other != short {
                return false;
            }
            let (known_states, known_marking) = self.row(node).split_at(self.marking_at);
            known_states == states
                && (known_marking == marking || may_stand_in(node) && is_part(known_marking, marking))
        };
        self.table.find(lengthen(short), alike).map(|&(_, node)| node)
    }

    /// A node with this row that also has some property: several nodes may have the same row.
    pub(super) fn find_where(&self, hash: u64, row: &[u8], property: impl Fn(u32) -> bool) -> Option<u32> {
        let short = shorten(hash);
        let same = |&(other, node): &(u32, u32)| other == short && self.row(node) == row && property(node);
        self.table.find(lengthen(short), same).map(|&(_, node)| node)
    }

    /// Removes the newest node, given its hash.
    pub(super) fn remove_last(&mut self, hash: u64) {
        let Some(last) = self.count.checked_sub(1) else { return };
        if let Ok(entry) = self.table.find_entry(lengthen(shorten(hash)), |&(_, node)| node == last) {
            entry.remove();
        }
        self.count = last;
        self.rows.truncate(last as usize * self.width);
    }

    /// Adds a node.
    pub(super) fn insert(&mut self, hash: u64, row: &[u8]) -> u32 {
        let node = self.count;
        self.count += 1;
        self.rows.extend_from_slice(row);
        let short = shorten(hash);
        self.table.insert_unique(lengthen(short), (short, node), |&(short, _)| lengthen(short));
        node
    }

    /// How many bytes the nodes take.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() + self.table.allocation_size()
    }
}

/// Whether every mark of one marking is in the other.
fn is_part(one: &[u8], other: &[u8]) -> bool {
    one.iter().zip(other).all(|(one, other)| one & !other == 0)
}

fn shorten(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// The table takes its place from the low bits and its tag from the high ones: both must come from all of the half.
fn lengthen(short: u32) -> u64 {
    u64::from(short).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
