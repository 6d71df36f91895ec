//! The same in another language.

use crate::errors::{Kind, about, error, wrong};
use crate::extraction::processes;
use crate::interrupt::interruptible;
use crate::model::AnyModel;
use crate::options::SearchOptions;
use laban::extraction::Verdict;
use laban::{Diagnostic, Model, Network, NotProjected, ProjectOptions};
use laban_report::{Input, NO_PROCESSES, Need, Target, graph_text, own_text, protocol_name};
use pyo3::prelude::*;

/// Writes a model in another language; a protocol gets a name.
#[pyfunction]
pub(crate) fn convert(
    py: Python<'_>,
    model: AnyModel<'_>,
    to: &str,
    name: Option<String>,
    options: SearchOptions,
) -> PyResult<String> {
    let input = model.input();
    let Some(target) = Target::all().find(|target| target.name() == to) else {
        let names: Vec<&str> = Target::all().map(Target::name).collect();
        return Err(wrong(format!("to: expected one of {}", names.join(", "))));
    };
    if let Some(text) = own_text(target, &input, !options.changes()) {
        return Ok(text);
    }
    let model = changed(py, &input, target, &options)?;
    let written = match (target.need(), &model) {
        (Need::Graph, Model::Network(network)) => graph(py, network, &options)?,
        _ => target.write(&model, &name.unwrap_or_else(|| protocol_name(&input))),
    };
    written.map_err(|diagnostic| about(py, Kind::Inexpressible, &input.source, &[diagnostic]))
}

/// The model that can be written: what was given, or its projection or choreography.
fn changed(py: Python<'_>, input: &Input, target: Target, options: &SearchOptions) -> PyResult<Model> {
    match (input.analysis.model(), target.need()) {
        (None, _) => Err(wrong("there is nothing to write")),
        (Some(Model::Network(network)), Need::Choreography) => {
            let network = options.applied(network)?;
            if let Some(refusal) = options.refusal(&network) {
                return Err(wrong(refusal));
            }
            let answer = interruptible(py, |stop| options.thorough_answer(&network, stop))?;
            let answer = answer.map_err(|fault| error(py, Kind::Fault, &fault.to_string(), Vec::new()))?;
            match (answer.choreography(), answer.verdict()) {
                (Some(choreography), _) => Ok(Model::Choreography(choreography.clone())),
                (None, Verdict::Undecided) => {
                    Err(error(py, Kind::Undecided, &options.why_undecided(&answer), Vec::new()))
                }
                (None, _) => {
                    let failures: Vec<Diagnostic> =
                        answer.explanations().iter().map(|one| one.diagnostic(&network)).collect();
                    Err(about(py, Kind::Inexpressible, &input.source, &failures))
                }
            }
        }
        (Some(Model::Network(network)), _) => Ok(Model::Network(options.applied(network)?)),
        (Some(Model::Choreography(choreography)), Need::Network | Need::Graph) => {
            let services = processes(choreography, options.services())?;
            let limit = options.limit();
            let projected = interruptible(py, |stop| {
                limit.with_limits(stop, |limits| {
                    laban::project(choreography, &ProjectOptions { services: &services, limits })
                })
            })?;
            match projected {
                Ok(projection) if projection.network.processes().is_empty() => Err(wrong(NO_PROCESSES)),
                Ok(projection) => {
                    let mut network = projection.network;
                    // Services were there before.
                    let _ = options.apply(&mut network);
                    Ok(Model::Network(network))
                }
                Err(NotProjected::Undecided(_)) => Err(error(py, Kind::Undecided, &limit.gave_up(), Vec::new())),
                Err(refused) => {
                    let reasons = input.untold(choreography, refused.reasons());
                    Err(about(py, Kind::Unprojectable, &input.source, &reasons))
                }
            }
        }
        (Some(model), _) => Ok(model.clone()),
    }
}

/// The symbolic execution graph of a network, as a labelled transition system.
fn graph(py: Python<'_>, network: &Network, options: &SearchOptions) -> PyResult<Result<String, Diagnostic>> {
    if let Some(refusal) = options.refusal(network) {
        return Err(wrong(refusal));
    }
    let answer = interruptible(py, |stop| options.graphs(network, stop, true))?;
    let answer = answer.map_err(|fault| error(py, Kind::Fault, &fault.to_string(), Vec::new()))?;
    graph_text(&answer, network).ok_or_else(|| error(py, Kind::Undecided, &options.why_undecided(&answer), Vec::new()))
}
