//! `laban graph`: pictures of a network.

use crate::console::Console;
use crate::effort::Effort;
use crate::exit::Exit;
use crate::input;
use clap::ValueEnum;
use laban::diagnostic::{closest, quote};
use laban::draw::{Dot, Focus, Mermaid, Picture, Svg, automata, beside, communications, symbolic};
use laban::extraction::{Found, extract, search_component};
use laban::network::{Network, ProcessId, components, minimise};
use std::io::{self, Write};
use std::path::PathBuf;

/// Draw a network
///
/// `--of communications` shows who talks to whom: processes, services rounded and dashed, and on the edges how many
/// values are sent and labels selected. `--of automata` shows what each process does: its states and the actions that
/// lead from one to the next. `--of seg` shows what they do together: the symbolic execution graph that a search finds,
/// one for each part that never interacts with the rest. An edge is thick where everyone has acted since the last such edge, a
/// node where several ways meet, and the run that fails is red. The options of the search apply to it.
///
/// The output is text for Graphviz (`dot`) or for Mermaid, which many viewers of Markdown understand, or an image (`svg`).
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// A network; `-` is the standard input
    file: PathBuf,

    /// What to draw
    #[arg(long, value_enum, default_value_t = Of::Communications, value_name = "WHAT")]
    of: Of,

    /// In which language
    #[arg(long, value_enum, default_value_t = Format::Dot)]
    format: Format,

    /// Only this process; may be given several times (with --of automata or --of seg)
    #[arg(long = "process", value_name = "PROCESS")]
    processes: Vec<String>,

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
    /// What they do together
    Seg,
}

/// The language of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For Graphviz
    Dot,
    /// For Mermaid
    Mermaid,
    /// An image
    Svg,
}

const HELP: &str = "\
Examples:
  laban graph examples/two-buyer.net | dot -Tsvg > two-buyer.svg
  laban graph examples/two-buyer.net --of automata --process bob --format mermaid
  laban graph examples/barrier.net --of seg --strategy ConditionalsFirst

Exit status:
  0  the picture was printed
  2  the file has mistakes or cannot be read, or there is no such process
  3  with --of seg: undecided within the limits, or interrupted";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let Some((_, mut network)) = input::network(&arguments.file, console)? else { return Ok(Exit::Bad) };
    if !arguments.effort.declare_services(&mut network, console) {
        return Ok(Exit::Bad);
    }
    let processes = match chosen(&arguments.processes, &network) {
        Ok(processes) => processes,
        Err(message) => {
            console.error(message);
            return Ok(Exit::Bad);
        }
    };
    if arguments.of == Of::Communications && !arguments.processes.is_empty() {
        console.error("--process needs --of automata or --of seg");
        return Ok(Exit::Bad);
    }
    let minimised = arguments.minimised && !arguments.raw;
    let picture = match arguments.of {
        Of::Seg => match searched(&network, &arguments.effort, minimised, &arguments.processes) {
            Some(picture) => picture,
            None => {
                console.error(format_args!("undecided: {}", arguments.effort.why_undecided()));
                return Ok(Exit::Undecided);
            }
        },
        of => {
            let network = if minimised { minimise(&network).network } else { network };
            match of {
                Of::Automata => automata(&network, processes),
                _ => communications(&network),
            }
        }
    };
    match arguments.format {
        Format::Dot => write!(console.out(), "{}", Dot(&picture))?,
        Format::Mermaid => write!(console.out(), "{}", Mermaid(&picture))?,
        Format::Svg => write!(console.out(), "{}", Svg(&picture))?,
    }
    Ok(Exit::Yes)
}

/// The graphs that a search finds; nothing if it was given up.
fn searched(network: &Network, effort: &Effort, merged: bool, asked: &[String]) -> Option<Picture> {
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
        let focus = Focus { processes: asked.to_vec(), ..Focus::default() };
        let draw = |(part, found): &(Vec<ProcessId>, Found)| {
            let names: Vec<&str> = part.iter().map(|&process| small.process_name(process)).collect();
            let picture = match found {
                Found::Graph(seg) => symbolic(&small, seg, None, &focus),
                Found::Failure(failure, seg) => symbolic(&small, seg, Some(failure), &focus),
                Found::Undecided => return None,
            };
            Some((names.join(", "), picture))
        };
        parts.iter().map(draw).collect::<Option<Vec<_>>>().map(beside)
    })
}

/// The processes of these names, or all.
fn chosen(names: &[String], network: &Network) -> Result<Vec<ProcessId>, String> {
    if names.is_empty() {
        return Ok(network.process_ids().collect());
    }
    let find = |name: &String| {
        network.process_named(name).ok_or_else(|| {
            let others = network.process_ids().map(|id| network.process_name(id));
            match closest(name, others) {
                Some(close) => format!("there is no process {}; did you mean {}?", quote(name), quote(close)),
                None => format!("there is no process {}", quote(name)),
            }
        })
    };
    names.iter().map(find).collect()
}
