//! Failures and steps of runs, as data.

use crate::places::{Place, Places};
use laban::extraction::explain::{Event, Explanation, Queued, Waiting};
use laban::network::{Content, Network, ProcessId};
use laban::semantics::Step;
use laban::simulate::Session;
use laban::syntax::Span;
use serde::Serialize;

/// Why a part of a network has no choreography.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Failure {
    kind: &'static str,
    summary: String,
    /// Its number among the diagnostics.
    diagnostic: Option<usize>,
    processes: Vec<String>,
    run: Vec<StepRecord>,
    cycle: Vec<StepRecord>,
    /// Which of the possible steps each of these is, as in a request for a run.
    choices: Option<Vec<usize>>,
    stuck: Vec<Stuck>,
    circles: Vec<Vec<String>>,
    waiting_services: Vec<Stuck>,
    queues: Vec<Queue>,
    hints: Vec<String>,
}

/// A process that cannot go on.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Stuck {
    process: String,
    wants: String,
    waits_for: String,
    why: String,
    place: Option<Place>,
}

/// What lies in a queue, the oldest first.
#[derive(Serialize)]
pub(crate) struct Queue {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) messages: Vec<String>,
}

/// A step, and where its actions are.
#[derive(Default, Serialize)]
pub(crate) struct StepRecord {
    text: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<u32>,
    places: Vec<ActorPlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    race: Option<bool>,
}

/// Where somebody acts.
#[derive(Serialize)]
struct ActorPlace {
    process: String,
    place: Option<Place>,
}

impl StepRecord {
    /// A step whose actors act at these places.
    pub(crate) fn new(
        network: &Network,
        places: &Places<'_>,
        step: Step,
        spans: impl IntoIterator<Item = (ProcessId, Span)>,
    ) -> Self {
        let name = |process| Some(network.process_name(process).to_string());
        let text = |symbol| Some(network.text(symbol).to_string());
        let mut record = StepRecord { text: step.describe(network).to_string(), ..StepRecord::default() };
        record.kind = match step {
            Step::Interaction(interaction) => match interaction.content {
                Content::Value(_) => "value",
                Content::Label(_) | Content::LabelledValue { .. } => "selection",
            },
            Step::Put(_) => "put",
            Step::Take(_) => "take",
            Step::Decision { .. } => "decision",
            Step::Choice { .. } => "choice",
        };
        match step {
            Step::Decision { process, condition, holds } => {
                (record.process, record.condition) = (name(process), text(condition));
                record.holds = Some(holds);
            }
            Step::Choice { process, arm } => (record.process, record.item) = (name(process), Some(arm + 1)),
            Step::Interaction(_) | Step::Put(_) | Step::Take(_) => {}
        }
        if let Some(interaction) = step.interaction() {
            (record.from, record.to) = (name(interaction.from), name(interaction.to));
            record.label = interaction.content.label().and_then(text);
            record.value = interaction.content.value().and_then(text);
        }
        let place = |(process, span)| ActorPlace {
            process: network.process_name(process).to_string(),
            place: places.place_of(span),
        };
        record.places = spans.into_iter().map(place).collect();
        record
    }

    /// The same as one of several that are possible, and whether it is in a race with another of them.
    pub(crate) fn numbered(self, choice: usize, race: bool) -> Self {
        StepRecord { choice: Some(choice), race: Some(race), ..self }
    }

    /// A step of which only the words and one place are known.
    pub(crate) fn at(places: &Places<'_>, text: &str, span: Span) -> Self {
        let place = ActorPlace { process: String::new(), place: places.place_of(span) };
        StepRecord { text: text.to_string(), places: vec![place], ..StepRecord::default() }
    }

    fn of_event(network: &Network, places: &Places<'_>, event: &Event) -> Self {
        let spans = [Some(event.span), event.partner_span].into_iter().flatten();
        StepRecord::new(network, places, event.step, event.step.actors().zip(spans))
    }
}

impl Failure {
    pub(crate) fn new(
        explanation: &Explanation,
        network: &Network,
        places: &Places<'_>,
        diagnostic: Option<usize>,
    ) -> Self {
        let name = |process: ProcessId| network.process_name(process).to_string();
        let happening = |event: &Event| StepRecord::of_event(network, places, event);
        let stuck = |waiting: &Waiting| Stuck {
            process: name(waiting.process),
            wants: waiting.wish.describe(network).to_string(),
            waits_for: name(waiting.wish.partner()),
            why: waiting.text(network, explanation),
            place: places.place_of(waiting.span),
        };
        let queue = |queue: &Queued| Queue {
            from: name(queue.from),
            to: name(queue.to),
            messages: queue.messages.iter().map(|message| message.content.describe(network).to_string()).collect(),
        };
        Failure {
            kind: explanation.kind.as_str(),
            summary: explanation.reason(network),
            diagnostic,
            processes: explanation.component.iter().map(|&process| name(process)).collect(),
            run: explanation.run.iter().map(happening).collect(),
            cycle: explanation.cycle.iter().map(happening).collect(),
            choices: choices(explanation, network),
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

/// The run and the cycle of an explanation as the numbers of the steps that were possible each time.
fn choices(explanation: &Explanation, network: &Network) -> Option<Vec<usize>> {
    let mut session = Session::new(network);
    let events = explanation.run.iter().chain(&explanation.cycle);
    events
        .map(|event| {
            let choice = session.actions().flat_map(|action| action.steps()).position(|step| step == event.step)?;
            session.take(event.step).then_some(choice)
        })
        .collect()
}
