//! `laban check`: what is wrong with a text, and whether a network has a choreography.

use crate::console::Console;
use crate::effort::Effort;
use crate::exit::Exit;
use crate::input::Input;
use crate::report::{self, Format};
use laban::answer::{Answer, Flaw, answer};
use laban::choreography;
use laban::diagnostic::{Diagnostic, Severity, has_errors};
use laban::extraction::Verdict;
use laban::extraction::explain::WitnessKind;
use laban::network::{self, Network, minimise, warnings};
use laban::syntax::{Kind, parse_choreography, parse_network};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

/// Say what is wrong with networks and choreographies
///
/// Reports mistakes in the syntax, what is ill-formed (such as a process that talks to itself, or a call of a procedure
/// that is not defined) and what is probably not meant (such as a procedure that nothing calls). A network without
/// mistakes is searched, as `laban extract` does it, for deadlocks and livelocks. One line for each file tells the verdict
/// and what is in it.
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

    #[command(flatten)]
    effort: Effort,
}

const HELP: &str = "\
Examples:
  laban check examples/two-buyer.net
  laban check --format concise examples/*.net examples/*.chor
  laban check --service r examples/paper-livelock-finite.net
  laban check - < examples/ill-formed.net

Exit status:
  0  all networks have a choreography, all choreographies are well-formed (there may be warnings)
  1  some network has a deadlock or a livelock
  2  some file has mistakes or cannot be read
  3  undecided within the limits, or interrupted";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let Arguments { files, format, effort } = arguments;
    let mut exit = Exit::Yes;
    let mut absent: BTreeSet<&str> = effort.services().collect();
    for path in files {
        let input = match Input::read(path) {
            Ok(input) => input,
            Err(unreadable) => {
                console.error(unreadable);
                exit.and(Exit::Bad);
                continue;
            }
        };
        let Checked { diagnostics, summary, exit: of_this } = check(&input, effort, &mut absent);
        exit.and(of_this);
        report::write(*format, &input.source, &diagnostics, console.out())?;
        let name = &input.source.name;
        match format {
            // The objects are diagnostics, and this is none.
            Format::Json if of_this == Exit::Undecided => writeln!(console.err(), "{name}: {summary}")?,
            Format::Json => {}
            Format::Full | Format::Concise => writeln!(console.out(), "{name}: {summary}")?,
        }
    }
    // With several files, each may have services of its own.
    for name in absent {
        console.error(format_args!("--service: there is no process {} in any network", laban::diagnostic::quote(name)));
        exit.and(Exit::Bad);
    }
    Ok(exit)
}

/// What there is to say about a text.
struct Checked {
    diagnostics: Vec<Diagnostic>,
    /// All of it in one line.
    summary: String,
    exit: Exit,
}

impl Checked {
    fn bad(diagnostics: Vec<Diagnostic>, why: &str) -> Self {
        Checked { summary: failed(why, &diagnostics), diagnostics, exit: Exit::Bad }
    }
}

fn check<'a>(input: &Input, effort: &'a Effort, absent: &mut BTreeSet<&'a str>) -> Checked {
    if let Some(no_text) = &input.no_text {
        return Checked { diagnostics: vec![no_text.clone()], summary: "not text".to_string(), exit: Exit::Bad };
    }
    match input.kind {
        Kind::Network => check_network(&input.source.text, effort, absent),
        Kind::Choreography => check_choreography(&input.source.text),
    }
}

fn check_network<'a>(text: &str, effort: &'a Effort, absent: &mut BTreeSet<&'a str>) -> Checked {
    let parsed = parse_network(text);
    if has_errors(&parsed.diagnostics) {
        return Checked::bad(parsed.diagnostics, "does not parse");
    }
    let lowered = network::lower(&parsed.tree);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(lowered.diagnostics);
    let Some(mut network) = lowered.network else { return Checked::bad(diagnostics, "ill-formed") };
    for name in effort.services() {
        if network.declare_service(name) {
            absent.remove(name);
        }
    }
    diagnostics.extend(warnings(&parsed.tree, &network));
    let answer = effort.with_options(true, |options| answer(&network, options, !effort.no_certify));
    judged(&network, &answer, diagnostics, effort)
}

/// The verdict on a network that is well-formed.
fn judged(
    network: &Network,
    answer: &Result<Answer, Flaw>,
    mut diagnostics: Vec<Diagnostic>,
    effort: &Effort,
) -> Checked {
    let answer = match answer {
        Ok(answer) => answer,
        Err(flaw) => {
            let summary = format!("undecided: this is a mistake in laban, please report it: {flaw}");
            return Checked { diagnostics, summary, exit: Exit::Undecided };
        }
    };
    let also = and_warnings(&diagnostics);
    diagnostics.extend(answer.explanations.iter().map(|explanation| explanation.diagnostic(network)));
    let summary = format!(
        "{}: {}, {}, {} ({} after minimisation), {}{also}",
        verdict(network, answer, effort),
        count(network.processes.len(), "process", "processes"),
        count(answer.components, "component", "components"),
        count(network.states.len(), "state", "states"),
        minimise(network).network.states.len(),
        count(answer.statistics.nodes, "node", "nodes"),
    );
    Checked { diagnostics, summary, exit: answer.verdict.into() }
}

fn verdict(network: &Network, answer: &Answer, effort: &Effort) -> String {
    match answer.verdict {
        Verdict::Extracted => return "extractable".to_string(),
        Verdict::Undecided => return effort.undecided(answer, network),
        Verdict::Deadlock | Verdict::Livelock if answer.components == 1 => return answer.verdict.as_str().to_string(),
        Verdict::Deadlock | Verdict::Livelock => {}
    }
    let kinds = [WitnessKind::Deadlock, WitnessKind::Livelock].map(|kind| {
        let number = answer.explanations.iter().filter(|explanation| explanation.kind == kind).count();
        (number > 0).then(|| format!("{} in {number} of {}", kind.as_str(), answer.components))
    });
    kinds.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn check_choreography(text: &str) -> Checked {
    let parsed = parse_choreography(text);
    if has_errors(&parsed.diagnostics) {
        return Checked::bad(parsed.diagnostics, "does not parse");
    }
    let lowered = choreography::lower(&parsed.tree);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(lowered.diagnostics);
    let Some(choreography) = lowered.choreography else { return Checked::bad(diagnostics, "ill-formed") };
    let summary = format!(
        "well-formed: {}, {}, {}{}",
        count(choreography.processes.len(), "process", "processes"),
        count(choreography.starts.len(), "part", "parts"),
        count(choreography.nodes.len(), "node", "nodes"),
        and_warnings(&diagnostics),
    );
    Checked { diagnostics, summary, exit: Exit::Yes }
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
