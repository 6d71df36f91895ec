//! What a network as a whole does: the graph that a search has found.

use super::{Direction, Edge, Group, Node, Picture, Shape};
use crate::extraction::{Action, Failure, Seg};
use crate::network::{Configuration, Network, ProcessId, Step};
use std::collections::BTreeSet;

/// The symbolic execution graphs of the components of a network, each with the failure in it, if there is one.
///
/// Nodes are numbered in the order in which they are met; a decision shows its condition instead, and a node that several
/// edges lead to is a box. An edge after which everyone has acted, so that the marking is erased, says so. The run that
/// fails is dashed.
pub fn symbolic<'a>(
    network: &Network,
    components: impl IntoIterator<Item = (&'a [ProcessId], &'a Seg, Option<&'a Failure>)>,
) -> Picture {
    let mut picture = Picture { direction: Direction::Down, ..Picture::default() };
    for (processes, seg, failure) in components {
        let start = picture.nodes.len();
        draw(network, processes, seg, failure, &mut picture);
        let names: Vec<&str> = processes.iter().map(|&process| network.process_name(process)).collect();
        picture.groups.push(Group { label: names.join(", "), start, end: picture.nodes.len() });
    }
    picture
}

fn draw(network: &Network, processes: &[ProcessId], seg: &Seg, failure: Option<&Failure>, picture: &mut Picture) {
    let start = picture.nodes.len();
    picture.nodes.push(Node { label: String::new(), shape: Shape::Start });
    picture.edges.push(Edge { from: start, to: start + 1, label: String::new(), dashed: false });
    let run = failure.map_or(BTreeSet::new(), |failure| failing_run(seg, failure));
    let mut incoming = vec![0; seg.len()];
    let mut place = vec![None; seg.len()];
    // The nodes as they are met. Where a search has failed, some were never expanded: their states tell.
    let mut met: Vec<(u32, Option<Configuration>)> = vec![(0, failure.map(|_| Configuration::start(network)))];
    if let Some(first) = place.first_mut() {
        *first = Some(start + 1);
    }
    let mut next = 0;
    while let Some((node, configuration)) = met.get(next).cloned() {
        next += 1;
        let from = start + next;
        picture.nodes.push(match seg.action(node).and_then(|action| seg.describe(action)) {
            Some(Action::Decision { process, condition }) => {
                let label = format!("{}.{}", network.process_name(process), network.names.text(condition));
                Node { label, shape: Shape::Diamond }
            }
            Some(Action::Interaction(_)) => Node { label: next.to_string(), shape: Shape::Circle },
            None => leaf(network, processes, configuration.as_ref()),
        });
        for (outcome, target) in seg.targets(node).enumerate() {
            let Some(step) = step(seg, node, outcome) else { continue };
            let to = place[target as usize].unwrap_or_else(|| {
                let configuration = configuration.clone().map(|mut configuration| {
                    configuration.take(network, step);
                    configuration
                });
                met.push((target, configuration));
                start + met.len()
            });
            place[target as usize] = Some(to);
            incoming[target as usize] += 1;
            let erases = if seg.erases(node, outcome) { " (erases)" } else { "" };
            let label = format!("{}{erases}", step.describe(network));
            picture.edges.push(Edge { from, to, label, dashed: run.contains(&(node, outcome)) });
        }
    }
    for (&(node, _), drawn) in met.iter().zip(picture.nodes.iter_mut().skip(start + 1)) {
        if incoming[node as usize] > usize::from(node != 0) && drawn.shape == Shape::Circle {
            drawn.shape = Shape::Box;
        }
    }
}

/// A node without an action: the end, or where a search that failed has gone no further.
fn leaf(network: &Network, processes: &[ProcessId], configuration: Option<&Configuration>) -> Node {
    let stop = Node { label: "stop".to_string(), shape: Shape::End };
    let Some(configuration) = configuration else { return stop };
    let is_service = |process: ProcessId| network.processes.get(process.index()).is_some_and(|process| process.service);
    if processes.iter().all(|&process| is_service(process) || configuration.has_stopped(network, process)) {
        return stop;
    }
    match processes.iter().all(|&process| configuration.steps_of(network, process).is_empty()) {
        true => Node { label: "deadlock".to_string(), shape: Shape::Box },
        false => Node { label: "…".to_string(), shape: Shape::Rounded },
    }
}

fn step(seg: &Seg, node: u32, outcome: usize) -> Option<Step> {
    Some(seg.describe(seg.action(node)?)?.step(outcome))
}

/// The edges of the run and of the cycle, as nodes and outcomes, as far as they are in the graph.
fn failing_run(seg: &Seg, failure: &Failure) -> BTreeSet<(u32, usize)> {
    let (run, cycle): (&[Step], &[Step]) = match failure {
        Failure::Deadlock { run } => (run, &[]),
        Failure::Livelock { run, cycle } => (run, cycle),
    };
    let mut edges = BTreeSet::new();
    let mut at = 0;
    for &wanted in run.iter().chain(cycle) {
        let taken = seg.targets(at).enumerate().find(|&(outcome, _)| step(seg, at, outcome) == Some(wanted));
        let Some((outcome, target)) = taken else { break };
        edges.insert((at, outcome));
        at = target;
    }
    edges
}
