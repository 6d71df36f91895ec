//! From a network to the choreography that it follows, or to the reason why there is none.
//!
//! [`extract`] is the way in. It minimises the local automata, splits the network into components, searches each for a
//! valid symbolic execution graph, minimises that, and reads the choreography off. What it answers can be checked by
//! others: a choreography by `equivalence::verify`, a witness by replaying it.

mod cursor;
pub mod explain;
mod machine;
mod outcome;
mod paper;
mod search;
mod seg;
mod store;
mod strategy;
mod witness;

pub use machine::ActionId;
pub use outcome::{Component, Extraction, Failure, Found, Searched, Statistics, Verdict};
pub use seg::Seg;
pub use strategy::{Order, Strategy};

use crate::choreography::{Choreography, Node, NodeId};
use crate::graph::{Graph, Partition, minimise};
use crate::limits::Limits;
use crate::network::{self, Network};
use crate::parallel::map_in_parallel;
use crate::semantics::Action;
use machine::Machine;

/// How to extract.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Which action is tried first.
    pub strategy: Strategy,
    /// What the random strategies start from.
    pub seed: u64,
    /// When to give up; the states are the nodes of one component.
    pub limits: Limits<'a>,
    /// Which search.
    pub search: Search,
    /// Whether local automata are minimised first.
    pub minimise: bool,
    /// Whether the network is split into components first; if not, it is searched as one.
    pub split: bool,
    /// Whether components may be searched at the same time. The answer is the same.
    pub parallel: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            strategy: Strategy::default(),
            seed: 0,
            limits: Limits::default(),
            search: Search::Fast,
            minimise: true,
            split: true,
            parallel: true,
        }
    }
}

/// Which search is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Search {
    /// Ours: every node is expanded once.
    #[default]
    Fast,
    /// The paper's: depth-first, with backtracking.
    Paper {
        /// With its clever backtracking, as opposed to trying every order of actions.
        clever: bool,
    },
}

/// Finds the choreography that a network follows, or why there is none.
pub fn extract(network: &Network, options: &Options<'_>) -> Extraction {
    let minimised = options.minimise.then(|| network::minimise(network).network);
    let small = minimised.as_ref().unwrap_or(network);
    let components = match options.split {
        true => network::components(small),
        false => vec![small.process_ids().collect()],
    };
    let one = |(number, processes): (usize, &Vec<network::ProcessId>)| {
        finish_component(small, processes, search_component(small, processes, number, options))
    };
    let numbered = components.iter().enumerate().collect();
    let components = map_in_parallel(options.parallel, numbered, one);
    Extraction::new(network, minimised, components)
}

/// Searches one component of a network, given its processes in their order, and does nothing else.
pub fn search_component(
    network: &Network,
    processes: &[network::ProcessId],
    number: usize,
    options: &Options<'_>,
) -> Searched {
    let machine = Machine::new(network, processes);
    let seed = options.seed.wrapping_add(number as u64);
    let clever = match options.search {
        Search::Fast => return search::search(&machine, options.strategy, seed, &options.limits),
        Search::Paper { clever } => clever,
    };
    let mut searched = paper::search(&machine, options.strategy, seed, clever, &options.limits);
    // The paper's search ends with the first failure. If that is a livelock, there may be a deadlock elsewhere, and the
    // answer should not depend on which search was asked.
    if let Found::Failure(Failure::Livelock { .. }, _) = searched.found {
        let again = search::search(&machine, options.strategy, seed, &options.limits);
        if let Found::Failure(Failure::Deadlock { .. }, _) = again.found {
            searched.found = again.found;
        }
    }
    searched
}

/// What is left to do for a component once it has been searched: merges what nobody can tell apart, or shortens the witness.
pub fn finish_component(network: &Network, processes: &[network::ProcessId], searched: Searched) -> Component {
    let Searched { found, statistics } = searched;
    let found = match found {
        Found::Graph(seg) => Found::Graph(merge(seg)),
        Found::Failure(failure, seg) => Found::Failure(witness::shortened(network, failure), seg),
        Found::Undecided(reason) => Found::Undecided(reason),
    };
    Component { processes: processes.to_vec(), found, statistics }
}

/// Merges the nodes of a valid graph that nobody can tell apart, forgetting the markings.
fn merge(seg: Seg) -> Seg {
    let mut graph = Graph::with_capacity(seg.len(), seg.len() + 8);
    for node in &seg.nodes {
        let label = u64::from(node.action);
        match node.targets {
            [seg::NOWHERE, _] => graph.push(label, []),
            [next, seg::NOWHERE] => graph.push(label, [next]),
            both => graph.push(label, both),
        };
    }
    let partition = minimise(&graph);
    match partition.class_count() == seg.len() {
        true => seg,
        false => merged(seg, &partition),
    }
}

fn merged(seg: Seg, partition: &Partition) -> Seg {
    let class = |target: u32| match target {
        seg::NOWHERE => seg::NOWHERE,
        target => partition.class_of[target as usize],
    };
    let nodes = partition.representatives.iter().map(|&representative| {
        let node = seg.nodes[representative as usize];
        seg::SegNode { action: node.action, targets: node.targets.map(class) }
    });
    let nodes = nodes.collect();
    let erasing = partition.representatives.iter().map(|&node| seg.erasing[node as usize]).collect();
    Seg { actions: seg.actions, nodes, erasing }
}

/// One graph for each component, next to each other.
fn choreography(network: &Network, parts: &[&Seg]) -> Choreography {
    let mut choreography = Choreography {
        names: network.names.clone(),
        processes: network.processes.iter().map(|process| process.name).collect(),
        ..Choreography::default()
    };
    choreography.nodes.reserve_exact(parts.iter().map(|seg| seg.len()).sum());
    for seg in parts {
        let offset = choreography.nodes.len() as u32;
        let target = |node: u32| NodeId(offset + node);
        choreography.starts.push(NodeId(offset));
        for node in &seg.nodes {
            let [first, second] = node.targets;
            choreography.nodes.push(match seg.actions.get(node.action as usize) {
                None => Node::Stop,
                Some(&Action::Interaction(interaction)) => Node::Interaction { interaction, next: target(first) },
                Some(&Action::Decision { process, condition }) => {
                    Node::If { process, condition, then: target(first), otherwise: target(second) }
                }
            });
        }
    }
    choreography
}
