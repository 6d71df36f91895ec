//! `laban amend`: the selections without which a choreography has no projection.

use crate::commands::project;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{self, Input};
use crate::report::{Format, Problem, Report};
use laban::choreography::{self, Unamendable, amend_with_services};
use laban::syntax::{ChoreographyTree, Compact, Pretty};
use std::io::{self, Write};
use std::path::PathBuf;

/// Add the selections that a choreography needs to be projected
///
/// If a process must act on a decision it never hears of, a selection is added in each branch to tell it. The fewest
/// are added, where they are first needed, and listed on the standard error. A choreography that can be projected is
/// printed as it is.
///
/// With `--format sarif`, `junit` or `github`, prints that document instead of the choreography.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// A choreography; `-` is the standard input
    file: PathBuf,

    /// Treat this process as a service, which may wait forever and need not be told to stop; can be repeated
    #[arg(long = "service", value_name = "PROCESS")]
    services: Vec<String>,

    /// Print the choreography on one line
    #[arg(long)]
    compact: bool,

    /// How to show why it cannot be amended
    #[arg(long, value_enum, default_value_t = Format::Full)]
    format: Format,
}

const HELP: &str = "\
Examples:
  laban amend examples/unprojectable.chor
  laban amend examples/unprojectable.chor | laban project -
  laban amend examples/unprojectable.chor -o projectable.chor

Exit status:
  0  the choreography can be projected, with the selections that were added
  1  selections do not help
  2  the file has mistakes or cannot be read, or there is no such process";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let mut report = Report::beside_a_result(arguments.format, "amend");
    let exit = amend(arguments, &mut report, console)?;
    report.finish(exit, console)?;
    Ok(exit)
}

fn amend(arguments: &Arguments, report: &mut Report, console: &mut Console) -> io::Result<Exit> {
    report.begin(input::name_of(&arguments.file));
    let Some((input, (tree, choreography))) = report.accept(input::read_choreography(&arguments.file), console)? else {
        return Ok(Exit::Bad);
    };
    if let Err(message) = project::named(&arguments.services, &choreography, "--service") {
        report.trouble(Problem::Usage, message, console);
        return Ok(Exit::Bad);
    }
    match amended(&input, &tree, &arguments.services, report, console)? {
        Ok(tree) => {
            report.say(&format!("{} can be amended", input.source.name), console)?;
            match arguments.compact {
                _ if report.is_document() => {}
                true => writeln!(console.data(), "{}", Compact(&tree))?,
                false => write!(console.data(), "{}", Pretty { tree: &tree, source: &input.source.text })?,
            }
            Ok(Exit::Yes)
        }
        Err(exit) => Ok(exit),
    }
}

/// The choreography with the selections that it lacks, which are listed on the standard error; or the exit status.
pub(crate) fn amended(
    input: &Input,
    tree: &ChoreographyTree,
    services: &[String],
    report: &mut Report,
    console: &mut Console,
) -> io::Result<Result<ChoreographyTree, Exit>> {
    let services: Vec<&str> = services.iter().map(String::as_str).collect();
    match amend_with_services(tree, &services) {
        Ok(amended) => {
            let names = &amended.tree.names;
            for added in &amended.added {
                let place = input.source.position(input.source.range(added.span).0);
                let text = |symbol| names.text(symbol);
                console.say_aside(format_args!(
                    "{}:{}:{}: after `if {}.{}`: added {} -> {}[{}] and {} -> {}[{}]",
                    input.source.name,
                    place.line,
                    place.column,
                    text(added.from),
                    text(added.condition),
                    text(added.from),
                    text(added.to),
                    text(added.then),
                    text(added.from),
                    text(added.to),
                    text(added.otherwise),
                ))?;
            }
            Ok(Ok(amended.tree))
        }
        Err(Unamendable::IllFormed(diagnostics)) => {
            report.tell(&input.source, &diagnostics, console)?;
            Ok(Err(Exit::Bad))
        }
        Err(Unamendable::Unprojectable(failures)) => {
            if let Some(choreography) = choreography::lower(tree).choreography {
                let diagnostics: Vec<_> = failures.iter().map(|failure| failure.diagnostic(&choreography)).collect();
                report.tell(&input.source, &diagnostics, console)?;
            }
            Ok(Err(Exit::No))
        }
    }
}
