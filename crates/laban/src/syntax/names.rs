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
pub(super) struct Key(u64);

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
pub(super) struct Table {
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
        let key = Key::of_short(name).unwrap_or(Key::LONG);
        match self.0.find_keyed(key, place, source) {
            Some(found) => found,
            None => self.table().add(key, place, source),
        }
    }

    /// The table itself, for whoever adds many names.
    pub(super) fn table(&mut self) -> &mut Table {
        Arc::make_mut(&mut self.0)
    }

    /// The number of this name, if it was met.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        let key = Key::of_short(name.as_bytes()).unwrap_or(Key::LONG);
        self.0.find_keyed(key, Span::new(0, name.len() as u32), name)
    }

    /// The name that has this number; empty for a number of another table.
    pub fn text(&self, symbol: Symbol) -> &str {
        let Table { text, spans, .. } = &*self.0;
        spans.get(symbol.index()).map_or("", |span| span.text(text))
    }

    /// A short name, in the first so many of these bytes; nothing if it is long, or of another table.
    #[inline]
    pub(super) fn short(&self, symbol: Symbol) -> Option<([u8; 8], usize)> {
        self.0.keys.get(symbol.index()).and_then(|key| key.short())
    }

    /// Whether these begin with the names of another table, so that its numbers are good for both.
    pub(crate) fn continues(&self, other: &Names) -> bool {
        let (Table { text, spans, .. }, Table { text: begins, spans: first, .. }) = (&*self.0, &*other.0);
        Arc::ptr_eq(&self.0, &other.0) || spans.starts_with(first) && text.starts_with(begins.as_str())
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

impl Table {
    /// The number of the word at a place in a text, whose key is known if it is short.
    #[inline]
    pub(super) fn intern(&mut self, key: Key, place: Span, source: &str) -> Symbol {
        if key == Key::LONG {
            let known = self.find_long(place.text(source).as_bytes());
            return known.unwrap_or_else(|| self.add(key, place, source));
        }
        let Table { keys, index, .. } = self;
        let number = keys.len() as u32;
        let known = index.find_or_insert(key.hash(), number, |known| keys[known as usize] == key);
        if known == number {
            self.keep(key, place.text(source));
        }
        Symbol(known)
    }

    #[inline]
    fn find_keyed(&self, key: Key, place: Span, source: &str) -> Option<Symbol> {
        if key == Key::LONG {
            return self.find_long(place.text(source).as_bytes());
        }
        self.index.find(key.hash(), |number| self.keys[number as usize] == key).map(Symbol)
    }

    /// The same for a name that must be compared in full. Apart, so that it is not in the way of short names.
    #[inline(never)]
    fn find_long(&self, name: &[u8]) -> Option<Symbol> {
        let key = Key::of_long(name);
        let text = self.text.as_bytes();
        let same = |number: u32| {
            let Span { start, end } = self.spans[number as usize];
            self.keys[number as usize] == key && text.get(start as usize..end as usize) == Some(name)
        };
        self.index.find(key.hash(), same).map(Symbol)
    }

    /// How many names there are.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// Takes back all names but the first ones, so many of them. Phrases must not be among those that go.
    pub(super) fn truncate(&mut self, count: usize) {
        while self.spans.len() > count {
            let Some((span, key)) = self.spans.pop().zip(self.keys.pop()) else { return };
            self.text.truncate(span.start as usize);
            self.index.remove(key.hash(), self.spans.len() as u32);
        }
    }

    #[inline(never)]
    fn add(&mut self, key: Key, place: Span, source: &str) -> Symbol {
        let name = place.text(source);
        let key = if key == Key::LONG { Key::of_long(name.as_bytes()) } else { key };
        let number = self.spans.len() as u32;
        self.index.insert(key.hash(), number);
        self.keep(key, name);
        Symbol(number)
    }

    /// Keeps the text of a name that has just got its number.
    fn keep(&mut self, key: Key, name: &str) {
        let start = self.text.len() as u32;
        self.text.push_str(name);
        self.spans.push(Span::new(start, self.text.len() as u32));
        self.keys.push(key);
    }
}

/// Whether a name is one word, and none of the language.
fn is_word(name: &str) -> bool {
    let in_word = |character: char| character.is_alphanumeric() || character == '_' || character == '\'';
    name.chars().all(in_word) && !matches!(name, "def" | "main" | "if" | "then" | "else")
}

/// Marks a hash, since no short name has this length.
const HASHED: u64 = 0xff << 56;

/// The longest name that is its own key, in bytes.
const SHORT: usize = 7;

impl Key {
    /// Stands for the key of a name that is not short.
    pub(super) const LONG: Key = Key(HASHED);

    /// The key of a short name, which no other has; nothing if it is long.
    #[inline]
    pub(super) fn of_short(bytes: &[u8]) -> Option<Self> {
        (bytes.len() <= SHORT).then(|| Key::of_word(bytes))
    }

    /// The key of a word that is known to be short.
    pub(super) const fn of_word(bytes: &[u8]) -> Self {
        let mut text = 0;
        let mut at = bytes.len();
        while at > 0 {
            at -= 1;
            text = text << 8 | bytes[at] as u64;
        }
        Key(text | (bytes.len() as u64) << 56)
    }

    /// The key of a word of some length, given what it starts with as a number of eight bytes, the first of them
    /// lowest; [`Key::LONG`] if it is long.
    #[inline]
    pub(super) fn at_start(chunk: u64, length: usize) -> Self {
        match length <= SHORT {
            true => Key(chunk & !(u64::MAX << (8 * length)) | (length as u64) << 56),
            false => Key::LONG,
        }
    }

    /// Some bits of a product, to find a place in a small table.
    #[inline]
    pub(super) fn spread(self) -> usize {
        (self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize
    }

    /// The name itself, in the first so many of these bytes; nothing if it is long.
    #[inline]
    fn short(self) -> Option<([u8; 8], usize)> {
        let length = (self.0 >> 56) as usize;
        (length <= SHORT).then_some((self.0.to_le_bytes(), length))
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
