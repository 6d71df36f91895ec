//! Which language a document is in: by its name, by what the client calls it, or by its content, as for the command.

use crate::uri;
use laban::Analysis;
use laban::syntax::Kind;
use laban_formats::{Format, MarkdownBlock};

/// A language of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// One of Laban's own; without a kind, the content tells.
    Own(Option<Kind>),
    /// That of another tool.
    Other(Format),
    /// Text with blocks in other languages.
    Markdown,
}

const MARKDOWN: [&str; 5] = ["md", "markdown", "mdx", "qmd", "rmd"];

impl Language {
    /// The language of a document, given its key, the client's word for its language, and its text.
    pub(crate) fn of(key: &str, word: &str, text: &str) -> Language {
        let name = uri::name(key);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_lowercase();
        match (ending.as_str(), word) {
            ("net", _) => return Language::Own(Some(Kind::Network)),
            ("chor", _) => return Language::Own(Some(Kind::Choreography)),
            (ending, _) if MARKDOWN.contains(&ending) => return Language::Markdown,
            (_, "laban-net") => return Language::Own(Some(Kind::Network)),
            (_, "laban-chor") => return Language::Own(Some(Kind::Choreography)),
            (_, "markdown") => return Language::Markdown,
            _ => {}
        }
        match Format::of(name, text) {
            Some(format) if format.extensions().contains(&ending.as_str()) => Language::Other(format),
            // What is one of Laban's own texts stays one, whatever it looks like.
            Some(format) if !Analysis::new(text).syntax_errors().is_empty() => Language::Other(format),
            _ => Language::Own(None),
        }
    }

    /// The language of a block of Markdown, if its word names one that can be read and its text does not say otherwise.
    pub(crate) fn of_block(block: &MarkdownBlock, text: &str) -> Option<Language> {
        let format = match block.language.as_str() {
            "net" | "laban-net" => return Some(Language::Own(Some(Kind::Network))),
            "chor" | "laban-chor" => return Some(Language::Own(Some(Kind::Choreography))),
            word => {
                let by_ending = || Format::ALL.iter().copied().find(|format| format.extensions().contains(&word));
                Format::from_name(word).or_else(by_ending)?
            }
        };
        let text = block.span.text(text);
        // Mermaid and PlantUML have many kinds of diagrams. PlantUML needs no frame in a block.
        let found = Format::of(if format == Format::Nuscr { "x.nuscr" } else { "" }, text);
        let is_bare = format == Format::PlantUml && !text.contains("@start");
        (found == Some(format) || is_bare).then_some(Language::Other(format))
    }

    /// Whether it is one of Laban's own.
    pub(crate) fn is_own(self) -> bool {
        matches!(self, Language::Own(_))
    }
}
