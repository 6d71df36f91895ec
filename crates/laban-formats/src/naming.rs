//! Words of other languages as names: each word gets a name of its own, as close to it as can be.
//!
//! A word that is a name already keeps it, whatever the order in which words are met: all words of a text are collected
//! first, so that a made-up name never takes that of somebody else.

use laban::syntax::{TokenKind, lex};
use std::collections::{HashMap, HashSet};

/// The names of some words, for one language.
#[derive(Debug, Default)]
pub(crate) struct Naming {
    names: HashMap<String, String>,
    taken: HashSet<String>,
    /// In the order in which they were named: words that are no names, and what stands for them.
    pub(crate) changed: Vec<(String, String)>,
}

impl Naming {
    /// Names all of these words. `fits` says whether a word can stay; `cleaned` makes one that can, or that can with
    /// something appended.
    pub(crate) fn new<'a>(
        words: impl IntoIterator<Item = &'a str>,
        fits: impl Fn(&str) -> bool,
        cleaned: impl Fn(&str) -> String,
        numbered: impl Fn(&str, usize) -> String,
    ) -> Self {
        let mut naming = Naming::default();
        let mut met = HashSet::new();
        let distinct: Vec<&str> = words.into_iter().filter(|&word| met.insert(word)).collect();
        let (fitting, others): (Vec<&str>, Vec<&str>) = distinct.into_iter().partition(|word| fits(word));
        for word in fitting {
            naming.names.insert(word.to_string(), word.to_string());
            naming.taken.insert(word.to_string());
        }
        // Where counting goes on, for what several words become.
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for word in others {
            let wished = cleaned(word);
            let mut name = wished.clone();
            let number = numbers.entry(wished.clone()).or_insert(1);
            while naming.taken.contains(&name) || !fits(&name) {
                *number += 1;
                name = numbered(&wished, *number);
            }
            naming.taken.insert(name.clone());
            naming.names.insert(word.to_string(), name.clone());
            naming.changed.push((word.to_string(), name));
        }
        naming
    }

    /// Names for a network.
    pub(crate) fn for_networks<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Naming::new(words, is_name, cleaned, |wished, number| format!("{wished}_{number}"))
    }

    /// The name of a word; empty if it was not among those that were named.
    pub(crate) fn name(&self, word: &str) -> &str {
        self.names.get(word).map_or("", String::as_str)
    }
}

/// Whether a word is a name in Laban's languages.
pub(crate) fn is_name(word: &str) -> bool {
    let tokens = lex(word);
    let whole = |first: &laban::syntax::Token| first.kind == TokenKind::Identifier && first.span.text(word) == word;
    tokens.diagnostics.is_empty() && tokens.tokens.first().is_some_and(whole)
}

/// A word with `_` in place of what cannot be in a name, and behind a reserved word.
pub(crate) fn cleaned(word: &str) -> String {
    let in_name = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let mut name: String = word.chars().map(|c| if in_name(c) { c } else { '_' }).collect();
    let kept = word.trim_end_matches(|c| !in_name(c)).chars().count();
    if kept > 0 {
        name = name.chars().take(kept).collect();
    }
    if !is_name(&name) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_names_keep_them_and_others_get_one_of_their_own() {
        let words = ["a-b", "stop", "a_b", "", "0", "ok", "a b", "käufer", "a-b"];
        let naming = Naming::for_networks(words);
        let names: Vec<&str> = words.iter().map(|word| naming.name(word)).collect();
        assert_eq!(names, ["a_b_2", "stop_", "a_b", "_", "0_", "ok", "a_b_3", "käufer", "a_b_2"]);
        assert_eq!(naming.changed.len(), 5);
        assert_eq!(naming.name("nobody"), "");
    }
}
