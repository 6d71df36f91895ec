//! What is allowed in a network but is probably a mistake.

use super::lower::owner;
use super::{Network, ProcessId, State};
use crate::diagnostic::{Code, Diagnostic, quote};
use crate::scope::{MOST_DIAGNOSTICS, unused_procedures};
use crate::syntax::{LocalFork, NetworkTree, Networks, Span, Symbol, Term};
use rustc_hash::FxHashSet;

/// Procedures that are never called, and actions that no action of the partner can ever meet.
pub fn warnings(tree: &NetworkTree, network: &Network) -> Vec<Diagnostic> {
    let mut diagnostics = unused_procedures(tree, |unit| owner(tree, unit));
    diagnostics.extend(unmet_actions(tree, network));
    diagnostics.extend(single_items(tree));
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    diagnostics.truncate(MOST_DIAGNOSTICS);
    diagnostics
}

/// Each action that a process can reach and its partner can never answer.
fn unmet_actions(tree: &NetworkTree, network: &Network) -> Vec<Diagnostic> {
    let mut values = FxHashSet::default();
    let mut selections = FxHashSet::default();
    let mut labels = FxHashSet::default();
    let mut receives = FxHashSet::default();
    let mut offers = FxHashSet::default();
    let mut offered = FxHashSet::default();
    // A process does most things many times with few others, and once is enough.
    let [mut sent, mut selected, mut received, mut asked] = [(); 4].map(|()| Latest::new(network));
    let states = || {
        let processes = network.process_ids().zip(&network.processes);
        processes.flat_map(|(id, process)| (process.states.start..process.states.end).map(move |state| (id, state)))
    };
    for (process, number) in states() {
        match network.states[number as usize] {
            State::Send { to, .. } => {
                if sent.is_new(process, to) {
                    values.insert((process, to));
                }
            }
            State::Select { to, label, .. } | State::SelectValue { to, label, .. } => {
                if selected.is_new(process, to) {
                    selections.insert((process, to));
                }
                labels.insert((process, to, label));
            }
            State::Receive { from, .. } => {
                if received.is_new(process, from) {
                    receives.insert((from, process));
                }
            }
            State::Offer { from, branches } => {
                if asked.is_new(process, from) {
                    offered.insert((from, process));
                }
                let branches = branches.of(&network.branches).iter();
                offers.extend(branches.map(|branch| (from, process, branch.label)));
            }
            State::Stop | State::If { .. } | State::Choose { .. } | State::Any { .. } => {}
        }
    }
    if values == receives && labels == offers && offered.is_subset(&selections) {
        return Vec::new();
    }
    let name = |process: ProcessId| quote(network.process_name(process));
    let label_name = |label: Symbol| quote(network.names.text(label));
    let mut diagnostics = Vec::new();
    for (process, number) in states() {
        if diagnostics.len() >= MOST_DIAGNOSTICS {
            break;
        }
        let span = network.origins[number as usize];
        match network.states[number as usize] {
            State::Send { to, .. } if !receives.contains(&(process, to)) => diagnostics.push(
                Diagnostic::new(
                    Code::NeverReceived,
                    span,
                    format!("{} sends a value to {}, which never receives one from it", name(process), name(to)),
                )
                .label("nobody receives this value"),
            ),
            State::Select { to, label, .. } | State::SelectValue { to, label, .. }
                if !offers.contains(&(process, to, label)) =>
            {
                diagnostics.push(
                    Diagnostic::new(
                        Code::NeverReceived,
                        span,
                        format!(
                            "{} selects {} at {}, which never offers it",
                            name(process),
                            label_name(label),
                            name(to)
                        ),
                    )
                    .label("nobody offers this label"),
                );
            }
            State::Receive { from, .. } if !values.contains(&(from, process)) => diagnostics.push(
                Diagnostic::new(
                    Code::NeverSent,
                    span,
                    format!("{} waits for a value from {}, which never sends one to it", name(process), name(from)),
                )
                .label("this value never comes"),
            ),
            State::Offer { from, .. } if !selections.contains(&(from, process)) => diagnostics.push(
                Diagnostic::new(
                    Code::NeverSent,
                    span,
                    format!("{} waits for a label from {}, which never selects one for it", name(process), name(from)),
                )
                .label("no label ever comes"),
            ),
            State::Offer { from, branches } => {
                let places = label_places(tree, span);
                for branch in branches.of(&network.branches) {
                    if !labels.contains(&(from, process, branch.label)) {
                        let place = places.binary_search_by_key(&branch.label, |&(label, _)| label);
                        let place = place.map_or(span, |found| places[found].1);
                        let (label, from) = (label_name(branch.label), name(from));
                        diagnostics.push(
                            Diagnostic::new(
                                Code::NeverSelected,
                                place,
                                format!(
                                    "the branch {label} of {} can never run: {from} never selects it",
                                    name(process)
                                ),
                            )
                            .label("this label never comes"),
                        );
                    }
                }
            }
            _ => {}
        }
    }
    diagnostics
}

/// For each process, who had to do with it last.
struct Latest(Vec<u32>);

impl Latest {
    fn new(network: &Network) -> Self {
        Latest(vec![u32::MAX; network.processes.len()])
    }

    /// Whether the latest one who had to do with a partner is somebody else; from now on it is this process.
    fn is_new(&mut self, process: ProcessId, partner: ProcessId) -> bool {
        self.0.get_mut(partner.index()).is_none_or(|latest| std::mem::replace(latest, process.0) != process.0)
    }
}

/// Each `any` that has only one item.
fn single_items(tree: &NetworkTree) -> Vec<Diagnostic> {
    let is_single = |(number, term): (usize, &Term<Networks>)| match term {
        Term::Fork(LocalFork::Any, arms) if arms.len() == 1 => Some(tree.spans[number]),
        _ => None,
    };
    let singles = tree.terms.iter().enumerate().filter_map(is_single).take(MOST_DIAGNOSTICS);
    let message = "this `any` has only one item, so nothing races";
    singles.map(|span| Diagnostic::new(Code::SingleItem, span, message).label("write the item alone")).collect()
}

/// Where the offer at `offer` names each of its labels, in the order of the labels' numbers. There may be many, so it
/// is worked out once for all of them.
fn label_places(tree: &NetworkTree, offer: Span) -> Vec<(Symbol, Span)> {
    // Terms are numbered in the order of the text.
    let first = tree.spans.partition_point(|span| span.start < offer.start);
    let found = tree.spans[first..].iter().take_while(|span| span.start == offer.start).position(|&span| span == offer);
    let Some(Term::Fork(_, arms)) = found.and_then(|index| tree.terms.get(first + index)) else { return Vec::new() };
    let labels = arms.of(&tree.arms).iter().filter_map(|arm| arm.label);
    let mut places: Vec<(Symbol, Span)> = labels.map(|name| (name.symbol, name.span)).collect();
    places.sort_unstable();
    places
}
