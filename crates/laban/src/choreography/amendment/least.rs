//! The fewest selections, by trying.
//!
//! The search knows an answer and looks for a shorter one: first with the least number that the conflicts ask for,
//! then with one more, and so on. It begins with the text as it is. Where there is a conflict, every cure has one of
//! the selections that [`Ways`] names; so it tries each of them, with each label that makes a difference, and looks
//! for what is in conflict then. Conflicts that have no cure in common need a selection each, which ends most
//! attempts early.
//!
//! There is no end to how long that can take, so the work is bounded. If it is given up, the known answer is kept.

use super::insert::Selection;
use super::ways::{Apart, Ways};
use super::{Draft, Text};
use crate::choreography::view::Part;
use crate::choreography::{Node, NodeId};
use crate::limits::StopReason;
use crate::network::{Content, Interaction, ProcessId};
use crate::syntax::Symbol;
use rustc_hash::FxHashSet;

/// How many terms of drafts may be looked at for one choreography.
const MOST_WORK: usize = 100_000;

/// What a draft lacks.
struct Lack {
    /// The conflict to begin with: the one with the fewest cures.
    ways: Ways,
    /// The processes of its part.
    processes: Vec<ProcessId>,
    /// How many selections it takes at least to cure all conflicts.
    least: usize,
}

impl Text<'_> {
    /// The fewest selections that do, given some that do, and whether it is certain that fewer will not.
    pub(super) fn least(&mut self, known: Vec<Selection>) -> Result<(Vec<Selection>, bool), StopReason> {
        let mut left = MOST_WORK;
        let Some(lack) = self.draft(&[]).map(|draft| self.lack(&draft)).transpose()?.flatten() else {
            return Ok((known, false));
        };
        if known.len() <= lack.least {
            return Ok((known, true));
        }
        let known = self.without_needless(known, &mut left)?;
        for most in lack.least..known.len() {
            match self.within(most, &mut left)? {
                Attempt::Found(selections) => return Ok((selections, true)),
                Attempt::None => {}
                Attempt::GivenUp => return Ok((known, false)),
            }
        }
        Ok((known, true))
    }

    /// Some selections, without those that can be left out.
    fn without_needless(&self, mut selections: Vec<Selection>, left: &mut usize) -> Result<Vec<Selection>, StopReason> {
        let mut place = 0;
        while place < selections.len() {
            let mut fewer = selections.clone();
            fewer.remove(place);
            if !self.pay(fewer.len(), left) {
                break;
            }
            match self.is_enough(&fewer)? {
                true => selections = fewer,
                false => place += 1,
            }
        }
        Ok(selections)
    }

    /// Looks for at most so many selections that do.
    fn within(&mut self, most: usize, left: &mut usize) -> Result<Attempt, StopReason> {
        let mut tried: FxHashSet<Vec<Selection>> = FxHashSet::default();
        let mut stack: Vec<Vec<Selection>> = vec![Vec::new()];
        while let Some(selections) = stack.pop() {
            if !self.pay(selections.len(), left) {
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
            lack.ways.each(&draft, &lack.processes, |term, pair, label, side| next.push((term, pair, label, side)));
            for (term, pair, label, side) in next {
                let labels = match label {
                    Some(label) => vec![label],
                    None => self.labels(&draft, pair, side),
                };
                let [Some(from), Some(to)] =
                    pair.map(|process| draft.choreography.processes.get(process.index()).copied())
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

    /// Takes the work for one draft from what is left of it; false if it does not suffice.
    fn pay(&self, added: usize, left: &mut usize) -> bool {
        let cost = self.tree.terms.len() + added;
        let enough = *left >= cost;
        *left = left.saturating_sub(cost);
        enough
    }

    /// What a draft lacks; nothing if it has a projection.
    fn lack(&self, draft: &Draft) -> Result<Option<Lack>, StopReason> {
        let mut all: Vec<(Ways, Vec<ProcessId>)> = Vec::new();
        self.each_conflict(draft, |part: &Part, view, conflict| {
            all.extend(Ways::new(draft, view, conflict).map(|ways| (ways, part.processes.clone())));
            true
        })?;
        // Conflicts that need more come first: they say more about how many selections it takes.
        let mut apart = Apart::default();
        let mut least = 0;
        for needs in [2, 1] {
            for (ways, _) in all.iter().filter(|(ways, _)| ways.least == needs) {
                least += if apart.add(ways) { needs } else { 0 };
            }
        }
        let best = all.into_iter().min_by_key(|(ways, processes)| ways.width() * processes.len());
        Ok(best.map(|(ways, processes)| Lack { ways, processes, least }))
    }

    /// The labels that make a difference for a selection: a new one, and those by which the one tells the other
    /// elsewhere.
    fn labels(&mut self, draft: &Draft, [from, to]: [ProcessId; 2], side: usize) -> Vec<Symbol> {
        let nodes = (0..draft.choreography.nodes.len() as u32).map(|node| draft.choreography.node(NodeId(node)));
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
        let letter = if side == 0 { "L" } else { "R" };
        let mut number = 0;
        let new = loop {
            let label = match number {
                0 => self.tree.names.intern(letter),
                _ => self.tree.names.intern(&format!("{letter}{number}")),
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
    /// There isn't one of that number.
    None,
    GivenUp,
}
