//! Whether two trees say the same, wherever they are in their texts and however they are laid out. What they mean does
//! not matter: a procedure by another name makes another tree.

use super::channel::ChannelItem;
use super::tree::{GlobalAction, GlobalFork, GlobalInteraction, Language, LocalAction, LocalFork, Name, Term, Tree};

/// Things that can be the same at different places.
pub trait Comparable {
    /// Whether the other is the same, apart from its place.
    fn eq_ignoring_spans(&self, other: &Self) -> bool;
}

impl<L: Language> Tree<L> {
    /// Whether the other tree says the same, wherever it is and however it is laid out.
    ///
    /// Terms and names are numbered in the order of the text, so it is enough to compare the arenas.
    pub fn eq_ignoring_spans(&self, other: &Self) -> bool {
        self.names == other.names
            && all_same(&self.terms, &other.terms, |a, b| match (a, b) {
                (Term::Stop, Term::Stop) | (Term::Missing, Term::Missing) => true,
                (Term::Call(a), Term::Call(b)) => a.eq_ignoring_spans(b),
                (Term::Act(a, next), Term::Act(b, other_next)) => next == other_next && a.eq_ignoring_spans(b),
                (Term::Fork(a, arms), Term::Fork(b, other_arms)) => arms == other_arms && a.eq_ignoring_spans(b),
                _ => false,
            })
            && all_same(&self.arms, &other.arms, |a, b| a.body == b.body && a.label.eq_ignoring_spans(&b.label))
            && all_same(&self.labelled_values, &other.labelled_values, |a, b| {
                a.label.eq_ignoring_spans(&b.label) && a.expression.eq_ignoring_spans(&b.expression)
            })
            && all_same(&self.idle, &other.idle, |a, b| a.term == b.term)
            && all_same(&self.interactions, &other.interactions, GlobalInteraction::eq_ignoring_spans)
            && all_same(&self.channels, &other.channels, |a, b| {
                let ends = |ends: Option<(Name, Name)>| ends.map(|(from, to)| (from.symbol, to.symbol));
                let said = |a: &ChannelItem, b: &ChannelItem| ends(a.ends) == ends(b.ends) && a.channel == b.channel;
                a.unit == b.unit && all_same(&a.items, &b.items, said)
            })
            && all_same(&self.units, &other.units, |a, b| {
                a.name.eq_ignoring_spans(&b.name)
                    && a.service.is_some() == b.service.is_some()
                    && all_same(&a.procedures, &b.procedures, |a, b| {
                        a.name.eq_ignoring_spans(&b.name) && a.body == b.body
                    })
                    && all_same(&a.mains, &b.mains, |a, b| a.body == b.body)
            })
    }
}

fn all_same<T>(one: &[T], other: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same(a, b))
}

impl Comparable for Name {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        self.symbol == other.symbol
    }
}

impl Comparable for Option<Name> {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        self.map(|name| name.symbol) == other.map(|name| name.symbol)
    }
}

impl Comparable for LocalAction {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        use LocalAction::*;
        match (self, other) {
            (Send { to, expression }, Send { to: a, expression: b }) => {
                to.eq_ignoring_spans(a) && expression.eq_ignoring_spans(b)
            }
            (Receive { from }, Receive { from: a }) => from.eq_ignoring_spans(a),
            (Select { to, label }, Select { to: a, label: b }) => to.eq_ignoring_spans(a) && label.eq_ignoring_spans(b),
            (SelectValue { to, content }, SelectValue { to: a, content: b }) => to.eq_ignoring_spans(a) && content == b,
            _ => false,
        }
    }
}

impl Comparable for LocalFork {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        match (self, other) {
            (LocalFork::If { condition }, LocalFork::If { condition: a }) => condition.eq_ignoring_spans(a),
            (LocalFork::Offer { from }, LocalFork::Offer { from: a })
            | (LocalFork::OfferOne { from }, LocalFork::OfferOne { from: a }) => from.eq_ignoring_spans(a),
            (LocalFork::Choose, LocalFork::Choose) | (LocalFork::Any, LocalFork::Any) => true,
            _ => false,
        }
    }
}

impl Comparable for GlobalInteraction {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        use GlobalInteraction::*;
        match (self, other) {
            (Communicate { from, expression, to }, Communicate { from: a, expression: b, to: c }) => {
                from.eq_ignoring_spans(a) && expression.eq_ignoring_spans(b) && to.eq_ignoring_spans(c)
            }
            (Select { from, to, label }, Select { from: a, to: b, label: c }) => {
                from.eq_ignoring_spans(a) && to.eq_ignoring_spans(b) && label.eq_ignoring_spans(c)
            }
            (SelectValue { from, to, content }, SelectValue { from: a, to: b, content: c }) => {
                from.eq_ignoring_spans(a) && to.eq_ignoring_spans(b) && content == c
            }
            _ => false,
        }
    }
}

impl Comparable for GlobalAction {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        match (self, other) {
            (GlobalAction::Interaction(a), GlobalAction::Interaction(b)) => a.eq_ignoring_spans(b),
            (GlobalAction::Group(a), GlobalAction::Group(b)) => a == b,
            (GlobalAction::Put(a), GlobalAction::Put(b)) => a == b,
            (GlobalAction::Take { from, to }, GlobalAction::Take { from: a, to: b }) => {
                from.eq_ignoring_spans(a) && to.eq_ignoring_spans(b)
            }
            _ => false,
        }
    }
}

impl Comparable for GlobalFork {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        use GlobalFork::*;
        match (self, other) {
            (If { process, condition }, If { process: a, condition: b }) => {
                process.eq_ignoring_spans(a) && condition.eq_ignoring_spans(b)
            }
            (Choose { process }, Choose { process: a }) => process.eq_ignoring_spans(a),
            (Any, Any) => true,
            _ => false,
        }
    }
}
