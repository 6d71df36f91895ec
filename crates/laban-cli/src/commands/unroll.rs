//! `laban unroll`: the same network, written in another way.

use super::fuzz::show;
use crate::console::Console;
use crate::exit::Exit;
use crate::formats::FormatArgs;
use crate::input;
use crate::reader::Reader;
use laban::generate::unroll;
use std::io;
use std::path::PathBuf;

/// Rewrite one process of a network into an equivalent form
///
/// Unfolds some procedure calls of a random process and shifts the points where its loops close. The network behaves as
/// before. Prints it, and on standard error what was changed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// A network; `-` is standard input
    file: PathBuf,

    /// Random seed
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    formats: FormatArgs,
}

const HELP: &str = "\
Examples:
  laban unroll examples/ping-pong.net
  laban unroll examples/streaming.net --seed 7
  laban unroll examples/streaming.net | laban extract -

Exit status:
  0  printed
  2  the file has mistakes or cannot be read";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let read = Reader::new(&arguments.formats).networks(std::slice::from_ref(&arguments.file));
    let Some((input, _)) = input::accepted(read, console)? else { return Ok(Exit::Bad) };
    let Some(tree) = input.analysis.network_tree() else { return Ok(Exit::Bad) };
    let (tree, edits) = unroll(tree, arguments.seed);
    show(&tree, &edits, console)?;
    Ok(Exit::Yes)
}
