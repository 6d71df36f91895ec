//! What a network as a whole does: the graph that a search has found.

use crate::focus::Focus;
use crate::picture::{Direction, Edge, Node, Picture, Shape};
use crate::skipped::{Ahead, Skipped};
use laban::extraction::{ExecutionGraph, Failure, Found};
use laban::network::{Content, Interaction, Network, ProcessId};
use laban::semantics::{Action, Configuration, Step};
use std::collections::BTreeSet;

/// What a search found of these processes: the symbolic execution graph, and the run in it that fails, if one does.
/// Nothing if the search was given up.
///
/// Nodes are numbered as in the search; a decision shows its condition instead. A node that several edges lead to,
/// which is where a procedure starts, has a thick border, and an edge that erases the marking is thick: everyone has
/// acted since the last one. A race has an edge for each interaction that may come first. The end of a run that fails
/// names the processes that are stuck there. Interactions that concern nobody in the focus are skipped.
pub fn symbolic(network: &Network, processes: &[ProcessId], found: &Found, focus: &Focus) -> Option<Picture> {
    let (seg, failure) = match found {
        Found::Graph(seg) => (seg, None),
        Found::Failure(failure, seg) => (seg, Some(failure)),
        Found::Undecided(_) => return None,
    };
    let run = failure.map_or(Vec::new(), |failure| failing_run(seg, failure));
    let skipped = skipped(network, seg, focus);
    let mut picture = Picture { direction: Direction::Down, ..Picture::default() };
    let mut drawing = Drawing { network, seg, place: vec![None; seg.len()], order: Vec::new() };
    let start = skipped.end(0);
    drawing.meet(start);
    let mut next = 0;
    while let Some(&node) = drawing.order.get(next) {
        next += 1;
        for (outcome, target) in seg.targets(node).enumerate() {
            let from = next - 1;
            let mut thick = seg.erases(node, outcome);
            // The edges of a race say what comes first, and lead to what follows that.
            let (label, target) = match drawing.item(node, target) {
                Some(behind) => {
                    thick |= seg.erases(target, 0);
                    (drawing.label(target, 0), behind)
                }
                None => (drawing.label(node, outcome), target),
            };
            let to = drawing.meet(skipped.end(target));
            picture.edges.push(Edge { thick, ..Edge::new(from, to, label) });
        }
    }
    let Drawing { place, order, .. } = &drawing;
    let mut incoming = vec![0; order.len()];
    picture.edges.iter().for_each(|edge| incoming[edge.to] += 1);
    if let Some(first) = incoming.first_mut() {
        *first += 1;
    }
    let ends = if failure.is_some() { Ends::new(network, processes, seg, focus.max_nodes) } else { Ends::default() };
    for (&node, incoming) in order.iter().zip(incoming) {
        let mut drawn = drawing.node(node, &ends);
        drawn.thick = incoming > 1 && seg.action(node).is_some();
        picture.nodes.push(drawn);
    }
    if let Some(failure) = failure {
        let last = mark(&mut picture, seg, &run, place, &skipped);
        show_stuck(&mut picture, last, failure, &stuck(network, processes, failure));
    }
    // Only the signs that are still to be seen are explained.
    let mut picture = picture.folded(focus.max_nodes);
    let signs = [
        (picture.nodes.iter().any(|node| node.thick), "thick border: several ways meet here"),
        (
            picture.edges.iter().any(|edge| edge.thick),
            "thick arrow: everyone has acted or stopped since the last thick one",
        ),
        (failure.is_some(), "red: the run that fails"),
    ];
    let captions = signs.into_iter().filter(|&(seen, _)| seen).map(|(_, meaning)| meaning.to_string());
    picture.captions.splice(0..0, captions);
    Some(picture)
}

/// The edges of the run, as nodes and outcomes; then those of the cycle, as far as they are in the graph.
fn failing_run(seg: &ExecutionGraph, failure: &Failure) -> Vec<(u32, usize)> {
    let (run, cycle) = (failure.run(), failure.cycle());
    let mut edges = Vec::new();
    let mut at = 0;
    let takes = |node: u32, step: Step| {
        let action = seg.action(node).and_then(|action| seg.describe(action))?;
        seg.targets(node).enumerate().find(|&(outcome, _)| action.step(outcome) == Some(step))
    };
    for &step in run.iter().chain(cycle) {
        if seg.action(at).and_then(|action| seg.describe(action)) == Some(Action::Race) {
            let first = seg.targets(at).enumerate().find(|&(_, item)| takes(item, step).is_some());
            let Some((outcome, item)) = first else { break };
            edges.push((at, outcome));
            at = item;
        }
        let Some((outcome, target)) = takes(at, step) else { break };
        edges.push((at, outcome));
        at = target;
    }
    edges
}

/// Marks the run that fails, and says which node it leads to.
fn mark(
    picture: &mut Picture,
    seg: &ExecutionGraph,
    run: &[(u32, usize)],
    place: &[Option<usize>],
    skipped: &Skipped,
) -> Option<usize> {
    let at = |node: u32| place.get(skipped.end(node) as usize).copied().flatten();
    let mut last = 0;
    let mut on_run = BTreeSet::new();
    for &(node, outcome) in run {
        last = seg.targets(node).nth(outcome).unwrap_or(node);
        if let (Some(from), true) = (at(node), skipped.end(node) == node) {
            picture.nodes[from].marked = true;
            on_run.insert((from, outcome));
        }
    }
    let mut outcome = 0;
    let mut before = None;
    for edge in &mut picture.edges {
        outcome = if before == Some(edge.from) { outcome + 1 } else { 0 };
        before = Some(edge.from);
        edge.marked = on_run.contains(&(edge.from, outcome));
    }
    let last = at(last)?;
    picture.nodes.get_mut(last)?.marked = true;
    Some(last)
}

/// Names those who are stuck: at the end of a deadlock's run, or beside the cycle that goes on without them.
fn show_stuck(picture: &mut Picture, last: Option<usize>, failure: &Failure, stuck: &[&str]) {
    let Some(last) = last else { return };
    let names = match stuck {
        [] => String::new(),
        [one] => format!("{one} is stuck"),
        several => format!("{} are stuck", several.join(", ")),
    };
    let leads_on = picture.edges.iter().any(|edge| edge.from == last);
    match failure {
        Failure::Deadlock { .. } if !leads_on => {
            let node = &mut picture.nodes[last];
            node.shape = Shape::Failed;
            node.label = if names.is_empty() { "deadlock".to_string() } else { format!("deadlock: {names}") };
        }
        _ if names.is_empty() => {}
        _ => {
            let to = picture.nodes.len();
            picture.nodes.push(Node { marked: true, ..Node::new(names, Shape::Failed) });
            picture.edges.push(Edge { dashed: true, marked: true, ..Edge::new(last, to, "meanwhile") });
        }
    }
}

/// Those who are neither done nor services after the run, and do not act in the cycle.
fn stuck<'a>(network: &'a Network, processes: &[ProcessId], failure: &Failure) -> Vec<&'a str> {
    let (run, cycle) = (failure.run(), failure.cycle());
    let mut here = Configuration::start(network);
    for &step in run {
        here.take(network, step);
    }
    let acting: BTreeSet<ProcessId> = cycle.iter().flat_map(|step| step.actors()).collect();
    let may_wait = |process: ProcessId| network.may_wait(process, here.at(network, process));
    let waits = |process: &ProcessId| !may_wait(*process) && !acting.contains(process);
    // Others may go on beside a deadlock.
    let dead = here.waits(network, processes);
    let is_stuck = |process: &ProcessId| waits(process) && (!cycle.is_empty() || dead.is_dead(*process));
    processes.iter().copied().filter(is_stuck).map(|process| network.process_name(process)).collect()
}

/// Leaves out what concerns nobody in the focus.
fn skipped(network: &Network, seg: &ExecutionGraph, focus: &Focus) -> Skipped {
    if !focus.is_narrow() {
        return Skipped::nothing(seg.len());
    }
    let mut asked = vec![false; network.processes().len()];
    for process in focus.processes.iter().filter_map(|name| network.process_named(name)) {
        asked[process.index()] = true;
    }
    let concerns = |process: ProcessId| asked.get(process.index()).copied().unwrap_or(false);
    Skipped::new(seg.len(), |node| {
        let Some(action) = seg.action(node).and_then(|action| seg.describe(action)) else { return Ahead::Stays };
        let mut targets = seg.targets(node);
        match (action, targets.next(), targets.next()) {
            (Action::Interaction(one) | Action::Put(one) | Action::Take(one), Some(target), _)
                if !concerns(one.from) && !concerns(one.to) =>
            {
                Ahead::Leads(target)
            }
            (Action::Decision { process, .. }, Some(then), Some(otherwise)) if !concerns(process) => {
                Ahead::Decides(vec![then, otherwise])
            }
            (Action::Choice { process, .. }, ..) if !concerns(process) => Ahead::Decides(seg.targets(node).collect()),
            (Action::Race, ..) => {
                let is_other = |item: u32| match seg.action(item).and_then(|action| seg.describe(action)) {
                    Some(Action::Interaction(one) | Action::Put(one) | Action::Take(one)) => {
                        !concerns(one.from) && !concerns(one.to)
                    }
                    _ => false,
                };
                match seg.targets(node).all(is_other) {
                    true => Ahead::Decides(seg.targets(node).collect()),
                    false => Ahead::Stays,
                }
            }
            _ => Ahead::Stays,
        }
    })
}

struct Drawing<'a> {
    network: &'a Network,
    seg: &'a ExecutionGraph,
    place: Vec<Option<usize>>,
    order: Vec<u32>,
}

impl Drawing<'_> {
    fn meet(&mut self, node: u32) -> usize {
        let next = self.order.len();
        match self.place.get_mut(node as usize) {
            Some(Some(place)) => *place,
            Some(place) => {
                *place = Some(next);
                self.order.push(node);
                next
            }
            None => 0,
        }
    }

    fn action(&self, node: u32) -> Option<Action> {
        self.seg.action(node).and_then(|action| self.seg.describe(action))
    }

    /// What follows an item, if one is an interaction and the other a race.
    fn item(&self, race: u32, item: u32) -> Option<u32> {
        match (self.action(race), self.action(item)) {
            (Some(Action::Race), Some(Action::Interaction(_) | Action::Put(_) | Action::Take(_))) => {
                self.seg.targets(item).next()
            }
            _ => None,
        }
    }

    fn label(&self, node: u32, outcome: usize) -> String {
        let name = |process| self.network.process_name(process);
        let text = |symbol| self.network.text(symbol);
        match self.action(node) {
            Some(Action::Interaction(Interaction { from, to, content: Content::Value(expression) })) => {
                format!("{}.{} -> {}", name(from), text(expression), name(to))
            }
            Some(Action::Interaction(Interaction { from, to, content: Content::Label(label) })) => {
                format!("{} -> {}[{}]", name(from), name(to), text(label))
            }
            Some(Action::Interaction(Interaction { from, to, content: Content::LabelledValue { label, value } })) => {
                format!("{}.{} -> {}[{}]", name(from), text(value), name(to), text(label))
            }
            Some(Action::Put(Interaction { from, to, content })) => match (content.value(), content.label()) {
                (Some(value), Some(label)) => {
                    format!("{}.{} ~> {}[{}]", name(from), text(value), name(to), text(label))
                }
                (Some(value), None) => format!("{}.{} ~> {}", name(from), text(value), name(to)),
                (None, label) => format!("{} ~> {}[{}]", name(from), name(to), label.map_or("", text)),
            },
            Some(Action::Take(Interaction { from, to, .. })) => format!("{} <~ {}", name(to), name(from)),
            Some(Action::Decision { .. }) => if outcome == 0 { "then" } else { "else" }.to_string(),
            Some(Action::Choice { .. }) => format!("item {}", outcome + 1),
            Some(Action::Race) => String::new(),
            None => String::new(),
        }
    }

    fn node(&self, node: u32, ends: &Ends) -> Node {
        match self.action(node) {
            Some(Action::Decision { process, condition }) => {
                let condition = self.network.text(condition);
                Node::new(format!("{}.{condition}", self.network.process_name(process)), Shape::Diamond)
            }
            Some(Action::Choice { process, .. }) => {
                Node::new(format!("{} chooses", self.network.process_name(process)), Shape::Diamond)
            }
            Some(Action::Race) => Node::new("race", Shape::Race),
            Some(Action::Interaction(_) | Action::Put(_) | Action::Take(_)) => {
                Node::new(node.to_string(), Shape::Circle)
            }
            None if ends.is_open(node) => Node::new("not explored", Shape::Rest),
            None => Node::new("stop", Shape::End),
        }
    }
}

/// Which nodes without an action are ends, in a graph that is not complete.
#[derive(Default)]
struct Ends {
    open: Vec<u32>,
}

impl Ends {
    /// Looks at the first ends only; the others are not going to be drawn.
    fn new(network: &Network, processes: &[ProcessId], seg: &ExecutionGraph, most: usize) -> Self {
        let mut looked_at = 0;
        let mut before: Vec<Option<(u32, Option<Step>)>> = vec![None; seg.len()];
        let mut order = vec![0];
        let mut next = 0;
        let mut open = Vec::new();
        while let Some(&node) = order.get(next) {
            next += 1;
            let Some(action) = seg.action(node).and_then(|action| seg.describe(action)) else {
                looked_at += 1;
                if looked_at > most || !has_ended(network, processes, &before, node) {
                    open.push(node);
                }
                continue;
            };
            for (outcome, target) in seg.targets(node).enumerate() {
                if let Some(slot) = before.get_mut(target as usize)
                    && target != 0
                    && slot.is_none()
                {
                    *slot = Some((node, action.step(outcome)));
                    order.push(target);
                }
            }
        }
        open.sort_unstable();
        Ends { open }
    }

    fn is_open(&self, node: u32) -> bool {
        self.open.binary_search(&node).is_ok()
    }
}

/// Whether all processes of the component are done at a node, services apart.
fn has_ended(network: &Network, processes: &[ProcessId], before: &[Option<(u32, Option<Step>)>], node: u32) -> bool {
    let mut run = Vec::new();
    let mut at = node;
    while let Some((from, step)) = before.get(at as usize).copied().flatten() {
        run.extend(step);
        at = from;
    }
    let mut here = Configuration::start(network);
    for &step in run.iter().rev() {
        here.take(network, step);
    }
    processes.iter().all(|&process| network.may_wait(process, here.at(network, process)))
}
