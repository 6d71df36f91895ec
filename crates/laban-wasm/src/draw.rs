//! Drawings of networks, choreographies and answers.

use crate::desk::{Desk, Fields, Form, Side, Stream};
use crate::request::{Drawing, Request};
use laban::extraction::{ExtractOptions, Verdict};
use laban::network::Network;
use laban::{Choreography, Extraction, Model, ProjectOptions};
use laban_draw::sequence::{self, Sequence};
use laban_draw::{Dot, Focus, Mermaid, Picture, Svg, automata, communications, protocol};
use laban_report::{Exit, Input, NO_PROCESSES, fault, graphs, named, no_process, sequence_of};
use serde::Serialize;

/// A drawing, or why there isn't one.
#[derive(Serialize)]
pub(crate) struct Drawn {
    of: String,
    format: String,
    text: Option<String>,
    said: String,
}

impl Drawing {
    fn drawn(&self, text: Result<String, String>) -> Drawn {
        let (text, said) = match text {
            Ok(text) => (Some(text), String::new()),
            Err(said) => (None, said),
        };
        Drawn { of: self.of.clone(), format: self.format.clone(), text, said }
    }

    /// How much is drawn of a system with these processes.
    fn focus<'a>(&self, processes: impl Iterator<Item = &'a str>) -> Result<Focus, String> {
        let names: Vec<String> = self.focus.iter().map(|name| name.trim().to_string()).collect();
        let processes: Vec<&str> = if names.is_empty() { Vec::new() } else { processes.collect() };
        if let Some(unknown) = names.iter().find(|name| !processes.contains(&name.as_str())) {
            return Err(format!("--focus: {}", no_process(unknown, processes)));
        }
        let mut focus = Focus { processes: names, ..Focus::default() };
        if let Some(most) = self.max_nodes {
            (focus.max_nodes, focus.max_items) = (most, most);
        }
        Ok(focus)
    }

    fn network_focus(&self, network: &Network) -> Result<Focus, String> {
        self.focus(network.process_ids().map(|process| network.process_name(process)))
    }

    /// A sequence diagram in the language that is asked for.
    fn sequence(&self, drawn: &Sequence) -> Result<String, String> {
        match self.format.as_str() {
            "svg" if self.steps => Ok(sequence::SvgSteps(drawn).to_string()),
            "svg" => Ok(sequence::SvgSequence(drawn).to_string()),
            "" | "mermaid" => Ok(sequence::MermaidSequence(drawn).to_string()),
            "markdown" => Ok(sequence::Markdown(drawn).to_string()),
            "plantuml" => Ok(sequence::PlantUml(drawn).to_string()),
            _ => Err("a sequence diagram is written with the format svg, mermaid, markdown or plantuml".to_string()),
        }
    }

    /// A graph in the language that is asked for.
    fn picture(&self, picture: &Picture) -> Result<String, String> {
        match self.format.as_str() {
            "svg" => Ok(Svg(picture).to_string()),
            "mermaid" => Ok(Mermaid(picture).to_string()),
            "" | "dot" => Ok(Dot(picture).to_string()),
            _ => Err("a graph is written with the format svg, mermaid or dot".to_string()),
        }
    }

    /// A drawing that is made of processes, rather than of a choreography.
    fn processes(&self, network: &Network, focus: &Focus, options: &ExtractOptions<'_>) -> Result<String, String> {
        let small;
        let drawn = match self.minimised {
            true => {
                small = network.minimised();
                &small
            }
            false => network,
        };
        let picture = match self.of.as_str() {
            "automata" => automata(drawn, focus),
            "communications" => communications(drawn, focus),
            "seg" => {
                let options = ExtractOptions { merge: self.minimised, certify: false, ..*options };
                let answer = laban::extract(network, &options).map_err(fault)?;
                graphs(&answer, network, focus).ok_or("undecided: the search was given up")?
            }
            _ => return Err(format!("there is no drawing `{}`", self.of)),
        };
        self.picture(&picture)
    }

    /// The drawing of an answer about a network.
    fn of_answer(
        &self,
        answer: &Extraction,
        network: &Network,
        options: &ExtractOptions<'_>,
    ) -> Result<String, String> {
        let focus = self.network_focus(network)?;
        match (self.of.as_str(), answer.choreography()) {
            ("sequence", _) if answer.verdict() == Verdict::Undecided => Err("undecided".to_string()),
            ("sequence", _) => self.sequence(&sequence_of(answer, network, &focus)),
            ("protocol", Some(choreography)) => self.picture(&protocol(choreography, &focus)),
            ("protocol", None) => Err("there is no choreography".to_string()),
            _ => self.processes(network, &focus, options),
        }
    }
}

/// What is drawn of an answer.
pub(crate) fn of_answer(
    desk: &Desk<'_>,
    drawings: &[Drawing],
    answer: &Extraction,
    network: &Network,
) -> Result<Vec<Drawn>, String> {
    let options = desk.options()?;
    Ok(drawings.iter().map(|drawing| drawing.drawn(drawing.of_answer(answer, network, &options))).collect())
}

/// Sequence diagrams, and nothing else.
pub(crate) fn of_sequence(drawings: &[Drawing], draw: impl Fn(&Focus) -> Sequence) -> Vec<Drawn> {
    let text = |drawing: &Drawing| match drawing.of.as_str() {
        "sequence" => drawing.focus([].into_iter()).and_then(|focus| drawing.sequence(&draw(&focus))),
        _ => Err("only a sequence diagram can be drawn of this".to_string()),
    };
    drawings.iter().map(|drawing| drawing.drawn(text(drawing))).collect()
}

/// Nothing is drawn, for this reason.
pub(crate) fn none(drawings: &[Drawing], why: &str) -> Vec<Drawn> {
    drawings.iter().map(|drawing| drawing.drawn(Err(why.to_string()))).collect()
}

/// One drawing of whatever the text is.
pub(crate) fn draw(request: &Request) -> Result<Fields, String> {
    let mut desk = Desk::new(request)?;
    let mut drawing = request.drawing();
    let read = desk.read(|reader| reader.models(desk.raws(Side::Files, reader)));
    let Some((input, model)) = desk.accept(Side::Files, read, Form::Full) else {
        desk.fields.put("text", ());
        return Ok(desk.finish(Exit::Bad));
    };
    if drawing.of.is_empty() {
        drawing.of = match &model {
            Model::Network(_) => "communications".to_string(),
            Model::Choreography(_) => "sequence".to_string(),
        };
    }
    let drawn = match model {
        Model::Network(network) => of_network(&mut desk, &drawing, &input, network)?,
        Model::Choreography(choreography) => of_choreography(&mut desk, &drawing, &input, &choreography)?,
    };
    let exit = match drawn {
        Ok((text, exit)) => {
            desk.fields.put("text", &text);
            desk.output.push_str(text.as_deref().unwrap_or_default());
            exit
        }
        Err((message, exit)) => {
            desk.fields.put("text", ());
            desk.error(&message);
            exit
        }
    };
    Ok(desk.finish(exit))
}

/// A drawing and the answer; or a message and the answer.
type Outcome = Result<(Option<String>, Exit), (String, Exit)>;

fn of_network(desk: &mut Desk<'_>, drawing: &Drawing, input: &Input, mut network: Network) -> Result<Outcome, String> {
    let wrong = |message| (message, Exit::Bad);
    if !desk.prepare(&mut network)? {
        return Ok(Ok((None, Exit::Bad)));
    }
    let focus = match drawing.network_focus(&network) {
        Ok(focus) => focus,
        Err(message) => return Ok(Err(wrong(message))),
    };
    if !matches!(drawing.of.as_str(), "sequence" | "protocol") {
        let text = drawing.processes(&network, &focus, &desk.options()?);
        return Ok(text.map(|text| (Some(text), Exit::Yes)).map_err(|message| {
            let exit = if message.starts_with("undecided") { Exit::Undecided } else { Exit::Bad };
            (message, exit)
        }));
    }
    let answer = match desk.thorough_answer(&network)? {
        Ok(answer) => answer,
        Err(error) => return Ok(Err((fault(error), Exit::Fault))),
    };
    let text = match (drawing.of.as_str(), answer.choreography()) {
        ("protocol", Some(choreography)) => Some(drawing.picture(&protocol(choreography, &focus))),
        ("sequence", _) if answer.verdict() != Verdict::Undecided => {
            Some(drawing.sequence(&sequence_of(&answer, &network, &focus)))
        }
        _ => None,
    };
    let text = match text.transpose() {
        Ok(text) => text,
        Err(message) => return Ok(Err(wrong(message))),
    };
    let failures: Vec<_> = answer.explanations().iter().map(|one| one.diagnostic(&network)).collect();
    desk.tell(&desk.places(Side::Files, input), &failures, Form::Full, Stream::Said);
    if answer.verdict() == Verdict::Undecided {
        let message = desk.undecided(&answer, &network);
        desk.error(&message);
    }
    Ok(Ok((text, answer.verdict().into())))
}

fn of_choreography(
    desk: &mut Desk<'_>,
    drawing: &Drawing,
    input: &Input,
    choreography: &Choreography,
) -> Result<Outcome, String> {
    let request = desk.request;
    let wrong = |message| (message, Exit::Bad);
    let focus = match drawing.focus(choreography.processes().iter().map(|&name| choreography.text(name))) {
        Ok(focus) => focus,
        Err(message) => return Ok(Err(wrong(message))),
    };
    let services = match named(&request.services, choreography, "--service") {
        Ok(services) => services,
        Err(message) => return Ok(Err(wrong(message))),
    };
    let text = match drawing.of.as_str() {
        "sequence" => {
            let Some(tree) = input.analysis.choreography_tree() else { return Ok(Ok((None, Exit::Bad))) };
            let names = request.services.iter().map(String::as_str);
            drawing.sequence(&sequence::choreography(tree, &focus).with_services(names))
        }
        "protocol" => drawing.picture(&protocol(choreography, &focus)),
        _ => {
            let options = ProjectOptions { services: &services, limits: request.limits() };
            match laban::project(choreography, &options) {
                Ok(projection) if projection.network.processes().is_empty() => {
                    return Ok(Err(wrong(format!("{}: {NO_PROCESSES}", input.source.name))));
                }
                Ok(projection) => drawing.processes(&projection.network, &focus, &desk.options()?),
                Err(refused) => {
                    let diagnostics = input.untold(choreography, refused.reasons());
                    desk.tell(&desk.places(Side::Files, input), &diagnostics, Form::Full, Stream::Said);
                    let message = "this drawing needs the projection, and there isn't one; --of sequence works without";
                    return Ok(Err((message.to_string(), Exit::No)));
                }
            }
        }
    };
    Ok(text.map(|text| (Some(text), Exit::Yes)).map_err(wrong))
}
