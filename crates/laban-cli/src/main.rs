//! The `laban` command: a thin shell around the library.
//!
//! [`cli`] says what can be asked for, and each file of [`commands`] does one thing that can. What they share is here:
//! [`reader`] and [`input`] read texts, [`stdin`] reads standard input, [`report`] shows diagnostics, [`console`]
//! holds the two outputs, [`search_args`] the options of a search, [`limits`] when it gives up, [`memory`] how much
//! memory there is, [`interrupt`] whether to stop, [`drawing`] in which languages and how much is drawn, [`record`]
//! what an answer is as JSON, [`mod@json`] how it is written, [`simulation`] what is printed about a run,
//! [`mod@play`] serves the page, [`output`] writes files as a whole, [`watch`] waits until one changes, [`fault`]
//! tells of faults of the program itself, and [`exit`] has the exit statuses. What texts are and what is said about
//! them is in `laban_report`, which other shells use as well.

#![warn(unreachable_pub)]

mod batch;
mod channels;
mod cli;
mod commands;
mod conditions;
mod console;
mod drawing;
mod exit;
mod fault;
mod folder;
mod formats;
mod imports;
mod input;
mod interrupt;
mod json;
mod limits;
mod memory;
mod output;
mod play;
mod progress;
mod reader;
mod record;
mod report;
mod search_args;
mod simulation;
mod stdin;
mod strict_services;
mod target;
mod threads;
mod watch;

use cli::Cli;
use console::Console;
use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    fault::handle_panics();
    memory::handle_exhaustion();
    let cli = cli::parse();
    let mut console = match Console::new(cli.color, cli.output.as_deref()) {
        Ok(console) => console,
        Err(error) => return cannot_write(&cli, &error),
    };
    let outcome = commands::run(&cli.command, &mut console).and_then(|exit| console.finish(exit).map(|()| exit));
    match outcome {
        Ok(exit) => exit::status(exit),
        Err(error) => {
            console.error(format_args!("cannot write the output: {error}"));
            exit::status(Exit::Bad)
        }
    }
}

/// The file for the results cannot be written, which shows before there are any.
fn cannot_write(cli: &Cli, error: &std::io::Error) -> ExitCode {
    if let Ok(mut console) = Console::new(cli.color, None) {
        let path = cli.output.as_deref().map(input::name_of).unwrap_or_default();
        console.error(format_args!("--output: cannot write {path}: {error}"));
    }
    exit::status(Exit::Bad)
}
