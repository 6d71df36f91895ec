//! Which language a text is in: by its content, and by the name of its file where the content does not tell.
//!
//! Only the first words are looked at, and for a graph its labels. What looks like one of Laban's own languages is none
//! of these.

use crate::dot::is_local_label;
use crate::format::Format;
use crate::{automaton, bpmn, chorgram, json, mermaid, mpstk, plantuml, scribble, sprout};

/// The format of a text that can be read, if it looks like one.
///
/// ```
/// use laban_formats::{Format, detect};
///
/// assert_eq!(detect("clock.txt", "-- a clock\n.outputs\n.state graph\n"), Some(Format::Fsa));
/// assert_eq!(detect("", "A: rec x . B!tick; x"), Some(Format::Kmc));
/// assert_eq!(detect("", "p { main { stop } }"), None);
/// ```
pub fn detect(name: &str, text: &str) -> Option<Format> {
    let start = without_comments(text);
    if start.starts_with(".outputs") {
        return Some(Format::Fsa);
    }
    if first_word(start).eq_ignore_ascii_case("digraph") || first_word(start).eq_ignore_ascii_case("strict") {
        let global = || automaton::looks_like(start).then_some(Format::ChoreographyAutomaton);
        let named = || is_named_graph(start).then_some(Format::Dot);
        return has_local_labels(start).then_some(Format::Dot).or_else(global).or_else(named);
    }
    if json::looks_like(text) {
        return Some(Format::Json);
    }
    if bpmn::looks_like(start) {
        return Some(Format::Bpmn);
    }
    if plantuml::looks_like(text) {
        return Some(Format::PlantUml);
    }
    if mermaid::looks_like(text) {
        return Some(Format::Mermaid);
    }
    if scribble::looks_like(text) {
        return Some(if name.ends_with(".nuscr") { Format::Nuscr } else { Format::Scribble });
    }
    if sprout::looks_like(start) {
        return Some(Format::Sprout);
    }
    if mpstk::starts_entry(start) {
        return Some(Format::MpstkContext);
    }
    if mpstk::starts_global(start) {
        return Some(Format::MpstkGlobal);
    }
    if is_kmc(start) {
        return Some(Format::Kmc);
    }
    if is_binary_type(start) {
        return Some(Format::SubtypingPair);
    }
    if chorgram::looks_like(text) {
        return Some(Format::Chorgram);
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_lowercase().as_str() {
        "fsa" => Some(Format::Fsa),
        "ctx" => Some(Format::MpstkContext),
        "global" => Some(Format::MpstkGlobal),
        "gc" | "sgg" => Some(Format::Chorgram),
        "scr" => Some(Format::Scribble),
        "nuscr" => Some(Format::Nuscr),
        "mmd" | "mermaid" => Some(Format::Mermaid),
        "puml" | "plantuml" | "pu" | "iuml" | "wsd" => Some(Format::PlantUml),
        "bpmn" | "bpmn2" => Some(Format::Bpmn),
        // These are not read, and it is better to say so than to say what is wrong with them as a network.
        "pml" | "promela" => Some(Format::Promela),
        "aut" => Some(Format::Aldebaran),
        _ => None,
    }
}

/// A text from its first word on, after comments of any of these languages.
fn without_comments(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let is_line = ["--", "//", "#"].iter().any(|start| rest.starts_with(start));
        let end = if is_line {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2)
        } else {
            return rest;
        };
        rest = end.map_or("", |end| &rest[end..]);
    }
}

fn first_word(text: &str) -> &str {
    &text[..text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())]
}

/// What follows the first word and blanks.
fn after_word(text: &str) -> &str {
    text[first_word(text).len()..].trim_start()
}

/// `digraph g {`: no process of a network starts like this, so whatever is wrong with it is wrong with a graph.
fn is_named_graph(text: &str) -> bool {
    let graph = if first_word(text).eq_ignore_ascii_case("strict") { after_word(text) } else { text };
    let name = after_word(graph);
    let after_name = match name.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map_or("", |(_, rest)| rest.trim_start()),
        None if first_word(name).is_empty() => "",
        None => after_word(name),
    };
    after_name.starts_with('{')
}

/// Whether the first label on an edge is that of a local automaton.
fn has_local_labels(text: &str) -> bool {
    text.split("->").skip(1).any(|edge| {
        let attributes = edge.split([';', '\n']).next().unwrap_or("");
        let label = attributes.split_once("label").map_or("", |(_, label)| label);
        label.split('"').nth(1).is_some_and(is_local_label)
    })
}

/// `A: rec`, `A: end`, `A: {` or `A: B!`.
fn is_kmc(text: &str) -> bool {
    let name = first_word(text);
    let Some(rest) = after_word(text).strip_prefix(':') else { return false };
    let rest = without_comments(rest);
    let word = first_word(rest);
    let starts_type = match word {
        "" => rest.starts_with('{'),
        "end" => true,
        "rec" => !first_word(after_word(rest)).is_empty() && after_word(after_word(rest)).starts_with('.'),
        _ => after_word(rest).starts_with(['!', '?']),
    };
    name.starts_with(char::is_alphabetic) && starts_type
}

/// `rec X .`, `!a;`, `?a;`, `[`, `+{` or `&[`, with a send or a receive soon.
fn is_binary_type(text: &str) -> bool {
    let mut rest = text;
    for _ in 0..64 {
        rest = without_comments(rest);
        if first_word(rest) == "rec" {
            let Some(body) = after_word(after_word(rest)).strip_prefix('.') else { return false };
            rest = body;
        } else if let Some(choice) = rest.strip_prefix(['[', '{', '+', '&']) {
            rest = choice;
        } else {
            let Some(message) = rest.strip_prefix(['!', '?']) else { return rest == "end" };
            let message = message.trim_start();
            return !first_word(message).is_empty() && after_word(message).starts_with(';');
        }
    }
    false
}
