//! From a system of automata to a network.
//!
//! A state with one send selects; with several it chooses first, since an automaton that has several sends makes an
//! inward choice. A state that receives from one partner offers; from several, or if it sends as well, it does
//! whichever comes first. Silent edges are choices. Two receives of one message are one receive, and what follows is a
//! choice. Only what can be reached becomes part of the network. A process that talks to itself or to nobody is
//! refused.

use super::list;
use super::messages::Messages;
use crate::naming::{Naming, is_name};
use crate::report::{Renamed, Report};
use crate::system::{Action, Automaton, Direction, Edge, LocalState, System, Word};
use laban::Network;
use laban::diagnostic::{Code, Diagnostic, closest, quote};
use laban::network::{Branch, NetworkParts, Process, ProcessId, State, StateId};
use laban::syntax::{ArenaRange, Symbol};
use laban::text::Span;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// A network made of automata.
#[derive(Debug, Clone, Default)]
pub struct Lowered {
    /// The network.
    pub network: Network,
    /// The states that have a name in the text, with their names: what to call procedures that start there.
    pub procedures: Vec<(StateId, Symbol)>,
}

/// The network that a system of automata is, unless there are errors.
pub fn lower(system: &System, report: &mut Report) -> Option<Lowered> {
    if system.automata.is_empty() {
        report.add(Diagnostic::new(Code::Empty, Span::default(), "there is no process"));
        return None;
    }
    let names = Naming::for_networks(system.automata.iter().map(|automaton| automaton.name.text.as_str()));
    let changed = names.changed.iter();
    report.renamed.extend(changed.map(|(original, name)| Renamed { original: original.clone(), name: name.clone() }));
    let messages = Messages::of_system(system, report);
    let partners = Partners::new(system, report);
    let mut parts = NetworkParts::default();
    let mut procedures = Vec::new();
    for (number, automaton) in system.automata.iter().enumerate() {
        let settled = settled(automaton);
        let process = parts.names.intern(names.name(&automaton.name.text));
        let lowering = Lowering { automaton, number, settled, messages: &messages, partners: &partners, system };
        lowering.add_process(process, &mut parts, &mut procedures, report);
    }
    if report.has_errors() {
        return None;
    }
    if !parts.idle.contains(&true) {
        parts.idle.clear();
    }
    let network = Network::from_parts(parts);
    let network =
        network.map_err(|error| report.add(Diagnostic::new(Code::Syntax, Span::default(), error.to_string())));
    Some(Lowered { network: network.ok()?, procedures })
}

/// The numbers of processes by name.
struct Partners<'a>(HashMap<&'a str, usize>);

impl<'a> Partners<'a> {
    fn new(system: &'a System, report: &mut Report) -> Self {
        let mut numbers = HashMap::new();
        for (number, automaton) in system.automata.iter().enumerate() {
            let Word { text, span } = &automaton.name;
            let first = *numbers.entry(text.as_str()).or_insert(number);
            if first != number {
                let message = format!("two processes are named {}", quote(text));
                let first = system.automata.get(first).map_or(Span::default(), |first| first.name.span);
                report.add(
                    Diagnostic::new(Code::DuplicateProcess, *span, message)
                        .label("again here")
                        .at(first, "first here")
                        .hint("rename one of them"),
                );
            }
        }
        Partners(numbers)
    }

    /// The process that a word names, or whose number it is.
    fn find(&self, system: &System, word: &str) -> Option<usize> {
        let number = || word.parse().ok().filter(|&number: &usize| system.numbered && number < system.automata.len());
        self.0.get(word).copied().or_else(number)
    }
}

/// For each state the first one, on the way of single silent edges, that does something else. If such a way goes round
/// in a circle, the process decides forever, in one of the states of the circle.
fn settled(automaton: &Automaton) -> Vec<usize> {
    const UNKNOWN: usize = usize::MAX;
    let mut settled = vec![UNKNOWN; automaton.states.len()];
    let mut on_path = vec![false; automaton.states.len()];
    let mut path = Vec::new();
    for start in 0..settled.len() {
        let mut at = start;
        let end = loop {
            match settled.get(at) {
                Some(&UNKNOWN) if !on_path[at] => {}
                Some(&UNKNOWN) | None => break at,
                Some(&known) => break known,
            }
            let [Edge { action: Action::Silent, target, .. }] = automaton.states[at].edges.as_slice() else { break at };
            path.push(at);
            on_path[at] = true;
            at = *target;
        };
        for state in path.drain(..).chain([end]) {
            if let Some(settled) = settled.get_mut(state) {
                *settled = end;
            }
        }
    }
    settled
}

/// Where a state is: its own place, or that of what is done in it.
fn place(state: &LocalState) -> Span {
    match state.edges.first() {
        Some(edge) if state.span == Span::default() || state.edges.len() == 1 => edge.span,
        _ => state.span,
    }
}

/// What one process becomes.
struct Lowering<'a> {
    automaton: &'a Automaton,
    number: usize,
    settled: Vec<usize>,
    messages: &'a Messages,
    partners: &'a Partners<'a>,
    system: &'a System,
}

/// A message that can be sent or received in a state.
struct Item {
    direction: Direction,
    partner: ProcessId,
    label: Symbol,
    value: Option<Symbol>,
    span: Span,
    targets: Vec<StateId>,
}

impl Lowering<'_> {
    fn add_process(
        &self,
        name: Symbol,
        parts: &mut NetworkParts,
        procedures: &mut Vec<(StateId, Symbol)>,
        report: &mut Report,
    ) {
        let base = parts.states.len() as u32;
        let settle = |state: usize| self.settled.get(state).copied().unwrap_or(state);
        // The states that can be reached, in the order of a walk from the start; their heads come first.
        let mut ids: HashMap<usize, StateId> = HashMap::new();
        let mut order = Vec::new();
        let mut work = vec![settle(self.automaton.start)];
        while let Some(state) = work.pop() {
            if ids.contains_key(&state) {
                continue;
            }
            ids.insert(state, StateId(base + order.len() as u32));
            order.push(state);
            let edges = self.automaton.states.get(state).map_or(&[][..], |state| &state.edges);
            work.extend(edges.iter().rev().map(|edge| settle(edge.target)));
        }
        let id = |state: usize| ids.get(&settle(state)).copied().unwrap_or(StateId(base));
        parts.states.resize(parts.states.len() + order.len(), State::Stop);
        parts.origins.resize(parts.states.len(), Span::default());
        parts.idle.resize(parts.states.len(), false);
        for (&number, index) in order.iter().zip(base as usize..) {
            let Some(state) = self.automaton.states.get(number) else { continue };
            parts.origins[index] = place(state);
            if state.name.starts_with(char::is_alphabetic) && is_name(&state.name) {
                procedures.push((StateId(index as u32), parts.names.intern(&state.name)));
            }
            let silent = state.edges.iter().filter(|edge| edge.action == Action::Silent).map(|edge| id(edge.target));
            let mut silent: Vec<StateId> = silent.collect();
            remove_repeated(&mut silent);
            let (items, order) = self.items(state, &id, &mut parts.names, report);
            parts.states[index] = head(parts, state, silent, &items, &order);
            let waits = matches!(parts.states[index], State::Offer { .. } | State::Any { .. });
            parts.idle[index] = state.may_wait && waits;
        }
        let states = ArenaRange { start: base, end: parts.states.len() as u32 };
        let span = self.automaton.name.span;
        parts.processes.push(Process { name, span, service: false, start: StateId(base), states });
    }

    /// The messages of a state, each once; and in the order of the text, the number of each and what follows.
    fn items(
        &self,
        state: &LocalState,
        id: &impl Fn(usize) -> StateId,
        names: &mut laban::syntax::Names,
        report: &mut Report,
    ) -> (Vec<Item>, Vec<(usize, StateId)>) {
        let mut order = Vec::new();
        let mut items: Vec<Item> = Vec::new();
        let mut met: HashMap<(Direction, ProcessId, Symbol), usize> = HashMap::new();
        for edge in &state.edges {
            let Action::Message { direction, partner, message } = &edge.action else { continue };
            let Some(partner) = self.partner(partner, report) else { continue };
            let label = names.intern(self.messages.label(message));
            let value = self.messages.value(message).map(|value| names.intern(value));
            let known = *met.entry((*direction, partner, label)).or_insert(items.len());
            order.push((known, id(edge.target)));
            match items.get_mut(known) {
                Some(item) => item.targets.push(id(edge.target)),
                None => {
                    let (direction, span, targets) = (*direction, edge.span, vec![id(edge.target)]);
                    items.push(Item { direction, partner, label, value, span, targets });
                }
            }
        }
        items.iter_mut().for_each(|item| remove_repeated(&mut item.targets));
        remove_repeated(&mut order);
        (items, order)
    }

    fn partner(&self, word: &Word, report: &mut Report) -> Option<ProcessId> {
        match self.partners.find(self.system, &word.text) {
            Some(found) if found == self.number => {
                let message = format!("{} communicates with itself", quote(&self.automaton.name.text));
                report.add(
                    Diagnostic::new(Code::SelfCommunication, word.span, message)
                        .label("this is the process itself")
                        .hint("a process can only communicate with others; what happens inside it needs no message"),
                );
                None
            }
            Some(found) => Some(ProcessId(found as u32)),
            None => {
                let message = format!("there is no process {}", quote(&word.text));
                let mut diagnostic =
                    Diagnostic::new(Code::UnknownProcess, word.span, message).label("not in this system");
                let names = self.system.automata.iter().map(|automaton| automaton.name.text.as_str());
                if let Some(meant) = closest(&word.text, names) {
                    diagnostic = diagnostic.hint(format!("did you mean {}?", quote(meant)));
                } else if self.system.numbered {
                    diagnostic = diagnostic.hint("a partner is a name after `.outputs`, or a number, counted from 0");
                }
                report.add(diagnostic);
                None
            }
        }
    }
}

/// Keeps the first of those that are equal.
fn remove_repeated<T: Copy + Eq + Hash>(list: &mut Vec<T>) {
    let mut met = HashSet::new();
    list.retain(|&item| met.insert(item));
}

/// What a process does in a state, given its silent edges and its messages. Other states that it takes are added.
fn head(
    parts: &mut NetworkParts,
    state: &LocalState,
    silent: Vec<StateId>,
    items: &[Item],
    order: &[(usize, StateId)],
) -> State {
    if items.iter().all(|item| item.direction == Direction::Send) {
        let mut sends = order.iter().filter_map(|&(number, next)| Some((items.get(number)?, next)));
        if silent.is_empty() && order.len() <= 1 {
            return sends.next().map_or(State::Stop, |(item, next)| send(item, next));
        }
        let mut arms = silent;
        arms.extend(sends.map(|(item, next)| add(parts, send(item, next), item.span)));
        return State::Choose { arms: list(&mut parts.arms, &arms) };
    }
    let act = act(parts, items);
    if silent.is_empty() {
        return act;
    }
    let act = add(parts, act, place(state));
    let arms: Vec<StateId> = silent.into_iter().chain([act]).collect();
    State::Choose { arms: list(&mut parts.arms, &arms) }
}

/// What a process does that receives, from one partner or several, and perhaps sends.
fn act(parts: &mut NetworkParts, items: &[Item]) -> State {
    let mut partners: Vec<(ProcessId, Span, Vec<Branch>)> = Vec::new();
    let mut numbers: HashMap<ProcessId, usize> = HashMap::new();
    let mut acts = Vec::new();
    for item in items {
        let next = after(parts, item);
        match item.direction {
            Direction::Send => acts.push((send(item, next), item.span)),
            Direction::Receive => {
                let number = *numbers.entry(item.partner).or_insert(partners.len());
                let branch = Branch { label: item.label, next };
                match partners.get_mut(number) {
                    Some((_, _, branches)) => branches.push(branch),
                    None => partners.push((item.partner, item.span, vec![branch])),
                }
            }
        }
    }
    for (from, span, mut branches) in partners {
        branches.sort_by_key(|branch| branch.label);
        let start = parts.branches.len() as u32;
        parts.branches.extend(branches);
        let branches = ArenaRange { start, end: parts.branches.len() as u32 };
        acts.push((State::Offer { from, branches }, span));
    }
    if let [(only, _)] = acts.as_slice() {
        return *only;
    }
    let items: Vec<StateId> = acts.into_iter().map(|(act, span)| add(parts, act, span)).collect();
    State::Any { items: list(&mut parts.arms, &items) }
}

fn send(item: &Item, next: StateId) -> State {
    let (to, label) = (item.partner, item.label);
    match item.value {
        Some(expression) => State::SelectValue { to, label, expression, next },
        None => State::Select { to, label, next },
    }
}

/// What follows a message: a choice if there are several states.
fn after(parts: &mut NetworkParts, item: &Item) -> StateId {
    match item.targets.as_slice() {
        [only] => *only,
        several => {
            let arms = list(&mut parts.arms, several);
            add(parts, State::Choose { arms }, item.span)
        }
    }
}

fn add(parts: &mut NetworkParts, state: State, span: Span) -> StateId {
    parts.states.push(state);
    parts.origins.push(span);
    parts.idle.push(false);
    StateId(parts.states.len() as u32 - 1)
}
