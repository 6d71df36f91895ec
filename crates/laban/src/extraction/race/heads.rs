//! One component of a network, laid out for the search: what each local state could do, and with whom.

use crate::graph::{Graph, strong_components};
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
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
    label: u32,
    /// What follows.
    pub(super) next: u32,
    /// The action that it is.
    pub(super) action: u32,
}

/// Something that a process could take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Taken {
    from: u32,
    label: u32,
    next: u32,
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
            processes,
        };
        for number in 0..heads.processes.len() {
            heads.add(network, heads.processes[number]);
        }
        heads.actions.push(Action::Race);
        heads.find_endless_decisions();
        heads.find_later_decisions();
        heads
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
        let content = match item {
            State::Send { expression, .. } => Content::Value(expression),
            State::Select { label, .. } => Content::Label(label),
            State::SelectValue { label, expression, .. } => Content::LabelledValue { label, value: expression },
            State::Receive { next, .. } => {
                self.takes.push(Taken { from: with, label: NONE, next: local(next) });
                return;
            }
            State::Offer { branches, .. } => {
                let branches = network.branches(branches).iter();
                let taken =
                    branches.map(|branch| Taken { from: with, label: branch.label.0, next: local(branch.next) });
                self.takes.extend(taken);
                return;
            }
            State::Stop | State::If { .. } | State::Choose { .. } | State::Any { .. } => return,
        };
        let (State::Send { next, .. } | State::Select { next, .. } | State::SelectValue { next, .. }) = item else {
            return;
        };
        let action = self.action(Action::Interaction(Interaction { from: id, to: partner, content }));
        let label = content.label().map_or(NONE, |label| label.0);
        self.sends.push(Sent { to: with, label, next: local(next), action });
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
        for (state, head) in (0u32..).zip(&self.heads) {
            let decided = head.targets.of(&self.targets).iter().copied();
            let sent = head.sends.of(&self.sends).iter().map(|sent| sent.next);
            let taken = head.takes.of(&self.takes).iter().map(|taken| taken.next);
            for next in decided.chain(sent).chain(taken) {
                if let Some(sources) = sources.get_mut(next as usize) {
                    sources.push(state);
                }
            }
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

    /// Where a process in a state goes on if it takes what another could send.
    #[inline]
    pub(super) fn taken(&self, state: u32, from: u32, sent: &Sent) -> Option<u32> {
        let takes = self.head(state).takes.of(&self.takes);
        let found = takes.binary_search_by_key(&(from, sent.label), |taken| (taken.from, taken.label)).ok()?;
        Some(takes[found].next)
    }
}
