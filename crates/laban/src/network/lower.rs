//! Turns a syntax tree into local automata, or into a list of what is ill-formed.

use super::{Branch, Network, Process, ProcessId, State, StateId, race};
use crate::diagnostic::{Annotation, Code, Diagnostic, Replacement, closest, has_errors, quote};
use crate::lowering::{Lowering, NONE, each_term};
use crate::scope::Scope;
use crate::syntax::{
    ArenaRange, Arm, LabelledValue, LocalAction, LocalFork, Name, NetworkTree, Networks, Span, Symbol, Term, TermId,
    Unit,
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
    let network = Network {
        states: Vec::with_capacity(tree.terms.len()),
        origins: Vec::with_capacity(tree.terms.len()),
        branches: Vec::with_capacity(tree.arms.len()),
        ..Network::default()
    };
    let mut lowering = NetworkLowering { shared: Lowering::new(tree), network, unknown: BTreeMap::new() };
    lowering.name_processes();
    race::check_idle(&mut lowering.shared);
    lowering.check_terms_and_lower();
    let channels = lowering.channels();
    lowering.place_unknown_processes();
    let NetworkLowering { shared, mut network, .. } = lowering;
    let Lowering { mut diagnostics, number_of, values, .. } = shared;
    if has_errors(&diagnostics) {
        diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
        return LoweredNetwork { network: None, diagnostics };
    }
    network.names = values.into_names();
    network.sizes = sizes(tree, &network, &number_of);
    network.set_channels(channels);
    network.idle = race::idle_states(tree, network.states.len(), &number_of);
    network.by_partner = race::by_partner(&network.states, &network.arms);
    LoweredNetwork { network: Some(network), diagnostics }
}

pub(super) struct NetworkLowering<'a> {
    pub(super) shared: Lowering<'a, Networks>,
    network: Network,
    /// For each unknown process name, its diagnostic and all its places.
    unknown: BTreeMap<Symbol, (usize, Vec<Span>)>,
}

impl<'a> NetworkLowering<'a> {
    fn name_processes(&mut self) {
        for (number, unit) in self.shared.tree.units.iter().enumerate() {
            let Some(name) = unit.name else { continue };
            match self.shared.process_of[name.symbol.index()] {
                NONE => self.shared.process_of[name.symbol.index()] = number as u32,
                first => self.shared.report(|lowering| {
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
        let tree = self.shared.tree;
        let Some(first) = tree.units.first() else {
            self.shared.report(|_| Diagnostic::new(Code::Empty, Span::default(), "there are no processes"));
            return;
        };
        let mut scope = Scope::new(tree, first);
        for (number, unit) in tree.units.iter().enumerate() {
            scope.enter(unit, || owner(tree, unit), &mut self.shared.diagnostics);
            // What can be reached is checked while it is lowered; the rest, and anything wrong, takes another look.
            let is_fine = self.shared.diagnostics.is_empty() && self.lower_unit(ProcessId(number as u32), unit, &scope);
            if !is_fine {
                self.check_unit(unit, &scope);
            }
        }
    }

    /// Checks every term of a process, whether it can be reached or not.
    fn check_unit(&mut self, unit: &Unit, scope: &Scope<'a, Networks>) {
        let tree = self.shared.tree;
        let bodies =
            unit.procedures.iter().map(|procedure| procedure.body).chain(unit.mains.iter().map(|main| main.body));
        let mut labels: Vec<(u32, Span)> = Vec::new();
        each_term(tree, bodies.collect(), |term| match *term {
            Term::Act(LocalAction::Send { to, .. }, _) => self.check_partner(unit, to, "sends to"),
            Term::Act(LocalAction::Receive { from }, _) => self.check_partner(unit, from, "receives from"),
            Term::Act(LocalAction::Select { to, .. } | LocalAction::SelectValue { to, .. }, _) => {
                self.check_partner(unit, to, "selects a label at");
            }
            Term::Fork(LocalFork::Offer { from } | LocalFork::OfferOne { from }, arms) => {
                self.check_partner(unit, from, "offers labels to");
                self.check_labels(arms.of(&tree.arms), &mut labels);
            }
            Term::Fork(LocalFork::Any, arms) => race::check_items(&mut self.shared, arms),
            Term::Call(name) => scope.check_call(name, || owner(tree, unit), &mut self.shared.diagnostics),
            Term::Fork(LocalFork::If { .. } | LocalFork::Choose, _) | Term::Stop | Term::Missing => {}
        });
    }

    #[inline]
    fn check_partner(&mut self, unit: &Unit, partner: Name, does: &str) {
        let is_own = unit.name.is_some_and(|name| name.symbol == partner.symbol);
        if is_own || self.shared.process(partner.symbol) == NONE {
            self.no_partner(unit.name, partner, does);
        }
    }

    #[cold]
    pub(super) fn no_partner(&mut self, own: Option<Name>, partner: Name, does: &str) {
        if own.is_some_and(|name| name.symbol == partner.symbol) {
            self.shared.report(|lowering| {
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
            self.unknown.insert(partner.symbol, (self.shared.diagnostics.len(), vec![partner.span]));
            self.shared.report(|lowering| {
                let tree = lowering.tree;
                let text = tree.text(partner);
                let diagnostic =
                    Diagnostic::new(Code::UnknownProcess, partner.span, format!("there is no process {}", quote(text)))
                        .label("not in this network");
                let own = own.map(|name| name.symbol);
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
            let Some(diagnostic) = self.shared.diagnostics.get_mut(*diagnostic) else { continue };
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
                self.shared.report(|lowering| {
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
    fn lower_unit(&mut self, process: ProcessId, unit: &Unit, scope: &Scope<'a, Networks>) -> bool {
        let (Some(name), Some(main)) = (unit.name, unit.mains.first()) else { return false };
        let first = self.network.states.len() as u32;
        let Some(head) = scope.head(main.body) else { return false };
        let start = self.number(head);
        let (mut is_fine, mut races) = (true, false);
        while let Some(term) = self.shared.work.pop() {
            let Some(term) = self.lower_row(process, term, scope, &mut is_fine) else { continue };
            let mut goto = |lowering: &mut Self, target: TermId| -> StateId {
                let head = scope.head(target);
                is_fine &= head.is_some();
                lowering.number(head.unwrap_or(target))
            };
            let partner = |lowering: &Self, name: Name| ProcessId(lowering.shared.process(name.symbol));
            let mut source = term;
            let state = loop {
                break match self.shared.tree.term(source) {
                    // The items of a race; elsewhere actions come in rows.
                    Term::Act(action, next) => {
                        let next = goto(self, next);
                        self.act(&action, next)
                    }
                    Term::Fork(LocalFork::If { condition }, arms) => {
                        let arms = arms.of(&self.shared.tree.arms);
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
                        for arm in arms.of(&self.shared.tree.arms) {
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
                    Term::Fork(LocalFork::OfferOne { from }, arms) => {
                        let start = self.network.branches.len() as u32;
                        for &Arm { label, body } in arms.of(&self.shared.tree.arms) {
                            let next = goto(self, body);
                            self.network.branches.extend(label.map(|label| Branch { label: label.symbol, next }));
                        }
                        let branches = ArenaRange { start, end: self.network.branches.len() as u32 };
                        State::Offer { from: partner(self, from), branches }
                    }
                    Term::Fork(LocalFork::Choose, arms) => {
                        let arms = arms.of(&self.shared.tree.arms).iter();
                        let arms: Vec<StateId> = arms.map(|arm| goto(self, arm.body)).collect();
                        State::Choose { arms: self.keep_arms(&arms) }
                    }
                    // A race of one item is that item.
                    Term::Fork(LocalFork::Any, arms) if arms.len() == 1 => {
                        source = arms.of(&self.shared.tree.arms).first().map_or(source, |only| only.body);
                        races = true;
                        continue;
                    }
                    Term::Fork(LocalFork::Any, arms) => {
                        // What an item does is its own state, and whether the items are in order takes another look.
                        let items = arms.of(&self.shared.tree.arms).iter();
                        let items: Vec<StateId> = items.map(|arm| self.number(arm.body)).collect();
                        races = true;
                        State::Any { items: self.keep_arms(&items) }
                    }
                    Term::Stop | Term::Call(_) | Term::Missing => State::Stop,
                };
            };
            // The items of a race are states of their own.
            is_fine &= state.partner().is_none_or(|partner| partner != process && partner.0 != NONE);
            let number = self.shared.number_of[term.index()] as usize;
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
        let reached = |term: TermId| scope.head(term).is_some_and(|head| self.shared.number_of[head.index()] != NONE);
        is_fine && !races && unit.procedures.iter().all(|procedure| reached(procedure.body))
    }

    /// Lowers actions that follow each other, from a term that has a number. Returns the term behind them, unless that
    /// has been lowered or will be.
    #[inline]
    fn lower_row(
        &mut self,
        process: ProcessId,
        mut term: TermId,
        scope: &Scope<'a, Networks>,
        is_fine: &mut bool,
    ) -> Option<TermId> {
        let tree = self.shared.tree;
        while let Some(Term::Act(action, target)) = tree.terms.get(term.index()) {
            let head = scope.head(*target);
            *is_fine &= head.is_some();
            let follows = head.unwrap_or(*target);
            let known = self.shared.number_of[follows.index()];
            // What has no number yet is lowered next, so it need not be put to the work first.
            let next = if known == NONE { self.add(follows) } else { StateId(known) };
            let state = self.act(action, next);
            *is_fine &= state.partner().is_some_and(|partner| partner != process && partner.0 != NONE);
            let number = self.shared.number_of[term.index()];
            self.network.states[number as usize] = state;
            if known != NONE {
                return None;
            }
            term = follows;
        }
        Some(term)
    }

    /// What an action does.
    #[inline]
    fn act(&mut self, action: &LocalAction, next: StateId) -> State {
        let shared = &mut self.shared;
        match *action {
            LocalAction::Send { to, expression } => {
                let expression = shared.values.of(expression.symbol);
                State::Send { to: ProcessId(shared.process(to.symbol)), expression, next }
            }
            LocalAction::Receive { from } => State::Receive { from: ProcessId(shared.process(from.symbol)), next },
            LocalAction::Select { to, label } => {
                State::Select { to: ProcessId(shared.process(to.symbol)), label: label.symbol, next }
            }
            LocalAction::SelectValue { to, content } => {
                let LabelledValue { label, expression } = shared.tree.labelled(content);
                let expression = shared.values.of(expression.symbol);
                State::SelectValue { to: ProcessId(shared.process(to.symbol)), label: label.symbol, expression, next }
            }
        }
    }

    fn keep_arms(&mut self, states: &[StateId]) -> ArenaRange {
        let start = self.network.arms.len() as u32;
        self.network.arms.extend_from_slice(states);
        ArenaRange { start, end: self.network.arms.len() as u32 }
    }

    /// The state of a term; it is filled in when its turn comes.
    #[inline]
    fn number(&mut self, term: TermId) -> StateId {
        let known = self.shared.number_of[term.index()];
        if known != NONE {
            return StateId(known);
        }
        self.shared.work.push(term);
        self.add(term)
    }

    /// A new state for a term that has none.
    #[inline]
    fn add(&mut self, term: TermId) -> StateId {
        let number = self.network.states.len() as u32;
        self.network.states.push(State::Stop);
        self.network.origins.push(self.shared.tree.span(term));
        self.shared.number_of[term.index()] = number;
        StateId(number)
    }
}

/// How many actions the text of each state has. Terms come before what follows them, so one pass from the end is
/// enough.
fn sizes(tree: &NetworkTree, network: &Network, number_of: &[u32]) -> Vec<u32> {
    let mut of_term = vec![0u32; tree.terms.len()];
    let mut of_state = vec![0u32; network.states.len()];
    let mut last = 0u32;
    for ((number, term), &state) in tree.terms.iter().enumerate().zip(number_of).rev() {
        let size = match term {
            // What follows an action is the next term, as a rule.
            Term::Act(_, next) if next.index() == number + 1 => last.saturating_add(1),
            Term::Act(_, next) => of_term[next.index()].saturating_add(1),
            Term::Fork(_, arms) => {
                arms.of(&tree.arms).iter().fold(1u32, |sum, arm| sum.saturating_add(of_term[arm.body.index()]))
            }
            Term::Stop | Term::Call(_) | Term::Missing => 0,
        };
        of_term[number] = size;
        if state != NONE {
            of_state[state as usize] = size;
        }
        last = size;
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
