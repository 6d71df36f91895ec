//! What is checked of `any` in the text of a choreography: each item begins with an interaction or a decision, and no
//! two with the same one. What a race means is not known here.

use super::lower::ends;
use crate::diagnostic::{Code, Diagnostic};
use crate::lowering::{Lowering, NONE};
use crate::scope::MOST_DIAGNOSTICS;
use crate::syntax::{
    ArenaRange, Choreographies, ChoreographyTree, GlobalAction, GlobalFork, GlobalInteraction, LabelledValue, Span,
    Term,
};

/// Checks the items of an `any`.
pub(super) fn check_items(lowering: &mut Lowering<'_, Choreographies>, items: ArenaRange) {
    let tree = lowering.tree;
    // What each item begins with, and where.
    let mut beginnings: Vec<(Beginning, [u32; 4], Span)> = Vec::new();
    for item in items.of(&tree.arms) {
        let span = tree.span(item.body);
        match tree.term(item.body) {
            Term::Act(GlobalAction::Interaction(interaction), _) => {
                beginnings.push((Beginning::Interaction, content(lowering, interaction), span));
            }
            Term::Act(GlobalAction::Put(message), _) => {
                beginnings.push((Beginning::Put, content(lowering, tree.interaction(message)), span));
            }
            Term::Act(GlobalAction::Take { from, to }, _) => {
                beginnings.push((Beginning::Take, [from.symbol.0, to.symbol.0, NONE, NONE], span));
            }
            // Whoever can decide forever without interacting may do so while others race.
            Term::Fork(GlobalFork::If { process, .. } | GlobalFork::Choose { process }, _) => {
                let decides = [process.symbol.0, process.symbol.0, NONE, NONE];
                beginnings.push((Beginning::Interaction, decides, process.span));
            }
            Term::Missing => {}
            Term::Act(GlobalAction::Group(_), _) | Term::Stop | Term::Call(_) | Term::Fork(..) => {
                lowering.report(|_| {
                    let message = "an item of an `any` must begin with an interaction or a decision";
                    Diagnostic::new(Code::NotAnInteraction, span, message)
                        .label("this is neither")
                        .hint("begin each item with `p.value -> q` or `p -> q[label]`")
                });
            }
        }
    }
    beginnings.sort_unstable();
    for pair in beginnings.windows(2) {
        let ((first, said, place), (second, said_again, again)) = (pair[0], pair[1]);
        if (first, said) == (second, said_again) {
            lowering.report(|_| {
                Diagnostic::new(Code::DuplicateItem, again, "two items of this `any` begin alike")
                    .label("again here")
                    .at(place, "first here")
                    .hint("nobody could tell which of them happens: put the choice behind the interaction")
            });
        }
    }
}

/// What an item can begin with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Beginning {
    /// An interaction, or a decision of one process.
    Interaction,
    Put,
    Take,
}

/// From whom, to whom, and what.
fn content(lowering: &mut Lowering<'_, Choreographies>, interaction: GlobalInteraction) -> [u32; 4] {
    let (from, to) = ends(interaction);
    let [label, value] = match interaction {
        GlobalInteraction::Communicate { expression, .. } => [NONE, lowering.values.of(expression.symbol).0],
        GlobalInteraction::Select { label, .. } => [label.symbol.0, NONE],
        GlobalInteraction::SelectValue { content, .. } => {
            let LabelledValue { label, expression } = lowering.tree.labelled(content);
            [label.symbol.0, lowering.values.of(expression.symbol).0]
        }
    };
    [from.symbol.0, to.symbol.0, label, value]
}

/// Each `any` that has only one item.
pub(super) fn single_items(tree: &ChoreographyTree) -> Vec<Diagnostic> {
    let is_single = |(number, term): (usize, &Term<Choreographies>)| match term {
        Term::Fork(GlobalFork::Any, arms) if arms.len() == 1 => Some(tree.spans[number]),
        _ => None,
    };
    let singles = tree.terms.iter().enumerate().filter_map(is_single).take(MOST_DIAGNOSTICS);
    let message = "this `any` has only one item, so nothing races";
    singles.map(|span| Diagnostic::new(Code::SingleItem, span, message).label("write the item alone")).collect()
}
