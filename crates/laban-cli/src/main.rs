//! The `laban` command: a thin shell around the library.
//!
//! [`cli`] says what can be asked for, and each file of [`commands`] does one thing that can. What they share is here:
//! [`input`] reads files, [`patience`] the standard input, [`names`] knows whom a name may mean, [`source`] knows lines and columns, [`report`] shows
//! diagnostics, [`console`] holds the two outputs, [`effort`] how hard a search tries, [`drawing`] in which languages and
//! how much is drawn, [`record`] what an answer is as JSON, [`simulation`] what is said about a run, [`mod@replace`]
//! rewrites a file, [`watch`] waits until one changes, and [`exit`] is what the shell that called us gets to know.

#![warn(unreachable_pub)]

mod batch;
mod cli;
mod commands;
mod console;
mod drawing;
mod effort;
mod exit;
mod input;
mod names;
mod patience;
mod progress;
mod record;
mod replace;
mod report;
mod simulation;
mod source;
mod watch;

use clap::Parser;
use console::Console;
use exit::Exit;
use mimalloc::MiMalloc;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let cli = cli::Cli::try_parse().unwrap_or_else(|error| cli::with_tip(error).exit());
    let mut console = Console::new(cli.color);
    let outcome = commands::run(&cli.command, &mut console).and_then(|exit| console.flush().map(|()| exit));
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => {
            console.error(format_args!("cannot write the output: {error}"));
            Exit::Bad.into()
        }
    }
}
