//! How a network is searched and when the search gives up: options that several commands share.

use crate::console::Console;
use crate::names::no_process;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use laban::answer::Answer;
use laban::diagnostic::quote;
use laban::extraction::{Options, Search, Strategy};
use laban::network::Network;
use laban::{Limits, StopReason};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How to search.
#[derive(Debug, Clone, Args)]
pub(crate) struct Effort {
    /// Which action is tried first; never changes the verdict, only the size of the graph and the order of actions
    #[arg(long, default_value = "InteractionsFirst", value_parser = strategy(), ignore_case = true, value_name = "STRATEGY")]
    strategy: Strategy,

    /// What the random strategies start from
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    seed: u64,

    /// The search: ours, or the one of the paper
    #[arg(long, value_enum, default_value_t = Which::Fast)]
    search: Which,

    /// With `--search paper`: without its clever backtracking
    #[arg(long)]
    no_clever: bool,

    /// Treat this process as a service, which may wait for ever; may be given several times
    #[arg(long = "service", value_name = "PROCESS")]
    services: Vec<String>,

    /// Search the network as a whole, even where parts of it never interact
    #[arg(long)]
    no_split: bool,

    /// Give up after this many states (in each part that never interacts with the rest)
    #[arg(long, value_name = "NUMBER")]
    max_states: Option<usize>,

    /// Give up after this many seconds (for each network)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,

    /// Do not check the choreography against the network before it is shown
    #[arg(long)]
    pub(crate) no_certify: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Every state is expanded once
    Fast,
    /// Depth-first with backtracking, as in the paper
    Paper,
}

/// The strategies by name or abbreviation.
fn strategy() -> impl TypedValueParser<Value = Strategy> {
    let names = Strategy::ALL.iter().map(|strategy| {
        let help = format!("or {}: {}", strategy.short, strategy.about);
        PossibleValue::new(strategy.name).alias(strategy.short).help(help)
    });
    PossibleValuesParser::new(names).try_map(|name| Strategy::named(&name).ok_or("there is no such strategy"))
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds, such as 0.5 or 60".to_string())?;
    let duration = Duration::try_from_secs_f64(number).map_err(|error| error.to_string())?;
    match duration.is_zero() {
        true => Err("must be more than 0".to_string()),
        false => Ok(duration),
    }
}

impl Effort {
    /// Declares services. False, and a message, if there is no such process.
    pub(crate) fn declare_services(&self, network: &mut Network, console: &mut Console) -> bool {
        declare_services(&self.services, network, console)
    }

    /// The processes that are to be services.
    pub(crate) fn services(&self) -> impl Iterator<Item = &str> {
        self.services.iter().map(String::as_str)
    }

    /// Does something with the options, from now on.
    pub(crate) fn with_options<T>(&self, parallel: bool, task: impl FnOnce(&Options<'_>) -> T) -> T {
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let stop = || stop_reason(deadline);
        let options = Options {
            strategy: self.strategy,
            seed: self.seed,
            limits: Limits { max_states: self.max_states, stop: &stop },
            search: match self.search {
                Which::Fast => Search::Fast,
                Which::Paper => Search::Paper { clever: !self.no_clever },
            },
            // The paper's search compares processes as they are written.
            minimise: self.search == Which::Fast,
            split: !self.no_split,
            parallel,
        };
        task(&options)
    }

    /// What is known of a search that was given up.
    pub(crate) fn undecided(&self, answer: &Answer, network: &Network) -> String {
        const MOST_NAMES: usize = 6;
        let parts: Vec<&str> =
            answer.undecided.iter().flatten().map(|&process| network.process_name(process)).collect();
        let mut names: Vec<String> = parts.iter().take(MOST_NAMES).map(|name| quote(name)).collect();
        if parts.len() > MOST_NAMES {
            names.push(format!("{} more", parts.len() - MOST_NAMES));
        }
        // With one part there is nothing to tell apart.
        let whose = match answer.components {
            1 => String::new(),
            _ => format!(", but not all is known of {}", names.join(", ")),
        };
        format!("undecided: {}; no failure so far{whose}", self.why_undecided())
    }

    /// Why a search was given up.
    pub(crate) fn why_undecided(&self) -> String {
        if is_interrupted() {
            return "interrupted".to_string();
        }
        match (self.max_states, self.timeout) {
            (Some(states), None) => format!("gave up after {states} states"),
            (None, Some(timeout)) => format!("gave up after {} s", timeout.as_secs_f64()),
            (Some(states), Some(timeout)) => {
                format!("gave up after {states} states or {} s", timeout.as_secs_f64())
            }
            (None, None) => "gave up: there are more states than can be numbered".to_string(),
        }
    }
}

/// Declares processes services. False, and a message for each, if there are no such processes.
pub(crate) fn declare_services(services: &[String], network: &mut Network, console: &mut Console) -> bool {
    let unknown = unknown_services(services, network);
    unknown.iter().for_each(|message| console.error(message));
    unknown.is_empty()
}

/// Declares processes services, and gives a message for each that there is not.
pub(crate) fn unknown_services(services: &[String], network: &mut Network) -> Vec<String> {
    let unknown: Vec<&String> = services.iter().filter(|name| !network.declare_service(name)).collect();
    let names = || network.process_ids().map(|process| network.process_name(process));
    unknown.into_iter().map(|name| format!("--service: {}", no_process(name, names()))).collect()
}

/// Why to stop now: an interrupt, or the time.
pub(crate) fn stop_reason(deadline: Option<Instant>) -> Option<StopReason> {
    if is_interrupted() {
        return Some(StopReason::Interrupted);
    }
    deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| StopReason::Timeout)
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the user has asked to stop and that was noted; if nobody has asked before, an interrupt still ends the program.
pub(crate) fn was_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Whether the user has asked to stop. From the first call on, an interrupt is noted instead of ending the program; a
/// second one ends it.
pub(crate) fn is_interrupted() -> bool {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        // Without a handler an interrupt ends the program at once, which is what it would do anyway.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
    was_interrupted()
}
