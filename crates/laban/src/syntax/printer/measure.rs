//! How wide things are on one line.
//!
//! Every term is measured once, from the leaves up, before anything is printed; so each block can be laid out by one
//! look at its width.

use super::compact::{MAIN, write_idle, write_one, write_procedure_header, write_unit_header};
use super::notation::{Arms, Notation};
use super::pretty::WIDEST_LINE;
use super::sink::Sink;
use crate::syntax::tree::{Arm, Language, Procedure, Term, TermId, Tree, Unit};
use std::fmt::{self, Write};

/// More than any line holds. Whatever is wider than a line is as wide as this.
const TOO_WIDE: u32 = 1 << 16;

/// A fork that is wider than this is easier to read over several lines, even where one would do.
const WIDEST_FORK: u32 = 40;

/// A term with all that follows it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Measure {
    /// How many columns it takes on one line, or [`TOO_WIDE`].
    pub(super) width: u32,
    /// Where it ends in the source.
    pub(super) end: u32,
}

/// The measures of all terms of a tree.
#[derive(Debug)]
pub(super) struct Measures(Vec<Measure>);

impl Measures {
    pub(super) fn new<L: Notation>(tree: &Tree<L>) -> Self {
        let mut measures = Measures(vec![Measure::default(); tree.terms.len()]);
        // Most trees have terms before what follows them.
        for id in (0..tree.terms.len() as u32).rev().map(TermId) {
            if !followers(tree, id).all(|follower| follower > id) {
                measures.in_any_order(tree);
                return measures;
            }
            measures.0[id.index()] = measures.measure(tree, id);
        }
        measures
    }

    /// Measures all terms, whatever their order.
    fn in_any_order<L: Notation>(&mut self, tree: &Tree<L>) {
        let mut seen = vec![false; tree.terms.len()];
        // A term lies on the stack twice: once before what follows it, once after.
        let mut stack: Vec<(TermId, bool)> = Vec::new();
        for unit in &tree.units {
            let procedures = unit.procedures.iter().map(|procedure| procedure.body);
            for body in procedures.chain(unit.mains.iter().map(|main| main.body)) {
                stack.push((body, false));
                while let Some((id, followers_done)) = stack.pop() {
                    if followers_done {
                        self.0[id.index()] = self.measure(tree, id);
                        continue;
                    }
                    match seen.get_mut(id.index()) {
                        Some(seen) if !*seen => *seen = true,
                        _ => continue,
                    }
                    stack.push((id, true));
                    stack.extend(followers(tree, id).map(|follower| (follower, false)));
                }
            }
        }
    }

    pub(super) fn of(&self, id: TermId) -> Measure {
        self.0.get(id.index()).copied().unwrap_or_default()
    }

    /// The measure of a term, when what follows it has been measured.
    fn measure<L: Notation>(&self, tree: &Tree<L>, id: TermId) -> Measure {
        let here = tree.span(id).end;
        let idle = columns(|out| write_idle(tree, id, out));
        let (width, end) = match tree.term(id) {
            Term::Stop => (4, here),
            Term::Call(name) => (columns(|out| out.write_name(tree, name)), here),
            Term::Missing => (0, here),
            Term::Act(action, next) => {
                let next = self.of(next);
                match next.width > WIDEST_LINE {
                    true => (TOO_WIDE, next.end),
                    false => (columns(|out| L::write_action(tree, &action, out)) + 2 + next.width, next.end),
                }
            }
            Term::Fork(fork, arms) if L::arms(&fork) == Arms::One => {
                let next = arms.of(&tree.arms).first().map_or(Measure::default(), |arm| self.of(arm.body));
                (columns(|out| write_one(tree, &fork, arms, out)) + 2 + next.width, next.end)
            }
            Term::Fork(fork, arms) => {
                let mut width = columns(|out| L::write_fork(tree, &fork, out)) + 1;
                for arm in arms.of(&tree.arms) {
                    // What is around each: a label, `: ` and `, `, or ` else `.
                    let label = arm.label.map_or(4, |name| columns(|out| out.write_name(tree, name)) + 2);
                    width = width.saturating_add(label + 2 + self.of(arm.body).width);
                }
                (if width > WIDEST_FORK { TOO_WIDE } else { width }, here)
            }
        };
        Measure { width: (width + idle).min(TOO_WIDE), end }
    }

    /// The width of `def X { … }`.
    pub(super) fn procedure<L: Notation>(&self, tree: &Tree<L>, procedure: &Procedure) -> u32 {
        columns(|out| write_procedure_header(tree, procedure, out)) + self.block(procedure.body)
    }

    /// The width of `main { … }`.
    pub(super) fn main(&self, body: TermId) -> u32 {
        MAIN.len() as u32 + self.block(body)
    }

    /// The width of the rest of a block behind its brace.
    fn block(&self, body: TermId) -> u32 {
        1 + self.of(body).width + 2
    }

    /// The width of a process.
    pub(super) fn unit<L: Notation>(&self, tree: &Tree<L>, unit: &Unit) -> u32 {
        let procedures = unit.procedures.iter().map(|procedure| self.procedure(tree, procedure));
        let mains = unit.mains.iter().map(|main| self.main(main.body));
        let items = procedures.chain(mains).fold(0u32, |sum, width| sum.saturating_add(width + 1));
        items.saturating_add(columns(|out| write_unit_header(tree, unit, out)) + 2)
    }
}

/// The terms that follow a term.
fn followers<L: Language>(tree: &Tree<L>, id: TermId) -> impl Iterator<Item = TermId> {
    let (next, arms) = match tree.terms.get(id.index()) {
        Some(&Term::Act(_, next)) => (Some(next), &[] as &[Arm]),
        Some(Term::Fork(_, arms)) => (None, arms.of(&tree.arms)),
        _ => (None, &[] as &[Arm]),
    };
    next.into_iter().chain(arms.iter().map(|arm| arm.body))
}

/// How many columns something takes.
pub(super) fn columns(write: impl FnOnce(&mut Columns) -> fmt::Result) -> u32 {
    let mut columns = Columns(0);
    // It cannot fail, and what cannot be measured does not fit.
    write(&mut columns).map_or(TOO_WIDE, |()| columns.0.min(TOO_WIDE))
}

/// A text that is shorter than this is counted byte by byte.
const SHORT: usize = 16;

/// Counts what is written.
pub(super) struct Columns(u32);

impl Sink for Columns {}

impl Write for Columns {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let columns = match text.len() < SHORT {
            // As many as there are bytes that begin a character.
            true => text.bytes().filter(|byte| byte & 0xc0 != 0x80).count(),
            false => text.chars().count(),
        };
        self.0 = self.0.saturating_add(u32::try_from(columns).unwrap_or(TOO_WIDE));
        Ok(())
    }
}
