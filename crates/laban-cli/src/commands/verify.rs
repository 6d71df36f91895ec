//! `laban verify`: does this choreography describe this network?

use crate::channels::ChannelArgs;
use crate::conditions::ConditionsArg;
use crate::console::Console;
use crate::drawing::{AnswerFormat, or_diagram};
use crate::exit::Exit;
use crate::formats::FormatArgs;
use crate::input;
use crate::interrupt::is_interrupted;
use crate::limits::stop_reason;
use crate::reader::Reader;
use crate::report::{self, Format, Problem, Report};
use crate::strict_services::StrictServices;
use laban::equivalence::{NotVerified, VerifyOptions, services_left, verify};
use laban::syntax::Kind;
use laban::{Limits, StopReason};
use laban_draw::{Focus, sequence};
use laban_report::{kind_by_name, on_one_line, unknown_services};
use std::io;
use std::path::{Path, PathBuf};

/// Check that a choreography describes a network
///
/// Runs both in lockstep: each action of the choreography must be possible in the network, the choreography may stop
/// only when all processes but services have stopped, and no process may be left out forever. Independent actions may
/// be in any order.
///
/// If a network is spread over several files, such as one per service, give them all; the last file is the
/// choreography.
///
/// As a diagram (`--format mermaid`, `markdown`, `plantuml` or `svg`), a mismatch is the run that both can follow and
/// then what each of the two does; the message goes to standard error. Without a mismatch, nothing is drawn.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The files of the network, or a folder with them
    #[arg(required = true, value_name = "NETWORK")]
    networks: Vec<PathBuf>,

    /// The choreography
    choreography: PathBuf,

    /// How to show a mismatch
    #[arg(long, value_parser = or_diagram::<Format>(), default_value = "full", value_name = "FORMAT")]
    format: AnswerFormat<Format>,

    /// How decisions are matched
    ///
    /// The names of local variables are private to a process; with `any`, renaming one breaks nothing.
    #[arg(long, value_enum, default_value_t = ConditionsArg::Text, value_name = "HOW")]
    conditions: ConditionsArg,

    /// Assume that decisions are fair: a loop that can be left is left eventually, so nobody starves in it
    #[arg(long)]
    fair: bool,

    /// Treat this process as a service, which may wait forever; can be repeated
    #[arg(long = "service", value_name = "PROCESS")]
    services: Vec<String>,

    #[command(flatten)]
    strict: StrictServices,

    #[command(flatten)]
    channels: ChannelArgs,

    #[command(flatten)]
    formats: FormatArgs,
}

const HELP: &str = "\
Examples:
  laban verify examples/two-buyer.net examples/two-buyer.chor
  laban extract examples/bargain.net | laban verify examples/bargain.net -
  laban verify examples/buyer-seller.net examples/buyer-seller-hasty.chor --format svg -o why.svg
  laban verify examples/ci/services/*.net examples/ci/protocol.chor
  laban verify examples/ci/services examples/ci/protocol.chor
  laban verify examples/formats/protocol.md examples/formats/protocol.md
  laban verify --format sarif examples/ci/services/*.net examples/ci/protocol.chor -o laban.sarif

Exit status:
  0  the choreography describes the network
  1  it does not; with --strict-services, a service is left in the middle
  2  a file has mistakes or cannot be read
  3  interrupted";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let mut report = Report::new(arguments.format.own_or(Format::Full), "verify");
    let exit = compared(arguments, &mut report, console)?;
    report.finish(exit, console)?;
    Ok(exit)
}

fn compared(arguments: &Arguments, report: &mut Report, console: &mut Console) -> io::Result<Exit> {
    let Arguments { networks, choreography, services, .. } = arguments;
    let names: Vec<_> = networks.iter().map(|path| path.to_string_lossy()).collect();
    report.begin(format!("{} follows {}", names.join(" + "), choreography.to_string_lossy()));
    if let Err(refused) = input::read_once(networks.iter().chain([choreography])) {
        report.refuse(vec![refused], console)?;
        return Ok(Exit::Bad);
    }
    if let Some(message) = out_of_order(networks, choreography) {
        report.trouble(Problem::Usage, message, console);
        return Ok(Exit::Bad);
    }
    let reader = Reader::new(&arguments.formats).with_channels(arguments.channels);
    let network = report.accept(reader.networks(networks), console)?;
    let choreography = report.accept(reader.choreography(choreography), console)?;
    let (Some((text, mut network)), Some((protocol, choreography))) = (network, choreography) else {
        return Ok(Exit::Bad);
    };
    arguments.channels.apply(&mut network);
    let unknown = unknown_services(services, &mut network);
    if !unknown.is_empty() {
        unknown.into_iter().for_each(|message| report.trouble(Problem::Usage, message, console));
        return Ok(Exit::Bad);
    }
    let stop = || stop_reason(None);
    let limits = Limits { max_states: None, stop: &stop };
    let (fair, conditions) = (arguments.fair, arguments.conditions.into());
    let options = VerifyOptions { limits, fair, conditions, ..VerifyOptions::default() };
    // Where there was an interrupt while the files were read, nothing more is begun.
    let answer = match is_interrupted() {
        true => Err(NotVerified::Undecided(StopReason::Interrupted)),
        false => verify(&network, &choreography, &options),
    };
    match answer {
        Err(NotVerified::Undecided(reason)) => {
            let (protocol, network) = (&protocol.source, &text.source);
            let answer =
                format!("undecided: {reason}; no mismatch between {} and {} so far", protocol.name, network.name);
            match arguments.format {
                AnswerFormat::Own(_) => {
                    report.say(&answer, console)?;
                    report.no_answer(Problem::Undecided, protocol.file_at(0), &answer, console)?;
                }
                AnswerFormat::Diagram(_) => console.say_aside(&answer)?,
            }
            Ok(Exit::Undecided)
        }
        Ok(certificate) => {
            let actions = if certificate.pairs == 1 { "action" } else { "actions" };
            let left = services_left(&network, &choreography, &options);
            let diagnostics = arguments.strict.diagnostics(&left, &network);
            for (left, diagnostic) in left.iter().zip(diagnostics) {
                match arguments.format {
                    AnswerFormat::Own(_) => {
                        let run = (&text.source, || left.steps(&network));
                        report.tell_with_run(&text.source, diagnostic, run, console)?;
                    }
                    AnswerFormat::Diagram(_) => {
                        report::write(Format::Full, &text.source, &[diagnostic], console.err())?;
                    }
                }
            }
            let (protocol, network) = (&protocol.source.name, &text.source.name);
            let answer = format!("{protocol} describes {network}: {} {actions} checked", certificate.pairs);
            match arguments.format {
                AnswerFormat::Own(_) => report.say(&answer, console)?,
                AnswerFormat::Diagram(_) => console.say_aside(&answer)?,
            }
            Ok(arguments.strict.exit(Exit::Yes, left.len()))
        }
        Err(NotVerified::Mismatch(mismatch)) => {
            let mut diagnostic = mismatch.diagnostic(&network, &choreography);
            // Whoever draws a loop takes it for one that ends.
            let is_of_others = protocol.format().is_some() && !fair;
            if is_of_others && verify(&network, &choreography, &VerifyOptions { fair: true, ..options }).is_ok() {
                diagnostic = diagnostic
                    .hint("with `--fair`, where each decision goes each way some time, the network follows it");
            }
            let places = mismatch.places(&network);
            match arguments.format {
                AnswerFormat::Own(_) => {
                    let run = (&text.source, || mismatch.steps(&network));
                    report.tell_with_run(&protocol.source, diagnostic, run, console)?;
                    report.tell(&text.source, &places, console)?;
                }
                AnswerFormat::Diagram(diagram) => {
                    let drawn = sequence::mismatch(&network, &choreography, &mismatch, &Focus::default());
                    diagram.write(&drawn, console.data())?;
                    report::write(Format::Full, &protocol.source, &[diagnostic], console.err())?;
                    report::write(Format::Full, &text.source, &places, console.err())?;
                }
            }
            Ok(Exit::No)
        }
    }
}

/// Why the last file cannot be the choreography, as far as the names of the files tell.
fn out_of_order(networks: &[PathBuf], last: &Path) -> Option<String> {
    let kind = |path: &Path| kind_by_name(path);
    if kind(last) != Some(Kind::Network) {
        return None;
    }
    let usage = "usage: laban verify NET… CHOR";
    let message = match networks.iter().find(|path| kind(path) == Some(Kind::Choreography)) {
        Some(choreography) => {
            let name = on_one_line(&choreography.to_string_lossy());
            format!("{name} is a choreography, which comes last; {usage}")
        }
        None => {
            let name = on_one_line(&last.to_string_lossy());
            format!("the choreography is missing: the last file, {name}, is a network; {usage}")
        }
    };
    Some(message)
}
