//! Global choreographies as terms, and what is known of each: who takes part, and who sends first.

use crate::protocol::Protocol;
use crate::system::{Message, Word};
use laban::text::Span;
use std::collections::BTreeSet;

/// A text as terms. What a term is made of comes before it.
#[derive(Debug, Default)]
pub(super) struct Choreography {
    /// The roles.
    pub(super) protocol: Protocol,
    pub(super) terms: Vec<(Span, Term)>,
    pub(super) root: usize,
}

/// A part of a choreography.
#[derive(Debug)]
pub(super) enum Term {
    Nothing,
    Message { from: usize, to: Vec<usize>, message: Message },
    Sequence(Vec<usize>),
    Choice { decider: Option<usize>, branches: Vec<usize> },
    Parallel(Vec<usize>),
    Loop { decider: Option<usize>, body: usize },
}

/// Who sends first in a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    /// Nobody sends anything.
    Nobody,
    /// This one; and if it is only one message that can come first, to this one.
    One { from: usize, to: Option<usize> },
    /// It depends.
    Several,
}

impl First {
    fn or(self, other: First) -> First {
        match (self, other) {
            (First::Nobody, other) => other,
            (one, First::Nobody) => one,
            (First::One { from, .. }, First::One { from: other, .. }) if from == other => First::One { from, to: None },
            _ => First::Several,
        }
    }
}

/// What is known of a term.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) first: First,
    /// For terms side by side, a role that two of them share.
    pub(super) shared: Option<usize>,
}

impl Choreography {
    pub(super) fn add(&mut self, span: Span, term: Term) -> usize {
        self.terms.push((span, term));
        self.terms.len() - 1
    }

    pub(super) fn role(&self, role: usize) -> &str {
        self.protocol.roles.get(role).map_or("", |Word { text, .. }| text)
    }

    /// What is known of each term.
    pub(super) fn known(&self) -> Vec<Known> {
        let mut known: Vec<Known> = Vec::with_capacity(self.terms.len());
        // Who takes part in each term that is not part of another one yet.
        let mut roles: Vec<BTreeSet<usize>> = Vec::with_capacity(self.terms.len());
        for (_, term) in &self.terms {
            let (own, shared) = match term {
                Term::Nothing => (BTreeSet::new(), None),
                Term::Message { from, to, .. } => (to.iter().chain([from]).copied().collect(), None),
                Term::Sequence(parts) | Term::Choice { branches: parts, .. } | Term::Parallel(parts) => {
                    join(&mut roles, parts)
                }
                Term::Loop { body, .. } => join(&mut roles, &[*body]),
            };
            let mut own = own;
            own.extend(match term {
                Term::Choice { decider, .. } | Term::Loop { decider, .. } => *decider,
                _ => None,
            });
            let first_of = |part: &usize| known.get(*part).map_or(First::Nobody, |known| known.first);
            let first = match term {
                Term::Nothing => First::Nobody,
                Term::Message { from, to, .. } => First::One { from: *from, to: to.first().copied() },
                Term::Sequence(parts) => {
                    parts.iter().map(first_of).find(|&first| first != First::Nobody).unwrap_or(First::Nobody)
                }
                Term::Choice { decider: Some(from), .. } | Term::Loop { decider: Some(from), .. } => {
                    First::One { from: *from, to: None }
                }
                Term::Choice { branches: parts, .. } | Term::Parallel(parts) => {
                    parts.iter().map(first_of).fold(First::Nobody, First::or)
                }
                Term::Loop { body, .. } => match first_of(body) {
                    First::One { from, .. } => First::One { from, to: None },
                    other => other,
                },
            };
            known.push(Known { first, shared: shared.filter(|_| matches!(term, Term::Parallel(_))) });
            roles.push(own);
        }
        known
    }
}

/// All roles of some terms, and one that two of them share. The sets are used up, the smaller ones added to the
/// larger, so that all this takes little more than linear time.
fn join(roles: &mut [BTreeSet<usize>], parts: &[usize]) -> (BTreeSet<usize>, Option<usize>) {
    let mut all: BTreeSet<usize> = BTreeSet::new();
    let mut shared = None;
    for &part in parts {
        let mut next = roles.get_mut(part).map(std::mem::take).unwrap_or_default();
        if next.len() > all.len() {
            std::mem::swap(&mut all, &mut next);
        }
        for role in next {
            if !all.insert(role) {
                shared.get_or_insert(role);
            }
        }
    }
    (all, shared)
}
