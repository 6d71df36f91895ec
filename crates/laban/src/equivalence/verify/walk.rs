//! The walk: one part of a choreography in lockstep with the processes that take part in it.
//!
//! The walk goes depth first with a single row of local states, and takes back what it did when it turns to the other
//! outcome of a decision. Most nodes of a choreography have one edge that leads to them: their pairs cannot be met again and need not
//! be remembered. What is kept are the *junctions*, pairs at a decision or at a node that several edges lead to; only for the
//! latter is the row stored, found by hash and compared in full. What happens between two junctions can be read off the choreography.

use super::cast::{Cast, Part};
use super::mismatch::{Mismatch, Obstacle, Reason};
use super::{Certificate, witness};
use crate::choreography::{Choreography, Node, NodeId};
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
use crate::syntax::Symbol;
use hashbrown::HashTable;

/// No junction, no row.
pub(super) const NONE: u32 = u32::MAX;

/// A pair at a decision, at a node that may be met again, or at the start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Junction {
    /// The node of the choreography.
    pub(super) node: NodeId,
    /// Which of the stored rows is its own, if any is.
    row: u32,
    /// The junctions that it leads to: the second is for the other outcome of a decision.
    pub(super) next: [u32; 2],
}

/// An edge between junctions, by where it comes from: a junction and one of its two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    /// The junction.
    pub(super) from: u32,
    /// 0, or 1 for the second outcome of a decision.
    pub(super) side: usize,
}

/// Where the walk is, and the junctions of the part that it follows.
pub(super) struct Walk<'a> {
    pub(super) network: &'a Network,
    pub(super) choreography: &'a Choreography,
    pub(super) cast: &'a Cast,
    pub(super) certificate: Certificate,
    /// The junctions, in the order in which they were met; the first is the start.
    pub(super) junctions: Vec<Junction>,
    /// Whether the walk has come back to a junction; if not, there can be no cycle.
    pub(super) met_again: bool,
    /// The local state of each slot, of all parts.
    row: Vec<u32>,
    /// For each slot, whether it must stop in the end: its process is no service.
    must_stop: Vec<bool>,
    /// The sum of the hashes of the states in the row, of this part.
    hash: u64,
    /// How many slots of this part still run and must stop.
    running: usize,
    /// The stored rows, one after the other.
    rows: Vec<u32>,
    /// The junction and the hash of each stored row.
    stored: Vec<(u32, u64)>,
    table: HashTable<u32>,
    /// Decisions whose second outcome is still to be followed, with the length of the trail there.
    open: Vec<(u32, usize)>,
    /// Slots that have changed while a decision is open, with the states that they had.
    trail: Vec<(u32, u32)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(network: &'a Network, choreography: &'a Choreography, cast: &'a Cast) -> Self {
        let description = |process: &ProcessId| network.processes.get(process.index());
        let start = |process| description(process).map_or(NONE, |process| process.start.0);
        let must_stop = |process| description(process).is_some_and(|process| !process.service);
        Walk {
            network,
            choreography,
            cast,
            certificate: Certificate::default(),
            junctions: Vec::new(),
            met_again: false,
            row: cast.process_at.iter().map(start).collect(),
            must_stop: cast.process_at.iter().map(must_stop).collect(),
            hash: 0,
            running: 0,
            rows: Vec::new(),
            stored: Vec::new(),
            table: HashTable::new(),
            open: Vec::new(),
            trail: Vec::new(),
        }
    }

    /// Follows a part from its start to all its ends.
    pub(super) fn follow(&mut self, part: &Part) -> Result<(), Mismatch> {
        self.junctions.clear();
        self.rows.clear();
        self.stored.clear();
        self.table.clear();
        self.open.clear();
        self.trail.clear();
        self.met_again = false;
        self.hash = self.row[part.slots.clone()].iter().fold(0, |hash, &state| hash.wrapping_add(mix(state)));
        self.running = part.slots.clone().filter(|&slot| self.must_run_on(slot)).count();
        self.certificate.parts += 1;

        let mut at = part.start;
        let mut edge = Edge { from: NONE, side: 0 };
        loop {
            let node = self.choreography.node(at);
            let is_joint = self.cast.is_joint(at);
            if is_joint || edge.from == NONE || matches!(node, Node::If { .. }) {
                let (junction, is_new) = self.arrive(part, at, is_joint);
                if let Some(origin) = self.junctions.get_mut(edge.from as usize) {
                    origin.next[edge.side] = junction;
                }
                if !is_new {
                    self.met_again = true;
                    let Some(other) = self.turn_back() else { return Ok(()) };
                    (edge, at) = other;
                    continue;
                }
                edge = Edge { from: junction, side: 0 };
            }
            match node {
                Node::Interaction { interaction, next } => {
                    self.certificate.pairs += 1;
                    let [from, to] = [interaction.from, interaction.to].map(|process| self.cast.player(process).slot);
                    match self.after(interaction) {
                        Some([sent, received]) => {
                            self.put(from, sent.0);
                            self.put(to, received.0);
                        }
                        None => return Err(self.mismatch(edge, at, self.not_enabled(at, interaction))),
                    }
                    at = next;
                }
                Node::If { process, condition, then, .. } => {
                    self.certificate.pairs += 1;
                    let slot = self.cast.player(process).slot;
                    match self.state(slot) {
                        State::If { condition: here, then, .. } if here == self.cast.symbol(condition) => {
                            self.open.push((edge.from, self.trail.len()));
                            self.put(slot, then.0);
                        }
                        _ => return Err(self.mismatch(edge, at, self.not_decided(at, process))),
                    }
                    at = then;
                }
                Node::Stop if self.running == 0 => {
                    self.certificate.ends += 1;
                    let Some(other) = self.turn_back() else { return Ok(()) };
                    (edge, at) = other;
                }
                Node::Stop => {
                    let running = part.slots.clone().filter(|&slot| self.must_run_on(slot));
                    let running = running.map(|slot| (self.cast.process_at[slot], StateId(self.row[slot]))).collect();
                    return Err(self.mismatch(edge, at, Reason::StopsEarly { node: at, running }));
                }
                Node::Group { .. } => return Err(self.mismatch(edge, at, Reason::GroupNotSupported { node: at })),
            }
        }
    }

    /// Whether the walk ends a stretch between junctions at this node.
    pub(super) fn is_junction(&self, node: NodeId) -> bool {
        self.cast.is_joint(node) || matches!(self.choreography.node(node), Node::If { .. })
    }

    /// The stored row of a junction, if it has one.
    pub(super) fn stored_row(&self, part: &Part, junction: &Junction) -> Option<&[u32]> {
        let width = part.slots.len();
        let start = (junction.row as usize).checked_mul(width)?;
        self.rows.get(start..start + width).filter(|_| junction.row != NONE)
    }

    /// Whether a process that is no service is in this state and not done.
    pub(super) fn runs_in(&self, slot: usize, state: u32) -> bool {
        self.must_stop[slot] && self.network.state(StateId(state)) != State::Stop
    }

    fn must_run_on(&self, slot: usize) -> bool {
        self.runs_in(slot, self.row[slot])
    }

    #[inline]
    fn state(&self, slot: u32) -> State {
        self.network.state(StateId(self.row[slot as usize]))
    }

    /// Where an interaction takes its two processes, if both are ready for it.
    #[inline]
    fn after(&self, interaction: Interaction) -> Option<[StateId; 2]> {
        let (from, to) = (self.cast.player(interaction.from), self.cast.player(interaction.to));
        match (self.state(from.slot), self.state(to.slot), interaction.content) {
            (
                State::Send { to: receiver, expression, next },
                State::Receive { from: sender, next: received },
                Content::Value(value),
            ) if receiver == to.process && sender == from.process && expression == self.cast.symbol(value) => {
                Some([next, received])
            }
            (
                State::Select { to: receiver, label, next },
                State::Offer { from: sender, branches },
                Content::Label(named),
            ) if receiver == to.process && sender == from.process && label == self.cast.symbol(named) => {
                self.network.branch(branches, label).map(|told| [next, told])
            }
            _ => None,
        }
    }

    /// Moves a process that has not stopped.
    #[inline]
    fn put(&mut self, slot: u32, state: u32) {
        let before = std::mem::replace(&mut self.row[slot as usize], state);
        if !self.open.is_empty() {
            self.trail.push((slot, before));
        }
        self.hash = self.hash.wrapping_sub(mix(before)).wrapping_add(mix(state));
        if self.must_stop[slot as usize] && matches!(self.network.state(StateId(state)), State::Stop) {
            self.running -= 1;
        }
    }

    /// Goes back to the last decision whose second outcome is still to be followed, and takes that.
    fn turn_back(&mut self) -> Option<(Edge, NodeId)> {
        let (junction, length) = self.open.pop()?;
        while self.trail.len() > length {
            let Some((slot, before)) = self.trail.pop() else { break };
            let after = std::mem::replace(&mut self.row[slot as usize], before);
            self.hash = self.hash.wrapping_sub(mix(after)).wrapping_add(mix(before));
            if self.must_stop[slot as usize] && matches!(self.network.state(StateId(after)), State::Stop) {
                self.running += 1;
            }
        }
        // Both are decisions: the first outcome has been followed.
        let Node::If { process, otherwise: next, .. } = self.choreography.node(self.junctions[junction as usize].node)
        else {
            return None;
        };
        let slot = self.cast.player(process).slot;
        let State::If { otherwise, .. } = self.state(slot) else { return None };
        self.put(slot, otherwise.0);
        Some((Edge { from: junction, side: 1 }, next))
    }

    /// The junction of this node and the present row, and whether it is new.
    fn arrive(&mut self, part: &Part, node: NodeId, is_joint: bool) -> (u32, bool) {
        let junction = self.junctions.len() as u32;
        if !is_joint {
            self.junctions.push(Junction { node, row: NONE, next: [NONE; 2] });
            return (junction, true);
        }
        let Walk { junctions, row, rows, stored, table, .. } = self;
        let row = &row[part.slots.clone()];
        let hash = self.hash ^ mix(!node.0);
        let same = |&candidate: &u32| {
            let (junction, known_hash) = stored[candidate as usize];
            let start = candidate as usize * row.len();
            known_hash == hash && junctions[junction as usize].node == node && rows[start..start + row.len()] == *row
        };
        if let Some(&known) = table.find(hash, same) {
            return (stored[known as usize].0, false);
        }
        let number = stored.len() as u32;
        stored.push((junction, hash));
        rows.extend_from_slice(row);
        table.insert_unique(hash, number, |&known| stored[known as usize].1);
        junctions.push(Junction { node, row: number, next: [NONE; 2] });
        self.certificate.remembered += 1;
        (junction, true)
    }

    #[cold]
    fn mismatch(&self, edge: Edge, node: NodeId, reason: Reason) -> Mismatch {
        Mismatch { run: witness::run_to_node(self, edge, node), reason }
    }

    /// Who is not ready for an interaction, and why.
    #[cold]
    fn not_enabled(&self, node: NodeId, interaction: Interaction) -> Reason {
        let (from, to) = (self.cast.player(interaction.from), self.cast.player(interaction.to));
        let named = |symbol: Symbol| self.cast.symbol(symbol);
        let sender = match (self.state(from.slot), interaction.content) {
            (State::Stop, _) => Some(Obstacle::Stopped),
            (State::Send { to: receiver, expression, .. }, Content::Value(value)) if receiver == to.process => {
                (expression != named(value)).then_some(Obstacle::OtherValue)
            }
            (State::Select { to: receiver, label, .. }, Content::Label(selected)) if receiver == to.process => {
                (label != named(selected)).then_some(Obstacle::OtherLabel)
            }
            _ => Some(Obstacle::OtherAction),
        };
        let (process, slot, obstacle) = match (sender, self.state(to.slot), interaction.content) {
            (Some(obstacle), _, _) => (from.process, from.slot, obstacle),
            (None, State::Stop, _) => (to.process, to.slot, Obstacle::Stopped),
            (None, State::Offer { from: sender, .. }, Content::Label(_)) if sender == from.process => {
                (to.process, to.slot, Obstacle::NotOffered)
            }
            _ => (to.process, to.slot, Obstacle::OtherAction),
        };
        Reason::NotEnabled { node, process, state: StateId(self.row[slot as usize]), obstacle }
    }

    /// Why a process does not decide as the choreography says.
    #[cold]
    fn not_decided(&self, node: NodeId, process: ProcessId) -> Reason {
        let player = self.cast.player(process);
        let obstacle = match self.state(player.slot) {
            State::Stop => Obstacle::Stopped,
            State::If { .. } => Obstacle::OtherCondition,
            _ => Obstacle::OtherAction,
        };
        let state = StateId(self.row[player.slot as usize]);
        Reason::NotEnabled { node, process: player.process, state, obstacle }
    }
}

/// The hash of a local state; no two processes share one, so the sum of these is a good hash of a row.
#[inline]
fn mix(state: u32) -> u64 {
    let spread = (u64::from(state) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (spread ^ (spread >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
