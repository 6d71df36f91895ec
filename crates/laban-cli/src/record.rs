//! Answers as JSON: the object that `batch` prints for each network, and `extract` for one, with the witness.

use crate::fault;
use crate::input::Refused;
use crate::source::Source;
use laban::diagnostic::Diagnostic;
use laban::extraction::Verdict;
use laban::extraction::explain::{Event, Explanation, Queued, Waiting};
use laban::network::{Network, ProcessId};
use laban::syntax::{ChoreographyTree, Compact, Span};
use laban::{Extraction, InternalError};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Duration;

/// The outcome of a network.
#[derive(Debug, Serialize)]
pub(crate) struct Record {
    pub(crate) file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    pub(crate) outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) choreography: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The queues that were needed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) capacities: Vec<Capacity>,
    pub(crate) components: usize,
    pub(crate) nodes: usize,
    pub(crate) bad_loops: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parse_us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extract_us: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) witnesses: Vec<Witness>,
    /// How many more witnesses there are.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) witnesses_omitted: usize,
    /// Which services are left in the middle of a conversation, and how.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) services_left: Vec<String>,
}

/// A queue that was needed.
#[derive(Debug, Serialize)]
pub(crate) struct Capacity {
    from: String,
    to: String,
    messages: u32,
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
    pub(crate) fn unusable(file: String, id: Option<String>, outcome: &'static str, reason: String) -> Self {
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
    pub(crate) fn ill_formed(file: String, id: Option<String>, outcome: &'static str, mistakes: &[Diagnostic]) -> Self {
        let first = mistakes.iter().find(|diagnostic| diagnostic.is_error());
        let reason = first.map_or_else(String::new, |diagnostic| diagnostic.message.clone());
        Self::unusable(file, id, outcome, reason)
    }

    /// A network of which there is nothing to search: the first mistake in it, or the first file that cannot be read.
    pub(crate) fn refused(file: String, refused: &[Refused]) -> Self {
        for one in refused {
            if let Refused::Mistakes { diagnostics, parses, .. } = one {
                let outcome = if *parses { "ill-formed" } else { "syntax-error" };
                return Self::ill_formed(file, None, outcome, diagnostics);
            }
        }
        let message = refused.iter().find_map(|one| match one {
            Refused::Message { message, .. } => Some(message.clone()),
            Refused::Mistakes { .. } => None,
        });
        Self::unusable(file, None, "unreadable", message.unwrap_or_default())
    }

    /// A network that was searched.
    pub(crate) fn answered(
        file: String,
        id: Option<String>,
        network: &Network,
        answer: &Result<Extraction, InternalError>,
        why_undecided: impl FnOnce(&Extraction) -> String,
    ) -> Self {
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return Self::unusable(file, id, "fault", fault::message(error)),
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
            services_left: answer.services_left(network).iter().map(|left| left.reason(network)).collect(),
        }
    }

    /// Notes how long it took.
    pub(crate) fn timed(mut self, parse: Duration, extract: Duration) -> Self {
        self.parse_us = Some(micros(parse));
        self.extract_us = Some(micros(extract));
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

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// Why a component failed, in full.
#[derive(Debug, Serialize)]
pub(crate) struct Witness {
    kind: &'static str,
    summary: String,
    processes: Vec<String>,
    run: Vec<Happening>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cycle: Vec<Happening>,
    stuck: Vec<Stuck>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    circles: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waiting_services: Vec<Stuck>,
    /// What lies in the queues at the end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    queues: Vec<Queue>,
    hints: Vec<String>,
}

/// A step and the lines it comes from.
#[derive(Debug, Serialize)]
struct Happening {
    step: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: usize,
    column: usize,
}

/// A process that cannot go on.
#[derive(Debug, Serialize)]
struct Stuck {
    process: String,
    wants: String,
    waits_for: String,
    why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: usize,
    column: usize,
}

/// What lies in a queue, the oldest first.
#[derive(Debug, Serialize)]
struct Queue {
    from: String,
    to: String,
    messages: Vec<String>,
}

impl Witness {
    pub(crate) fn new(explanation: &Explanation, network: &Network, source: &Source) -> Self {
        let name = |process: ProcessId| network.process_name(process).to_string();
        // The file is given only where it is not that of the record.
        let place = |span: Span| {
            let offset = source.range(span).0;
            let file = Some(&source.file_at(offset).name).filter(|&name| *name != source.name);
            (file.cloned(), source.position(offset))
        };
        let happening = |event: &Event| {
            let (file, place) = place(event.span);
            let step = event.step.describe(network).to_string();
            Happening { step, file, line: place.line, column: place.column }
        };
        let stuck = |waiting: &Waiting| {
            let (file, place) = place(waiting.span);
            Stuck {
                process: name(waiting.process),
                wants: waiting.wish.describe(network).to_string(),
                waits_for: name(waiting.wish.partner()),
                why: waiting.text(network, explanation),
                file,
                line: place.line,
                column: place.column,
            }
        };
        let queue = |queue: &Queued| Queue {
            from: name(queue.from),
            to: name(queue.to),
            messages: queue.messages.iter().map(|message| message.content.describe(network).to_string()).collect(),
        };
        Witness {
            kind: explanation.kind.as_str(),
            summary: explanation.reason(network),
            processes: explanation.component.iter().map(|&process| name(process)).collect(),
            run: explanation.run.iter().map(happening).collect(),
            cycle: explanation.cycle.iter().map(happening).collect(),
            stuck: explanation.stuck.iter().map(stuck).collect(),
            circles: explanation
                .circles()
                .map(|circle| circle.iter().map(|&process| name(process)).collect())
                .collect(),
            waiting_services: explanation.waiting_services.iter().map(stuck).collect(),
            queues: explanation.queues.iter().map(queue).collect(),
            hints: explanation.hints.iter().map(|hint| hint.text(network, explanation)).collect(),
        }
    }
}

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
