//! Pictures of everything: as SVG, Mermaid, PlantUML, Markdown or DOT.

use crate::answer::Answer;
use crate::compare::{Comparison, Verification};
use crate::errors::{Kind, about, error, wrong};
use crate::extraction::{Extraction, processes};
use crate::failure::Failure;
use crate::interrupt::interruptible;
use crate::model::{AnyModel, choreography_of};
use crate::options::SearchOptions;
use crate::run::Run;
use laban::extraction::{Verdict, explain::Explanation};
use laban::{Model, Network, ProjectOptions};
use laban_draw::sequence::{self, Markdown, MermaidSequence, PlantUml, Sequence, SvgSequence};
use laban_draw::{Dot, Focus, Mermaid, Picture, Svg, automata, communications, protocol};
use laban_report::{Input, NO_PROCESSES, graphs, no_process, sequence_of};
use pyo3::prelude::*;

/// What can be drawn.
#[derive(FromPyObject)]
pub(crate) enum Subject<'py> {
    Model(AnyModel<'py>),
    Extraction(Bound<'py, Extraction>),
    Failure(Bound<'py, Failure>),
    Run(Bound<'py, Run>),
    Verification(Bound<'py, Verification>),
    Comparison(Bound<'py, Comparison>),
}

/// How it is drawn.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct DrawOptions {
    of: Option<String>,
    format: String,
    focus: Vec<String>,
    max_nodes: Option<usize>,
    minimised: bool,
}

/// A drawing, before it is written.
enum Drawn {
    Sequence(Sequence),
    Picture(Picture),
}

impl Drawn {
    fn write(&self, format: &str) -> PyResult<String> {
        match (self, format) {
            (Drawn::Sequence(drawn), "svg") => Ok(SvgSequence(drawn).to_string()),
            (Drawn::Sequence(drawn), "mermaid") => Ok(MermaidSequence(drawn).to_string()),
            (Drawn::Sequence(drawn), "markdown") => Ok(Markdown(drawn).to_string()),
            (Drawn::Sequence(drawn), "plantuml") => Ok(PlantUml(drawn).to_string()),
            (Drawn::Sequence(_), _) => {
                Err(wrong("a sequence diagram has the format svg, mermaid, markdown or plantuml"))
            }
            (Drawn::Picture(picture), "svg") => Ok(Svg(picture).to_string()),
            (Drawn::Picture(picture), "mermaid") => Ok(Mermaid(picture).to_string()),
            (Drawn::Picture(picture), "dot") => Ok(Dot(picture).to_string()),
            (Drawn::Picture(_), _) => Err(wrong("a graph has the format svg, mermaid or dot")),
        }
    }
}

impl DrawOptions {
    fn focus<'a>(&self, processes: impl Iterator<Item = &'a str>) -> PyResult<Focus> {
        let processes: Vec<&str> = processes.collect();
        if let Some(unknown) = self.focus.iter().find(|name| !processes.contains(&name.as_str())) {
            return Err(wrong(format!("focus: {}", no_process(unknown, processes))));
        }
        let mut focus = Focus { processes: self.focus.clone(), ..Focus::default() };
        if let Some(most) = self.max_nodes {
            focus.max_nodes = most;
            focus.max_items = most;
        }
        Ok(focus)
    }

    fn of_network(&self, network: &Network) -> PyResult<Focus> {
        self.focus(network.process_ids().map(|process| network.process_name(process)))
    }
}

/// Draws something.
#[pyfunction]
pub(crate) fn draw(
    py: Python<'_>,
    subject: Subject<'_>,
    drawing: DrawOptions,
    options: SearchOptions,
) -> PyResult<String> {
    let drawn = match subject {
        Subject::Model(model) => draw_model(py, &model.input(), &drawing, &options)?,
        Subject::Extraction(extraction) => {
            let extraction = extraction.get();
            let Some(answer) = extraction.answer() else { return Err(wrong("there is nothing to draw")) };
            let Some(network) = answer.network() else { return Err(wrong("there is nothing to draw")) };
            Drawn::Sequence(sequence_of(&answer.extraction, network, &drawing.of_network(network)?))
        }
        Subject::Failure(failure) => match failure.get().parts() {
            Some((network, explanation)) => {
                Drawn::Sequence(sequence::witness(network, explanation, &drawing.of_network(network)?))
            }
            None => return Err(wrong("there is nothing to draw")),
        },
        Subject::Run(run) => Drawn::Sequence(run.get().sequence(&Focus::default())),
        Subject::Verification(verification) => match verification.get().sequence()? {
            Some(drawn) => Drawn::Sequence(drawn),
            None => return Err(wrong("the choreography describes the network, so there is nothing to draw")),
        },
        Subject::Comparison(comparison) => match comparison.get().sequence() {
            Some(drawn) => Drawn::Sequence(drawn),
            None => return Err(wrong("they can do the same, so there is nothing to draw")),
        },
    };
    drawn.write(&drawing.format)
}

fn draw_model(py: Python<'_>, input: &Input, drawing: &DrawOptions, options: &SearchOptions) -> PyResult<Drawn> {
    match input.analysis.model() {
        None => Err(wrong("there is nothing to draw")),
        Some(Model::Network(network)) => {
            let network = options.applied(network)?;
            let focus = drawing.of_network(&network)?;
            let of = drawing.of.as_deref().unwrap_or("communications");
            match of {
                "sequence" | "protocol" => {
                    if let Some(refusal) = options.refusal(&network) {
                        return Err(wrong(refusal));
                    }
                    let answer = interruptible(py, |stop| options.thorough_answer(&network, stop))?;
                    let answer = answer.map_err(|fault| error(py, Kind::Fault, &fault.to_string(), Vec::new()))?;
                    match (of, answer.choreography(), answer.verdict()) {
                        (_, _, Verdict::Undecided) => {
                            Err(error(py, Kind::Undecided, &options.why_undecided(&answer), Vec::new()))
                        }
                        ("protocol", Some(choreography), _) => Ok(Drawn::Picture(protocol(choreography, &focus))),
                        ("protocol", None, _) => {
                            let failures: Vec<_> =
                                answer.explanations().iter().map(|one| one.diagnostic(&network)).collect();
                            Err(about(py, Kind::Inexpressible, &input.source, &failures))
                        }
                        _ => Ok(Drawn::Sequence(sequence_of(&answer, &network, &focus))),
                    }
                }
                _ => draw_processes(py, &network, of, &focus, drawing, options),
            }
        }
        Some(Model::Choreography(choreography)) => {
            let names = choreography.processes().iter().map(|&name| choreography.text(name));
            let focus = drawing.focus(names)?;
            let services = processes(choreography, options.services())?;
            match drawing.of.as_deref().unwrap_or("sequence") {
                "sequence" => {
                    let Some(tree) = input.analysis.choreography_tree() else {
                        return Err(wrong("there is nothing to draw"));
                    };
                    let services = options.services().iter().map(String::as_str);
                    Ok(Drawn::Sequence(sequence::choreography(tree, &focus).with_services(services)))
                }
                "protocol" => Ok(Drawn::Picture(protocol(choreography, &focus))),
                of => match laban::project(choreography, &ProjectOptions { services: &services, ..Default::default() })
                {
                    Ok(projection) if projection.network.processes().is_empty() => Err(wrong(NO_PROCESSES)),
                    Ok(projection) => draw_processes(py, &projection.network, of, &focus, drawing, options),
                    Err(refused) => {
                        let reasons = input.untold(choreography, refused.reasons());
                        Err(about(py, Kind::Unprojectable, &input.source, &reasons))
                    }
                },
            }
        }
    }
}

/// Draws what is made of processes, rather than of a choreography.
fn draw_processes(
    py: Python<'_>,
    network: &Network,
    of: &str,
    focus: &Focus,
    drawing: &DrawOptions,
    options: &SearchOptions,
) -> PyResult<Drawn> {
    let small;
    let shown = match drawing.minimised && of != "seg" {
        true => {
            small = network.minimised();
            &small
        }
        false => network,
    };
    match of {
        "communications" => Ok(Drawn::Picture(communications(shown, focus))),
        "automata" => Ok(Drawn::Picture(automata(shown, focus))),
        "seg" => {
            if let Some(refusal) = options.refusal(network) {
                return Err(wrong(refusal));
            }
            let answer = interruptible(py, |stop| options.graphs(network, stop, drawing.minimised))?;
            let answer = answer.map_err(|fault| error(py, Kind::Fault, &fault.to_string(), Vec::new()))?;
            match graphs(&answer, network, focus) {
                Some(picture) => Ok(Drawn::Picture(picture)),
                None => Err(error(py, Kind::Undecided, &options.why_undecided(&answer), Vec::new())),
            }
        }
        _ => Err(wrong("of: expected communications, automata, seg, sequence or protocol")),
    }
}

/// Who talks to whom, for notebooks.
pub(crate) fn communications_svg(network: &Network) -> String {
    Svg(&communications(network, &Focus::default())).to_string()
}

/// A choreography, for notebooks.
pub(crate) fn sequence_svg(input: &Input) -> PyResult<String> {
    choreography_of(input)?;
    let tree = input.analysis.choreography_tree();
    let drawn = tree.map(|tree| sequence::choreography(tree, &Focus::default()));
    Ok(drawn.map_or_else(String::new, |drawn| SvgSequence(&drawn).to_string()))
}

/// A failure, for notebooks.
pub(crate) fn failure_svg(network: &Network, explanation: &Explanation) -> String {
    SvgSequence(&sequence::witness(network, explanation, &Focus::default())).to_string()
}

/// An answer, for notebooks.
pub(crate) fn answer_svg(answer: &Answer) -> Option<String> {
    if answer.extraction.verdict() == Verdict::Undecided {
        return None;
    }
    let drawn = sequence_of(&answer.extraction, answer.network()?, &Focus::default());
    Some(SvgSequence(&drawn).to_string())
}
