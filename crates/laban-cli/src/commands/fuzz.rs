//! `laban fuzz`: a network with mistakes in it.

use crate::console::Console;
use crate::exit::Exit;
use crate::formats::FormatArgs;
use crate::input;
use crate::reader::Reader;
use laban::generate::{Edit, fuzz};
use laban::syntax::{NetworkTree, Pretty};
use std::io::{self, Write};
use std::path::PathBuf;

/// Put random mistakes into a network
///
/// Deletes some actions of a random process and swaps others with the action that follows, as if somebody had changed
/// one process and forgotten the others. Prints the network, and on standard error what was changed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// A network; `-` is standard input
    file: PathBuf,

    /// How many actions to delete
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    deletions: u32,

    /// How many actions to swap with the one that follows
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    swaps: u32,

    /// Random seed
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    formats: FormatArgs,
}

const HELP: &str = "\
Examples:
  laban fuzz examples/two-buyer.net --deletions 1
  laban fuzz examples/two-buyer.net --deletions 2 --swaps 2 --seed 7
  laban fuzz examples/two-buyer.net --swaps 1 | laban extract -

Exit status:
  0  printed
  2  the file has mistakes or cannot be read";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let Arguments { file, deletions, swaps, seed, formats } = arguments;
    let read = Reader::new(formats).networks(std::slice::from_ref(file));
    let Some((input, _)) = input::accepted(read, console)? else { return Ok(Exit::Bad) };
    let Some(tree) = input.analysis.network_tree() else { return Ok(Exit::Bad) };
    let (tree, edits) = fuzz(tree, *deletions, *swaps, *seed);
    show(&tree, &edits, console)?;
    Ok(Exit::Yes)
}

/// Prints a network and what was changed in it.
pub(super) fn show(tree: &NetworkTree, edits: &[Edit], console: &mut Console) -> io::Result<()> {
    write!(console.data(), "{}", Pretty { tree, source: "" })?;
    console.flush()?;
    if edits.is_empty() {
        console.say_aside("nothing was changed")?;
    }
    for edit in edits {
        console.say_aside(edit)?;
    }
    Ok(())
}
