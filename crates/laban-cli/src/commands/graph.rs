//! `laban graph`: pictures of a network.

use crate::console::Console;
use crate::exit::Exit;
use crate::input;
use clap::ValueEnum;
use laban::diagnostic::{closest, quote};
use laban::draw::{Dot, Mermaid, automata, communications};
use laban::network::{Network, ProcessId, minimise};
use std::io::{self, Write};
use std::path::PathBuf;

/// Draw a network
///
/// `--of communications` shows who talks to whom: processes, services rounded and dashed, and on the edges how many
/// values are sent and labels selected. `--of automata` shows what each process does: its states and the actions that
/// lead from one to the next.
///
/// The output is text for Graphviz (`dot`) or for Mermaid, which many viewers of Markdown understand.
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

    /// Only this process; may be given several times (with --of automata)
    #[arg(long = "process", value_name = "PROCESS")]
    processes: Vec<String>,

    /// Merge states that behave alike first
    #[arg(long)]
    minimised: bool,

    /// Draw the states as they are written (the default)
    #[arg(long, overrides_with = "minimised")]
    raw: bool,
}

/// What to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Of {
    /// Who talks to whom
    Communications,
    /// What each process does
    Automata,
}

/// The language of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For Graphviz
    Dot,
    /// For Mermaid
    Mermaid,
}

const HELP: &str = "\
Examples:
  laban graph examples/two-buyer.net | dot -Tsvg > two-buyer.svg
  laban graph examples/two-buyer.net --of automata --process bob --format mermaid

Exit status:
  0  the picture was printed
  2  the file has mistakes or cannot be read, or there is no such process";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let Some((_, network)) = input::network(&arguments.file, console)? else { return Ok(Exit::Bad) };
    let processes = match chosen(&arguments.processes, &network) {
        Ok(processes) => processes,
        Err(message) => {
            console.error(message);
            return Ok(Exit::Bad);
        }
    };
    let network = if arguments.minimised && !arguments.raw { minimise(&network).network } else { network };
    let picture = match arguments.of {
        Of::Communications if !arguments.processes.is_empty() => {
            console.error("--process needs --of automata");
            return Ok(Exit::Bad);
        }
        Of::Communications => communications(&network),
        Of::Automata => automata(&network, processes),
    };
    match arguments.format {
        Format::Dot => write!(console.out(), "{}", Dot(&picture))?,
        Format::Mermaid => write!(console.out(), "{}", Mermaid(&picture))?,
    }
    Ok(Exit::Yes)
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
