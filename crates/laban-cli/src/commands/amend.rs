//! `laban amend`: the selections without which a choreography has no projection.

use crate::commands::project;
use crate::console::Console;
use crate::exit::Exit;
use crate::formats::{self, FormatArgs};
use crate::input;
use crate::limits::LimitArgs;
use crate::reader::Reader;
use crate::report::{Format, Problem, Report};
use laban::Limits;
use laban::choreography::{AmendOptions, Choreography, Unamendable};
use laban::syntax::{ChoreographyTree, Compact, Pretty};
use laban_formats::{AddedArrow, AmendedDiagram, NotAmended, amend_diagram};
use laban_report::{FEWER_SELECTIONS, Input, added_lines, named, unamendable_diagnostics};
use std::io::{self, Write};
use std::path::PathBuf;

/// Add the selections that a choreography needs to be projected
///
/// If a process must act on a decision it never hears of, selections are added to tell it: no more than are needed,
/// and listed on standard error. A choreography that can be projected is printed as it is.
///
/// What is needed: any selection `p -> q[label]` between processes that are there already, before any term of the
/// text, may be added; nothing is taken away. Laban chooses one of the ways with the fewest selections.
/// Selections that are already there are put to use, and a process that knows may tell the others. If there are too
/// many ways to try them all, whoever decides tells the others at the beginning of both branches, and a note says
/// that fewer might do.
///
/// A sequence diagram in Mermaid or PlantUML is written back with the missing arrows, and so is a Markdown file with a
/// diagram in it. For other files of other tools, the choreography is printed in Laban's language; `laban convert` can
/// write it in another.
///
/// With `--format sarif`, `junit` or `github`, prints that document instead of the choreography.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// A choreography; `-` is standard input
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

    #[command(flatten)]
    formats: FormatArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

const HELP: &str = "\
Examples:
  laban amend examples/unprojectable.chor
  laban amend examples/unprojectable.chor | laban project -
  laban amend examples/unprojectable.chor -o projectable.chor
  laban amend examples/formats/login.mmd

Exit status:
  0  the choreography can be projected, with the selections that were added
  1  selections do not help
  2  the file has mistakes or cannot be read, or there is no such process
  3  gave up, as --max-states, --timeout or an interrupt asked for";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let mut report = Report::beside_a_result(arguments.format, "amend");
    let exit = amend(arguments, &mut report, console)?;
    report.finish(exit, console)?;
    Ok(exit)
}

fn amend(arguments: &Arguments, report: &mut Report, console: &mut Console) -> io::Result<Exit> {
    report.begin(input::name_of(&arguments.file));
    let Some((input, choreography)) =
        report.accept(Reader::new(&arguments.formats).choreography(&arguments.file), console)?
    else {
        return Ok(Exit::Bad);
    };
    if let Err(message) = named(&arguments.services, &choreography, "--service") {
        report.trouble(Problem::Usage, message, console);
        return Ok(Exit::Bad);
    }
    if let Some((format, source)) = input.diagram() {
        return arguments.limits.with_limits(|limits| {
            let services: Vec<&str> = arguments.services.iter().map(String::as_str).collect();
            let options = AmendOptions { services: &services, limits, ..AmendOptions::default() };
            let amended = arguments
                .formats
                .with_options(input.is_block(), |read_options| amend_diagram(format, &source, read_options, &options));
            write_diagram(arguments, &input, &choreography, amended, report, console)
        });
    }
    if let Some(message) = formats::other_language(console.path(), "a choreography of Laban") {
        report.trouble(Problem::Usage, message, console);
        return Ok(Exit::Bad);
    }
    let amended = arguments
        .limits
        .with_limits(|limits| amended(&input, &choreography, &arguments.services, limits, report, console))?;
    match amended {
        Ok(tree) => {
            report.say(&format!("{} can be amended", input.source.name), console)?;
            match arguments.compact {
                _ if report.is_document() => {}
                true => writeln!(console.data(), "{}", Compact(&tree))?,
                false => write!(console.data(), "{}", Pretty { tree: &tree, source: &input.source.text })?,
            }
            Ok(Exit::Yes)
        }
        Err(Exit::Undecided) => project::undecided(&arguments.limits, &input, report, console),
        Err(exit) => Ok(exit),
    }
}

/// Prints a diagram with the arrows that it lacks, which are listed on standard error; in Markdown, with the text
/// around it.
fn write_diagram(
    arguments: &Arguments,
    input: &Input,
    choreography: &Choreography,
    amended: Result<AmendedDiagram, NotAmended>,
    report: &mut Report,
    console: &mut Console,
) -> io::Result<Exit> {
    let amended = match amended {
        Ok(amended) => amended,
        Err(NotAmended::Unread(unread)) => {
            report.tell(&input.source, &unread.diagnostics, console)?;
            return Ok(Exit::Bad);
        }
        Err(NotAmended::Unsayable(diagnostic)) => {
            report.tell(&input.source, &[*diagnostic], console)?;
            return Ok(Exit::No);
        }
        Err(NotAmended::Unamendable(why)) => {
            return match unamendable(input, choreography, why, report, console)? {
                Exit::Undecided => project::undecided(&arguments.limits, input, report, console),
                exit => Ok(exit),
            };
        }
        // Whatever else there may be, it was not amended.
        Err(_) => return Ok(Exit::No),
    };
    for AddedArrow { line, span } in &amended.added {
        let place = input.source.position(input.source.range(*span).0);
        console.say_aside(format_args!("{}:{}:{}: added {line}", input.source.name, place.line, place.column))?;
    }
    if !amended.fewest {
        console.say_aside(FEWER_SELECTIONS)?;
    }
    report.say(&format!("{} can be amended", input.source.name), console)?;
    if !report.is_document() {
        let around = input.foreign.as_ref().and_then(|foreign| foreign.around.as_ref());
        let (before, after) = around.map_or(("", ""), |(before, after)| (before, after));
        write!(console.data(), "{before}{}{after}", amended.text)?;
    }
    Ok(Exit::Yes)
}

/// The choreography with the selections that it lacks, which are listed on standard error; or the exit status.
pub(crate) fn amended(
    input: &Input,
    choreography: &Choreography,
    services: &[String],
    limits: Limits<'_>,
    report: &mut Report,
    console: &mut Console,
) -> io::Result<Result<ChoreographyTree, Exit>> {
    let services: Vec<&str> = services.iter().map(String::as_str).collect();
    let Some(tree) = input.analysis.choreography_tree() else { return Ok(Err(Exit::Bad)) };
    match laban::amend(tree, &AmendOptions { services: &services, limits, ..AmendOptions::default() }) {
        Ok(amended) => {
            for (span, line) in added_lines(&amended.tree, &amended.added) {
                let place = input.source.position(input.source.range(span).0);
                console.say_aside(format_args!("{}:{}:{}: {line}", input.source.name, place.line, place.column))?;
            }
            if !amended.fewest {
                console.say_aside(FEWER_SELECTIONS)?;
            }
            Ok(Ok(amended.tree))
        }
        Err(why) => unamendable(input, choreography, why, report, console).map(Err),
    }
}

/// Says why a choreography cannot be amended.
fn unamendable(
    input: &Input,
    choreography: &Choreography,
    why: Unamendable,
    report: &mut Report,
    console: &mut Console,
) -> io::Result<Exit> {
    match why {
        Unamendable::IllFormed(diagnostics) => {
            report.tell(&input.source, &diagnostics, console)?;
            Ok(Exit::Bad)
        }
        Unamendable::Undecided(_) => Ok(Exit::Undecided),
        Unamendable::Unprojectable(failures) => {
            let diagnostics = unamendable_diagnostics(&failures, choreography);
            report.tell(&input.source, &diagnostics, console)?;
            Ok(Exit::No)
        }
        // Whatever else there may be, it was not amended.
        _ => Ok(Exit::No),
    }
}
