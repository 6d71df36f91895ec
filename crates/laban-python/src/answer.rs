//! The answer for one network, with all that it was made from: what an extraction and its failures share.

use crate::options::SearchOptions;
use laban::{Extraction, InternalError};
use laban_report::{Input, Record};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A network that was searched, and what was found.
pub(crate) struct Answer {
    pub(crate) input: Arc<Input>,
    /// The network with the services and channels that were asked for, if any were.
    changed: Option<laban::Network>,
    pub(crate) extraction: Extraction,
}

/// What there is to say about a network: always a record, and an answer if it was searched.
pub(crate) struct Answered {
    pub(crate) record: Record,
    pub(crate) answer: Option<Arc<Answer>>,
    /// The text, if it could be read as one.
    pub(crate) input: Option<Arc<Input>>,
}

/// Whether other channels are tried where a network fails, and all cores are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For one network.
    Thorough,
    /// For one of many.
    Plain,
}

impl Answer {
    /// The network that was searched.
    pub(crate) fn network(&self) -> Option<&laban::Network> {
        self.changed.as_ref().or_else(|| self.input.analysis.network())
    }
}

/// Searches a network. Services that it does not have are left out.
pub(crate) fn answered(
    file: String,
    id: Option<String>,
    input: Arc<Input>,
    options: &SearchOptions,
    stop: &AtomicBool,
    effort: Effort,
) -> Answered {
    let Some(given) = input.analysis.network() else {
        let record = match input.analysis.choreography() {
            Some(_) => {
                let reason = format!("{file} is a choreography; a network is needed here");
                Record::unusable(file, id, "ill-formed", reason)
            }
            None => {
                let outcome = if input.analysis.syntax_errors().is_empty() { "ill-formed" } else { "syntax-error" };
                Record::ill_formed(file, id, outcome, input.analysis.errors())
            }
        };
        return Answered { record, answer: None, input: Some(input) };
    };
    let changed = options.changes().then(|| {
        let mut network = given.clone();
        // Not every network needs to have them.
        let _ = options.apply(&mut network);
        network
    });
    let network = changed.as_ref().unwrap_or(given);
    if let Some(refusal) = options.refusal(network) {
        return Answered { record: Record::unusable(file, id, "undecided", refusal), answer: None, input: Some(input) };
    }
    let found: Result<Extraction, InternalError> = match effort {
        Effort::Thorough => options.thorough_answer(network, stop),
        Effort::Plain => options.answer(network, stop, false),
    };
    let record = Record::answered(file, id, network, &found, |found| options.why_undecided(found));
    match found {
        Ok(extraction) => {
            let left = options.limit().with_limits(stop, |limits| extraction.services_left(network, limits));
            let record = record.leaving(&left, network);
            let answer = Arc::new(Answer { input: Arc::clone(&input), changed, extraction });
            Answered { record, answer: Some(answer), input: Some(input) }
        }
        Err(_) => Answered { record, answer: None, input: Some(input) },
    }
}
