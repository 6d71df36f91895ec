//! `laban fmt`: texts as a person would write them.

use crate::console::Console;
use crate::exit::Exit;
use std::io;
use std::path::PathBuf;

/// Lay out networks and choreographies
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Networks (.net) and choreographies (.chor); `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(_arguments: &Arguments, _console: &mut Console) -> io::Result<Exit> {
    Ok(Exit::Yes)
}
