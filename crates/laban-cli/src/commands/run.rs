//! `laban run`: one run of a network or a choreography, at random or step by step.

use crate::channels::ChannelArgs;
use crate::console::Console;
use crate::drawing::{AnswerFormat, or_diagram};
use crate::exit::Exit;
use crate::formats::FormatArgs;
use crate::input;
use crate::interrupt::is_interrupted;
use crate::json;
use crate::limits::stop_reason;
use crate::reader::Reader;
use crate::report;
use crate::search_args::declare_services;
use crate::simulation::dialogue::Dialogue;
use crate::simulation::words::{PlaceStyle, Words};
use crate::strict_services::StrictServices;
use clap::ValueEnum;
use laban::choreography::{NotProjected, ProjectOptions, project};
use laban::diagnostic::{closest, quote};
use laban::network::{Network, State};
use laban::semantics::Step;
use laban::simulate::{Rule, Scheduler, Session, Status};
use laban::{Limits, Model, ServiceLeft};
use laban_draw::{Focus, sequence};
use laban_report::{Ending, Input, RunRecord, go, named, no_process, on_one_line};
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::PathBuf;

/// Run a network or a choreography, at random or step by step
///
/// Takes steps until nothing more can happen. Each possible action is equally likely, and so are the outcomes of a
/// decision; of a race, each interaction that can come first is an action. Prints the run, how it ended, and where each
/// process is; after a deadlock, which processes wait for each other. The same seed gives the same run. A choreography
/// is run as its projection, see `laban project`.
///
/// With `--step`, you choose each step: Laban shows where the processes are and what is possible, and can undo and redo
/// steps. Type ? for help. The answers may come from a file or a pipe.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The files of a network, or a choreography; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Choose each step yourself
    #[arg(long, short = 'i', visible_alias = "interactive")]
    step: bool,

    /// Random seed
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    seed: u64,

    /// Stop after this many steps; with `--step`, the most that `auto` takes at once
    #[arg(long, default_value_t = 100, value_name = "NUMBER")]
    max_steps: usize,

    /// How to print the run
    #[arg(long, value_parser = or_diagram::<Format>(), default_value = "text", value_name = "FORMAT")]
    format: AnswerFormat<Format>,

    /// Treat this process as a service, which may wait forever; can be repeated
    #[arg(long = "service", value_name = "PROCESS")]
    services: Vec<String>,

    #[command(flatten)]
    strict: StrictServices,

    #[command(flatten)]
    channels: ChannelArgs,

    #[command(flatten)]
    formats: FormatArgs,

    /// Fix the outcome of a decision, such as `buyer.happy=no`, or of each `choose` of a process, such as `buyer=2` for
    /// its second item; can be repeated
    #[arg(long = "decide", value_name = "PROCESS.CONDITION=yes|no", value_parser = decision)]
    decisions: Vec<Decision>,

    /// Accepted as in `laban extract`, but changes nothing: you decide, or chance does, which is fair
    #[arg(long)]
    fair: bool,
}

/// How to print a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line per step, and where each process is at the end
    Text,
    /// One JSON object
    Json,
}

const HELP: &str = "\
Examples:
  laban run examples/two-buyer.net
  laban run examples/forgotten-else.net --decide seller.inStock=no
  laban run --step examples/forgotten-else.net
  laban run examples/formats/ping-pong.fsa --max-steps 10
  laban run --step examples/ci/services/*.net
  laban run --seed 3 --format mermaid examples/buyer-seller.net
  laban run --step --format json examples/two-buyer.chor -o run.json

Exit status:
  0  all processes have stopped, or the run ended while something could still happen
  1  there is a deadlock, or the choreography has no projection
  2  a file has mistakes or cannot be read
  3  interrupted
  4  a fault in laban itself";

/// How a process decides.
#[derive(Debug, Clone)]
struct Decision {
    process: String,
    decides: Decides,
}

/// What is decided, and how.
#[derive(Debug, Clone)]
enum Decides {
    Condition {
        condition: String,
        holds: bool,
    },
    /// The item of a choice, counted from 1.
    Item(NonZeroU32),
}

fn decision(text: &str) -> Result<Decision, String> {
    let expected = "expected a process, a condition and an outcome, such as buyer.happy=no, or a process and the number \
                    of the item that it chooses, such as buyer=2";
    let (decides, outcome) = text.rsplit_once('=').ok_or(expected)?;
    let (decides, outcome) = (decides.trim(), outcome.trim());
    let Some((process, condition)) = decides.split_once('.') else {
        let item: NonZeroU32 = outcome.parse().map_err(|_| expected)?;
        return Ok(Decision { process: decides.to_string(), decides: Decides::Item(item) });
    };
    let [process, condition] = [process, condition].map(str::trim);
    let holds = match outcome {
        "yes" | "true" => true,
        "no" | "false" => false,
        _ => return Err(on_one_line(&format!("the outcome is yes or no, as in {process}.{condition}=no"))),
    };
    let decides = Decides::Condition { condition: condition.to_string(), holds };
    Ok(Decision { process: process.to_string(), decides })
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    if arguments.step && arguments.files.iter().any(|path| path.as_os_str() == "-") {
        console.error("--step reads your answers from standard input; name a file for the network");
        return Ok(Exit::Bad);
    }
    let Subject { input, network, kind } = match subject(arguments, console)? {
        Ok(subject) => subject,
        Err(exit) => return Ok(exit),
    };
    let Some(rules) = rules(&arguments.decisions, &network, console) else { return Ok(Exit::Bad) };
    let words = Words { source: &input.source, network: &network };
    let mut scheduler = Scheduler::new(arguments.seed, rules);
    let mut session = Session::new(&network);
    let ending = match arguments.step {
        true => {
            let aside = arguments.format != AnswerFormat::Own(Format::Text) || console.is_to_file();
            let what = match kind {
                "network" => input.source.name.clone(),
                _ => format!("{}, as its projection", input.source.name),
            };
            Dialogue::new(&mut session, &mut scheduler, words, console, aside, arguments.max_steps).run(&what)?
        }
        false => go(&mut session, &mut scheduler, arguments.max_steps, is_interrupted),
    };
    match arguments.format {
        AnswerFormat::Own(Format::Text) => write_text(words, &session, ending, arguments, console)?,
        AnswerFormat::Own(Format::Json) => {
            let record = RunRecord::new((words.source, words.network), kind, arguments.seed, &session, ending);
            json::write_line(&record, console.data())?;
        }
        AnswerFormat::Diagram(diagram) => {
            let steps: Vec<Step> = session.taken().iter().map(|taken| taken.step).collect();
            diagram.write(&sequence::run(&network, &steps, &Focus::default()), console.data())?;
            // In a dialogue the user has seen it.
            if !arguments.step {
                words.write_deadlocks(&session, console.err())?;
            }
        }
    }
    let left = match session.status() == Status::Stopped {
        true => ServiceLeft::at_end(&network, &session.taken().iter().map(|taken| taken.step).collect::<Vec<_>>()),
        false => Vec::new(),
    };
    report::write(report::Format::Full, &input.source, arguments.strict.diagnostics(&left, &network), console.err())?;
    Ok(match ending {
        Ending::Interrupted => Exit::Undecided,
        _ if session.status() == Status::Orphan => Exit::No,
        _ if !session.is_stuck() && !left.is_empty() => arguments.strict.exit(Exit::Yes, left.len()),
        _ if !session.is_stuck() => Exit::Yes,
        _ if session.deadlocks(1).is_err() => Exit::Fault,
        _ => Exit::No,
    })
}

/// The run, how it ended, and where everyone is.
fn write_text(
    words: Words<'_>,
    session: &Session<'_>,
    ending: Ending,
    arguments: &Arguments,
    console: &mut Console,
) -> io::Result<()> {
    let out = console.out();
    if arguments.step {
        // What has happened is on the screen, but scattered.
        writeln!(out)?;
    }
    words.write_run(session, 0..session.len(), out)?;
    if !session.is_empty() {
        writeln!(out)?;
    }
    let limit = if ending == Ending::Limit { "; `--max-steps` sets the limit" } else { "" };
    let seed = if arguments.step { String::new() } else { format!(" (seed {})", arguments.seed) };
    writeln!(out, "{}{seed}{limit}", words.standing(session, ending))?;
    if arguments.step {
        return Ok(());
    }
    if let Some(again) = words.again(session) {
        writeln!(out, "{again}")?;
    }
    words.write_states(session, PlaceStyle::Files, out)?;
    if session.is_stuck() {
        writeln!(out)?;
        words.write_deadlocks(session, out)?;
    }
    Ok(())
}

/// What to run.
struct Subject {
    input: Input,
    network: Network,
    /// What the file holds.
    kind: &'static str,
}

/// Reads what to run; if that is not possible, says why.
fn subject(arguments: &Arguments, console: &mut Console) -> io::Result<Result<Subject, Exit>> {
    let reader = Reader::new(&arguments.formats).with_channels(arguments.channels);
    let Some((input, mut model)) = input::accepted(reader.models(&arguments.files), console)? else {
        return Ok(Err(Exit::Bad));
    };
    arguments.channels.apply_to(&mut model);
    match model {
        Model::Network(mut network) => match declare_services(&arguments.services, &mut network, console) {
            true => Ok(Ok(Subject { input, network, kind: "network" })),
            false => Ok(Err(Exit::Bad)),
        },
        Model::Choreography(choreography) => {
            let services = match named(&arguments.services, &choreography, "--service") {
                Ok(services) => services,
                Err(message) => {
                    console.error(message);
                    return Ok(Err(Exit::Bad));
                }
            };
            let limits = Limits { max_states: None, stop: &|| stop_reason(None) };
            match project(&choreography, &ProjectOptions { services: &services, limits }) {
                Err(NotProjected::Undecided(reason)) => {
                    console.error(format_args!("undecided: {reason}; a choreography is run as its projection"));
                    Ok(Err(Exit::Undecided))
                }
                Ok(projection) => Ok(Ok(Subject { input, network: projection.network, kind: "choreography" })),
                Err(refused) => {
                    let diagnostics = input.untold(&choreography, refused.reasons());
                    report::write(report::Format::Full, &input.source, &diagnostics, console.err())?;
                    console.error("a choreography is run as its projection, and this one has none");
                    Ok(Err(Exit::No))
                }
            }
        }
    }
}

/// The decisions that were made beforehand; nothing, and a message, if there is no such decision.
fn rules(decisions: &[Decision], network: &Network, console: &mut Console) -> Option<Vec<Rule>> {
    let mut rules = Vec::new();
    for Decision { process: name, decides } in decisions {
        let Some(process) = network.process_named(name) else {
            let names = network.process_ids().map(|process| network.process_name(process));
            console.error(format_args!("--decide: {}", no_process(name, names)));
            return None;
        };
        let states = network.processes().get(process.index()).map(|process| process.states.of(network.states()));
        let (condition, holds) = match decides {
            Decides::Condition { condition, holds } => (condition, holds),
            Decides::Item(item) => {
                let chooses = |state: &State| match state {
                    State::Choose { arms } => Some(arms.len()),
                    _ => None,
                };
                let most = states.unwrap_or_default().iter().filter_map(chooses).max();
                match most {
                    Some(most) if item.get() as usize <= most => {}
                    Some(most) => {
                        console.error(format_args!("--decide: {} never chooses among more than {most}", quote(name)));
                        return None;
                    }
                    None => {
                        console.error(format_args!("--decide: {} has no `choose`", quote(name)));
                        return None;
                    }
                }
                rules.push(Rule::Choice { process, arm: item.get() - 1 });
                continue;
            }
        };
        let mut conditions: Vec<&str> = Vec::new();
        for state in states.unwrap_or_default() {
            if let State::If { condition, .. } = state {
                conditions.push(network.text(*condition));
            }
        }
        if !conditions.contains(&condition.as_str()) {
            let meant = closest(condition, conditions.iter().copied()).or(conditions.first().copied());
            let meant =
                meant.map_or("; it decides nothing".to_string(), |meant| format!("; did you mean {}?", quote(meant)));
            console.error(format_args!("--decide: {} never decides {}{meant}", quote(name), quote(condition)));
            return None;
        }
        let symbol = network.names().find(condition)?;
        rules.push(Rule::Decision { process, condition: symbol, holds: *holds });
    }
    Some(rules)
}
