//! What Mermaid calls things: by their own names, wherever its parser can read them.
//!
//! The words of Mermaid's two grammars that cannot be names were found by trying each word of the grammars with its
//! parser; `scripts/check-mermaid` asks it again about every drawing of the tests.

use std::collections::{BTreeMap, BTreeSet};

/// Words that cannot be the name of a participant, nor the beginning of one that goes on with other than a letter, a
/// digit or `_` of ASCII. Case does not matter.
const OF_SEQUENCES: &[&str] = &[
    "acctitle",
    "accdescr",
    "activate",
    "actor",
    "alt",
    "and",
    "as",
    "autonumber",
    "box",
    "break",
    "create",
    "critical",
    "deactivate",
    "destroy",
    "details",
    "else",
    "end",
    "link",
    "links",
    "loop",
    "note",
    "off",
    "opt",
    "option",
    "over",
    "par",
    "par_over",
    "participant",
    "properties",
    "rect",
    "sequencediagram",
    "title",
];

/// Words that cannot be the name of a node of a graph. Older versions know a few more.
const OF_GRAPHS: &[&str] = &[
    "_blank",
    "_parent",
    "_self",
    "_top",
    "call",
    "class",
    "classdef",
    "click",
    "default",
    "direction",
    "end",
    "flowchart",
    "graph",
    "href",
    "interpolate",
    "linkstyle",
    "style",
    "subgraph",
];

/// The longest name that is made of a label.
const LONGEST: usize = 32;

/// Identifiers that are in use. Each is given once.
#[derive(Debug, Default)]
pub(crate) struct Identifiers {
    taken: BTreeSet<String>,
    /// For what was asked for again and again, the number to try next.
    next: BTreeMap<String, usize>,
}

impl Identifiers {
    /// An identifier for each of these participants: its name or, where Mermaid cannot read that, something like it.
    pub(crate) fn of_participants(names: &[&str]) -> Vec<String> {
        // Names that stay as they are come first, so that nothing that is made up for another is one of them.
        let mut identifiers = Identifiers::default();
        let plain: Vec<bool> =
            names.iter().map(|&name| is_participant(name) && identifiers.taken.insert(name.to_string())).collect();
        let given = names.iter().zip(plain).map(|(&name, plain)| match plain {
            true => name.to_string(),
            false => {
                let base = readable(name);
                identifiers.unused(&base)
            }
        });
        given.collect()
    }

    /// An identifier for a node of a graph with this label, within a group; nothing if the label does not look like a
    /// name.
    pub(crate) fn of_node(&mut self, group: Option<&str>, label: &str) -> Option<String> {
        let letters = |text: &str| text.chars().all(|character| character.is_ascii_graphic() || character == ' ');
        if label.is_empty() || label.len() > LONGEST || !letters(label) {
            return None;
        }
        let word: String = label.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
        let word = word.trim_matches('_');
        let name = match group {
            Some(group) => format!("{group}_{word}"),
            None if word.starts_with(|first: char| first.is_ascii_alphabetic()) => word.to_string(),
            None => format!("n{word}"),
        };
        let reserved = OF_GRAPHS.contains(&name.to_ascii_lowercase().as_str());
        Some(self.unused(&if reserved { name + "_" } else { name }))
    }

    /// This identifier, or the next one that is free.
    pub(crate) fn unused(&mut self, base: &str) -> String {
        let mut name = base.to_string();
        while !self.taken.insert(name.clone()) {
            let number = self.next.entry(base.to_string()).or_insert(2);
            name = format!("{base}_{number}");
            *number += 1;
        }
        name
    }
}

/// Whether Mermaid reads this as the name of a participant and as nothing else.
fn is_participant(name: &str) -> bool {
    let in_name = |character: char| character.is_alphanumeric() || matches!(character, '_' | '\'');
    !name.is_empty() && name.chars().all(in_name) && !is_reserved(first_word(name))
}

fn is_reserved(word: &str) -> bool {
    OF_SEQUENCES.contains(&word.to_ascii_lowercase().as_str())
}

/// What the parser takes for a word: it ends before the first character that is not an ASCII letter or digit.
fn first_word(name: &str) -> &str {
    let end = name.find(|one: char| !one.is_ascii_alphanumeric() && one != '_').unwrap_or(name.len());
    name.get(..end).unwrap_or(name)
}

/// The name in letters that Mermaid can read.
fn readable(name: &str) -> String {
    let letters: String = name.chars().map(|one| if one.is_alphanumeric() { one } else { '_' }).collect();
    let word = first_word(&letters);
    match letters.is_empty() || is_reserved(word) {
        true => format!("{word}_{}", letters.get(word.len()..).unwrap_or("")),
        false => letters,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], expected: &[&str]) {
        assert_eq!(Identifiers::of_participants(names), expected);
    }

    #[test]
    fn a_name_stays_unless_mermaid_has_a_meaning_for_it() {
        check(&["buyer", "it's", "über", "數據", "ends", "_1"], &["buyer", "it's", "über", "數據", "ends", "_1"]);
        check(&["end", "Note", "par_over", "end's", "endé"], &["end_", "Note_", "par_over_", "end_s", "end_é"]);
        check(&["a b", "", "🙂", "a->b"], &["a_b", "_", "__2", "a__b"]);
    }

    #[test]
    fn what_is_made_up_is_nobodys_name() {
        check(&["end", "end_", "end__2"], &["end__3", "end_", "end__2"]);
    }

    #[test]
    fn nodes_are_called_by_their_labels() {
        let mut identifiers = Identifiers::default();
        let mut check = |group: Option<&str>, label: &str, expected: Option<&str>| {
            assert_eq!(identifiers.of_node(group, label).as_deref(), expected, "{label}");
        };
        check(None, "buyer", Some("buyer"));
        check(None, "7", Some("n7"));
        check(None, "end", Some("end_"));
        check(None, "p.ready", Some("p_ready"));
        check(None, "p.ready", Some("p_ready_2"));
        check(Some("buyer"), "1", Some("buyer_1"));
        check(None, "日本語", None);
        check(None, "", None);
    }
}
