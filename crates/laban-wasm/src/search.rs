//! Searching a network, as a request wants it.

use crate::desk::Desk;
use laban::extraction::ExtractOptions;
use laban::{Extraction, InternalError, Network};
use laban_report::unknown_services;

impl Desk<'_> {
    /// Makes of a network what is asked for: channels and services. False, and messages, if there is no such process.
    pub(crate) fn prepare(&mut self, network: &mut Network) -> Result<bool, String> {
        self.request.set_channels(network)?;
        let unknown = unknown_services(&self.request.services, network);
        unknown.iter().for_each(|message| self.error(message));
        Ok(unknown.is_empty())
    }

    /// How to search.
    pub(crate) fn options(&self) -> Result<ExtractOptions<'static>, String> {
        let defaults = ExtractOptions::default();
        Ok(ExtractOptions {
            strategy: self.request.strategy()?,
            seed: self.request.seed,
            limits: self.request.limits(),
            fair: self.request.fair,
            queue: self.request.queue.unwrap_or(defaults.queue),
            split: self.request.split.unwrap_or(true),
            parallel: false,
            ..defaults
        })
    }

    /// Finds an answer, and where that is a failure, tries whether other channels would help.
    pub(crate) fn thorough_answer(&self, network: &Network) -> Result<Result<Extraction, InternalError>, String> {
        let options = self.options()?;
        Ok(laban::extract(network, &options).map(|mut answer| {
            answer.try_other_channels(network, &options);
            answer
        }))
    }

    /// What is known of a search that was given up.
    pub(crate) fn undecided(&self, answer: &Extraction, network: &Network) -> String {
        laban_report::undecided(answer, network, || self.request.why_limited())
    }

    /// Why a search was given up.
    pub(crate) fn why_undecided(&self, answer: &Extraction) -> String {
        laban_report::why_undecided(answer, || self.request.why_limited())
    }
}
