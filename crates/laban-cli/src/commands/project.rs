//! `laban project`: what each process has to do to follow a choreography.

use crate::commands::amend;
use crate::console::Console;
use crate::exit::Exit;
use crate::input;
use crate::names::no_process;
use crate::report::{self, Format};
use laban::choreography::{self, Choreography, Projection, project_with_services};
use laban::network::ProcessId;
use laban::syntax::{Compact, NetworkTree, Pretty, Unit};
use std::io::{self, Write};
use std::path::PathBuf;

/// Make the network that follows a choreography
///
/// Keeps of each action what concerns one process. At a decision of somebody else, what a process does in the two branches
/// must fit together, or the process must be told; if neither is so, says which process, at which decision, and what it would
/// have to do without knowing.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// A choreography; `-` is the standard input
    file: PathBuf,

    /// Only this process; may be given several times
    #[arg(long = "process", value_name = "PROCESS")]
    processes: Vec<String>,

    /// Add the selections that are missing first, and list them on the standard error
    #[arg(long)]
    amend: bool,

    /// This process may wait for ever; may be given several times
    #[arg(long = "service", value_name = "PROCESS")]
    services: Vec<String>,

    /// Print the network on one line
    #[arg(long)]
    compact: bool,

    /// How to show why there is no projection
    #[arg(long, value_enum, default_value_t = Format::Full)]
    format: Format,
}

const HELP: &str = "\
Examples:
  laban project examples/two-buyer.chor
  laban project --process bob examples/two-buyer.chor
  laban project --amend examples/unprojectable.chor

Exit status:
  0  the network was printed
  1  the choreography has no projection
  2  the file has mistakes or cannot be read, or there is no such process, or none at all";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let Some((input, tree, choreography)) = input::choreography_with_tree(&arguments.file, console)? else {
        return Ok(Exit::Bad);
    };
    let known = |names, option, console: &mut _| named(names, &choreography, option, console).is_some();
    if !known(&arguments.processes, "--process", console) || !known(&arguments.services, "--service", console) {
        return Ok(Exit::Bad);
    }
    let amended = match arguments.amend {
        true => match amend::amended(&input, &tree, &arguments.services, arguments.format, console)? {
            Ok(amended) => choreography::lower(&amended).choreography,
            Err(exit) => return Ok(exit),
        },
        false => Some(choreography),
    };
    let Some(choreography) = amended else { return Ok(Exit::Bad) };
    // New selections may change the order of the processes.
    let (Some(processes), Some(services)) = (
        named(&arguments.processes, &choreography, "--process", console),
        named(&arguments.services, &choreography, "--service", console),
    ) else {
        return Ok(Exit::Bad);
    };
    match project_with_services(&choreography, &services) {
        Ok(projection) => {
            let tree = endpoints(&projection, &processes);
            if tree.units.is_empty() {
                console.error("this choreography has no processes, and a network has at least one");
                return Ok(Exit::Bad);
            }
            match arguments.compact {
                true => writeln!(console.data(), "{}", Compact(&tree))?,
                false => write!(console.data(), "{}", Pretty { tree: &tree, source: "" })?,
            }
            Ok(Exit::Yes)
        }
        Err(failures) => {
            let diagnostics: Vec<_> = failures.iter().map(|failure| failure.diagnostic(&choreography)).collect();
            report::write(arguments.format, &input.source, &diagnostics, console.err())?;
            Ok(Exit::No)
        }
    }
}

/// The text of the network, or of some processes of it.
fn endpoints(projection: &Projection, processes: &[ProcessId]) -> NetworkTree {
    let mut tree = projection.tree();
    if !processes.is_empty() {
        let wanted = processes.iter().map(|process| projection.network.processes[process.index()].name);
        let wanted: Vec<_> = wanted.collect();
        let is_wanted = |unit: &Unit| unit.name.is_some_and(|name| wanted.contains(&name.symbol));
        tree.units.retain(is_wanted);
    }
    tree
}

/// Processes of a choreography by name; nothing, and a message, if there is no such process.
pub(crate) fn named(
    names: &[String],
    choreography: &Choreography,
    option: &str,
    console: &mut Console,
) -> Option<Vec<ProcessId>> {
    let all = || (0..choreography.processes.len() as u32).map(ProcessId);
    let mut found = Vec::new();
    for name in names {
        match all().find(|&process| choreography.process_name(process) == name) {
            Some(process) => found.push(process),
            None => {
                let names = all().map(|process| choreography.process_name(process));
                console.error(format_args!("{option}: {}", no_process(name, names)));
                return None;
            }
        }
    }
    Some(found)
}
