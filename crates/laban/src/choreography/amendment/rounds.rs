//! A first answer where there are choices or races: one decision and one process at a time.
//!
//! Whoever chooses tells the process, at the beginning of each arm; the hub of a race tells it after each item in which
//! it does not take part, or after which it would not know in which it did. Then that decision is no longer in the
//! way of this process, so there are as many rounds at most as there are decisions and processes. A selection in one
//! round can make it necessary to tell its own process, too, in a later one.
//!
//! Where two processes are each a hub of races of the other, this may not help.

use super::insert::Selection;
use super::pairs::with_placed;
use super::{Draft, Text};
use crate::choreography::hub::{Event, Local, event, hubs};
use crate::choreography::{Node, NodeId};
use crate::limits::StopReason;
use crate::network::{Interaction, ProcessId};
use crate::syntax::{Names, Symbol, Term, TermId};
use std::collections::BTreeSet;

impl Text<'_> {
    /// Selections that do; nothing if selections do not help.
    pub(super) fn rounds(&mut self) -> Result<Option<Vec<Selection>>, StopReason> {
        let mut selections: Vec<Selection> = Vec::new();
        let mut told: BTreeSet<(TermId, ProcessId)> = BTreeSet::new();
        loop {
            let Some(draft) = self.draft(&selections) else { return Ok(None) };
            let mut found = None;
            self.each_conflict(&draft, |_, view, conflict| {
                found = Some((view.process, conflict.conditional));
                false
            })?;
            let Some((process, conditional)) = found else { return Ok(Some(selections)) };
            let term = draft.terms.get(conditional as usize).and_then(|&term| draft.grown.position(term));
            let Some((term, _)) = term else { return Ok(None) };
            if !told.insert((term, process)) {
                return Ok(None);
            }
            let words = self.options.labels;
            let placed = draft.telling(&mut self.tree.names, words, process, NodeId(conditional));
            selections = with_placed(selections, placed);
        }
    }
}

impl Draft {
    /// Selections that tell a process about a decision, each with its place in the list of selections.
    fn telling(
        &self,
        names: &mut Names,
        words: [&str; 2],
        process: ProcessId,
        decision: NodeId,
    ) -> Vec<(usize, Selection)> {
        let tree = &self.grown.tree;
        let Some(&term) = self.terms.get(decision.index()) else { return Vec::new() };
        let Term::Fork(_, range) = tree.term(term) else { return Vec::new() };
        let bodies: Vec<TermId> = range.of(&tree.arms).iter().map(|arm| arm.body).collect();
        // Before which term of each arm who tells it.
        let tellers: Vec<Option<(TermId, ProcessId)>> = match self.choreography().node(decision) {
            Node::If { process, .. } | Node::Choose { process, .. } => {
                bodies.iter().map(|&body| Some((body, process))).collect()
            }
            Node::Any { items } => {
                let hubs = hubs(self.choreography(), items);
                let items = self.choreography().arms(items).iter();
                let items: Vec<Option<Event>> =
                    items.map(|&item| event(self.choreography(), &self.unfolded.taken, item)).collect();
                let teller = |item: Event| {
                    if !item.concerns(process) {
                        return hubs.first().copied();
                    }
                    let local = Local::new(item.interaction, process);
                    let same = items.iter().flatten().filter(|item| item.concerns(process));
                    let is_alone = same.filter(|&&item| Local::new(item.interaction, process) == local).count() == 1;
                    let Interaction { from, to, .. } = item.interaction;
                    match is_alone {
                        true => None,
                        false => Some(if from == process { to } else { from }),
                    }
                };
                let after = |body: TermId| match tree.term(body) {
                    Term::Act(_, next) => Some(next),
                    _ => None,
                };
                let tells = |(&body, &item): (&TermId, &Option<Event>)| Some((after(body)?, teller(item?)?));
                bodies.iter().zip(&items).map(tells).collect()
            }
            Node::Stop | Node::Interaction { .. } | Node::Group { .. } => Vec::new(),
            Node::Put { .. } | Node::Take { .. } => Vec::new(),
        };
        let Some(&to) = self.choreography().processes.get(process.index()) else { return Vec::new() };
        let labels = self.new_labels(names, words, process, tellers.len());
        let mut placed = Vec::new();
        for (teller, label) in tellers.into_iter().zip(labels) {
            let Some((term, teller)) = teller else { continue };
            let Some(&from) = self.choreography().processes.get(teller.index()) else { continue };
            let Some((before, place)) = self.grown.position(term) else { continue };
            placed.push((place, Selection { before, from, to, label }));
        }
        placed
    }

    /// Labels for the arms of a decision that nobody selects at a process: the two words, or `A1`, `A2` and so
    /// on if there are more than two arms; then these with a number.
    fn new_labels(&self, names: &mut Names, words: [&str; 2], process: ProcessId, arms: usize) -> Vec<Symbol> {
        let taken = self.choreography().nodes.iter().filter_map(|node| match node {
            Node::Interaction { interaction, .. } | Node::Put { interaction, .. } if interaction.to == process => {
                interaction.content.label()
            }
            _ => None,
        });
        let taken: BTreeSet<Symbol> = taken.collect();
        let mut number = 0;
        loop {
            let label = |arm: usize| match (arms, number) {
                (..=2, 0) => words[arm.min(1)].to_string(),
                (..=2, _) => format!("{}{number}", words[arm.min(1)]),
                (_, 0) => format!("A{}", arm + 1),
                _ => format!("A{}_{number}", arm + 1),
            };
            let labels: Vec<Symbol> = (0..arms).map(|arm| names.intern(&label(arm))).collect();
            if labels.iter().all(|label| !taken.contains(label)) {
                return labels;
            }
            number += 1;
        }
    }
}
