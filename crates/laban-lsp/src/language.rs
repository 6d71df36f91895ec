//! Which language a document is in: by its name, by what the client calls it, or by its content, as for the command.

use crate::uri;
use laban::syntax::Kind;
use laban_report::{Language, ReadArgs, is_markdown};
use std::path::Path;

/// The language of a document, given its key, the client's word for its language, and its text.
pub(crate) fn language_of(key: &str, word: &str, text: &str) -> Language {
    let name = Path::new(uri::name(key));
    let from = match word {
        _ if is_markdown(name) => Some(Language::Markdown),
        "laban-net" => Some(Language::Own(Some(Kind::Network))),
        "laban-chor" => Some(Language::Own(Some(Kind::Choreography))),
        "markdown" => Some(Language::Markdown),
        _ => None,
    };
    ReadArgs { from, ..ReadArgs::default() }.language(name, text.as_bytes())
}
