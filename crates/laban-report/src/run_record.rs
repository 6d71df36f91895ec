//! A run, and where it has led.

use crate::run::Ending;
use crate::source::{Position, Source};
use crate::witness::Witness;
use laban::network::{self, Interaction, Network, State, StateId};
use laban::semantics::Step;
use laban::simulate::{Session, Status, Taken};
use serde::Serialize;

/// More deadlocks than this, in parts that never interact, are counted rather than explained.
pub const MOST_EXPLAINED: usize = 10;

/// What was run: a network, and the text that it comes from.
#[derive(Clone, Copy)]
struct Subject<'a> {
    source: &'a Source,
    network: &'a Network,
}

/// A run, and where it has led.
#[derive(Debug, Serialize)]
pub struct RunRecord<'a> {
    file: &'a str,
    kind: &'static str,
    seed: u64,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    steps: Vec<StepRecord<'a>>,
    states: Vec<ProcessRecord<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    queues: Vec<QueueRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as_after: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    witnesses: Vec<Witness>,
}

/// A step, and where its actions are in the text.
#[derive(Debug, Serialize)]
struct StepRecord<'a> {
    step: String,
    #[serde(flatten)]
    what: What<'a>,
    #[serde(flatten)]
    place: PositionRecord<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partner: Option<PositionRecord<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum What<'a> {
    Value {
        from: &'a str,
        to: &'a str,
        value: &'a str,
    },
    Selection {
        from: &'a str,
        to: &'a str,
        label: &'a str,
        /// The value that goes with the label, if there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<&'a str>,
    },
    /// A message is put into a queue.
    Put(Message<'a>),
    /// A message is taken from a queue.
    Take(Message<'a>),
    Decision {
        process: &'a str,
        condition: &'a str,
        holds: bool,
    },
    /// Items are counted from 1.
    Choice {
        process: &'a str,
        item: u32,
    },
}

/// What goes from one process to another.
#[derive(Debug, Serialize)]
struct Message<'a> {
    from: &'a str,
    to: &'a str,
    #[serde(flatten)]
    content: Content<'a>,
}

/// A value, a label, or both.
#[derive(Debug, Serialize)]
struct Content<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
}

/// Where a process is in the end.
#[derive(Debug, Serialize)]
struct ProcessRecord<'a> {
    process: &'a str,
    service: bool,
    stopped: bool,
    /// Whether it may wait here forever without being a service.
    #[serde(skip_serializing_if = "is_false")]
    idle: bool,
    next: String,
    #[serde(flatten)]
    place: PositionRecord<'a>,
}

/// What lies in a queue in the end.
#[derive(Debug, Serialize)]
struct QueueRecord<'a> {
    from: &'a str,
    to: &'a str,
    /// The oldest first.
    messages: Vec<Content<'a>>,
}

/// A line and column, counted from 1; nothing where the text does not have it.
#[derive(Debug, Serialize)]
struct PositionRecord<'a> {
    /// Only where it is not that of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl<'a> RunRecord<'a> {
    /// A run of a network that was read from a source, which is of some kind, `network` or `choreography`.
    pub fn new(
        (source, network): (&'a Source, &'a Network),
        kind: &'static str,
        seed: u64,
        session: &Session<'_>,
        ending: Ending,
    ) -> Self {
        let subject = Subject { source, network };
        // A witness that does not replay would be a mistake of the library; the outcome is shown without it.
        let explanations = session.deadlocks(MOST_EXPLAINED).unwrap_or_default();
        let outcome = match (session.is_stuck(), session.status(), ending) {
            (true, ..) => "deadlock",
            (false, Status::Orphan, _) => "orphan",
            (false, Status::Running, Ending::Interrupted) => "interrupted",
            (false, Status::Running, Ending::Limit) => "limit",
            (false, Status::Running, _) => "left",
            (false, ..) => "stopped",
        };
        let standing = |process| {
            let state = session.state_id(process)?;
            Some(ProcessRecord {
                process: network.process_name(process),
                service: network.processes().get(process.index()).is_some_and(|process| process.service),
                stopped: network.state(state) == State::Stop,
                idle: network.is_idle(state),
                next: network.state(state).describe(network).to_string(),
                place: place(subject, state),
            })
        };
        let lying = |(from, to, messages)| QueueRecord {
            from: network.process_name(from),
            to: network.process_name(to),
            messages: Iterator::map(messages, |content| written(subject, content)).collect(),
        };
        RunRecord {
            file: &source.name,
            kind,
            seed,
            outcome,
            reason: explanations.first().map(|explanation| explanation.reason(network)),
            steps: session.taken().iter().map(|taken| happening(subject, taken)).collect(),
            states: network.process_ids().filter_map(standing).collect(),
            queues: session.configuration().queues.iter().map(lying).collect(),
            same_as_after: session.been_here(),
            witnesses: explanations.iter().map(|one| Witness::new(one, network, source)).collect(),
        }
    }

    /// How it ended, in a word.
    pub fn outcome(&self) -> &'static str {
        self.outcome
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

fn happening<'a>(subject: Subject<'a>, taken: &Taken) -> StepRecord<'a> {
    let network = subject.network;
    let (name, text) = (|process| network.process_name(process), |symbol| network.text(symbol));
    let mut places = taken.moves().map(|(_, state)| place(subject, state));
    let what = match taken.step {
        Step::Interaction(Interaction { from, to, content }) => {
            let (from, to) = (name(from), name(to));
            match content {
                network::Content::Value(value) => What::Value { from, to, value: text(value) },
                network::Content::Label(label) => What::Selection { from, to, label: text(label), value: None },
                network::Content::LabelledValue { label, value } => {
                    What::Selection { from, to, label: text(label), value: Some(text(value)) }
                }
            }
        }
        Step::Put(interaction) => What::Put(message(subject, interaction)),
        Step::Take(interaction) => What::Take(message(subject, interaction)),
        Step::Decision { process, condition, holds } => {
            What::Decision { process: name(process), condition: text(condition), holds }
        }
        Step::Choice { process, arm } => What::Choice { process: name(process), item: arm + 1 },
    };
    let nowhere = PositionRecord { file: None, line: None, column: None };
    let place = places.next().unwrap_or(nowhere);
    StepRecord { step: taken.step.describe(network).to_string(), what, place, partner: places.next() }
}

fn message<'a>(subject: Subject<'a>, Interaction { from, to, content }: Interaction) -> Message<'a> {
    let [from, to] = [from, to].map(|process| subject.network.process_name(process));
    Message { from, to, content: written(subject, content) }
}

fn written<'a>(subject: Subject<'a>, content: network::Content) -> Content<'a> {
    let text = |symbol| subject.network.text(symbol);
    Content { label: content.label().map(text), value: content.value().map(text) }
}

fn place(subject: Subject<'_>, state: StateId) -> PositionRecord<'_> {
    let span = subject.network.origin(state);
    // Some things are not in the text, as the end of a process in a choreography.
    if span.start >= span.end {
        return PositionRecord { file: None, line: None, column: None };
    }
    let offset = subject.source.range(span).0;
    let Position { line, column } = subject.source.position(offset);
    let file = subject.source.is_spread().then_some(subject.source.file_at(offset).name.as_str());
    PositionRecord { file, line: Some(line), column: Some(column) }
}
