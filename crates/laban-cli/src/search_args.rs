//! How a network is searched: options that several commands share.

use crate::channels::ChannelArgs;
use crate::console::Console;
use crate::limits::LimitArgs;
use crate::strict_services::StrictServices;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use laban::diagnostic::Diagnostic;
use laban::extraction::{ExtractOptions, Strategy};
use laban::network::Network;
use laban::{Extraction, InternalError, ServiceLeft, StopReason};
use laban_evaluation::Search;
use laban_report::unknown_services;

/// How to search.
#[derive(Debug, Clone, Args)]
pub(crate) struct SearchArgs {
    /// Which action to try first; changes the size of the graph and the order of actions, never the verdict
    #[arg(long, default_value = "InteractionsFirst", value_parser = strategy(), ignore_case = true, value_name = "STRATEGY")]
    strategy: Strategy,

    /// Random seed of the random strategies
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    seed: u64,

    /// Which search to use: Laban's own, or the paper's
    #[arg(long, value_enum, default_value_t = SearchKind::Fast)]
    search: SearchKind,

    /// With `--search paper`: turn off its clever backtracking
    #[arg(long)]
    no_clever: bool,

    /// Treat this process as a service, which may wait forever; can be repeated
    #[arg(long = "service", value_name = "PROCESS")]
    services: Vec<String>,

    #[command(flatten)]
    pub(crate) strict: StrictServices,

    #[command(flatten)]
    pub(crate) channels: ChannelArgs,

    /// Assume that decisions are fair: a loop that can be left is left eventually
    ///
    /// Without it, a process may decide the same way forever, so others that only act after the opposite decision may
    /// starve. Races (`any`) are always fair.
    #[arg(long)]
    fair: bool,

    /// How many messages a queue may hold before the search gives up
    ///
    /// Laban gives each queue as much room as it needs, one message at a time. If a network needs more room than this,
    /// and Laban cannot prove that its queues grow forever, the network is undecided.
    #[arg(long, value_name = "N", default_value_t = ExtractOptions::default().queue)]
    queue: u32,

    /// Search the network as a whole, even if parts of it never interact
    #[arg(long)]
    no_split: bool,

    #[command(flatten)]
    limits: LimitArgs,

    /// Do not check the choreography against the network before showing it
    #[arg(long)]
    pub(crate) no_certify: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SearchKind {
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
    PossibleValuesParser::new(names).try_map(|name| Strategy::named(&name).ok_or("unknown strategy"))
}

impl SearchArgs {
    /// Declares services. False, and a message, if there is no such process.
    pub(crate) fn declare_services(&self, network: &mut Network, console: &mut Console) -> bool {
        declare_services(&self.services, network, console)
    }

    /// The processes that are to be services.
    pub(crate) fn services(&self) -> impl Iterator<Item = &str> {
        self.services.iter().map(String::as_str)
    }

    /// Does something with the options, from now on.
    pub(crate) fn with_options<T>(&self, parallel: bool, task: impl FnOnce(&ExtractOptions<'_>) -> T) -> T {
        self.limits.with_limits(|limits| {
            task(&ExtractOptions {
                strategy: self.strategy,
                seed: self.seed,
                limits,
                // The paper's search compares processes as they are written.
                minimise: self.search == SearchKind::Fast,
                split: !self.no_split,
                parallel,
                merge: true,
                certify: !self.no_certify,
                fair: self.fair,
                queue: self.queue,
            })
        })
    }

    fn search(&self) -> Search {
        match self.search {
            SearchKind::Fast => Search::Fast,
            SearchKind::Paper => Search::Paper { clever: !self.no_clever },
        }
    }

    /// Why the search that was asked for cannot be used for a network, and what can be done, if it cannot.
    pub(crate) fn refusal(&self, network: &Network) -> Option<String> {
        let refused = self.with_options(false, |options| self.search().refuses(network, options))?;
        Some(format!("{refused}; leave out `--search paper`"))
    }

    /// Extracts a network with the search that was asked for, and checks the answer.
    pub(crate) fn answer(&self, network: &Network, parallel: bool) -> Result<Extraction, InternalError> {
        self.with_options(parallel, |options| self.search().extract(network, options))
    }

    /// Finds an answer, and where that is a failure, tries whether other channels would help.
    pub(crate) fn thorough_answer(&self, network: &Network, parallel: bool) -> Result<Extraction, InternalError> {
        let mut answer = self.answer(network, parallel)?;
        self.with_options(parallel, |options| answer.try_other_channels(network, options));
        Ok(answer)
    }

    /// The services that are left in the middle of a conversation.
    pub(crate) fn services_left(&self, answer: &Extraction, network: &Network) -> Vec<ServiceLeft> {
        self.limits.with_limits(|limits| answer.services_left(network, limits))
    }

    /// How long the queues of a network with queues get.
    pub(crate) fn capacities_note(&self, answer: &Extraction, network: &Network) -> Option<Diagnostic> {
        self.with_options(true, |options| answer.capacities_note(network, options))
    }

    /// The graphs that the search finds, with or without merging what nobody can tell apart. Nothing is certified.
    pub(crate) fn graphs(&self, network: &Network, merge: bool) -> Result<Extraction, InternalError> {
        self.with_options(true, |options| {
            self.search().extract(network, &ExtractOptions { merge, certify: false, ..*options })
        })
    }

    /// What is known of a search that was given up.
    pub(crate) fn undecided(&self, answer: &Extraction, network: &Network) -> String {
        laban_report::undecided(answer, network, || self.limits.why_undecided())
    }

    /// Why a search was given up.
    pub(crate) fn why_undecided(&self, answer: &Extraction) -> String {
        match answer.undecided().any(|(_, reason)| reason == StopReason::Memory) {
            true => self.limits.out_of_memory(),
            false => laban_report::why_undecided(answer, || self.why_given_up()),
        }
    }

    /// Why any work was given up that has no reasons of its own.
    pub(crate) fn why_given_up(&self) -> String {
        self.limits.why_undecided()
    }
}

/// Declares processes services. False, and a message for each, if there are no such processes.
pub(crate) fn declare_services(services: &[String], network: &mut Network, console: &mut Console) -> bool {
    let unknown = unknown_services(services, network);
    unknown.iter().for_each(|message| console.error(message));
    unknown.is_empty()
}
