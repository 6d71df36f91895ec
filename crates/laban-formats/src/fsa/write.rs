//! Writes `.fsa`.

use crate::flat::{FlatAction, FlatMessage, Unsayable, flatten};
use crate::naming::Naming;
use laban::Network;
use std::collections::HashMap;
use std::fmt::Write;

/// Whose `.fsa` to write. Every one of them is read back by this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FsaDialect {
    /// For ChorGram, and SEArch: machines have names, and a choice may have silent lines.
    #[default]
    ChorGram,
    /// For KMC: machines have no names, words have only letters and digits, and there are no silent lines.
    Kmc,
}

/// A network as communicating finite-state machines.
///
/// Values are messages that are all called alike, and conditions are not written.
///
/// ```
/// use laban_formats::{FsaDialect, write_fsa};
///
/// let network = laban::analyse("p { main { q+ok; stop } } | q { main { p&{ok: stop} } }").into_network()?;
/// let text = write_fsa(&network, FsaDialect::ChorGram)?;
/// assert!(text.starts_with(".outputs p\n.state graph\nq0 1 ! ok q1\n.marking q0\n.end\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_fsa(network: &Network, dialect: FsaDialect) -> Result<String, Unsayable> {
    let automata = flatten(network)?;
    let all = automata.iter().flat_map(|flat| &flat.states).flat_map(|(_, edges)| edges);
    let messages: Vec<FlatMessage<'_>> = all.filter_map(|&(action, _)| message(action)).collect();
    let words: Vec<&str> = messages.iter().map(|&message| word(message)).collect();
    let labels = match dialect {
        FsaDialect::ChorGram => named(words, |c| !c.is_whitespace() && !matches!(c, '<' | '*' | '.' | '-')),
        FsaDialect::Kmc => named(words, char::is_alphanumeric),
    };
    let mut text = String::new();
    for (process, flat) in network.process_ids().zip(&automata) {
        let name = network.process_name(process);
        match dialect {
            FsaDialect::ChorGram => line(&mut text, format_args!(".outputs {name}")),
            FsaDialect::Kmc => line(&mut text, format_args!("-- {name}\n.outputs")),
        }
        line(&mut text, format_args!(".state graph"));
        let numbers: HashMap<_, usize> =
            flat.states.iter().zip(0..).map(|((state, _), number)| (*state, number)).collect();
        for (number, (_, edges)) in flat.states.iter().enumerate() {
            for &(action, next) in edges {
                let target = numbers.get(&next).copied().unwrap_or(0);
                match action {
                    FlatAction::Silent if dialect == FsaDialect::Kmc => {
                        let what = "a choice with an arm that does not begin with a send".to_string();
                        return Err(Unsayable { process: name.to_string(), what });
                    }
                    FlatAction::Silent => line(&mut text, format_args!("q{number} tau q{target}")),
                    FlatAction::Send(to, message) => {
                        let label = labels.name(word(message));
                        line(&mut text, format_args!("q{number} {} ! {label} q{target}", to.0));
                    }
                    FlatAction::Receive(from, message) => {
                        let label = labels.name(word(message));
                        line(&mut text, format_args!("q{number} {} ? {label} q{target}", from.0));
                    }
                }
            }
        }
        let start = numbers.get(&flat.start).copied().unwrap_or(0);
        line(&mut text, format_args!(".marking q{start}\n.end\n"));
    }
    Ok(text)
}

/// Adds a line to a text, which cannot fail.
fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{line}");
}

fn message<'a>(action: FlatAction<'a>) -> Option<FlatMessage<'a>> {
    match action {
        FlatAction::Silent => None,
        FlatAction::Send(_, message) | FlatAction::Receive(_, message) => Some(message),
    }
}

/// The word for a message. No label is empty, so that of a value is.
fn word<'a>(message: FlatMessage<'a>) -> &'a str {
    match message {
        FlatMessage::Value => "",
        FlatMessage::Label(label) => label,
    }
}

/// Names of these characters; a value is called `value`.
fn named(words: Vec<&str>, in_name: fn(char) -> bool) -> Naming {
    let is_name = |word: &str| !word.is_empty() && word.chars().all(in_name);
    let cleaned = |word: &str| match word.chars().filter(|&c| in_name(c)).collect::<String>() {
        name if name.is_empty() => "value".to_string(),
        name => name,
    };
    Naming::new(words, is_name, cleaned, |wished, number| format!("{wished}{number}"))
}
