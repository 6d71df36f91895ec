//! The fewest selections, found by trying.
//!
//! The search knows an answer and looks for a shorter one: first with the least number that the conflicts need, then
//! with one more, and so on. It begins with the text as it is. Whatever resolves a conflict includes one of the
//! selections that [`Paths`] names; so it tries each of them, with each label that makes a difference, and looks for
//! the conflicts that are left. Conflicts that no single selection resolves together need one each, which ends most
//! attempts early.
//!
//! That can take very long, so the work is bounded. If the search gives up, the known answer is kept.

use super::insert::Selection;
use super::paths::{DisjointConflicts, Paths};
use super::{Draft, Text};
use crate::choreography::view::Part;
use crate::choreography::{Node, NodeId};
use crate::limits::StopReason;
use crate::network::{Content, Interaction, ProcessId};
use crate::syntax::Symbol;
use rustc_hash::FxHashSet;

/// How many terms of drafts may be looked at for one choreography.
pub(super) const MOST_WORK: usize = 100_000;

/// How much is looked at for the paths to the conflicts of one draft. Conflicts beyond that are left out, which is
/// right but says less about how many selections it takes: the paths of thousands of them would fill the memory.
const MOST_PATHS: usize = 4_000_000;

/// What a draft lacks.
struct Lack {
    /// The paths to the conflict to begin with: the one with the fewest selections to try.
    paths: Paths,
    /// The processes of its part.
    processes: Vec<ProcessId>,
    /// All conflicts together take at least this many selections.
    least: usize,
}

impl Text<'_> {
    /// The fewest selections that suffice, given some that do, and whether it is certain that fewer do not.
    pub(super) fn least(&mut self, known: Vec<Selection>) -> Result<(Vec<Selection>, bool), StopReason> {
        let mut budget = MOST_WORK;
        let Some(lack) = self.draft(&[]).map(|draft| self.lack(&draft)).transpose()?.flatten() else {
            return Ok((known, false));
        };
        if known.len() <= lack.least {
            return Ok((known, true));
        }
        let known = self.without_needless(known, &mut budget)?;
        for most in lack.least..known.len() {
            match self.within(most, &mut budget)? {
                Attempt::Found(selections) => return Ok((selections, true)),
                Attempt::None => {}
                Attempt::GivenUp => return Ok((known, false)),
            }
        }
        Ok((known, true))
    }

    /// Some selections, without those that can be left out.
    pub(super) fn without_needless(
        &self,
        mut selections: Vec<Selection>,
        budget: &mut usize,
    ) -> Result<Vec<Selection>, StopReason> {
        let mut index = 0;
        while index < selections.len() {
            let mut fewer = selections.clone();
            fewer.remove(index);
            if !self.spend(fewer.len(), budget) {
                break;
            }
            match self.is_enough(&fewer)? {
                true => selections = fewer,
                false => index += 1,
            }
        }
        Ok(selections)
    }

    /// Looks for at most so many selections that suffice.
    fn within(&mut self, most: usize, budget: &mut usize) -> Result<Attempt, StopReason> {
        let mut tried: FxHashSet<Vec<Selection>> = FxHashSet::default();
        let mut stack: Vec<Vec<Selection>> = vec![Vec::new()];
        while let Some(selections) = stack.pop() {
            if !self.spend(selections.len(), budget) {
                return Ok(Attempt::GivenUp);
            }
            if selections.len() == most {
                match self.is_enough(&selections)? {
                    true => return Ok(Attempt::Found(selections)),
                    false => continue,
                }
            }
            let Some(draft) = self.draft(&selections) else { continue };
            let Some(lack) = self.lack(&draft)? else { return Ok(Attempt::Found(selections)) };
            if selections.len() + lack.least > most {
                continue;
            }
            let from = stack.len();
            let mut next = Vec::new();
            lack.paths.each(&draft, &lack.processes, |term, pair, label, side| next.push((term, pair, label, side)));
            for (term, pair, label, side) in next {
                let labels = match label {
                    Some(label) => vec![label],
                    None => self.labels(&draft, pair, side),
                };
                let [Some(from), Some(to)] =
                    pair.map(|process| draft.choreography().processes.get(process.index()).copied())
                else {
                    continue;
                };
                for label in labels {
                    let longer = draft.grown.add(&selections, term, [from, to, label]);
                    stack.extend(longer.filter(|longer| tried.insert(longer.clone())));
                }
            }
            stack[from..].reverse();
        }
        Ok(Attempt::None)
    }

    /// Takes the work for one draft from the budget; false if that is not enough for it.
    fn spend(&self, added: usize, budget: &mut usize) -> bool {
        let cost = self.tree.terms.len() + added;
        let enough = *budget >= cost;
        *budget = budget.saturating_sub(cost);
        enough
    }

    /// What a draft lacks; nothing if it has a projection.
    fn lack(&self, draft: &Draft) -> Result<Option<Lack>, StopReason> {
        let mut all: Vec<(Paths, Vec<ProcessId>)> = Vec::new();
        let mut left = MOST_PATHS;
        self.each_conflict(draft, |part: &Part, view, conflict| {
            let Some(paths) = Paths::new(draft, view, conflict) else { return true };
            left = left.saturating_sub(paths.len() + draft.terms.len() / 16);
            all.push((paths, part.processes.clone()));
            left > 0
        })?;
        // Conflicts that need more come first: they say more about how many selections it takes.
        let mut disjoint = DisjointConflicts::default();
        let mut least = 0;
        for needs in [2, 1] {
            for (paths, _) in all.iter().filter(|(paths, _)| paths.least == needs) {
                least += if disjoint.add(paths) { needs } else { 0 };
            }
        }
        let best = all.into_iter().min_by_key(|(paths, processes)| paths.width() * processes.len());
        Ok(best.map(|(paths, processes)| Lack { paths, processes, least }))
    }

    /// How many selections a single conflict takes at least.
    pub(super) fn least_for_one(&self) -> Result<usize, StopReason> {
        let Some(draft) = self.draft(&[]) else { return Ok(0) };
        let mut least = 0;
        self.each_conflict(&draft, |_, view, conflict| {
            least = least.max(Paths::new(&draft, view, conflict).map_or(0, |paths| paths.least));
            true
        })?;
        Ok(least)
    }

    /// The labels that make a difference for a selection: a new one, and those that the same process selects at the
    /// same partner elsewhere.
    fn labels(&mut self, draft: &Draft, [from, to]: [ProcessId; 2], side: usize) -> Vec<Symbol> {
        let nodes = (0..draft.choreography().nodes.len() as u32).map(|node| draft.choreography().node(NodeId(node)));
        let mut known: Vec<Symbol> = nodes
            .filter_map(|node| match node {
                Node::Interaction {
                    interaction: Interaction { from: a, to: b, content: Content::Label(label) },
                    ..
                } if (a, b) == (from, to) => Some(label),
                _ => None,
            })
            .collect();
        known.sort_unstable();
        known.dedup();
        let word = self.options.labels[side.min(1)];
        let mut number = 0;
        let new = loop {
            let label = match number {
                0 => self.tree.names.intern(word),
                _ => self.tree.names.intern(&format!("{word}{number}")),
            };
            if !known.contains(&label) {
                break label;
            }
            number += 1;
        };
        known.insert(0, new);
        known
    }
}

/// What comes of looking for a certain number of selections.
enum Attempt {
    Found(Vec<Selection>),
    /// That number does not suffice.
    None,
    GivenUp,
}
