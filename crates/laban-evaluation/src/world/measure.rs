//! One search of one network, timed.
//!
//! The time is what the thread has worked, so that it matters little what else the machine does. It is that of the
//! search and of what it needs: minimising the automata for the fast search, and splitting the network. The paper's
//! search gets the automata as they are written. What comes after the search is not part of the time: merging the nodes
//! of the graph, reading the choreography off, and comparing it.

use super::stopwatch::Stopwatch;
use crate::Search;
use crate::plan::{Asked, Part};
use crate::run::Run;
use crate::subject::{Made, Origin, size};
use laban::choreography::Choreography;
use laban::equivalence::{self, Bounds, Equivalence, System, VerifyOptions, compare, verify};
use laban::extraction::{ExtractOptions, Findings, Searched, finish_component};
use laban::network::{Network, ProcessId, components, smaller};
use laban::{Limits, StopReason};
use std::time::Duration;

/// Searches that are over at once are repeated until this time has passed, and the median counts.
const LONG_ENOUGH: Duration = Duration::from_millis(1);
/// The same for the benchmarks of table 1, which are all very small.
const LONG_ENOUGH_FOR_BENCHMARKS: Duration = Duration::from_millis(200);
/// The most repetitions.
const MOST_REPETITIONS: usize = 10_000;
/// Without its clever backtracking the paper's search mostly does not finish, and this is as good as a longer
/// time.
const BACKTRACKING_LIMIT: Duration = Duration::from_secs(1);
/// How much longer than a search a comparison may take.
const COMPARISON_FACTOR: u32 = 10;
/// Choreographies with more nodes are not projected and compared but certified, which says the same and is faster.
const MOST_NODES_TO_PROJECT: usize = 2_000;

/// When a search is given up.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The most time that a thread may work on it.
    pub time: Duration,
    /// The most nodes in one component.
    pub states: usize,
}

/// Runs one search. Nothing if it was interrupted.
pub(crate) fn measure(
    made: &Made,
    asked: &Asked,
    part: Part,
    limits: Limit,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Option<Run> {
    let network = &made.network;
    let (limits, long_enough) = match part {
        Part::Backtracking => (Limit { time: limits.time.min(BACKTRACKING_LIMIT), ..limits }, LONG_ENOUGH),
        Part::Table1 => (limits, LONG_ENOUGH_FOR_BENCHMARKS),
        _ => (limits, LONG_ENOUGH),
    };
    let stopwatch = Stopwatch::start();
    let (mut found, first) = timed(network, asked, limits, interrupted);
    let mut times = vec![first];
    while stopwatch.elapsed() < long_enough && times.len() < MOST_REPETITIONS {
        let (again, time) = timed(network, asked, limits, interrupted);
        found = again;
        times.push(time);
    }
    let Time { total, preparing } = median(&mut times);
    let extraction = found.finish(network);
    let verdict = extraction.verdict();
    let statistics = extraction.statistics();
    let equivalent = match &extraction.choreography {
        Some(choreography) => same(made, choreography, limits.time * COMPARISON_FACTOR, interrupted),
        None => "-",
    };
    if interrupted() {
        return None;
    }
    let (actions, conditionals) = size(network);
    Some(Run {
        key: asked.key.clone(),
        verdict: verdict.as_str().to_string(),
        microseconds: total.as_secs_f64() * 1e6,
        preparing: preparing.as_secs_f64() * 1e6,
        nodes: statistics.nodes as u64,
        bad_loops: statistics.bad_loops as u64,
        equivalent: equivalent.to_string(),
        processes: network.processes().len() as u32,
        actions,
        conditionals,
    })
}

/// A network that could not be made or is ill-formed: there is nothing to search.
pub(crate) fn ill_formed(asked: &Asked) -> Run {
    Run {
        key: asked.key.clone(),
        verdict: "ill-formed".to_string(),
        microseconds: 0.0,
        preparing: 0.0,
        nodes: 0,
        bad_loops: 0,
        equivalent: "-".to_string(),
        processes: 0,
        actions: 0,
        conditionals: 0,
    }
}

/// What a search of all components found.
struct Found {
    minimised: Option<Network>,
    components: Vec<(Vec<ProcessId>, Searched)>,
}

/// How long it took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Time {
    total: Duration,
    /// How much of that was before the search itself.
    preparing: Duration,
}

fn timed(network: &Network, asked: &Asked, limits: Limit, interrupted: &(dyn Fn() -> bool + Sync)) -> (Found, Time) {
    let stopwatch = Stopwatch::start();
    let late = || stop_reason(interrupted(), stopwatch.elapsed() >= limits.time);
    let options = ExtractOptions {
        strategy: asked.strategy,
        seed: asked.seed,
        limits: Limits { max_states: Some(limits.states), stop: &late },
        minimise: asked.search == Search::Fast,
        split: asked.split,
        parallel: false,
        ..ExtractOptions::default()
    };
    let minimised = if options.minimise { smaller(network) } else { None };
    let searched = minimised.as_ref().unwrap_or(network);
    let parts = match asked.split {
        true => components(searched),
        false => vec![searched.process_ids().collect()],
    };
    let preparing = stopwatch.elapsed();
    let one = |(number, processes): (usize, Vec<ProcessId>)| {
        let found = asked.search.search_component(searched, &processes, number, &options);
        (processes, found)
    };
    let components = parts.into_iter().enumerate().map(one).collect();
    let time = Time { total: stopwatch.elapsed(), preparing };
    (Found { minimised, components }, time)
}

impl Found {
    fn finish(self, network: &Network) -> Findings {
        let searched = self.minimised.as_ref().unwrap_or(network);
        let finish = |(processes, found): (Vec<ProcessId>, Searched)| finish_component(searched, &processes, found);
        let components = self.components.into_iter().map(finish).collect();
        Findings::new(network, self.minimised, components)
    }
}

/// Whether a choreography does what that which the network came from does: through its projection, or by following
/// choreography and network in lockstep. That the network follows the one it came from was certain before.
fn same(
    made: &Made,
    choreography: &Choreography,
    timeout: Duration,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> &'static str {
    let (origin, network) = match &made.origin {
        Some(Origin { choreography, network }) => (System::Choreography(choreography), network),
        None => (System::Network(&made.network), &made.network),
    };
    let unminimised = VerifyOptions { minimise: false, ..VerifyOptions::default() };
    if choreography.nodes().len() > MOST_NODES_TO_PROJECT {
        return if verify(network, choreography, &unminimised).is_ok() { "certified" } else { "no" };
    }
    let stopwatch = Stopwatch::start();
    let late = || stop_reason(interrupted(), stopwatch.elapsed() >= timeout);
    let limits = Limits { max_states: None, stop: &late };
    let options = equivalence::EquivalenceOptions { services: false, limits, ..Default::default() };
    let comparison = compare(origin, System::Choreography(choreography), &options, Bounds::default());
    match comparison.answer {
        Equivalence::Same { .. } => "yes",
        Equivalence::Different(_) => "no",
        Equivalence::Undecided { .. } => "undecided",
    }
}

fn stop_reason(interrupted: bool, late: bool) -> Option<StopReason> {
    match interrupted {
        true => Some(StopReason::Interrupted),
        false => late.then_some(StopReason::Timeout),
    }
}

fn median(times: &mut [Time]) -> Time {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
