//! From a network to the choreography that it follows, or to the reason why there isn't one.
//!
//! [`search`](search()) is the way in. It minimises the local automata, splits the network into components, searches
//! each for a valid symbolic execution graph, minimises that, and reads the choreography off. What it answers can be
//! checked by others: a choreography by `equivalence::verify`, a witness by replaying it.

mod bits;
mod cursor;
mod execution_graph;
pub mod explain;
pub mod explorer;
mod groups;
mod machine;
mod meetings;
mod one_round;
mod outcome;
mod race;
mod search;
mod store;
mod straight;
mod strategy;
mod witness;

pub use execution_graph::{Edge, ExecutionGraph};
pub use machine::{ActionId, Machine};
pub use meetings::Meetings;
pub use outcome::{Component, Failure, Findings, Found, Searched, Statistics, Verdict};
pub use strategy::{Order, Strategy};

use crate::choreography::{Choreography, Node, NodeId};
use crate::extraction::explain::{Witness, is_proved};
use crate::graph::minimise;
use crate::limits::{Limits, StopReason};
use crate::network::{self, Interaction, Network, ProcessId, State, StateId};
use crate::parallel::map_in_parallel;
use crate::semantics::Action;
use crate::syntax::ArenaRange;

/// How to extract.
#[derive(Clone, Copy)]
pub struct ExtractOptions<'a> {
    /// Which action is tried first.
    pub strategy: Strategy,
    /// The seed of the random strategies.
    pub seed: u64,
    /// When to give up; the states are the nodes of one component.
    pub limits: Limits<'a>,
    /// Whether decisions are fair as well as races: a loop that can be left is left some time.
    pub fair: bool,
    /// How many messages a queue may hold before the search gives up, whatever the network allows.
    pub queue: u32,
    /// Whether local automata are minimised first.
    pub minimise: bool,
    /// Whether the network is split into components first; if not, it is searched as one.
    pub split: bool,
    /// Whether components may be searched at the same time. The answer is the same.
    pub parallel: bool,
    /// Whether nodes of a graph that nobody can tell apart are merged.
    pub merge: bool,
    /// Whether a choreography is checked against the network before it is given out.
    pub certify: bool,
}

impl Default for ExtractOptions<'_> {
    fn default() -> Self {
        ExtractOptions {
            strategy: Strategy::default(),
            seed: 0,
            limits: Limits::default(),
            fair: false,
            queue: 64,
            minimise: true,
            split: true,
            parallel: true,
            merge: true,
            certify: true,
        }
    }
}

impl ExtractOptions<'_> {
    /// The seed of the random strategies in a component, given its number.
    pub fn component_seed(&self, number: usize) -> u64 {
        self.seed.wrapping_add(number as u64)
    }
}

/// Finds the choreography that a network follows, or why there isn't one. Nothing is proved here: `laban::extract` does
/// so.
pub fn search(network: &Network, options: &ExtractOptions<'_>) -> Findings {
    search_with(network, options, |network, processes, number| search_component(network, processes, number, options))
}

/// The same with another search: it is given a network, the processes of one of its components in their order, and the
/// number of the component.
pub fn search_with(
    network: &Network,
    options: &ExtractOptions<'_>,
    search: impl Fn(&Network, &[ProcessId], usize) -> Searched + Sync,
) -> Findings {
    let minimised = if options.minimise { network::smaller(network) } else { None };
    let small = minimised.as_ref().unwrap_or(network);
    let components = match options.split {
        true => network::components(small),
        false => vec![small.process_ids().collect()],
    };
    let one = |(number, processes): (usize, &Vec<ProcessId>)| {
        let searched = search(small, processes, number);
        match options.merge {
            true => finish_component(small, processes, searched),
            false => {
                let Searched { found, statistics, capacities } = searched;
                Component { processes: processes.clone(), found, statistics, capacities }
            }
        }
    };
    let numbered = components.iter().enumerate().collect();
    let components = map_in_parallel(options.parallel, numbered, one);
    Findings::new(network, minimised, components)
}

/// Searches one component of a network, given its processes in their order, and does nothing else.
pub fn search_component(
    network: &Network,
    processes: &[ProcessId],
    number: usize,
    options: &ExtractOptions<'_>,
) -> Searched {
    let seed = options.component_seed(number);
    if options.fair || has_races_or_idles(network, processes) {
        return race::search(network, processes, seed, options);
    }
    let with_queues = network.has_queues();
    if with_queues && has_services(network, processes) {
        // A service that is left with something to send would send it to a queue.
        return race::search(network, processes, seed, options);
    }
    let mut machine = Machine::for_strategy(network, processes, options.strategy);
    let actions = machine.take_actions();
    let searched = search::search(&machine, actions, options.strategy, seed, &options.limits);
    match searched.found {
        // What works if messages are handed over works with queues, where nobody races.
        Found::Failure(..) if with_queues => race::search(network, processes, seed, options),
        _ => searched,
    }
}

/// Whether one of these processes is a service.
fn has_services(network: &Network, processes: &[ProcessId]) -> bool {
    processes.iter().any(|process| network.process(*process).is_some_and(|process| process.service))
}

/// Whether some of these processes do whichever comes first somewhere.
pub(crate) fn has_races(network: &Network, processes: &[ProcessId]) -> bool {
    let races = |process: &ProcessId| {
        let states = network.process(*process).map_or(&[] as &[State], |process| process.states.of(&network.states));
        states.iter().any(|state| matches!(state, State::Any { .. }))
    };
    !network.arms.is_empty() && processes.iter().any(races)
}

/// Whether some of these processes do whichever comes first somewhere, or may be idle. Who is idle in one state and not
/// in the next may be put off no more than others.
fn has_races_or_idles(network: &Network, processes: &[ProcessId]) -> bool {
    let has = |process: &ProcessId| {
        let states = network.process(*process).map_or(ArenaRange::default(), |process| process.states);
        (states.start..states.end)
            .map(StateId)
            .any(|state| matches!(network.state(state), State::Any { .. }) || network.is_idle(state))
    };
    !(network.arms.is_empty() && network.idle.is_empty()) && processes.iter().any(has)
}

/// What is left to do for a component once it has been searched: merges what nobody can tell apart, or shortens the
/// witness.
pub fn finish_component(network: &Network, processes: &[ProcessId], searched: Searched) -> Component {
    let Searched { found, statistics, capacities } = searched;
    let found = match found {
        Found::Graph(graph) => Found::Graph(merge(graph)),
        Found::Failure(failure, graph) if network.has_queues() => {
            // The proofs of the search and of the replay differ here, and only what both accept is an answer.
            let is_proved = |failure: &Failure| is_proved(network, &Witness::new(processes, failure));
            let short = witness::shortened(network, processes, failure.clone());
            match [short, failure].into_iter().find(is_proved) {
                Some(failure) => Found::Failure(failure, graph),
                None => Found::Undecided(StopReason::Bounds),
            }
        }
        Found::Failure(failure, graph) => Found::Failure(witness::shortened(network, processes, failure), graph),
        Found::Undecided(reason) => Found::Undecided(reason),
    };
    Component { processes: processes.to_vec(), found, statistics, capacities }
}

/// Merges the nodes of a valid graph that nobody can tell apart, forgetting the markings.
fn merge(found: ExecutionGraph) -> ExecutionGraph {
    let partition = minimise(&found);
    match partition.class_count() == found.len() {
        true => found,
        false => found.reduced(&partition.representatives, &partition.class_of),
    }
}

/// One graph for each component, next to each other.
fn choreography(network: &Network, parts: &[&ExecutionGraph]) -> Choreography {
    let mut choreography = Choreography {
        names: network.names.clone(),
        processes: network.processes.iter().map(|process| process.name).collect(),
        ..Choreography::default()
    };
    choreography.nodes.reserve_exact(parts.iter().map(|graph| graph.len()).sum());
    for graph in parts {
        let offset = choreography.nodes.len() as u32;
        let to = |edge: &Edge| NodeId(offset + edge.target());
        choreography.starts.push(NodeId(offset));
        for (action, edges) in graph.described() {
            let node = match (action, edges) {
                (Some(&Action::Interaction(interaction)), [next]) => Node::Interaction { interaction, next: to(next) },
                (Some(&Action::Decision { process, condition }), [then, otherwise]) => {
                    Node::If { process, condition, then: to(then), otherwise: to(otherwise) }
                }
                (Some(action), edges) => seldom(&mut choreography.arms, action, edges, offset),
                (None, _) => Node::Stop,
            };
            choreography.nodes.push(node);
        }
    }
    if parts.is_empty() {
        // A network without processes does nothing.
        choreography.starts.push(NodeId(0));
        choreography.nodes.push(Node::Stop);
    }
    if network.has_queues() {
        let races: Vec<bool> = network.process_ids().map(|process| has_races(network, &[process])).collect();
        groups::group(&mut choreography, |Interaction { from, to, .. }| {
            network.channel(from, to).is_queue() && !races[from.index()] && !races[to.index()]
        });
    }
    choreography
}

/// What only networks with choices, races or queues have.
#[cold]
fn seldom(arms: &mut Vec<NodeId>, action: &Action, edges: &[Edge], offset: u32) -> Node {
    let to = |edge: &Edge| NodeId(offset + edge.target());
    match (*action, edges) {
        (Action::Choice { process, .. }, edges) => Node::Choose { process, arms: add_arms(arms, edges, offset) },
        (Action::Put(interaction), [next]) => Node::Put { interaction, next: to(next) },
        (Action::Take(Interaction { from, to: taker, .. }), [next]) => Node::Take { from, to: taker, next: to(next) },
        (Action::Race, edges) => Node::Any { items: add_arms(arms, edges, offset) },
        _ => Node::Stop,
    }
}

fn add_arms(arms: &mut Vec<NodeId>, edges: &[Edge], offset: u32) -> ArenaRange {
    let start = arms.len() as u32;
    arms.extend(edges.iter().map(|edge| NodeId(offset + edge.target())));
    ArenaRange { start, end: arms.len() as u32 }
}
