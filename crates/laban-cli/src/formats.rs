//! Languages of other tools: options of the commands that read files.

use crate::input::name_of;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use laban_formats::{Format, ReadOptions};
use laban_report::{Language, ReadArgs, decider, language_named};
use std::path::Path;

/// How files of other tools are read.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FormatArgs {
    /// Language of files that end neither in `.net` nor in `.chor` [default: by content and name]
    #[arg(long, value_name = "FORMAT", value_parser = languages(), hide_possible_values = true)]
    from: Option<Language>,

    /// Which protocol, diagram or block of a file is meant: its name, or its number from 1
    #[arg(long, value_name = "NAME")]
    protocol: Option<String>,

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

    /// What is known beforehand about texts.
    pub(crate) fn read_args(&self) -> ReadArgs {
        ReadArgs { from: self.from, protocol: self.protocol.clone(), decides: self.decides.clone() }
    }

    /// Reads something with what was said about it.
    pub(crate) fn with_options<T>(&self, in_block: bool, read: impl FnOnce(&ReadOptions<'_>) -> T) -> T {
        self.read_args().with_options(in_block, read)
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
