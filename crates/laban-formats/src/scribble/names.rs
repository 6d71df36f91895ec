//! Names for what is written: letters, digits and `_`, and none of the words of Scribble and nuScr.

use crate::naming::Naming;
use laban::Choreography;
use laban::choreography::Node;
use laban::network::Content;
use laban::syntax::Symbol;
use std::collections::{HashMap, HashSet};

/// Words of Scribble, nuScr and their dialects.
const RESERVED: &[&str] = &[
    "and",
    "as",
    "at",
    "aux",
    "calls",
    "catches",
    "choice",
    "connect",
    "continue",
    "crash",
    "data",
    "disconnect",
    "do",
    "explicit",
    "false",
    "foreach",
    "from",
    "global",
    "import",
    "instantiates",
    "interruptible",
    "len",
    "local",
    "module",
    "nested",
    "new",
    "not",
    "or",
    "par",
    "protocol",
    "rec",
    "reliable",
    "role",
    "safe",
    "self",
    "sig",
    "spawn",
    "throws",
    "timed",
    "to",
    "true",
    "type",
    "using",
    "with",
    "within",
    "wrap",
];

/// What a label is written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Carried {
    /// Nothing, each time or sometimes.
    Nothing,
    /// Always the same.
    One(Symbol),
    /// Something.
    Several,
}

/// The names of roles, labels, types and procedures, each among their kind.
pub(super) struct Names {
    roles: Naming,
    labels: Naming,
    types: Naming,
    /// The type of what is not always the same.
    pub(super) any_type: String,
    /// The label of values, for a language that wants one.
    pub(super) value_label: String,
    carried: HashMap<Symbol, Carried>,
}

impl Names {
    pub(super) fn new(choreography: &Choreography) -> Self {
        let contents = || {
            choreography.nodes().iter().filter_map(|node| match node {
                Node::Interaction { interaction, .. } => Some(interaction.content),
                _ => None,
            })
        };
        let mut carried: HashMap<Symbol, Carried> = HashMap::new();
        for content in contents() {
            let Some(label) = content.label() else { continue };
            let here = content.value().map_or(Carried::Nothing, Carried::One);
            let known = carried.entry(label).or_insert(here);
            if *known != here {
                let nothing = *known == Carried::Nothing || here == Carried::Nothing;
                *known = if nothing { Carried::Nothing } else { Carried::Several };
            }
        }
        let text = |symbol: Symbol| choreography.text(symbol);
        let roles = named_or_numbered(choreography.processes().iter().map(|&process| text(process)));
        let labels = named_or_numbered(contents().filter_map(Content::label).map(text));
        let types = named(contents().filter_map(Content::value).map(text));
        let taken = |naming: &Naming, texts: &mut dyn Iterator<Item = &str>| {
            let taken: HashSet<String> = texts.map(|text| naming.name(text).to_string()).collect();
            fresh("value", &taken)
        };
        let any_type = taken(&types, &mut contents().filter_map(Content::value).map(text));
        let value_label = taken(&labels, &mut contents().filter_map(Content::label).map(text));
        Names { roles, labels, types, any_type, value_label, carried }
    }

    pub(super) fn role(&self, role: &str) -> &str {
        self.roles.name(role)
    }

    pub(super) fn label(&self, label: &str) -> &str {
        self.labels.name(label)
    }

    pub(super) fn value(&self, value: &str) -> &str {
        self.types.name(value)
    }

    /// The type that a label is written with.
    pub(super) fn carried(&self, choreography: &Choreography, label: Symbol) -> Option<&str> {
        match self.carried.get(&label)? {
            Carried::Nothing => None,
            Carried::One(value) => Some(self.types.name(choreography.text(*value))),
            Carried::Several => Some(&self.any_type),
        }
    }
}

/// A name like the one that is wished for that nothing else has.
pub(super) fn fresh(wished: &str, taken: &HashSet<String>) -> String {
    let wished = cleaned(wished);
    let mut name = wished.clone();
    let mut number = 1;
    while taken.contains(&name) || !fits(&name) {
        number += 1;
        name = format!("{wished}_{number}");
    }
    name
}

fn named<'a>(words: impl IntoIterator<Item = &'a str>) -> Naming {
    Naming::new(words, fits, cleaned, |wished, number| format!("{wished}_{number}"))
}

/// Names for roles and labels, which may begin with a digit or be a number.
fn named_or_numbered<'a>(words: impl IntoIterator<Item = &'a str>) -> Naming {
    Naming::new(words, is_legal, cleaned, |wished, number| format!("{wished}_{number}"))
}

fn is_legal(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !RESERVED.contains(&word)
}

fn fits(word: &str) -> bool {
    is_legal(word) && word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// A word with `_` in place of what cannot be in a name.
fn cleaned(word: &str) -> String {
    let mut name = String::new();
    for c in word.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let kept = name.trim_end_matches('_').len();
    name.truncate(kept);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert_str(0, "n_");
        name.truncate(name.trim_end_matches('_').len());
    }
    if RESERVED.contains(&name.as_str()) {
        name.push('_');
    }
    name
}
