//! How a network is searched: the options of the functions that search.

use crate::errors::wrong;
use laban::extraction::{ExtractOptions, Strategy};
use laban::network::{Channel, Channels, Network};
use laban::{Extraction, InternalError, Limits, StopReason};
use laban_evaluation::Search;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The options as Python gives them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Given {
    strategy: String,
    seed: u64,
    search: String,
    services: Vec<String>,
    channels: Option<String>,
    fair: bool,
    queue: u32,
    split: bool,
    certify: bool,
    max_states: Option<usize>,
    timeout: Option<f64>,
}

/// How to search.
#[derive(Debug, Clone)]
pub(crate) struct SearchOptions {
    strategy: Strategy,
    seed: u64,
    search: Search,
    services: Vec<String>,
    channels: Option<Channel>,
    fair: bool,
    queue: u32,
    split: bool,
    certify: bool,
    limit: Limit,
}

/// When to give up.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limit {
    max_states: Option<usize>,
    timeout: Option<Duration>,
}

impl Limit {
    pub(crate) fn new(max_states: Option<usize>, timeout: Option<f64>) -> PyResult<Self> {
        let seconds = |seconds: f64| {
            let duration = Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero());
            duration.ok_or_else(|| wrong("timeout: expected a number of seconds above 0"))
        };
        Ok(Limit { max_states, timeout: timeout.map(seconds).transpose()? })
    }

    /// Runs a task with these limits. The time starts now, and the flag ends it too.
    pub(crate) fn with_limits<T>(self, stop: &AtomicBool, task: impl FnOnce(Limits<'_>) -> T) -> T {
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let stop = || match stop.load(Ordering::Relaxed) {
            true => Some(StopReason::Interrupted),
            false => deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| StopReason::Timeout),
        };
        task(Limits { max_states: self.max_states, stop: &stop })
    }

    /// Why a task was given up.
    pub(crate) fn gave_up(self) -> String {
        laban_report::gave_up(self.max_states, self.timeout.map(|timeout| timeout.as_secs_f64()))
    }
}

/// The channels that all processes are to have.
pub(crate) fn channels(text: Option<&str>) -> PyResult<Option<Channel>> {
    let read = |text: &str| laban_report::channel(text).map_err(|message| wrong(format!("channels: {message}")));
    text.map(read).transpose()
}

/// The message about a service that there is not.
pub(crate) fn no_service<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> PyErr {
    wrong(format!("services: {}", laban_report::no_process(name, names)))
}

impl<'a, 'py> FromPyObject<'a, 'py> for SearchOptions {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let given: Given = given.extract()?;
        let is_it =
            |one: &&Strategy| [one.name, one.short].iter().any(|name| name.eq_ignore_ascii_case(&given.strategy));
        let strategy = Strategy::ALL.iter().find(is_it).copied().ok_or_else(|| {
            let names: Vec<&str> = Strategy::ALL.iter().map(|strategy| strategy.name).collect();
            wrong(format!("strategy: expected one of {}", names.join(", ")))
        })?;
        let search = match given.search.as_str() {
            "fast" => Search::Fast,
            "paper" => Search::Paper { clever: true },
            _ => return Err(wrong("search: expected fast or paper")),
        };
        Ok(SearchOptions {
            strategy,
            seed: given.seed,
            search,
            services: given.services,
            channels: channels(given.channels.as_deref())?,
            fair: given.fair,
            queue: given.queue,
            split: given.split,
            certify: given.certify,
            limit: Limit::new(given.max_states, given.timeout)?,
        })
    }
}

impl SearchOptions {
    /// The processes that are to be services.
    pub(crate) fn services(&self) -> &[String] {
        &self.services
    }

    /// When to give up.
    pub(crate) fn limit(&self) -> Limit {
        self.limit
    }

    /// Whether the network is to be changed before it is searched.
    pub(crate) fn changes(&self) -> bool {
        !self.services.is_empty() || self.channels.is_some()
    }

    /// Declares services and sets channels. Whether all services are there; not every network needs to have them.
    pub(crate) fn apply(&self, network: &mut Network) -> Result<(), String> {
        let unknown = self.services.iter().fold(None, |unknown, name| match network.declare_service(name) {
            true => unknown,
            false => unknown.or(Some(name)),
        });
        if let Some(channel) = self.channels {
            network.set_channels(Channels::all(channel));
        }
        unknown.map_or(Ok(()), |name| Err(name.clone()))
    }

    /// The network with services and channels; an exception if a service is missing.
    pub(crate) fn applied(&self, network: &Network) -> PyResult<Network> {
        let mut network = network.clone();
        match self.apply(&mut network) {
            Ok(()) => Ok(network),
            Err(name) => Err(no_service(&name, network.process_ids().map(|process| network.process_name(process)))),
        }
    }

    /// Does something with the options, from now on.
    pub(crate) fn with_options<T>(
        &self,
        stop: &AtomicBool,
        parallel: bool,
        task: impl FnOnce(&ExtractOptions<'_>) -> T,
    ) -> T {
        self.limit.with_limits(stop, |limits| {
            task(&ExtractOptions {
                strategy: self.strategy,
                seed: self.seed,
                limits,
                // The paper's search compares processes as they are written.
                minimise: self.search == Search::Fast,
                split: self.split,
                parallel,
                merge: true,
                certify: self.certify,
                fair: self.fair,
                queue: self.queue,
            })
        })
    }

    /// Why the search that was asked for cannot be used for a network, if it cannot.
    pub(crate) fn refusal(&self, network: &Network) -> Option<String> {
        let stop = AtomicBool::new(false);
        let refused = self.with_options(&stop, false, |options| self.search.refuses(network, options))?;
        Some(format!("{refused}; leave out search=\"paper\""))
    }

    /// Extracts a network, and checks the answer.
    pub(crate) fn answer(
        &self,
        network: &Network,
        stop: &AtomicBool,
        parallel: bool,
    ) -> Result<Extraction, InternalError> {
        self.with_options(stop, parallel, |options| self.search.extract(network, options))
    }

    /// Finds an answer, and where that is a failure, tries whether other channels would help.
    pub(crate) fn thorough_answer(&self, network: &Network, stop: &AtomicBool) -> Result<Extraction, InternalError> {
        let mut answer = self.answer(network, stop, true)?;
        self.with_options(stop, true, |options| answer.try_other_channels(network, options));
        Ok(answer)
    }

    /// The graphs that the search finds, with or without merging what nobody can tell apart. Nothing is certified.
    pub(crate) fn graphs(
        &self,
        network: &Network,
        stop: &AtomicBool,
        merge: bool,
    ) -> Result<Extraction, InternalError> {
        self.with_options(stop, true, |options| {
            self.search.extract(network, &ExtractOptions { merge, certify: false, ..*options })
        })
    }

    /// Why a search was given up.
    pub(crate) fn why_undecided(&self, answer: &Extraction) -> String {
        // Options of ours have other names.
        laban_report::why_undecided(answer, || self.limit.gave_up()).replace("`--queue`", "`queue`")
    }
}
