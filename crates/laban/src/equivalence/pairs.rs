//! The pairs of states that a comparison has reached, and the steps between them.
//!
//! A pair is a row of local states: those of the processes in the first network, then in the second. Pairs are numbered
//! in the order in which they are reached, and found again by their rows. The first is where both start.

use crate::network::StateId;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

/// A step from one pair to another: the process that takes the initiative, and the outcome if it decides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) process: u32,
    pub(super) holds: bool,
}

/// Pairs and edges.
pub(super) struct Pairs {
    width: usize,
    rows: Vec<StateId>,
    table: HashTable<u32>,
    pub(super) edges: Vec<Edge>,
}

impl Pairs {
    /// No pairs yet; rows will be that long.
    pub(super) fn new(width: usize) -> Self {
        Pairs { width, rows: Vec::new(), table: HashTable::new(), edges: Vec::new() }
    }

    pub(super) fn count(&self) -> usize {
        self.table.len()
    }

    pub(super) fn row(&self, pair: u32) -> &[StateId] {
        let start = pair as usize * self.width;
        &self.rows[start..start + self.width]
    }

    /// The pair with a row, if it has been reached.
    pub(super) fn find(&self, row: &[StateId]) -> Option<u32> {
        self.table.find(hash(row), |&pair| self.row(pair) == row).copied()
    }

    /// The pair with a row, which may be new.
    pub(super) fn insert(&mut self, row: &[StateId]) -> u32 {
        if let Some(pair) = self.find(row) {
            return pair;
        }
        let pair = self.count() as u32;
        self.rows.extend_from_slice(row);
        let (rows, width) = (&self.rows, self.width);
        self.table
            .insert_unique(hash(row), pair, |&pair| hash(&rows[pair as usize * width..(pair as usize + 1) * width]));
        pair
    }

    /// The nearest of some pairs, and the edges that lead there from the start.
    pub(super) fn shortest(&self, goals: &[u32]) -> Option<(u32, Vec<Edge>)> {
        if goals.is_empty() {
            return None;
        }
        const NOBODY: u32 = u32::MAX;
        let count = self.count();
        let mut offsets = vec![0u32; count + 1];
        self.edges.iter().for_each(|edge| offsets[edge.from as usize + 1] += 1);
        for pair in 0..count {
            offsets[pair + 1] += offsets[pair];
        }
        let mut sorted: Vec<u32> = (0..self.edges.len() as u32).collect();
        sorted.sort_by_key(|&edge| self.edges[edge as usize].from);
        let mut came_by = vec![NOBODY; count];
        let mut is_goal = vec![false; count];
        goals.iter().for_each(|&pair| is_goal[pair as usize] = true);
        let mut queue = VecDeque::from([0u32]);
        let mut goal = None;
        while let Some(pair) = queue.pop_front() {
            if is_goal[pair as usize] {
                goal = Some(pair);
                break;
            }
            for &edge in &sorted[offsets[pair as usize] as usize..offsets[pair as usize + 1] as usize] {
                let target = self.edges[edge as usize].to;
                if target != 0 && came_by[target as usize] == NOBODY {
                    came_by[target as usize] = edge;
                    queue.push_back(target);
                }
            }
        }
        let goal = goal?;
        let mut edges = Vec::new();
        let mut at = goal;
        while at != 0 {
            let edge = self.edges[came_by[at as usize] as usize];
            edges.push(edge);
            at = edge.from;
        }
        edges.reverse();
        Some((goal, edges))
    }
}

fn hash(row: &[StateId]) -> u64 {
    let mut hasher = FxHasher::default();
    for pair in row.chunks(2) {
        let high = pair.get(1).map_or(0, |state| state.0);
        ((u64::from(high) << 32) | u64::from(pair[0].0)).hash(&mut hasher);
    }
    hasher.finish()
}
