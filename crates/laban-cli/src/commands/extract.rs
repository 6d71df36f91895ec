//! `laban extract`: the choreography that a network follows, or why there isn't one.

use crate::console::Console;
use crate::drawing::{AnswerFormat, Graph, View, or_diagram, write_sequence};
use crate::exit::Exit;
use crate::fault;
use crate::formats::{self, FormatArgs};
use crate::input::name_of;
use crate::json;
use crate::reader::Reader;
use crate::record::{refused, timed};
use crate::report::{self, Report};
use crate::search_args::SearchArgs;
use crate::threads::JobsArgs;
use crate::watch::Watch;
use clap::ValueEnum;
use laban::Extraction;
use laban::extraction::Verdict;
use laban::network::Network;
use laban::syntax::{Compact, Pretty};
use laban_draw::{Focus, protocol};
use laban_report::{Input, Record, Source, on_one_line, sequence_of};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Find the choreography that a network follows, or show why there isn't one
///
/// Prints the choreography, after checking it against the network. If there isn't one, standard error shows which
/// processes wait for each other, the run that leads there, the lines, and what would help.
///
/// With `--format json`, prints one JSON object whatever the outcome; a failure comes with the run that leads to it.
/// As a diagram, a failure is the run that leads to it, and what each process waits for at its end.
///
/// If a network is spread over several files, such as one per service, give them all.
///
/// With `--watch`, answers again whenever a file changes. Ctrl-C ends it, with the exit status of the last answer.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The files of a network, or a folder with them; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Extract again whenever a file changes
    #[arg(long)]
    watch: bool,

    /// How to print the answer
    #[arg(long, value_parser = or_diagram::<Format>(), default_value = "text", value_name = "FORMAT")]
    format: AnswerFormat<Format>,

    #[command(flatten)]
    view: View,

    #[command(flatten)]
    formats: FormatArgs,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    jobs: JobsArgs,

    /// With `--format json`: leave out times, so that the same input always gives the same bytes
    #[arg(long)]
    no_times: bool,
}

/// How to print the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The choreography over several lines; failures with the source
    Text,
    /// The choreography on one line; failures on one line each
    #[value(alias = "concise")]
    Compact,
    /// One JSON object
    Json,
    /// The choreography as a graph, for Graphviz
    Dot,
}

const HELP: &str = "\
Examples:
  laban extract examples/two-buyer.net
  laban extract examples/deadlock-circle.net
  laban extract --service r examples/paper-livelock-finite.net
  laban extract --format json examples/bargain.net
  laban extract examples/ci/services/*.net
  laban extract examples/formats/ping-pong.fsa
  laban extract examples/formats/relay
  laban extract --watch examples/bargain.net
  laban extract --format svg examples/two-buyer.net -o two-buyer.svg
  laban extract --format mermaid --focus seller examples/forgotten-else.net
  laban extract --format dot examples/two-buyer.net | dot -Tsvg > two-buyer.svg

Exit status:
  0  extracted
  1  no choreography: a deadlock or a livelock, a message that nobody takes or queues that grow
     forever; with --strict-services, a service that is left
  2  a file has mistakes or cannot be read
  3  undecided within the limits, or interrupted
  4  a fault in laban itself
With --watch: the status of the last answer";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    if arguments.view.is_asked()
        && !matches!(arguments.format, AnswerFormat::Diagram(_) | AnswerFormat::Own(Format::Dot))
    {
        console.error("--focus and --max-nodes are for drawings: --format mermaid, markdown, plantuml, svg or dot");
        return Ok(Exit::Bad);
    }
    if let Some(message) = formats::other_language(console.path(), "a choreography of Laban")
        && arguments.format == AnswerFormat::Own(Format::Text)
    {
        console.error(message);
        return Ok(Exit::Bad);
    }
    match arguments.watch {
        true => again_and_again(arguments, console),
        false => {
            console.watch_reader();
            once(arguments, console)
        }
    }
}

/// Answers once, and then whenever a file changes, until an interrupt or until nobody reads the answers.
fn again_and_again(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let files = &arguments.files;
    if files.iter().any(|path| path.as_os_str() == "-") {
        console.error("--watch needs files; standard input is not a file");
        return Ok(Exit::Bad);
    }
    let name = |path: &Path| on_one_line(&path.to_string_lossy());
    // What is read from a pipe is gone then. A file that is missing may come.
    if let Some(path) = files.iter().find(|path| fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())) {
        console.error(format_args!("--watch needs files; {} is not a file", name(path)));
        return Ok(Exit::Bad);
    }
    console.watch_reader();
    let mut watch = Watch::new(files);
    let mut what = files.iter().map(|path| name(path)).collect::<Vec<_>>().join(", ");
    for round in 1_u64.. {
        console.clear()?;
        writeln!(console.err(), "-- round {round}: {what}")?;
        console.flush()?;
        let exit = once(arguments, console)?;
        console.finish_round(exit)?;
        match console.is_closed() {
            true => return Ok(exit),
            false => match watch.changed() {
                Some(changed) => what = changes(&changed),
                None => return Ok(exit),
            },
        }
    }
    Ok(Exit::Yes)
}

/// Which files have changed, and which are gone.
fn changes(files: &[(&Path, bool)]) -> String {
    let [changed, gone] = [true, false].map(|there| {
        let names = files.iter().filter(|file| file.1 == there).map(|(path, _)| on_one_line(&path.to_string_lossy()));
        names.collect::<Vec<String>>()
    });
    let are = if gone.len() == 1 { "is" } else { "are" };
    match (changed.is_empty(), gone.is_empty()) {
        (_, true) => format!("{} changed", changed.join(", ")),
        (true, false) => format!("{} {are} gone", gone.join(", ")),
        (false, false) => format!("{} changed; {} {are} gone", changed.join(", "), gone.join(", ")),
    }
}

fn once(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let Arguments { files, watch: _, format, view, formats, search, jobs, no_times } = arguments;
    let started = Instant::now();
    let read = Reader::new(formats).with_channels(search.channels).networks(files);
    if let (AnswerFormat::Own(Format::Json), Err(all)) = (format, &read) {
        let names: Vec<String> = files.iter().map(|path| name_of(path)).collect();
        json::write_line(&refused(names.join(" + "), all), console.data())?;
    }
    let form = match format {
        AnswerFormat::Own(Format::Compact) => report::Format::Concise,
        _ => report::Format::Full,
    };
    // The tree goes at once: a large network leaves no room for it.
    let Some((Input { source, .. }, mut network)) = Report::new(form, "extract").accept(read, console)? else {
        return Ok(Exit::Bad);
    };
    search.channels.apply(&mut network);
    if !search.declare_services(&mut network, console) {
        return Ok(Exit::Bad);
    }
    if let Some(refusal) = search.refusal(&network) {
        console.error(refusal);
        return Ok(Exit::Bad);
    }
    let names = network.process_ids().map(|process| network.process_name(process));
    let Some(focus) = view.of(names, console) else { return Ok(Exit::Bad) };
    let parse = started.elapsed();
    let started = Instant::now();
    let answer = in_threads(*jobs, || search.thorough_answer(&network, jobs.threads() > 1));
    let extract = started.elapsed();
    let left = answer.as_ref().map_or(Vec::new(), |answer| search.services_left(answer, &network));
    if *format == AnswerFormat::Own(Format::Json) {
        let name = source.name.clone();
        let mut record = Record::answered(name, None, &network, &answer, |answer| search.why_undecided(answer))
            .leaving(&left, &network);
        if !no_times {
            record = timed(record, parse, extract);
        }
        if let Ok(answer) = &answer {
            record = record.with_witnesses(answer, &network, &source);
        }
        json::write_line(&record, console.data())?;
    }
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            console.error(fault::message(error));
            return Ok(Exit::Fault);
        }
    };
    match format {
        AnswerFormat::Own(Format::Json) => {}
        AnswerFormat::Own(format) => show(&answer, *format, &focus, &source, &network, search, console)?,
        AnswerFormat::Diagram(diagram) => {
            if answer.verdict() != Verdict::Undecided {
                write_sequence(*diagram, &sequence_of(&answer, &network, &focus), view, console)?;
            }
            show_failure(&answer, report::Format::Full, &source, &network, search, console)?;
        }
    }
    if *format != AnswerFormat::Own(Format::Json) {
        report::write(form, &source, search.capacities_note(&answer, &network), console.err())?;
    }
    let left = search.strict.diagnostics(&left, &network);
    report::write(form, &source, &left, console.err())?;
    Ok(search.strict.exit(answer.verdict().into(), left.len()))
}

fn show(
    answer: &Extraction,
    format: Format,
    focus: &Focus,
    source: &Source,
    network: &Network,
    search: &SearchArgs,
    console: &mut Console,
) -> io::Result<()> {
    if let (Some(tree), Some(choreography)) = (answer.tree(), answer.choreography()) {
        return match format {
            Format::Text => write!(console.data(), "{}", Pretty { tree, source: "" }),
            Format::Compact | Format::Json => writeln!(console.data(), "{}", Compact(tree)),
            Format::Dot => Graph::Dot.write(&protocol(choreography, focus), console.data()),
        };
    }
    let form = match format {
        Format::Compact => report::Format::Concise,
        _ => report::Format::Full,
    };
    show_failure(answer, form, source, network, search, console)
}

/// Says on standard error why there is no choreography, if there is none.
fn show_failure(
    answer: &Extraction,
    form: report::Format,
    source: &Source,
    network: &Network,
    search: &SearchArgs,
    console: &mut Console,
) -> io::Result<()> {
    let failures = answer.explanations().iter().map(|explanation| explanation.diagnostic(network));
    report::write(form, source, failures, console.err())?;
    if answer.verdict() == Verdict::Undecided && !console.is_closed() {
        let nodes = answer.statistics().nodes;
        console.error(format_args!("{} ({nodes} nodes seen)", search.undecided(answer, network)));
    }
    Ok(())
}

/// Does something with this many threads.
fn in_threads<T: Send>(jobs: JobsArgs, task: impl FnOnce() -> T + Send) -> T {
    // By default, threads are started only when there is something to share.
    if jobs.is_default() || jobs.threads() == 1 {
        return task();
    }
    match rayon::ThreadPoolBuilder::new().num_threads(jobs.threads()).build() {
        Ok(pool) => pool.install(task),
        // The system does not give us threads: it goes without them.
        Err(_) => task(),
    }
}
