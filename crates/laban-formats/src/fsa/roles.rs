//! Machines without names whose partners are names all the same, as some writers print them: who is who.
//!
//! A machine does not talk to itself, so its name is one of those that it does not mention. Where this leaves one
//! assignment, machine by machine, it is taken, with a remark.

use crate::report::Report;
use crate::system::{Action, Automaton, System};
use std::collections::BTreeSet;

/// More names than this are not tried.
const MOST: usize = 64;

/// Names the machines of a system, if none has a name and there is only one way to name them.
pub(super) fn name_by_partners(system: &mut System, report: &mut Report) {
    let count = system.automata.len();
    let is_numbered = |(number, automaton): (usize, &Automaton)| automaton.name.text == format!("M{number}");
    if !(2..=MOST).contains(&count) || !system.automata.iter().enumerate().all(is_numbered) {
        return;
    }
    let partners: Vec<BTreeSet<String>> = system.automata.iter().map(partners_of).collect();
    let names: BTreeSet<&String> = partners.iter().flatten().collect();
    if names.len() != count || names.iter().any(|name| name.parse::<usize>().is_ok() || is_machine(name, count)) {
        return;
    }
    let mut candidates: Vec<BTreeSet<&String>> = partners
        .iter()
        .map(|partners| names.iter().copied().filter(|name| !partners.contains(*name)).collect())
        .collect();
    let mut found: Vec<Option<String>> = vec![None; count];
    while let Some(number) = (0..count).find(|&number| found[number].is_none() && candidates[number].len() == 1) {
        let Some(name) = candidates[number].pop_first() else { return };
        for others in &mut candidates {
            others.remove(name);
        }
        found[number] = Some(name.clone());
    }
    let Some(found) = found.into_iter().collect::<Option<Vec<String>>>() else { return };
    for (automaton, name) in system.automata.iter_mut().zip(found) {
        report
            .remark(automaton.name.span, format!("this machine has no name; it must be `{name}`, going by the others"));
        automaton.name.text = name;
    }
}

/// Whether this is what a machine without a name is called.
fn is_machine(name: &str, count: usize) -> bool {
    name.strip_prefix('M').and_then(|number| number.parse::<usize>().ok()).is_some_and(|number| number < count)
}

fn partners_of(automaton: &Automaton) -> BTreeSet<String> {
    let edges = automaton.states.iter().flat_map(|state| &state.edges);
    edges
        .filter_map(|edge| match &edge.action {
            Action::Message { partner, .. } => Some(partner.text.clone()),
            Action::Silent => None,
        })
        .collect()
}
