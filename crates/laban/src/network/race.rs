//! What is checked of `any` and `idle` in the text of a network.
//!
//! Each item of an `any` begins with an interaction, no two with the same one, and `idle` comes before what can wait.
//! What races mean is not known here.

use crate::diagnostic::{Code, Diagnostic};
use crate::lowering::{Lowering, NONE};
use crate::network::{State, StateId};
use crate::syntax::{ArenaRange, LabelledValue, LocalAction, LocalFork, NetworkTree, Networks, Span, Term};

/// Checks the items of an `any`.
pub(super) fn check_items(lowering: &mut Lowering<'_, Networks>, items: ArenaRange) {
    let tree = lowering.tree;
    // What each item begins with, and where.
    let mut beginnings: Vec<([u32; 4], Span)> = Vec::new();
    for item in items.of(&tree.arms) {
        let span = tree.span(item.body);
        match tree.term(item.body) {
            Term::Act(LocalAction::Send { to, expression }, _) => {
                let value = lowering.values.of(expression.symbol);
                beginnings.push(([0, to.symbol.0, value.0, NONE], span));
            }
            Term::Act(LocalAction::Receive { from }, _) => beginnings.push(([1, from.symbol.0, NONE, NONE], span)),
            Term::Act(LocalAction::Select { to, label }, _) => {
                beginnings.push(([2, to.symbol.0, label.symbol.0, NONE], span));
            }
            Term::Act(LocalAction::SelectValue { to, content }, _) => {
                let LabelledValue { label, expression } = tree.labelled(content);
                let value = lowering.values.of(expression.symbol);
                beginnings.push(([2, to.symbol.0, label.symbol.0, value.0], span));
            }
            Term::Fork(LocalFork::Offer { from } | LocalFork::OfferOne { from }, arms) => {
                let labels = arms.of(&tree.arms).iter().filter_map(|arm| arm.label);
                beginnings.extend(labels.map(|label| ([3, from.symbol.0, label.symbol.0, NONE], label.span)));
            }
            Term::Missing => {}
            Term::Call(_) => lowering.report(|_| {
                Diagnostic::new(Code::NotAnInteraction, span, "an item of an `any` must begin with an interaction")
                    .label("this is a call")
                    .hint("write out the first action of the procedure here, and call what comes after it")
            }),
            Term::Stop | Term::Fork(..) => lowering.report(|_| {
                Diagnostic::new(Code::NotAnInteraction, span, "an item of an `any` must begin with an interaction")
                    .label("this is not an interaction")
                    .hint("begin each item with `p?`, `p&{…}`, `q!<value>` or `q+label`; to decide freely, write `choose`")
            }),
        }
    }
    beginnings.sort_unstable();
    for pair in beginnings.windows(2) {
        let ((first, place), (second, again)) = (pair[0], pair[1]);
        if first == second {
            lowering.report(|_| {
                Diagnostic::new(Code::DuplicateItem, again, "two items of this `any` begin with the same interaction")
                    .label("again here")
                    .at(place, "first here")
                    .hint("nobody could tell which of them happens: put the choice behind the interaction")
            });
        }
    }
}

/// Checks what the word `idle` is before.
pub(super) fn check_idle(lowering: &mut Lowering<'_, Networks>) {
    let tree = lowering.tree;
    for idle in &tree.idle {
        let (message, hint) = match tree.term(idle.term) {
            Term::Act(LocalAction::Receive { .. }, _)
            | Term::Fork(LocalFork::Offer { .. } | LocalFork::OfferOne { .. } | LocalFork::Any, _)
            | Term::Missing => continue,
            Term::Act(..) => (
                "a process cannot be idle before it sends",
                "`idle` says that nobody may ever come; a process that wants to send waits for a partner that is there",
            ),
            Term::Fork(..) => {
                ("a process cannot be idle before it decides", "a decision waits for nobody: leave `idle` out")
            }
            Term::Stop => ("a process cannot be idle here", "`stop` waits for nobody: leave `idle` out"),
            Term::Call(_) => (
                "a process cannot be idle before a call",
                "write `idle` inside the procedure, before what the process waits for",
            ),
        };
        lowering.report(|_| {
            Diagnostic::new(Code::MisplacedIdle, idle.span, message)
                .label("`idle` goes before a receive, an offer or an `any`")
                .hint(hint)
                .fix("delete `idle`", Span::new(idle.span.start, tree.span(idle.term).start), "")
        });
    }
    if tree.idle.is_empty() {
        return;
    }
    let is_any = |term: &&Term<Networks>| matches!(term, Term::Fork(LocalFork::Any, _));
    for term in tree.terms.iter().filter(is_any) {
        let Term::Fork(_, items) = term else { continue };
        for idle in items.of(&tree.arms).iter().filter_map(|item| tree.idle(item.body)) {
            lowering.report(|_| {
                Diagnostic::new(Code::MisplacedIdle, idle.span, "an item of an `any` cannot be idle by itself")
                    .label("this is about one item only")
                    .hint("write `idle any { … }`: the process waits for all of its items at once")
            });
        }
    }
}

/// For each state, whether `idle` comes before it; nothing if this is so nowhere.
pub(super) fn idle_states(tree: &NetworkTree, count: usize, number_of: &[u32]) -> Vec<bool> {
    if tree.idle.is_empty() {
        return Vec::new();
    }
    let mut idle = vec![false; count];
    for term in tree.idle.iter().map(|idle| idle.term) {
        let number = number_of.get(term.index()).copied().unwrap_or(NONE);
        if let Some(idle) = idle.get_mut(number as usize) {
            *idle = true;
        }
    }
    idle
}

/// The arms of all choices and races, with the items of each race in the order of their partners, so that those with
/// one partner are found without looking at the others.
pub(super) fn by_partner(states: &[State], arms: &[StateId]) -> Vec<StateId> {
    let mut sorted = arms.to_vec();
    if arms.is_empty() {
        return sorted;
    }
    for state in states {
        if let State::Any { items } = *state
            && let Some(items) = sorted.get_mut(items.start as usize..items.end as usize)
        {
            items.sort_by_key(|item| states.get(item.index()).and_then(|state| state.partner()));
        }
    }
    sorted
}
