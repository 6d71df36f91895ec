//! What there is to say about a text: at once, and with the verdict.

use crate::desk::{Desk, Fields, Form, Side, Stream};
use crate::failures::Failure;
use crate::places::{Place, Places};
use crate::request::Request;
use laban::diagnostic::Diagnostic;
use laban::syntax::Kind;
use laban::{Model, Network};
use laban_report::{Checked, Exit, Files, Input, MOST_DIAGNOSTICS, Raw, Refused, fault, unknown_services, untold};
use serde::Serialize;

#[derive(Serialize)]
struct ProcessRecord {
    name: String,
    service: bool,
    place: Option<Place>,
}

/// What is wrong with a text, without a search.
pub(crate) fn analyse(request: &Request) -> Result<Fields, String> {
    let mut desk = Desk::new(request)?;
    let mut exit = Exit::Yes;
    let parts = inputs(&mut desk, &mut exit);
    for (input, files) in &parts {
        desk.asides(input);
        let diagnostics = match input.analysis.model() {
            Some(_) => input.analysis.diagnostics().to_vec(),
            None => files.explained(&input.analysis),
        };
        desk.tell(&desk.places(Side::Files, input), &diagnostics, Form::Full, Stream::Output);
        if input.analysis.model().is_none() {
            exit.and(Exit::Bad);
        }
    }
    describe(&mut desk, parts.first().map(|(input, _)| input));
    Ok(desk.finish(exit))
}

/// The same with the verdict, in a line.
pub(crate) fn check(request: &Request) -> Result<Fields, String> {
    let mut desk = Desk::new(request)?;
    let mut exit = Exit::Yes;
    let (mut summary, mut verdict) = (None, None);
    let (mut failures, mut unknown) = (Vec::new(), Vec::new());
    let parts = inputs(&mut desk, &mut exit);
    for (input, files) in &parts {
        let (checked, found) = checked(&desk, input, *files, &mut unknown)?;
        summary.get_or_insert(checked.summary.clone());
        verdict = verdict.or(found);
        exit.and(tell(&mut desk, input, checked, &mut failures));
    }
    if !unknown.is_empty() {
        unknown.iter().for_each(|message| desk.error(message));
        exit.and(Exit::Bad);
    }
    describe(&mut desk, parts.first().map(|(input, _)| input));
    desk.fields.put("summary", summary);
    desk.fields.put("verdict", verdict);
    desk.fields.put("failures", failures);
    Ok(desk.finish(exit))
}

/// The texts, each with how the files make networks. What cannot be read is told.
fn inputs(desk: &mut Desk<'_>, exit: &mut Exit) -> Vec<(Input, Files)> {
    let mut inputs: Vec<Input> = Vec::new();
    let mut refused = Vec::new();
    desk.read(|reader| {
        let raws = desk.raws(Side::Files, reader).into_iter().map(|raw: Result<Raw, Refused>| {
            raw.map_err(|refused| (laban_report::File { name: String::new(), path: None }, refused))
        });
        let taken: Result<(), std::convert::Infallible> = reader.each(raws, |read| {
            match read {
                Ok(input) => inputs.push(input),
                Err((_, one)) => refused.push(one),
            }
            Ok(())
        });
        taken.unwrap_or_default();
    });
    if !refused.is_empty() {
        exit.and(Exit::Bad);
        desk.refuse(Side::Files, refused, Form::Full);
    }
    if desk.request.files.len() == 1 {
        return inputs.into_iter().map(|input| (input, Files::One)).collect();
    }
    // Parts of one network. A bracket that is not closed is a mistake of its own file.
    let is_part = |input: &Input| input.kind() == Kind::Network && input.format().is_none();
    let (parts, mut others): (Vec<Input>, Vec<Input>) = inputs.into_iter().partition(is_part);
    let (broken, fine): (Vec<Input>, Vec<Input>) =
        parts.into_iter().partition(|input| !input.analysis.syntax_errors().is_empty());
    let is_whole = broken.is_empty() && *exit == Exit::Yes;
    others.extend(broken);
    if is_whole && !fine.is_empty() {
        others.push(Input::together(fine));
    }
    others.into_iter().map(|input| (input, Files::Together)).collect()
}

/// What there is to say about a text, and the verdict of a network.
fn checked(
    desk: &Desk<'_>,
    input: &Input,
    files: Files,
    unknown: &mut Vec<String>,
) -> Result<(Checked, Option<&'static str>), String> {
    let request = desk.request;
    match input.analysis.model() {
        None => Ok((Checked::unusable(input, files), None)),
        Some(Model::Choreography(choreography)) => {
            let services = request.services.iter().map(String::as_str);
            let untold = untold(input, choreography, services, &desk.args, request.limits());
            Ok((Checked::choreography(input, choreography, untold), None))
        }
        Some(Model::Network(network)) => {
            let mut network: Network = network.clone();
            request.set_channels(&mut network)?;
            // Who does not exist is told at the end.
            unknown.extend(unknown_services(&request.services, &mut network));
            let diagnostics = input.analysis.diagnostics().to_vec();
            match desk.thorough_answer(&network)? {
                Ok(answer) => {
                    let verdict = answer.verdict().as_str();
                    let limits = || request.why_limited();
                    let strict = request.strict_services;
                    let left = answer.services_left(&network, request.limits());
                    Ok((Checked::network(network, answer, diagnostics, &left, strict, limits), Some(verdict)))
                }
                Err(error) => Ok((Checked::line(diagnostics, fault(error), Exit::Fault), None)),
            }
        }
    }
}

/// Tells what there is to say about a text.
fn tell(desk: &mut Desk<'_>, input: &Input, checked: Checked, records: &mut Vec<Failure>) -> Exit {
    let Checked { diagnostics, failures, left, summary, exit, .. } = checked;
    desk.asides(input);
    let places = desk.places(Side::Files, input);
    let all = failures.as_ref().map_or(0, |(_, explanations)| explanations.len());
    // Of very many, failures count more than warnings.
    let shown_failures = all.min(MOST_DIAGNOSTICS);
    let shown = diagnostics.len().min(MOST_DIAGNOSTICS - shown_failures);
    desk.tell(&places, diagnostics.get(..shown).unwrap_or_default(), Form::Full, Stream::Output);
    if let Some((network, explanations)) = &failures {
        for explanation in explanations.iter().take(shown_failures) {
            let number = tell_one(desk, &places, explanation.diagnostic(network));
            records.push(Failure::new(explanation, network, &places, Some(number)));
        }
    }
    for (diagnostic, _) in left {
        tell_one(desk, &places, diagnostic);
    }
    desk.omit(diagnostics.len() + all - shown - shown_failures);
    desk.say(&format!("{}: {summary}", input.called()));
    exit
}

fn tell_one(desk: &mut Desk<'_>, places: &Places<'_>, diagnostic: Diagnostic) -> usize {
    desk.tell(places, &[diagnostic], Form::Full, Stream::Output)
}

/// What a text is.
fn describe(desk: &mut Desk<'_>, input: Option<&Input>) {
    let kind = input.map(|input| match input.kind() {
        Kind::Network => "network",
        Kind::Choreography => "choreography",
    });
    let processes: Vec<ProcessRecord> = match input.map(|input| (input, input.analysis.model())) {
        Some((input, Some(Model::Network(network)))) => {
            let places = desk.places(Side::Files, input);
            let record = |process: &laban::network::Process| ProcessRecord {
                name: network.text(process.name).to_string(),
                service: process.service,
                place: places.place_of(process.span),
            };
            network.processes().iter().map(record).collect()
        }
        Some((_, Some(Model::Choreography(choreography)))) => {
            let record = |name: &laban::syntax::Symbol| ProcessRecord {
                name: choreography.text(*name).to_string(),
                service: false,
                place: None,
            };
            choreography.processes().iter().map(record).collect()
        }
        _ => Vec::new(),
    };
    desk.fields.put("kind", kind);
    desk.fields.put("usable", input.is_some_and(|input| input.analysis.model().is_some()));
    desk.fields.put("processes", processes);
    desk.fields.put("sequence", input.is_some_and(|input| input.diagram().is_some()));
}
