//! `laban graph`: pictures of networks and choreographies.

use crate::console::Console;
use crate::drawing::{Diagram, Graph, View, write_sequence};
use crate::exit::Exit;
use crate::fault;
use crate::formats::FormatArgs;
use crate::input;
use crate::reader::Reader;
use crate::report;
use crate::search_args::SearchArgs;
use clap::ValueEnum;
use laban::Model;
use laban::choreography::{Choreography, NotProjected, ProjectOptions, project};
use laban::extraction::Verdict;
use laban::network::Network;
use laban_draw::sequence;
use laban_draw::{Focus, automata, communications, protocol};
use laban_report::{Input, NO_PROCESSES, graphs, named, sequence_of};
use std::io;
use std::path::PathBuf;

/// Draw a network or a choreography
///
/// `--of sequence` is a sequence diagram of a choreography: who sends what to whom, with decisions and loops as frames.
/// For a network, it shows the extracted choreography, or else the run to each failure and what each process waits for
/// at its end. `--of protocol` shows a choreography as a graph. `--of communications` shows which processes talk to
/// each other: services are rounded and dashed, and the edges name the values that are sent and the labels that are
/// selected. `--of automata` shows each process with its states and actions. `--of seg` is the symbolic execution
/// graph, the joint states that the search visited, one for each part of the network that never interacts with the
/// rest. A thick edge means that every process has acted since the last thick edge, a thick node that several paths
/// meet; a run that fails is red. For
/// `communications`, `automata` and `seg`, a choreography is projected first.
///
/// A race (`any`) is a frame called `race` in sequence diagrams, with a section for each way that it can go, and a
/// diamond in graphs, with an edge for each. States in which a process is `idle` have a dashed border.
///
/// Graphs are written for Graphviz (`dot`) or Mermaid, or as an image (`svg`); sequence diagrams for Mermaid, alone or
/// in Markdown, for PlantUML, or as an image. GitHub and many others render Mermaid.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The files of a network, or a choreography; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// What to draw [default: communications of a network, sequence of a choreography]
    #[arg(long, value_enum, value_name = "WHAT")]
    of: Option<Drawing>,

    /// Language of the drawing [default: dot for graphs, mermaid for sequence diagrams]
    #[arg(long, value_enum)]
    format: Option<Format>,

    #[command(flatten)]
    view: View,

    /// Merge states that behave the same
    #[arg(long)]
    minimised: bool,

    /// Draw the states as written (the default)
    #[arg(long, overrides_with = "minimised")]
    raw: bool,

    #[command(flatten)]
    formats: FormatArgs,

    #[command(flatten)]
    search: SearchArgs,
}

/// What to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Drawing {
    /// Which processes talk to each other
    Communications,
    /// Each process with its states and actions
    Automata,
    /// Symbolic execution graph: the joint states the search visited
    Seg,
    /// Sequence diagram of the choreography, or of the failures
    Sequence,
    /// The choreography as a graph
    Protocol,
}

/// The language of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For Graphviz (graphs only)
    Dot,
    /// For Mermaid
    Mermaid,
    /// Markdown with blocks of Mermaid (sequence diagrams only)
    Markdown,
    /// For PlantUML (sequence diagrams only)
    #[value(alias = "puml")]
    Plantuml,
    /// An image
    Svg,
}

const HELP: &str = "\
Examples:
  laban graph examples/two-buyer.net | dot -Tsvg > two-buyer.svg
  laban graph examples/two-buyer.chor --format svg -o two-buyer.svg
  laban graph examples/forgotten-else.net --of sequence --format markdown
  laban graph examples/ci/services/*.net --of sequence --format svg -o services.svg
  laban graph examples/two-buyer.net --of automata --focus bob --format mermaid
  laban graph examples/logistic.net --of sequence --focus retailer,supplier --max-nodes 20
  laban graph examples/formats/order.puml --format svg -o order.svg
  laban graph examples/barrier.net --of seg --strategy ConditionalsFirst

Exit status:
  0  drawn
  1  the network has no choreography (--of sequence draws why), or the choreography no projection
  2  a file has mistakes or cannot be read, or the options do not fit
  3  undecided within the limits, or interrupted
  4  a fault in laban itself";

/// What is drawn, in a language that there is for it.
#[derive(Clone, Copy)]
enum Kind {
    Sequence(Diagram),
    Protocol(Graph),
    Network(Drawing, Graph),
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let reader = Reader::new(&arguments.formats).with_channels(arguments.search.channels);
    let Some((input, model)) = input::accepted(reader.models(&arguments.files), console)? else {
        return Ok(Exit::Bad);
    };
    let of = arguments.of.unwrap_or(match &model {
        Model::Network(_) => Drawing::Communications,
        Model::Choreography(_) => Drawing::Sequence,
    });
    let kind = match kind(of, arguments.format) {
        Ok(kind) => kind,
        Err(message) => {
            console.error(message);
            return Ok(Exit::Bad);
        }
    };
    match model {
        Model::Network(network) => draw_network(arguments, kind, &input, network, console),
        Model::Choreography(choreography) => draw_choreography(arguments, kind, &input, &choreography, console),
    }
}

fn kind(of: Drawing, format: Option<Format>) -> Result<Kind, &'static str> {
    if of == Drawing::Sequence {
        let diagram = match format {
            None | Some(Format::Mermaid) => Diagram::Mermaid,
            Some(Format::Markdown) => Diagram::Markdown,
            Some(Format::Plantuml) => Diagram::Plantuml,
            Some(Format::Svg) => Diagram::Svg,
            Some(Format::Dot) => {
                return Err(
                    "a sequence diagram cannot be written in DOT; use --format mermaid, markdown, plantuml or \
                     svg, or draw a graph with --of protocol",
                );
            }
        };
        return Ok(Kind::Sequence(diagram));
    }
    let graph = match format {
        None | Some(Format::Dot) => Graph::Dot,
        Some(Format::Mermaid) => Graph::Mermaid,
        Some(Format::Svg) => Graph::Svg,
        Some(Format::Markdown | Format::Plantuml) => {
            return Err("a graph is written with --format dot, mermaid or svg; PlantUML and Markdown are for \
                 --of sequence");
        }
    };
    match of {
        Drawing::Protocol => Ok(Kind::Protocol(graph)),
        of => Ok(Kind::Network(of, graph)),
    }
}

fn draw_choreography(
    arguments: &Arguments,
    kind: Kind,
    input: &Input,
    choreography: &Choreography,
    console: &mut Console,
) -> io::Result<Exit> {
    let names = choreography.processes().iter().map(|&name| choreography.text(name));
    let Some(focus) = arguments.view.of(names, console) else { return Ok(Exit::Bad) };
    let services: Vec<String> = arguments.search.services().map(str::to_string).collect();
    let services = match named(&services, choreography, "--service") {
        Ok(services) => services,
        Err(message) => {
            console.error(message);
            return Ok(Exit::Bad);
        }
    };
    match kind {
        Kind::Sequence(diagram) => {
            let Some(tree) = input.analysis.choreography_tree() else { return Ok(Exit::Bad) };
            let drawn = sequence::choreography(tree, &focus).with_services(arguments.search.services());
            write_sequence(diagram, &drawn, &arguments.view, console)?;
            Ok(Exit::Yes)
        }
        Kind::Protocol(graph) => {
            graph.write(&protocol(choreography, &focus), console.data())?;
            Ok(Exit::Yes)
        }
        Kind::Network(of, graph) => {
            let projected = arguments.search.with_options(false, |options| {
                project(choreography, &ProjectOptions { services: &services, limits: options.limits })
            });
            match projected {
                Ok(projection) if projection.network.processes().is_empty() => {
                    console.error(format_args!("{}: {}", input.source.name, NO_PROCESSES));
                    Ok(Exit::Bad)
                }
                Ok(projection) => draw_processes(arguments, of, graph, &projection.network, &focus, console),
                Err(NotProjected::Undecided(_)) => {
                    let why = arguments.search.why_given_up();
                    console.error(format_args!("undecided: {why}; this drawing needs the projection"));
                    Ok(Exit::Undecided)
                }
                Err(refused) => {
                    let diagnostics = input.untold(choreography, refused.reasons());
                    report::write(report::Format::Full, &input.source, &diagnostics, console.err())?;
                    console
                        .error("this drawing needs the projection, and there isn't one; --of sequence works without");
                    Ok(Exit::No)
                }
            }
        }
    }
}

fn draw_network(
    arguments: &Arguments,
    kind: Kind,
    input: &Input,
    mut network: Network,
    console: &mut Console,
) -> io::Result<Exit> {
    let Arguments { search, view, .. } = arguments;
    search.channels.apply(&mut network);
    if !search.declare_services(&mut network, console) {
        return Ok(Exit::Bad);
    }
    let names = network.process_ids().map(|process| network.process_name(process));
    let Some(focus) = view.of(names, console) else { return Ok(Exit::Bad) };
    if let Kind::Network(of, graph) = kind {
        return draw_processes(arguments, of, graph, &network, &focus, console);
    }
    if let Some(refusal) = search.refusal(&network) {
        console.error(refusal);
        return Ok(Exit::Bad);
    }
    let answer = search.thorough_answer(&network, true);
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            console.error(fault::message(error));
            return Ok(Exit::Fault);
        }
    };
    match (&kind, answer.choreography()) {
        (Kind::Protocol(graph), Some(choreography)) => {
            graph.write(&protocol(choreography, &focus), console.data())?;
        }
        (Kind::Sequence(diagram), _) if answer.verdict() != Verdict::Undecided => {
            write_sequence(*diagram, &sequence_of(&answer, &network, &focus), view, console)?;
        }
        _ => {}
    }
    let failures = answer.explanations().iter().map(|explanation| explanation.diagnostic(&network));
    report::write(report::Format::Full, &input.source, failures, console.err())?;
    if answer.verdict() == Verdict::Undecided {
        console.error(search.undecided(&answer, &network));
    }
    Ok(answer.verdict().into())
}

/// Draws what is made of processes, rather than of a choreography.
fn draw_processes(
    arguments: &Arguments,
    of: Drawing,
    graph: Graph,
    network: &Network,
    focus: &Focus,
    console: &mut Console,
) -> io::Result<Exit> {
    let minimised = arguments.minimised && !arguments.raw;
    if let (Drawing::Seg, Some(refusal)) = (of, arguments.search.refusal(network)) {
        console.error(refusal);
        return Ok(Exit::Bad);
    }
    let picture = match of {
        Drawing::Seg => match arguments.search.graphs(network, minimised) {
            Ok(answer) => {
                let Some(picture) = graphs(&answer, network, focus) else {
                    console.error(format_args!("undecided: {}", arguments.search.why_undecided(&answer)));
                    return Ok(Exit::Undecided);
                };
                picture
            }
            Err(error) => {
                console.error(fault::message(error));
                return Ok(Exit::Fault);
            }
        },
        of => {
            let small;
            let network = match minimised {
                true => {
                    small = network.minimised();
                    &small
                }
                false => network,
            };
            match of {
                Drawing::Automata => automata(network, focus),
                _ => communications(network, focus),
            }
        }
    };
    graph.write(&picture, console.data())?;
    Ok(Exit::Yes)
}
