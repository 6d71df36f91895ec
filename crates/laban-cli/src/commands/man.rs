//! `laban man`: the manual pages.

use crate::cli;
use crate::console::Console;
use crate::exit::Exit;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Print the manual pages
///
/// Prints the page of `laban`, or of one command. With `--out`, writes all pages to a directory.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The command whose page to print
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Option<String>,

    /// Write all pages to this directory; it is created if needed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const HELP: &str = "\
Examples:
  laban man check | man -l -
  laban man --out ~/.local/share/man/man1

Exit status:
  0  the pages were written
  2  there is no such command, or the pages cannot be written";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let mut command = cli::command();
    command.build();
    if let Some(directory) = &arguments.out {
        if let Err((path, error)) = write_all(&command, directory) {
            console.error(format_args!("cannot write {}: {error}", path.display()));
            return Ok(Exit::Bad);
        }
        return Ok(Exit::Yes);
    }
    let page = match &arguments.command {
        None => Some(&command),
        Some(name) => command.find_subcommand(name),
    };
    match page {
        Some(page) => {
            console.data().write_all(&rendered(page)?)?;
            Ok(Exit::Yes)
        }
        None => {
            let name = arguments.command.as_deref().unwrap_or_default();
            console.error(format_args!("unknown command {}", laban::diagnostic::quote(name)));
            Ok(Exit::Bad)
        }
    }
}

fn rendered(command: &clap::Command) -> io::Result<Vec<u8>> {
    // `laban check` has the page laban-check(1).
    let name = page_name(command);
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).title(name).render(&mut text)?;
    Ok(text)
}

fn page_name(command: &clap::Command) -> String {
    command.get_bin_name().unwrap_or(command.get_name()).replace(' ', "-")
}

fn write_all(command: &clap::Command, directory: &Path) -> Result<(), (PathBuf, io::Error)> {
    fs::create_dir_all(directory).map_err(|error| (directory.to_path_buf(), error))?;
    let pages = std::iter::once(command).chain(command.get_subcommands().filter(|page| page.get_name() != "help"));
    for page in pages {
        let path = directory.join(format!("{}.1", page_name(page)));
        let written = rendered(page).and_then(|text| fs::write(&path, text));
        written.map_err(|error| (path, error))?;
    }
    Ok(())
}
