//! What there is to do: networks, and the searches to run on each.
//!
//! A job is one network; it is made once and searched in several ways. The order of the jobs is shuffled, always in the
//! same way, so that an early estimate of what remains is a fair one and that shards get equal shares.

use crate::Search;
use crate::run::Key;
use crate::settings::Settings;
use crate::subject::{BENCHMARKS, Edited, Subject};
use laban::extraction::Strategy;
use laban::generate::{Family, SeededRng, Test, families, tests};

/// A part of the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The benchmarks of table 1.
    Table1,
    /// The generated choreographies of table 2.
    Families,
    /// The same with mistakes put in: table 3.
    Fuzzing,
    /// The same with procedures unrolled.
    Unrolling,
    /// What clever backtracking is worth.
    Backtracking,
}

impl Part {
    /// All of them, in the order of the report.
    pub const ALL: [Part; 5] = [Part::Table1, Part::Families, Part::Fuzzing, Part::Unrolling, Part::Backtracking];

    /// Its name, as users give it and results have it.
    pub fn name(self) -> &'static str {
        match self {
            Part::Table1 => "table1",
            Part::Families => "families",
            Part::Fuzzing => "fuzzing",
            Part::Unrolling => "unrolling",
            Part::Backtracking => "backtracking",
        }
    }

    /// What is done in it, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Part::Table1 => "The LTY15 benchmarks, single and double, as a whole and split (table 1)",
            Part::Families => "The generated choreographies of table 2: time, nodes and equivalence",
            Part::Fuzzing => "The same with mistakes put in (table 3)",
            Part::Unrolling => "The same with procedures unrolled",
            Part::Backtracking => "What clever backtracking is worth",
        }
    }
}

/// A network and what to do with it.
#[derive(Debug, Clone)]
pub struct Job {
    /// The part of the evaluation that it belongs to.
    pub part: Part,
    pub(crate) subject: Subject,
    /// The searches to run on it.
    pub searches: Vec<Asked>,
}

/// One way to search it.
#[derive(Debug, Clone)]
pub struct Asked {
    /// What its result is filed under.
    pub key: Key,
    /// Which action is tried first.
    pub strategy: Strategy,
    /// Which search.
    pub search: Search,
    /// Whether the network is split into components first.
    pub split: bool,
    /// The seed of the random strategies.
    pub seed: u64,
}

/// The three ways in which the paper breaks networks: deletions and swaps.
pub(crate) const FUZZED: [(u32, u32); 3] = [(0, 1), (1, 0), (2, 2)];
/// Those that clever backtracking is tried with.
const BACKTRACKING_STRATEGIES: [&str; 2] = ["I", "R"];

const PAPER: Search = Search::Paper { clever: true };
const NOT_CLEVER: Search = Search::Paper { clever: false };

fn search_name(search: Search) -> &'static str {
    match search {
        Search::Fast => "fast",
        Search::Paper { clever: true } => "paper",
        Search::Paper { clever: false } => "paper-no-clever",
    }
}

/// The tests of all sets, or a sample of each: about five of the parameters, the largest among them, twice.
fn sampled(families: &[Family], settings: &Settings) -> Vec<Test> {
    let all = tests(families, settings.seed);
    match settings.quick {
        true => all.filter(|test| test.index < 2 && is_among_five(families, test)).collect(),
        false => all.collect(),
    }
}

/// Whether the parameters are among about five of the family's that are evenly spread, the last being one.
fn is_among_five(families: &[Family], test: &Test) -> bool {
    let points = families[test.family].parameters.len();
    (points - 1 - test.point).is_multiple_of(points.div_ceil(5))
}

/// All jobs of some parts, in the order in which they are done.
pub fn jobs(settings: &Settings, parts: &[Part]) -> Vec<Job> {
    let mut jobs = Vec::new();
    let families = families();
    let tests = sampled(&families, settings);
    for &part in parts {
        match part {
            Part::Table1 => jobs.extend(table1()),
            Part::Backtracking => {
                let strategies = BACKTRACKING_STRATEGIES.map(Strategy::named).into_iter().flatten().collect::<Vec<_>>();
                for &test in tests.iter().filter(|test| test.index == 0 && is_among_five(&families, test)) {
                    for (deletions, swaps) in FUZZED {
                        let edited = Edited::Fuzzed { deletions, swaps };
                        jobs.push(job(part, &families, test, edited, &strategies, &[PAPER, NOT_CLEVER]));
                    }
                }
            }
            Part::Families | Part::Fuzzing | Part::Unrolling => {
                for &test in &tests {
                    let edits: Vec<Edited> = match part {
                        Part::Families => vec![Edited::Not],
                        Part::Unrolling if test.parameters.procedures == 0 => Vec::new(),
                        Part::Unrolling => vec![Edited::Unrolled],
                        _ => FUZZED.map(|(deletions, swaps)| Edited::Fuzzed { deletions, swaps }).to_vec(),
                    };
                    for edited in edits {
                        jobs.push(job(part, &families, test, edited, Strategy::ALL, &[PAPER, Search::Fast]));
                    }
                }
            }
        }
    }
    shuffle(&mut jobs);
    jobs
}

fn job(
    part: Part,
    families: &[Family],
    test: Test,
    edited: Edited,
    strategies: &[Strategy],
    searches: &[Search],
) -> Job {
    let mut asked = Vec::new();
    for &strategy in strategies {
        for &search in searches {
            let key = Key {
                part: part.name().to_string(),
                family: families[test.family].name.to_string(),
                point: test.parameters.to_string(),
                index: test.index,
                variant: edited.to_string(),
                strategy: strategy.short.to_string(),
                search: search_name(search).to_string(),
            };
            asked.push(Asked { key, strategy, search, split: true, seed: test.seed });
        }
    }
    Job { part, subject: Subject::Generated { test, edited }, searches: asked }
}

fn table1() -> Vec<Job> {
    let mut jobs = Vec::new();
    for (number, benchmark) in BENCHMARKS.iter().enumerate() {
        for (point, double) in [("single", false), ("double", true)] {
            let mut searches = Vec::new();
            for (variant, split) in [("sequential", false), ("split", true)] {
                for search in [PAPER, Search::Fast] {
                    let strategy = Strategy::default();
                    let key = Key {
                        part: Part::Table1.name().to_string(),
                        family: benchmark.name.to_string(),
                        point: point.to_string(),
                        index: 0,
                        variant: variant.to_string(),
                        strategy: strategy.short.to_string(),
                        search: search_name(search).to_string(),
                    };
                    searches.push(Asked { key, strategy, search, split, seed: 0 });
                }
            }
            jobs.push(Job { part: Part::Table1, subject: Subject::Benchmark { number, double }, searches });
        }
    }
    jobs
}

/// Every order is possible, and it is always the same one.
fn shuffle(jobs: &mut [Job]) {
    let mut rng = SeededRng::for_purpose(0, SHUFFLING);
    for last in (1..jobs.len()).rev() {
        if let Some(other) = rng.index(last + 1) {
            jobs.swap(last, other);
        }
    }
}

/// What the numbers of the seed are for, as in the generator.
const SHUFFLING: u64 = 100;
