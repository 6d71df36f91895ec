//! One search of one network: what was asked, and the result. A line of `runs.csv`.

use std::fmt::{self, Display, Formatter};

/// What was asked: the part of the evaluation, the network, the strategy and the search.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The part of the evaluation.
    pub part: String,
    /// The benchmark, or the test set of table 2.
    pub family: String,
    /// The parameters of the choreography (size, processes, conditionals, procedures); or `single` and `double`.
    pub point: String,
    /// The number of the choreography among those with the same parameters.
    pub index: u32,
    /// What was done to the network (deletions and swaps), or how it was searched.
    pub variant: String,
    /// The abbreviation of the strategy.
    pub strategy: String,
    /// `fast`, `paper` or `paper-no-clever`.
    pub search: String,
}

/// Its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// What was asked.
    pub key: Key,
    /// `extracted`, `deadlock`, `livelock` or `undecided`; `ill-formed` if there was nothing to search.
    pub verdict: String,
    /// How long the search took.
    pub microseconds: f64,
    /// How much of that went into minimising and splitting the network.
    pub preparing: f64,
    /// How many nodes the search made.
    pub nodes: u64,
    /// How often it gave up an action because it would have closed a loop that starves somebody.
    pub bad_loops: u64,
    /// Whether what was extracted does what it should: `yes` (compared through its projection),
    /// `certified` (followed in lockstep), `no`, `undecided`, or `-` where nothing was.
    pub equivalent: String,
    /// How many processes the network has.
    pub processes: u32,
    /// How many actions all its processes have, conditionals included.
    pub actions: u32,
    /// How many conditionals.
    pub conditionals: u32,
}

impl Run {
    /// The first line of a file of results.
    pub const HEADER: &str = "part,family,point,index,variant,strategy,search,verdict,microseconds,preparing,nodes,bad_loops,\
                                     equivalent,processes,actions,conditionals";

    /// Reads a line. Nothing if it is not one of ours.
    pub fn parse(line: &str) -> Option<Run> {
        let mut fields = line.split(',');
        let mut next = || fields.next().map(str::to_string);
        let key = Key {
            part: next()?,
            family: next()?,
            point: next()?,
            index: next()?.parse().ok()?,
            variant: next()?,
            strategy: next()?,
            search: next()?,
        };
        let run = Run {
            key,
            verdict: next()?,
            microseconds: next()?.parse().ok()?,
            preparing: next()?.parse().ok()?,
            nodes: next()?.parse().ok()?,
            bad_loops: next()?.parse().ok()?,
            equivalent: next()?,
            processes: next()?.parse().ok()?,
            actions: next()?.parse().ok()?,
            conditionals: next()?.parse().ok()?,
        };
        fields.next().is_none().then_some(run)
    }

    /// How long the search took.
    pub fn milliseconds(&self) -> f64 {
        self.microseconds / 1000.0
    }

    /// Whether the search finished within the limit.
    pub fn finished(&self) -> bool {
        self.verdict != "undecided"
    }

    /// Whether something was extracted and does what it should.
    pub fn is_equivalent(&self) -> bool {
        matches!(self.equivalent.as_str(), "yes" | "certified")
    }

    /// Whether there is no choreography.
    pub fn failed(&self) -> bool {
        matches!(self.verdict.as_str(), "deadlock" | "livelock" | "orphan" | "unbounded" | "ill-formed")
    }
}

impl Display for Key {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Key { part, family, point, index, variant, strategy, search } = self;
        write!(out, "{part},{family},{point},{index},{variant},{strategy},{search}")
    }
}

impl Display for Run {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Run { key, verdict, microseconds, preparing, nodes, bad_loops, equivalent, .. } = self;
        let Run { processes, actions, conditionals, .. } = self;
        write!(out, "{key},{verdict},{microseconds:.1},{preparing:.1},{nodes},{bad_loops},{equivalent},")?;
        write!(out, "{processes},{actions},{conditionals}")
    }
}
