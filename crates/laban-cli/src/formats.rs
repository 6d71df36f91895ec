//! Languages of other tools: options of the commands that read files.

use crate::input::name_of;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use laban::syntax::Kind;
use laban_formats::{Format, ReadOptions};
use std::path::Path;

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// One of Laban's own; if it is not said which, the text tells.
    Own(Option<Kind>),
    /// That of another tool.
    Other(Format),
    /// Markdown, with texts of other languages in blocks.
    Markdown,
}

/// How files of other tools are read.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FormatArgs {
    /// Language of files that end neither in `.net` nor in `.chor` [default: by content and name]
    #[arg(long, value_name = "FORMAT", value_parser = languages(), hide_possible_values = true)]
    from: Option<Language>,

    /// Which protocol, diagram or block of a file is meant: its name, or its number from 1
    #[arg(long, value_name = "NAME")]
    pub(crate) protocol: Option<String>,

    /// Who decides if a diagram does not say: at a line of the file, as in `12=seller`, or everywhere else; can be
    /// repeated
    #[arg(long, value_name = "[LINE=]NAME", value_parser = decider)]
    decides: Vec<(Option<u32>, String)>,
}

impl FormatArgs {
    /// The language that was asked for.
    pub(crate) fn from(&self) -> Option<Language> {
        self.from
    }

    /// Reads something with what was said about it.
    pub(crate) fn with_options<T>(&self, in_block: bool, read: impl FnOnce(&ReadOptions<'_>) -> T) -> T {
        let deciders: Vec<(Option<u32>, &str)> =
            self.decides.iter().map(|(line, name)| (*line, name.as_str())).collect();
        // In Markdown, it says which block is meant.
        let protocol = self.protocol.as_deref().filter(|_| !in_block);
        read(&ReadOptions { protocol, deciders: &deciders })
    }
}

/// Laban's own languages, Markdown, and all formats that can be read.
fn languages() -> impl TypedValueParser<Value = Language> {
    let own = [
        PossibleValue::new("net").help("networks of Laban"),
        PossibleValue::new("chor").help("choreographies of Laban"),
        PossibleValue::new("markdown").help("blocks in Markdown"),
    ];
    let others = Format::ALL.iter().filter(|format| format.is_read());
    let others = others.map(|format| PossibleValue::new(format.name()).help(format.description()));
    PossibleValuesParser::new(own.into_iter().chain(others))
        .try_map(|name| language_named(&name).ok_or("unknown format"))
}

/// The language that has this word.
pub(crate) fn language_named(name: &str) -> Option<Language> {
    match name {
        "net" => Some(Language::Own(Some(Kind::Network))),
        "chor" => Some(Language::Own(Some(Kind::Choreography))),
        "markdown" => Some(Language::Markdown),
        _ => Format::from_name(name).map(Language::Other),
    }
}

/// Why a result of Laban's own is not written to a file: its name says that it is in a language of another tool, and
/// perhaps it is the very file that was read.
pub(crate) fn other_language(output: Option<&Path>, what: &str) -> Option<String> {
    // These names say little: results may have them.
    const OF_ANY: [&str; 4] = ["txt", "json", "dot", "gv"];
    let extension = output?.extension()?.to_str()?.to_lowercase();
    let has_it = |format: &&Format| format.extensions().contains(&extension.as_str());
    let format = Format::ALL.iter().filter(|_| !OF_ANY.contains(&extension.as_str())).find(has_it)?;
    let name = name_of(output?);
    Some(format!(
        "{name} would be {} by its name, and what is written is {what}; `laban convert` translates it",
        format.description()
    ))
}

fn decider(text: &str) -> Result<(Option<u32>, String), String> {
    let (line, name) = match text.split_once('=') {
        Some((line, name)) => (Some(line.trim()), name.trim()),
        None => (None, text.trim()),
    };
    let line = line.map(|line| line.parse().ok().filter(|&line: &u32| line > 0));
    match line {
        _ if name.is_empty() => Err("the name is missing".to_string()),
        Some(None) => Err("expected the number of a line and a name, such as 12=seller, or a name".to_string()),
        line => Ok((line.flatten(), name.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_decides_is_a_name_perhaps_after_the_number_of_a_line() {
        assert_eq!(decider("seller"), Ok((None, "seller".to_string())));
        assert_eq!(decider("12=the seller"), Ok((Some(12), "the seller".to_string())));
        assert!(decider("x=seller").is_err() && decider("0=seller").is_err() && decider("12=").is_err());
    }
}
