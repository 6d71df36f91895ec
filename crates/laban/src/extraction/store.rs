//! Where the nodes of a search are kept: rows of words, found by hash and compared in full.
//!
//! A row has the local state of each process, in as many bits as that process needs, and then the marking. Rows that
//! are short lie one after the other. A long one is kept as what it has different from the node that it was reached
//! from, which is next to nothing, and put together again where it is needed; some are kept whole, so that there is
//! never much to put together.

use crate::index::Index;
use crate::packed::Chunks;

/// Rows of more words than this are kept as differences.
const WIDEST: usize = 32;

/// The rows of all nodes.
#[derive(Debug)]
pub(super) struct Store {
    /// How many words a row has.
    width: usize,
    /// Where in a row the marking starts.
    marking_at: usize,
    count: u32,
    rows: Rows,
    index: Index,
    /// A row that was put together.
    scratch: Vec<u32>,
}

#[derive(Debug)]
enum Rows {
    Whole(Chunks),
    Different(Differences),
}

/// Where a new row comes from: a node, and the words in which the two rows may differ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin<'a> {
    pub(super) node: u32,
    pub(super) words: &'a [u32],
}

impl Store {
    /// A store for rows of this width, with room for some of them if they are short.
    pub(super) fn new(width: usize, marking_at: usize, room: usize) -> Self {
        let rows = match width <= WIDEST {
            true => Rows::Whole(Chunks::new(width, room)),
            false => Rows::Different(Differences::new(width)),
        };
        Store { width, marking_at, count: 0, rows, index: Index::with_capacity(room), scratch: Vec::new() }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether it matters where a row comes from.
    #[inline]
    pub(super) fn wants_origins(&self) -> bool {
        matches!(self.rows, Rows::Different(_))
    }

    /// The row of a node.
    pub(super) fn row(&mut self, node: u32) -> &[u32] {
        match &self.rows {
            Rows::Whole(rows) => rows.row(node),
            Rows::Different(rows) => {
                rows.put_together(node, &mut self.scratch);
                &self.scratch
            }
        }
    }

    /// A node with this row, or else one with the same local states and a marking that is part of this row's, if it is
    /// one that may replace it.
    #[inline]
    pub(super) fn find_like(&mut self, hash: u64, row: &[u32], may_stand_in: impl Fn(u32) -> bool) -> Option<u32> {
        let Store { marking_at, rows, index, scratch, .. } = self;
        let (states, marking) = row.split_at(*marking_at);
        let alike = |node: u32, known: &[u32]| {
            let (known_states, known_marking) = known.split_at(*marking_at);
            is_same(known_states, states)
                && (is_same(known_marking, marking) || may_stand_in(node) && is_part(known_marking, marking))
        };
        match rows {
            Rows::Whole(rows) => index.find(hash, |node| alike(node, rows.row(node))),
            Rows::Different(rows) => index.find(hash, |node| {
                rows.may_be(node, row, *marking_at) && {
                    rows.put_together(node, scratch);
                    alike(node, scratch)
                }
            }),
        }
    }

    /// A node with this row that also has some property: several nodes may have the same row.
    pub(super) fn find_where(&mut self, hash: u64, row: &[u32], property: impl Fn(u32) -> bool) -> Option<u32> {
        let Store { rows, index, scratch, .. } = self;
        match rows {
            Rows::Whole(rows) => index.find(hash, |node| rows.row(node) == row && property(node)),
            Rows::Different(rows) => index.find(hash, |node| {
                property(node) && {
                    rows.put_together(node, scratch);
                    scratch == row
                }
            }),
        }
    }

    /// Removes the newest node, given its hash.
    pub(super) fn remove_last(&mut self, hash: u64) {
        let Some(last) = self.count.checked_sub(1) else { return };
        self.index.remove(hash, last);
        self.count = last;
        match &mut self.rows {
            Rows::Whole(rows) => rows.pop(),
            Rows::Different(rows) => rows.pop(),
        }
    }

    /// Adds a node.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, row: &[u32], origin: Option<Origin<'_>>) -> u32 {
        let node = self.count;
        self.count += 1;
        match &mut self.rows {
            Rows::Whole(rows) => rows.push(row),
            Rows::Different(rows) => rows.push(row, origin),
        }
        self.index.insert(hash, node);
        node
    }

    /// How many bytes the nodes take.
    pub(super) fn bytes(&self) -> usize {
        let rows = match &self.rows {
            Rows::Whole(_) => self.len() * self.width * size_of::<u32>(),
            Rows::Different(rows) => rows.bytes(),
        };
        rows + self.index.bytes()
    }
}

/// Whether two rows of the same width are the same. They are short, so this is faster than what works for any length.
#[inline]
fn is_same(one: &[u32], other: &[u32]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// Whether every mark of one marking is in the other.
fn is_part(one: &[u32], other: &[u32]) -> bool {
    one.iter().zip(other).all(|(one, other)| one & !other == 0)
}

/// Rows as what they have different from others.
#[derive(Debug)]
struct Differences {
    width: usize,
    /// How many rows there may be, one different from the other, between two that are kept whole.
    most: u32,
    nodes: Vec<Different>,
    /// The words in which rows differ from others, and what they are there.
    changes: Vec<(u32, u32)>,
    /// The rows that are kept whole.
    whole: Vec<u32>,
}

/// How a row is kept.
#[derive(Debug, Clone, Copy)]
struct Different {
    /// The node it differs from; for a row that is kept whole, its number among these.
    from: u32,
    /// How many others it takes to put it together; none for a row that is kept whole.
    steps: u32,
    /// The end of its changes.
    end: u64,
}

impl Differences {
    fn new(width: usize) -> Self {
        // A row that is kept whole costs each of those that follow it some 16 words, about as much as their changes.
        let most = (width / 16) as u32;
        Differences { width, most, nodes: Vec::new(), changes: Vec::new(), whole: Vec::new() }
    }

    /// The changes of a node.
    fn changes(&self, node: u32) -> &[(u32, u32)] {
        let start = node.checked_sub(1).map_or(0, |before| self.nodes[before as usize].end);
        &self.changes[start as usize..self.nodes[node as usize].end as usize]
    }

    fn push(&mut self, row: &[u32], origin: Option<Origin<'_>>) {
        let origin = origin.map(|origin| (origin, self.nodes[origin.node as usize].steps + 1));
        let (from, steps) = match origin.filter(|&(_, steps)| steps <= self.most) {
            Some((origin, steps)) => {
                self.changes.extend(origin.words.iter().map(|&word| (word, row[word as usize])));
                (origin.node, steps)
            }
            None => {
                self.whole.extend_from_slice(row);
                (((self.whole.len() - row.len()) / self.width) as u32, 0)
            }
        };
        self.nodes.push(Different { from, steps, end: self.changes.len() as u64 });
    }

    fn pop(&mut self) {
        let Some(Different { steps, .. }) = self.nodes.pop() else { return };
        self.changes.truncate(self.nodes.last().map_or(0, |last| last.end) as usize);
        if steps == 0 {
            self.whole.truncate(self.whole.len().saturating_sub(self.width));
        }
    }

    /// Whether the local states of a node may be those of a row, by those that it has different from others.
    fn may_be(&self, node: u32, row: &[u32], marking_at: usize) -> bool {
        self.changes(node).iter().all(|&(word, value)| word as usize >= marking_at || row[word as usize] == value)
    }

    /// Writes down the row of a node.
    fn put_together(&self, node: u32, row: &mut Vec<u32>) {
        let mut path = Vec::with_capacity(self.nodes[node as usize].steps as usize);
        let mut at = node;
        while self.nodes[at as usize].steps > 0 {
            path.push(at);
            at = self.nodes[at as usize].from;
        }
        let start = self.nodes[at as usize].from as usize * self.width;
        row.clear();
        row.extend_from_slice(&self.whole[start..start + self.width]);
        for &node in path.iter().rev() {
            self.changes(node).iter().for_each(|&(word, value)| row[word as usize] = value);
        }
    }

    fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Different>()
            + self.changes.len() * size_of::<(u32, u32)>()
            + self.whole.len() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SeededRng;

    /// Walks at random from row to row, in rows of this many words, and compares the store with a list of them.
    fn agree(seed: u64, width: usize) {
        let mut rng = SeededRng::new(seed);
        let marking_at = width / 2;
        let mut store = Store::new(width, marking_at, 0);
        let mut rows: Vec<Vec<u32>> = vec![vec![0; width]];
        let hash = |row: &[u32]| row[..marking_at].iter().fold(7, |hash, &word| crate::index::mix(hash, word.into()));
        assert_eq!(store.insert(hash(&rows[0]), &rows[0], None), 0);
        for _ in 0..200 {
            let from = rng.below_u32(rows.len() as u32);
            let words: Vec<u32> = (0..1 + rng.below_u32(3)).map(|_| rng.below_u32(width as u32)).collect();
            let mut row = rows[from as usize].clone();
            words.iter().for_each(|&word| row[word as usize] = rng.below_u32(4));
            let (states, marking) = row.split_at(marking_at);
            let may_stand_in = |node: u32| node.is_multiple_of(2);
            let fits = |node: usize, known: &[u32]| {
                let part = known[marking_at..].iter().zip(marking).all(|(known, mark)| known & !mark == 0);
                known[..marking_at] == *states && (known[marking_at..] == *marking || may_stand_in(node as u32) && part)
            };
            let known = rows.iter().enumerate().any(|(node, known)| fits(node, known));
            let found = store.find_like(hash(&row), &row, may_stand_in);
            assert_eq!(found.is_some(), known, "seed {seed}");
            assert!(found.is_none_or(|node| fits(node as usize, &rows[node as usize])), "seed {seed}");
            let same = store.find_where(hash(&row), &row, |node| node > 3);
            assert_eq!(same.is_some(), rows.iter().skip(4).any(|known| *known == row), "seed {seed}");
            if rng.below_u32(5) == 0 && rows.len() > 1 {
                let last = rows.pop().unwrap_or_default();
                store.remove_last(hash(&last));
            } else if !known {
                assert_eq!(
                    store.insert(hash(&row), &row, Some(Origin { node: from, words: &words })) as usize,
                    rows.len()
                );
                rows.push(row);
            }
            assert_eq!(store.len(), rows.len(), "seed {seed}");
            let node = rng.below_u32(rows.len() as u32);
            assert_eq!(store.row(node), rows[node as usize], "seed {seed}");
        }
    }

    #[test]
    fn rows_come_back_as_they_were_whether_they_are_kept_whole_or_not() {
        for seed in 0..200 {
            agree(seed, 3);
            agree(seed, WIDEST + 1);
            agree(seed, 8 * WIDEST);
        }
    }

    #[test]
    fn a_long_row_is_put_together_from_a_bounded_number_of_others() {
        let width = 4 * 16;
        let mut store = Store::new(width, 1, 0);
        let mut row = vec![0; width];
        for node in 0..12u32 {
            row[node as usize] = node;
            let origin = node.checked_sub(1).map(|before| Origin { node: before, words: std::slice::from_ref(&node) });
            assert_eq!(store.insert(0, &row, origin), node);
        }
        let Rows::Different(rows) = &store.rows else { unreachable!("long rows are kept as differences") };
        assert_eq!(rows.nodes.iter().map(|node| node.steps).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1]);
        let bytes = 12 * size_of::<Different>() + 9 * 8 + 3 * width * 4;
        assert_eq!(store.bytes(), bytes + store.index.bytes());
        assert_eq!(store.row(9)[..12], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0]);
    }

    #[test]
    fn short_rows_are_kept_whole_and_counted() {
        let mut store = Store::new(WIDEST, 1, 0);
        (0..3).for_each(|node| assert_eq!(store.insert(0, &[0; WIDEST], None), node));
        assert!(!store.wants_origins() && Store::new(WIDEST + 1, 1, 0).wants_origins());
        assert_eq!(store.bytes(), 3 * WIDEST * 4 + store.index.bytes());
    }
}
