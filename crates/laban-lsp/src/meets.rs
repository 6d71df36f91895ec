//! The two sides of a communication: from an action to those of the partner that it can meet.
//!
//! If a search has walked through everything that the network can do, these are the actions that it really meets.
//! Before that, or where the network fails, they are those that fit: with the right partner, a value for a value, a
//! label among those that are offered.

use crate::names::{partner_and_label, unit_at};
use crate::system::System;
use laban::network::{Network, StateId};
use laban::syntax::{Arm, LocalAction, LocalFork, NetworkTree, Symbol, Term, TermId};
use laban::text::Span;

/// What an action does, seen from its partner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Send,
    Receive,
    Select(Symbol),
    Offer,
}

/// The actions that the one at a term can meet: where they are in the text of the system. For an offer, only those that
/// select this label, if there is one; for a selection, the labels in the offers.
pub(crate) fn counterparts(system: &System, term: TermId, label: Option<Symbol>) -> Vec<Span> {
    let Some(tree) = system.analysis().network_tree().filter(|_| system.is_own()) else { return Vec::new() };
    let Some((side, partner)) = side_of(tree, term) else { return Vec::new() };
    let Some(own) = owner(tree, term) else { return Vec::new() };
    let terms = match met(system, tree, term) {
        Some(terms) => terms,
        None => fitting(tree, term, side, own, partner),
    };
    let is_wanted = |&other: &TermId| match (label, side_of(tree, other)) {
        (Some(label), Some((Side::Select(selected), _))) => selected == label,
        _ => true,
    };
    let mut spans: Vec<Span> = terms
        .into_iter()
        .filter(is_wanted)
        .map(|other| match side {
            Side::Select(label) => branch(tree, other, label).unwrap_or_else(|| tree.span(other)),
            _ => tree.span(other),
        })
        .collect();
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// The values that can arrive at a receive, in the order of the text; nothing if it is not known.
pub(crate) fn arriving(system: &System, term: TermId) -> Vec<String> {
    let tree = system.analysis().network_tree().filter(|_| system.is_own());
    let mut values = Vec::new();
    for other in tree.and_then(|tree| met(system, tree, term)).unwrap_or_default() {
        let Some(Term::Act(LocalAction::Send { expression, .. }, _)) = tree.map(|tree| tree.term(other)) else {
            continue;
        };
        let value = tree.map_or("", |tree| tree.text(expression)).to_string();
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// The terms that an action has met in a search, if that is known.
fn met(system: &System, tree: &NetworkTree, term: TermId) -> Option<Vec<TermId>> {
    let (network, meetings) = (system.analysis().network()?, system.meetings()?);
    let states = states_at(network, tree.span(term));
    let mut others: Vec<TermId> = Vec::new();
    for state in states {
        let spans = meetings.of(state).map(|other| network.origin(other));
        others.extend(spans.filter_map(|span| term_with(tree, span)));
    }
    others.sort_unstable();
    others.dedup();
    (meetings.is_complete() || !others.is_empty()).then_some(others)
}

/// The terms of the partner that fit.
fn fitting(tree: &NetworkTree, term: TermId, side: Side, own: Symbol, partner: Symbol) -> Vec<TermId> {
    let fits = |&other: &TermId| {
        let Some((other_side, other_partner)) = side_of(tree, other) else { return false };
        let fits = match (side, other_side) {
            (Side::Send, Side::Receive) | (Side::Receive, Side::Send) => true,
            (Side::Select(label), Side::Offer) => branch(tree, other, label).is_some(),
            (Side::Offer, Side::Select(label)) => branch(tree, term, label).is_some(),
            _ => false,
        };
        fits && other_partner == own && owner(tree, other) == Some(partner)
    };
    (0..tree.terms.len() as u32).map(TermId).filter(fits).collect()
}

fn side_of(tree: &NetworkTree, term: TermId) -> Option<(Side, Symbol)> {
    match tree.term(term) {
        Term::Act(action, _) => {
            let (partner, label) = partner_and_label(tree, action);
            let side = match (action, label) {
                (_, Some(label)) => Side::Select(label.symbol),
                (LocalAction::Receive { .. }, None) => Side::Receive,
                (_, None) => Side::Send,
            };
            Some((side, partner.symbol))
        }
        Term::Fork(LocalFork::Offer { from } | LocalFork::OfferOne { from }, _) => Some((Side::Offer, from.symbol)),
        _ => None,
    }
}

fn owner(tree: &NetworkTree, term: TermId) -> Option<Symbol> {
    unit_at(tree, tree.span(term).start).and_then(|unit| tree.units[unit].name).map(|name| name.symbol)
}

/// Where a label is in an offer.
fn branch(tree: &NetworkTree, offer: TermId, label: Symbol) -> Option<Span> {
    let Term::Fork(LocalFork::Offer { .. } | LocalFork::OfferOne { .. }, arms) = tree.term(offer) else { return None };
    let labels = arms.of(&tree.arms).iter().filter_map(|arm: &Arm| arm.label);
    labels.filter(|name| name.symbol == label).map(|name| name.span).next()
}

/// The states that come from a place in the text.
pub(crate) fn states_at(network: &Network, span: Span) -> Vec<StateId> {
    let all = (0..network.states().len() as u32).map(StateId);
    all.filter(|&state| network.origin(state) == span).collect()
}

/// The term that has exactly this place.
fn term_with(tree: &NetworkTree, span: Span) -> Option<TermId> {
    let from = tree.spans.partition_point(|one| one.start < span.start);
    let same = tree.spans[from..].iter().take_while(|one| one.start == span.start).position(|&one| one == span)?;
    Some(TermId((from + same) as u32))
}
