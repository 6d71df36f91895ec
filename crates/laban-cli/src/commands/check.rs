//! `laban check`: what is wrong with a text, and whether a network has a choreography.

use crate::console::Console;
use crate::exit::Exit;
use crate::fault;
use crate::folder::expanded;
use crate::formats::FormatArgs;
use crate::input;
use crate::reader::Reader;
use crate::report::{Format, MOST_DIAGNOSTICS, Problem, Report};
use crate::search_args::SearchArgs;
use laban::diagnostic::{Annotation, Diagnostic, Severity, quote};
use laban::extraction::Verdict;
use laban::extraction::explain::Explanation;
use laban::network::ProcessId;
use laban::syntax::Kind;
use laban::{Analysis, Choreography, Model, Network, NotProjected, ProjectOptions, StopReason};
use laban::{Extraction, InternalError};
use laban_formats::explain_untold;
use laban_report::{Files, Input, kind_by_name, no_process};
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

/// Report mistakes, deadlocks and livelocks in networks and choreographies
///
/// Reports syntax errors, ill-formed networks (such as a process that talks to itself, or a call of an undefined
/// procedure) and warnings (such as a procedure that is never called). A network without mistakes is searched for
/// deadlocks and livelocks, as by `laban extract`. One line per file gives the verdict and some numbers.
///
/// Of a sequence diagram or a protocol of another tool it says who is not told of a decision, and which message would
/// tell them. `laban amend` adds these messages.
///
/// With `--format json`, prints one JSON object per diagnostic and nothing else. `sarif`, `junit` and `github` are for
/// continuous integration: one document about all files.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Networks (.net), choreographies (.chor), files of other tools, and folders; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Treat all networks as parts of one, spread over several files
    #[arg(long)]
    together: bool,

    /// How to show diagnostics
    #[arg(long, value_enum, default_value_t = Format::Full)]
    format: Format,

    #[command(flatten)]
    formats: FormatArgs,

    #[command(flatten)]
    search: SearchArgs,
}

const HELP: &str = "\
Examples:
  laban check examples/two-buyer.net
  laban check --format concise examples/*.net examples/*.chor
  laban check --service r examples/paper-livelock-finite.net
  laban check - < examples/ill-formed.net
  laban check --together examples/ci/services/*.net examples/ci/protocol.chor
  laban check examples/formats/oauth.scr examples/formats/login.mmd
  laban check --format sarif examples/*.net -o laban.sarif

Exit status:
  0  every network has a choreography, every choreography is well-formed (there may be warnings)
  1  a network has no choreography
  2  a file has mistakes or cannot be read
  3  undecided within the limits, or interrupted
  4  a fault in laban itself";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let Arguments { files, together, format, formats, search } = arguments;
    let mut report = Report::new(*format, "check");
    let mut exit = Exit::Yes;
    let files = match expanded(files) {
        Ok(files) => files,
        Err(refused) => {
            report.refuse(refused, console)?;
            report.finish(Exit::Bad, console)?;
            return Ok(Exit::Bad);
        }
    };
    let networks = files.iter().filter(|path| kind_by_name(path) != Some(Kind::Choreography)).count();
    let files_are = match together {
        true => Files::Together,
        false if networks > 1 => Files::Apart,
        false => Files::One,
    };
    let (absent, present) = (search.services().collect(), BTreeSet::new());
    let mut asked = Asked { search, formats, files: files_are, absent, present };
    if *together && let Err(refused) = input::all_different(&files) {
        report.refuse(vec![refused], console)?;
        report.finish(Exit::Bad, console)?;
        return Ok(Exit::Bad);
    }
    let mut parts = Parts { inputs: Vec::new(), missing: Vec::new() };
    let reader = Reader::new(formats).with_channels(search.channels);
    reader.each(&files, |read| {
        match read {
            Ok(input) if *together && input.kind() == Kind::Network && input.format().is_none() => {
                parts.inputs.push(input);
            }
            Ok(input) => exit.and(tell(&input, check(&input, &mut asked), &mut report, console)?),
            Err((file, refused)) => {
                let name = file.name;
                report.begin(name.clone());
                report.refuse(vec![refused], console)?;
                exit.and(Exit::Bad);
                parts.missing.push(format!("{name} cannot be read"));
            }
        }
        Ok(())
    })?;
    if *together {
        exit.and(parts.check(&mut asked, &mut report, console)?);
    }
    // With several files, each may have services of its own.
    for name in &asked.absent {
        let message = match files_are {
            Files::One | Files::Together => no_process(name, asked.present.iter().map(String::as_str)),
            Files::Apart => format!("there is no process {} in any network", quote(name)),
        };
        report.begin("--service");
        report.trouble(Problem::Usage, format!("--service: {message}"), console);
        exit.and(Exit::Bad);
    }
    report.finish(exit, console)?;
    Ok(exit)
}

/// What is asked of each network.
struct Asked<'a> {
    search: &'a SearchArgs,
    formats: &'a FormatArgs,
    /// How the files make networks.
    files: Files,
    /// The services that no network has had so far.
    absent: BTreeSet<&'a str>,
    /// The processes that there are, as far as that is of interest.
    present: BTreeSet<String>,
}

/// Files that are parts of one network.
struct Parts {
    inputs: Vec<Input>,
    /// What keeps others from being one network with them.
    missing: Vec<String>,
}

impl Parts {
    /// Checks each for itself, for a bracket that is not closed is a mistake of its own file, and then all as one.
    fn check(self, asked: &mut Asked<'_>, report: &mut Report, console: &mut Console) -> io::Result<Exit> {
        let Parts { inputs, mut missing } = self;
        let (mut exit, mut fine) = (Exit::Yes, Vec::new());
        for input in inputs {
            let errors = input.analysis.syntax_errors();
            if errors.is_empty() {
                fine.push(input);
                continue;
            }
            exit.and(tell(&input, Checked::bad(errors.to_vec(), "does not parse"), report, console)?);
            missing.push(format!("{} does not parse", input.source.name));
        }
        if let Some(first) = missing.first() {
            // Who is in the network is not known.
            asked.absent.clear();
            let more = match missing.len() {
                1 => String::new(),
                number => format!(", and {} more", number - 1),
            };
            fine.iter().for_each(|input| report.skip(&input.source.name, &format!("not checked: {first}{more}")));
        } else if !fine.is_empty() {
            let input = Input::together(fine);
            exit.and(tell(&input, check(&input, asked), report, console)?);
        }
        Ok(exit)
    }
}

/// Tells what there is to say about a text.
fn tell(input: &Input, checked: Checked, report: &mut Report, console: &mut Console) -> io::Result<Exit> {
    let Checked { diagnostics, failures, left, summary, exit, refused } = checked;
    let name = &input.called();
    report.begin(name.clone());
    input.asides().iter().try_for_each(|aside| console.say_aside(aside))?;
    let all = failures.as_ref().map_or(0, |(_, explanations)| explanations.len());
    // Of very many, failures count more than warnings.
    let shown_failures = all.min(MOST_DIAGNOSTICS);
    let shown = diagnostics.len().min(MOST_DIAGNOSTICS - shown_failures);
    report.tell(&input.source, diagnostics.get(..shown).unwrap_or_default(), console)?;
    if let Some((network, explanations)) = &failures {
        for explanation in explanations.iter().take(shown_failures) {
            let run = (&input.source, || explanation.steps(network));
            report.tell_with_run(&input.source, explanation.diagnostic(network), run, console)?;
        }
    }
    for (diagnostic, steps) in left {
        report.tell_with_run(&input.source, diagnostic, (&input.source, || steps), console)?;
    }
    report.omit(&input.source, diagnostics.len() + all - shown - shown_failures, console)?;
    report.say(&format!("{name}: {summary}"), console)?;
    let problem = match exit {
        Exit::Undecided => Problem::Undecided,
        Exit::Fault => Problem::Fault,
        Exit::Bad if refused => Problem::Usage,
        Exit::Yes | Exit::No | Exit::Bad => return Ok(exit),
    };
    report.no_answer(problem, input.source.file_at(0), &format!("{name}: {summary}"), console)?;
    Ok(exit)
}

/// What there is to say about a text.
struct Checked {
    /// Mistakes and warnings.
    diagnostics: Vec<Diagnostic>,
    /// The deadlocks and livelocks of a network.
    failures: Option<(Network, Vec<Explanation>)>,
    /// The services that are left in the middle of a conversation, with the run to each.
    left: Vec<(Diagnostic, Vec<Annotation>)>,
    /// All of it in one line.
    summary: String,
    exit: Exit,
    /// Whether it is not the text that is wrong, but what was asked.
    refused: bool,
}

impl Checked {
    fn bad(diagnostics: Vec<Diagnostic>, why: &str) -> Self {
        Checked {
            summary: failed(why, &diagnostics),
            diagnostics,
            failures: None,
            left: Vec::new(),
            exit: Exit::Bad,
            refused: false,
        }
    }
}

fn check(input: &Input, asked: &mut Asked<'_>) -> Checked {
    let analysis = &input.analysis;
    match analysis.model() {
        None if !analysis.is_text() => {
            let (diagnostics, summary) = (analysis.errors().to_vec(), "not text".to_string());
            Checked { diagnostics, failures: None, left: Vec::new(), summary, exit: Exit::Bad, refused: false }
        }
        None if !analysis.syntax_errors().is_empty() => Checked::bad(analysis.errors().to_vec(), "does not parse"),
        None => Checked::bad(asked.files.explained(analysis), "ill-formed"),
        Some(Model::Network(network)) => check_network(network.clone(), analysis, asked),
        Some(Model::Choreography(choreography)) => {
            let mut diagnostics = analysis.diagnostics().to_vec();
            let untold = match untold(input, choreography, asked) {
                Ok(untold) => untold,
                Err(reason) => {
                    let mut checked = well_formed(choreography, diagnostics);
                    checked.summary.push_str(&format!("; undecided whether everybody is told enough: {reason}"));
                    checked.exit = Exit::Undecided;
                    return checked;
                }
            };
            let is_complete = untold.is_empty();
            diagnostics.extend(untold);
            let mut checked = well_formed(choreography, diagnostics);
            if !is_complete {
                let missing = if input.diagram().is_some() { "arrows" } else { "selections" };
                checked.summary.push_str(&format!("; `laban amend` adds the {missing} that are missing"));
            }
            checked
        }
    }
}

/// What a sequence diagram or a protocol of another tool forgets to say: who is not told of a decision. It can be drawn
/// all the same, so these are warnings. With a choreography of Laban itself, that is a question for `laban project`.
fn untold(input: &Input, choreography: &Choreography, asked: &Asked<'_>) -> Result<Vec<Diagnostic>, StopReason> {
    if input.format().is_none_or(|format| format == laban_formats::Format::Json) {
        return Ok(Vec::new());
    }
    let services: Vec<ProcessId> = (0..choreography.processes().len() as u32)
        .map(ProcessId)
        .filter(|&process| asked.search.services().any(|name| name == choreography.process_name(process)))
        .collect();
    let projected = asked.search.with_options(false, |options| {
        laban::project(choreography, &ProjectOptions { services: &services, limits: options.limits })
    });
    let refused = match projected {
        Ok(_) => return Ok(Vec::new()),
        Err(NotProjected::Undecided(reason)) => return Err(reason),
        Err(refused) => refused,
    };
    let mut diagnostics = match input.diagram() {
        Some((format, source)) => asked.formats.with_options(input.is_block(), |options| {
            explain_untold(format, &source, options, choreography, refused.reasons())
        }),
        None => refused.reasons().iter().map(|reason| reason.diagnostic(choreography)).collect(),
    };
    diagnostics.iter_mut().for_each(|diagnostic| diagnostic.severity = Severity::Warning);
    Ok(diagnostics)
}

fn check_network(mut network: Network, analysis: &Analysis, asked: &mut Asked<'_>) -> Checked {
    let search = asked.search;
    for name in search.services() {
        if network.declare_service(name) {
            asked.absent.remove(name);
        }
    }
    if !asked.absent.is_empty() {
        let names = network.process_ids().map(|process| network.process_name(process).to_string());
        asked.present.extend(names);
    }
    search.channels.apply(&mut network);
    if let Some(refusal) = search.refusal(&network) {
        let diagnostics = analysis.diagnostics().to_vec();
        return Checked {
            diagnostics,
            failures: None,
            left: Vec::new(),
            summary: refusal,
            exit: Exit::Bad,
            refused: true,
        };
    }
    let answer = search.thorough_answer(&network, true);
    judged(network, answer, analysis.diagnostics().to_vec(), search)
}

/// The verdict on a network that is well-formed.
fn judged(
    network: Network,
    answer: Result<Extraction, InternalError>,
    diagnostics: Vec<Diagnostic>,
    search: &SearchArgs,
) -> Checked {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            return Checked {
                diagnostics,
                failures: None,
                left: Vec::new(),
                summary: fault::message(error),
                exit: Exit::Fault,
                refused: false,
            };
        }
    };
    let left: Vec<(Diagnostic, Vec<Annotation>)> = answer
        .services_left(&network)
        .iter()
        .map(|left| (search.strict.diagnostic(left, &network), left.steps(&network)))
        .collect();
    let exit = search.strict.exit(answer.verdict().into(), left.len());
    let also = and_warnings(diagnostics.iter().chain(left.iter().map(|(diagnostic, _)| diagnostic)));
    let summary = format!(
        "{}: {}, {}, {} ({} after minimisation), {}{}{also}",
        if exit == Exit::No && !left.is_empty() {
            "extractable, but a service is left in the middle".to_string()
        } else {
            verdict(&network, &answer, search)
        },
        count(network.processes().len(), "process", "processes"),
        count(answer.components().len(), "component", "components"),
        count(network.states().len(), "state", "states"),
        network.minimised().states().len(),
        count(answer.statistics().nodes, "node", "nodes"),
        answer.capacities_text(&network).map_or_else(String::new, |text| format!(", {text}")),
    );
    Checked { diagnostics, left, exit, failures: Some((network, answer.into_explanations())), summary, refused: false }
}

fn verdict(network: &Network, answer: &Extraction, search: &SearchArgs) -> String {
    match answer.verdict() {
        Verdict::Extracted => return "extractable".to_string(),
        Verdict::Undecided => return search.undecided(answer, network),
        failure if answer.components().len() == 1 => return failure.as_str().to_string(),
        _ => {}
    }
    let kinds = [Verdict::Deadlock, Verdict::Orphan, Verdict::Livelock, Verdict::Unbounded].map(|kind| {
        let number = answer.explanations().iter().filter(|explanation| explanation.kind.verdict() == kind).count();
        (number > 0).then(|| format!("{} in {number} of {}", kind.as_str(), answer.components().len()))
    });
    kinds.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn well_formed(choreography: &Choreography, diagnostics: Vec<Diagnostic>) -> Checked {
    let summary = format!(
        "well-formed: {}, {}, {}{}",
        count(choreography.processes().len(), "process", "processes"),
        count(choreography.starts().len(), "part", "parts"),
        count(choreography.nodes().len(), "node", "nodes"),
        and_warnings(&diagnostics),
    );
    Checked { diagnostics, failures: None, left: Vec::new(), summary, exit: Exit::Yes, refused: false }
}

/// Why a text cannot be used.
fn failed(why: &str, diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    // After so many, the library stops counting.
    let at_least = if errors >= 100 { "at least " } else { "" };
    format!("{why}: {at_least}{}{}", count(errors, "error", "errors"), and_warnings(diagnostics))
}

fn and_warnings<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> String {
    match diagnostics.into_iter().filter(|diagnostic| diagnostic.severity() == Severity::Warning).count() {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;

    #[test]
    fn a_failure_that_cannot_be_replayed_is_a_fault_with_exit_status_4() {
        let Command::Check(arguments) = Cli::try_parse_from(["laban", "check", "x.net"]).unwrap().command else {
            return;
        };
        let network = laban::analyse("p { main { stop } }").into_network().unwrap();
        let error = Err(InternalError::NotReplayed("step 3".to_string()));
        let checked = judged(network, error, Vec::new(), &arguments.search);
        assert_eq!(checked.exit.code(), 4);
        assert!(checked.summary.starts_with("this is a fault in laban, please report it: "), "{}", checked.summary);
    }
}
