//! Comparing: does a choreography describe a network, and can two systems do the same?

use crate::desk::{Desk, Fields, Form, Side, Stream};
use crate::draw;
use crate::failures::StepRecord;
use crate::request::Request;
use laban::equivalence::{
    Equivalence, EquivalenceOptions, NotVerified, VerifyOptions, services_left, verify as verified,
};
use laban::{Model, StopReason};
use laban_draw::sequence;
use laban_report::{BOUNDED, Exit, comparison_sentence, left_diagnostic, left_exit};

/// Whether a choreography describes a network.
pub(crate) fn verify(request: &Request) -> Result<Fields, String> {
    let mut desk = with_both(request)?;
    let network = desk.read(|reader| reader.networks(desk.raws(Side::Files, reader)));
    let network = desk.accept(Side::Files, network, Form::Full);
    let choreography = desk.read(|reader| {
        let mut raws = desk.raws(Side::With, reader);
        let last = raws.pop();
        last.map(|last| reader.choreography(last))
    });
    let choreography = choreography.and_then(|read| desk.accept(Side::With, read, Form::Full));
    let (Some((text, mut network)), Some((protocol, choreography))) = (network, choreography) else {
        return Ok(nothing(desk));
    };
    if !desk.prepare(&mut network)? {
        return Ok(nothing(desk));
    }
    let options = VerifyOptions {
        limits: request.limits(),
        fair: request.fair,
        conditions: request.conditions()?,
        ..VerifyOptions::default()
    };
    let called = (protocol.source.name.as_str(), text.source.name.as_str());
    let exit = match verified(&network, &choreography, &options) {
        Err(NotVerified::Undecided(reason)) => {
            desk.say(&format!("undecided: {reason}; no mismatch between {} and {} so far", called.0, called.1));
            outcome(&mut desk, "undecided", None, Vec::new());
            desk.fields.put("drawings", draw::none(&request.drawings, "undecided"));
            Exit::Undecided
        }
        Ok(certificate) => {
            let left = services_left(&network, &choreography, &options);
            let diagnostics: Vec<_> =
                left.iter().map(|one| left_diagnostic(one, &network, request.strict_services)).collect();
            desk.tell(&desk.places(Side::Files, &text), &diagnostics, Form::Full, Stream::Output);
            let actions = if certificate.pairs == 1 { "action" } else { "actions" };
            desk.say(&format!("{} describes {}: {} {actions} checked", called.0, called.1, certificate.pairs));
            outcome(&mut desk, "describes", Some(certificate.pairs), Vec::new());
            desk.fields.put("drawings", draw::none(&request.drawings, "there is no mismatch"));
            left_exit(Exit::Yes, left.len(), request.strict_services)
        }
        Err(NotVerified::Mismatch(mismatch)) => {
            let mut diagnostic = mismatch.diagnostic(&network, &choreography);
            // Whoever draws a loop takes it for one that ends.
            let is_of_others = protocol.format().is_some() && !request.fair;
            if is_of_others && verified(&network, &choreography, &VerifyOptions { fair: true, ..options }).is_ok() {
                diagnostic = diagnostic
                    .hint("with `--fair`, where each decision goes each way some time, the network follows it");
            }
            desk.tell(&desk.places(Side::With, &protocol), &[diagnostic], Form::Full, Stream::Output);
            let places = mismatch.places(&network);
            desk.tell(&desk.places(Side::Files, &text), &places, Form::Full, Stream::Output);
            let shown = desk.places(Side::Files, &text);
            let steps = mismatch.steps(&network);
            let run: Vec<_> = steps.iter().map(|step| StepRecord::at(&shown, &step.label, step.span)).collect();
            outcome(&mut desk, "mismatch", None, run);
            let draw = |focus: &_| sequence::mismatch(&network, &choreography, &mismatch, focus);
            desk.fields.put("drawings", draw::of_sequence(&request.drawings, draw));
            Exit::No
        }
    };
    Ok(desk.finish(exit))
}

fn outcome(desk: &mut Desk<'_>, outcome: &str, checked: Option<usize>, run: Vec<StepRecord>) {
    desk.fields.put("outcome", outcome);
    desk.fields.put("checked", checked);
    desk.fields.put("run", run);
}

/// Whether two systems can do the same.
pub(crate) fn equiv(request: &Request) -> Result<Fields, String> {
    let mut desk = with_both(request)?;
    let [first, second] = [Side::Files, Side::With].map(|side| {
        let read = desk.read(|reader| reader.models(desk.raws(side, reader)));
        desk.accept(side, read, Form::Full)
    });
    let (Some((one, mut first)), Some((other, mut second))) = (first, second) else { return Ok(nothing(desk)) };
    request.set_channels_of(&mut first)?;
    request.set_channels_of(&mut second)?;
    let options = EquivalenceOptions {
        services: request.same_services,
        limits: request.limits(),
        conditions: request.conditions()?,
        messages: request.messages,
    };
    let comparison = laban::equivalent(&first, &second, &options);
    let names = [one.source.name.as_str(), other.source.name.as_str()];
    let sides = [(Side::Files, &one, &first), (Side::With, &other, &second)];
    for ((side, input, model), failures) in sides.into_iter().zip(&comparison.unprojectable) {
        let reasons = match model {
            Model::Network(_) => Vec::new(),
            Model::Choreography(choreography) => input.untold(choreography, failures),
        };
        desk.tell(&desk.places(side, input), &reasons, Form::Full, Stream::Said);
        if !failures.is_empty() {
            desk.aside(&format!("{} {BOUNDED}", input.source.name));
        }
    }
    let sentence = comparison_sentence(&comparison, names, false);
    desk.say(&sentence);
    let (outcome, exit) = match &comparison.answer {
        Equivalence::Same { .. } => ("same", Exit::Yes),
        Equivalence::Different(_) => ("different", Exit::No),
        Equivalence::Undecided { .. } => ("unknown", Exit::Undecided),
    };
    let ends = match &comparison.answer {
        Equivalence::Same { ends, .. } => ends.as_deref(),
        Equivalence::Different(_) | Equivalence::Undecided { .. } => None,
    };
    let reason = match &comparison.answer {
        Equivalence::Undecided { reason: reason @ (StopReason::Queues(_) | StopReason::SilentChoice), .. } => {
            Some(reason.to_string())
        }
        _ => comparison.difference().map(|difference| difference.sentence(names[0], names[1])),
    };
    let texts = |steps: &[laban::semantics::Step]| -> Vec<String> {
        let difference = comparison.difference();
        difference.map_or(Vec::new(), |one| steps.iter().map(|&step| one.step(step)).collect())
    };
    let difference = comparison.difference();
    desk.fields.put("outcome", outcome);
    desk.fields.put("exact", comparison.is_exact());
    desk.fields.put("sentence", sentence);
    desk.fields.put("reason", reason);
    desk.fields.put("ends", ends.map(|ends| ends.sentence(names[0], names[1])));
    desk.fields.put("run", difference.map_or(Vec::new(), |one| texts(&one.run)));
    desk.fields.put("firstCan", difference.map_or(Vec::new(), |one| texts(&one.possible[0])));
    desk.fields.put("secondCan", difference.map_or(Vec::new(), |one| texts(&one.possible[1])));
    let drawings = match difference.or(ends) {
        Some(difference) => {
            draw::of_sequence(&request.drawings, |focus| sequence::difference(difference, names[0], names[1], focus))
        }
        None => draw::none(&request.drawings, "there is no difference"),
    };
    desk.fields.put("drawings", drawings);
    Ok(desk.finish(exit))
}

fn with_both(request: &Request) -> Result<Desk<'_>, String> {
    match request.with.is_empty() {
        true => Err("with: there are no files to compare with".to_string()),
        false => Desk::new(request),
    }
}

/// The answer where there is nothing to compare.
fn nothing(mut desk: Desk<'_>) -> Fields {
    desk.fields.put("outcome", ());
    desk.fields.put("drawings", draw::none(&desk.request.drawings, ""));
    desk.finish(Exit::Bad)
}
