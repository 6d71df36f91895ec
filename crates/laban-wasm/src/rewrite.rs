//! Texts in, texts out: projections, amendments, layout, other languages.

use crate::desk::{Desk, Fields, Form, Side, Stream};
use crate::request::Request;
use laban::choreography::{AmendOptions, Choreography, Unamendable};
use laban::diagnostic::Diagnostic;
use laban::extraction::{ExtractOptions, Verdict};
use laban::network::ProcessId;
use laban::syntax::{ChoreographyTree, Compact, Pretty};
use laban::{Model, Network, NotProjected, ProjectOptions, SyntaxTree};
use laban_formats::{AddedArrow, AmendedDiagram, Format, NotAmended, amend_diagram, explain_untold};
use laban_report::{
    Exit, FEWER_SELECTIONS, Input, NO_PROCESSES, Need, Target, added_lines, conversion_warning, endpoints, fault,
    graph_text, named, own_text, protocol_name, unamendable_diagnostics,
};

/// A text and the answer is yes; or the answer.
type Outcome = Result<String, Exit>;

/// The network of a choreography.
pub(crate) fn project(request: &Request) -> Result<Fields, String> {
    let mut desk = Desk::new(request)?;
    let projected = projected(&mut desk);
    Ok(finish(desk, projected))
}

fn projected(desk: &mut Desk<'_>) -> Outcome {
    let request = desk.request;
    let (input, choreography) = choreography(desk).ok_or(Exit::Bad)?;
    chosen(desk, &choreography)?;
    let choreography = match request.amend {
        true => {
            let tree = amended(desk, &input, &choreography)?;
            // Read again, so that labels are in the order of the text, as they would be in a file.
            laban::analyse(Compact(&tree).to_string()).into_choreography().map_err(|_| Exit::Bad)?
        }
        false => choreography,
    };
    // New selections may change the order of the processes.
    let (processes, services) = chosen(desk, &choreography)?;
    match laban::project(&choreography, &ProjectOptions { services: &services, limits: request.limits() }) {
        Ok(projection) => {
            let tree = endpoints(&projection, &processes);
            if tree.units.is_empty() {
                desk.error(NO_PROCESSES);
                return Err(Exit::Bad);
            }
            Ok(match request.compact {
                true => format!("{}\n", Compact(&tree)),
                false => Pretty { tree: &tree, source: "" }.to_string(),
            })
        }
        Err(NotProjected::Undecided(_)) => Err(undecided(desk)),
        Err(failures) => {
            let diagnostics = match input.diagram().filter(|_| !request.amend) {
                Some((format, source)) => desk.args.with_options(input.is_block(), |options| {
                    explain_untold(format, &source, options, &choreography, failures.reasons())
                }),
                None => failures.reasons().iter().map(|reason| reason.diagnostic(&choreography)).collect(),
            };
            said(desk, &input, &diagnostics);
            Err(Exit::No)
        }
    }
}

/// The processes and the services that were asked for.
fn chosen(desk: &mut Desk<'_>, choreography: &Choreography) -> Result<(Vec<ProcessId>, Vec<ProcessId>), Exit> {
    let request = desk.request;
    let found = named(&request.processes, choreography, "--process")
        .and_then(|processes| Ok((processes, named(&request.services, choreography, "--service")?)));
    found.map_err(|message| {
        desk.error(&message);
        Exit::Bad
    })
}

/// A choreography or a diagram with what it lacks.
pub(crate) fn amend(request: &Request) -> Result<Fields, String> {
    let mut desk = Desk::new(request)?;
    let before: [(); 0] = [];
    desk.fields.put("added", before);
    let text = amended_text(&mut desk);
    Ok(finish(desk, text))
}

fn amended_text(desk: &mut Desk<'_>) -> Outcome {
    let request = desk.request;
    let (input, choreography) = choreography(desk).ok_or(Exit::Bad)?;
    if let Err(message) = named(&request.services, &choreography, "--service") {
        desk.error(&message);
        return Err(Exit::Bad);
    }
    if let Some((format, source)) = input.diagram() {
        let services: Vec<&str> = request.services.iter().map(String::as_str).collect();
        let options = AmendOptions { services: &services, limits: request.limits(), ..AmendOptions::default() };
        let amended = desk
            .args
            .with_options(input.is_block(), |read_options| amend_diagram(format, &source, read_options, &options));
        return amended_diagram(desk, &input, &choreography, amended);
    }
    let tree = amended(desk, &input, &choreography)?;
    Ok(match request.compact {
        true => format!("{}\n", Compact(&tree)),
        false => Pretty { tree: &tree, source: &input.source.text }.to_string(),
    })
}

/// A diagram with the arrows that it lacks; in Markdown, with the text around it.
fn amended_diagram(
    desk: &mut Desk<'_>,
    input: &Input,
    choreography: &Choreography,
    amended: Result<AmendedDiagram, NotAmended>,
) -> Outcome {
    let amended = match amended {
        Ok(amended) => amended,
        Err(NotAmended::Unread(unread)) => {
            said(desk, input, &unread.diagnostics);
            return Err(Exit::Bad);
        }
        Err(NotAmended::Unsayable(diagnostic)) => {
            said(desk, input, &[*diagnostic]);
            return Err(Exit::No);
        }
        Err(NotAmended::Unamendable(why)) => return Err(unamendable(desk, input, choreography, why)),
        // Whatever else there may be, it was not amended.
        Err(_) => return Err(Exit::No),
    };
    let lines = amended.added.iter().map(|AddedArrow { line, span }| (*span, format!("added {line}")));
    list(desk, input, lines, amended.fewest);
    let around = input.foreign.as_ref().and_then(|foreign| foreign.around.as_ref());
    let (before, after) = around.map_or(("", ""), |(before, after)| (before, after));
    Ok(format!("{before}{}{after}", amended.text))
}

/// The choreography with the selections that it lacks.
fn amended(desk: &mut Desk<'_>, input: &Input, choreography: &Choreography) -> Result<ChoreographyTree, Exit> {
    let request = desk.request;
    let services: Vec<&str> = request.services.iter().map(String::as_str).collect();
    let tree = input.analysis.choreography_tree().ok_or(Exit::Bad)?;
    let options = AmendOptions { services: &services, limits: request.limits(), ..AmendOptions::default() };
    match laban::amend(tree, &options) {
        Ok(amended) => {
            list(desk, input, added_lines(&amended.tree, &amended.added), amended.fewest);
            Ok(amended.tree)
        }
        Err(why) => Err(unamendable(desk, input, choreography, why)),
    }
}

/// Lists what was added.
fn list(
    desk: &mut Desk<'_>,
    input: &Input,
    lines: impl IntoIterator<Item = (laban::syntax::Span, String)>,
    fewest: bool,
) {
    let place = |(span, line): (laban::syntax::Span, String)| {
        let place = input.source.position(input.source.range(span).0);
        format!("{}:{}:{}: {line}", input.source.name, place.line, place.column)
    };
    let lines: Vec<String> = lines.into_iter().map(place).collect();
    lines.iter().for_each(|line| desk.aside(line));
    if !fewest {
        desk.aside(FEWER_SELECTIONS);
    }
    desk.fields.put("added", lines);
}

/// Says why a choreography cannot be amended.
fn unamendable(desk: &mut Desk<'_>, input: &Input, choreography: &Choreography, why: Unamendable) -> Exit {
    match why {
        Unamendable::IllFormed(diagnostics) => {
            said(desk, input, &diagnostics);
            Exit::Bad
        }
        Unamendable::Undecided(_) => undecided(desk),
        Unamendable::Unprojectable(failures) => {
            said(desk, input, &unamendable_diagnostics(&failures, choreography));
            Exit::No
        }
        // Whatever else there may be, it was not amended.
        _ => Exit::No,
    }
}

/// A text laid out.
pub(crate) fn fmt(request: &Request) -> Result<Fields, String> {
    let mut desk = Desk::new(request)?;
    let read = desk.read(|reader| {
        let mut raws = desk.raws(Side::Files, reader);
        raws.truncate(1);
        raws.pop().map(|raw| reader.one(raw, None))
    });
    let text = match read {
        Some(Ok(input)) => formatted(&mut desk, &input),
        Some(Err(refused)) => {
            desk.refuse(Side::Files, refused, Form::Full);
            Err(Exit::Bad)
        }
        None => Err(Exit::Bad),
    };
    Ok(finish(desk, text))
}

fn formatted(desk: &mut Desk<'_>, input: &Input) -> Outcome {
    if let Some(foreign) = &input.foreign {
        let what = foreign.format.map_or("Markdown", Format::description);
        desk.error(&format!(
            "cannot format {} ({what}): only networks and choreographies of Laban; `laban convert` turns it into one",
            input.source.name
        ));
        return Err(Exit::Bad);
    }
    let source = input.analysis.text();
    match (input.analysis.syntax_errors(), input.analysis.tree(), desk.request.compact) {
        ([], SyntaxTree::Network(tree), false) => Ok(Pretty { tree, source }.to_string()),
        ([], SyntaxTree::Network(tree), true) => Ok(format!("{}\n", Compact(tree))),
        ([], SyntaxTree::Choreography(tree), false) => Ok(Pretty { tree, source }.to_string()),
        ([], SyntaxTree::Choreography(tree), true) => Ok(format!("{}\n", Compact(tree))),
        (errors, ..) => {
            said(desk, input, errors);
            Err(Exit::Bad)
        }
    }
}

/// The same in another language.
pub(crate) fn convert(request: &Request) -> Result<Fields, String> {
    let mut desk = Desk::new(request)?;
    let name = request.to.as_deref().ok_or("to: it is not said which language to write")?;
    let target = Target::all().find(|target| target.name() == name);
    let target = target.ok_or_else(|| format!("to: `{name}` is not a language that can be written"))?;
    let stem = request.files.first().map_or("", |file| file.name.as_str());
    let stem = stem.rsplit(['/', '\\']).next().and_then(|name| name.split('.').next()).unwrap_or("");
    let stem = if stem.is_empty() { "laban" } else { stem };
    desk.fields.put("fileName", format!("{stem}.{}", target.extension()));
    let read = desk.read(|reader| reader.models(desk.raws(Side::Files, reader)));
    // A tree that has the names of procedures is better than one that is made of the model.
    let is_as_read =
        !matches!(request.channels_asked(), laban_report::ChannelsAsked::Given) && request.services.is_empty();
    let own = read.as_ref().ok().and_then(|reading| own_text(target, &reading.input, is_as_read));
    let Some((input, model)) = desk.accept(Side::Files, read, Form::Full) else {
        return Ok(finish(desk, Err(Exit::Bad)));
    };
    let text = match changed(&mut desk, model, &input, target)? {
        Ok(model) => written(&mut desk, &model, &input, target, own)?,
        Err(exit) => Err(exit),
    };
    Ok(finish(desk, text))
}

/// A model in another language.
fn written(
    desk: &mut Desk<'_>,
    model: &Model,
    input: &Input,
    target: Target,
    own: Option<String>,
) -> Result<Outcome, String> {
    if let Some(warning) = conversion_warning(target, model) {
        desk.aside(&format!("note: {warning}"));
    }
    let text = match (own, target.need(), model) {
        (Some(text), ..) => Ok(text),
        (None, Need::Graph, Model::Network(network)) => {
            let options = ExtractOptions { certify: false, ..desk.options()? };
            let answer = match laban::extract(network, &options) {
                Ok(answer) => answer,
                Err(error) => {
                    desk.error(&fault(error));
                    return Ok(Err(Exit::Fault));
                }
            };
            match graph_text(&answer, network) {
                Some(text) => text,
                None => {
                    let message = format!("undecided: {}", desk.why_undecided(&answer));
                    desk.error(&message);
                    return Ok(Err(Exit::Undecided));
                }
            }
        }
        (None, Need::Graph, Model::Choreography(_)) => return Ok(Err(Exit::Bad)),
        (None, ..) => target.write(model, &protocol_name(input)),
    };
    Ok(text.map_err(|diagnostic| {
        said(desk, input, &[diagnostic]);
        Exit::No
    }))
}

/// The model that can be written: what was read, or its projection or choreography.
fn changed(desk: &mut Desk<'_>, model: Model, input: &Input, target: Target) -> Result<Result<Model, Exit>, String> {
    let request = desk.request;
    let name = &input.source.name;
    match (model, target.need()) {
        (Model::Network(mut network), need) => {
            if !desk.prepare(&mut network)? {
                return Ok(Err(Exit::Bad));
            }
            match need {
                Need::Choreography => {
                    desk.aside(&format!("note: {name} is a network; what is written is its choreography"));
                    extracted(desk, &network, input)
                }
                Need::Network | Need::Graph | Need::Either => Ok(Ok(Model::Network(network))),
            }
        }
        (Model::Choreography(choreography), Need::Network | Need::Graph) => {
            desk.aside(&format!("note: {name} is a choreography; what is written is its projection"));
            let services = match named(&request.services, &choreography, "--service") {
                Ok(services) => services,
                Err(message) => {
                    desk.error(&message);
                    return Ok(Err(Exit::Bad));
                }
            };
            let options = ProjectOptions { services: &services, limits: request.limits() };
            match laban::project(&choreography, &options) {
                Ok(projection) if projection.network.processes().is_empty() => {
                    desk.error(&format!("{name}: {NO_PROCESSES}"));
                    Ok(Err(Exit::Bad))
                }
                Ok(projection) => {
                    let mut network = projection.network;
                    request.set_channels(&mut network)?;
                    Ok(Ok(Model::Network(network)))
                }
                Err(NotProjected::Undecided(_)) => {
                    desk.error("undecided: the projection was given up");
                    Ok(Err(Exit::Undecided))
                }
                Err(refused) => {
                    said(desk, input, &input.untold(&choreography, refused.reasons()));
                    desk.error(&format!("{} is for networks, and {name} has no projection", target.name()));
                    Ok(Err(Exit::No))
                }
            }
        }
        (model @ Model::Choreography(_), Need::Choreography | Need::Either) => Ok(Ok(model)),
    }
}

/// The choreography of a network.
fn extracted(desk: &mut Desk<'_>, network: &Network, input: &Input) -> Result<Result<Model, Exit>, String> {
    let answer = match desk.thorough_answer(network)? {
        Ok(answer) => answer,
        Err(error) => {
            desk.error(&fault(error));
            return Ok(Err(Exit::Fault));
        }
    };
    let failures: Vec<_> = answer.explanations().iter().map(|one| one.diagnostic(network)).collect();
    said(desk, input, &failures);
    match (answer.verdict(), answer.choreography()) {
        (Verdict::Undecided, _) => {
            let message = desk.undecided(&answer, network);
            desk.error(&message);
        }
        (_, Some(choreography)) => return Ok(Ok(Model::Choreography(choreography.clone()))),
        (_, None) => desk.error(&format!("{} has no choreography", input.source.name)),
    }
    Ok(Err(answer.verdict().into()))
}

/// Reads the choreography.
fn choreography(desk: &mut Desk<'_>) -> Option<(Input, Choreography)> {
    let read = desk.read(|reader| {
        let mut raws = desk.raws(Side::Files, reader);
        raws.truncate(1);
        raws.pop().map(|raw| reader.choreography(raw))
    });
    read.and_then(|read| desk.accept(Side::Files, read, Form::Full))
}

/// Says diagnostics beside the result.
fn said(desk: &mut Desk<'_>, input: &Input, diagnostics: &[Diagnostic]) {
    desk.tell(&desk.places(Side::Files, input), diagnostics, Form::Full, Stream::Said);
}

/// Says that the work was given up, and why.
fn undecided(desk: &mut Desk<'_>) -> Exit {
    let message = format!("undecided: {}", desk.request.why_limited());
    desk.aside(&message);
    Exit::Undecided
}

fn finish(mut desk: Desk<'_>, text: Outcome) -> Fields {
    match text {
        Ok(text) => {
            desk.output.push_str(&text);
            desk.fields.put("text", text);
            desk.finish(Exit::Yes)
        }
        Err(exit) => {
            desk.fields.put("text", ());
            desk.finish(exit)
        }
    }
}
