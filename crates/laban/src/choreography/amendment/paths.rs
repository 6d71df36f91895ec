//! Which selections can help where two branches do not merge for a process.
//!
//! A conflict comes with two paths through the choreography, one from each branch, on which the process does the same
//! until it comes to what clashes. Any selections that cure it must change one of these paths: a selection *to* the
//! process must be on one of them, or a selection *by* the process that the other path has already, so that both paths
//! have it. All others leave both paths as they are for this process. So the terms that the paths pass are the places
//! to look at.
//!
//! If neither path has a selection of either kind yet, then both must get one: a label on one side needs another on the
//! other side. A service is different: where it is done on one side, it may wait on the other, be it to be told or to
//! tell somebody, whoever that is. So is a client of a race: on one side it may tell the hub, and on the other hear
//! from it, because the hub knows which of the two it is.
//!
//! No place is before an item of a race: a selection there would take the item's place.

use super::Draft;
use crate::choreography::hub::hubs;
use crate::choreography::merge::{Conflict, Stretch};
use crate::choreography::view::{DONE, Head, View};
use crate::choreography::{Node, NodeId};
use crate::network::ProcessId;
use crate::syntax::{GlobalAction, GlobalFork, GlobalInteraction, Symbol, Term, TermId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A place on a path: right before a term of the grown tree. Also the interaction that ends there, if nothing comes
/// between, by the two processes that take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct InsertionPoint {
    term: TermId,
    after: Option<[Symbol; 2]>,
}

/// The two paths to a conflict.
pub(super) struct Paths {
    /// Who must be told.
    pub(super) process: ProcessId,
    /// Who decides.
    pub(super) decider: ProcessId,
    insertion_points: [Vec<InsertionPoint>; 2],
    /// What the process selects on either path, and at whom.
    selects: [Vec<(ProcessId, Symbol)>; 2],
    /// The side on which the process may select anything: it is a service, and done on the other.
    free: Option<usize>,
    /// The hubs that the process may tell something on one side while it hears from them on the other.
    above: Vec<ProcessId>,
    /// How many selections it takes at least.
    pub(super) least: usize,
}

impl Paths {
    /// The paths to a conflict in a draft.
    pub(super) fn new(draft: &Draft, view: &View<'_>, conflict: &Conflict) -> Option<Self> {
        let decider = match draft.choreography().node(NodeId(conflict.conditional)) {
            Node::If { process, .. } | Node::Choose { process, .. } => process,
            Node::Any { items } => {
                hubs(draft.choreography(), items).into_iter().find(|&hub| hub != view.process).unwrap_or(view.process)
            }
            Node::Stop | Node::Interaction { .. } | Node::Group { .. } => return None,
            Node::Put { .. } | Node::Take { .. } => return None,
        };
        let insertion_points = [0, 1].map(|side| Walk::new(draft, view).insertion_points(conflict, side));
        let mut selects: [Vec<(ProcessId, Symbol)>; 2] = [Vec::new(), Vec::new()];
        let mut reusable = false;
        let mut free = None;
        for points in conflict.actions() {
            for (side, point) in points.into_iter().enumerate() {
                match view.head(point) {
                    Head::Select { to, label, .. } => {
                        selects[side].push((to, label));
                        reusable = true;
                    }
                    Head::Offer { .. } => reusable = true,
                    Head::Done if view.service => free = Some(1 - side),
                    _ => {}
                }
            }
        }
        let above = view.above().to_vec();
        let least = if reusable || free.is_some() || !above.is_empty() { 1 } else { 2 };
        Some(Paths { process: view.process, decider, insertion_points, selects, free, above, least })
    }

    /// How many places the paths pass.
    pub(super) fn len(&self) -> usize {
        self.insertion_points.iter().map(Vec::len).sum()
    }

    fn terms(&self) -> impl Iterator<Item = TermId> {
        self.insertion_points.iter().flatten().map(|place| place.term)
    }

    /// The sides on which to look for a selection, of which there must be at least one: the shorter side if both need
    /// one.
    fn sides(&self) -> &[usize] {
        match self.least {
            2 if self.insertion_points[1].len() < self.insertion_points[0].len() => &[1],
            2 => &[0],
            _ => &[0, 1],
        }
    }

    /// How many paths there are to begin, roughly.
    pub(super) fn width(&self) -> usize {
        let kinds =
            |side: usize| 1 + self.selects[1 - side].len() + self.above.len() + usize::from(self.free == Some(side));
        self.sides().iter().map(|&side| self.insertion_points[side].len() * kinds(side)).sum()
    }

    /// Visits the selections of which every cure of the conflict has one: the term that it comes before, who selects,
    /// at whom, which label if that is fixed, and on which side it is.
    pub(super) fn each(
        &self,
        draft: &Draft,
        processes: &[ProcessId],
        mut visit: impl FnMut(TermId, [ProcessId; 2], Option<Symbol>, usize),
    ) {
        let symbol = |process: ProcessId| draft.choreography().processes.get(process.index()).copied();
        let others = processes.iter().copied().filter(|&other| other != self.process && other != self.decider);
        let tellers: Vec<ProcessId> =
            std::iter::once(self.decider).chain(others).filter(|&teller| teller != self.process).collect();
        for &side in self.sides() {
            let by_process = self.selects[1 - side].iter().map(|&(to, label)| ([self.process, to], Some(label)));
            let to_process = tellers.iter().map(|&teller| ([teller, self.process], None));
            let told = if self.free == Some(side) { &tellers } else { &self.above };
            let to_anybody = told.iter().map(|&told| ([self.process, told], None));
            for (pair, label) in to_process.chain(by_process).chain(to_anybody) {
                let concerned = pair.map(symbol);
                let mut seen = BTreeSet::new();
                for place in &self.insertion_points[side] {
                    // It makes no difference on which side of an interaction of others a selection is.
                    let same_as_before =
                        place.after.is_some_and(|pair| pair.iter().all(|&process| !concerned.contains(&Some(process))));
                    if !same_as_before && seen.insert(place.term) {
                        visit(place.term, pair, label, side);
                    }
                }
            }
        }
    }
}

/// Conflicts of which no two have a cure in common.
#[derive(Default)]
pub(super) struct DisjointConflicts {
    /// The places of conflicts that only a selection to the process can cure, with the process.
    told: BTreeSet<(ProcessId, TermId)>,
    /// The places of all others, which a selection by the process can cure as well.
    telling: BTreeSet<TermId>,
    all: BTreeSet<TermId>,
}

impl DisjointConflicts {
    /// Adds a conflict, unless it has a cure in common with one that is there.
    pub(super) fn add(&mut self, paths: &Paths) -> bool {
        let only_told = paths.free.is_none() && paths.above.is_empty() && paths.selects.iter().all(Vec::is_empty);
        let is_apart = paths.terms().all(|term| match only_told {
            true => !self.told.contains(&(paths.process, term)) && !self.telling.contains(&term),
            false => !self.all.contains(&term),
        });
        if is_apart {
            self.all.extend(paths.terms());
            match only_told {
                true => self.told.extend(paths.terms().map(|term| (paths.process, term))),
                false => self.telling.extend(paths.terms()),
            }
        }
        is_apart
    }
}

/// Follows paths in the text: a graph has no places for calls.
struct Walk<'a> {
    draft: &'a Draft,
    view: &'a View<'a>,
    /// The body of each procedure.
    bodies: BTreeMap<Symbol, TermId>,
    /// The items of races: what is before one is not the place before it.
    items: BTreeSet<TermId>,
    insertion_points: Vec<InsertionPoint>,
}

impl<'a> Walk<'a> {
    fn new(draft: &'a Draft, view: &'a View<'a>) -> Self {
        let tree = &draft.grown.tree;
        let items = tree.terms.iter().filter_map(|term| match term {
            Term::Fork(GlobalFork::Any, items) => Some(items.of(&tree.arms)),
            _ => None,
        });
        let items = items.flatten().map(|item| item.body).collect();
        Walk { draft, view, bodies: BTreeMap::new(), items, insertion_points: Vec::new() }
    }

    /// The places on one side of a conflict.
    fn insertion_points(mut self, conflict: &Conflict, side: usize) -> Vec<InsertionPoint> {
        self.find_bodies(NodeId(conflict.conditional));
        let mut at = NodeId(conflict.conditional);
        for Stretch { from, to, moves, arm } in conflict.stretches(side) {
            if moves {
                self.edge(at, from, arm);
            }
            at = from;
            if to == DONE {
                self.follow_to_the_end(from);
                continue;
            }
            for next in self.shortest(from, |node| node.0 == to) {
                self.edge(at, next, None);
                at = next;
            }
        }
        self.insertion_points
    }

    /// Finds the procedures of the part that a node belongs to.
    fn find_bodies(&mut self, node: NodeId) {
        let Some(&term) = self.draft.terms.get(node.index()) else { return };
        let units = &self.draft.grown.tree.units;
        // Terms are numbered in the order of the text, so a unit has a stretch of them.
        let first = |unit: &crate::syntax::Unit| {
            let bodies = unit.procedures.iter().map(|procedure| procedure.body);
            bodies.chain(unit.mains.iter().map(|main| main.body)).min()
        };
        let unit =
            units.iter().filter(|unit| first(unit).is_some_and(|first| first <= term)).max_by_key(|unit| first(unit));
        let procedures = unit.into_iter().flat_map(|unit| &unit.procedures);
        self.bodies = procedures.map(|procedure| (procedure.name.symbol, procedure.body)).collect();
    }

    /// Passes an edge from a node to the next, along an arm if that is given.
    fn edge(&mut self, from: NodeId, to: NodeId, arm: Option<usize>) {
        let tree = &self.draft.grown.tree;
        let (Some(&term), Some(&goal)) = (self.draft.terms.get(from.index()), self.draft.terms.get(to.index())) else {
            return;
        };
        match tree.term(term) {
            Term::Act(action, next) => {
                let after = match action {
                    GlobalAction::Interaction(
                        GlobalInteraction::Communicate { from, to, .. }
                        | GlobalInteraction::SelectValue { from, to, .. }
                        | GlobalInteraction::Select { from, to, .. },
                    ) => Some([from.symbol, to.symbol]),
                    GlobalAction::Group(_) | GlobalAction::Put(_) | GlobalAction::Take { .. } => None,
                };
                let after = after.filter(|_| !self.items.contains(&term));
                self.enter(next, after);
            }
            Term::Fork(GlobalFork::Any, items) => {
                let items: Vec<TermId> = items.of(&tree.arms).iter().map(|item| item.body).collect();
                let after = |body: TermId| match tree.term(body) {
                    Term::Act(_, next) => Some(next),
                    _ => None,
                };
                // To the item, or past it.
                if items.contains(&goal) {
                    return;
                }
                let leads = |&body: &TermId| after(body).is_some_and(|next| self.head(next) == goal);
                let chosen = arm.and_then(|arm| items.get(arm).copied()).or_else(|| items.iter().copied().find(leads));
                if let Some(next) = chosen.and_then(after) {
                    self.enter(next, None);
                }
            }
            Term::Fork(_, arms) => {
                let arms: Vec<TermId> = arms.of(&tree.arms).iter().map(|arm| arm.body).collect();
                let chosen = match arm {
                    Some(arm) => arms.get(arm).copied(),
                    None => arms.iter().copied().find(|&body| self.head(body) == goal),
                };
                if let Some(body) = chosen {
                    self.enter(body, None);
                }
            }
            Term::Stop | Term::Call(_) | Term::Missing => {}
        }
    }

    /// Passes the places before a term and, if it is a call, before what it calls.
    fn enter(&mut self, term: TermId, after: Option<[Symbol; 2]>) {
        self.insertion_points.push(InsertionPoint { term, after });
        let mut at = term;
        for _ in 0..=self.bodies.len() {
            let Some(body) = self.called(at) else { break };
            self.insertion_points.push(InsertionPoint { term: body, after: None });
            at = body;
        }
    }

    /// What a call calls.
    fn called(&self, term: TermId) -> Option<TermId> {
        match self.draft.grown.tree.term(term) {
            Term::Call(name) => self.bodies.get(&name.symbol).copied(),
            _ => None,
        }
    }

    /// The first term that is not a call.
    fn head(&self, term: TermId) -> TermId {
        let mut at = term;
        for _ in 0..=self.bodies.len() {
            let Some(body) = self.called(at) else { break };
            at = body;
        }
        at
    }

    /// Goes on to where all is done. If that cannot be reached, others loop forever, and all places count: the
    /// process is done there only as long as it acts at none of them.
    fn follow_to_the_end(&mut self, node: NodeId) {
        let choreography = self.draft.choreography();
        let path = self.shortest(node, |node| choreography.node(node) == Node::Stop);
        if !path.is_empty() || choreography.node(node) == Node::Stop {
            let mut at = node;
            for next in path {
                self.edge(at, next, None);
                at = next;
            }
            return;
        }
        let mut seen = BTreeSet::from([node]);
        let mut work = vec![node];
        while let Some(at) = work.pop() {
            for (arm, next) in choreography.successors(at).enumerate() {
                self.edge(at, next, Some(arm));
                if seen.insert(next) {
                    work.push(next);
                }
            }
        }
    }

    /// The shortest path from a node to a goal, without the node itself, past what does not concern the process.
    fn shortest(&self, from: NodeId, goal: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        if goal(from) {
            return Vec::new();
        }
        let mut came_from: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for next in self.draft.choreography().successors(at) {
                if next == from || came_from.contains_key(&next) {
                    continue;
                }
                came_from.insert(next, at);
                if goal(next) {
                    let mut path = vec![next];
                    let mut at = at;
                    while at != from {
                        path.push(at);
                        let Some(&before) = came_from.get(&at) else { break };
                        at = before;
                    }
                    path.reverse();
                    return path;
                }
                if !self.view.concerns(next.0) {
                    queue.push_back(next);
                }
            }
        }
        Vec::new()
    }
}
