//! The choreography of a network, or why there isn't one.

use crate::desk::{Desk, Fields, Form, Side, Stream};
use crate::draw;
use crate::failures::Failure;
use crate::request::Request;
use laban::Extraction;
use laban::diagnostic::Diagnostic;
use laban::extraction::Verdict;
use laban::network::Network;
use laban::syntax::{Compact, Pretty};
use laban_report::{Exit, MOST_DIAGNOSTICS, fault, left_diagnostic, left_exit};
use serde::Serialize;

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Statistics {
    processes: usize,
    components: usize,
    states: usize,
    minimised: usize,
    nodes: usize,
    bad_loops: usize,
    checked: Option<usize>,
}

#[derive(Serialize)]
struct Capacity {
    from: String,
    to: String,
    messages: u32,
}

pub(crate) fn extract(request: &Request) -> Result<Fields, String> {
    let mut desk = Desk::new(request)?;
    let form = if request.compact { Form::Concise } else { Form::Full };
    let read = desk.read(|reader| reader.networks(desk.raws(Side::Files, reader)));
    let Some((input, mut network)) = desk.accept(Side::Files, read, form) else { return Ok(bad(desk)) };
    if !desk.prepare(&mut network)? {
        return Ok(bad(desk));
    }
    let answer = match desk.thorough_answer(&network)? {
        Ok(answer) => answer,
        Err(error) => {
            desk.error(&fault(error));
            nothing(&mut desk);
            return Ok(desk.finish(Exit::Fault));
        }
    };
    let places = desk.places(Side::Files, &input);
    let text = answer.tree().map(|tree| Pretty { tree, source: "" }.to_string());
    match answer.tree() {
        Some(tree) if request.compact => desk.output.push_str(&format!("{}\n", Compact(tree))),
        Some(_) => desk.output.push_str(text.as_deref().unwrap_or_default()),
        None => {}
    }
    let failures: Vec<Diagnostic> =
        answer.explanations().iter().map(|explanation| explanation.diagnostic(&network)).collect();
    let first = desk.tell(&places, &failures, form, Stream::Said);
    if answer.verdict() == Verdict::Undecided {
        let message = format!("{} ({} nodes seen)", desk.undecided(&answer, &network), answer.statistics().nodes);
        desk.error(&message);
    }
    let note: Vec<Diagnostic> = answer.capacities_note(&network, &desk.options()?).into_iter().collect();
    desk.tell(&places, &note, form, Stream::Said);
    let left = answer.services_left(&network, desk.options()?.limits);
    let diagnostics: Vec<Diagnostic> =
        left.iter().map(|left| left_diagnostic(left, &network, request.strict_services)).collect();
    desk.tell(&places, &diagnostics, form, Stream::Said);

    let record = |(index, explanation)| Failure::new(explanation, &network, &places, Some(first + index));
    let shown = answer.explanations().iter().enumerate().take(MOST_DIAGNOSTICS);
    let records: Vec<Failure> = shown.map(record).collect();
    desk.fields.put("verdict", answer.verdict().as_str());
    desk.fields.put("choreography", text);
    desk.fields.put("statistics", statistics(&answer, &network));
    desk.fields.put("capacities", capacities(&answer, &network));
    desk.fields.put("failures", records);
    desk.fields.put("servicesLeft", left.iter().map(|left| left.reason(&network)).collect::<Vec<_>>());
    let drawings = draw::of_answer(&desk, &request.drawings, &answer, &network)?;
    desk.fields.put("drawings", drawings);
    Ok(desk.finish(left_exit(answer.verdict().into(), left.len(), request.strict_services)))
}

/// The answer where there is nothing to search.
fn bad(mut desk: Desk<'_>) -> Fields {
    nothing(&mut desk);
    desk.finish(Exit::Bad)
}

fn nothing(desk: &mut Desk<'_>) {
    let nobody: [(); 0] = [];
    desk.fields.put("verdict", ());
    desk.fields.put("choreography", ());
    desk.fields.put("statistics", Statistics::default());
    desk.fields.put("drawings", draw::none(&desk.request.drawings, ""));
    ["capacities", "failures", "servicesLeft"].into_iter().for_each(|name| desk.fields.put(name, nobody));
}

fn statistics(answer: &Extraction, network: &Network) -> Statistics {
    Statistics {
        processes: network.processes().len(),
        components: answer.components().len(),
        states: network.states().len(),
        minimised: network.minimised().states().len(),
        nodes: answer.statistics().nodes,
        bad_loops: answer.statistics().bad_loops,
        checked: answer.certificate().map(|certificate| certificate.pairs),
    }
}

fn capacities(answer: &Extraction, network: &Network) -> Vec<Capacity> {
    let name = |process| network.process_name(process).to_string();
    answer.capacities().map(|(from, to, messages)| Capacity { from: name(from), to: name(to), messages }).collect()
}
