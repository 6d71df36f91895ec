//! Which language a text is in, and what is known beforehand about texts.

use laban::Analysis;
use laban::network::Channel;
use laban::syntax::Kind;
use laban_formats::{Format, ReadOptions};
use std::path::Path;

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// One of Laban's own; if it is not said which, the text tells.
    Own(Option<Kind>),
    /// That of another tool.
    Other(Format),
    /// Markdown, with texts of other languages in blocks.
    Markdown,
}

impl Language {
    /// The word for it; nothing for a text of Laban's if it is not known which of the two it is.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Language::Own(None) => None,
            Language::Own(Some(Kind::Network)) => Some("net"),
            Language::Own(Some(Kind::Choreography)) => Some("chor"),
            Language::Other(format) => Some(format.name()),
            Language::Markdown => Some("markdown"),
        }
    }
}

/// What is known beforehand about texts.
#[derive(Debug, Clone, Default)]
pub struct ReadArgs {
    /// The language of texts whose name does not tell.
    pub from: Option<Language>,
    /// Which protocol, diagram or block of a file is meant: its name, or its number from 1.
    pub protocol: Option<String>,
    /// Who decides where a diagram does not tell: in a line, or everywhere else.
    pub decides: Vec<(Option<u32>, String)>,
}

impl ReadArgs {
    /// Reads something with what was said about it.
    pub fn with_options<T>(&self, in_block: bool, read: impl FnOnce(&ReadOptions<'_>) -> T) -> T {
        let deciders: Vec<(Option<u32>, &str)> =
            self.decides.iter().map(|(line, name)| (*line, name.as_str())).collect();
        // In Markdown, it says which block is meant.
        let protocol = self.protocol.as_deref().filter(|_| !in_block);
        read(&ReadOptions { protocol, deciders: &deciders })
    }

    /// The language of a text: its name decides first, then what is known beforehand, then the content.
    pub fn language(&self, path: &Path, bytes: &[u8]) -> Language {
        if let Some(kind) = kind_by_name(path) {
            return Language::Own(Some(kind));
        }
        if let Some(from) = self.from {
            return from;
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return Language::Own(None) };
        if is_markdown(path) {
            return Language::Markdown;
        }
        let name = path.to_string_lossy();
        match Format::of(&name, text) {
            // What is one of Laban's own texts stays one, whatever it looks like.
            Some(format) if has_ending(&name, format) || !Analysis::new(text).syntax_errors().is_empty() => {
                Language::Other(format)
            }
            _ => Language::Own(None),
        }
    }
}

/// The language that has this word.
pub fn language_named(name: &str) -> Option<Language> {
    match name {
        "net" => Some(Language::Own(Some(Kind::Network))),
        "chor" => Some(Language::Own(Some(Kind::Choreography))),
        "markdown" => Some(Language::Markdown),
        _ => Format::from_name(name).map(Language::Other),
    }
}

/// The language of a file, if its name tells.
pub fn kind_by_name(path: &Path) -> Option<Kind> {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("net") => Some(Kind::Network),
        Some(extension) if extension.eq_ignore_ascii_case("chor") => Some(Kind::Choreography),
        _ => None,
    }
}

/// Whether a file is Markdown by its name.
pub fn is_markdown(path: &Path) -> bool {
    let is = |ending: &&str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
    ["md", "markdown", "mdx", "qmd", "rmd"].iter().any(is)
}

/// Whether a file is called as those of a format are.
fn has_ending(name: &str, format: Format) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_lowercase();
    format.extensions().contains(&ending.as_str())
}

/// Who decides, as it is written in options: a name, perhaps after the number of a line and `=`.
pub fn decider(text: &str) -> Result<(Option<u32>, String), String> {
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

/// How messages get from one process to another, as it is written in options: `queue`, `queue:4` or `rendezvous`.
pub fn channel(text: &str) -> Result<Channel, String> {
    let expected = "expected queue, queue:4 (at most 4 messages wait) or rendezvous";
    let (kind, bound) = match text.split_once([':', '=', ' ']) {
        Some((kind, bound)) => (kind, Some(bound)),
        None => (text, None),
    };
    match (kind, bound) {
        ("rendezvous", None) => Ok(Channel::Rendezvous),
        ("queue", None) => Ok(Channel::Queue { bound: None }),
        ("queue", Some(bound)) => match bound.parse() {
            Ok(0) => Err("a queue must have room for a message; without any, it is rendezvous".to_string()),
            Ok(bound) => Ok(Channel::Queue { bound: Some(bound) }),
            Err(_) => Err(expected.to_string()),
        },
        ("async" | "asynchronous", None) => Err(format!("{expected}; did you mean queue?")),
        ("sync" | "synchronous", None) => Err(format!("{expected}; did you mean rendezvous?")),
        _ => Err(expected.to_string()),
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

    #[test]
    fn channels_are_queues_with_or_without_a_bound_or_rendezvous() {
        assert_eq!(channel("queue"), Ok(Channel::Queue { bound: None }));
        assert_eq!(channel("queue:4"), Ok(Channel::Queue { bound: Some(4) }));
        assert_eq!(channel("rendezvous"), Ok(Channel::Rendezvous));
        for wrong in ["", "queue:", "queue:0", "queue:-1", "queue:99999999999", "rendezvous:1", "async", "queues"] {
            assert!(channel(wrong).is_err(), "{wrong}");
        }
    }
}
