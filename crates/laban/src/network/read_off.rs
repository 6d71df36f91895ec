//! From automata to text: what each process does, with procedures where behaviours are shared or go round.
//!
//! Which states become procedures is decided in `outline`. They get the names that are suggested for them, as long as
//! no two of one process are called the same, and otherwise numbers in the order in which a reader meets their calls.

use super::{Network, ProcessId, State, StateId};
use crate::outline::{Outline, Shape, procedures};
use crate::syntax::{
    ArenaRange, Arm, LocalAction, LocalFork, Main, Name, NetworkTree, Procedure, Span, Symbol, Term, TermId, Tree, Unit,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The network as a syntax tree. States that become procedures are named as suggested, where that is possible.
pub fn read_off(network: &Network, suggested: &[(StateId, Symbol)]) -> NetworkTree {
    let mut suggestions: FxHashMap<StateId, Symbol> = FxHashMap::default();
    for &(state, name) in suggested {
        suggestions.entry(state).or_insert(name);
    }
    let mut reader = Reader {
        network,
        tree: Tree { names: network.names.clone(), ..Tree::default() },
        named: procedures(network),
        suggestions,
        processes: network.processes.iter().map(|process| process.name).collect(),
        name_of: vec![None; network.states.len()],
        met: Vec::new(),
        taken: FxHashSet::default(),
        alone: false,
        next_number: 1,
    };
    for process in network.process_ids() {
        reader.process(process);
    }
    reader.tree
}

struct Reader<'a> {
    network: &'a Network,
    tree: NetworkTree,
    named: Vec<bool>,
    suggestions: FxHashMap<StateId, Symbol>,
    processes: FxHashSet<Symbol>,
    /// The name of each state that has been met and is a procedure.
    name_of: Vec<Option<Symbol>>,
    /// The procedures of the current process, in the order in which they are met.
    met: Vec<StateId>,
    /// Their names.
    taken: FxHashSet<Symbol>,
    /// The process has only one procedure: it needs no number.
    alone: bool,
    next_number: u32,
}

impl Reader<'_> {
    fn process(&mut self, id: ProcessId) {
        let Some(process) = self.network.processes.get(id.index()) else { return };
        self.met.clear();
        self.taken.clear();
        self.next_number = 1;
        let states = process.states.start as usize..process.states.end as usize;
        self.alone = self.named.get(states).is_some_and(|named| named.iter().filter(|&&named| named).count() == 1);
        let main = self.body(process.start, true);
        let mut procedures = Vec::new();
        let mut next = 0;
        while let Some(&state) = self.met.get(next) {
            let body = self.body(state, false);
            if let Some(symbol) = self.name_of[state.index()] {
                procedures.push(Procedure { name: name(symbol), body, span: Span::default() });
            }
            next += 1;
        }
        let mains = vec![Main { body: main, span: Span::default() }];
        let service = process.service.then(Span::default);
        let span = Span::default();
        self.tree.units.push(Unit { name: Some(name(process.name)), service, procedures, mains, span });
    }

    /// Writes down what a process does from a state, up to the next calls.
    fn body(&mut self, start: StateId, may_call_at_once: bool) -> TermId {
        let first = TermId(self.tree.terms.len() as u32);
        // Arms whose body is still to be written.
        let mut open: Vec<(usize, StateId)> = Vec::new();
        let mut at = start;
        let mut may_call = may_call_at_once;
        loop {
            let after = TermId(self.tree.terms.len() as u32 + 1);
            let term = match self.network.state(at) {
                _ if may_call && self.named[at.index()] => Term::Call(self.call(at)),
                State::Stop => Term::Stop,
                State::Send { to, expression, next } => {
                    at = next;
                    Term::Act(LocalAction::Send { to: self.partner(to), expression: name(expression) }, after)
                }
                State::Receive { from, next } => {
                    at = next;
                    Term::Act(LocalAction::Receive { from: self.partner(from) }, after)
                }
                State::Select { to, label, next } => {
                    at = next;
                    Term::Act(LocalAction::Select { to: self.partner(to), label: name(label) }, after)
                }
                State::If { condition, then, otherwise } => {
                    let start = self.tree.arms.len();
                    self.tree.arms.push(Arm { label: None, body: after });
                    self.tree.arms.push(Arm { label: None, body: after });
                    open.push((start + 1, otherwise));
                    at = then;
                    let range = ArenaRange { start: start as u32, end: start as u32 + 2 };
                    Term::Fork(LocalFork::If { condition: name(condition) }, range)
                }
                State::Offer { from, branches } => {
                    let start = self.tree.arms.len();
                    let branches = branches.of(&self.network.branches);
                    let arms = branches.iter().map(|branch| Arm { label: Some(name(branch.label)), body: after });
                    self.tree.arms.extend(arms);
                    let rest = branches.iter().enumerate().skip(1).rev();
                    open.extend(rest.map(|(number, branch)| (start + number, branch.next)));
                    let range = ArenaRange { start: start as u32, end: (start + branches.len()) as u32 };
                    if let Some(branch) = branches.first() {
                        at = branch.next;
                    }
                    Term::Fork(LocalFork::Offer { from: self.partner(from) }, range)
                }
            };
            self.tree.push(term, Span::default());
            may_call = true;
            let ends = match term {
                Term::Stop | Term::Call(_) => true,
                Term::Fork(_, arms) => arms.is_empty(),
                _ => false,
            };
            if ends {
                let Some((arm, state)) = open.pop() else { return first };
                self.tree.arms[arm].body = after;
                at = state;
            }
        }
    }

    fn call(&mut self, state: StateId) -> Name {
        if let Some(symbol) = self.name_of[state.index()] {
            return name(symbol);
        }
        let suggested = self.suggestions.get(&state).copied().filter(|symbol| !self.taken.contains(symbol));
        let symbol = suggested.unwrap_or_else(|| self.fresh());
        self.taken.insert(symbol);
        self.name_of[state.index()] = Some(symbol);
        self.met.push(state);
        name(symbol)
    }

    fn fresh(&mut self) -> Symbol {
        loop {
            let text = match self.alone && self.next_number == 1 {
                true => "X".to_string(),
                false => format!("X{}", self.next_number),
            };
            self.next_number += 1;
            let symbol = self.tree.names.intern(&text);
            // A process of that name would be confusing.
            if !self.taken.contains(&symbol) && !self.processes.contains(&symbol) {
                return symbol;
            }
        }
    }

    fn partner(&self, process: ProcessId) -> Name {
        name(self.network.processes.get(process.index()).map_or(Symbol(u32::MAX), |process| process.name))
    }
}

fn name(symbol: Symbol) -> Name {
    Name { symbol, span: Span::default() }
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
            State::Send { next, .. } | State::Receive { next, .. } | State::Select { next, .. } => {
                Shape::Action(next.0)
            }
            State::Offer { .. } | State::If { .. } => Shape::Fork,
        }
    }

    fn successors(&self, node: u32, successors: &mut Vec<u32>) {
        Network::successors(self, StateId(node), |next| successors.push(next.0));
    }
}
