//! What can happen in one configuration, and in which closed sets.
//!
//! An arrow leads from each process to the others that its head needs: the partners that it names, except that a
//! message that waits in a queue can be taken, and a queue with room be filled, without anybody else. Who can reach
//! nobody along the arrows that can act is dead. Among the others, the smallest closed sets are the strong components
//! that no arrow leaves, and each of them has something to do. Everything is worked out anew for each configuration,
//! into lists that are used again.

use super::heads::{Heads, NONE, Taken};
use super::position::Position;
use super::queues::{EMPTY, Queues};

/// Something that can happen and is no decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) kind: Kind,
    /// Who sends; or who takes from a queue.
    pub(super) from: u32,
    /// Who takes; or who puts into a queue.
    pub(super) to: u32,
    /// Where the sender goes on, if there is one.
    pub(super) sent: u32,
    /// Where the one who takes goes on, if there is one.
    pub(super) taken: u32,
    /// The number of the action.
    pub(super) action: u32,
    /// The queue that the message goes through, or [`NONE`].
    pub(super) queue: u32,
}

/// How a message moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Two processes act together.
    Meeting,
    /// It is put into a queue and taken at once, by somebody who waits for nothing else.
    Passage,
    /// It is put into a queue.
    Put,
    /// It is taken from a queue.
    Take,
}

/// Somebody who would send, to a queue that has no room for now but could get more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) process: u32,
    pub(super) queue: u32,
    /// Whether the message can be handed over.
    pub(super) can_meet: bool,
}

/// Whom the head of each process needs. Without queues that is known from its state, and nothing is kept here.
#[derive(Debug, Default)]
struct Needs {
    /// For each process, where those that it needs begin; and where those of the last one end.
    first: Vec<u32>,
    needed: Vec<u32>,
}

impl Needs {
    #[inline]
    fn of<'a>(&'a self, heads: &'a Heads, states: &[u32], process: usize) -> &'a [u32] {
        match self.first.is_empty() {
            true => heads.partners(states[process]),
            false => &self.needed[self.first[process] as usize..self.first[process + 1] as usize],
        }
    }
}

/// A configuration, looked at.
#[derive(Debug, Default)]
pub(super) struct Scene {
    /// Everything that can happen and is no decision, in the order of those who take the initiative.
    pub(super) events: Vec<Event>,
    /// Those who send to a queue without room.
    pub(super) held: Vec<Held>,
    /// For each process, whether it may act some time.
    pub(super) live: Vec<bool>,
    /// For each process, the smallest member of its smallest closed set; [`NONE`] if it is in none.
    pub(super) bottom: Vec<u32>,
    needs: Needs,
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
    pub(super) fn look(&mut self, heads: &Heads, queues: &Queues, position: &Position) {
        let states = &position.states;
        let count = states.len();
        self.events.clear();
        self.held.clear();
        self.live.clear();
        self.live.resize(count, false);
        self.work.clear();
        let mut needs = std::mem::take(&mut self.needs);
        needs.first.clear();
        needs.needed.clear();
        match heads.queues.is_empty() {
            true => self.find_meetings(heads, states),
            false => self.find_events(heads, queues, position, &mut needs),
        }
        self.turn_arrows(heads, states, &needs);
        while let Some(one) = self.work.pop() {
            for at in self.offsets[one as usize]..self.offsets[one as usize + 1] {
                self.enliven(self.sources[at as usize]);
            }
        }
        self.find_bottoms(heads, states, &needs);
        self.needs = needs;
    }

    /// Finds what can happen where there are no queues.
    fn find_meetings(&mut self, heads: &Heads, states: &[u32]) {
        for (from, &state) in states.iter().enumerate() {
            if heads.head(state).decision != NONE {
                self.enliven(from as u32);
            }
            for sent in heads.sends(state) {
                if let Some(taken) = heads.taken(states[sent.to as usize], from as u32, sent.label) {
                    let (from, to) = (from as u32, sent.to);
                    let (kind, action) = (Kind::Meeting, sent.action);
                    self.events.push(Event { kind, from, to, sent: sent.next, taken, action, queue: NONE });
                    self.enliven(from);
                    self.enliven(to);
                }
            }
        }
    }

    /// Finds what can happen, and who needs whom for it, where there are queues.
    fn find_events(&mut self, heads: &Heads, queues: &Queues, position: &Position, needs: &mut Needs) {
        let states = &position.states;
        for (from, &state) in (0u32..).zip(states) {
            needs.first.push(needs.needed.len() as u32);
            if heads.head(state).decision != NONE {
                self.enliven(from);
            }
            for sent in heads.sends(state) {
                let (to, queue) = (sent.to, sent.queue);
                let other = states[to as usize];
                let is_full = queue == NONE || {
                    let waiting = queues.messages(position.queues[queue as usize]).len();
                    waiting >= queues.capacity(queue) as usize
                };
                let is_empty = queue == NONE || position.queues[queue as usize] == EMPTY;
                let taken = heads.taken(other, from, sent.label).filter(|_| is_empty);
                let waits_for_it = || heads.sends(other).is_empty() && heads.partners(other) == [from];
                let mut event =
                    Event { kind: Kind::Put, from, to, sent: sent.next, taken: NONE, action: sent.action, queue };
                match taken {
                    Some(taken) if is_full => event = Event { kind: Kind::Meeting, taken, ..event },
                    Some(taken) if waits_for_it() => event = Event { kind: Kind::Passage, taken, ..event },
                    _ if is_full => {}
                    _ => event = Event { to: from, action: sent.action + 1, ..event },
                }
                if is_full {
                    needs.needed.push(to);
                    if queue != NONE && queues.capacity(queue) < heads.queues[queue as usize].bound {
                        self.held.push(Held { process: from, queue, can_meet: event.kind == Kind::Meeting });
                    }
                }
                if event.kind != Kind::Put || !is_full {
                    self.events.push(event);
                    self.enliven(from);
                    self.enliven(event.to);
                }
            }
            for taken in heads.takes(state).chunk_by(|one, other| one.from == other.from) {
                let Some(&Taken { from: other, .. }) = taken.first() else { continue };
                let queue = heads.queue(other, from);
                let oldest = match queue {
                    NONE => None,
                    queue => queues.messages(position.queues[queue as usize]).first(),
                };
                let Some(&message) = oldest else {
                    needs.needed.push(other);
                    continue;
                };
                if let Some(taken) = heads.taken(state, other, heads.label(message)) {
                    let (kind, action) = (Kind::Take, message + 2);
                    self.events.push(Event { kind, from, to: from, sent: NONE, taken, action, queue });
                    self.enliven(from);
                }
            }
        }
        needs.first.push(needs.needed.len() as u32);
    }

    /// Whether the head of a process says that what comes first decides what it does: it names several others, or can
    /// both send and take, or send several things.
    pub(super) fn races(heads: &Heads, state: u32) -> bool {
        let sends = heads.sends(state).len();
        heads.partners(state).len() > 1 || sends > 1 || sends == 1 && !heads.takes(state).is_empty()
    }

    fn enliven(&mut self, process: u32) {
        if !std::mem::replace(&mut self.live[process as usize], true) {
            self.work.push(process);
        }
    }

    fn turn_arrows(&mut self, heads: &Heads, states: &[u32], needs: &Needs) {
        let count = states.len();
        self.offsets.clear();
        self.offsets.resize(count + 2, 0);
        for process in 0..count {
            needs.of(heads, states, process).iter().for_each(|&partner| self.offsets[partner as usize + 2] += 1);
        }
        for process in 0..count {
            self.offsets[process + 2] += self.offsets[process + 1];
        }
        self.sources.clear();
        self.sources.resize(self.offsets[count + 1] as usize, 0);
        for process in 0..count {
            for &partner in needs.of(heads, states, process) {
                let slot = &mut self.offsets[partner as usize + 1];
                self.sources[*slot as usize] = process as u32;
                *slot += 1;
            }
        }
    }

    /// Finds the strong components among the living that no arrow leaves: Tarjan's algorithm with an explicit stack.
    fn find_bottoms(&mut self, heads: &Heads, states: &[u32], needs: &Needs) {
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
                if let Some(&partner) = needs.of(heads, states, index).get(arrow as usize) {
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
                        let partners = needs.of(heads, states, member as usize).iter();
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
            for &partner in self.needs.of(heads, states, process as usize) {
                if self.live[partner as usize] && !std::mem::replace(&mut reached[partner as usize], true) {
                    work.push(partner);
                }
            }
        }
        reached
    }
    /// Whether a process that is dead for now could act if some queue had more room.
    pub(super) fn is_held(&self, heads: &Heads, states: &[u32], process: u32) -> bool {
        let mut reached = vec![false; states.len()];
        reached[process as usize] = true;
        let mut work = vec![process];
        while let Some(process) = work.pop() {
            if self.held.iter().any(|held| held.process == process) {
                return true;
            }
            for &partner in self.needs.of(heads, states, process as usize) {
                if !std::mem::replace(&mut reached[partner as usize], true) {
                    work.push(partner);
                }
            }
        }
        false
    }
}
