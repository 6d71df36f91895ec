//! The answer for a network: the object that `batch` prints for each network, and `extract` for one, with witnesses.

use crate::render::MOST_DIAGNOSTICS;
use crate::source::Source;
use crate::verdict::fault;
use crate::witness::Witness;
use laban::diagnostic::Diagnostic;
use laban::extraction::Verdict;
use laban::network::{Network, ProcessId};
use laban::syntax::{ChoreographyTree, Compact};
use laban::{Extraction, InternalError, ServiceLeft};
use serde::Serialize;
use std::fmt::Write as _;

/// The outcome of a network.
#[derive(Debug, Clone, Serialize)]
pub struct Record {
    /// The file that the network comes from.
    pub file: String,
    /// The name of the network, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The answer in a word.
    pub outcome: &'static str,
    /// The choreography on one line, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choreography: Option<String>,
    /// Why there isn't one, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The queues that were needed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub capacities: Vec<Capacity>,
    /// How many parts of the network never interact.
    pub components: usize,
    /// How many nodes the searches made.
    pub nodes: usize,
    /// How often an action was given up because it would have closed a loop that starves somebody.
    pub bad_loops: usize,
    /// How long reading took, in microseconds; nothing if that is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parse_us: Option<u64>,
    /// How long the search took, in microseconds; nothing if that is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extract_us: Option<u64>,
    /// Why it failed, in full, where that is asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<Witness>,
    /// How many more witnesses there are.
    #[serde(skip_serializing_if = "is_zero")]
    pub witnesses_omitted: usize,
    /// Which services are left in the middle of a conversation, and how.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub services_left: Vec<String>,
}

/// A queue that was needed.
#[derive(Debug, Clone, Serialize)]
pub struct Capacity {
    /// Who puts messages into it.
    pub from: String,
    /// Who takes them from it.
    pub to: String,
    /// How many wait in it at most.
    pub messages: u32,
}

impl Capacity {
    fn new(network: &Network, (from, to, messages): (ProcessId, ProcessId, u32)) -> Self {
        let name = |process: ProcessId| network.process_name(process).to_string();
        Capacity { from: name(from), to: name(to), messages }
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Record {
    /// A network that was not searched.
    pub fn unusable(file: String, id: Option<String>, outcome: &'static str, reason: String) -> Self {
        Record {
            file,
            id,
            outcome,
            choreography: None,
            reason: Some(reason),
            capacities: Vec::new(),
            components: 0,
            nodes: 0,
            bad_loops: 0,
            parse_us: None,
            extract_us: None,
            witnesses: Vec::new(),
            witnesses_omitted: 0,
            services_left: Vec::new(),
        }
    }

    /// A network with mistakes.
    pub fn ill_formed(file: String, id: Option<String>, outcome: &'static str, mistakes: &[Diagnostic]) -> Self {
        let first = mistakes.iter().find(|diagnostic| diagnostic.is_error());
        let reason = first.map_or_else(String::new, |diagnostic| diagnostic.message.clone());
        Self::unusable(file, id, outcome, reason)
    }

    /// A network that was searched.
    pub fn answered(
        file: String,
        id: Option<String>,
        network: &Network,
        answer: &Result<Extraction, InternalError>,
        why_undecided: impl FnOnce(&Extraction) -> String,
    ) -> Self {
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return Self::unusable(file, id, "fault", fault(error)),
        };
        let reason = match answer.verdict() {
            Verdict::Extracted => None,
            Verdict::Undecided => Some(why_undecided(answer)),
            Verdict::Deadlock | Verdict::Livelock | Verdict::Orphan | Verdict::Unbounded => {
                answer.explanations().first().map(|explanation| explanation.reason(network))
            }
        };
        Record {
            file,
            id,
            outcome: answer.verdict().as_str(),
            choreography: answer.tree().map(on_one_line),
            reason,
            capacities: answer.capacities().map(|capacity| Capacity::new(network, capacity)).collect(),
            components: answer.components().len(),
            nodes: answer.statistics().nodes,
            bad_loops: answer.statistics().bad_loops,
            parse_us: None,
            extract_us: None,
            witnesses: Vec::new(),
            witnesses_omitted: 0,
            services_left: Vec::new(),
        }
    }

    /// Notes which services are left in the middle of a conversation.
    #[must_use]
    pub fn leaving(mut self, services: &[ServiceLeft], network: &Network) -> Self {
        self.services_left = services.iter().map(|left| left.reason(network)).collect();
        self
    }

    /// Adds what is known about the failures, of very many the first.
    #[must_use]
    pub fn with_witnesses(mut self, answer: &Extraction, network: &Network, source: &Source) -> Self {
        let all = answer.explanations();
        let witness = |explanation| Witness::new(explanation, network, source);
        self.witnesses = all.iter().take(MOST_DIAGNOSTICS).map(witness).collect();
        self.witnesses_omitted = all.len().saturating_sub(MOST_DIAGNOSTICS);
        self
    }
}

/// A choreography on one line.
fn on_one_line(tree: &ChoreographyTree) -> String {
    let mut text = String::with_capacity(BYTES_PER_TERM * tree.terms.len());
    // A string takes whatever is written to it.
    let _ = write!(text, "{}", Compact(tree));
    text
}

/// How many bytes a term of a choreography takes, about.
const BYTES_PER_TERM: usize = 20;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_answer_that_fails_its_own_check_is_a_fault_and_not_undecided() {
        let network = laban::analyse("p { main { stop } }").into_network().unwrap();
        let answer = Err(InternalError::NotCertified("it stops too early".to_string()));
        let record = Record::answered("x.net".to_string(), None, &network, &answer, |_| String::new());
        assert_eq!(record.outcome, "fault");
        let reason = record.reason.unwrap();
        assert!(reason.starts_with("this is a fault in laban, please report it: "), "{reason}");
        assert!(reason.ends_with("it stops too early"), "{reason}");
    }
}
