//! Which body a call leads to: procedures of both languages, resolved.
//!
//! A unit (a process, or a part of a choreography) has procedures and one `main`. This module finds them by name,
//! reports what is wrong with them (twice the same name, calls that lead nowhere, cycles of calls without an action)
//! and follows calls to the first term that does something. What the terms mean is left to the models.

use crate::diagnostic::{Code, Diagnostic, closest, quote};
use crate::syntax::{Language, Name, Procedure, Symbol, Term, TermId, Tree, Unit};

/// More diagnostics than this help nobody.
pub(crate) const MOST_DIAGNOSTICS: usize = 100;

const NONE: u32 = u32::MAX;

/// Finds procedures of one unit after the other.
pub(crate) struct Scope<'a, L: Language> {
    tree: &'a Tree<L>,
    unit: &'a Unit,
    /// For each symbol, the procedure of the current unit with that name.
    procedure_of: Vec<u32>,
    /// For each procedure of the current unit, the first term that is not a call.
    heads: Vec<Option<TermId>>,
}

impl<'a, L: Language> Scope<'a, L> {
    pub(crate) fn new(tree: &'a Tree<L>, unit: &'a Unit) -> Self {
        Scope { tree, unit, procedure_of: vec![NONE; tree.names.len()], heads: Vec::new() }
    }

    /// Goes to a unit: its procedures are the ones that are found from now on.
    pub(crate) fn enter(&mut self, unit: &'a Unit, owner: impl Fn() -> String, diagnostics: &mut Vec<Diagnostic>) {
        for procedure in &self.unit.procedures {
            self.procedure_of[procedure.name.symbol.index()] = NONE;
        }
        self.unit = unit;
        for (number, procedure) in unit.procedures.iter().enumerate() {
            let slot = &mut self.procedure_of[procedure.name.symbol.index()];
            if *slot == NONE {
                *slot = number as u32;
            } else if diagnostics.len() < MOST_DIAGNOSTICS {
                let (owner, name) = (owner(), quote(self.tree.text(procedure.name)));
                let first = unit.procedures[*slot as usize].name.span;
                diagnostics.push(
                    Diagnostic::new(
                        Code::DuplicateProcedure,
                        procedure.name.span,
                        format!("{owner} has two procedures named {name}"),
                    )
                    .label("defined again here")
                    .at(first, "first defined here")
                    .hint("rename one of them"),
                );
            }
        }
        self.check_mains(&owner, diagnostics);
        self.resolve(&owner, diagnostics);
    }

    fn check_mains(&self, owner: impl Fn() -> String, diagnostics: &mut Vec<Diagnostic>) {
        if diagnostics.len() >= MOST_DIAGNOSTICS {
            return;
        }
        match self.unit.mains.as_slice() {
            [_] => {}
            [] => {
                let span = self.unit.name.map_or(self.unit.span, |name| name.span);
                diagnostics.push(
                    Diagnostic::new(Code::MissingMain, span, format!("{} has no `main`", owner()))
                        .hint("add `main { … }` after the procedures: execution starts there"),
                );
            }
            [first, second, ..] => diagnostics.push(
                Diagnostic::new(Code::DuplicateMain, second.span, format!("{} has more than one `main`", owner()))
                    .label("another one")
                    .at(first.span, "the first one")
                    .hint("execution starts at `main`, so there can be only one; make the other a procedure"),
            ),
        }
    }

    /// Follows each procedure to the first term that is not a call, and finds cycles.
    fn resolve(&mut self, owner: impl Fn() -> String, diagnostics: &mut Vec<Diagnostic>) {
        let procedures = &self.unit.procedures;
        self.heads.clear();
        self.heads.resize(procedures.len(), None);
        // 0: not seen; otherwise the walk in which it was first seen.
        let mut seen = vec![0u32; procedures.len()];
        let mut path = Vec::new();
        for start in 0..procedures.len() {
            let walk = start as u32 + 1;
            path.clear();
            let mut at = start;
            let head = loop {
                if seen[at] == walk {
                    if diagnostics.len() < MOST_DIAGNOSTICS {
                        let cycle = path.iter().position(|&other| other == at).unwrap_or(0);
                        diagnostics.push(self.cycle(&owner(), &path[cycle..]));
                    }
                    break None;
                }
                if seen[at] != 0 {
                    break self.heads[at];
                }
                seen[at] = walk;
                path.push(at);
                let body = procedures[at].body;
                match self.tree.term(body) {
                    Term::Call(name) => match self.find(name.symbol) {
                        Some(next) => at = next,
                        None => break None,
                    },
                    _ => break Some(body),
                }
            };
            for &procedure in &path {
                self.heads[procedure] = head;
            }
        }
    }

    fn cycle(&self, owner: &str, cycle: &[usize]) -> Diagnostic {
        const MOST_SHOWN: usize = 4;
        let name = |&number: &usize| quote(self.tree.text(self.unit.procedures[number].name));
        let call_of = |number: usize| self.tree.span(self.unit.procedures[number].body);
        let first = cycle[0];
        let message = match cycle {
            [one] => format!("procedure {} of {owner} only calls itself", name(one)),
            _ => {
                let names: Vec<String> = cycle.iter().take(MOST_SHOWN).map(name).collect();
                let rest = if cycle.len() > MOST_SHOWN { ", …" } else { "" };
                format!("procedures {}{rest} of {owner} only call each other", names.join(", "))
            }
        };
        let mut diagnostic = Diagnostic::new(Code::UnguardedLoop, call_of(first), message)
            .label("this call never reaches an action")
            .hint("put an action before the call, or replace it with `stop`");
        for &number in cycle.iter().skip(1).take(MOST_SHOWN - 1) {
            diagnostic = diagnostic.at(call_of(number), "which continues here");
        }
        diagnostic
    }

    /// The procedure of this name in the current unit.
    pub(crate) fn find(&self, name: Symbol) -> Option<usize> {
        match self.procedure_of.get(name.index()) {
            None | Some(&NONE) => None,
            Some(&number) => Some(number as usize),
        }
    }

    /// The term itself or, for a call, the first term that is not a call; `None` if the call leads nowhere.
    #[inline]
    pub(crate) fn head(&self, term: TermId) -> Option<TermId> {
        match self.tree.terms.get(term.index()) {
            Some(Term::Call(name)) => self.find(name.symbol).and_then(|number| self.heads[number]),
            _ => Some(term),
        }
    }

    /// Reports a call if it has no procedure.
    pub(crate) fn check_call(&self, name: Name, owner: impl Fn() -> String, diagnostics: &mut Vec<Diagnostic>) {
        if self.find(name.symbol).is_none() && diagnostics.len() < MOST_DIAGNOSTICS {
            self.unknown_procedure(name, &owner(), diagnostics);
        }
    }

    #[cold]
    fn unknown_procedure(&self, name: Name, owner: &str, diagnostics: &mut Vec<Diagnostic>) {
        let text = self.tree.text(name);
        let diagnostic =
            Diagnostic::new(Code::UnknownProcedure, name.span, format!("{owner} has no procedure {}", quote(text)))
                .label("called here");
        let defined = self.unit.procedures.iter().map(|procedure| self.tree.text(procedure.name));
        let is_process =
            self.tree.units.iter().any(|unit| unit.name.is_some_and(|process| process.symbol == name.symbol));
        diagnostics.push(if let Some(candidate) = closest(text, defined) {
            diagnostic.hint(format!("did you mean {}?", quote(candidate))).fix_word(name.span, text, candidate)
        } else if is_process {
            let text = quote(text);
            let text = text.trim_matches('`');
            diagnostic.hint(format!(
                "{text} is a process: to talk to it, write `{text}!<value>`, `{text}?` or `{text}+label`"
            ))
        } else if let Some(other) = self.tree.units.iter().find(|unit| defines(unit, name.symbol))
            && let Some(process) = other.name
        {
            diagnostic.hint(format!(
                "{} is a procedure of {}; each process has its own",
                quote(text),
                quote(self.tree.text(process))
            ))
        } else {
            diagnostic.hint(format!("define it: `def {} {{ … }}` before `main`", quote(text).trim_matches('`')))
        });
    }

    /// The procedures that cannot be reached from `main`.
    pub(crate) fn unused(&self, successors: impl Fn(TermId, &mut Vec<TermId>)) -> Vec<&'a Procedure> {
        let mut used = vec![false; self.unit.procedures.len()];
        let mut work: Vec<TermId> = self.unit.mains.iter().map(|main| main.body).collect();
        while let Some(term) = work.pop() {
            if let Term::Call(name) = self.tree.term(term) {
                if let Some(number) = self.find(name.symbol)
                    && !used[number]
                {
                    used[number] = true;
                    work.push(self.unit.procedures[number].body);
                }
            } else {
                successors(term, &mut work);
            }
        }
        self.unit.procedures.iter().zip(used).filter(|(_, used)| !used).map(|(procedure, _)| procedure).collect()
    }
}

fn defines(unit: &Unit, name: Symbol) -> bool {
    unit.procedures.iter().any(|procedure| procedure.name.symbol == name)
}

/// Warns of procedures that nothing calls.
pub(crate) fn unused_procedures<L: Language>(tree: &Tree<L>, owner: impl Fn(&Unit) -> String) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let Some(first) = tree.units.first() else { return diagnostics };
    let mut scope = Scope::new(tree, first);
    for unit in &tree.units {
        if unit.procedures.is_empty() {
            continue;
        }
        scope.enter(unit, String::new, &mut Vec::new());
        let successors = |term: TermId, work: &mut Vec<TermId>| match tree.term(term) {
            Term::Act(_, next) => work.push(next),
            Term::Fork(_, arms) => work.extend(arms.of(&tree.arms).iter().map(|arm| arm.body)),
            Term::Stop | Term::Call(_) | Term::Missing => {}
        };
        for procedure in scope.unused(successors) {
            if diagnostics.len() >= MOST_DIAGNOSTICS {
                return diagnostics;
            }
            let name = quote(tree.text(procedure.name));
            let message = format!("procedure {name} of {} is never called", owner(unit));
            diagnostics.push(
                Diagnostic::new(Code::UnusedProcedure, procedure.name.span, message)
                    .label("never called")
                    .hint("call it or remove it")
                    .fix(format!("remove procedure {name}"), procedure.span, ""),
            );
        }
    }
    diagnostics
}
