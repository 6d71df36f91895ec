//! The walk: one part of a choreography in lockstep with the processes that take part in it.
//!
//! The walk has a single row of local states. Most nodes of a choreography have one edge that leads to them: their
//! pairs cannot be met again and need not be remembered. What is kept are the *junctions*, pairs at a decision or at a
//! node that several edges lead to; only for the latter is the row stored, in few bits, found by hash and compared in
//! full. The stored rows are also the queue of what is still to be followed. Between two of them the walk goes depth
//! first, and takes back what it did when it turns to the other outcome of a decision. What happens between two
//! junctions can be read off the choreography.

use super::cast::{Cast, Part};
use super::mismatch::{Mismatch, Reason};
use super::obstacle::{Obstacle, obstacle};
use super::{Certificate, NotVerified, witness};
use crate::choreography::{Choreography, Node, NodeId};
use crate::index::{Index, spread};
use crate::limits::Limits;
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
use crate::packed::{Cell, cells};

/// No junction, no row.
pub(super) const NONE: u32 = u32::MAX;

/// After how many steps it is asked again whether there was an interrupt.
const STEPS_BETWEEN_QUESTIONS: u32 = 1 << 12;

/// A pair at a decision, at a node that may be met again, or at the start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Junction {
    /// The node of the choreography.
    pub(super) node: NodeId,
    /// Which of the stored rows is its own, if any is.
    pub(super) row: u32,
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

/// A stored row: its junction, and what the walk knows where it has this row.
pub(super) struct Stored {
    pub(super) junction: u32,
    pub(super) running: u32,
    pub(super) hash: u64,
}

/// A row that a walk has come to at a joint.
pub(super) struct Arrival {
    /// Over which edge.
    pub(super) edge: Edge,
    pub(super) node: NodeId,
    pub(super) running: u32,
    pub(super) hash: u64,
}

/// Rows that were come to, as they are stored.
#[derive(Default)]
pub(super) struct Arrivals {
    pub(super) list: Vec<Arrival>,
    pub(super) rows: Vec<u32>,
}

/// Where the walk goes on.
struct Onward {
    edge: Edge,
    at: NodeId,
    /// Whether this is the junction where the edge starts, rather than a node that the edge leads to.
    at_junction: bool,
}

/// Where the walk is, and the junctions of the part that it follows.
pub(super) struct Walk<'a> {
    pub(super) network: &'a Network,
    pub(super) choreography: &'a Choreography,
    pub(super) cast: &'a Cast,
    pub(super) certificate: Certificate,
    /// The junctions, in the order in which they were met; the first is the start.
    pub(super) junctions: Vec<Junction>,
    /// How many steps the walk has taken, in all parts.
    steps: u32,
    /// Whether the walk has come back to a junction; if not, there can be no cycle.
    pub(super) met_again: bool,
    /// The local state of each slot, of all parts.
    row: Vec<u32>,
    /// For each slot, whether it must stop in the end: its process is not a service.
    must_stop: Vec<bool>,
    /// Whether a row of this part may be met again; if not, none is hashed.
    has_joints: bool,
    /// The sum of the hashes of the states in the row, of this part.
    hash: u64,
    /// How many slots of this part still run and must stop.
    running: u32,
    /// Where the states of this part's slots are in a stored row, and how many words that has.
    cells: Vec<Cell>,
    pub(super) width: usize,
    /// The present row as it would be stored.
    packed: Vec<u32>,
    /// The stored rows, one after the other.
    pub(super) rows: Vec<u32>,
    /// What else is known of each stored row.
    pub(super) stored: Vec<Stored>,
    /// How many of the stored rows have been followed.
    pub(super) followed: usize,
    /// How many may wait to be followed before the walk stops.
    most_waiting: usize,
    table: Index,
    /// Where rows go that others store: as many places as there are others, or none.
    pub(super) sent: Vec<Arrivals>,
    /// Decisions whose second outcome is still to be followed, with the length of the trail there.
    open: Vec<(u32, usize)>,
    /// Slots that have changed while a decision is open, with the states that they had.
    trail: Vec<(u32, u32)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(network: &'a Network, choreography: &'a Choreography, cast: &'a Cast) -> Self {
        let must_stop = |process: &ProcessId| network.process(*process).is_some_and(|process| !process.service);
        Walk {
            network,
            choreography,
            cast,
            certificate: Certificate::default(),
            junctions: Vec::new(),
            steps: 0,
            met_again: false,
            row: cast.process_at.iter().map(|process| start_of(network, *process)).collect(),
            must_stop: cast.process_at.iter().map(must_stop).collect(),
            has_joints: false,
            hash: 0,
            running: 0,
            cells: Vec::new(),
            width: 0,
            packed: Vec::new(),
            rows: Vec::new(),
            stored: Vec::new(),
            followed: 0,
            most_waiting: usize::MAX,
            table: Index::default(),
            sent: Vec::new(),
            open: Vec::new(),
            trail: Vec::new(),
        }
    }

    /// Follows a part from its start to all its ends, or until it is interrupted, or until more rows wait than may.
    pub(super) fn follow(&mut self, part: &Part, limits: &Limits<'_>, most_waiting: usize) -> Result<(), NotVerified> {
        self.junctions.clear();
        self.rows.clear();
        self.stored.clear();
        self.followed = 0;
        self.most_waiting = most_waiting;
        self.table.clear();
        self.open.clear();
        self.trail.clear();
        self.met_again = false;
        self.has_joints = part.has_joints;
        self.hash = self.row[part.slots.clone()].iter().fold(0, |hash, &state| hash.wrapping_add(mix(state)));
        self.running = part.slots.clone().filter(|&slot| self.must_run_on(slot)).count() as u32;
        if part.has_joints {
            let processes = self.cast.process_at[part.slots.clone()].iter();
            let ranges = processes.map(|process| match self.network.process(*process) {
                Some(process) => process.states.start..process.states.end,
                None => 0..0,
            });
            (self.cells, self.width) = cells(ranges);
        }
        self.certificate.parts += 1;
        let start = Onward { edge: Edge { from: NONE, side: 0 }, at: part.start, at_junction: false };
        self.go_on(part, limits, start)
    }

    /// A walk of the same part that stores nothing: it sends rows to so many others.
    pub(super) fn worker(&self, others: usize) -> Self {
        let mut worker = Walk::new(self.network, self.choreography, self.cast);
        worker.has_joints = self.has_joints;
        worker.cells.clone_from(&self.cells);
        worker.width = self.width;
        worker.sent.resize_with(others, Arrivals::default);
        worker
    }

    /// Goes back to the start, as if nothing had been followed but what this certificate says.
    pub(super) fn start_again(&mut self, part: &Part, certificate: Certificate) {
        self.certificate = certificate;
        for slot in part.slots.clone() {
            self.row[slot] = start_of(self.network, self.cast.process_at[slot]);
        }
    }

    /// Whether no row waits to be followed.
    pub(super) fn is_done(&self) -> bool {
        self.followed == self.stored.len()
    }

    /// Follows the stored rows of a part, however many wait.
    pub(super) fn follow_stored(&mut self, part: &Part, limits: &Limits<'_>) -> Result<(), NotVerified> {
        self.most_waiting = usize::MAX;
        self.next_stored(part).map_or(Ok(()), |onward| self.go_on(part, limits, onward))
    }

    fn go_on(&mut self, part: &Part, limits: &Limits<'_>, mut onward: Onward) -> Result<(), NotVerified> {
        let most = limits.max_states.unwrap_or(usize::MAX);
        loop {
            // Rarely, because to ask may take longer than a step; and once at the start.
            if self.steps.is_multiple_of(STEPS_BETWEEN_QUESTIONS) {
                if let Some(reason) = (limits.stop)() {
                    return Err(NotVerified::Undecided(reason));
                }
                if self.certificate.pairs > most {
                    return Err(NotVerified::Undecided(limits.too_many()));
                }
            }
            self.steps = self.steps.wrapping_add(1);
            let at = onward.at;
            let node = self.choreography.nodes.get(at.index()).unwrap_or(&Node::Stop);
            if !onward.at_junction {
                if self.cast.is_joint(at) {
                    let junction = self.arrive(part, at, onward.edge);
                    self.link(onward.edge, junction);
                    let Some(other) = self.turn(part) else { return Ok(()) };
                    onward = other;
                    continue;
                }
                if onward.edge.from == NONE || matches!(node, Node::If { .. }) {
                    let junction = self.junctions.len() as u32;
                    self.junctions.push(Junction { node: at, row: NONE, next: [NONE; 2] });
                    self.link(onward.edge, junction);
                    onward.edge = Edge { from: junction, side: 0 };
                }
            }
            onward.at_junction = false;
            match *node {
                Node::Interaction { ref interaction, next } => {
                    self.certificate.pairs += 1;
                    if !self.interact(interaction) {
                        return Err(self.mismatch(onward.edge, at, self.not_enabled(at, *interaction)).into());
                    }
                    onward.at = next;
                }
                Node::If { process, condition, then, .. } => {
                    self.certificate.pairs += 1;
                    let slot = self.cast.player(process).slot;
                    match *self.state(slot) {
                        State::If { condition: here, then, .. } if here == self.cast.symbol(condition) => {
                            self.open.push((onward.edge.from, self.trail.len()));
                            self.put(slot, then.0);
                        }
                        _ => return Err(self.mismatch(onward.edge, at, self.not_decided(at, process)).into()),
                    }
                    onward.at = then;
                }
                Node::Stop if self.running == 0 => {
                    self.certificate.ends += 1;
                    let Some(other) = self.turn(part) else { return Ok(()) };
                    onward = other;
                }
                Node::Stop => {
                    let running = part.slots.clone().filter(|&slot| self.must_run_on(slot));
                    let running = running.map(|slot| (self.cast.process_at[slot], StateId(self.row[slot]))).collect();
                    return Err(self.mismatch(onward.edge, at, Reason::StopsEarly { node: at, running }).into());
                }
                // Choices and races have a walk of their own.
                Node::Choose { .. } | Node::Any { .. } | Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => {
                    return Err(self.mismatch(onward.edge, at, Reason::GroupNotSupported { node: at }).into());
                }
            }
        }
    }

    /// Whether the walk ends a stretch between junctions at this node.
    #[inline]
    pub(super) fn is_junction(&self, node: NodeId) -> bool {
        self.cast.is_joint(node) || matches!(self.choreography.nodes.get(node.index()), Some(Node::If { .. }))
    }

    /// The stored row of a junction, if it has one.
    pub(super) fn stored_row(&self, junction: &Junction) -> Option<Vec<u32>> {
        let start = (junction.row as usize).checked_mul(self.width)?;
        let row = self.rows.get(start..start + self.width).filter(|_| junction.row != NONE)?;
        Some(self.cells.iter().map(|cell| cell.get(row)).collect())
    }

    /// Whether a process that is not a service is in this state and not done.
    pub(super) fn runs_in(&self, slot: usize, state: u32) -> bool {
        self.must_stop[slot] && self.network.state(StateId(state)) != State::Stop
    }

    fn must_run_on(&self, slot: usize) -> bool {
        self.runs_in(slot, self.row[slot])
    }

    #[inline]
    fn state(&self, slot: u32) -> &'a State {
        // By reference, which is what makes the walk fast.
        self.network.states.get(self.row[slot as usize] as usize).unwrap_or(&State::Stop)
    }

    /// Takes an interaction, if both processes are ready for it. Returns whether they were.
    #[inline]
    fn interact(&mut self, interaction: &Interaction) -> bool {
        let (from, to) = (self.cast.player(interaction.from), self.cast.player(interaction.to));
        let (sent, received) = match (self.state(from.slot), self.state(to.slot), interaction.content) {
            (
                &State::Send { to: receiver, expression, next },
                &State::Receive { from: sender, next: received },
                Content::Value(value),
            ) if receiver == to.process && sender == from.process && expression == self.cast.symbol(value) => {
                (next, received)
            }
            (
                &State::Select { to: receiver, label, next },
                &State::Offer { from: sender, branches },
                Content::Label(named),
            ) if receiver == to.process && sender == from.process && label == self.cast.symbol(named) => {
                match self.network.branch(branches, label) {
                    Some(told) => (next, told),
                    None => return false,
                }
            }
            (
                &State::SelectValue { to: receiver, label, expression, next },
                &State::Offer { from: sender, branches },
                Content::LabelledValue { label: named, value },
            ) if receiver == to.process && sender == from.process && label == self.cast.symbol(named) => {
                match self.network.branch(branches, label) {
                    Some(told) if expression == self.cast.symbol(value) => (next, told),
                    _ => return false,
                }
            }
            _ => return false,
        };
        self.put(from.slot, sent.0);
        self.put(to.slot, received.0);
        true
    }

    /// Moves a process that has not stopped.
    #[inline]
    fn put(&mut self, slot: u32, state: u32) {
        let before = std::mem::replace(&mut self.row[slot as usize], state);
        if !self.open.is_empty() {
            self.trail.push((slot, before));
        }
        if self.has_joints {
            self.hash = self.hash.wrapping_sub(mix(before)).wrapping_add(mix(state));
        }
        if self.is_stop(state) && self.must_stop[slot as usize] {
            self.running -= 1;
        }
    }

    #[inline]
    fn is_stop(&self, state: u32) -> bool {
        self.network.states.get(state as usize).is_none_or(|state| matches!(state, State::Stop))
    }

    /// Turns to what is still to be followed: the second outcome of the last decision, or else the next stored row.
    fn turn(&mut self, part: &Part) -> Option<Onward> {
        let Some((junction, length)) = self.open.pop() else { return self.next_stored(part) };
        while self.trail.len() > length {
            let Some((slot, before)) = self.trail.pop() else { break };
            let after = std::mem::replace(&mut self.row[slot as usize], before);
            if self.has_joints {
                self.hash = self.hash.wrapping_sub(mix(after)).wrapping_add(mix(before));
            }
            if self.is_stop(after) && self.must_stop[slot as usize] {
                self.running += 1;
            }
        }
        // Both decide here, or the first outcome would not have been followed.
        let Node::If { process, otherwise: at, .. } = self.choreography.node(self.junctions[junction as usize].node)
        else {
            return None;
        };
        let slot = self.cast.player(process).slot;
        let &State::If { otherwise, .. } = self.state(slot) else { return None };
        self.put(slot, otherwise.0);
        Some(Onward { edge: Edge { from: junction, side: 1 }, at, at_junction: false })
    }

    /// Goes to the next stored row that has not been followed.
    fn next_stored(&mut self, part: &Part) -> Option<Onward> {
        if self.stored.len() - self.followed > self.most_waiting {
            return None;
        }
        let &Stored { junction, hash, running } = self.stored.get(self.followed)?;
        let start = self.followed * self.width;
        let row = &self.rows[start..start + self.width];
        for (state, cell) in self.row[part.slots.clone()].iter_mut().zip(&self.cells) {
            *state = cell.get(row);
        }
        self.hash = hash;
        self.running = running;
        self.followed += 1;
        let at = self.junctions[junction as usize].node;
        Some(Onward { edge: Edge { from: junction, side: 0 }, at, at_junction: true })
    }

    /// Notes where an edge leads.
    fn link(&mut self, edge: Edge, target: u32) {
        if let Some(origin) = self.junctions.get_mut(edge.from as usize) {
            origin.next[edge.side] = target;
        }
    }

    /// The junction of a node that may be met again and the present row.
    fn arrive(&mut self, part: &Part, node: NodeId, edge: Edge) -> u32 {
        let Walk { junctions, cells, packed, width, rows, stored, table, .. } = self;
        packed.clear();
        packed.resize(*width, 0);
        for (cell, &state) in cells.iter().zip(&self.row[part.slots.clone()]) {
            cell.put(packed, state);
        }
        let row = packed.as_slice();
        let (hash, key) = (self.hash, key(self.hash, node));
        if !self.sent.is_empty() {
            let to = share(key, self.sent.len());
            self.sent[to].rows.extend_from_slice(row);
            self.sent[to].list.push(Arrival { edge, node, running: self.running, hash });
            return NONE;
        }
        let (junction, number) = (junctions.len() as u32, stored.len() as u32);
        let known = table.find_or_insert(key, number, |candidate| {
            let known = &stored[candidate as usize];
            let start = candidate as usize * row.len();
            known.hash == hash
                && junctions[known.junction as usize].node == node
                && rows[start..start + row.len()] == *row
        });
        if known != number {
            self.met_again = true;
            return stored[known as usize].junction;
        }
        stored.push(Stored { junction, hash, running: self.running });
        rows.extend_from_slice(row);
        junctions.push(Junction { node, row: number, next: [NONE; 2] });
        self.certificate.remembered += 1;
        junction
    }

    #[cold]
    fn mismatch(&self, edge: Edge, node: NodeId, reason: Reason) -> Mismatch {
        Mismatch { run: witness::run_to_node(self, edge, node), reason }
    }

    /// Who is not ready for an interaction, and why.
    #[cold]
    fn not_enabled(&self, node: NodeId, interaction: Interaction) -> Reason {
        let at = |process| StateId(self.cast.slot(process).map_or(NONE, |slot| self.row[slot]));
        let (process, obstacle) = obstacle(self.network, self.cast.interaction(interaction), at);
        Reason::NotEnabled { node, process, state: at(process), obstacle }
    }

    /// Why a process does not decide as the choreography says.
    #[cold]
    fn not_decided(&self, node: NodeId, process: ProcessId) -> Reason {
        let player = self.cast.player(process);
        let obstacle = match *self.state(player.slot) {
            State::Stop => Obstacle::Stopped,
            State::If { .. } => Obstacle::OtherCondition,
            _ => Obstacle::OtherAction,
        };
        let state = StateId(self.row[player.slot as usize]);
        Reason::NotEnabled { node, process: player.process, state, obstacle }
    }
}

/// Where a process starts.
fn start_of(network: &Network, process: ProcessId) -> u32 {
    network.process(process).map_or(NONE, |process| process.start.0)
}

/// The hash of a row at a node, given that of the row.
#[inline]
pub(super) fn key(hash: u64, node: NodeId) -> u64 {
    spread(hash ^ mix(!node.0))
}

/// Which of several stores what has this hash. A table looks at the other half of it.
#[inline]
pub(super) fn share(key: u64, count: usize) -> usize {
    (((key & u64::from(u32::MAX)) * count as u64) >> 32) as usize
}

/// The hash of a local state; no two processes share one, so the sum of these is a good hash of a row.
#[inline]
fn mix(state: u32) -> u64 {
    // A product alone would not do: the sum of products is the product of the sum.
    let spread = u64::from(state).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    spread ^ (spread >> 29)
}

#[cfg(test)]
mod tests;
