//! The same in another language.

use crate::errors::{Kind, about, error, wrong};
use crate::extraction::processes;
use crate::interrupt::interruptible;
use crate::model::AnyModel;
use crate::options::SearchOptions;
use laban::diagnostic::{Code, Diagnostic};
use laban::extraction::{Found, Verdict};
use laban::text::Span;
use laban::{Model, Network, NotProjected, Pretty, ProjectOptions, SyntaxTree};
use laban_formats::write_aldebaran;
use laban_report::{Input, Need, Target};
use pyo3::prelude::*;

/// Writes a model in another language; a protocol gets a name.
#[pyfunction]
pub(crate) fn convert(
    py: Python<'_>,
    model: AnyModel<'_>,
    to: &str,
    name: &str,
    options: SearchOptions,
) -> PyResult<String> {
    let input = model.input();
    let Some(target) = Target::all().find(|target| target.name() == to) else {
        let names: Vec<&str> = Target::all().map(Target::name).collect();
        return Err(wrong(format!("to: expected one of {}", names.join(", "))));
    };
    // A tree that has the names of procedures is better than one that is made of the model.
    let source = if input.foreign.is_none() { input.source.text.as_str() } else { "" };
    match (target, input.analysis.tree()) {
        (Target::Own(laban::syntax::Kind::Network), SyntaxTree::Network(tree)) if !options.changes() => {
            return Ok(Pretty { tree, source }.to_string());
        }
        (Target::Own(laban::syntax::Kind::Choreography), SyntaxTree::Choreography(tree)) => {
            return Ok(Pretty { tree, source }.to_string());
        }
        _ => {}
    }
    let model = changed(py, &input, target, &options)?;
    let written = match (target.need(), &model) {
        (Need::Graph, Model::Network(network)) => graph(py, network, &options)?,
        _ => target.write(&model, name),
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
                Ok(projection) if projection.network.processes().is_empty() => {
                    Err(wrong("this choreography has no processes, and a network has at least one"))
                }
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
    let wrong = |message: &str| Diagnostic::new(Code::Inexpressible, Span::default(), message);
    Ok(match answer.components() {
        [only] => match &only.found {
            Found::Graph(graph) => Ok(write_aldebaran(answer.searched(network), graph)),
            // As far as it was explored, which is not all.
            Found::Failure(..) => Err(wrong("this network has no choreography, so its graph is not complete")),
            Found::Undecided(_) => {
                return Err(error(py, Kind::Undecided, &options.why_undecided(&answer), Vec::new()));
            }
        },
        several => {
            let count = several.len();
            let message = format!("this network has {count} parts that never interact, and a transition system is one");
            Err(wrong(&message).hint("`split=False` searches the network as a whole"))
        }
    })
}
