//! Networks that do not come from a text: from another tool's format, or made by a program.
//!
//! The fields of a [`Network`] are private, so that whatever number is found in one leads somewhere. Who builds one
//! puts [`NetworkParts`] together, and [`Network::from_parts`] looks at all of it.

use super::race::by_partner;
use super::{Branch, Channels, Network, Process, ProcessId, State, StateId};
use crate::diagnostic::InvalidParts;
use crate::syntax::{ArenaRange, Names, Span, Symbol};

/// What a network is made of.
#[derive(Debug, Clone, Default)]
pub struct NetworkParts {
    /// The names in it.
    pub names: Names,
    /// The processes.
    pub processes: Vec<Process>,
    /// All local states, one process after the other.
    pub states: Vec<State>,
    /// The branches of all offers; those of one offer are in the order of the labels' symbols.
    pub branches: Vec<Branch>,
    /// What the states that choose, or do whichever comes first, lead to.
    pub arms: Vec<StateId>,
    /// For each state, whether the process may wait there forever; may be empty.
    pub idle: Vec<bool>,
    /// For each state, where it is in a text; may be empty.
    pub origins: Vec<Span>,
    /// How messages get from one process to another.
    pub channels: Channels,
}

impl State {
    /// The same state of a network, but with other numbers for those that follow. If it is an offer, its branches are
    /// added to the first list; if it is a choice or a race, its arms are added to the second.
    #[must_use]
    pub fn renumbered(
        self,
        network: &Network,
        (branches, arms): (&mut Vec<Branch>, &mut Vec<StateId>),
        mut number: impl FnMut(StateId) -> StateId,
    ) -> State {
        match self {
            State::Stop => State::Stop,
            State::Send { to, expression, next } => State::Send { to, expression, next: number(next) },
            State::Receive { from, next } => State::Receive { from, next: number(next) },
            State::Select { to, label, next } => State::Select { to, label, next: number(next) },
            State::If { condition, then, otherwise } => {
                State::If { condition, then: number(then), otherwise: number(otherwise) }
            }
            State::Offer { from, branches: range } => {
                let start = branches.len() as u32;
                let old = range.of(&network.branches).iter();
                branches.extend(old.map(|&Branch { label, next }| Branch { label, next: number(next) }));
                State::Offer { from, branches: ArenaRange { start, end: branches.len() as u32 } }
            }
            State::SelectValue { to, label, expression, next } => {
                State::SelectValue { to, label, expression, next: number(next) }
            }
            State::Choose { arms: range } | State::Any { items: range } => {
                let start = arms.len() as u32;
                arms.extend(network.arms(range).iter().map(|&arm| number(arm)));
                let range = ArenaRange { start, end: arms.len() as u32 };
                match self {
                    State::Any { .. } => State::Any { items: range },
                    _ => State::Choose { arms: range },
                }
            }
        }
    }
}

/// Checks what networks and choreographies have in common, given how many states or nodes and how many places there
/// are: there are enough numbers and places, and each process has a name of its own.
pub(crate) fn check_common(
    names: &Names,
    processes: impl ExactSizeIterator<Item = Symbol>,
    count: usize,
    places: usize,
) -> Result<(), InvalidParts> {
    if count >= u32::MAX as usize || processes.len() >= u32::MAX as usize {
        return Err(InvalidParts("there is more than can be numbered"));
    }
    if places != 0 && places != count {
        return Err(InvalidParts("there are some places in the text, but not one for each state or node"));
    }
    let mut processes: Vec<Symbol> = processes.collect();
    processes.sort_unstable();
    let are_names = processes.iter().all(|name| name.index() < names.len());
    if !are_names || processes.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(InvalidParts("a process has no name of its own"));
    }
    Ok(())
}

impl Network {
    /// Makes a network of its parts, if every number in them leads somewhere.
    ///
    /// ```
    /// use laban::network::{Network, NetworkParts};
    ///
    /// let network = laban::analyse("p { main { q!<x>; stop } } | q { main { p?; stop } }").into_network()?;
    /// let mut parts: NetworkParts = network.into_parts();
    /// parts.states.truncate(1);
    /// assert!(Network::from_parts(parts).is_err());
    /// # Ok::<(), laban::IllFormed>(())
    /// ```
    pub fn from_parts(parts: NetworkParts) -> Result<Network, InvalidParts> {
        let count = parts.states.len();
        let invalid = |what: &'static str| Err(InvalidParts(what));
        let processes = parts.processes.iter().map(|process| process.name);
        check_common(&parts.names, processes, count, parts.origins.len())?;
        if !parts.idle.is_empty() && parts.idle.len() != count {
            return invalid("it is not said of each state whether it is idle");
        }
        let is_name = |symbol: Symbol| symbol.index() < parts.names.len();
        let mut end = 0;
        for (number, process) in parts.processes.iter().enumerate() {
            let ArenaRange { start, end: past } = process.states;
            let owns = |state: StateId| (start..past).contains(&state.0);
            if start != end || past < start || past as usize > count || !owns(process.start) {
                return invalid("the states of a process are not a stretch of their own");
            }
            end = past;
            let is_partner = |other: ProcessId| other.index() < parts.processes.len() && other.index() != number;
            for state in process.states.of(&parts.states) {
                let is_valid = match *state {
                    State::Stop => true,
                    State::Send { to, expression, next } => is_partner(to) && is_name(expression) && owns(next),
                    State::Receive { from, next } => is_partner(from) && owns(next),
                    State::Select { to, label, next } => is_partner(to) && is_name(label) && owns(next),
                    State::If { condition, then, otherwise } => is_name(condition) && owns(then) && owns(otherwise),
                    State::SelectValue { to, label, expression, next } => {
                        is_partner(to) && is_name(label) && is_name(expression) && owns(next)
                    }
                    State::Choose { arms } => {
                        let arms = parts.arms.get(arms.start as usize..arms.end as usize);
                        arms.is_some_and(|arms| !arms.is_empty() && arms.iter().all(|&arm| owns(arm)))
                    }
                    State::Any { items } => {
                        let acts = |item: &StateId| {
                            owns(*item) && parts.states.get(item.index()).is_some_and(|item| item.partner().is_some())
                        };
                        let items = parts.arms.get(items.start as usize..items.end as usize);
                        items.is_some_and(|items| !items.is_empty() && items.iter().all(acts))
                    }
                    State::Offer { from, branches } => {
                        let offered = parts.branches.get(branches.start as usize..branches.end as usize);
                        let leads_on = |branch: &Branch| is_name(branch.label) && owns(branch.next);
                        is_partner(from)
                            && offered.is_some_and(|offered| {
                                offered.iter().all(leads_on)
                                    && offered.windows(2).all(|pair| pair[0].label < pair[1].label)
                            })
                    }
                };
                if !is_valid {
                    return invalid("a state leads nowhere, or names what is not there");
                }
            }
        }
        if end as usize != count {
            return invalid("some states belong to no process");
        }
        let is_process = |process: ProcessId| process.index() < parts.processes.len();
        let has_ends = |&(from, to, _): &_| from != to && is_process(from) && is_process(to);
        if !parts.channels.single.iter().all(has_ends) {
            return invalid("a channel has no two ends");
        }
        let NetworkParts { names, processes, states, branches, arms, idle, mut origins, channels } = parts;
        origins.resize(count, Span::default());
        let (by_partner, sizes) = (by_partner(&states, &arms), vec![0; count]);
        let none = Channels::default();
        let mut network =
            Network { names, processes, sizes, states, branches, arms, by_partner, idle, origins, channels: none };
        network.set_channels(channels);
        Ok(network)
    }

    /// Takes a network apart.
    pub fn into_parts(self) -> NetworkParts {
        let Network { names, processes, states, branches, arms, idle, origins, channels, .. } = self;
        NetworkParts { names, processes, states, branches, arms, idle, origins, channels }
    }
}
