//! The subcommands, one file each: its arguments, and `run`, which does it.

pub(crate) mod amend;
pub(crate) mod batch;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod equiv;
pub(crate) mod evaluate;
pub(crate) mod extract;
pub(crate) mod fmt;
pub(crate) mod fuzz;
pub(crate) mod generate;
pub(crate) mod graph;
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod play;
pub(crate) mod project;
pub(crate) mod run;
pub(crate) mod unroll;
pub(crate) mod verify;

use crate::cli::Command;
use crate::console::Console;
use crate::exit::Exit;
use std::io;

/// Does what was asked for. The error is one of writing to the standard outputs; all others are reported to the user.
pub(crate) fn run(command: &Command, console: &mut Console) -> io::Result<Exit> {
    match command {
        Command::Extract(arguments) => extract::run(arguments, console),
        Command::Verify(arguments) => verify::run(arguments, console),
        Command::Equiv(arguments) => equiv::run(arguments, console),
        Command::Project(arguments) => project::run(arguments, console),
        Command::Amend(arguments) => amend::run(arguments, console),
        Command::Run(arguments) => run::run(arguments, console),
        Command::Batch(arguments) => batch::run(arguments, console),
        Command::Check(arguments) => check::run(arguments, console),
        Command::Fmt(arguments) => fmt::run(arguments, console),
        Command::Graph(arguments) => graph::run(arguments, console),
        Command::Convert(arguments) => convert::run(arguments, console),
        Command::Generate(arguments) => generate::run(arguments, console),
        Command::Fuzz(arguments) => fuzz::run(arguments, console),
        Command::Unroll(arguments) => unroll::run(arguments, console),
        Command::Evaluate(arguments) => evaluate::run(arguments, console),
        Command::Completions(arguments) => completions::run(arguments, console),
        Command::Lsp(arguments) => lsp::run(arguments, console),
        Command::Play(arguments) => play::run(arguments, console),
        Command::Man(arguments) => man::run(arguments, console),
    }
}
