//! The fuzzer: random mistakes, as when somebody changes one process and forgets the others.
//!
//! All conventions of the paper come down to one: what comes *next* after an action is what follows it, and after a
//! conditional or an offer, its first branch. Deleting puts the next term in place of an action, so of a fork the first
//! branch is kept. Swapping lets two actions of such a chain change places, and the other branches of a fork stay with
//! it:
//!
//! | before | after |
//! |---|---|
//! | `a; b; B` | `b; a; B` |
//! | `if e then b; B else C` | `b; if e then B else C` |
//! | `a; if e then B else C` | `if e then a; B else C` |
//! | `if e then (if f then B else D) else C` | `if f then (if e then B else C) else D` |
//! | `a; stop` | `stop` |
//!
//! So what is moved before a fork is missing from its first branch only, and what is moved behind a fork is in its
//! first branch only: swapping twice at one place changes nothing, but for the last action.
//!
//! What comes next after a choice or a race is its first arm, too. After an edit, an item of a race that does not begin
//! with an interaction any more, or begins as another one does, is left out, and a race of one item is that item.
//! `idle` stays with what it is before, and is left out before an item.
//!
//! A loop that loses its only action would be a procedure that calls itself and does nothing else.
//! It becomes `stop`.

use super::edit::{Change, Edit, Editor, terms_of};
use crate::random::SeededRng;
use crate::syntax::{ArenaRange, Arm, LocalAction, LocalFork, NetworkTree, Term, TermId};
use std::collections::BTreeSet;

/// What the numbers of a fuzzer's seed are for.
const PURPOSE: u64 = 2;

/// Deletes actions of one random process and swaps actions with the next.
///
/// The process is one of those that have an action, each as likely as the others. Each time, it is any of the actions
/// that the process has then, with the same probability; when there are none left, there are fewer edits than asked
/// for. The tree must come from a well-formed text. In the result, places are those of the text that
/// [`Compact`](crate::syntax::Compact) gives.
///
/// ```
/// use laban::generate::fuzz;
/// use laban::syntax::{Compact, parse_network};
///
/// let tree = parse_network("p { main { q!<x>; q!<y>; stop } } | q { main { stop } }").tree;
/// let (fuzzed, edits) = fuzz(&tree, 1, 0, 1);
/// assert_eq!(edits[0].to_string(), "p: deleted `q!<x>`");
/// assert_eq!(Compact(&fuzzed).to_string(), "p { main { q!<y>; stop } } | q { main { stop } }");
/// ```
pub fn fuzz(tree: &NetworkTree, deletions: u32, swaps: u32, seed: u64) -> (NetworkTree, Vec<Edit>) {
    let mut rng = SeededRng::for_purpose(seed, PURPOSE);
    let is_action = |tree: &NetworkTree, id: TermId| matches!(tree.term(id), Term::Act(..) | Term::Fork(..));
    let busy = |&unit: &usize| terms_of(tree, unit).into_iter().any(|id| is_action(tree, id));
    let candidates: Vec<usize> = (0..tree.units.len()).filter(busy).collect();
    let unit = rng.index(candidates.len()).map_or(0, |index| candidates[index]);
    let mut editor = Editor::new(tree, unit);
    for number in 0..u64::from(deletions) + u64::from(swaps) {
        let actions: Vec<TermId> = editor.terms().into_iter().filter(|&id| is_action(&editor.tree, id)).collect();
        let Some(index) = rng.index(actions.len()) else { break };
        match number < u64::from(deletions) {
            true => editor.delete_action(actions[index]),
            false => editor.swap(actions[index]),
        }
        editor.repair_races();
    }
    editor.finish()
}

impl Editor {
    fn delete_action(&mut self, id: TermId) {
        let (action, span) = (self.action_text(id), self.tree.span(id));
        let stopped = self.delete(id);
        self.report(Change::Deleted { action, stopped }, span);
    }

    /// Puts the next term in place of an action and says whether that had to be `stop`.
    fn delete(&mut self, id: TermId) -> bool {
        match self.next(id) {
            Some(next) => self.overwrite(id, next),
            None => self.put(id, Term::Stop, self.tree.span(id)),
        }
        let circular = self.is_circular(id);
        if circular {
            self.put(id, Term::Stop, self.tree.span(id));
        }
        circular
    }

    fn swap(&mut self, id: TermId) {
        let (action, span) = (self.action_text(id), self.tree.span(id));
        let next = self.next(id);
        let change = match next.and_then(|next| Some((next, self.next(next)?))) {
            None => Change::Swapped { action, with: None, stopped: self.delete(id) },
            Some((next, rest)) => {
                let with = Some(self.action_text(next));
                self.tree.terms.swap(id.index(), next.index());
                self.tree.spans.swap(id.index(), next.index());
                let idle = [self.is_idle(id), self.is_idle(next)];
                if idle != [false; 2] {
                    self.set_idle(id, idle[1]);
                    self.set_idle(next, idle[0]);
                }
                self.set_next(id, next);
                self.set_next(next, rest);
                Change::Swapped { action, with, stopped: false }
            }
        };
        self.report(change, span);
    }

    /// Leaves out what is not an item any more.
    fn repair_races(&mut self) {
        // What is inside comes first: a race may have become the beginning of an item.
        for id in self.terms().into_iter().rev() {
            let Term::Fork(LocalFork::Any, arms) = self.tree.term(id) else { continue };
            let mut begun: BTreeSet<[String; 2]> = BTreeSet::new();
            let mut items: Vec<Arm> = Vec::new();
            for &item in arms.of(&self.tree.arms) {
                let beginnings = self.beginnings(item.body);
                if !beginnings.is_empty() && beginnings.iter().all(|beginning| !begun.contains(beginning)) {
                    begun.extend(beginnings);
                    items.push(item);
                }
            }
            if items.len() > 1 {
                items.iter().for_each(|item| self.set_idle(item.body, false));
            }
            match *items.as_slice() {
                [] => self.put(id, Term::Stop, self.tree.span(id)),
                [only] => {
                    let idle = self.is_idle(id) && self.can_wait(only.body);
                    self.overwrite(id, only.body);
                    self.set_idle(id, idle);
                }
                _ if items.len() == arms.len() => {}
                _ => {
                    let start = self.tree.arms.len() as u32;
                    self.tree.arms.extend(items);
                    let arms = ArenaRange { start, end: self.tree.arms.len() as u32 };
                    let idle = self.is_idle(id);
                    self.put(id, Term::Fork(LocalFork::Any, arms), self.tree.span(id));
                    self.set_idle(id, idle);
                }
            }
        }
    }

    /// What a term begins with if it can be an item: one interaction, or one for each label.
    fn beginnings(&self, id: TermId) -> Vec<[String; 2]> {
        match self.tree.term(id) {
            // Values may differ in their spaces only.
            Term::Act(..) => vec![[self.action_text(id).split_whitespace().collect(), String::new()]],
            Term::Fork(LocalFork::Offer { from } | LocalFork::OfferOne { from }, arms) => {
                let labels = arms.of(&self.tree.arms).iter().filter_map(|arm| arm.label);
                labels.map(|label| [from, label].map(|name| self.tree.text(name).to_string())).collect()
            }
            Term::Fork(..) | Term::Stop | Term::Call(_) | Term::Missing => Vec::new(),
        }
    }

    /// Whether `idle` may be before a term.
    fn can_wait(&self, id: TermId) -> bool {
        matches!(
            self.tree.term(id),
            Term::Act(LocalAction::Receive { .. }, _)
                | Term::Fork(LocalFork::Offer { .. } | LocalFork::OfferOne { .. } | LocalFork::Any, _)
        )
    }

    /// Whether a procedure that starts here calls itself without an action.
    fn is_circular(&self, id: TermId) -> bool {
        let procedures = self.procedures();
        let mut at = id;
        for _ in 0..=procedures.len() {
            let Term::Call(name) = self.tree.term(at) else { return false };
            let Some(&(_, body)) = procedures.iter().find(|(procedure, _)| *procedure == name.symbol) else {
                return false;
            };
            if body == id {
                return true;
            }
            at = body;
        }
        false
    }
}
