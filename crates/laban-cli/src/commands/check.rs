//! `laban check`: what is wrong with a text.

use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::report::{self, Format};
use laban::choreography;
use laban::diagnostic::{Diagnostic, Severity, has_errors};
use laban::network::{self, components, minimise, warnings};
use laban::syntax::{Kind, parse_choreography, parse_network};
use std::io::{self, Write};
use std::path::PathBuf;

/// Say what is wrong with networks and choreographies
///
/// Reports mistakes in the syntax, what is ill-formed (such as a process that talks to itself, or a call of a procedure
/// that is not defined) and what is probably not meant (such as a procedure that nothing calls). For a file without
/// mistakes, says in one line what is in it.
///
/// With `--format json`, each diagnostic is one JSON object on a line of its own, and nothing else is printed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Networks (.net) and choreographies (.chor); `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// How to show diagnostics
    #[arg(long, value_enum, default_value_t = Format::Full)]
    format: Format,
}

const HELP: &str = "\
Examples:
  laban check examples/two-buyer.net
  laban check --format concise examples/*.net examples/*.chor
  laban check - < examples/ill-formed.net

Exit status:
  0  all files are well-formed (there may be warnings)
  2  some file has mistakes or cannot be read";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let mut exit = Exit::Yes;
    for path in &arguments.files {
        let input = match Input::read(path) {
            Ok(input) => input,
            Err(unreadable) => {
                console.error(unreadable);
                exit.and(Exit::Bad);
                continue;
            }
        };
        let Checked { diagnostics, summary } = check(&input);
        report::write(arguments.format, &input.source, &diagnostics, console.out())?;
        if arguments.format != Format::Json {
            writeln!(console.out(), "{}: {summary}", input.source.name)?;
        }
        if has_errors(&diagnostics) {
            exit.and(Exit::Bad);
        }
    }
    Ok(exit)
}

/// What there is to say about a text.
struct Checked {
    diagnostics: Vec<Diagnostic>,
    /// All of it in one line.
    summary: String,
}

fn check(input: &Input) -> Checked {
    if let Some(no_text) = &input.no_text {
        return Checked { diagnostics: vec![no_text.clone()], summary: "not text".to_string() };
    }
    match input.kind {
        Kind::Network => check_network(&input.source.text),
        Kind::Choreography => check_choreography(&input.source.text),
    }
}

fn check_network(text: &str) -> Checked {
    let parsed = parse_network(text);
    if has_errors(&parsed.diagnostics) {
        return Checked { summary: failed("does not parse", &parsed.diagnostics), diagnostics: parsed.diagnostics };
    }
    let lowered = network::lower(&parsed.tree);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(lowered.diagnostics);
    let Some(network) = lowered.network else {
        return Checked { summary: failed("ill-formed", &diagnostics), diagnostics };
    };
    diagnostics.extend(warnings(&parsed.tree, &network));
    let summary = format!(
        "well-formed: {}, {}, {} ({} after minimisation){}",
        count(network.processes.len(), "process", "processes"),
        count(components(&network).len(), "component", "components"),
        count(network.states.len(), "state", "states"),
        minimise(&network).network.states.len(),
        and_warnings(&diagnostics),
    );
    Checked { diagnostics, summary }
}

fn check_choreography(text: &str) -> Checked {
    let parsed = parse_choreography(text);
    if has_errors(&parsed.diagnostics) {
        return Checked { summary: failed("does not parse", &parsed.diagnostics), diagnostics: parsed.diagnostics };
    }
    let lowered = choreography::lower(&parsed.tree);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(lowered.diagnostics);
    let Some(choreography) = lowered.choreography else {
        return Checked { summary: failed("ill-formed", &diagnostics), diagnostics };
    };
    let summary = format!(
        "well-formed: {}, {}, {}{}",
        count(choreography.processes.len(), "process", "processes"),
        count(choreography.starts.len(), "part", "parts"),
        count(choreography.nodes.len(), "node", "nodes"),
        and_warnings(&diagnostics),
    );
    Checked { diagnostics, summary }
}

/// Why a text cannot be used.
fn failed(why: &str, diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    // After so many, the library stops counting.
    let at_least = if errors >= 100 { "at least " } else { "" };
    format!("{why}: {at_least}{}{}", count(errors, "error", "errors"), and_warnings(diagnostics))
}

fn and_warnings(diagnostics: &[Diagnostic]) -> String {
    match diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Warning).count() {
        0 => String::new(),
        warnings => format!(", {}", count(warnings, "warning", "warnings")),
    }
}

fn count(number: usize, one: &str, several: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {several}"),
    }
}
