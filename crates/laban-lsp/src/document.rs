//! A document at one moment: its text, its language, and what it says for itself.
//!
//! A document never changes; an edit makes another one. What its text says when it is joined with others is known to
//! the [workspace](crate::workspace).

use crate::language::language_of;
use crate::system::{Counters, Part, System};
use crate::text::Text;
use laban::syntax::{Kind, LocalAction, LocalFork, NetworkTree, Symbol, Term};
use laban::text::Span;
use laban_formats::markdown_blocks;
use laban_report::{Language, block_language};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// More blocks of one Markdown document than this are not looked at.
const MOST_BLOCKS: usize = 1000;

/// A document at one moment.
#[derive(Debug)]
pub(crate) struct Document {
    /// What it is known by.
    pub(crate) key: String,
    /// What the client calls it.
    pub(crate) uri: String,
    /// The client's word for its language.
    pub(crate) word: String,
    /// Its version, if it is open in the editor.
    pub(crate) version: Option<i32>,
    pub(crate) text: Arc<Text>,
    pub(crate) language: Language,
    /// No two documents, and no two moments of one, have the same.
    pub(crate) number: u64,
    systems: OnceLock<Vec<Arc<System>>>,
    ends: OnceLock<Ends>,
}

/// The processes that a network has, and those that it names but has not.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    pub(crate) defined: BTreeSet<String>,
    pub(crate) missing: BTreeSet<String>,
}

impl Document {
    pub(crate) fn new(key: String, uri: String, word: String, version: Option<i32>, text: Text, number: u64) -> Self {
        let language = language_of(&key, &word, text.content());
        let text = Arc::new(text);
        Document { key, uri, word, version, text, language, number, systems: OnceLock::new(), ends: OnceLock::new() }
    }

    /// What it says for itself, one system for each text in it.
    pub(crate) fn systems(&self, counters: &Arc<Counters>) -> &[Arc<System>] {
        self.systems.get_or_init(|| {
            let content = self.text.content();
            if self.language != Language::Markdown {
                let part = self.part(Span::new(0, content.len() as u32), false);
                return vec![Arc::new(System::new(part, self.language, None, counters))];
            }
            let mut systems = Vec::new();
            for block in markdown_blocks(content).into_iter().take(MOST_BLOCKS) {
                let Some(language) = block_language(&block, content) else { continue };
                let inside = block.inside(content);
                let part = self.part(block.span, inside != block.span.text(content));
                systems.push(Arc::new(System::new(part, language, Some(inside), counters)));
            }
            systems
        })
    }

    fn part(&self, inside: Span, is_quoted: bool) -> Part {
        Part { key: self.key.clone(), uri: self.uri.clone(), text: self.text.clone(), inside, start: 0, is_quoted }
    }

    /// Whether it is in one of Laban's own languages.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self.language, Language::Own(_))
    }

    /// Whether it can be a part of a network that is spread over several files.
    pub(crate) fn is_network(&self) -> bool {
        self.language == Language::Own(Some(Kind::Network))
    }

    /// The processes that it has and lacks.
    pub(crate) fn ends(&self, counters: &Arc<Counters>) -> &Ends {
        self.ends.get_or_init(|| {
            let tree = self.systems(counters).first().and_then(|system| system.analysis().network_tree());
            tree.map(ends_of).unwrap_or_default()
        })
    }
}

fn ends_of(tree: &NetworkTree) -> Ends {
    let mut named: BTreeSet<Symbol> = BTreeSet::new();
    for term in &tree.terms {
        match term {
            Term::Act(
                LocalAction::Send { to: name, .. }
                | LocalAction::Receive { from: name }
                | LocalAction::Select { to: name, .. }
                | LocalAction::SelectValue { to: name, .. },
                _,
            )
            | Term::Fork(LocalFork::Offer { from: name } | LocalFork::OfferOne { from: name }, _) => {
                named.insert(name.symbol);
            }
            _ => {}
        }
    }
    let items = tree.channels.iter().flat_map(|declaration| &declaration.items);
    named.extend(items.filter_map(|item| item.ends).flat_map(|(from, to)| [from.symbol, to.symbol]));
    let defined: BTreeSet<Symbol> = tree.units.iter().filter_map(|unit| unit.name).map(|name| name.symbol).collect();
    let text = |symbol: &Symbol| tree.names.text(*symbol).to_string();
    Ends { defined: defined.iter().map(text).collect(), missing: named.difference(&defined).map(text).collect() }
}
