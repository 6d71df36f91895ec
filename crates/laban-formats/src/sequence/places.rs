//! Where in a diagram the selections belong that were added to the tree of its choreography.
//!
//! A term of the tree is a line of the diagram, but a selection may also be between a decision and a branch that the
//! diagram does not have, or at the end of a branch. What is right before it in the tree says which it is.

use super::fragments::{Fragment, Fragments};
use super::{Diagram, FragmentKind, LineKind};
use laban::syntax::{ChoreographyTree, GlobalAction, GlobalInteraction, Symbol, Term};
use laban::text::Span;
use std::collections::BTreeMap;

/// A place between the lines of a diagram. Lines are numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// At the beginning of a branch: right behind the line that starts it.
    BranchStart(usize),
    /// Behind a message.
    AfterMessage(usize),
    /// Right behind the line that closes a fragment.
    AfterFragment(usize),
    /// In a new branch of the fragment that this line closes.
    Otherwise(usize),
    /// Before a line, whatever came before it.
    Before(usize),
}

/// A selection that is missing: from whom, to whom and its label, as names of the amended tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Missing {
    pub(super) place: Place,
    pub(super) from: Symbol,
    pub(super) to: Symbol,
    /// Several labels are one: nothing happens between them.
    pub(super) labels: Vec<Symbol>,
}

/// What is right before a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parent {
    /// Nothing: it starts a procedure, or everything.
    Nothing,
    /// An action.
    Action(usize),
    /// A decision, of which it starts this branch.
    Branch(usize, usize),
}

/// Finds the places of the selections that are in one tree and not in the other. The error is the place of a line that
/// would have to be taken apart.
pub(super) fn places(
    diagram: &Diagram,
    fragments: &Fragments,
    tree: &ChoreographyTree,
    amended: &ChoreographyTree,
) -> Result<Vec<Missing>, Span> {
    let finder = Finder::new(diagram, fragments, tree);
    let mut missing: Vec<Missing> = Vec::new();
    let mut before = 0;
    for (term, span) in amended.terms.iter().zip(&amended.spans) {
        let select = match *term {
            Term::Act(GlobalAction::Interaction(GlobalInteraction::Select { from, to, label }), _) => {
                Some((from.symbol, to.symbol, label.symbol))
            }
            _ => None,
        };
        // What was added has no place of its own.
        let Some((from, to, label)) = select.filter(|_| span.start == span.end) else {
            before += 1;
            continue;
        };
        for place in finder.places(before)? {
            let same = |other: &&mut Missing| (other.place, other.from, other.to) == (place, from, to);
            match missing.iter_mut().rev().take(64).find(same).filter(|_| matches!(place, Place::BranchStart(_))) {
                Some(other) => other.labels.push(label),
                None => missing.push(Missing { place, from, to, labels: vec![label] }),
            }
        }
    }
    Ok(missing)
}

struct Finder<'a> {
    diagram: &'a Diagram,
    fragments: &'a Fragments,
    tree: &'a ChoreographyTree,
    parents: Vec<Parent>,
    /// For each term that decides, how many branches of its fragment are decided before it.
    levels: Vec<usize>,
    /// The first line that starts at a place.
    lines: BTreeMap<u32, usize>,
}

impl<'a> Finder<'a> {
    fn new(diagram: &'a Diagram, fragments: &'a Fragments, tree: &'a ChoreographyTree) -> Self {
        let mut parents = vec![Parent::Nothing; tree.terms.len()];
        let mut levels = vec![0; tree.terms.len()];
        let mut lines = BTreeMap::new();
        for (number, line) in diagram.lines.iter().enumerate() {
            if !matches!(line.kind, LineKind::Close) {
                lines.entry(line.span.start).or_insert(number);
            }
        }
        for (number, term) in tree.terms.iter().enumerate() {
            match *term {
                Term::Act(_, next) => {
                    parents.get_mut(next.index()).into_iter().for_each(|parent| *parent = Parent::Action(number));
                }
                Term::Fork(_, arms) => {
                    for (arm, body) in arms.of(&tree.arms).iter().map(|arm| arm.body.index()).enumerate() {
                        parents.get_mut(body).into_iter().for_each(|parent| *parent = Parent::Branch(number, arm));
                        // The branches of one fragment are decided one after the other.
                        let is_next = arm > 0 && tree.spans.get(body) == tree.spans.get(number);
                        if is_next && matches!(tree.terms.get(body), Some(Term::Fork(..))) {
                            levels[body] = levels[number] + arm;
                        }
                    }
                }
                Term::Stop | Term::Call(_) | Term::Missing => {}
            }
        }
        Finder { diagram, fragments, tree, parents, levels, lines }
    }

    fn span(&self, term: usize) -> Span {
        self.tree.spans.get(term).copied().unwrap_or_default()
    }

    /// The line of a message; of two in one arrow, the one that it is.
    fn line(&self, term: usize) -> Option<usize> {
        let first = self.lines.get(&self.span(term).start).copied()?;
        Some(if self.is_second(term) { first + 1 } else { first })
    }

    /// Whether a message is the second one of an arrow with two heads.
    fn is_second(&self, term: usize) -> bool {
        matches!(self.parents.get(term), Some(&Parent::Action(before)) if self.span(before) == self.span(term))
    }

    /// Whether a message is the first one of an arrow with two heads.
    fn is_first(&self, term: usize) -> bool {
        let Some(line) = self.line(term) else { return false };
        let next = self.diagram.lines.get(line + 1);
        !self.is_second(term) && next.is_some_and(|next| next.span == self.span(term))
    }

    fn fragment(&self, term: usize) -> Option<&Fragment> {
        let line = self.lines.get(&self.span(term).start).copied()?;
        self.fragments.of_line(line).map(|(_, fragment)| fragment)
    }

    /// The places of what comes right before a term.
    fn places(&self, term: usize) -> Result<Vec<Place>, Span> {
        let nowhere = Err(self.span(term));
        let is_fork = matches!(self.tree.terms.get(term), Some(Term::Fork(..)));
        if is_fork && self.levels[term] > 0 {
            // Between two branches there is no line, so each of those that are left begins with it.
            let Some(fragment) = self.fragment(term) else { return nowhere };
            let starts = fragment.next.iter().skip(self.levels[term] - 1);
            return Ok(starts.map(|&line| Place::BranchStart(line)).collect());
        }
        let place = match self.parents.get(term).copied().unwrap_or(Parent::Nothing) {
            Parent::Action(before) => {
                if self.is_first(before) {
                    return Err(self.span(before));
                }
                let Some(line) = self.line(before) else { return nowhere };
                Place::AfterMessage(line)
            }
            Parent::Branch(fork, arm) => {
                let Some(fragment) = self.fragment(fork) else { return nowhere };
                match self.levels[fork] + arm {
                    0 => Place::BranchStart(fragment.open),
                    branch => match fragment.next.get(branch - 1) {
                        Some(&line) => Place::BranchStart(line),
                        None if matches!(fragment.kind, FragmentKind::Loop | FragmentKind::Break) => {
                            Place::AfterFragment(fragment.close)
                        }
                        None => Place::Otherwise(fragment.close),
                    },
                }
            }
            Parent::Nothing => match self.tree.terms.get(term) {
                Some(Term::Act(..)) => match self.line(term) {
                    Some(line) => Place::Before(line),
                    None => return nowhere,
                },
                Some(Term::Fork(..)) => {
                    let Some(fragment) = self.fragment(term) else { return nowhere };
                    if fragment.kind == FragmentKind::Loop {
                        // Before the first time, and before each other time.
                        return Ok(vec![Place::Before(fragment.open), Place::Before(fragment.close)]);
                    }
                    Place::Before(fragment.open)
                }
                _ => Place::Before(0),
            },
        };
        Ok(vec![place])
    }
}
