//! What can be asked for.

use crate::commands::{
    amend, batch, check, completions, equiv, evaluate, extract, fmt, fuzz, generate, graph, man, project, run, unroll,
    verify,
};
use crate::console::Color;
use crate::input;
use crate::source::on_one_line;
use clap::error::{ContextKind, ContextValue};
use clap::{Parser, Subcommand};
use laban::syntax::Kind;
use std::path::Path;

/// Extracts choreographies from networks of communicating processes.
///
/// A network says what each process does, on its own; a choreography says what they all do together. Files that end in
/// `.net` hold networks and files that end in `.chor` choreographies; for other names, the content decides. `-` is the
/// standard input.
#[derive(Debug, Parser)]
#[command(name = "laban", version, max_term_width = 100, propagate_version = true, after_help = EXIT_STATUS)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours
    #[arg(long, value_enum, global = true, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
}

const EXIT_STATUS: &str = "\
Exit status:
  0  yes
  1  a negative answer
  2  bad input or usage
  3  undecided within the limits";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Extract(extract::Arguments),
    Check(check::Arguments),
    Verify(verify::Arguments),
    Equiv(equiv::Arguments),
    Project(project::Arguments),
    Amend(amend::Arguments),
    Run(run::Arguments),
    Batch(batch::Arguments),
    Fmt(fmt::Arguments),
    Graph(graph::Arguments),
    Generate(generate::Arguments),
    Fuzz(fuzz::Arguments),
    Unroll(unroll::Arguments),
    Evaluate(evaluate::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Who names a file and no command gets to know how to go on.
pub(crate) fn with_tip(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let command = match input::kind_by_name(Path::new(word)) {
        Some(Kind::Network) => "extract",
        Some(Kind::Choreography) => "check",
        None if Path::new(word).is_file() => "check",
        None => return error,
    };
    let tip = format!("to read a file, say what to do with it: laban {command} {}", on_one_line(word));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// The same with every character visible in the words of the user that it repeats.
pub(crate) fn made_visible(mut error: clap::Error) -> clap::Error {
    let shown = |word: &String| on_one_line(word);
    let contexts: Vec<(ContextKind, ContextValue)> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(word) => Some((kind, ContextValue::String(shown(word)))),
            ContextValue::Strings(words) => Some((kind, ContextValue::Strings(words.iter().map(shown).collect()))),
            _ => None,
        })
        .collect();
    let mut is_same = true;
    for (kind, value) in contexts {
        is_same &= error.get(kind) == Some(&value);
        error.insert(kind, value);
    }
    if !is_same {
        // What is suggested repeats the words as they are.
        error.remove(ContextKind::Suggested);
    }
    error
}
