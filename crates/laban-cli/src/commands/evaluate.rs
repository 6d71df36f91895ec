//! `laban evaluate`: the paper's evaluation, reproduced.

use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt::is_interrupted;
use crate::progress::Progress;
use crate::threads::JobsArgs;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use laban_evaluation::Shard;
use laban_evaluation::plan::{Job, Part, jobs};
use laban_evaluation::report::Report;
use laban_evaluation::run::{Key, Run};
use laban_evaluation::settings::{FORMAT, Settings};
use laban_evaluation::world::{
    Journal, Limit, Workers, agree_with, open_jobs, read_all, read_settings, run_jobs, write_whole,
};
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Reproduce the evaluation of the paper, and compare the numbers
///
/// Extracts the benchmarks of table 1 and the 1,050 generated networks of table 2: as they are, with mistakes (table
/// 3), and unrolled; with ten strategies and both searches. Writes to a directory: every search to `runs.csv`, tables
/// and figures to `report.md` and `report.html`.
///
/// Results are written as they come. After an interrupt, the same command continues where it stopped. With `--shard`,
/// several machines can share the work; `--merge` makes one report of their results. Two evaluations cannot write the
/// same results at the same time.
///
/// For good times, use a quiet machine and `--jobs 1`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The directory for the results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Evaluate a sample of each family: takes minutes instead of an hour or two
    #[arg(long)]
    quick: bool,

    /// Evaluate only this part; can be repeated
    #[arg(long, value_parser = part(), value_name = "NAME")]
    only: Vec<Part>,

    #[command(flatten)]
    jobs: JobsArgs,

    /// Random seed: decides which networks are generated
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    seed: u64,

    /// Time limit of one search, in seconds [default: 10; with --quick: 1]
    #[arg(long, value_name = "SECONDS", value_parser = crate::limits::seconds)]
    timeout: Option<Duration>,

    /// Node limit of one search, in each part of a network [default: 500000; with --quick: 100000]
    #[arg(long, value_name = "NUMBER")]
    max_states: Option<usize>,

    /// Do the K-th of N equal shares, without a report
    #[arg(long, value_name = "K/N", value_parser = Shard::parse, conflicts_with = "merge")]
    shard: Option<Shard>,

    /// Make one report of the results in these directories, without searching
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
  2  the directory cannot be used, or another evaluation writes to it
  3  interrupted; the same command continues";

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
    console.watch_reader();
    let out = &arguments.out;
    fs::create_dir_all(out).map_err(|error| format!("cannot make {}: {error}", out.display()))?;
    let _lock = lock(&Journal::path(out, arguments.shard).with_extension("lock"))?;
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
        list = shard.share(list).collect();
    }
    let path = Journal::path(out, arguments.shard);
    let (mut journal, known) = Journal::open(&path)?;
    tell_what_is_there(&list, &known, console);
    let threads = arguments.jobs.threads();
    let open = open_jobs(&list, &known);
    let mut progress = Progress::new(open.iter().map(|job| job.searches.len()).sum());
    let workers = Workers { threads, limit, interrupted: &is_interrupted, done: &mut || progress.step() };
    let done = run_jobs(&open, &mut journal, workers);
    progress.finish();
    done.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    if is_interrupted() {
        console.error("interrupted: run the same command again to continue");
        return Ok(Exit::Undecided);
    }
    if arguments.shard.is_some() {
        return Ok(Exit::Yes);
    }
    let (_, runs) = Journal::open(&path)?;
    finish(out, &settings, &runs, console)
}

/// Makes sure that nobody else writes the same results. The system takes the lock back when the program ends, however
/// it ends; the file stays and does no harm.
fn lock(path: &Path) -> Result<File, String> {
    let file = File::options().create(true).truncate(false).write(true).open(path);
    let file = file.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let directory = path.parent().unwrap_or(path);
            Err(format!(
                "another evaluation is writing to {}; wait for it or use another directory",
                directory.display()
            ))
        }
        // Some file systems know no locks; there it goes without.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

fn tell_what_is_there(list: &[Job], known: &BTreeMap<Key, Run>, console: &mut Console) {
    let asked = || list.iter().flat_map(|job| &job.searches);
    let there = asked().filter(|asked| known.contains_key(&asked.key)).count();
    if there > 0 {
        // There is nobody left to tell if this fails.
        let _ = writeln!(console.err(), "{there} of {} searches are already done", asked().count())
            .and_then(|()| console.flush());
    }
}

/// The results of several directories. They must have been made with the same settings.
fn merged(directories: &[PathBuf]) -> Result<(Settings, BTreeMap<Key, Run>), String> {
    let mut runs = BTreeMap::new();
    let mut settings: Option<Settings> = None;
    for directory in directories {
        let these = read_settings(directory)?;
        let these = these.ok_or_else(|| format!("{} has no results", directory.display()))?;
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
