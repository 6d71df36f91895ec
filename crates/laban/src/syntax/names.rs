//! The names of a text, each stored once and known by a number.
//!
//! Processes, procedures, labels and expressions go in when a text is parsed and come out when something is printed;
//! between the two there are only [`Symbol`]s. A table belongs to one text: symbols of different tables do not compare.

use super::Span;
use crate::index::{Index, mix};
use std::sync::Arc;

/// A name in eight bytes: the name itself and its length if it is short, which tells it from all others, and else a
/// hash of it, marked by a length that no short name has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key(u64);

/// A name, as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

impl Symbol {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The table of all names of a text, numbered in the order in which they were first met.
///
/// A clone costs nothing until one of the two gets another name: each model that is made from a text has its names.
#[derive(Debug, Clone, Default)]
pub struct Names(Arc<Table>);

#[derive(Debug, Clone, Default)]
struct Table {
    text: String,
    /// Where each name is in `text`.
    spans: Vec<Span>,
    keys: Vec<Key>,
    index: Index,
    /// The names that are not just a word, in the order in which they were met: expressions, most of them.
    phrases: Vec<Symbol>,
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.spans == other.0.spans && self.0.text == other.0.text
    }
}

impl Eq for Names {}

impl Names {
    /// A table without names.
    pub fn new() -> Self {
        Names::default()
    }

    /// A table without names that has room for this many.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Names(Arc::new(Table {
            text: String::with_capacity(4 * count),
            spans: Vec::with_capacity(count),
            keys: Vec::with_capacity(count),
            index: Index::with_capacity(count),
            phrases: Vec::new(),
        }))
    }

    /// The number of this name; a new one if it was not met before.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let before = self.len();
        let symbol = self.intern_at(Span::new(0, name.len() as u32), name);
        if self.len() > before && !is_word(name) {
            Arc::make_mut(&mut self.0).phrases.push(symbol);
        }
        symbol
    }

    /// Whether every name is just a word.
    pub(crate) fn are_words(&self) -> bool {
        self.0.phrases.is_empty()
    }

    /// The number of the word at a place in a text.
    pub(super) fn intern_at(&mut self, place: Span, source: &str) -> Symbol {
        let name = source.as_bytes().get(place.start as usize..place.end as usize).unwrap_or(&[]);
        let Some(key) = Key::of_short(name) else { return self.intern_long(place, source) };
        match self.short(key) {
            Some(found) => found,
            None => self.add(key, place, source),
        }
    }

    /// The same for a name that must be compared in full. Apart, so that it is not in the way of short names.
    #[inline(never)]
    fn intern_long(&mut self, place: Span, source: &str) -> Symbol {
        let name = place.text(source).as_bytes();
        let key = Key::of_long(name);
        match self.long(key, name) {
            Some(found) => found,
            None => self.add(key, place, source),
        }
    }

    #[inline(never)]
    fn add(&mut self, key: Key, place: Span, source: &str) -> Symbol {
        let table = Arc::make_mut(&mut self.0);
        let number = table.spans.len() as u32;
        let start = table.text.len() as u32;
        table.text.push_str(place.text(source));
        table.spans.push(Span::new(start, table.text.len() as u32));
        table.keys.push(key);
        table.index.insert(key.hash(), number);
        Symbol(number)
    }

    /// The number of this name, if it was met.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        match Key::of_short(name.as_bytes()) {
            Some(key) => self.short(key),
            None => self.long(Key::of_long(name.as_bytes()), name.as_bytes()),
        }
    }

    #[inline]
    fn short(&self, key: Key) -> Option<Symbol> {
        self.0.index.find(key.hash(), |number| self.0.keys[number as usize] == key).map(Symbol)
    }

    fn long(&self, key: Key, name: &[u8]) -> Option<Symbol> {
        let same = |number: u32| self.0.keys[number as usize] == key && self.text(Symbol(number)).as_bytes() == name;
        self.0.index.find(key.hash(), same).map(Symbol)
    }

    /// The name that has this number; empty for a number of another table.
    pub fn text(&self, symbol: Symbol) -> &str {
        let Table { text, spans, .. } = &*self.0;
        spans.get(symbol.index()).map_or("", |span| span.text(text))
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.0.spans.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.spans.is_empty()
    }
}

/// Whether a name is one word, and none of the language.
fn is_word(name: &str) -> bool {
    let in_word = |character: char| character.is_alphanumeric() || character == '_' || character == '\'';
    name.chars().all(in_word) && !matches!(name, "def" | "main" | "if" | "then" | "else")
}

const HASHED: u64 = 0xff << 56;

impl Key {
    /// The key of a short name, which no other has; nothing if it is long.
    #[inline]
    fn of_short(bytes: &[u8]) -> Option<Self> {
        let byte = |at: usize| u64::from(bytes[at]);
        let text = match bytes.len() {
            0 => 0,
            // The same byte may come twice, but with the length it is clear where.
            length @ 1..=3 => byte(0) | byte(length / 2) << 8 | byte(length - 1) << 16,
            length @ 4..=7 => match (bytes.first_chunk(), bytes.last_chunk()) {
                (Some(&first), Some(&last)) => {
                    let behind = u64::from(u32::from_le_bytes(last)) >> (8 * (8 - length));
                    u64::from(u32::from_le_bytes(first)) | behind << 32
                }
                _ => 0,
            },
            _ => return None,
        };
        Some(Key(text | (bytes.len() as u64) << 56))
    }

    fn of_long(bytes: &[u8]) -> Self {
        Key(hash(bytes) | HASHED)
    }

    fn hash(self) -> u64 {
        mix(0, self.0)
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let word = |chunk: &[u8]| chunk.iter().fold(0, |word, &byte| (word << 8) | u64::from(byte));
    bytes.chunks(8).fold(bytes.len() as u64, |hash, chunk| mix(hash, word(chunk)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number() {
        let mut names = Names::new();
        let words: Vec<String> = (0..1000).map(|number| format!("n{}", u64::from(number as u32).pow(4))).collect();
        let symbols: Vec<Symbol> = words.iter().map(|word| names.intern(word)).collect();
        for (word, &symbol) in words.iter().zip(&symbols) {
            assert_eq!(names.intern(word), symbol);
            assert_eq!(names.find(word), Some(symbol));
            assert_eq!(names.text(symbol), word);
        }
        assert_eq!(names.len(), 1000);
        assert_eq!(names.find("nobody"), None);
        assert_eq!(names.intern(""), Symbol(1000));
        assert_eq!(names.text(Symbol(4000)), "");
    }
}
