//! What a search, and an extraction, can come to.

use super::execution_graph::ExecutionGraph;
use crate::choreography::Choreography;
use crate::limits::StopReason;
use crate::network::{Network, ProcessId};
use crate::semantics::Step;

/// What the search of one component cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How many nodes were made.
    pub nodes: usize,
    /// How often an action was given up because it would have closed a loop that starves somebody.
    pub bad_loops: usize,
    /// How many bytes the states of the nodes took.
    pub bytes: usize,
}

/// What a search gives.
#[derive(Debug)]
pub struct Searched {
    /// What was found.
    pub found: Found,
    /// What it cost.
    pub statistics: Statistics,
    /// The queues that were needed: from whom, to whom, and how many messages waited in it at most.
    pub capacities: Vec<(ProcessId, ProcessId, u32)>,
}

impl Searched {
    /// What a search found without a queue.
    pub fn new(found: Found, statistics: Statistics) -> Self {
        Searched { found, statistics, capacities: Vec::new() }
    }
}

/// What a search found.
#[derive(Debug)]
pub enum Found {
    /// A valid graph: the component can be extracted.
    Graph(ExecutionGraph),
    /// The component cannot be extracted; with the graph as far as it was explored.
    Failure(Failure, ExecutionGraph),
    /// A limit was reached before anything was certain.
    Undecided(StopReason),
}

/// Why there is no choreography.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// A run to a state where some are not done and nothing can happen.
    Deadlock {
        /// A shortest such run in the explored graph.
        run: Vec<Step>,
    },
    /// A run and a cycle in which some process never acts.
    Livelock {
        /// A shortest run to the cycle in the explored graph.
        run: Vec<Step>,
        /// A fair cycle.
        cycle: Vec<Step>,
    },
    /// A run to a state where a message lies in a queue and nobody ever takes it.
    Orphan {
        /// A shortest such run in the explored graph.
        run: Vec<Step>,
        /// A fair cycle in which nobody takes from the queue; empty if nothing can happen any more.
        cycle: Vec<Step>,
        /// Who sent it.
        from: ProcessId,
        /// Who should take it.
        to: ProcessId,
    },
    /// A run and a cycle that can be repeated forever and leaves more in the queues each time; and no queue of any
    /// length would do.
    Unbounded {
        /// A shortest run to the cycle in the explored graph.
        run: Vec<Step>,
        /// It leads to the same local states with more in some queue.
        cycle: Vec<Step>,
    },
}

impl Failure {
    /// The answer in a word.
    pub fn verdict(&self) -> Verdict {
        match self {
            Failure::Deadlock { .. } => Verdict::Deadlock,
            Failure::Livelock { .. } => Verdict::Livelock,
            Failure::Orphan { .. } => Verdict::Orphan,
            Failure::Unbounded { .. } => Verdict::Unbounded,
        }
    }

    /// What happens first.
    pub fn run(&self) -> &[Step] {
        match self {
            Failure::Deadlock { run }
            | Failure::Livelock { run, .. }
            | Failure::Orphan { run, .. }
            | Failure::Unbounded { run, .. } => run,
        }
    }

    /// What can then be repeated forever; empty if nothing is.
    pub fn cycle(&self) -> &[Step] {
        match self {
            Failure::Deadlock { .. } => &[],
            Failure::Livelock { cycle, .. } | Failure::Orphan { cycle, .. } | Failure::Unbounded { cycle, .. } => cycle,
        }
    }
}

/// One part of a network that never interacts with the rest, and its outcome.
#[derive(Debug)]
pub struct Component {
    /// Its processes.
    pub processes: Vec<ProcessId>,
    /// What was found; a graph is minimised.
    pub found: Found,
    /// What it cost.
    pub statistics: Statistics,
    /// The queues that were needed: from whom, to whom, and how many messages waited in it at most. All other messages
    /// are taken as soon as they are sent.
    pub capacities: Vec<(ProcessId, ProcessId, u32)>,
}

/// The answer in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// There is a choreography.
    Extracted,
    /// Some run ends where not all are done.
    Deadlock,
    /// Some run starves a process; and no run was found that ends in a deadlock.
    Livelock,
    /// Some message is never taken from its queue.
    Orphan,
    /// Some queue has to grow forever.
    Unbounded,
    /// A limit was reached.
    Undecided,
}

impl Verdict {
    /// The word that users see.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Extracted => "extracted",
            Verdict::Deadlock => "deadlock",
            Verdict::Livelock => "livelock",
            Verdict::Orphan => "orphan",
            Verdict::Unbounded => "unbounded",
            Verdict::Undecided => "undecided",
        }
    }

    /// Whether there is no choreography, for certain.
    pub fn is_failure(self) -> bool {
        match self {
            Verdict::Extracted | Verdict::Undecided => false,
            Verdict::Deadlock | Verdict::Livelock | Verdict::Orphan | Verdict::Unbounded => true,
        }
    }
}

/// The outcome of a network.
#[derive(Debug)]
pub struct Findings {
    /// The choreography, if there is one.
    pub choreography: Option<Choreography>,
    /// The outcome of each component.
    pub components: Vec<Component>,
    /// The network that was searched, if minimising its automata made it smaller.
    pub minimised: Option<Network>,
}

impl Findings {
    /// Puts together what was found in the components of a network.
    pub fn new(network: &Network, minimised: Option<Network>, components: Vec<Component>) -> Self {
        let is_graph = |component: &'_ Component| matches!(component.found, Found::Graph(_));
        let choreography = components.iter().all(is_graph).then(|| {
            let mut parts: Vec<&ExecutionGraph> = Vec::new();
            for component in &components {
                if let Found::Graph(graph) = &component.found {
                    parts.push(graph);
                }
            }
            // A component in which nothing happens needs no words, unless there is nothing else to say.
            let busy: Vec<&ExecutionGraph> = parts.iter().copied().filter(|graph| graph.action(0).is_some()).collect();
            let parts = if busy.is_empty() { parts.into_iter().take(1).collect() } else { busy };
            super::choreography(network, &parts)
        });
        Findings { choreography, components, minimised }
    }

    /// The answer in a word: a deadlock anywhere counts more than a message that is lost, that more than a livelock,
    /// then come queues that grow forever, and each of them counts more than a limit.
    pub fn verdict(&self) -> Verdict {
        let verdict = |component: &Component| match &component.found {
            Found::Graph(_) => Verdict::Extracted,
            Found::Failure(failure, _) => failure.verdict(),
            Found::Undecided(_) => Verdict::Undecided,
        };
        let weight = |&verdict: &Verdict| match verdict {
            Verdict::Extracted => 0,
            Verdict::Undecided => 1,
            Verdict::Unbounded => 2,
            Verdict::Livelock => 3,
            Verdict::Orphan => 4,
            Verdict::Deadlock => 5,
        };
        self.components.iter().map(verdict).max_by_key(weight).unwrap_or(Verdict::Extracted)
    }

    /// What all searches together cost.
    pub fn statistics(&self) -> Statistics {
        self.components.iter().fold(Statistics::default(), |sum, component| Statistics {
            nodes: sum.nodes + component.statistics.nodes,
            bad_loops: sum.bad_loops + component.statistics.bad_loops,
            bytes: sum.bytes + component.statistics.bytes,
        })
    }

    /// The components that were given up.
    pub fn undecided(&self) -> impl Iterator<Item = &Component> {
        self.components.iter().filter(|component| matches!(component.found, Found::Undecided(_)))
    }

    /// The components that failed, with the reason.
    pub fn failures(&self) -> impl Iterator<Item = (&Component, &Failure)> {
        self.components.iter().filter_map(|component| match &component.found {
            Found::Failure(failure, _) => Some((component, failure)),
            _ => None,
        })
    }
}
