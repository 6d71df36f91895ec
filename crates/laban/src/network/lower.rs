//! Turns a syntax tree into local automata, or into a list of what is ill-formed.

use super::{Branch, Network, Process, ProcessId, State, StateId};
use crate::diagnostic::{Annotation, Code, Diagnostic, Replacement, closest, has_errors, quote};
use crate::scope::{MOST_DIAGNOSTICS, Scope};
use crate::syntax::{
    ArenaRange, Arm, LocalAction, LocalFork, Name, NetworkTree, Span, Symbol, Term, TermId, Unit, Values,
};
use std::collections::BTreeMap;

/// A network if the tree is well-formed, and what is wrong with it if not.
#[derive(Debug)]
pub struct LoweredNetwork {
    /// The automata; `None` if there are errors.
    pub network: Option<Network>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Turns each process into a local automaton of what its `main` can reach.
pub fn lower(tree: &NetworkTree) -> LoweredNetwork {
    let mut lowering = Lowering {
        tree,
        process_of: vec![NONE; tree.names.len()],
        state_of: vec![NONE; tree.terms.len()],
        network: Network {
            states: Vec::with_capacity(tree.terms.len()),
            origins: Vec::with_capacity(tree.terms.len()),
            ..Network::default()
        },
        values: Values::new(&tree.names),
        work: Vec::new(),
        diagnostics: Vec::new(),
        unknown: BTreeMap::new(),
    };
    lowering.name_processes();
    lowering.check_terms_and_lower();
    lowering.place_unknown_processes();
    let Lowering { mut network, mut diagnostics, state_of, values, .. } = lowering;
    if has_errors(&diagnostics) {
        diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
        return LoweredNetwork { network: None, diagnostics };
    }
    network.names = values.into_names();
    network.sizes = sizes(tree, &network, &state_of);
    LoweredNetwork { network: Some(network), diagnostics }
}

const NONE: u32 = u32::MAX;

struct Lowering<'a> {
    tree: &'a NetworkTree,
    /// For each symbol, the process of that name.
    process_of: Vec<u32>,
    /// For each term that is not a call, its state.
    state_of: Vec<u32>,
    network: Network,
    values: Values,
    /// Terms that have a number, but no state yet.
    work: Vec<TermId>,
    diagnostics: Vec<Diagnostic>,
    /// For each unknown process name, its diagnostic and all its places.
    unknown: BTreeMap<Symbol, (usize, Vec<Span>)>,
}

impl<'a> Lowering<'a> {
    #[cold]
    fn report(&mut self, diagnostic: impl FnOnce(&Self) -> Diagnostic) {
        if self.diagnostics.len() < MOST_DIAGNOSTICS {
            let diagnostic = diagnostic(self);
            self.diagnostics.push(diagnostic);
        }
    }

    fn name_processes(&mut self) {
        for (number, unit) in self.tree.units.iter().enumerate() {
            let Some(name) = unit.name else { continue };
            match self.process_of[name.symbol.index()] {
                NONE => self.process_of[name.symbol.index()] = number as u32,
                first => self.report(|lowering| {
                    let text = quote(lowering.tree.text(name));
                    let first = lowering.tree.units[first as usize].name.map_or(Span::default(), |name| name.span);
                    Diagnostic::new(Code::DuplicateProcess, name.span, format!("two processes are named {text}"))
                        .label("again here")
                        .at(first, "first here")
                        .hint("rename one of them")
                }),
            }
        }
    }

    fn check_terms_and_lower(&mut self) {
        let tree = self.tree;
        let Some(first) = tree.units.first() else {
            self.report(|_| Diagnostic::new(Code::Empty, Span::default(), "there are no processes"));
            return;
        };
        let mut scope = Scope::new(tree, first);
        for (number, unit) in tree.units.iter().enumerate() {
            scope.enter(unit, || owner(tree, unit), &mut self.diagnostics);
            // What can be reached is checked while it is lowered; the rest, and anything wrong, takes another look.
            let is_fine = self.diagnostics.is_empty() && self.lower_unit(ProcessId(number as u32), unit, &scope);
            if !is_fine {
                self.check_unit(unit, &scope);
            }
        }
    }

    /// Checks every term of a process, whether it can be reached or not.
    fn check_unit(&mut self, unit: &Unit, scope: &Scope<'a, crate::syntax::Networks>) {
        let tree = self.tree;
        let bodies =
            unit.procedures.iter().map(|procedure| procedure.body).chain(unit.mains.iter().map(|main| main.body));
        let mut work: Vec<TermId> = bodies.collect();
        let mut labels: Vec<(u32, Span)> = Vec::new();
        while let Some(mut term) = work.pop() {
            loop {
                match tree.term(term) {
                    Term::Act(action, next) => {
                        match action {
                            LocalAction::Send { to, .. } => self.check_partner(unit, to, "sends to"),
                            LocalAction::Receive { from } => self.check_partner(unit, from, "receives from"),
                            LocalAction::Select { to, .. } => self.check_partner(unit, to, "selects a label at"),
                        }
                        term = next;
                        continue;
                    }
                    Term::Fork(fork, arms) => {
                        let arms = arms.of(&tree.arms);
                        if let LocalFork::Offer { from } = fork {
                            self.check_partner(unit, from, "offers labels to");
                            self.check_labels(arms, &mut labels);
                        }
                        work.extend(arms.iter().rev().map(|arm| arm.body));
                    }
                    Term::Call(name) => {
                        if scope.find(name.symbol).is_none() {
                            scope.unknown_procedure(name, &owner(tree, unit), &mut self.diagnostics);
                        }
                    }
                    Term::Stop | Term::Missing => {}
                }
                break;
            }
        }
    }

    #[inline]
    fn check_partner(&mut self, unit: &Unit, partner: Name, does: &str) {
        let is_own = unit.name.is_some_and(|name| name.symbol == partner.symbol);
        if is_own || self.process_of[partner.symbol.index()] == NONE {
            self.no_partner(unit, partner, does);
        }
    }

    #[cold]
    fn no_partner(&mut self, unit: &Unit, partner: Name, does: &str) {
        if unit.name.is_some_and(|name| name.symbol == partner.symbol) {
            self.report(|lowering| {
                let name = quote(lowering.tree.text(partner));
                let message = format!("process {name} {does} itself");
                Diagnostic::new(Code::SelfCommunication, partner.span, message)
                    .label("this is the process itself")
                    .hint("a process can only communicate with others; what happens inside it needs no action")
            });
        } else {
            if let Some((_, places)) = self.unknown.get_mut(&partner.symbol) {
                places.push(partner.span);
                return;
            }
            self.unknown.insert(partner.symbol, (self.diagnostics.len(), vec![partner.span]));
            self.report(|lowering| {
                let tree = lowering.tree;
                let text = tree.text(partner);
                let diagnostic =
                    Diagnostic::new(Code::UnknownProcess, partner.span, format!("there is no process {}", quote(text)))
                        .label("not in this network");
                let own = unit.name.map(|name| name.symbol);
                let first = |&(number, name): &(usize, Name)| lowering.process_of[name.symbol.index()] == number as u32;
                let names = tree.units.iter().enumerate().filter_map(|(number, unit)| Some((number, unit.name?)));
                let others: Vec<Name> =
                    names.filter(first).map(|(_, name)| name).filter(|name| Some(name.symbol) != own).collect();
                match closest(text, others.iter().map(|&name| tree.text(name))) {
                    Some(candidate) => diagnostic.hint(format!("did you mean {}?", quote(candidate))).fix_word(
                        partner.span,
                        text,
                        candidate,
                    ),
                    None if others.is_empty() => diagnostic.hint("there is no other process in this network"),
                    None if others.len() == 1 => {
                        diagnostic.hint(format!("the only other process is {}", quote(tree.text(others[0]))))
                    }
                    None => {
                        let names: Vec<String> = others.iter().take(6).map(|&name| quote(tree.text(name))).collect();
                        let rest = if others.len() > 6 { ", …" } else { "" };
                        diagnostic.hint(format!("the other processes are {}{rest}", names.join(", ")))
                    }
                }
            });
        }
    }

    /// An unknown process is one mistake, however often it is named.
    fn place_unknown_processes(&mut self) {
        const MOST_PLACES: usize = 4;
        for (diagnostic, places) in self.unknown.values_mut() {
            let Some(diagnostic) = self.diagnostics.get_mut(*diagnostic) else { continue };
            places.sort_unstable();
            // What mends one place mends them all.
            for fix in &mut diagnostic.fixes {
                let text = fix.replacements.pop().map_or_else(String::new, |replacement| replacement.text);
                fix.replacements = places.iter().map(|&span| Replacement { span, text: text.clone() }).collect();
            }
            let mut places = places.iter();
            diagnostic.primary.span = places.next().copied().unwrap_or_default();
            for &span in places.by_ref().take(MOST_PLACES - 1) {
                diagnostic.secondary.push(Annotation { span, label: "also named here".to_string() });
            }
            match places.count() {
                0 => {}
                1 => diagnostic.notes.push("it is named in one more place".into()),
                more => diagnostic.notes.push(format!("it is named in {more} more places").into()),
            }
        }
    }

    fn check_labels(&mut self, arms: &[Arm], labels: &mut Vec<(u32, Span)>) {
        if arms.is_empty() {
            return;
        }
        labels.clear();
        labels.extend(arms.iter().filter_map(|arm| arm.label).map(|label| (label.symbol.0, label.span)));
        labels.sort_unstable();
        for pair in labels.windows(2) {
            let ((first, place), (second, again)) = (pair[0], pair[1]);
            if first == second {
                self.report(|lowering| {
                    let name = quote(lowering.tree.names.text(Symbol(first)));
                    Diagnostic::new(Code::DuplicateLabel, again, format!("this offer has two branches named {name}"))
                        .label("again here")
                        .at(place, "first here")
                        .hint("only one of them could ever run: rename or remove the other")
                });
            }
        }
    }

    /// Lowers a process. Returns whether it is certainly well-formed: everything was reached, and nothing is wrong with
    /// it.
    fn lower_unit(&mut self, process: ProcessId, unit: &Unit, scope: &Scope<'a, crate::syntax::Networks>) -> bool {
        let (Some(name), Some(main)) = (unit.name, unit.mains.first()) else { return false };
        let first = self.network.states.len() as u32;
        let Some(head) = scope.head(main.body) else { return false };
        let start = self.number(head);
        let mut is_fine = true;
        while let Some(term) = self.work.pop() {
            let mut goto = |lowering: &mut Self, target: TermId| -> StateId {
                let head = scope.head(target);
                is_fine &= head.is_some();
                let head = head.unwrap_or(target);
                match lowering.state_of[head.index()] {
                    NONE => lowering.number(head),
                    known => StateId(known),
                }
            };
            let partner = |lowering: &Self, name: Name| ProcessId(lowering.process_of[name.symbol.index()]);
            let state = match self.tree.term(term) {
                Term::Act(LocalAction::Send { to, expression }, next) => {
                    let expression = self.values.of(expression.symbol);
                    State::Send { to: partner(self, to), expression, next: goto(self, next) }
                }
                Term::Act(LocalAction::Receive { from }, next) => {
                    State::Receive { from: partner(self, from), next: goto(self, next) }
                }
                Term::Act(LocalAction::Select { to, label }, next) => {
                    State::Select { to: partner(self, to), label: label.symbol, next: goto(self, next) }
                }
                Term::Fork(LocalFork::If { condition }, arms) => {
                    let arms = arms.of(&self.tree.arms);
                    let (then, otherwise) = match arms {
                        [then, otherwise] => (then.body, otherwise.body),
                        _ => (term, term),
                    };
                    // The work is a stack: what is numbered last is lowered first.
                    let then = goto(self, then);
                    let otherwise = goto(self, otherwise);
                    State::If { condition: condition.symbol, then, otherwise }
                }
                Term::Fork(LocalFork::Offer { from }, arms) => {
                    let start = self.network.branches.len() as u32;
                    for arm in arms.of(&self.tree.arms) {
                        let Some(label) = arm.label else { continue };
                        let next = goto(self, arm.body);
                        self.network.branches.push(Branch { label: label.symbol, next });
                    }
                    let offered = &mut self.network.branches[start as usize..];
                    offered.sort_unstable_by_key(|branch| branch.label);
                    is_fine &= offered.windows(2).all(|pair| pair[0].label != pair[1].label);
                    let branches = ArenaRange { start, end: self.network.branches.len() as u32 };
                    State::Offer { from: partner(self, from), branches }
                }
                Term::Stop | Term::Call(_) | Term::Missing => State::Stop,
            };
            is_fine &= self.network.partners(state).all(|partner| partner != process && partner.0 != NONE);
            let number = self.state_of[term.index()] as usize;
            self.network.states[number] = state;
        }
        let states = ArenaRange { start: first, end: self.network.states.len() as u32 };
        self.network.processes.push(Process {
            name: name.symbol,
            span: name.span,
            service: unit.service.is_some(),
            start,
            states,
        });
        debug_assert_eq!(self.network.processes.len(), process.index() + 1);
        let reached = |term: TermId| scope.head(term).is_some_and(|head| self.state_of[head.index()] != NONE);
        is_fine && unit.procedures.iter().all(|procedure| reached(procedure.body))
    }

    /// Gives a term the next number; its state is filled in when its turn comes.
    fn number(&mut self, term: TermId) -> StateId {
        let number = self.network.states.len() as u32;
        self.network.states.push(State::Stop);
        self.network.origins.push(self.tree.span(term));
        self.state_of[term.index()] = number;
        self.work.push(term);
        StateId(number)
    }
}

/// How many actions the text of each state has. Terms come before what follows them, so one pass from the end is
/// enough.
fn sizes(tree: &NetworkTree, network: &Network, state_of: &[u32]) -> Vec<u32> {
    let mut of_term = vec![0u32; tree.terms.len()];
    let mut of_state = vec![0u32; network.states.len()];
    for (number, term) in tree.terms.iter().enumerate().rev() {
        let size = match term {
            Term::Act(_, next) => of_term[next.index()].saturating_add(1),
            Term::Fork(_, arms) => {
                arms.of(&tree.arms).iter().fold(1u32, |sum, arm| sum.saturating_add(of_term[arm.body.index()]))
            }
            Term::Stop | Term::Call(_) | Term::Missing => 0,
        };
        of_term[number] = size;
        if state_of[number] != NONE {
            of_state[state_of[number] as usize] = size;
        }
    }
    of_state
}

/// What messages call a unit of a network.
pub(super) fn owner(tree: &NetworkTree, unit: &Unit) -> String {
    match unit.name {
        Some(name) => format!("process {}", quote(tree.text(name))),
        None => "a process without a name".to_string(),
    }
}
