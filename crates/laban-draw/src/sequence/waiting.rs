//! Messages that wait: which of them is taken where, in a choreography and in a diagram.
//!
//! Where a queue is empty at the beginning and at the end of each straight sequence of actions, messages are taken in
//! the order in which they were put there within it. Elsewhere it depends on what came before, and is not said.

use super::Item;
use super::bodies::ends;
use laban::syntax::{ChoreographyTree, GlobalAction, Symbol, Term, TermId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// For each term that puts a message into a queue, or takes one from it, which message that is, if it is known.
pub(super) fn messages(tree: &ChoreographyTree) -> BTreeMap<TermId, TermId> {
    let mut known = BTreeMap::new();
    let mut unknown: BTreeSet<(Symbol, Symbol)> = BTreeSet::new();
    let mut queue_of: BTreeMap<TermId, (Symbol, Symbol)> = BTreeMap::new();
    for start in starts(tree) {
        let mut waiting: BTreeMap<(Symbol, Symbol), VecDeque<TermId>> = BTreeMap::new();
        let mut at = start;
        while let Term::Act(action, next) = tree.term(at) {
            match action {
                GlobalAction::Put(message) => {
                    let (from, to) = ends(tree.interaction(message));
                    let queue = (from.symbol, to.symbol);
                    queue_of.insert(at, queue);
                    waiting.entry(queue).or_default().push_back(at);
                }
                GlobalAction::Take { from, to } => {
                    let queue = (from.symbol, to.symbol);
                    queue_of.insert(at, queue);
                    match waiting.get_mut(&queue).and_then(VecDeque::pop_front) {
                        Some(put) => {
                            known.insert(at, put);
                            known.insert(put, put);
                        }
                        None => {
                            unknown.insert(queue);
                        }
                    }
                }
                GlobalAction::Interaction(_) | GlobalAction::Group(_) => {}
            }
            // Terms are numbered in the order of the text; anything else is no tree.
            if next <= at {
                break;
            }
            at = next;
        }
        unknown.extend(waiting.iter().filter(|(_, left)| !left.is_empty()).map(|(&queue, _)| queue));
    }
    known.retain(|term, _| queue_of.get(term).is_some_and(|queue| !unknown.contains(queue)));
    known
}

/// Where straight sequences begin; none, if there are no messages that wait.
fn starts(tree: &ChoreographyTree) -> Vec<TermId> {
    let waits = |term: &Term<_>| matches!(term, Term::Act(GlobalAction::Put(_) | GlobalAction::Take { .. }, _));
    if !tree.terms.iter().any(waits) {
        return Vec::new();
    }
    let procedures = tree.units.iter().flat_map(|unit| unit.procedures.iter().map(|procedure| procedure.body));
    let mains = tree.units.iter().flat_map(|unit| unit.mains.iter().map(|main| main.body));
    procedures.chain(mains).chain(tree.arms.iter().map(|arm| arm.body)).collect()
}

/// In words: what is taken, and from whom.
pub(super) fn taking(sender: &str, text: &str) -> String {
    match text {
        "" => format!("takes from {sender}"),
        text => format!("takes {text} from {sender}"),
    }
}

/// For each item where a message is put or taken, the item of its other half.
pub(super) fn halves(items: &[Item]) -> Vec<Option<usize>> {
    let mut halves = vec![None; items.len()];
    let mut puts: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        match *item {
            Item::Put { message: Some(message), .. } => {
                puts.insert(message, index);
            }
            Item::Take { message: Some(message), .. } => {
                if let Some(put) = puts.remove(&message) {
                    halves[put] = Some(index);
                    halves[index] = Some(put);
                }
            }
            _ => {}
        }
    }
    halves
}
