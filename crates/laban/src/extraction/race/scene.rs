//! What can happen in one configuration, and in which closed sets.
//!
//! An arrow leads from each process to the partners that its head names. Who can reach nobody along the arrows that can
//! act is dead. Among the others, the smallest closed sets are the strong components that no arrow leaves, and each of
//! them has something to do. Everything is worked out anew for each configuration, into lists that are used again.

use super::heads::{Heads, NONE};

/// An interaction that can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meeting {
    /// Who sends.
    pub(super) from: u32,
    /// Who takes.
    pub(super) to: u32,
    /// Where the sender goes on.
    pub(super) sent: u32,
    /// Where the other goes on.
    pub(super) taken: u32,
    /// The number of the action.
    pub(super) action: u32,
}

/// A configuration, looked at.
#[derive(Debug, Default)]
pub(super) struct Scene {
    /// Everything that can happen between two, in the order of the senders.
    pub(super) meetings: Vec<Meeting>,
    /// For each process, whether it may act some time.
    pub(super) live: Vec<bool>,
    /// For each process, the smallest member of its smallest closed set; [`NONE`] if it is in none.
    pub(super) bottom: Vec<u32>,
    /// The arrows turned round: for each process its stretch of `sources`.
    offsets: Vec<u32>,
    sources: Vec<u32>,
    work: Vec<u32>,
    /// For Tarjan's algorithm.
    order: Vec<u32>,
    low: Vec<u32>,
    open: Vec<u32>,
    is_open: Vec<bool>,
    path: Vec<(u32, u32)>,
}

impl Scene {
    /// Looks at a configuration.
    pub(super) fn look(&mut self, heads: &Heads, states: &[u32]) {
        let count = states.len();
        self.meetings.clear();
        self.live.clear();
        self.live.resize(count, false);
        self.work.clear();
        for (from, &state) in states.iter().enumerate() {
            if heads.head(state).decision != NONE {
                self.enliven(from as u32);
            }
            for sent in heads.sends(state) {
                if let Some(taken) = heads.taken(states[sent.to as usize], from as u32, sent) {
                    let (from, to) = (from as u32, sent.to);
                    self.meetings.push(Meeting { from, to, sent: sent.next, taken, action: sent.action });
                    self.enliven(from);
                    self.enliven(to);
                }
            }
        }
        self.turn_arrows(heads, states);
        while let Some(one) = self.work.pop() {
            for at in self.offsets[one as usize]..self.offsets[one as usize + 1] {
                self.enliven(self.sources[at as usize]);
            }
        }
        self.find_bottoms(heads, states);
    }

    fn enliven(&mut self, process: u32) {
        if !std::mem::replace(&mut self.live[process as usize], true) {
            self.work.push(process);
        }
    }

    fn turn_arrows(&mut self, heads: &Heads, states: &[u32]) {
        let count = states.len();
        self.offsets.clear();
        self.offsets.resize(count + 2, 0);
        for &state in states {
            heads.partners(state).iter().for_each(|&partner| self.offsets[partner as usize + 2] += 1);
        }
        for process in 0..count {
            self.offsets[process + 2] += self.offsets[process + 1];
        }
        self.sources.clear();
        self.sources.resize(self.offsets[count + 1] as usize, 0);
        for (process, &state) in states.iter().enumerate() {
            for &partner in heads.partners(state) {
                let slot = &mut self.offsets[partner as usize + 1];
                self.sources[*slot as usize] = process as u32;
                *slot += 1;
            }
        }
    }

    /// Finds the strong components among the living that no arrow leaves: Tarjan's algorithm with an explicit stack.
    fn find_bottoms(&mut self, heads: &Heads, states: &[u32]) {
        let count = states.len();
        for list in [&mut self.order, &mut self.low, &mut self.bottom] {
            list.clear();
            list.resize(count, NONE);
        }
        self.is_open.clear();
        self.is_open.resize(count, false);
        let mut next = 0;
        for root in 0..count as u32 {
            if !self.live[root as usize] || self.order[root as usize] != NONE {
                continue;
            }
            self.path.push((root, 0));
            while let Some(&(process, arrow)) = self.path.last() {
                let index = process as usize;
                if arrow == 0 {
                    self.order[index] = next;
                    self.low[index] = next;
                    next += 1;
                    self.open.push(process);
                    self.is_open[index] = true;
                }
                let partners = heads.partners(states[index]);
                if let Some(&partner) = partners.get(arrow as usize) {
                    if let Some(last) = self.path.last_mut() {
                        last.1 += 1;
                    }
                    let other = partner as usize;
                    if !self.live[other] {
                        continue;
                    }
                    if self.order[other] == NONE {
                        self.path.push((partner, 0));
                    } else if self.is_open[other] {
                        self.low[index] = self.low[index].min(self.order[other]);
                    }
                    continue;
                }
                self.path.pop();
                if let Some(&(before, _)) = self.path.last() {
                    self.low[before as usize] = self.low[before as usize].min(self.low[index]);
                }
                if self.low[index] == self.order[index] {
                    let start = self.open.iter().rposition(|&open| open == process).unwrap_or(0);
                    let smallest = self.open[start..].iter().copied().min().unwrap_or(process);
                    for &member in &self.open[start..] {
                        self.is_open[member as usize] = false;
                        self.bottom[member as usize] = smallest;
                    }
                    // An arrow that leaves: this is no closed set.
                    let leaves = self.open[start..].iter().any(|&member| {
                        let partners = heads.partners(states[member as usize]).iter();
                        partners.into_iter().any(|&partner| {
                            self.live[partner as usize] && self.bottom[partner as usize] != smallest
                                || self.is_open[partner as usize]
                        })
                    });
                    if leaves {
                        self.open[start..].iter().for_each(|&member| self.bottom[member as usize] = NONE);
                    }
                    self.open.truncate(start);
                }
            }
        }
    }

    /// The smallest closed set that has these processes in it, as a flag for each process.
    pub(super) fn closure(&self, heads: &Heads, states: &[u32], seeds: &[u32]) -> Vec<bool> {
        let mut reached = vec![false; states.len()];
        let mut work: Vec<u32> = Vec::new();
        for &seed in seeds.iter().filter(|&&seed| self.live[seed as usize]) {
            if !std::mem::replace(&mut reached[seed as usize], true) {
                work.push(seed);
            }
        }
        while let Some(process) = work.pop() {
            for &partner in heads.partners(states[process as usize]) {
                if self.live[partner as usize] && !std::mem::replace(&mut reached[partner as usize], true) {
                    work.push(partner);
                }
            }
        }
        reached
    }
}
