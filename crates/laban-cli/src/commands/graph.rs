//! `laban graph`: pictures of networks and choreographies.

use crate::commands::project::named;
use crate::console::Console;
use crate::drawing::{Diagram, Graph, View, sequence_of, write_sequence};
use crate::effort::Effort;
use crate::exit::Exit;
use crate::input::{self, Input, Model};
use crate::report;
use clap::ValueEnum;
use laban::answer::answer;
use laban::choreography::{self, Choreography, project_with_services};
use laban::draw::sequence;
use laban::draw::{Focus, Picture, automata, beside, communications, protocol, symbolic};
use laban::extraction::{Found, Verdict, extract, search_component};
use laban::network::{Network, ProcessId, components, minimise};
use laban::syntax::parse_choreography;
use std::io;
use std::path::PathBuf;

/// Draw a network or a choreography
///
/// `--of sequence` shows a choreography from top to bottom: who sends what to whom, decisions and loops as frames. Of a
/// network, it shows the choreography that is extracted; if there is none, the runs to the failures, with what everybody
/// waits for then. `--of protocol` shows a choreography as a graph. `--of communications` shows who talks to whom:
/// processes, services rounded and dashed, and on the edges how many values are sent and labels selected. `--of automata`
/// shows what each process does: its states and the actions that lead from one to the next. `--of seg` shows what they do
/// together: the symbolic execution graph that a search finds, one for each part that never interacts with the rest. An edge
/// is thick where everyone has acted since the last such edge, a node where several ways meet, and the run that fails is
/// red. For these three, a choreography stands for its projection. The options of the search apply where there is one.
///
/// Graphs are text for Graphviz (`dot`) or for Mermaid, which many viewers of Markdown understand, or an image (`svg`);
/// sequence diagrams are for Mermaid, alone or in Markdown, for PlantUML, or an image.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// A network, in one file or in several, or a choreography; `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// What to draw [default: communications of a network, sequence of a choreography]
    #[arg(long, value_enum, value_name = "WHAT")]
    of: Option<Of>,

    /// In which language [default: dot for graphs, mermaid for sequence diagrams]
    #[arg(long, value_enum)]
    format: Option<Format>,

    #[command(flatten)]
    view: View,

    /// Merge states that behave alike; with --of seg, nodes from which the same happens
    #[arg(long)]
    minimised: bool,

    /// Draw the states as they are written (the default)
    #[arg(long, overrides_with = "minimised")]
    raw: bool,

    #[command(flatten)]
    effort: Effort,
}

/// What to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Of {
    /// Who talks to whom
    Communications,
    /// What each process does
    Automata,
    /// What they do together, as a search finds it
    Seg,
    /// What they do together, from top to bottom
    Sequence,
    /// What a choreography says, as a graph
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
  laban graph examples/two-buyer.chor --format svg > two-buyer.svg
  laban graph examples/forgotten-else.net --of sequence --format markdown
  laban graph services/*.net --of sequence --format svg > services.svg
  laban graph examples/two-buyer.net --of automata --focus bob --format mermaid
  laban graph examples/logistic.net --of sequence --focus retailer,supplier --max-nodes 20
  laban graph examples/barrier.net --of seg --strategy ConditionalsFirst

Exit status:
  0  the picture was printed
  1  with --of sequence or protocol, of a network: it has no choreography (--of sequence has drawn why);
     with --of communications, automata or seg, of a choreography: it has no projection
  2  the file has mistakes or cannot be read, there is no such process, or no such drawing in that language
  3  where there is a search: undecided within the limits, or interrupted";

/// What is drawn, in a language that there is for it.
#[derive(Clone, Copy)]
enum Kind {
    Sequence(Diagram),
    Protocol(Graph),
    Network(Of, Graph),
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let Some((input, model)) = input::told(input::read_models(&arguments.files), console)? else {
        return Ok(Exit::Bad);
    };
    let of = arguments.of.unwrap_or(match &model {
        Model::Network(_) => Of::Communications,
        Model::Choreography(_) => Of::Sequence,
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

fn kind(of: Of, format: Option<Format>) -> Result<Kind, &'static str> {
    if of == Of::Sequence {
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
        Of::Protocol => Ok(Kind::Protocol(graph)),
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
    let names = choreography.processes.iter().map(|&name| choreography.names.text(name));
    let Some(focus) = arguments.view.of(names, console) else { return Ok(Exit::Bad) };
    let services: Vec<String> = arguments.effort.services().map(str::to_string).collect();
    let Some(services) = named(&services, choreography, "--service", console) else { return Ok(Exit::Bad) };
    match kind {
        Kind::Sequence(diagram) => {
            let tree = parse_choreography(&input.source.text).tree;
            let drawn = sequence::choreography(&tree, &focus).with_services(arguments.effort.services());
            write_sequence(diagram, &drawn, &arguments.view, console)?;
            Ok(Exit::Yes)
        }
        Kind::Protocol(graph) => {
            graph.write(&protocol(choreography, &focus), console.data())?;
            Ok(Exit::Yes)
        }
        Kind::Network(of, graph) => match project_with_services(choreography, &services) {
            Ok(projection) => draw_processes(arguments, of, graph, &projection.network, &focus, console),
            Err(reasons) => {
                let diagnostics: Vec<_> = reasons.iter().map(|reason| reason.diagnostic(choreography)).collect();
                report::write(report::Format::Full, &input.source, &diagnostics, console.err())?;
                console.error("this drawing is one of the projection, and there is none; --of sequence needs none");
                Ok(Exit::No)
            }
        },
    }
}

fn draw_network(
    arguments: &Arguments,
    kind: Kind,
    input: &Input,
    mut network: Network,
    console: &mut Console,
) -> io::Result<Exit> {
    let Arguments { effort, view, .. } = arguments;
    if !effort.declare_services(&mut network, console) {
        return Ok(Exit::Bad);
    }
    let names = network.process_ids().map(|process| network.process_name(process));
    let Some(focus) = view.of(names, console) else { return Ok(Exit::Bad) };
    if let Kind::Network(of, graph) = kind {
        return draw_processes(arguments, of, graph, &network, &focus, console);
    }
    let answer = effort.with_options(true, |options| answer(&network, options, !effort.no_certify));
    let answer = match answer {
        Ok(answer) => answer,
        Err(flaw) => {
            console.error(format_args!("this is a mistake in laban, please report it: {flaw}"));
            return Ok(Exit::Undecided);
        }
    };
    match (&kind, &answer.choreography) {
        (Kind::Protocol(graph), Some(tree)) => {
            let lowered = choreography::lower(tree).choreography;
            let picture = lowered.map(|choreography| protocol(&choreography, &focus));
            graph.write(&picture.unwrap_or_default(), console.data())?;
        }
        (Kind::Sequence(diagram), _) if answer.verdict != Verdict::Undecided => {
            write_sequence(*diagram, &sequence_of(&answer, &network, &focus), view, console)?;
        }
        _ => {}
    }
    for explanation in &answer.explanations {
        report::write(report::Format::Full, &input.source, &[explanation.diagnostic(&network)], console.err())?;
    }
    if answer.verdict == Verdict::Undecided {
        console.error(effort.undecided(&answer, &network));
    }
    Ok(answer.verdict.into())
}

/// Draws what is made of processes, rather than of a choreography.
fn draw_processes(
    arguments: &Arguments,
    of: Of,
    graph: Graph,
    network: &Network,
    focus: &Focus,
    console: &mut Console,
) -> io::Result<Exit> {
    let minimised = arguments.minimised && !arguments.raw;
    let picture = match of {
        Of::Seg => match searched(network, &arguments.effort, minimised, focus) {
            Some(picture) => picture,
            None => {
                console.error(format_args!("undecided: {}", arguments.effort.why_undecided()));
                return Ok(Exit::Undecided);
            }
        },
        of => {
            let small;
            let network = match minimised {
                true => {
                    small = minimise(network).network;
                    &small
                }
                false => network,
            };
            match of {
                Of::Automata => automata(network, focus),
                _ => communications(network, focus),
            }
        }
    };
    graph.write(&picture, console.data())?;
    Ok(Exit::Yes)
}

/// The graphs that a search finds; nothing if it was given up.
fn searched(network: &Network, effort: &Effort, merged: bool, focus: &Focus) -> Option<Picture> {
    effort.with_options(true, |options| {
        // What is searched is the network with its local automata minimised, unless the paper's search is asked for.
        let small = if options.minimise { minimise(network).network } else { network.clone() };
        let parts: Vec<(Vec<ProcessId>, Found)> = match merged {
            true => {
                let found = extract(network, options).components.into_iter();
                found.map(|component| (component.processes, component.found)).collect()
            }
            false => {
                let parts = match options.split {
                    true => components(&small),
                    false => vec![small.process_ids().collect()],
                };
                let found = |(number, part): (usize, Vec<ProcessId>)| {
                    let found = search_component(&small, &part, number, options).found;
                    (part, found)
                };
                parts.into_iter().enumerate().map(found).collect()
            }
        };
        let draw = |(part, found): &(Vec<ProcessId>, Found)| {
            let names: Vec<&str> = part.iter().map(|&process| small.process_name(process)).collect();
            let picture = match found {
                Found::Graph(seg) => symbolic(&small, seg, None, focus),
                Found::Failure(failure, seg) => symbolic(&small, seg, Some(failure), focus),
                Found::Undecided(_) => return None,
            };
            Some((names.join(", "), picture))
        };
        let pictures = parts.iter().map(draw).collect::<Option<Vec<_>>>();
        // Each of them is small enough, but not yet all together.
        pictures.map(|pictures| beside(pictures).folded(focus.max_nodes))
    })
}
