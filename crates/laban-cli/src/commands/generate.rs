//! `laban generate`: random choreographies and networks.

use crate::console::Console;
use crate::exit::Exit;
use clap::ValueEnum;
use laban::generate::{Generated, Parameters, SeededRng, network};
use laban::syntax::{Compact, Language, Notation, Pretty, Tree};
use std::io::{self, Write};
use std::num::NonZeroU32;

/// Make random choreographies, or the networks that follow them
///
/// Choreographies are made as in the evaluation of the paper: actions and conditionals are thrown into the procedures, processes
/// are chosen at random, values and labels are new each time. Then the selections are added that a projection needs. The
/// same seed gives the same text, on every machine and for ever.
///
/// Several networks are printed as TSV, as `laban batch` reads it; several choreographies in blocks that begin with `*** C1 ***`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// How many actions, conditionals included, before selections are added
    #[arg(long, value_name = "NUMBER")]
    size: u32,

    /// How many processes to choose from
    #[arg(long, value_name = "NUMBER")]
    processes: u32,

    /// How many of the actions are conditionals
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    ifs: u32,

    /// How many procedures, besides `main`
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    procedures: u32,

    /// How many to make
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    count: NonZeroU32,

    /// What they are made from
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
  laban generate --size 200 --processes 5 --ifs 3 --procedures 5 --count 100 > hundred.tsv
  laban generate --size 20 --processes 4 --count 10 | laban batch -

Exit status:
  0  made
  2  there is no choreography like this";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let Arguments { size, processes, ifs, procedures, count, seed, form } = *arguments;
    let parameters = Parameters::new(size, processes, ifs, procedures);
    let count = count.get();
    if count > 1 && form == Form::Network {
        writeln!(console.out(), "testId\tnetwork")?;
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
        let out = console.out();
        match form {
            _ if count == 1 => write!(out, "{text}")?,
            Form::Network => writeln!(out, "C{number}\t{text}")?,
            Form::Choreography => writeln!(out, "*** C{number} ***\n{text}\n")?,
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
