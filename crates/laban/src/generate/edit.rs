//! What changes a process: the edits that are reported, and the editor that makes them.
//!
//! Terms are changed in place. A term has one parent, so what is at a place is replaced by writing another term
//! there, and nobody needs to know the parent. At the end the tree is printed and parsed, which numbers everything in
//! the order of the text again.

use crate::syntax::{
    ArenaRange, Arm, Compact, Idle, LocalAction, NetworkTree, Networks, Notation, Span, Symbol, Term, TermId,
    parse_network,
};
use std::fmt::{self, Display, Formatter};

/// One change to one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The process.
    pub process: String,
    /// What was done.
    pub change: Change,
    /// Where what was changed is in the given text. A copy is where its original is.
    pub span: Span,
}

/// What was done to a process.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// An action was deleted. Of a fork, the first branch was kept.
    Deleted {
        /// The action.
        action: String,
        /// Whether a procedure was left without any action before it calls itself, and now stops instead.
        stopped: bool,
    },
    /// An action and the one after it changed places.
    Swapped {
        /// The action.
        action: String,
        /// The one after it; nothing for the last one, which was deleted.
        with: Option<String>,
        /// Whether a procedure was left without any action before it calls itself, and now stops instead.
        stopped: bool,
    },
    /// A call was replaced by what is called.
    Unfolded {
        /// The procedure.
        procedure: String,
    },
    /// The first action of a procedure was moved to its calls.
    Shifted {
        /// The procedure.
        procedure: String,
        /// The action.
        action: String,
    },
}

impl Display for Edit {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}: ", self.process)?;
        match &self.change {
            Change::Deleted { action, .. } => write!(out, "deleted `{action}`"),
            Change::Swapped { action, with: Some(with), .. } => write!(out, "swapped `{action}` with `{with}`"),
            Change::Swapped { action, with: None, .. } => {
                write!(out, "deleted `{action}`, since there is no action to swap it with")
            }
            Change::Unfolded { procedure } => write!(out, "unfolded a call of `{procedure}`"),
            Change::Shifted { procedure, action } => write!(out, "moved `{action}` from `{procedure}` to its calls"),
        }
    }
}

/// A tree of which one process is being changed.
pub(super) struct Editor {
    pub(super) tree: NetworkTree,
    unit: usize,
    pub(super) edits: Vec<Edit>,
}

impl Editor {
    pub(super) fn new(tree: &NetworkTree, unit: usize) -> Self {
        Editor { tree: tree.clone(), unit, edits: Vec::new() }
    }

    /// The tree in order, and what was done to it.
    pub(super) fn finish(mut self) -> (NetworkTree, Vec<Edit>) {
        self.tree.idle.sort_unstable_by_key(|idle| idle.term);
        (parse_network(&Compact(&self.tree).to_string()).tree, self.edits)
    }

    pub(super) fn report(&mut self, change: Change, span: Span) {
        let unit = self.tree.units.get(self.unit);
        let process = unit.and_then(|unit| unit.name).map_or("", |name| self.tree.text(name)).to_string();
        self.edits.push(Edit { process, change, span });
    }

    /// All terms of the process, body by body.
    pub(super) fn terms(&self) -> Vec<TermId> {
        terms_of(&self.tree, self.unit)
    }

    /// The names of its procedures and where they start.
    pub(super) fn procedures(&self) -> Vec<(Symbol, TermId)> {
        let procedures = self.tree.units.get(self.unit).map_or(&[][..], |unit| &unit.procedures);
        procedures.iter().map(|procedure| (procedure.name.symbol, procedure.body)).collect()
    }

    /// Where its `main` starts; several in an ill-formed text.
    pub(super) fn main_bodies(&self) -> Vec<TermId> {
        self.tree.units.get(self.unit).map_or(Vec::new(), |unit| unit.mains.iter().map(|main| main.body).collect())
    }

    /// Lets a procedure start elsewhere.
    pub(super) fn start_procedure(&mut self, number: usize, body: TermId) {
        if let Some(procedure) = self.tree.units.get_mut(self.unit).and_then(|unit| unit.procedures.get_mut(number)) {
            procedure.body = body;
        }
    }

    /// An action, or what a fork starts with, as text.
    pub(super) fn action_text(&self, id: TermId) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = match self.tree.term(id) {
            Term::Act(action, _) => Networks::write_action(&self.tree, &action, &mut text),
            Term::Fork(fork, _) => Networks::write_fork(&self.tree, &fork, &mut text),
            Term::Stop | Term::Call(_) | Term::Missing => Ok(()),
        };
        text
    }

    /// What follows an action: of a fork, its first branch. Nothing follows something that is not an action.
    pub(super) fn next(&self, id: TermId) -> Option<TermId> {
        match self.tree.term(id) {
            Term::Act(_, next) => Some(next),
            Term::Fork(_, arms) => arms.of(&self.tree.arms).first().map(|arm| arm.body),
            Term::Stop | Term::Call(_) | Term::Missing => None,
        }
    }

    /// Lets another term follow an action.
    pub(super) fn set_next(&mut self, id: TermId, next: TermId) {
        match self.tree.terms.get_mut(id.index()) {
            Some(Term::Act(_, old)) => *old = next,
            Some(&mut Term::Fork(_, arms)) => {
                if let Some(arm) = self.tree.arms.get_mut(arms.start as usize) {
                    arm.body = next;
                }
            }
            _ => {}
        }
    }

    /// Puts a copy of one term at the place of another.
    pub(super) fn overwrite(&mut self, at: TermId, with: TermId) {
        let (term, span, idle) = (self.tree.term(with), self.tree.span(with), self.is_idle(with));
        self.put(at, term, span);
        self.set_idle(at, idle);
    }

    /// Whether `idle` is before a term. While there are edits, the words are in no order.
    pub(super) fn is_idle(&self, id: TermId) -> bool {
        self.tree.idle.iter().any(|idle| idle.term == id)
    }

    /// Writes `idle` before a term, or not.
    pub(super) fn set_idle(&mut self, id: TermId, idle: bool) {
        self.tree.idle.retain(|other| other.term != id);
        if idle {
            self.tree.idle.push(Idle { term: id, span: Span::default() });
        }
    }

    /// Puts a term at a place, without `idle`.
    pub(super) fn put(&mut self, at: TermId, term: Term<Networks>, span: Span) {
        if !self.tree.idle.is_empty() {
            self.set_idle(at, false);
        }
        if let (Some(old), Some(place)) = (self.tree.terms.get_mut(at.index()), self.tree.spans.get_mut(at.index())) {
            (*old, *place) = (term, span);
        }
    }

    /// Puts an action before a copy of the call that is at a place.
    pub(super) fn put_before(&mut self, at: TermId, action: LocalAction, span: Span) {
        let next = self.tree.push(self.tree.term(at), self.tree.span(at));
        self.put(at, Term::Act(action, next), span);
    }

    /// Copies a whole body to a place.
    pub(super) fn copy_body(&mut self, body: TermId, at: TermId) {
        let mut work = vec![(body, at)];
        // What is copied was there before; the place itself may lie in it, and then it is copied as it was.
        let old = self.tree.term(at);
        while let Some((from, to)) = work.pop() {
            let (span, idle) = (self.tree.span(from), from != at && self.is_idle(from));
            let term = match if from == at { old } else { self.tree.term(from) } {
                Term::Act(action, next) => {
                    let place = self.tree.push(Term::Missing, span);
                    work.push((next, place));
                    Term::Act(action, place)
                }
                Term::Fork(fork, arms) => {
                    let start = self.tree.arms.len() as u32;
                    for index in arms.start..arms.end {
                        let Some(&Arm { label, body }) = self.tree.arms.get(index as usize) else { continue };
                        let place = self.tree.push(Term::Missing, span);
                        self.tree.arms.push(Arm { label, body: place });
                        work.push((body, place));
                    }
                    Term::Fork(fork, ArenaRange { start, end: self.tree.arms.len() as u32 })
                }
                leaf @ (Term::Stop | Term::Call(_) | Term::Missing) => leaf,
            };
            self.put(to, term, span);
            if idle {
                self.set_idle(to, true);
            }
        }
    }
}

/// All terms of a process, body by body.
pub(super) fn terms_of(tree: &NetworkTree, unit: usize) -> Vec<TermId> {
    let Some(unit) = tree.units.get(unit) else { return Vec::new() };
    let bodies = unit.procedures.iter().map(|procedure| procedure.body);
    let mut work: Vec<TermId> = bodies.chain(unit.mains.iter().map(|main| main.body)).collect();
    work.reverse();
    let mut found = Vec::new();
    while let Some(id) = work.pop() {
        found.push(id);
        match tree.term(id) {
            Term::Act(_, next) => work.push(next),
            Term::Fork(_, arms) => work.extend(arms.of(&tree.arms).iter().rev().map(|arm| arm.body)),
            Term::Stop | Term::Call(_) | Term::Missing => {}
        }
    }
    found
}
