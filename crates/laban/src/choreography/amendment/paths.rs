//! Which selections can help where two branches do not merge for a process.
//!
//! A conflict comes with two paths through the choreography, one from each branch, on which the process does the same
//! until its actions clash. Selections that resolve the conflict must change one of these paths: one of them needs a
//! selection *to* the process, or a selection *by* the process that the other path has already, so that both have it.
//! All other selections leave both paths as they are for this process. So only the terms on the paths need a look.
//!
//! If neither path has a selection of either kind yet, then both must get one: a label on one side needs another on
//! the other side. A service is different: where it is done on one side, it may wait on the other, either for a label
//! or to select one at any process.

use super::Draft;
use crate::choreography::merge::{Conflict, Stretch};
use crate::choreography::view::{DONE, Head, View};
use crate::choreography::{Node, NodeId};
use crate::network::ProcessId;
use crate::syntax::{GlobalAction, GlobalInteraction, Symbol, Term, TermId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A point on a path where a selection can be inserted: right before a term of the grown tree. `after` names the two
/// processes of the interaction just before it, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct InsertionPoint {
    term: TermId,
    after: Option<[Symbol; 2]>,
}

/// The two paths to a conflict.
pub(super) struct Paths {
    /// Who must learn of the decision.
    pub(super) process: ProcessId,
    /// Who decides.
    pub(super) decider: ProcessId,
    insertion_points: [Vec<InsertionPoint>; 2],
    /// What the process selects on each path, and at whom.
    selects: [Vec<(ProcessId, Symbol)>; 2],
    /// The side on which the process may select anything: it is a service, and done on the other.
    free: Option<usize>,
    /// The least number of selections that it takes.
    pub(super) least: usize,
}

impl Paths {
    /// The paths to a conflict in a draft.
    pub(super) fn new(draft: &Draft, view: &View<'_>, conflict: &Conflict) -> Option<Self> {
        let Node::If { process: decider, .. } = draft.choreography.node(NodeId(conflict.conditional)) else {
            return None;
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
        let least = if reusable || free.is_some() { 1 } else { 2 };
        Some(Paths { process: view.process, decider, insertion_points, selects, free, least })
    }

    fn terms(&self) -> impl Iterator<Item = TermId> {
        self.insertion_points.iter().flatten().map(|point| point.term)
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

    /// Roughly how many selections there are to try.
    pub(super) fn width(&self) -> usize {
        let kinds = |side: usize| 1 + self.selects[1 - side].len() + usize::from(self.free == Some(side));
        self.sides().iter().map(|&side| self.insertion_points[side].len() * kinds(side)).sum()
    }

    /// Visits selections such that whatever resolves the conflict includes one of them. Each is given by the term that
    /// it comes before, who selects, at whom, the label if it is fixed, and the side.
    pub(super) fn each(
        &self,
        draft: &Draft,
        processes: &[ProcessId],
        mut visit: impl FnMut(TermId, [ProcessId; 2], Option<Symbol>, usize),
    ) {
        let symbol = |process: ProcessId| draft.choreography.processes.get(process.index()).copied();
        let others = processes.iter().copied().filter(|&other| other != self.process && other != self.decider);
        let tellers: Vec<ProcessId> =
            std::iter::once(self.decider).chain(others).filter(|&teller| teller != self.process).collect();
        for &side in self.sides() {
            let by_process = self.selects[1 - side].iter().map(|&(to, label)| ([self.process, to], Some(label)));
            let to_process = tellers.iter().map(|&teller| ([teller, self.process], None));
            let listeners = if self.free == Some(side) { tellers.as_slice() } else { &[] };
            let to_anybody = listeners.iter().map(|&listener| ([self.process, listener], None));
            for (pair, label) in to_process.chain(by_process).chain(to_anybody) {
                let concerned = pair.map(symbol);
                let mut seen = BTreeSet::new();
                for point in &self.insertion_points[side] {
                    // It makes no difference on which side of an interaction of others a selection is.
                    let same_as_before =
                        point.after.is_some_and(|pair| pair.iter().all(|&process| !concerned.contains(&Some(process))));
                    if !same_as_before && seen.insert(point.term) {
                        visit(point.term, pair, label, side);
                    }
                }
            }
        }
    }
}

/// Conflicts of which no two can be resolved by the same selection.
#[derive(Default)]
pub(super) struct DisjointConflicts {
    /// For conflicts that only a selection to the process can resolve: the process, and the terms on the paths.
    to_process: BTreeSet<(ProcessId, TermId)>,
    /// The terms on the paths of all others, which a selection by the process can resolve as well.
    either_way: BTreeSet<TermId>,
    all: BTreeSet<TermId>,
}

impl DisjointConflicts {
    /// Adds a conflict, unless one selection could resolve it together with one that is there.
    pub(super) fn add(&mut self, paths: &Paths) -> bool {
        let only_to_process = paths.free.is_none() && paths.selects.iter().all(Vec::is_empty);
        let is_disjoint = paths.terms().all(|term| match only_to_process {
            true => !self.to_process.contains(&(paths.process, term)) && !self.either_way.contains(&term),
            false => !self.all.contains(&term),
        });
        if is_disjoint {
            self.all.extend(paths.terms());
            match only_to_process {
                true => self.to_process.extend(paths.terms().map(|term| (paths.process, term))),
                false => self.either_way.extend(paths.terms()),
            }
        }
        is_disjoint
    }
}

/// Follows paths in the text, not in the graph, since selections can also be inserted before calls.
struct Walk<'a> {
    draft: &'a Draft,
    view: &'a View<'a>,
    /// The body of each procedure.
    bodies: BTreeMap<Symbol, TermId>,
    insertion_points: Vec<InsertionPoint>,
}

impl<'a> Walk<'a> {
    fn new(draft: &'a Draft, view: &'a View<'a>) -> Self {
        Walk { draft, view, bodies: BTreeMap::new(), insertion_points: Vec::new() }
    }

    /// The insertion points on one side of a conflict.
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
        let (Some(&from), Some(&goal)) = (self.draft.terms.get(from.index()), self.draft.terms.get(to.index())) else {
            return;
        };
        match tree.term(from) {
            Term::Act(action, next) => {
                let after = match action {
                    GlobalAction::Interaction(
                        GlobalInteraction::Communicate { from, to, .. }
                        | GlobalInteraction::SelectValue { from, to, .. }
                        | GlobalInteraction::Select { from, to, .. },
                    ) => Some([from.symbol, to.symbol]),
                    GlobalAction::Group(_) => None,
                };
                self.enter(next, after);
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

    /// Passes the points before a term and, if it is a call, before what it calls.
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

    /// Goes on to the end. If the end cannot be reached, others loop forever, and every point of the loop counts: the
    /// process is done there only if it acts at none of them.
    fn follow_to_the_end(&mut self, node: NodeId) {
        let choreography = &self.draft.choreography;
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
            for next in self.draft.choreography.successors(at) {
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
