//! `laban batch`: many networks, one JSON object each.
//!
//! Networks are read one by one, worked on by several threads, and answered in the order in which they were read; only a
//! few per thread are in memory at any time.

use crate::batch::networks::{Networks, Text};
use crate::batch::pipeline::in_order;
use crate::batch::summary::Summary;
use crate::console::Console;
use crate::effort::{Effort, is_interrupted};
use crate::exit::Exit;
use crate::record::Record;
use indicatif::{ProgressBar, ProgressStyle};
use laban::diagnostic::has_errors;
use laban::network::lower;
use laban::syntax::{parse_network, source_text};
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

/// Extract many networks and print one JSON object for each
///
/// Reads TSV files (a name, a tab and a network on each line; a first line `testId<TAB>network` is skipped), files that end in
/// `.net`, and all `.net` files in directories. The objects come in the order of the input:
///
/// {"file":"…","id":"C26","outcome":"extracted","choreography":"def X { … } main { … }","components":1,
/// "nodes":77,"bad_loops":0,"parse_us":41,"extract_us":63}
///
/// `outcome` is `extracted`, `deadlock`, `livelock`, `ill-formed`, `syntax-error` or `undecided`. `choreography` is there when
/// extracted; otherwise `reason` says in one sentence why not. A table of all outcomes follows on the standard error.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// TSV files, networks and directories; `-` reads TSV from the standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// How many networks to work on at the same time [default: the number of cores]
    #[arg(long, short, value_name = "NUMBER")]
    jobs: Option<NonZeroUsize>,

    /// Leave out the times, so that the same input gives the same bytes
    #[arg(long)]
    no_times: bool,

    /// Do not print the table at the end
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    effort: Effort,
}

const HELP: &str = "\
Examples:
  laban batch networks.tsv > answers.jsonl
  laban batch --jobs 1 --no-times examples
  laban generate --size 50 --processes 6 --ifs 0 --procedures 0 --count 100 --as network | laban batch -

Exit status:
  0  all were extracted
  1  some network has no choreography
  2  some input has mistakes or cannot be read
  3  some network is undecided within the limits, or the batch was interrupted";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let jobs = arguments.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let mut networks = Networks::new(&arguments.paths);
    let progress = progress(networks.bytes());
    let mut summary = Summary::default();
    let mut exit = Exit::Yes;
    let mut written = Ok(());
    let mut cut_short = false;
    let next = || {
        if is_interrupted() {
            cut_short = true;
            return None;
        }
        let next = networks.next();
        progress.set_position(networks.bytes_read());
        next
    };
    in_order(
        jobs,
        next,
        |text: io::Result<Text>| text.map(|text| answer_to(text, arguments)),
        |records| {
            for record in records {
                match record {
                    Ok(record) => {
                        exit.and(exit_of(record.outcome));
                        summary.add(&record);
                        written = write(record, arguments.no_times, console);
                    }
                    Err(error) => {
                        progress.suspend(|| console.error(error));
                        exit.and(Exit::Bad);
                    }
                }
                if written.is_err() {
                    return false;
                }
            }
            written = console.out().flush();
            written.is_ok()
        },
    );
    progress.finish_and_clear();
    written?;
    if cut_short {
        console.error("interrupted: the rest was not read");
        exit = Exit::Undecided;
    }
    if !arguments.quiet {
        writeln!(console.err(), "{}", summary.table())?;
    }
    Ok(exit)
}

fn exit_of(outcome: &str) -> Exit {
    match outcome {
        "extracted" => Exit::Yes,
        "deadlock" | "livelock" => Exit::No,
        "undecided" => Exit::Undecided,
        _ => Exit::Bad,
    }
}

fn write(mut record: Record, no_times: bool, console: &mut Console) -> io::Result<()> {
    if no_times {
        record.parse_us = None;
        record.extract_us = None;
    }
    // Written at once, so that whatever happens next, there are only whole lines.
    let mut line = serde_json::to_vec(&record)?;
    line.push(b'\n');
    console.data().write_all(&line)
}

/// Parses and extracts one network.
fn answer_to(text: Text, arguments: &Arguments) -> Record {
    let Text { file, id, bytes } = text;
    let started = Instant::now();
    let source = match source_text(&bytes) {
        Ok(source) => source,
        Err(diagnostic) => return Record::ill_formed(file, id, "syntax-error", &[diagnostic]),
    };
    let parsed = parse_network(source);
    if has_errors(&parsed.diagnostics) {
        return Record::ill_formed(file, id, "syntax-error", &parsed.diagnostics);
    }
    let lowered = lower(&parsed.tree);
    let Some(mut network) = lowered.network else {
        return Record::ill_formed(file, id, "ill-formed", &lowered.diagnostics);
    };
    drop(parsed);
    let effort = &arguments.effort;
    for name in effort.services() {
        // Not every network needs to have it.
        network.declare_service(name);
    }
    let parse = started.elapsed();
    let started = Instant::now();
    let answer = effort.answer(&network, false);
    let record = Record::answered(file, id, &network, &answer, || effort.why_undecided());
    record.timed(parse, started.elapsed())
}

/// A bar on a terminal, and nothing elsewhere.
fn progress(bytes: Option<u64>) -> ProgressBar {
    let template = "{bar:30} {percent:>3}% of {total_bytes}, {elapsed} gone, {eta} to go";
    match (bytes, io::stderr().is_terminal() && !io::stdout().is_terminal()) {
        (Some(bytes), true) => {
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(bytes).with_style(style)
        }
        _ => ProgressBar::hidden(),
    }
}
