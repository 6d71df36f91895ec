//! Amendment: the selections that a choreography lacks.
//!
//! A process that must act on a decision it never hears of has no projection. [`amend`] adds selections that tell it,
//! and leaves the rest of the text as it is. What is added is a list of [`Selection`]s, each put before a term of the
//! text.
//!
//! `pairs` finds a first answer that always works: whoever decides tells the process, at the beginning of both
//! branches, for as few conditionals as will do for this process. `least` then looks for fewer selections, of any
//! process, before any term: one may be there already, and a process that has been told can pass it on. That takes a
//! search, which gives up if it would take too long; then the first answer is kept, without the selections that it can
//! do without. `paths` says which selections can help at all, and `insert` puts them into the tree.

mod insert;
mod least;
mod pairs;
mod paths;
mod rounds;

use super::merge::{Conflict, Merging};
use super::projection::{NotProjected, ProjectOptions, never, project};
use super::unfold::Unfolded;
use super::unprojectable::Unprojectable;
use super::view::{Part, View};
use super::{Choreography, lower};
use crate::diagnostic::{Diagnostic, Fix, Replacement};
use crate::limits::{Limits, StopReason};
use crate::network::ProcessId;
use crate::syntax::{ChoreographyTree, GlobalFork, Span, Symbol, Term, TermId};
use insert::{Grown, Selection, grow};
use least::MOST_WORK;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{Display, Formatter};

/// How to amend.
#[derive(Debug, Clone, Copy)]
pub struct AmendOptions<'a> {
    /// The names of the processes that are services: these may wait forever, so they need not be told to stop.
    pub services: &'a [&'a str],
    /// When to give up; the states are the pairs of points that are compared for one process at one conditional.
    pub limits: Limits<'a>,
    /// What to call the labels for the two branches of a conditional, where nothing else is called that; a number
    /// follows if something is.
    pub labels: [&'a str; 2],
}

impl Default for AmendOptions<'_> {
    fn default() -> Self {
        AmendOptions { services: &[], limits: Limits::default(), labels: ["L", "R"] }
    }
}

/// A choreography that can be projected.
#[derive(Debug, Clone)]
pub struct Amended {
    /// The text with the selections in it; the text that was given if nothing was missing.
    pub tree: ChoreographyTree,
    /// What was added, in the order of the text.
    pub added: Vec<Added>,
    /// Whether it is certain that fewer selections do not suffice, wherever they are and whoever makes them. If not,
    /// there were too many possibilities to try them all.
    pub fewest: bool,
}

impl Amended {
    /// What was added, as an edit of the text that was given.
    pub fn fix(&self) -> Fix {
        let text = |symbol| self.tree.names.text(symbol);
        let replacement = |one: &Added| Replacement {
            span: one.span,
            text: format!("{} -> {}[{}]; ", text(one.from), text(one.to), text(one.label)),
        };
        let title = if self.added.len() == 1 { "add the missing selection" } else { "add the missing selections" };
        Fix { title: title.to_string(), replacements: self.added.iter().map(replacement).collect() }
    }
}

/// A selection that was added. Names are those of the amended tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    /// Who tells.
    pub from: Symbol,
    /// Who is told.
    pub to: Symbol,
    /// The label.
    pub label: Symbol,
    /// Where it was put, in the text that was given: an empty span.
    pub span: Span,
    /// The branch that it starts, if it is at the beginning of one.
    pub branch: Option<AmendedBranch>,
}

/// A branch of a conditional.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmendedBranch {
    /// Who decides.
    pub decider: Symbol,
    /// What decides.
    pub condition: Symbol,
    /// Whether it is the branch for when the condition is true.
    pub holds: bool,
    /// Where the conditional is in the text that was given.
    pub span: Span,
}

/// Why a text has not been amended.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Unamendable {
    /// It is ill-formed.
    IllFormed(Vec<Diagnostic>),
    /// Selections do not help.
    Unprojectable(Vec<Unprojectable>),
    /// A limit was reached.
    Undecided(StopReason),
}

impl Display for Unamendable {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Unamendable::IllFormed(diagnostics) => match diagnostics.first() {
                Some(first) => write!(f, "the choreography is ill-formed: {}", first.message),
                None => f.write_str("the choreography is ill-formed"),
            },
            Unamendable::Unprojectable(reasons) => match reasons.first() {
                Some(first) => write!(f, "selections do not help: {first}"),
                None => f.write_str("selections do not help"),
            },
            Unamendable::Undecided(reason) => write!(f, "undecided: {reason}"),
        }
    }
}

impl Error for Unamendable {}

impl From<NotProjected> for Unamendable {
    fn from(error: NotProjected) -> Self {
        match error {
            NotProjected::Unprojectable(reasons) => Unamendable::Unprojectable(reasons),
            NotProjected::Undecided(reason) => Unamendable::Undecided(reason),
        }
    }
}

impl From<StopReason> for Unamendable {
    fn from(reason: StopReason) -> Self {
        Unamendable::Undecided(reason)
    }
}

/// Adds the selections without which a choreography has no projection.
///
/// ```
/// use laban::{AmendOptions, Compact, SyntaxTree};
///
/// let analysis = laban::analyse("main { if p.e then stop else q.y -> p; stop }");
/// let SyntaxTree::Choreography(tree) = analysis.tree() else { panic!() };
/// let amended = laban::amend(tree, &AmendOptions::default())?;
/// let text = Compact(&amended.tree).to_string();
/// assert_eq!(text, "main { if p.e then p -> q[L]; stop else p -> q[R]; q.y -> p; stop }");
/// # Ok::<(), laban::Unamendable>(())
/// ```
pub fn amend(tree: &ChoreographyTree, options: &AmendOptions<'_>) -> Result<Amended, Unamendable> {
    let lowered = lower(tree);
    let Some(choreography) = lowered.choreography else {
        return Err(Unamendable::IllFormed(lowered.diagnostics));
    };
    {
        let unfolded = Unfolded::new(Cow::Borrowed(&choreography), &options.limits)?;
        let starts = unfolded.choreography.starts.iter();
        let parts: Vec<Part> = starts.map(|&start| Part::new(&unfolded.choreography, start)).collect();
        let mut never = never(&unfolded.choreography, &parts);
        if !never.is_empty() {
            never.iter_mut().for_each(|reason| reason.renumber(|node| unfolded.original(node)));
            never.dedup();
            return Err(Unamendable::Unprojectable(never));
        }
    }
    let mut text = Text { tree: tree.clone(), options: *options };
    let first = match choreography.has_choices() || choreography.has_queues() {
        false => text.pairs()?,
        true => match text.rounds()? {
            Some(first) => first,
            None => return Err(text.unprojectable(&choreography)),
        },
    };
    let mut budget = MOST_WORK;
    let (selections, fewest) = match first.is_empty() {
        true => (first, true),
        // A place of the text may be several nodes, so what is known about fewest selections does not count.
        false if choreography.has_queues() => {
            let selections = text.without_needless(first, &mut budget)?;
            let fewest = selections.len() <= text.least_for_one()?;
            (selections, fewest)
        }
        false => text.least(first)?,
    };
    let added = text.added(&selections);
    Ok(Amended { tree: grow(&text.tree, &selections).tree, added, fewest })
}

/// The text to be amended. Its names grow by new labels; nothing else in it changes.
struct Text<'a> {
    tree: ChoreographyTree,
    options: AmendOptions<'a>,
}

/// The text with some selections in it, as a graph.
struct Draft {
    grown: Grown,
    unfolded: Unfolded<'static>,
    /// For each node, its term in the grown tree.
    terms: Vec<TermId>,
}

impl Draft {
    fn choreography(&self) -> &Choreography {
        &self.unfolded.choreography
    }
}

impl Text<'_> {
    /// Why a choreography has no projection, where selections do not help.
    fn unprojectable(&self, choreography: &Choreography) -> Unamendable {
        let processes = (0..choreography.processes.len() as u32).map(ProcessId);
        let named = |process: &ProcessId| self.options.services.contains(&choreography.process_name(*process));
        let services: Vec<ProcessId> = processes.filter(named).collect();
        match project(choreography, &ProjectOptions { services: &services, limits: self.options.limits }) {
            Err(NotProjected::Undecided(reason)) => Unamendable::Undecided(reason),
            Err(NotProjected::Unprojectable(reasons)) => Unamendable::Unprojectable(reasons),
            Ok(_) => Unamendable::Unprojectable(Vec::new()),
        }
    }

    /// The text with some selections in it. There is nothing if that is ill-formed, which selections cannot make it, or
    /// if one of them would overtake what lies in a queue.
    fn draft(&self, selections: &[Selection]) -> Option<Draft> {
        let grown = grow(&self.tree, selections);
        let lowered = lower(&grown.tree);
        let choreography = lowered.choreography?;
        let has_queues = choreography.has_queues();
        let unfolded = Unfolded::new(Cow::Owned(choreography), &self.options.limits).ok()?;
        let terms = match has_queues {
            false => lowered.terms,
            true => unfolded.originals().filter_map(|node| lowered.terms.get(node.index()).copied()).collect(),
        };
        Some(Draft { grown, unfolded, terms })
    }

    fn is_service(&self, draft: &Draft, process: ProcessId) -> bool {
        self.options.services.contains(&draft.choreography().process_name(process))
    }

    /// What prevents the projection of one process, if it is told about some conditionals, given by their nodes.
    fn merging<'d>(&'d self, draft: &'d Draft, part: &Part, process: ProcessId, informed_of: Vec<bool>) -> Merging<'d> {
        let mut view = View::new(&draft.unfolded, part, process, informed_of);
        view.service = self.is_service(draft, process);
        Merging::new(view, self.options.limits)
    }

    /// Visits the conflicts of each process, until `visit` has seen enough. Without any, there is a projection.
    fn each_conflict(
        &self,
        draft: &Draft,
        mut visit: impl FnMut(&Part, &View<'_>, &Conflict) -> bool,
    ) -> Result<(), StopReason> {
        for &start in &draft.choreography().starts {
            let part = Part::new(draft.choreography(), start);
            for &process in &part.processes {
                let mut merging = self.merging(draft, &part, process, Vec::new());
                for conditional in merging.conditionals(&part) {
                    let Some(conflict) = merging.conflict(conditional)? else { continue };
                    if !visit(&part, &merging.view, &conflict) {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the text with some selections in it has a projection.
    fn is_enough(&self, selections: &[Selection]) -> Result<bool, StopReason> {
        let Some(draft) = self.draft(selections) else { return Ok(false) };
        let mut enough = true;
        self.each_conflict(&draft, |_, _, _| {
            enough = false;
            false
        })?;
        Ok(enough)
    }

    /// Some selections as users see them.
    fn added(&self, selections: &[Selection]) -> Vec<Added> {
        let mut branches: BTreeMap<TermId, AmendedBranch> = BTreeMap::new();
        for (term, span) in self.tree.terms.iter().zip(&self.tree.spans) {
            let Term::Fork(GlobalFork::If { process, condition }, arms) = *term else { continue };
            for (arm, holds) in arms.of(&self.tree.arms).iter().zip([true, false]) {
                let (decider, condition) = (process.symbol, condition.symbol);
                branches.insert(arm.body, AmendedBranch { decider, condition, holds, span: *span });
            }
        }
        let added = selections.iter().map(|&Selection { before, from, to, label }| {
            let start = self.tree.span(before).start;
            Added { from, to, label, span: Span::new(start, start), branch: branches.get(&before).copied() }
        });
        added.collect()
    }
}
