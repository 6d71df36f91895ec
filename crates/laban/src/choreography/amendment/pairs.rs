//! A first answer: whoever decides tells the process, at the beginning of both branches of a conditional.
//!
//! Which conditionals? Where the branches of a conditional do not merge for r, a
//! [`Conflict`](crate::choreography::merge::Conflict) names the conditionals of which one must be told about, if r is
//! told in this way: mostly just that one, so that there is no choice. Where there is a choice, because both sides
//! could wait for a label from the same process, a small search compares them. Telling r about an outer conditional
//! never helps with an inner one; telling it about an inner one can make an outer one clash.
//!
//! Selections are actions of the process that decides, too. If that process cannot tell two conditionals apart and
//! only one of them now has a selection, it must be told in turn; so everything is repeated until nothing is missing.

use super::insert::Selection;
use super::{Draft, Text};
use crate::choreography::merge::Merging;
use crate::choreography::view::Part;
use crate::limits::StopReason;
use crate::network::ProcessId;
use crate::syntax::{GlobalFork, Names, Symbol, Term};

impl Text<'_> {
    /// Selections that suffice, in pairs.
    pub(super) fn pairs(&mut self) -> Result<Vec<Selection>, StopReason> {
        let mut selections: Vec<Selection> = Vec::new();
        loop {
            let Some(draft) = self.draft(&selections) else { return Ok(selections) };
            let mut pairs = Vec::new();
            let mut names = self.tree.names.clone();
            for &start in &draft.choreography().starts {
                let part = Part::new(draft.choreography(), start);
                for &process in &part.processes {
                    let search = Search { text: self, draft: &draft, part: &part, process };
                    let conditionals = search.fewest()?;
                    if !conditionals.is_empty() {
                        let labels = search.labels(conditionals, &mut names)?;
                        pairs.extend(labels.into_iter().map(|(node, labels)| (node, process, labels)));
                    }
                }
            }
            if pairs.is_empty() {
                return Ok(selections);
            }
            self.tree.names = names;
            selections = draft.with_pairs(selections, &pairs);
        }
    }
}

impl Draft {
    /// Adds pairs of selections, each given by the node of a conditional, who is told, and the two labels.
    fn with_pairs(&self, selections: Vec<Selection>, pairs: &[(u32, ProcessId, Vec<Symbol>)]) -> Vec<Selection> {
        let tree = &self.grown.tree;
        let mut placed: Vec<(usize, Selection)> = Vec::with_capacity(pairs.len() * 2);
        for &(node, to, ref labels) in pairs {
            let Some(&term) = self.terms.get(node as usize) else { continue };
            let Term::Fork(GlobalFork::If { process: from, .. }, range) = tree.term(term) else { continue };
            let Some(&to) = self.choreography().processes.get(to.index()) else { continue };
            for (arm, &label) in range.of(&tree.arms).iter().zip(labels) {
                if let Some((before, place)) = self.grown.position(arm.body) {
                    placed.push((place, Selection { before, from: from.symbol, to, label }));
                }
            }
        }
        with_placed(selections, placed)
    }
}

/// Adds selections to a list, each with its place in it.
pub(super) fn with_placed(selections: Vec<Selection>, mut placed: Vec<(usize, Selection)>) -> Vec<Selection> {
    placed.sort_by_key(|&(place, selection)| (place, selection.before));
    let mut placed = placed.into_iter().peekable();
    let mut longer = Vec::new();
    for (place, selection) in selections.into_iter().enumerate() {
        while let Some((_, new)) = placed.next_if(|&(at, _)| at <= place) {
            longer.push(new);
        }
        longer.push(selection);
    }
    longer.extend(placed.map(|(_, new)| new));
    longer
}

/// Looks for the fewest conditionals that one process must be told about.
struct Search<'a> {
    text: &'a Text<'a>,
    draft: &'a Draft,
    part: &'a Part,
    process: ProcessId,
}

/// A choice of conditionals: for each node, whether the process is told about it, and whether it must not be.
#[derive(Clone)]
struct Attempt {
    informed_of: Vec<bool>,
    forbidden: Vec<bool>,
}

impl Attempt {
    fn count(&self) -> usize {
        self.informed_of.iter().filter(|&&informed| informed).count()
    }
}

/// How many nodes of choreographies a search for fewer conditionals may look at.
const MOST_NODES: usize = 2_000_000;

impl Search<'_> {
    /// The fewest conditionals, as far as a short search finds them.
    fn fewest(&self) -> Result<Vec<u32>, StopReason> {
        let count = self.draft.choreography().nodes.len();
        let mut root = Attempt { informed_of: vec![false; count], forbidden: vec![false; count] };
        // Nothing is forbidden, so there is always an answer.
        let conflicts = self.settle(&mut root)?.unwrap_or_default();
        let least = root.count() + disjoint(&conflicts).len();
        let mut best = self.greedy(root.clone(), conflicts)?;
        if best.count() > least {
            let mut budget = (MOST_NODES / count.max(1)).clamp(16, 4096);
            let mut stack = vec![root];
            while let Some(mut attempt) = stack.pop() {
                if budget == 0 {
                    break;
                }
                budget -= 1;
                let Some(conflicts) = self.settle(&mut attempt)? else { continue };
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
                    next.informed_of[candidate as usize] = true;
                    stack.push(next);
                    // All choices that include this one are looked at from there.
                    attempt.forbidden[candidate as usize] = true;
                }
                stack[from..].reverse();
            }
        }
        Ok((0..count as u32).filter(|&node| best.informed_of[node as usize]).collect())
    }

    /// Tells the process about the conditional of each conflict itself, until no conflict is left.
    fn greedy(&self, mut attempt: Attempt, mut conflicts: Vec<Vec<u32>>) -> Result<Attempt, StopReason> {
        while !conflicts.is_empty() {
            for number in disjoint(&conflicts) {
                if let Some(&conditional) = conflicts[number].first() {
                    attempt.informed_of[conditional as usize] = true;
                }
            }
            conflicts = self.settle(&mut attempt)?.unwrap_or_default();
        }
        Ok(attempt)
    }

    /// Tells the process whatever it must be told, and returns the conflicts in which there is a choice, each by its
    /// candidates. `None` if there is no answer.
    fn settle(&self, attempt: &mut Attempt) -> Result<Option<Vec<Vec<u32>>>, StopReason> {
        loop {
            let mut merging = self.merging(attempt.informed_of.clone());
            let mut conflicts = Vec::new();
            let mut changed = false;
            for conditional in merging.conditionals(self.part) {
                if attempt.informed_of[conditional as usize] {
                    continue;
                }
                let Some(conflict) = merging.conflict(conditional)? else { continue };
                let mut candidates = conflict.candidates;
                candidates.retain(|&candidate| !attempt.forbidden[candidate as usize]);
                match *candidates.as_slice() {
                    [] => return Ok(None),
                    [only] => {
                        attempt.informed_of[only as usize] = true;
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
                return Ok(Some(conflicts));
            }
        }
    }

    fn merging(&self, informed_of: Vec<bool>) -> Merging<'_> {
        self.text.merging(self.draft, self.part, self.process, informed_of)
    }

    /// Chooses labels for the conditionals that the process is told about: `L` and `R`, unless the process would take
    /// them for others that mean something else; then `L1` and `R1`, and so on.
    fn labels(&self, told: Vec<u32>, names: &mut Names) -> Result<Vec<(u32, Vec<Symbol>)>, StopReason> {
        let words = self.text.options.labels;
        let usual = words.map(|word| names.intern(word)).to_vec();
        let mut bits = vec![false; self.draft.choreography().nodes.len()];
        told.iter().for_each(|&node| bits[node as usize] = true);
        let mut merging = self.merging(bits);
        merging.choose(told.iter().map(|&node| (node, usual.clone())).collect());
        let mut number = 0;
        let conditionals = merging.conditionals(self.part);
        'again: loop {
            for &conditional in &conditionals {
                while let Some(conflict) = merging.conflict(conditional)? {
                    let Some(&node) = conflict.shared.iter().max() else { break };
                    number += 1;
                    let known = names.len();
                    let numbered = words.map(|word| names.intern(&format!("{word}{number}"))).to_vec();
                    let are_new = names.len() == known + numbered.len();
                    merging.relabel(node, numbered, are_new);
                    // With labels that nobody else has, nothing that has merged before clashes now.
                    if !are_new {
                        continue 'again;
                    }
                }
            }
            break;
        }
        let mut labels = merging.into_labels();
        Ok(told.into_iter().filter_map(|node| labels.remove(&node).map(|labels| (node, labels))).collect())
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
