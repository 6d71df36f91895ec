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
use laban::diagnostic::{Diagnostic, quote};
use laban::syntax::Kind;
use laban::{Analysis, Extraction, InternalError, Model, Network};
use laban_report::{Checked, Files, Input, kind_by_name, no_process, untold};
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

/// Report mistakes, deadlocks and livelocks in networks and choreographies
///
/// Reports syntax errors, ill-formed networks (such as a process that talks to itself, or a call of an undefined
/// procedure) and warnings (such as a procedure that is never called). A network without mistakes is searched for
/// deadlocks and livelocks, as by `laban extract`. One line per file gives the verdict and some numbers.
///
/// For a sequence diagram or a protocol of another tool, reports who is not told of a decision, and which message would
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
    console.watch_reader();
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
    let mut has_told = false;
    reader.each(&files, |read| {
        match read {
            // Nobody wants to know the rest.
            _ if has_told && console.is_closed() => exit.and(Exit::Undecided),
            Ok(input) if *together && input.kind() == Kind::Network && input.format().is_none() => {
                parts.inputs.push(input);
            }
            Ok(input) => {
                exit.and(tell(&input, check(&input, &mut asked), &mut report, console)?);
                has_told = true;
            }
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
    if has_told && console.is_closed() {
        return Ok(exit);
    }
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

fn check(input: &Input, asked: &mut Asked<'_>) -> Checked {
    match input.analysis.model() {
        None => Checked::unusable(input, asked.files),
        Some(Model::Network(network)) => check_network(network.clone(), &input.analysis, asked),
        Some(Model::Choreography(choreography)) => {
            let (services, args) = (asked.search.services(), asked.formats.read_args());
            let untold = asked
                .search
                .with_options(false, |options| untold(input, choreography, services, &args, options.limits));
            Checked::choreography(input, choreography, untold)
        }
    }
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
        let refused = Checked::line(analysis.diagnostics().to_vec(), refusal, Exit::Bad);
        return Checked { refused: true, ..refused };
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
    match answer {
        Ok(answer) => {
            let left = search.services_left(&answer, &network);
            Checked::network(network, answer, diagnostics, &left, search.strict.is_error(), || search.why_given_up())
        }
        Err(error) => Checked::line(diagnostics, fault::message(error), Exit::Fault),
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
