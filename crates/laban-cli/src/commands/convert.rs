//! `laban convert`: the same in another language.

use crate::console::Console;
use crate::exit::Exit;
use crate::fault;
use crate::formats::FormatArgs;
use crate::input;
use crate::reader::Reader;
use crate::report;
use crate::search_args::SearchArgs;
use crate::target::targets;
use laban::diagnostic::Diagnostic;
use laban::extraction::Verdict;
use laban::{Model, Network, NotProjected, ProjectOptions};
use laban_report::{Input, NO_PROCESSES, Need, Target, conversion_warning, graph_text, named, own_text, protocol_name};
use std::io::{self, Write};
use std::path::PathBuf;

/// Convert networks and choreographies from and to the languages of other tools
///
/// Reads a network or a choreography in any language that Laban knows. `net`, `fsa`, `kmc` and `promela` are
/// for networks; a choreography is projected first. `chor`, `scribble`, `nuscr`, `mermaid`, `plantuml`,
/// `choreography-automaton` and `bpmn` are for choreographies; the choreography of a network is extracted first.
/// `aldebaran` is for the symbolic execution graph of a network. `json` is for both, as they are. A note says when
/// something was projected or extracted.
///
/// If the language cannot express something, Laban reports what, with the code `inexpressible`, and writes nothing. A
/// note says when a network uses rendezvous but the tools of the language use queues.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The files of a network, or a choreography; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Language to write [default: by the name of the file of `--output`]
    #[arg(long, value_name = "FORMAT", value_parser = targets())]
    to: Option<Target>,

    #[command(flatten)]
    formats: FormatArgs,

    #[command(flatten)]
    search: SearchArgs,
}

const HELP: &str = "\
Examples:
  laban convert examples/two-buyer.net --to fsa
  laban convert examples/two-buyer.chor --to mermaid
  laban convert examples/formats/login.mmd --to chor
  laban convert examples/formats/ping-pong.fsa -o ping-pong.net
  laban convert examples/two-buyer.chor -o two-buyer.scr
  laban convert examples/two-buyer.net --to json -o two-buyer.json

Exit status:
  0  written
  1  the language cannot express it, or there is no projection or no choreography to write
  2  a file has mistakes or cannot be read, or the language to write is missing
  3  undecided within the limits, or interrupted
  4  a fault in laban itself";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let Some(target) = arguments.to.or_else(|| console.path().and_then(Target::of_file)) else {
        console.error(match console.path() {
            Some(_) => "the name of the output does not tell which language to write; say it with --to",
            None => "say which language to write with --to, as in --to fsa; `laban convert --help` lists them",
        });
        return Ok(Exit::Bad);
    };
    let search = &arguments.search;
    let read = Reader::new(&arguments.formats).with_channels(search.channels).models(&arguments.files);
    // A tree that has the names of procedures is better than one that is made of the model.
    let own = read.as_ref().ok().and_then(|reading| {
        let is_as_read = !search.channels.is_given() && search.services().next().is_none();
        own_text(target, &reading.input, is_as_read)
    });
    let Some((input, model)) = input::accepted(read, console)? else { return Ok(Exit::Bad) };
    let model = match changed(model, &input, arguments, target, console)? {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    if let Some(warning) = conversion_warning(target, &model) {
        console.say_aside(format_args!("note: {warning}"))?;
    }
    let written = match (own, target.need()) {
        (Some(text), _) => Ok(text),
        (None, Need::Graph) => match &model {
            Model::Network(network) => match graph(network, search, console) {
                Ok(text) => text,
                Err(exit) => return Ok(exit),
            },
            Model::Choreography(_) => return Ok(Exit::Bad),
        },
        (None, _) => target.write(&model, &protocol_name(&input)),
    };
    match written {
        Ok(text) => {
            console.data().write_all(text.as_bytes())?;
            Ok(Exit::Yes)
        }
        Err(diagnostic) => {
            report::write(report::Format::Full, &input.source, &[diagnostic], console.err())?;
            Ok(Exit::No)
        }
    }
}

/// The model that can be written: what was read, or its projection or choreography.
fn changed(
    model: Model,
    input: &Input,
    arguments: &Arguments,
    target: Target,
    console: &mut Console,
) -> io::Result<Result<Model, Exit>> {
    let search = &arguments.search;
    let name = &input.source.name;
    match (model, target.need()) {
        (Model::Network(mut network), need) => {
            search.channels.apply(&mut network);
            if !search.declare_services(&mut network, console) {
                return Ok(Err(Exit::Bad));
            }
            match need {
                Need::Choreography => {
                    console
                        .say_aside(format_args!("note: {name} is a network; what is written is its choreography"))?;
                    extracted(&network, input, search, console)
                }
                Need::Network | Need::Graph | Need::Either => Ok(Ok(Model::Network(network))),
            }
        }
        (Model::Choreography(choreography), Need::Network | Need::Graph) => {
            console.say_aside(format_args!("note: {name} is a choreography; what is written is its projection"))?;
            let services: Vec<String> = search.services().map(str::to_string).collect();
            let services = match named(&services, &choreography, "--service") {
                Ok(services) => services,
                Err(message) => {
                    console.error(message);
                    return Ok(Err(Exit::Bad));
                }
            };
            let projected = search.with_options(true, |options| {
                laban::project(&choreography, &ProjectOptions { services: &services, limits: options.limits })
            });
            match projected {
                Ok(projection) if projection.network.processes().is_empty() => {
                    console.error(format_args!("{name}: {NO_PROCESSES}"));
                    Ok(Err(Exit::Bad))
                }
                Ok(projection) => {
                    let mut network = projection.network;
                    search.channels.apply(&mut network);
                    Ok(Ok(Model::Network(network)))
                }
                Err(NotProjected::Undecided(_)) => {
                    console.error("undecided: the projection was given up");
                    Ok(Err(Exit::Undecided))
                }
                Err(refused) => {
                    let diagnostics = input.untold(&choreography, refused.reasons());
                    report::write(report::Format::Full, &input.source, &diagnostics, console.err())?;
                    console.error(format_args!("{} is for networks, and {name} has no projection", target.name()));
                    Ok(Err(Exit::No))
                }
            }
        }
        (model @ Model::Choreography(_), Need::Choreography | Need::Either) => Ok(Ok(model)),
    }
}

/// The choreography of a network.
fn extracted(
    network: &Network,
    input: &Input,
    search: &SearchArgs,
    console: &mut Console,
) -> io::Result<Result<Model, Exit>> {
    if let Some(refusal) = search.refusal(network) {
        console.error(refusal);
        return Ok(Err(Exit::Bad));
    }
    let answer = match search.thorough_answer(network, true) {
        Ok(answer) => answer,
        Err(error) => {
            console.error(fault::message(error));
            return Ok(Err(Exit::Fault));
        }
    };
    let failures = answer.explanations().iter().map(|explanation| explanation.diagnostic(network));
    report::write(report::Format::Full, &input.source, failures, console.err())?;
    match (answer.verdict(), answer.choreography()) {
        (Verdict::Undecided, _) => console.error(search.undecided(&answer, network)),
        (_, Some(choreography)) => return Ok(Ok(Model::Choreography(choreography.clone()))),
        (_, None) => console.error(format_args!("{} has no choreography", input.source.name)),
    }
    Ok(Err(answer.verdict().into()))
}

/// The symbolic execution graph of a network, as a labelled transition system.
fn graph(network: &Network, search: &SearchArgs, console: &mut Console) -> Result<Result<String, Diagnostic>, Exit> {
    if let Some(refusal) = search.refusal(network) {
        console.error(refusal);
        return Err(Exit::Bad);
    }
    let answer = search.graphs(network, true).map_err(|error| {
        console.error(fault::message(error));
        Exit::Fault
    })?;
    match graph_text(&answer, network) {
        Some(text) => Ok(text),
        None => {
            console.error(format_args!("undecided: {}", search.why_undecided(&answer)));
            Err(Exit::Undecided)
        }
    }
}
