//! What can be asked for.

use crate::commands::{
    amend, batch, check, completions, convert, equiv, evaluate, extract, fmt, fuzz, generate, graph, lsp, man, play,
    project, run, unroll, verify,
};
use crate::console::Color;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use laban::syntax::Kind;
use laban_report::{kind_by_name, on_one_line};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Extracts choreographies from networks of communicating processes
///
/// A network says what each process does on its own; a choreography says what they do together. If Laban finds a
/// choreography, your network cannot deadlock.
///
/// Files that end in `.net` hold networks, files that end in `.chor` hold choreographies; for other names, the content
/// decides. Files of other tools are read as they are: Scribble, nuScr, Mermaid, PlantUML, BPMN, communicating automata
/// and more. `-` is standard input.
#[derive(Debug, Parser)]
#[command(name = "laban", version, max_term_width = 100, propagate_version = true, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours
    #[arg(long, value_enum, global = true, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,

    /// Write the result to this file instead of standard output; the file is replaced when the result is complete
    #[arg(long, short, global = true, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  laban extract examples/two-buyer.net
  laban check examples/*.net
  laban check examples/formats/login.mmd
  laban graph examples/two-buyer.chor --format svg -o two-buyer.svg

Exit status:
  0  yes
  1  no
  2  bad input or usage
  3  undecided within the limits
  4  a fault in laban itself; please report it";

/// The commands in groups, as the help lists them.
const GROUPS: [(&str, &[&str]); 3] = [
    (
        "Commands",
        &["extract", "check", "verify", "equiv", "project", "amend", "run", "graph", "convert", "fmt", "play"],
    ),
    ("Research tools", &["generate", "fuzz", "unroll", "batch", "evaluate"]),
    ("Setup", &["completions", "lsp", "man", "help"]),
];

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
    Graph(graph::Arguments),
    Convert(convert::Arguments),
    Fmt(fmt::Arguments),
    Play(play::Arguments),
    Generate(generate::Arguments),
    Fuzz(fuzz::Arguments),
    Unroll(unroll::Arguments),
    Batch(batch::Arguments),
    Evaluate(evaluate::Arguments),
    Completions(completions::Arguments),
    Lsp(lsp::Arguments),
    Man(man::Arguments),
}

/// The command line, with the commands in groups.
pub(crate) fn command() -> clap::Command {
    let command = Cli::command();
    let styles = command.get_styles();
    let (header, literal) = (*styles.get_header(), *styles.get_literal());
    let mut listed = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(listed, "{header}{heading}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map_or_else(|| "Print this help, or that of a command".to_string(), ToString::to_string);
            let _ = writeln!(listed, "  {literal}{name:<12}{literal:#} {about}");
        }
        listed.push('\n');
    }
    let options = format!("{header}Options:{header:#}");
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listed}{options}\n{{options}}{{after-help}}"
    ))
}

/// What was asked for. If it is not understood, says so and ends the program.
pub(crate) fn parse() -> Cli {
    let matches = command().try_get_matches();
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command())));
    cli.unwrap_or_else(|error| with_tip(made_visible(error)).exit())
}

/// Adds what helps to go on when somebody names a file and no command, or guesses a command.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let by_name = match kind_by_name(Path::new(word)) {
        Some(Kind::Network) => Some("extract"),
        Some(Kind::Choreography) => Some("check"),
        None => None,
    };
    let tip = match (by_name, meant(word)) {
        (Some(command), _) => to_read(word, command),
        (None, Some(command)) => format!("use `laban {command}`"),
        (None, None) if Path::new(word).is_file() => to_read(word, "check"),
        (None, None) => return error,
    };
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

fn to_read(word: &str, command: &str) -> String {
    format!("to read a file, say what to do with it: laban {command} {}", on_one_line(word))
}

/// The command that somebody means who guesses its name.
fn meant(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "infer" | "synthesize" | "synthesise" | "find" | "deadlock" => "extract",
        "test" | "lint" | "validate" | "analyze" | "analyse" | "parse" => "check",
        "conform" | "conforms" | "prove" | "match" => "verify",
        "diff" | "compare" | "equal" | "equals" | "equivalent" | "same" | "bisim" => "equiv",
        "projection" | "endpoint" | "endpoints" | "split" => "project",
        "fix" | "repair" | "mend" => "amend",
        "simulate" | "simulation" | "step" | "exec" | "execute" | "start" => "run",
        "draw" | "render" | "visualize" | "visualise" | "plot" | "diagram" | "picture" | "svg" | "dot" | "mermaid" => {
            "graph"
        }
        "import" | "export" | "translate" | "transform" => "convert",
        "format" | "pretty" | "tidy" => "fmt",
        "browser" | "web" | "page" | "playground" | "serve" | "gui" => "play",
        "gen" | "random" => "generate",
        "mutate" | "break" => "fuzz",
        "unfold" | "rewrite" => "unroll",
        "bulk" | "many" => "batch",
        "bench" | "benchmark" | "experiment" | "experiments" => "evaluate",
        "completion" | "complete" => "completions",
        "server" | "language-server" | "editor" => "lsp",
        "manual" | "manpage" => "man",
        _ => return None,
    })
}

/// The same with every character visible in the words of the user that it repeats.
fn made_visible(mut error: clap::Error) -> clap::Error {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let command = command();
        let mut all: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).chain(["help"]).collect();
        listed.sort_unstable();
        all.sort_unstable();
        assert_eq!(listed, all);
    }

    #[test]
    fn every_example_of_the_help_is_understood() {
        let mut count = 0;
        for page in std::iter::once(&command()).chain(command().get_subcommands()) {
            let help = page.get_after_help().unwrap().to_string();
            // A longer line would be wrapped, and could not be copied.
            assert!(help.lines().all(|line| line.len() <= 100), "{help}");
            for part in
                help.lines().flat_map(|line| line.split('|')).filter_map(|part| part.trim().strip_prefix("laban "))
            {
                let words = part.split(['<', '>']).next().unwrap_or_default().split_whitespace();
                let parsed = command().try_get_matches_from(std::iter::once("laban").chain(words));
                assert!(parsed.is_ok(), "{part}: {}", parsed.unwrap_err());
                count += 1;
            }
        }
        assert!(count > 60, "{count}");
    }
}
