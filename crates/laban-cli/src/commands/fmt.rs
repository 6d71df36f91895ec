//! `laban fmt`: texts as a person would write them.

use crate::console::Console;
use crate::exit::Exit;
use crate::formats::FormatArgs;
use crate::output::replace;
use crate::reader::Reader;
use crate::report;
use laban::diagnostic::Diagnostic;
use laban::syntax::{Compact, Language, Notation, Pretty, Tree};
use laban::{Analysis, SyntaxTree};
use laban_formats::Format;
use laban_report::{Input, Refused};
use similar::TextDiff;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Format networks and choreographies
///
/// Rewrites each file in the standard layout and keeps its comments. Files that need no change are not touched, nor are
/// files with syntax errors. What is read from standard input is printed, and so is everything with `--output`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Networks (.net) and choreographies (.chor); `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Change nothing; show what would change, and exit with 1 if anything would
    #[arg(long, conflicts_with_all = ["stdout", "compact"])]
    check: bool,

    /// Print the result instead of rewriting the files
    #[arg(long)]
    stdout: bool,

    /// Print each text on one line, without comments (implies --stdout)
    #[arg(long)]
    compact: bool,
}

const HELP: &str = "\
Examples:
  laban fmt examples/two-buyer.net
  laban fmt --check examples/*.net examples/*.chor
  laban fmt --compact examples/ping-pong.net

Exit status:
  0  all files are formatted now (with --check: they already were)
  1  with --check: something would change
  2  a file has syntax errors, or cannot be read or written";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let mut exit = Exit::Yes;
    Reader::new(&FormatArgs::default()).each(&arguments.files, |read| {
        match read {
            Ok(input) => exit.and(format_one(arguments, &input, console)?),
            Err(Refused::Message { message, .. }) => {
                console.error(message);
                exit.and(Exit::Bad);
            }
            Err(Refused::Mistakes { .. }) => exit.and(Exit::Bad),
        }
        Ok(())
    })?;
    Ok(exit)
}

fn format_one(arguments: &Arguments, input: &Input, console: &mut Console) -> io::Result<Exit> {
    let old = &input.source.text;
    if let Some(foreign) = &input.foreign {
        let what = foreign.format.map_or("Markdown", Format::description);
        console.error(format_args!(
            "cannot format {} ({what}): only networks and choreographies of Laban; `laban convert` turns it into one",
            input.source.name
        ));
        return Ok(Exit::Bad);
    }
    let new = match formatted(&input.analysis, arguments.compact) {
        Ok(new) => new,
        Err(diagnostics) => {
            report::write(report::Format::Full, &input.source, diagnostics, console.err())?;
            return Ok(Exit::Bad);
        }
    };
    if arguments.check {
        if new == *old {
            return Ok(Exit::Yes);
        }
        write_difference(&input.source.name, old, &new, console)?;
        return Ok(Exit::No);
    }
    match &input.path {
        Some(path) if !arguments.stdout && !arguments.compact && !console.is_to_file() => {
            if new != *old
                && let Err(error) = replace(path, &new)
            {
                console.error(format_args!("cannot write {}: {error}", input.source.name));
                return Ok(Exit::Bad);
            }
        }
        _ => console.data().write_all(new.as_bytes())?,
    }
    Ok(Exit::Yes)
}

/// The text laid out, or what is wrong with it.
fn formatted(analysis: &Analysis, compact: bool) -> Result<String, &[Diagnostic]> {
    fn print<L: Language + Notation>(tree: &Tree<L>, source: &str, compact: bool) -> String {
        match compact {
            true => format!("{}\n", Compact(tree)),
            false => Pretty { tree, source }.to_string(),
        }
    }
    match (analysis.syntax_errors(), analysis.tree()) {
        ([], SyntaxTree::Network(tree)) => Ok(print(tree, analysis.text(), compact)),
        ([], SyntaxTree::Choreography(tree)) => Ok(print(tree, analysis.text(), compact)),
        (errors, _) => Err(errors),
    }
}

/// What would change, as far as it helps to see it.
fn write_difference(name: &str, old: &str, new: &str, console: &mut Console) -> io::Result<()> {
    const MOST_LINES: usize = 200;
    // Large texts that have little in common are not worth the time to find it.
    let difference = TextDiff::configure().timeout(Duration::from_secs(1)).diff_lines(old, new);
    let unified = difference.unified_diff().context_radius(2).header(name, &format!("{name} (formatted)")).to_string();
    for line in unified.lines().take(MOST_LINES) {
        console.say(line)?;
    }
    match unified.lines().count().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => console.say(format_args!("… and {more} more lines")),
    }
}
