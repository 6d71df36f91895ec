//! Names that two systems have in common.
//!
//! Each system numbers its names and processes in its own way. To compare them, the names of the second are looked up
//! among those of the first, and processes are matched by name.

use crate::network::{Branch, Channels, Content, Interaction, Network, Process, ProcessId, State, StateId};
use crate::semantics::Step;
use crate::syntax::{ArenaRange, Names, Span, Symbol};

/// The names and processes of several systems.
#[derive(Debug, Clone, Default)]
pub(super) struct Common {
    pub(super) names: Names,
    pub(super) processes: Vec<Symbol>,
    /// For each symbol, the process of that name.
    process_of: Vec<u32>,
}

/// How a system's own numbers translate.
#[derive(Debug, Clone, Default)]
pub(super) struct Translation {
    symbols: Vec<Symbol>,
    processes: Vec<ProcessId>,
}

const NONE: u32 = u32::MAX;

impl Common {
    /// Adds the names and processes of a system.
    pub(super) fn add(&mut self, names: &Names, processes: impl Iterator<Item = Symbol>) -> Translation {
        let symbols: Vec<Symbol> = if self.names.is_empty() {
            self.names = names.clone();
            (0..names.len() as u32).map(Symbol).collect()
        } else {
            (0..names.len() as u32).map(|symbol| self.names.intern(names.text(Symbol(symbol)))).collect()
        };
        self.process_of.resize(self.names.len(), NONE);
        let mut translation = Translation { symbols, processes: Vec::new() };
        for name in processes {
            let name = translation.symbol(name);
            let Some(slot) = self.process_of.get_mut(name.index()) else { continue };
            if *slot == NONE {
                *slot = self.processes.len() as u32;
                self.processes.push(name);
            }
            translation.processes.push(ProcessId(*slot));
        }
        translation
    }
}

impl Translation {
    pub(super) fn symbol(&self, symbol: Symbol) -> Symbol {
        self.symbols.get(symbol.index()).copied().unwrap_or(symbol)
    }

    pub(super) fn process(&self, process: ProcessId) -> ProcessId {
        self.processes.get(process.index()).copied().unwrap_or(process)
    }

    pub(super) fn interaction(&self, Interaction { from, to, content }: Interaction) -> Interaction {
        let content = match content {
            Content::Value(expression) => Content::Value(self.symbol(expression)),
            Content::Label(label) => Content::Label(self.symbol(label)),
            Content::LabelledValue { label, value } => {
                Content::LabelledValue { label: self.symbol(label), value: self.symbol(value) }
            }
        };
        Interaction { from: self.process(from), to: self.process(to), content }
    }

    pub(super) fn step(&self, step: Step) -> Step {
        match step {
            Step::Interaction(interaction) => Step::Interaction(self.interaction(interaction)),
            Step::Put(interaction) => Step::Put(self.interaction(interaction)),
            Step::Take(interaction) => Step::Take(self.interaction(interaction)),
            Step::Decision { process, condition, holds } => {
                Step::Decision { process: self.process(process), condition: self.symbol(condition), holds }
            }
            Step::Choice { process, arm } => Step::Choice { process: self.process(process), arm },
        }
    }
}

/// Two networks next to each other, as one: each process has its states of the first and then those of the second.
pub(super) struct Joined {
    /// Both networks. The start of a process is the first's.
    pub(super) network: Network,
    /// Where each process starts in the first and in the second.
    pub(super) starts: [Vec<StateId>; 2],
    /// Whether each process is a service in the first and in the second.
    pub(super) services: [Vec<bool>; 2],
    /// Whether each process is missing in the first and in the second.
    pub(super) missing: [Vec<bool>; 2],
    /// The channels of the first and of the second.
    pub(super) channels: [Channels; 2],
}

/// Puts two networks next to each other. A process that one of them lacks has stopped there.
pub(super) fn join(first: &Network, second: &Network) -> Joined {
    let mut common = Common::default();
    let translations =
        [first, second].map(|network| common.add(&network.names, network.processes.iter().map(|process| process.name)));
    let count = common.processes.len();
    let mut joined = Joined {
        network: Network { names: common.names, ..Network::default() },
        starts: [Vec::with_capacity(count), Vec::with_capacity(count)],
        services: [vec![false; count], vec![false; count]],
        missing: [vec![false; count], vec![false; count]],
        channels: [Channels::default(), Channels::default()],
    };
    let mut owners: [Vec<Option<usize>>; 2] = [vec![None; count], vec![None; count]];
    for (owners, translation) in owners.iter_mut().zip(&translations) {
        for (own, process) in translation.processes.iter().enumerate() {
            owners[process.index()] = Some(own);
        }
    }
    let has_idle = !first.idle.is_empty() || !second.idle.is_empty();
    for (number, &name) in common.processes.iter().enumerate() {
        let start = joined.network.states.len() as u32;
        for (side, network) in [first, second].into_iter().enumerate() {
            let Some(process) = owners[side][number].and_then(|own| network.processes.get(own)) else {
                let stopped = StateId(joined.network.states.len() as u32);
                joined.network.states.push(State::Stop);
                joined.network.idle.extend(has_idle.then_some(false));
                joined.starts[side].push(stopped);
                joined.missing[side][number] = true;
                continue;
            };
            joined.services[side][number] = process.service;
            if has_idle {
                let states = (process.states.start..process.states.end).map(StateId);
                joined.network.idle.extend(states.map(|state| network.is_idle(state)));
            }
            let begin = joined.append(network, process, &translations[side]);
            joined.starts[side].push(begin);
        }
        let states = ArenaRange { start, end: joined.network.states.len() as u32 };
        let begin = joined.starts[0].last().copied().unwrap_or(StateId(start));
        let process = Process { name, span: Span::default(), service: false, start: begin, states };
        joined.network.processes.push(process);
    }
    for (side, network) in [first, second].into_iter().enumerate() {
        joined.channels[side] = network.channels.renumbered(|process| Some(translations[side].process(process)));
    }
    joined
}

impl Joined {
    /// Adds the states of a process and gives the one where it starts.
    fn append(&mut self, network: &Network, process: &Process, translation: &Translation) -> StateId {
        let offset = (self.network.states.len() as u32).wrapping_sub(process.states.start);
        let goto = |state: StateId| StateId(state.0.wrapping_add(offset));
        for &state in process.states.of(&network.states) {
            let state = match state {
                State::Stop => State::Stop,
                State::Send { to, expression, next } => State::Send {
                    to: translation.process(to),
                    expression: translation.symbol(expression),
                    next: goto(next),
                },
                State::Receive { from, next } => State::Receive { from: translation.process(from), next: goto(next) },
                State::Select { to, label, next } => {
                    State::Select { to: translation.process(to), label: translation.symbol(label), next: goto(next) }
                }
                State::If { condition, then, otherwise } => {
                    State::If { condition: translation.symbol(condition), then: goto(then), otherwise: goto(otherwise) }
                }
                State::Offer { from, branches } => {
                    let all = &mut self.network.branches;
                    let start = all.len() as u32;
                    let own = branches.of(&network.branches).iter();
                    all.extend(
                        own.map(|branch| Branch { label: translation.symbol(branch.label), next: goto(branch.next) }),
                    );
                    all[start as usize..].sort_unstable_by_key(|branch| branch.label);
                    let branches = ArenaRange { start, end: all.len() as u32 };
                    State::Offer { from: translation.process(from), branches }
                }
                State::SelectValue { to, label, expression, next } => State::SelectValue {
                    to: translation.process(to),
                    label: translation.symbol(label),
                    expression: translation.symbol(expression),
                    next: goto(next),
                },
                State::Choose { arms } => State::Choose { arms: self.append_arms(network, arms, goto) },
                State::Any { items } => State::Any { items: self.append_arms(network, items, goto) },
            };
            self.network.states.push(state);
        }
        self.sort_items(process.states.len());
        goto(process.start)
    }

    /// Sorts the items of each race among the last so many states: their order does not matter.
    fn sort_items(&mut self, count: usize) {
        let Network { states, branches, arms, .. } = &mut self.network;
        let beginning = |state: State| match state {
            State::Send { to, expression, .. } => (to.0, 0, expression.0, 0),
            State::Receive { from, .. } => (from.0, 1, 0, 0),
            State::Select { to, label, .. } => (to.0, 2, label.0, 0),
            State::SelectValue { to, label, expression, .. } => (to.0, 3, label.0, expression.0),
            State::Offer { from, branches: range } => {
                (from.0, 4, range.of(branches).first().map_or(NONE, |branch| branch.label.0), 0)
            }
            State::Stop | State::If { .. } | State::Choose { .. } | State::Any { .. } => (NONE, 5, 0, 0),
        };
        for state in &states[states.len().saturating_sub(count)..] {
            if let State::Any { items } = *state
                && let Some(items) = arms.get_mut(items.start as usize..items.end as usize)
            {
                items.sort_by_key(|item| states.get(item.index()).map(|&state| beginning(state)));
            }
        }
    }

    fn append_arms(&mut self, network: &Network, arms: ArenaRange, goto: impl Fn(StateId) -> StateId) -> ArenaRange {
        let start = self.network.arms.len() as u32;
        self.network.arms.extend(network.arms(arms).iter().map(|&state| goto(state)));
        ArenaRange { start, end: self.network.arms.len() as u32 }
    }
}
