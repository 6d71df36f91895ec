//! `laban generate`: random choreographies and networks.

use crate::console::Console;
use crate::exit::Exit;
use clap::ValueEnum;
use laban::generate::{Generated, Parameters, SeededRng, network};
use laban::syntax::{Compact, Language, Notation, Pretty, Tree};
use std::io::{self, Write};
use std::num::NonZeroU32;

/// Generate random choreographies, or the networks that implement them
///
/// Works as in the paper's evaluation: actions and conditionals are spread over the procedures at random, between
/// random processes, with fresh values and labels. Then the selections that a projection needs are added. The same seed
/// gives the same text, on every machine, forever.
///
/// Several networks are printed as TSV, which `laban batch` reads; several choreographies in blocks that start with
/// `*** C1 ***`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Number of actions, including conditionals, before selections are added
    #[arg(long, value_name = "NUMBER")]
    size: u32,

    /// Number of processes
    #[arg(long, value_name = "NUMBER")]
    processes: u32,

    /// Number of conditionals among the actions
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    ifs: u32,

    /// Number of races (`any`) among the actions; then some conditionals are choices, and some labels have a value
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    races: u32,

    /// Number of interactions that go through a queue, alone or in a group
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    queues: u32,

    /// Number of procedures besides `main`
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    procedures: u32,

    /// How many to generate
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    count: NonZeroU32,

    /// Random seed
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,

    /// What to print
    #[arg(long = "as", value_enum, default_value_t = Form::Network)]
    form: Form,
}

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Networks: the projections
    Network,
    /// Choreographies
    Choreography,
}

const HELP: &str = "\
Examples:
  laban generate --size 10 --processes 3 --ifs 1 --procedures 1
  laban generate --size 50 --processes 6 --ifs 10 --as choreography --seed 7
  laban generate --size 20 --processes 4 --races 2 --as choreography
  laban generate --size 20 --processes 4 --queues 8 --as choreography
  laban generate --size 200 --processes 5 --ifs 3 --procedures 5 --count 100 -o hundred.tsv
  laban generate --size 20 --processes 4 --count 10 | laban batch -

Exit status:
  0  generated
  2  no choreography has these numbers";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let Arguments { size, processes, ifs, races, queues, procedures, count, seed, form } = *arguments;
    let parameters = Parameters::new(size, processes, ifs, procedures).with_races(races).with_queues(queues);
    let count = count.get();
    if size == 0 && form == Form::Network {
        console.error(
            "there is no network of size 0: it would have no processes; --as choreography gives `main { stop }`",
        );
        return Ok(Exit::Bad);
    }
    console.watch_reader();
    if count > 1 && form == Form::Network {
        writeln!(console.data(), "testId\tnetwork")?;
    }
    for number in 1..=count {
        // A single one has the seed itself; of several, each has its own.
        let seed = if count == 1 { seed } else { SeededRng::keyed([seed, u64::from(number), 0, 2]).long() };
        let Generated { amended, network_tree, .. } = match network(&parameters, seed) {
            Ok(generated) => generated,
            Err(refusal) => {
                console.error(refusal);
                return Ok(Exit::Bad);
            }
        };
        let text = match form {
            Form::Network => printed(&network_tree, count == 1),
            Form::Choreography => printed(&amended, count == 1),
        };
        let out = console.data();
        match form {
            _ if count == 1 => write!(out, "{text}")?,
            Form::Network => writeln!(out, "C{number}\t{text}")?,
            Form::Choreography => writeln!(out, "*** C{number} ***\n{text}\n")?,
        }
        console.flush()?;
        if console.is_closed() {
            break;
        }
    }
    Ok(Exit::Yes)
}

/// Over several lines, or on one without a line end.
fn printed<L: Language + Notation>(tree: &Tree<L>, pretty: bool) -> String {
    match pretty {
        true => Pretty { tree, source: "" }.to_string(),
        false => Compact(tree).to_string(),
    }
}
