//! `laban project`: what each process has to do to follow a choreography.

use crate::commands::amend;
use crate::console::Console;
use crate::exit::Exit;
use crate::formats::{self, FormatArgs};
use crate::input;
use crate::limits::LimitArgs;
use crate::reader::Reader;
use crate::report::{Format, Problem, Report};
use laban::Limits;
use laban::choreography::{Choreography, NotProjected, ProjectOptions};
use laban::network::ProcessId;
use laban::syntax::{Compact, Pretty};
use laban_formats::explain_untold;
use laban_report::{Input, NO_PROCESSES, endpoints, named};
use std::io::{self, Write};
use std::path::PathBuf;

/// Print the network that implements a choreography
///
/// Gives each process its part of every action. When another process decides, what a process does in the branches must
/// fit together, or a selection must tell it the decision. Otherwise Laban reports the process, the decision, and what
/// the process would have to do without knowing.
///
/// With `--format sarif`, `junit` or `github`, prints that document instead of the network, whether there is a
/// projection or not.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// A choreography; `-` is standard input
    file: PathBuf,

    /// Print only this process; can be repeated
    #[arg(long = "process", value_name = "PROCESS")]
    processes: Vec<String>,

    /// Add missing selections first, and list them on standard error
    #[arg(long)]
    amend: bool,

    /// Treat this process as a service, which may wait forever; can be repeated
    #[arg(long = "service", value_name = "PROCESS")]
    services: Vec<String>,

    /// Print the network on one line
    #[arg(long)]
    compact: bool,

    /// How to show why there is no projection
    #[arg(long, value_enum, default_value_t = Format::Full)]
    format: Format,

    #[command(flatten)]
    formats: FormatArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

const HELP: &str = "\
Examples:
  laban project examples/two-buyer.chor
  laban project --process bob examples/two-buyer.chor
  laban project --amend examples/unprojectable.chor
  laban project examples/formats/oauth.scr
  laban project examples/two-buyer.chor -o two-buyer.net

Exit status:
  0  the choreography has a projection
  1  the choreography has no projection
  2  the file has mistakes or cannot be read, or there is no such process, or none at all
  3  undecided within the limits, or interrupted: a projection can be very large";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let mut report = Report::beside_a_result(arguments.format, "project");
    let exit = arguments.limits.with_limits(|limits| project(arguments, limits, &mut report, console))?;
    report.finish(exit, console)?;
    Ok(exit)
}

fn project(arguments: &Arguments, limits: Limits<'_>, report: &mut Report, console: &mut Console) -> io::Result<Exit> {
    report.begin(input::name_of(&arguments.file));
    let Some((input, choreography)) =
        report.accept(Reader::new(&arguments.formats).choreography(&arguments.file), console)?
    else {
        return Ok(Exit::Bad);
    };
    if let Err(message) = chosen(arguments, &choreography) {
        report.trouble(Problem::Usage, message, console);
        return Ok(Exit::Bad);
    }
    let amended = match arguments.amend {
        true => match amend::amended(&input, &choreography, &arguments.services, limits, report, console)? {
            // Read again, so that labels are in the order of the text, as they would be in a file.
            Ok(amended) => laban::analyse(Compact(&amended).to_string()).into_choreography().ok(),
            Err(Exit::Undecided) => return undecided(&arguments.limits, &input, report, console),
            Err(exit) => return Ok(exit),
        },
        false => Some(choreography),
    };
    let Some(choreography) = amended else { return Ok(Exit::Bad) };
    // New selections may change the order of the processes.
    let (processes, services) = match chosen(arguments, &choreography) {
        Ok(chosen) => chosen,
        Err(message) => {
            report.trouble(Problem::Usage, message, console);
            return Ok(Exit::Bad);
        }
    };
    match laban::project(&choreography, &ProjectOptions { services: &services, limits }) {
        Ok(projection) => {
            let tree = endpoints(&projection, &processes);
            if tree.units.is_empty() {
                report.trouble(Problem::Usage, NO_PROCESSES.to_string(), console);
                return Ok(Exit::Bad);
            }
            if let Some(message) = formats::other_language(console.path(), "a network of Laban") {
                report.trouble(Problem::Usage, message, console);
                return Ok(Exit::Bad);
            }
            report.say(&format!("{} has a projection", input.source.name), console)?;
            match arguments.compact {
                _ if report.is_document() => {}
                true => writeln!(console.data(), "{}", Compact(&tree))?,
                false => write!(console.data(), "{}", Pretty { tree: &tree, source: "" })?,
            }
            Ok(Exit::Yes)
        }
        Err(NotProjected::Undecided(_)) => undecided(&arguments.limits, &input, report, console),
        Err(failures) => {
            let diagnostics = match input.diagram().filter(|_| !arguments.amend) {
                Some((format, source)) => arguments.formats.with_options(input.is_block(), |options| {
                    explain_untold(format, &source, options, &choreography, failures.reasons())
                }),
                None => failures.reasons().iter().map(|reason| reason.diagnostic(&choreography)).collect(),
            };
            report.tell(&input.source, &diagnostics, console)?;
            Ok(Exit::No)
        }
    }
}

/// Says that the work was given up, and why.
pub(crate) fn undecided(
    limits: &LimitArgs,
    input: &Input,
    report: &mut Report,
    console: &mut Console,
) -> io::Result<Exit> {
    let message = format!("undecided: {}", limits.why_undecided());
    match report.is_document() {
        true => report.no_answer(Problem::Undecided, input.source.file_at(0), &message, console)?,
        false => console.say_aside(format_args!("{message}"))?,
    }
    Ok(Exit::Undecided)
}

/// The processes and the services that were asked for; a message if one is missing.
fn chosen(arguments: &Arguments, choreography: &Choreography) -> Result<(Vec<ProcessId>, Vec<ProcessId>), String> {
    let processes = named(&arguments.processes, choreography, "--process")?;
    Ok((processes, named(&arguments.services, choreography, "--service")?))
}
