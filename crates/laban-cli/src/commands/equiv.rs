//! `laban equiv`: can two systems do the same?

use crate::channels::ChannelArgs;
use crate::conditions::ConditionsArg;
use crate::console::Console;
use crate::drawing::{AnswerFormat, or_diagram};
use crate::exit::Exit;
use crate::formats::FormatArgs;
use crate::input;
use crate::interrupt::is_interrupted;
use crate::json;
use crate::limits::LimitArgs;
use crate::reader::Reader;
use crate::report::{self, Format as Diagnostics, Problem, Report};
use clap::ValueEnum;
use laban::Model;
use laban::choreography::Unprojectable;
use laban::diagnostic::Diagnostic;
use laban::equivalence::{Comparison, Equivalence, EquivalenceOptions, stand_in};
use laban::{Limits, StopReason};
use laban_draw::{Focus, sequence};
use laban_report::{BOUNDED, Input, comparison_sentence, different_ends, not_known};
use serde::Serialize;
use serde_json::Value;
use std::io;
use std::path::PathBuf;

/// Compare two networks or choreographies: do they behave the same?
///
/// Each of the two is a network or a choreography; a choreography is projected first. They are equivalent if at
/// any point each can do what the other can (bisimilarity); the order in which independent actions are written does not
/// matter. If they are not, shows a shortest run after which one can do something that the other cannot. Being stuck
/// and having stopped are not actions: if one is stuck where the other has stopped, they still can do the same, and
/// Laban says so.
///
/// As a diagram (`--format mermaid`, `markdown`, `plantuml` or `svg`), a difference is the run that both can follow and
/// then what each of the two does; the sentence goes to standard error. Without a difference, nothing is drawn.
///
/// A choreography without a projection is compared as written, within bounds; the answer may then be that it is
/// unknown. A choreography is always found to be the same as itself, whatever its procedures are called.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// A network or a choreography
    first: PathBuf,

    /// The network or choreography to compare it with
    second: PathBuf,

    /// Require the same processes to be services
    #[arg(long)]
    services: bool,

    /// How decisions are matched
    ///
    /// The names of local variables are private to a process; with `any`, renaming one breaks nothing.
    #[arg(long, value_enum, default_value_t = ConditionsArg::Text, value_name = "HOW")]
    conditions: ConditionsArg,

    /// With queues, compare only who receives what, and in which order
    ///
    /// A message then counts when it is received; that it was put into a queue before does not. So a network with
    /// queues can do the same as one without.
    #[arg(long)]
    messages: bool,

    /// How to print the answer
    #[arg(long, value_parser = or_diagram::<Format>(), default_value = "text", value_name = "FORMAT")]
    format: AnswerFormat<Format>,

    #[command(flatten)]
    channels: ChannelArgs,

    #[command(flatten)]
    formats: FormatArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A sentence
    #[value(alias = "full")]
    Text,
    /// A sentence; one line per mistake in a file
    Concise,
    /// One JSON object
    Json,
    /// A SARIF 2.1.0 document, for code scanning
    Sarif,
    /// A JUnit XML document, for test reports
    Junit,
    /// Annotations of GitHub Actions
    Github,
}

impl Format {
    /// How diagnostics are shown.
    fn diagnostics(self) -> Diagnostics {
        match self {
            Format::Text => Diagnostics::Full,
            Format::Concise => Diagnostics::Concise,
            Format::Json => Diagnostics::Json,
            Format::Sarif => Diagnostics::Sarif,
            Format::Junit => Diagnostics::Junit,
            Format::Github => Diagnostics::Github,
        }
    }
}

const HELP: &str = "\
Examples:
  laban equiv examples/two-buyer.net examples/two-buyer.chor
  laban extract examples/bargain.net | laban equiv examples/bargain.net -
  laban equiv --format mermaid examples/buyer-seller.net examples/buyer-seller-hasty.chor
  laban equiv examples/formats/auction.nuscr examples/formats/auction.nuscr
  laban equiv --format junit examples/two-buyer.chor examples/two-buyer.net -o equiv.xml

Exit status:
  0  they can do the same
  1  they cannot
  2  a file has mistakes or cannot be read
  3  not known within the limits, or interrupted";

#[derive(Serialize)]
struct Answer<'a> {
    first: &'a str,
    second: &'a str,
    outcome: &'static str,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    run: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    first_can: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    second_can: Vec<String>,
    /// What is wrong or strange with the files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<Value>,
}

impl<'a> Answer<'a> {
    fn new(first: &'a str, second: &'a str, outcome: &'static str) -> Self {
        Answer {
            first,
            second,
            outcome,
            exact: false,
            reason: None,
            ends: None,
            run: Vec::new(),
            first_can: Vec::new(),
            second_can: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let is_json = arguments.format == AnswerFormat::Own(Format::Json);
    let mut report = match arguments.format.own_or(Format::Text).diagnostics() {
        Diagnostics::Json => Report::of_one_object("equiv"),
        format => Report::new(format, "equiv"),
    };
    let exit = compared(arguments, &mut report, console)?;
    if is_json && exit == Exit::Bad {
        let (first, second) = (input::name_of(&arguments.first), input::name_of(&arguments.second));
        let answer = Answer { diagnostics: report.take_collected(), ..Answer::new(&first, &second, "invalid") };
        json::write_line(&answer, console.data())?;
    }
    report.finish(exit, console)?;
    Ok(exit)
}

fn compared(arguments: &Arguments, report: &mut Report, console: &mut Console) -> io::Result<Exit> {
    let Arguments { first, second, .. } = arguments;
    report.begin(format!("{} can do the same as {}", first.to_string_lossy(), second.to_string_lossy()));
    if let Err(refused) = input::read_once([first, second]) {
        report.refuse(vec![refused], console)?;
        return Ok(Exit::Bad);
    }
    let reader = Reader::new(&arguments.formats).with_channels(arguments.channels);
    let first = report.accept(reader.model(first), console)?;
    let second = report.accept(reader.model(second), console)?;
    let (Some((one, mut first)), Some((other, mut second))) = (first, second) else { return Ok(Exit::Bad) };
    [&mut first, &mut second].into_iter().for_each(|model| arguments.channels.apply_to(model));
    // Where there was an interrupt while the files were read, nothing more is begun.
    let comparison = match is_interrupted() {
        true => Comparison::exact(Equivalence::Undecided { pairs: 0, reason: StopReason::Interrupted }),
        false => arguments.limits.with_limits(|limits| {
            let options = EquivalenceOptions {
                services: arguments.services,
                limits,
                conditions: arguments.conditions.into(),
                messages: arguments.messages,
            };
            laban::equivalent(&first, &second, &options)
        }),
    };
    let exit = match &comparison.answer {
        Equivalence::Same { .. } => Exit::Yes,
        Equivalence::Different(_) => Exit::No,
        Equivalence::Undecided { .. } => Exit::Undecided,
    };
    let sides = [(&one, &first), (&other, &second)];
    match arguments.format {
        AnswerFormat::Own(form @ (Format::Text | Format::Concise)) => {
            let sentence = show(&comparison, sides, form.diagnostics(), console)?;
            console.say(sentence)?;
        }
        AnswerFormat::Diagram(diagram) => {
            let sentence = show(&comparison, sides, Diagnostics::Full, console)?;
            console.say_aside(sentence)?;
            let (first, second) = (&one.source.name, &other.source.name);
            let draw = |difference| sequence::difference(difference, first, second, &Focus::default());
            match &comparison.answer {
                Equivalence::Different(difference) | Equivalence::Same { ends: Some(difference), .. } => {
                    diagram.write(&draw(difference), console.data())?;
                }
                Equivalence::Same { ends: None, .. } | Equivalence::Undecided { .. } => {}
            }
        }
        AnswerFormat::Own(Format::Json) => {
            let answer = answer(&comparison, &one.source.name, &other.source.name);
            json::write_line(&Answer { diagnostics: report.take_collected(), ..answer }, console.data())?;
        }
        AnswerFormat::Own(Format::Sarif | Format::Junit | Format::Github) => tell(&comparison, sides, report, console)?,
    }
    Ok(exit)
}

/// Tells the answer in the report.
fn tell(
    comparison: &Comparison,
    sides: [(&Input, &Model); 2],
    report: &mut Report,
    console: &mut Console,
) -> io::Result<()> {
    let [(one, first), (other, second)] = sides;
    let called = [one.source.name.as_str(), other.source.name.as_str()];
    for ((input, model), failures) in sides.into_iter().zip(&comparison.unprojectable) {
        if !failures.is_empty() {
            report.mention(&input.source, &reasons(input, model, failures));
            report.say(&format!("{} {BOUNDED}", input.source.name), console)?;
        }
    }
    match &comparison.answer {
        Equivalence::Same { ends, .. } => {
            report.say(&format!("{} and {} can do the same", called[0], called[1]), console)?;
            match ends {
                Some(ends) => report.say(&different_ends(ends, called), console),
                None => Ok(()),
            }
        }
        Equivalence::Different(difference) => {
            let stand_ins = [
                stand_in(first.into(), second.into(), Limits::default()),
                stand_in(second.into(), first.into(), Limits::default()),
            ];
            let stand_ins = stand_ins.map(|network| network.ok().flatten());
            let networks = [(first, &stand_ins[0]), (second, &stand_ins[1])].map(|(model, stand_in)| match model {
                Model::Network(network) => Some(network),
                Model::Choreography(_) => stand_in.as_ref(),
            });
            let [here, there] = difference.diagnostics(networks, called);
            for mut diagnostic in there {
                if !comparison.is_exact() {
                    diagnostic.message.push_str(" (compared as they are written, within bounds)");
                }
                let steps = || networks[1].map_or(Vec::new(), |network| difference.steps(network));
                report.tell_with_run(&other.source, diagnostic, (&other.source, steps), console)?;
            }
            report.tell(&one.source, &here, console)
        }
        Equivalence::Undecided { reason, .. } => report.no_answer(
            Problem::Undecided,
            other.source.file_at(0),
            &not_known(*reason, called, is_interrupted()),
            console,
        ),
    }
}

/// Why a choreography has no projection.
fn reasons(input: &Input, model: &Model, failures: &[Unprojectable]) -> Vec<Diagnostic> {
    match model {
        Model::Network(_) => Vec::new(),
        Model::Choreography(choreography) => input.untold(choreography, failures),
    }
}

/// The answer as a sentence, after the remarks on standard error about the sides.
fn show(
    comparison: &Comparison,
    sides: [(&Input, &Model); 2],
    form: Diagnostics,
    console: &mut Console,
) -> io::Result<String> {
    let [(one, _), (other, _)] = sides;
    let (first, second) = (one.source.name.as_str(), other.source.name.as_str());
    for ((input, model), failures) in sides.into_iter().zip(&comparison.unprojectable) {
        report::write(form, &input.source, reasons(input, model, failures), console.err())?;
        if !failures.is_empty() {
            console.say_aside(format_args!("{} {BOUNDED}", input.source.name))?;
        }
    }
    Ok(comparison_sentence(comparison, [first, second], is_interrupted()))
}

fn answer<'a>(comparison: &Comparison, first: &'a str, second: &'a str) -> Answer<'a> {
    let outcome = match &comparison.answer {
        Equivalence::Same { .. } => "same",
        Equivalence::Different(_) => "different",
        Equivalence::Undecided { .. } => "unknown",
    };
    let mut answer = Answer { exact: comparison.is_exact(), ..Answer::new(first, second, outcome) };
    if let Equivalence::Undecided { reason, .. } = &comparison.answer {
        answer.reason = match reason {
            _ if is_interrupted() => Some("interrupted".to_string()),
            StopReason::Queues(_) | StopReason::SilentChoice => Some(reason.to_string()),
            _ => None,
        };
    }
    if let Equivalence::Same { ends: Some(ends), .. } = &comparison.answer {
        answer.ends = Some(ends.sentence("the first", "the second"));
    }
    if let Some(difference) = comparison.difference() {
        let steps = |steps: &[laban::semantics::Step]| steps.iter().map(|&step| difference.step(step)).collect();
        answer.reason = Some(difference.sentence("the first", "the second"));
        answer.run = steps(&difference.run);
        answer.first_can = steps(&difference.possible[0]);
        answer.second_can = steps(&difference.possible[1]);
    }
    answer
}
