//! Amendment: the selections that a choreography lacks.
//!
//! A process that has no projection must be told how others have decided. [`amend`] adds `p -> r[L]` and `p -> r[R]` at
//! the beginning of the branches of conditionals of p, for as few conditionals as will do for r, and leaves the rest of
//! the text as it is.
//!
//! Which conditionals? Where the branches of a conditional do not merge for r, a [`Conflict`](super::merge::Conflict)
//! names the conditionals of which one must be told about, whatever else is: mostly that one only, so that there is no
//! choice. Where there is, because both sides could wait for a label from the same process, a small search compares the
//! ways. Telling r about an outer conditional never helps with an inner one; telling it about an inner one can make an
//! outer one clash.
//!
//! Selections are actions of the process that decides, too. If that process cannot tell two conditionals apart and only
//! one of them now has a selection, it must be told in turn; so all is repeated until nothing is missing.

use super::merge::{Labels, Merging};
use super::projection::project_with_services;
use super::unprojectable::Unprojectable;
use super::view::{Part, View};
use super::{Choreography, lower};
use crate::diagnostic::Diagnostic;
use crate::network::ProcessId;
use crate::syntax::{
    ChoreographyTree, GlobalAction, GlobalFork, Interaction, Name, Names, Span, Symbol, Term, TermId, Tree,
};

/// A choreography that can be projected.
#[derive(Debug, Clone)]
pub struct Amended {
    /// The text with the selections in it; the text that was given if nothing was missing.
    pub tree: ChoreographyTree,
    /// What was added, in the order of the text.
    pub added: Vec<Added>,
    /// Whether for each process, each time, no fewer conditionals would have done. If not, the search was given up.
    pub fewest: bool,
}

/// Two selections, one in each branch of a conditional. Names are those of the amended tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    /// Who decides and tells.
    pub from: Symbol,
    /// What decides.
    pub condition: Symbol,
    /// Who is told.
    pub to: Symbol,
    /// The label if it holds.
    pub then: Symbol,
    /// The label if it does not.
    pub otherwise: Symbol,
    /// Where the conditional stands in the text that was given.
    pub span: Span,
}

/// Why a text cannot be amended.
#[derive(Debug, Clone)]
pub enum Unamendable {
    /// It is ill-formed.
    IllFormed(Vec<Diagnostic>),
    /// Selections do not help.
    Unprojectable(Vec<Unprojectable>),
}

/// Adds the selections without which a choreography has no projection.
///
/// ```
/// use laban::{choreography, syntax};
///
/// let tree = syntax::parse_choreography("main { if p.e then stop else q.y -> p; stop }").tree;
/// let amended = choreography::amend(&tree).unwrap();
/// assert_eq!(amended.added.len(), 1, "q is told");
/// let choreography = choreography::lower(&amended.tree).choreography.unwrap();
/// assert!(choreography::project(&choreography).is_ok());
/// ```
pub fn amend(tree: &ChoreographyTree) -> Result<Amended, Unamendable> {
    amend_with_services(tree, &[])
}

/// The same when the processes of these names are services, which may wait forever and so need not be told to stop.
pub fn amend_with_services(tree: &ChoreographyTree, services: &[&str]) -> Result<Amended, Unamendable> {
    let mut amended = Amended { tree: tree.clone(), added: Vec::new(), fewest: true };
    loop {
        let lowered = lower(&amended.tree);
        let Some(choreography) = lowered.choreography else {
            return Err(Unamendable::IllFormed(lowered.diagnostics));
        };
        let all = (0..choreography.processes.len() as u32).map(ProcessId);
        // New selections may change the order of the processes, but not their names.
        let services: Vec<ProcessId> =
            all.filter(|&process| services.contains(&choreography.process_name(process))).collect();
        let Err(failures) = project_with_services(&choreography, &services) else {
            amended.added.sort_by_key(|added| added.span.start);
            return Ok(amended);
        };
        let mut insertions = Vec::new();
        for &start in &choreography.starts {
            let part = Part::new(&choreography, start);
            for &process in &part.processes {
                if !failures.iter().any(|failure| failure.process() == Some(process)) {
                    continue;
                }
                let service = services.contains(&process);
                let search = Search { choreography: &choreography, part: &part, process, service };
                let (told, fewest) = search.fewest();
                amended.fewest &= fewest;
                let labels = search.labels(told, &mut amended.tree.names);
                insertions.extend(labels.into_iter().map(|(node, labels)| Insertion { node, to: process, labels }));
            }
        }
        if insertions.is_empty() {
            return Err(Unamendable::Unprojectable(failures));
        }
        amended.insert(&choreography, &lowered.terms, &insertions);
    }
}

/// Two selections to be added.
struct Insertion {
    node: u32,
    to: ProcessId,
    labels: [Symbol; 2],
}

impl Amended {
    /// Puts selections at the beginning of the branches of their conditionals. All else is renumbered in order.
    fn insert(&mut self, choreography: &Choreography, terms: &[TermId], insertions: &[Insertion]) {
        let name = |symbol: Symbol, span: Span| Name { symbol, span };
        let mut places: Vec<(TermId, Interaction)> = Vec::with_capacity(insertions.len() * 2);
        for insertion in insertions {
            let Some(&term) = terms.get(insertion.node as usize) else { continue };
            let Term::Fork(GlobalFork::If { process: from, condition }, range) = self.tree.term(term) else { continue };
            let [then, otherwise] = insertion.labels;
            let to = choreography.processes.get(insertion.to.index()).copied().unwrap_or(from.symbol);
            for (arm, label) in range.of(&self.tree.arms).iter().zip(insertion.labels) {
                let at = self.tree.span(arm.body);
                let at = Span::new(at.start, at.start);
                let (from, to, label) = (name(from.symbol, at), name(to, at), name(label, at));
                places.push((arm.body, Interaction::Select { from, to, label }));
            }
            let span = self.tree.span(term);
            self.added.push(Added { from: from.symbol, condition: condition.symbol, to, then, otherwise, span });
        }
        places.sort_by_key(|&(body, _)| body);
        let old = std::mem::take(&mut self.tree);
        // The new number of a term, or of the first selection before it.
        let number = |term: TermId| TermId(term.0 + places.partition_point(|&(body, _)| body < term) as u32);
        let mut tree: ChoreographyTree = Tree { names: old.names.clone(), ..Tree::default() };
        let mut pending = places.iter().peekable();
        for (index, (&term, &span)) in old.terms.iter().zip(&old.spans).enumerate() {
            let id = TermId(index as u32);
            while let Some(&(_, selection)) = pending.next_if(|&&(body, _)| body == id) {
                let next = TermId(tree.terms.len() as u32 + 1);
                tree.push(Term::Act(GlobalAction::Interaction(selection), next), Span::new(span.start, span.start));
            }
            let term = match term {
                Term::Act(action, next) => Term::Act(action, number(next)),
                other => other,
            };
            tree.push(term, span);
        }
        tree.arms = old.arms.iter().map(|arm| crate::syntax::Arm { body: number(arm.body), ..*arm }).collect();
        tree.units = old.units;
        for unit in &mut tree.units {
            unit.procedures.iter_mut().for_each(|procedure| procedure.body = number(procedure.body));
            unit.mains.iter_mut().for_each(|main| main.body = number(main.body));
        }
        tree.interactions = old.interactions;
        tree.comments = old.comments;
        self.tree = tree;
    }
}

/// Looks for the fewest conditionals that one process must be told about.
struct Search<'a> {
    choreography: &'a Choreography,
    part: &'a Part,
    process: ProcessId,
    service: bool,
}

/// A way to tell the process: the conditionals it is told about, and those it must not be told about.
#[derive(Clone)]
struct Attempt {
    told: Vec<bool>,
    forbidden: Vec<bool>,
}

impl Attempt {
    fn count(&self) -> usize {
        self.told.iter().filter(|&&told| told).count()
    }
}

/// How many nodes of choreographies a search for fewer selections may look at.
const PATIENCE: usize = 2_000_000;

impl Search<'_> {
    /// The conditionals, and whether it is certain that fewer will not do.
    fn fewest(&self) -> (Vec<u32>, bool) {
        let count = self.choreography.nodes.len();
        let mut root = Attempt { told: vec![false; count], forbidden: vec![false; count] };
        // Nothing is forbidden, so there is always a way.
        let conflicts = self.settle(&mut root).unwrap_or_default();
        let least = root.count() + disjoint(&conflicts).len();
        let mut best = self.greedy(root.clone(), conflicts);
        let mut certain = best.count() <= least;
        if !certain {
            let mut budget = (PATIENCE / count.max(1)).clamp(16, 4096);
            let mut stack = vec![root];
            certain = true;
            while let Some(mut attempt) = stack.pop() {
                if budget == 0 {
                    certain = false;
                    break;
                }
                budget -= 1;
                let Some(conflicts) = self.settle(&mut attempt) else { continue };
                if attempt.count() + disjoint(&conflicts).len() >= best.count() {
                    continue;
                }
                let Some(conflict) = conflicts.iter().min_by_key(|conflict| conflict.len()) else {
                    best = attempt;
                    continue;
                };
                let from = stack.len();
                for &candidate in conflict {
                    let mut next = attempt.clone();
                    next.told[candidate as usize] = true;
                    stack.push(next);
                    // Ways that tell about this one too have been looked at then.
                    attempt.forbidden[candidate as usize] = true;
                }
                stack[from..].reverse();
            }
        }
        ((0..count as u32).filter(|&node| best.told[node as usize]).collect(), certain)
    }

    /// Tells the process about the conditional of each conflict itself, until there is none.
    fn greedy(&self, mut attempt: Attempt, mut conflicts: Vec<Vec<u32>>) -> Attempt {
        while !conflicts.is_empty() {
            for number in disjoint(&conflicts) {
                if let Some(&conditional) = conflicts[number].first() {
                    attempt.told[conditional as usize] = true;
                }
            }
            conflicts = self.settle(&mut attempt).unwrap_or_default();
        }
        attempt
    }

    /// Tells the process whatever it must be told, and gives the conflicts in which there is a choice, each by its
    /// candidates; `None` if there is no way.
    fn settle(&self, attempt: &mut Attempt) -> Option<Vec<Vec<u32>>> {
        loop {
            let mut merging = self.merging(attempt.told.clone());
            let mut conflicts = Vec::new();
            let mut changed = false;
            for conditional in merging.conditionals(self.part) {
                if attempt.told[conditional as usize] {
                    continue;
                }
                let Some(conflict) = merging.conflict(conditional) else { continue };
                let mut candidates = conflict.candidates;
                candidates.retain(|&candidate| !attempt.forbidden[candidate as usize]);
                match *candidates.as_slice() {
                    [] => return None,
                    [only] => {
                        attempt.told[only as usize] = true;
                        changed = true;
                        // Any other makes no difference to the view until it is told about: begin again.
                        if only != conditional {
                            break;
                        }
                        merging.tell(only);
                    }
                    _ => conflicts.push(candidates),
                }
            }
            if !changed {
                return Some(conflicts);
            }
        }
    }

    fn merging(&self, told: Vec<bool>) -> Merging<'_> {
        let mut view = View::new(self.choreography, self.part, self.process, told);
        view.service = self.service;
        Merging::new(view)
    }

    /// Chooses labels for the conditionals that the process is told about: `L` and `R`, unless the process would take
    /// them for others that mean something else; then `L1` and `R1`, and so on.
    fn labels(&self, told: Vec<u32>, names: &mut Names) -> Vec<(u32, [Symbol; 2])> {
        let usual = [names.intern("L"), names.intern("R")];
        let mut bits = vec![false; self.choreography.nodes.len()];
        told.iter().for_each(|&node| bits[node as usize] = true);
        let mut merging = self.merging(bits);
        let mut labels: Labels = told.iter().map(|&node| (node, usual)).collect();
        let mut number = 0;
        let conditionals = merging.conditionals(self.part);
        'again: loop {
            merging.choose(labels.clone());
            for &conditional in &conditionals {
                let Some(conflict) = merging.conflict(conditional) else { continue };
                let Some(&node) = conflict.shared.iter().max() else { continue };
                number += 1;
                labels.insert(node, [names.intern(&format!("L{number}")), names.intern(&format!("R{number}"))]);
                continue 'again;
            }
            break;
        }
        told.into_iter().filter_map(|node| labels.get(&node).map(|&labels| (node, labels))).collect()
    }
}

/// Conflicts that have no candidate in common: each needs a selection of its own.
fn disjoint(conflicts: &[Vec<u32>]) -> Vec<usize> {
    let mut taken: Vec<u32> = Vec::new();
    let mut chosen = Vec::new();
    for (number, conflict) in conflicts.iter().enumerate() {
        if conflict.iter().all(|candidate| !taken.contains(candidate)) {
            taken.extend(conflict);
            chosen.push(number);
        }
    }
    chosen
}
