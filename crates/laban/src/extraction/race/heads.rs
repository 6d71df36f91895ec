//! One component of a network, laid out for the search: what each local state could do, and with whom.

use crate::graph::{Graph, strong_components};
use crate::network::{Channel, Interaction, Network, ProcessId, State, StateId};
use crate::semantics::Action;
use crate::syntax::ArenaRange;
use rustc_hash::FxHashMap;

/// No process, no action, no state.
pub(super) const NONE: u32 = u32::MAX;

/// What a local state could do; the ranges are stretches of the lists in [`Heads`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    /// The process may wait here forever: it has stopped, is a service or is idle.
    pub(super) may_wait: bool,
    /// The process decides here, and could do so forever without interacting.
    pub(super) decides_forever: bool,
    /// The process decides here, or may do so later on.
    pub(super) may_decide: bool,
    /// The action of a decision, or [`NONE`].
    pub(super) decision: u32,
    /// How much text is left, for the strategies that look at it.
    pub(super) size: u32,
    targets: ArenaRange,
    sends: ArenaRange,
    takes: ArenaRange,
    partners: ArenaRange,
}

/// Something that a process could send.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent {
    /// To whom.
    pub(super) to: u32,
    /// The label, or [`NONE`] for a value without one.
    pub(super) label: u32,
    /// What follows.
    pub(super) next: u32,
    /// The action that it is. For a queue, the next two are the same message put into it and taken from it.
    pub(super) action: u32,
    /// The queue that it goes into, or [`NONE`].
    pub(super) queue: u32,
}

/// Something that a process could take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Taken {
    /// From whom.
    pub(super) from: u32,
    /// The label, or [`NONE`] for a value without one.
    pub(super) label: u32,
    /// What follows.
    pub(super) next: u32,
}

/// A queue between two processes of the component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Queue {
    pub(super) from: u32,
    pub(super) to: u32,
    /// How many messages it may ever hold; [`NONE`] for any number.
    pub(super) bound: u32,
}

/// A component: its processes are numbered from 0, in their order.
#[derive(Debug)]
pub(super) struct Heads {
    pub(super) processes: Vec<ProcessId>,
    /// Where each process starts.
    pub(super) starts: Vec<u32>,
    /// The first state of each process, and the end of the last one's.
    pub(super) first: Vec<u32>,
    heads: Vec<Head>,
    targets: Vec<u32>,
    sends: Vec<Sent>,
    takes: Vec<Taken>,
    partners: Vec<u32>,
    /// What can be done, by number; the last is a race.
    pub(super) actions: Vec<Action>,
    numbers: FxHashMap<Action, u32>,
    /// The queues that something is ever sent to, in the order of their two ends.
    pub(super) queues: Vec<Queue>,
}

impl Heads {
    pub(super) fn new(network: &Network, component: &[ProcessId]) -> Self {
        let mut processes: Vec<ProcessId> =
            component.iter().copied().filter(|process| network.process(*process).is_some()).collect();
        processes.sort_unstable();
        processes.dedup();
        let mut heads = Heads {
            starts: Vec::with_capacity(processes.len()),
            first: vec![0],
            heads: Vec::new(),
            targets: Vec::new(),
            sends: Vec::new(),
            takes: Vec::new(),
            partners: Vec::new(),
            actions: Vec::new(),
            numbers: FxHashMap::default(),
            queues: Vec::new(),
            processes,
        };
        heads.find_queues(network);
        for number in 0..heads.processes.len() {
            heads.add(network, heads.processes[number]);
        }
        heads.actions.push(Action::Race);
        heads.find_endless_decisions();
        heads.find_later_decisions();
        heads
    }

    /// Finds the queues that something is ever sent to.
    fn find_queues(&mut self, network: &Network) {
        if !network.has_queues() {
            return;
        }
        for (from, &process) in (0u32..).zip(&self.processes) {
            let states = network.process(process).map_or(&[] as &[State], |it| it.states.of(&network.states));
            let sends =
                |state: &&State| matches!(state, State::Send { .. } | State::Select { .. } | State::SelectValue { .. });
            let receivers = states.iter().filter(sends).filter_map(|state| state.partner());
            let mut receivers: Vec<ProcessId> = receivers.collect();
            receivers.sort_unstable();
            receivers.dedup();
            for to in receivers {
                let Ok(number) = self.processes.binary_search(&to) else { continue };
                if let Channel::Queue { bound } = network.channel(process, to)
                    && bound != Some(0)
                {
                    self.queues.push(Queue { from, to: number as u32, bound: bound.unwrap_or(NONE) });
                }
            }
        }
    }

    /// The queue between two processes, or [`NONE`].
    pub(super) fn queue(&self, from: u32, to: u32) -> u32 {
        if self.queues.is_empty() {
            return NONE;
        }
        let found = self.queues.binary_search_by_key(&(from, to), |queue| (queue.from, queue.to));
        found.map_or(NONE, |index| index as u32)
    }

    /// Adds the states of a process.
    fn add(&mut self, network: &Network, id: ProcessId) {
        let Some(process) = network.process(id).copied() else { return };
        let offset = (self.heads.len() as u32).wrapping_sub(process.states.start);
        let local = |state: StateId| state.0.wrapping_add(offset);
        self.starts.push(local(process.start));
        for number in process.states.start..process.states.end {
            let state = StateId(number);
            let [targets, sends, takes, partners] =
                [self.targets.len(), self.sends.len(), self.takes.len(), self.partners.len()];
            let mut decision = NONE;
            match network.state(state) {
                State::If { condition, then, otherwise } => {
                    decision = self.action(Action::Decision { process: id, condition });
                    self.targets.extend([local(then), local(otherwise)]);
                }
                State::Choose { arms } => {
                    decision = self.action(Action::Choice { process: id, arms: arms.len() as u32 });
                    self.targets.extend(network.arms(arms).iter().map(|&arm| local(arm)));
                }
                _ => network.items(state).for_each(|item| self.add_item(network, id, item, &local)),
            }
            self.takes[takes..].sort_unstable();
            self.partners[partners..].sort_unstable();
            let mut kept = partners;
            for index in partners..self.partners.len() {
                if index == partners || self.partners[index] != self.partners[kept - 1] {
                    self.partners[kept] = self.partners[index];
                    kept += 1;
                }
            }
            self.partners.truncate(kept);
            let range = |start: usize, end: usize| ArenaRange { start: start as u32, end: end as u32 };
            self.heads.push(Head {
                may_wait: network.may_wait(id, state),
                decides_forever: false,
                may_decide: decision != NONE,
                decision,
                size: network.sizes.get(state.index()).copied().unwrap_or(0),
                targets: range(targets, self.targets.len()),
                sends: range(sends, self.sends.len()),
                takes: range(takes, self.takes.len()),
                partners: range(partners, self.partners.len()),
            });
        }
        self.first.push(self.heads.len() as u32);
    }

    /// Adds what a state that is no decision could do. Who is not in the component never takes part.
    fn add_item(&mut self, network: &Network, id: ProcessId, item: State, local: &impl Fn(StateId) -> u32) {
        let Some(partner) = item.partner() else { return };
        let Ok(with) = self.processes.binary_search(&partner) else { return };
        let with = with as u32;
        self.partners.push(with);
        match item {
            State::Receive { next, .. } => self.takes.push(Taken { from: with, label: NONE, next: local(next) }),
            State::Offer { branches, .. } => {
                let branches = network.branches(branches).iter();
                let taken =
                    branches.map(|branch| Taken { from: with, label: branch.label.0, next: local(branch.next) });
                self.takes.extend(taken);
            }
            _ => {}
        }
        let Some((_, content, next)) = item.sent() else { return };
        let interaction = Interaction { from: id, to: partner, content };
        let action = self.action(Action::Interaction(interaction));
        let own = self.processes.binary_search(&id).map_or(NONE, |own| own as u32);
        let queue = self.queue(own, with);
        if queue != NONE {
            self.action(Action::Put(interaction));
            self.action(Action::Take(interaction));
        }
        let label = content.label().map_or(NONE, |label| label.0);
        self.sends.push(Sent { to: with, label, next: local(next), action, queue });
    }

    /// The number of an action.
    fn action(&mut self, action: Action) -> u32 {
        let next = self.actions.len() as u32;
        let number = *self.numbers.entry(action).or_insert(next);
        if number == next {
            self.actions.push(action);
        }
        number
    }

    /// Finds the states from which a process can decide forever.
    fn find_endless_decisions(&mut self) {
        if self.targets.is_empty() {
            return;
        }
        let decides = |state: u32| self.heads.get(state as usize).is_some_and(|head| head.decision != NONE);
        let mut graph = Graph::with_capacity(self.heads.len(), self.targets.len());
        for head in &self.heads {
            graph.push(0, head.targets.of(&self.targets).iter().copied().filter(|&target| decides(target)));
        }
        let components = strong_components(&graph);
        // An edge never leads to a component with a higher number.
        let mut order: Vec<u32> = (0..self.heads.len() as u32).collect();
        order.sort_by_key(|&state| components.component_of[state as usize]);
        let mut forever = components.cyclic.clone();
        for &state in &order {
            let own = components.component_of[state as usize] as usize;
            let leads = graph.successors(state).iter();
            forever[own] |= leads.clone().any(|&next| forever[components.component_of[next as usize] as usize]);
        }
        for (state, head) in self.heads.iter_mut().enumerate() {
            head.decides_forever = head.decision != NONE && forever[components.component_of[state] as usize];
        }
    }

    /// Finds the states from which a process can come to a decision.
    fn find_later_decisions(&mut self) {
        if self.targets.is_empty() {
            return;
        }
        let mut sources = vec![Vec::new(); self.heads.len()];
        for state in 0..self.heads.len() as u32 {
            self.successors(state, |next| sources[next as usize].push(state));
        }
        let mut work: Vec<usize> = (0..self.heads.len()).filter(|&state| self.heads[state].may_decide).collect();
        while let Some(state) = work.pop() {
            for &source in &sources[state] {
                if !std::mem::replace(&mut self.heads[source as usize].may_decide, true) {
                    work.push(source as usize);
                }
            }
        }
    }

    /// Calls `visit` with each state that can follow one.
    pub(super) fn successors(&self, state: u32, visit: impl FnMut(u32)) {
        let decided = self.targets(state).iter().copied();
        let sent = self.sends(state).iter().map(|sent| sent.next);
        let taken = self.takes(state).iter().map(|taken| taken.next);
        let is_state = |&next: &u32| (next as usize) < self.heads.len();
        decided.chain(sent).chain(taken).filter(is_state).for_each(visit);
    }

    /// Whether anybody ever decides.
    pub(super) fn has_decisions(&self) -> bool {
        !self.targets.is_empty()
    }

    /// What a local state could do.
    #[inline]
    pub(super) fn head(&self, state: u32) -> &Head {
        &self.heads[state as usize]
    }

    /// Where a decision leads.
    #[inline]
    pub(super) fn targets(&self, state: u32) -> &[u32] {
        self.head(state).targets.of(&self.targets)
    }

    /// What a process could send.
    #[inline]
    pub(super) fn sends(&self, state: u32) -> &[Sent] {
        self.head(state).sends.of(&self.sends)
    }

    /// Whom a process could interact with, in order.
    #[inline]
    pub(super) fn partners(&self, state: u32) -> &[u32] {
        self.head(state).partners.of(&self.partners)
    }

    /// What a process could take, in the order of the others and the labels.
    #[inline]
    pub(super) fn takes(&self, state: u32) -> &[Taken] {
        self.head(state).takes.of(&self.takes)
    }

    /// Where a process in a state goes on if it takes what another could send: a label, or [`NONE`] for a value.
    #[inline]
    pub(super) fn taken(&self, state: u32, from: u32, label: u32) -> Option<u32> {
        let takes = self.takes(state);
        let found = takes.binary_search_by_key(&(from, label), |taken| (taken.from, taken.label)).ok()?;
        Some(takes[found].next)
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.heads.len()
    }

    /// The queue that a message is taken from in an action, if it is one of that kind.
    pub(super) fn taken_from(&self, action: u32) -> Option<u32> {
        if self.queues.is_empty() {
            return None;
        }
        let Some(Action::Take(Interaction { from, to, .. })) = self.actions.get(action as usize) else { return None };
        let place = |process| self.processes.binary_search(process).map_or(NONE, |place| place as u32);
        Some(self.queue(place(from), place(to))).filter(|&queue| queue != NONE)
    }

    /// The label of a message, given by the number of its interaction; [`NONE`] for a value.
    pub(super) fn label(&self, message: u32) -> u32 {
        match self.actions.get(message as usize) {
            Some(Action::Interaction(interaction)) => interaction.content.label().map_or(NONE, |label| label.0),
            _ => NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::network::lower;
    use crate::syntax::parse_network;

    #[test]
    fn who_decides_forever_is_who_may_do_nothing_else() {
        let endless = "def X { if c then X else q!<x>; X }";
        let decides_forever = |p: &str| {
            let text = format!("p {{ {endless} {p} }} | q {{ def X {{ any {{ p?; X }} }} main {{ X }} }}");
            let network = lower(&parse_network(&text).tree).network.unwrap();
            let heads = Heads::new(&network, &network.process_ids().collect::<Vec<_>>());
            heads.head(heads.starts[0]).decides_forever
        };
        assert!(decides_forever("main { X }"));
        assert!(decides_forever("main { if d then X else stop }"));
        assert!(decides_forever("main { choose { stop, if d then stop else X, stop } }"));
        // Each of these comes to an interaction, or to an end.
        assert!(!decides_forever("main { q!<x>; X }"));
        assert!(!decides_forever("main { if d then stop else q!<x>; X }"));
        assert!(!decides_forever("def Y { if d then q!<x>; Y else q!<y>; Y } main { Y }"));
        assert!(!decides_forever("main { stop }"));
    }
}
