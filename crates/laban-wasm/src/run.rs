//! A run step by step: made anew from the choices with each request.

use crate::desk::{Desk, Fields, Form, Side, Stream};
use crate::draw;
use crate::failures::{Failure, Queue, StepRecord};
use crate::places::{Place, Places};
use crate::request::Request;
use laban::extraction::explain::Explanation;
use laban::network::{Network, ProcessId, State};
use laban::semantics::Step;
use laban::simulate::{Scheduler, Session, Status, Taken};
use laban::{Model, ProjectOptions};
use laban_draw::sequence;
use laban_report::{Ending, Exit, Input, again, cut, fault, named, standing};
use serde::Serialize;

/// More deadlocks than this, in parts that never interact, are not explained.
const MOST_EXPLAINED: usize = 10;

/// Where a process is.
#[derive(Serialize)]
struct ProcessRecord {
    process: String,
    service: bool,
    stopped: bool,
    idle: bool,
    stuck: bool,
    next: String,
    place: Option<Place>,
}

pub(crate) fn run(request: &Request) -> Result<Fields, String> {
    let mut desk = Desk::new(request)?;
    let read = desk.read(|reader| reader.models(desk.raws(Side::Files, reader)));
    let Some((input, mut model)) = desk.accept(Side::Files, read, Form::Full) else {
        return Ok(desk.finish(Exit::Bad));
    };
    request.set_channels_of(&mut model)?;
    let (network, kind) = match subject(&mut desk, &input, model)? {
        Ok(subject) => subject,
        Err(exit) => return Ok(desk.finish(exit)),
    };
    let mut session = Session::new(&network);
    let choices = taken(&mut session, request);
    let steps: Vec<Step> = session.taken().iter().map(|taken| taken.step).collect();
    let places = desk.places(Side::Files, &input);
    let happened: Vec<StepRecord> = session.taken().iter().map(|taken| happening(&network, &places, taken)).collect();
    let drawings = draw::of_sequence(&request.drawings, |focus| sequence::run(&network, &steps, focus));
    while session.len() > request.at.unwrap_or(usize::MAX) {
        session.undo();
    }

    let explanations = match session.deadlocks(MOST_EXPLAINED) {
        Ok(explanations) => explanations,
        Err(error) => {
            desk.error(&fault(error));
            return Ok(desk.finish(Exit::Fault));
        }
    };
    let diagnostics: Vec<_> = explanations.iter().map(|one| one.diagnostic(&network)).collect();
    let first = desk.tell(&places, &diagnostics, Form::Full, Stream::Said);
    let failure = |(index, one): (usize, &Explanation)| Failure::new(one, &network, &places, Some(first + index));
    let failures: Vec<Failure> = explanations.iter().enumerate().map(failure).collect();
    desk.fields.put("kind", kind);
    desk.fields.put("choices", choices);
    desk.fields.put("at", session.len());
    desk.fields.put("steps", happened);
    desk.fields.put("processes", processes(&network, &session, &places, &explanations));
    desk.fields.put("queues", queues(&network, &session));
    desk.fields.put("possible", possible(&network, &session, &places));
    desk.fields.put(
        "status",
        match session.status() {
            Status::Running => "running",
            Status::Stopped => "stopped",
            Status::Deadlock => "deadlock",
            Status::Orphan => "orphan",
        },
    );
    desk.fields.put("stuck", session.is_stuck());
    desk.fields.put("standing", standing(&network, &session, Ending::Left));
    desk.fields.put("again", again(&network, &session));
    desk.fields.put("failures", failures);
    desk.fields.put("drawings", drawings);
    let exit = match session.is_stuck() || session.status() == Status::Orphan {
        true => Exit::No,
        false => Exit::Yes,
    };
    Ok(desk.finish(exit))
}

/// The network that is run, and what it was; or the answer, if there isn't one.
fn subject(desk: &mut Desk<'_>, input: &Input, model: Model) -> Result<Result<(Network, &'static str), Exit>, String> {
    match model {
        Model::Network(mut network) => match desk.prepare(&mut network)? {
            true => Ok(Ok((network, "network"))),
            false => Ok(Err(Exit::Bad)),
        },
        Model::Choreography(choreography) => {
            let services = match named(&desk.request.services, &choreography, "--service") {
                Ok(services) => services,
                Err(message) => {
                    desk.error(&message);
                    return Ok(Err(Exit::Bad));
                }
            };
            let options = ProjectOptions { services: &services, limits: desk.request.limits() };
            match laban::project(&choreography, &options) {
                Ok(projection) => Ok(Ok((projection.network, "choreography"))),
                Err(refused) => {
                    let diagnostics = input.untold(&choreography, refused.reasons());
                    desk.tell(&desk.places(Side::Files, input), &diagnostics, Form::Full, Stream::Said);
                    desk.error("a choreography is run as its projection, and this one has none");
                    Ok(Err(Exit::No))
                }
            }
        }
    }
}

/// Takes the steps that were chosen, and then some at random. Gives the choices that were possible.
fn taken(session: &mut Session<'_>, request: &Request) -> Vec<usize> {
    let mut choices = Vec::new();
    for &choice in &request.choices {
        let step = session.actions().flat_map(|action| action.steps()).nth(choice);
        if !step.is_some_and(|step| session.take(step)) {
            return choices;
        }
        choices.push(choice);
    }
    let mut scheduler = Scheduler::new(request.seed, Vec::new());
    for _ in 0..request.random {
        let Some(step) = scheduler.choose(session) else { break };
        let number = session.actions().flat_map(|action| action.steps()).position(|one| one == step);
        let Some(number) = number.filter(|_| session.take(step)) else { break };
        choices.push(number);
    }
    choices
}

fn happening(network: &Network, places: &Places<'_>, taken: &Taken) -> StepRecord {
    let moves = taken.moves().map(|(process, state)| (process, network.origin(state)));
    StepRecord::new(network, places, taken.step, moves)
}

/// The steps that are possible now.
fn possible(network: &Network, session: &Session<'_>, places: &Places<'_>) -> Vec<StepRecord> {
    let steps: Vec<Step> = session.actions().flat_map(|action| action.steps()).collect();
    let is_decision = |step: &Step| matches!(step, Step::Decision { .. } | Step::Choice { .. });
    // How many messages that can be next each process has a part in.
    let mut parts = vec![0; network.processes().len()];
    for process in steps.iter().filter(|step| !is_decision(step)).flat_map(|step| step.actors()) {
        parts[process.index()] += 1;
    }
    let record = |(choice, &step): (usize, &Step)| {
        let at = |process| Some((process, network.origin(session.state_id(process)?)));
        let spans: Vec<_> = step.actors().filter_map(at).collect();
        let race = !is_decision(&step) && step.actors().any(|process| parts[process.index()] > 1);
        StepRecord::new(network, places, step, spans).numbered(choice, race)
    };
    steps.iter().enumerate().map(record).collect()
}

fn processes(
    network: &Network,
    session: &Session<'_>,
    places: &Places<'_>,
    explanations: &[Explanation],
) -> Vec<ProcessRecord> {
    let is_stuck = |process: ProcessId| {
        explanations.iter().any(|one| one.stuck.binary_search_by_key(&process, |waiting| waiting.process).is_ok())
    };
    let record = |process: ProcessId| {
        let state = session.state_id(process)?;
        let idle = network.is_idle(state);
        let next = network.state(state).describe(network);
        Some(ProcessRecord {
            process: network.process_name(process).to_string(),
            service: network.process(process).is_some_and(|process| process.service),
            stopped: network.state(state) == State::Stop,
            idle,
            stuck: is_stuck(process),
            next: cut(&if idle { format!("idle {next}") } else { next.to_string() }),
            place: places.place_of(network.origin(state)),
        })
    };
    network.process_ids().filter_map(record).collect()
}

fn queues(network: &Network, session: &Session<'_>) -> Vec<Queue> {
    let name = |process| network.process_name(process).to_string();
    let all = session.configuration().queues.iter();
    all.map(|(from, to, messages)| Queue {
        from: name(from),
        to: name(to),
        messages: messages.map(|content| content.describe(network).to_string()).collect(),
    })
    .collect()
}
