//! `laban evaluate`: the paper's evaluation, reproduced.

use crate::console::Console;
use crate::effort::is_interrupted;
use crate::exit::Exit;
use crate::progress::Progress;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use laban_evaluation::plan::{Job, Part, Shard, jobs};
use laban_evaluation::report::Report;
use laban_evaluation::run::{Key, Run};
use laban_evaluation::settings::{FORMAT, Settings};
use laban_evaluation::world::{
    Journal, Limit, Workers, agree_with, open_jobs, read_all, read_settings, run_jobs, write_whole,
};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Reproduce the evaluation of the paper, beside its numbers
///
/// Extracts the benchmarks of table 1 and the 1,050 generated networks of table 2, as they are, with mistakes put in (table 3)
/// and unrolled, with ten strategies and with both searches. Writes into a directory: `runs.csv` with every single search, and
/// `report.md` and `report.html` with the tables and figures.
///
/// Results are written as they come. After an interrupt, the same command goes on where it stopped. With `--shard`,
/// several machines can share the work; `--merge` makes one report of what they have done.
///
/// Times are best measured on a machine that does nothing else, with `--jobs 1`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The directory for the results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Only a sample of each family: a few minutes instead of one or two hours
    #[arg(long)]
    quick: bool,

    /// Only this part; may be given several times
    #[arg(long, value_parser = part(), value_name = "NAME")]
    only: Vec<Part>,

    /// How many networks to work on at the same time [default: the number of cores]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZeroUsize>,

    /// What all networks are made from
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    seed: u64,

    /// How long one search of one network may work, in seconds [default: 10; with --quick: 1]
    #[arg(long, value_name = "SECONDS", value_parser = crate::effort::seconds)]
    timeout: Option<Duration>,

    /// How many nodes one search may make, in each part that never interacts with the rest [default: 500000; with --quick: 100000]
    #[arg(long, value_name = "NUMBER")]
    max_states: Option<usize>,

    /// Do the K-th of N equal shares, and write no report
    #[arg(long, value_name = "K/N", value_parser = Shard::parse, conflicts_with = "merge")]
    shard: Option<Shard>,

    /// Search nothing; make one report of the results in these directories
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["quick", "only", "jobs", "seed", "timeout", "max_states"])]
    merge: Vec<PathBuf>,
}

/// The parts by name.
fn part() -> impl TypedValueParser<Value = Part> {
    let names = Part::ALL.iter().map(|part| PossibleValue::new(part.name()).help(part.about()));
    let named = |name: String| Part::ALL.into_iter().find(|part| part.name() == name);
    PossibleValuesParser::new(names).try_map(move |name| named(name).ok_or("there is no such part"))
}

const HELP: &str = "\
Examples:
  laban evaluate --quick --out quick
  laban evaluate --out whole --timeout 5
  laban evaluate --out tables --only table1 --only fuzzing
  laban evaluate --out shared --shard 3/8
  laban evaluate --out report --merge shared

Exit status:
  0  done, with a report
  2  the directory cannot be used
  3  interrupted; the same command goes on";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    match evaluate(arguments, console) {
        Ok(exit) => Ok(exit),
        Err(message) => {
            console.error(message);
            Ok(Exit::Bad)
        }
    }
}

fn evaluate(arguments: &Arguments, console: &mut Console) -> Result<Exit, String> {
    let out = &arguments.out;
    fs::create_dir_all(out).map_err(|error| format!("cannot make {}: {error}", out.display()))?;
    if !arguments.merge.is_empty() {
        let (settings, runs) = merged(&arguments.merge)?;
        agree_with(&settings, out)?;
        let lines = runs.values().map(|run| format!("{run}\n")).collect::<String>();
        write_whole(&Journal::path(out, None), &format!("{}\n{lines}", Run::HEADER))?;
        return finish(out, &settings, &runs, console);
    }
    let Arguments { seed, quick, .. } = *arguments;
    let (seconds, states) = if quick { (1, 100_000) } else { (10, 500_000) };
    let time = arguments.timeout.unwrap_or(Duration::from_secs(seconds));
    let limit = Limit { time, states: arguments.max_states.unwrap_or(states) };
    let settings = Settings { format: FORMAT, seed, quick, timeout: time.as_secs_f64(), max_states: limit.states };
    agree_with(&settings, out)?;
    let parts = if arguments.only.is_empty() { &Part::ALL } else { arguments.only.as_slice() };
    let mut list = jobs(&settings, parts);
    if let Some(shard) = arguments.shard {
        list = shard.share(list);
    }
    let path = Journal::path(out, arguments.shard);
    let (mut journal, known) = Journal::open(&path)?;
    tell_what_is_there(&list, &known, console);
    let cores = std::thread::available_parallelism().ok();
    let threads = arguments.jobs.or(cores).map_or(1, NonZeroUsize::get);
    let open = open_jobs(&list, &known);
    let mut progress = Progress::new(open.iter().map(|job| job.searches.len()).sum());
    let workers = Workers { threads, limit, interrupted: &is_interrupted, done: &mut || progress.step() };
    let done = run_jobs(&open, &mut journal, workers);
    progress.finish();
    done.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    if is_interrupted() {
        console.error("interrupted: the same command goes on from here");
        return Ok(Exit::Undecided);
    }
    if arguments.shard.is_some() {
        return Ok(Exit::Yes);
    }
    let (_, runs) = Journal::open(&path)?;
    finish(out, &settings, &runs, console)
}

fn tell_what_is_there(list: &[Job], known: &BTreeMap<Key, Run>, console: &mut Console) {
    let asked = || list.iter().flat_map(|job| &job.searches);
    let there = asked().filter(|asked| known.contains_key(&asked.key)).count();
    if there > 0 {
        // There is nobody left to tell if this fails.
        let _ = writeln!(console.err(), "{there} of {} searches are there already", asked().count())
            .and_then(|()| console.flush());
    }
}

/// The results of several directories. They must have been made with the same settings.
fn merged(directories: &[PathBuf]) -> Result<(Settings, BTreeMap<Key, Run>), String> {
    let mut runs = BTreeMap::new();
    let mut settings: Option<Settings> = None;
    for directory in directories {
        let these = read_settings(directory)?;
        let these = these.ok_or_else(|| format!("{} holds no results", directory.display()))?;
        match settings {
            Some(settings) if settings != these => {
                return Err(format!(
                    "{} was made with {}, but others with {}",
                    directory.display(),
                    these.options(),
                    settings.options()
                ));
            }
            _ => settings = Some(these),
        }
        runs.extend(read_all(directory)?);
    }
    settings.map(|settings| (settings, runs)).ok_or_else(|| "there is nothing to merge".to_string())
}

/// Writes the report.
fn finish(out: &Path, settings: &Settings, runs: &BTreeMap<Key, Run>, console: &mut Console) -> Result<Exit, String> {
    let report = Report::new(settings, runs);
    let figures = out.join("figures");
    fs::create_dir_all(&figures).map_err(|error| format!("cannot make {}: {error}", figures.display()))?;
    for (name, text) in report.files() {
        write_whole(&out.join(name), &text)?;
    }
    writeln!(console.out(), "{}", report.summary()).map_err(|error| error.to_string())?;
    Ok(Exit::Yes)
}
