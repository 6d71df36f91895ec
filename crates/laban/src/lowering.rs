//! What the lowerings of both languages share.
//!
//! A lowering turns a tree into a graph: it checks every term, numbers the terms that can be reached and follows them
//! from the start of each unit. What a term becomes is left to the models.

use crate::diagnostic::Diagnostic;
use crate::scope::MOST_DIAGNOSTICS;
use crate::syntax::{Language, Symbol, Term, TermId, Tree, Values};

/// Stands for a name without a process, and for a term without a number.
pub(crate) const NONE: u32 = u32::MAX;

/// A tree that is being lowered.
pub(crate) struct Lowering<'a, L: Language> {
    pub(crate) tree: &'a Tree<L>,
    /// For each symbol, the process of that name.
    pub(crate) process_of: Vec<u32>,
    /// For each term that is not a call, its number.
    pub(crate) number_of: Vec<u32>,
    pub(crate) values: Values,
    /// Terms that have a number, but have not been lowered yet.
    pub(crate) work: Vec<TermId>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'a, L: Language> Lowering<'a, L> {
    pub(crate) fn new(tree: &'a Tree<L>) -> Self {
        Lowering {
            tree,
            process_of: vec![NONE; tree.names.len()],
            number_of: vec![NONE; tree.terms.len()],
            values: Values::new(&tree.names),
            work: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    #[cold]
    pub(crate) fn report(&mut self, diagnostic: impl FnOnce(&Self) -> Diagnostic) {
        if self.diagnostics.len() < MOST_DIAGNOSTICS {
            let diagnostic = diagnostic(self);
            self.diagnostics.push(diagnostic);
        }
    }

    /// The number of the process of this name, which may be [`NONE`].
    #[inline]
    pub(crate) fn process(&self, name: Symbol) -> u32 {
        self.process_of[name.index()]
    }
}

/// Visits the terms of some bodies, the last body first, whether they can be reached or not.
#[inline]
pub(crate) fn each_term<L: Language>(tree: &Tree<L>, mut bodies: Vec<TermId>, mut visit: impl FnMut(&Term<L>)) {
    while let Some(mut at) = bodies.pop() {
        loop {
            let term = tree.terms.get(at.index()).unwrap_or(&Term::Missing);
            visit(term);
            match term {
                Term::Act(_, next) => at = *next,
                Term::Fork(_, arms) => {
                    bodies.extend(arms.of(&tree.arms).iter().rev().map(|arm| arm.body));
                    break;
                }
                Term::Stop | Term::Call(_) | Term::Missing => break,
            }
        }
    }
}
