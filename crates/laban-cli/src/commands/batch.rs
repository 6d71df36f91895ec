//! `laban batch`: many networks, one JSON object each.
//!
//! Networks are read one by one, worked on by several threads, and answered in the order in which they were read; only
//! a few per thread are in memory at any time.

use crate::batch::networks::{Arrived, Networks, Text, total_size};
use crate::batch::pipeline::in_order;
use crate::batch::summary::Summary;
use crate::console::Console;
use crate::exit::Exit;
use crate::formats::FormatArgs;
use crate::interrupt::is_interrupted;
use crate::reader::Reader;
use crate::record::timed;
use crate::search_args::SearchArgs;
use crate::stdin::Received;
use crate::threads::JobsArgs;
use indicatif::{ProgressBar, ProgressStyle};
use laban::Analysis;
use laban::syntax::Kind;
use laban_evaluation::Shard;
use laban_report::json::record_line;
use laban_report::{Language, Record};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Extract many networks, and print one JSON object for each
///
/// Reads TSV files (a name, a tab and a network on each line; a first line `testId<TAB>network` is
/// skipped), files that end in `.net`, networks of other tools, and directories with such networks. Each
/// object is printed as soon as it is known, in the order of the input:
///
/// {"file":"…","id":"C26","outcome":"extracted","choreography":"def X { … } main { … }",
/// "components":1,"nodes":77,"bad_loops":0,"parse_us":41,"extract_us":63}
///
/// `outcome` is `extracted`, `deadlock`, `livelock`, `orphan`, `unbounded`, `ill-formed`,
/// `syntax-error`, `undecided` or `fault`. With `extracted` comes the `choreography`, otherwise the
/// `reason` in one sentence. A table of all outcomes follows on standard error.
///
/// With `--shard`, several machines can share a batch: all get the same paths and a number of their
/// own. The lines of all shards in turn are those of one run.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// TSV files, networks and directories; `-` is TSV from standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Leave out times, so that the same input always gives the same bytes
    #[arg(long)]
    no_times: bool,

    /// Answer only the K-th of N equal shares: every N-th network, beginning with the K-th
    #[arg(long, value_name = "K/N", value_parser = Shard::parse)]
    shard: Option<Shard>,

    /// Do not print the table at the end
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    formats: FormatArgs,

    #[command(flatten)]
    search: SearchArgs,
}

const HELP: &str = "\
Examples:
  laban batch examples -o answers.jsonl
  laban batch --jobs 1 --no-times examples
  laban batch examples/formats
  laban batch --shard 3/8 examples -o answers-3.jsonl
  laban generate --size 50 --processes 6 --count 100 | laban batch -

Exit status:
  0  all networks were extracted
  1  a network has no choreography
  2  some input has mistakes or cannot be read
  3  a network is undecided within the limits, or the batch was interrupted
  4  a fault in laban itself";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    is_interrupted();
    console.watch_reader();
    let from = match arguments.formats.from() {
        Some(Language::Other(format)) => Some(format),
        Some(Language::Own(_) | Language::Markdown) => {
            console.error("--from: a batch has networks of Laban and of other tools; name one of those");
            return Ok(Exit::Bad);
        }
        None => None,
    };
    let mut networks = Networks::start(&arguments.paths, from);
    let progress = progress(total_size(&arguments.paths));
    let mut summary = Summary::default();
    let mut exit = Exit::Yes;
    let mut written = Ok(());
    let mut cut_short = false;
    let (bar, stopped) = (&progress, &mut cut_short);
    // How many networks were read; what cannot be read is not one, and is named in every shard.
    let (shard, mut count) = (arguments.shard, 0);
    let mut is_ours = move |text: &io::Result<Text>| {
        count += usize::from(text.is_ok());
        text.is_err() || shard.is_none_or(|shard| shard.has(count - 1))
    };
    let next = move || {
        loop {
            match networks.receive(is_interrupted) {
                Received::Item(Arrived { text, bytes_read }) => {
                    bar.set_position(bytes_read);
                    if is_ours(&text) {
                        return Some(text);
                    }
                }
                Received::End => return None,
                Received::Stopped => {
                    *stopped = true;
                    return None;
                }
            }
        }
    };
    in_order(
        arguments.jobs.threads(),
        next,
        |text: io::Result<Text>| text.map(|text| with_line(answer_to(text, arguments), arguments.no_times)),
        |records| {
            for record in records {
                match record {
                    Ok((record, line)) => {
                        exit.and(arguments.search.strict.exit(exit_of(record.outcome), record.services_left.len()));
                        summary.add(&record);
                        // Written at once, so that whatever happens next, there are only whole lines.
                        written = console.data().write_all(line.as_bytes());
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
            // Whoever reads the results sees them as soon as they are known, and no signal can take them back.
            written = console.flush();
            written.is_ok() && !console.is_closed()
        },
    );
    progress.finish_and_clear();
    written?;
    if console.is_closed() {
        return Ok(exit);
    }
    if cut_short {
        console.error("interrupted: the rest was not read");
        // What is wrong with some of the input is not known any more.
        if exit != Exit::Fault {
            exit = Exit::Undecided;
        }
    }
    if !arguments.quiet {
        writeln!(console.err(), "{}", summary.table())?;
    }
    Ok(exit)
}

fn exit_of(outcome: &str) -> Exit {
    match outcome {
        "extracted" => Exit::Yes,
        "deadlock" | "livelock" | "orphan" | "unbounded" => Exit::No,
        "undecided" => Exit::Undecided,
        "fault" => Exit::Fault,
        _ => Exit::Bad,
    }
}

/// A record, and the line that is printed for it. What may be large is in the line only.
fn with_line(mut record: Record, no_times: bool) -> (Record, String) {
    if no_times {
        record.parse_us = None;
        record.extract_us = None;
    }
    let line = record_line(&mut record);
    (record, line)
}

/// Parses and extracts one network.
fn answer_to(text: Text, arguments: &Arguments) -> Record {
    let Text { file, id, bytes, format } = text;
    let started = Instant::now();
    let analysis = match format {
        None => Analysis::of_bytes(Some(Kind::Network), bytes),
        Some(format) => Reader::new(&arguments.formats).analysis(format, &file, bytes),
    };
    if analysis.kind() == Kind::Choreography && analysis.model().is_some() {
        let reason = format!("{file} is a choreography; a network is needed here");
        return Record::unusable(file, id, "ill-formed", reason);
    }
    let outcome = if analysis.syntax_errors().is_empty() { "ill-formed" } else { "syntax-error" };
    let mut network = match analysis.into_network() {
        Ok(network) => network,
        Err(ill_formed) => return Record::ill_formed(file, id, outcome, &ill_formed.errors),
    };
    let search = &arguments.search;
    for name in search.services() {
        // Not every network needs to have it.
        network.declare_service(name);
    }
    search.channels.apply(&mut network);
    if let Some(refusal) = search.refusal(&network) {
        return Record::unusable(file, id, "undecided", refusal);
    }
    let parse = started.elapsed();
    let started = Instant::now();
    let answer = search.answer(&network, false);
    let record = Record::answered(file, id, &network, &answer, |answer| search.why_undecided(answer));
    let left = answer.map_or(Vec::new(), |answer| search.services_left(&answer, &network));
    timed(record.leaving(&left, &network), parse, started.elapsed())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_in_a_batch_is_worse_than_bad_input() {
        let mut exit = Exit::Yes;
        for outcome in ["extracted", "fault", "ill-formed", "undecided"] {
            exit.and(exit_of(outcome));
        }
        assert_eq!(exit.code(), 4);
    }
}
