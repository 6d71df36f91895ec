//! `laban completions`: what a shell needs to know to complete commands.

use crate::cli;
use crate::console::Console;
use crate::exit::Exit;
use clap_complete::Shell;
use std::io::{self, Write};

/// Print a completion script for your shell
///
/// Save the output where your shell looks for completions, or evaluate it when the shell starts.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

const HELP: &str = "\
Examples:
  laban completions bash -o ~/.local/share/bash-completion/completions/laban
  laban completions zsh -o ~/.zfunc/_laban
  laban completions fish -o ~/.config/fish/completions/laban.fish

Exit status:
  0  always";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut cli::command(), "laban", &mut text);
    console.data().write_all(&text)?;
    Ok(Exit::Yes)
}
