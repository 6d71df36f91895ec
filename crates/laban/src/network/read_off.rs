//! From automata to text: what each process does, with procedures where behaviours are shared or loop.
//!
//! Which states become procedures, and how they are called, is decided in `outline`, for both languages.

use super::{Channel, Channels, Network, ProcessId, State, StateId};
use crate::outline::{Naming, Outline, Shape, Start, Writable, name, write};
use crate::syntax::{
    ArenaRange, Arm, ChannelDeclaration, ChannelItem, LocalAction, LocalFork, Name, NetworkTree, Networks, Span,
    Symbol, Term, TermId, Tree,
};
use rustc_hash::FxHashMap;

/// The network as a syntax tree. States that become procedures are named as suggested, as long as no two of one process
/// are called the same; the others get numbers in the order in which a reader meets their calls.
pub fn read_off(network: &Network, suggested: &[(StateId, Symbol)]) -> NetworkTree {
    let mut suggestions: FxHashMap<u32, Symbol> = FxHashMap::default();
    for &(state, name) in suggested {
        suggestions.entry(state.0).or_insert(name);
    }
    let units: Vec<Start> = network
        .processes
        .iter()
        .map(|process| Start {
            node: process.start.0,
            nodes: process.states.start as usize..process.states.end as usize,
            name: Some(name(process.name)),
            service: process.service.then(Span::default),
        })
        .collect();
    let naming = Naming {
        suggested: suggestions,
        processes: network.processes.iter().map(|process| process.name).collect(),
        numbered_by_unit: true,
        places: &[],
    };
    let channels = network.declaration().into_iter().collect();
    write(network, Tree { names: network.names.clone(), channels, ..Tree::default() }, &units, naming)
}

impl Writable<Networks> for Network {
    fn term(&self, node: u32, tree: &mut NetworkTree, after: TermId, next: &mut Vec<u32>) -> Term<Networks> {
        match self.state(StateId(node)) {
            State::Stop => Term::Stop,
            State::Send { to, expression, next: follows } => {
                next.push(follows.0);
                Term::Act(LocalAction::Send { to: self.name_of(to), expression: name(expression) }, after)
            }
            State::Receive { from, next: follows } => {
                next.push(follows.0);
                Term::Act(LocalAction::Receive { from: self.name_of(from) }, after)
            }
            State::Select { to, label, next: follows } => {
                next.push(follows.0);
                Term::Act(LocalAction::Select { to: self.name_of(to), label: name(label) }, after)
            }
            State::SelectValue { to, label, expression, next: follows } => {
                next.push(follows.0);
                let content = tree.push_labelled(name(label), name(expression));
                Term::Act(LocalAction::SelectValue { to: self.name_of(to), content }, after)
            }
            State::Choose { arms } => Term::Fork(LocalFork::Choose, self.write_arms(arms, tree, after, next)),
            State::Any { items } => Term::Fork(LocalFork::Any, self.write_arms(items, tree, after, next)),
            State::If { condition, then, otherwise } => {
                next.extend([then.0, otherwise.0]);
                let start = tree.arms.len() as u32;
                tree.arms.extend([Arm { label: None, body: after }; 2]);
                Term::Fork(LocalFork::If { condition: name(condition) }, ArenaRange { start, end: start + 2 })
            }
            State::Offer { from, branches } => {
                let branches = branches.of(&self.branches).iter();
                let start = tree.arms.len() as u32;
                tree.arms.extend(branches.clone().map(|branch| Arm { label: Some(name(branch.label)), body: after }));
                next.extend(branches.map(|branch| branch.next.0));
                let arms = ArenaRange { start, end: tree.arms.len() as u32 };
                Term::Fork(LocalFork::Offer { from: self.name_of(from) }, arms)
            }
        }
    }
}

impl Network {
    /// The arms of a choice or the items of a race.
    fn write_arms(&self, arms: ArenaRange, tree: &mut NetworkTree, after: TermId, next: &mut Vec<u32>) -> ArenaRange {
        next.extend(self.arms(arms).iter().map(|state| state.0));
        let start = tree.arms.len() as u32;
        tree.arms.extend(std::iter::repeat_n(Arm { label: None, body: after }, arms.len()));
        ArenaRange { start, end: tree.arms.len() as u32 }
    }

    /// What the text must say of its channels, if anything.
    fn declaration(&self) -> Option<ChannelDeclaration> {
        let Channels { default, single } = self.channels();
        let item = |ends, channel| ChannelItem { ends, channel, span: Span::default() };
        let all = Some(item(None, *default)).filter(|all| all.channel != Channel::default());
        let single = single.iter();
        let single = single.map(|&(from, to, channel)| item(Some((self.name_of(from), self.name_of(to))), channel));
        let items: Vec<ChannelItem> = all.into_iter().chain(single).collect();
        (!items.is_empty()).then(|| ChannelDeclaration { unit: 0, items, span: Span::default() })
    }

    fn name_of(&self, process: ProcessId) -> Name {
        name(self.processes.get(process.index()).map_or(Symbol(u32::MAX), |process| process.name))
    }
}

impl Outline for Network {
    fn count(&self) -> usize {
        self.states.len()
    }

    fn starts(&self) -> Vec<u32> {
        self.processes.iter().map(|process| process.start.0).collect()
    }

    fn shape(&self, node: u32) -> Shape {
        match self.state(StateId(node)) {
            State::Stop => Shape::Stop,
            State::Send { next, .. }
            | State::Receive { next, .. }
            | State::Select { next, .. }
            | State::SelectValue { next, .. } => Shape::Action(next.0),
            State::Offer { .. } | State::If { .. } | State::Choose { .. } => Shape::Fork,
            State::Any { .. } => Shape::Race,
        }
    }

    fn successors(&self, node: u32, successors: &mut Vec<u32>) {
        match self.state(StateId(node)) {
            State::Any { items } => self
                .arms(items)
                .iter()
                .for_each(|&item| Network::successors(self, item, |next| successors.push(next.0))),
            _ => Network::successors(self, StateId(node), |next| successors.push(next.0)),
        }
    }

    fn has_idle(&self) -> bool {
        !self.idle.is_empty()
    }

    fn is_idle(&self, node: u32) -> bool {
        Network::is_idle(self, StateId(node))
    }
}
