//! A failure in full: the run that leads to it, who cannot go on, and what would help.

use crate::source::Source;
use laban::extraction::explain::{Event, Explanation, Queued, Waiting};
use laban::network::{Network, ProcessId};
use laban::text::Span;
use serde::Serialize;

/// Why a component failed, in full.
#[derive(Debug, Clone, Serialize)]
pub struct Witness {
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
#[derive(Debug, Clone, Serialize)]
struct Happening {
    step: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: usize,
    column: usize,
}

/// A process that cannot go on.
#[derive(Debug, Clone, Serialize)]
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
#[derive(Debug, Clone, Serialize)]
struct Queue {
    from: String,
    to: String,
    messages: Vec<String>,
}

impl Witness {
    /// What is known about a failure.
    pub fn new(explanation: &Explanation, network: &Network, source: &Source) -> Self {
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
