//! The names of a text, each stored once and known by a number.
//!
//! Processes, procedures, labels and expressions go in when a text is parsed and come out when something is printed;
//! between the two there are only [`Symbol`]s. A table belongs to one text: symbols of different tables do not compare.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A name in eight bytes: the name itself and its length if it is short, which tells it from all others, and else a hash
/// of it, marked by a length that no short name has.
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
#[derive(Debug, Clone, Default)]
pub struct Names {
    text: String,
    /// Where each name ends in `text`; it starts where the one before it ends.
    ends: Vec<u32>,
    table: HashTable<(Key, u32)>,
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.ends == other.ends && self.text == other.text
    }
}

impl Eq for Names {}

impl Names {
    /// A table without names.
    pub fn new() -> Self {
        Names::default()
    }

    /// The number of this name; a new one if it was not met before.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let key = Key::of(name);
        if let Some(found) = self.number(key, name) {
            return found;
        }
        let number = self.ends.len() as u32;
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        self.table.insert_unique(key.hash(), (key, number), |(known, _)| known.hash());
        Symbol(number)
    }

    /// The number of this name, if it was met.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.number(Key::of(name), name)
    }

    fn number(&self, key: Key, name: &str) -> Option<Symbol> {
        let same = |&(known, number): &(Key, u32)| {
            known == key && (key.is_exact() || slice(&self.text, &self.ends, number) == name)
        };
        self.table.find(key.hash(), same).map(|&(_, number)| Symbol(number))
    }

    /// The name that has this number; empty for a number of another table.
    pub fn text(&self, symbol: Symbol) -> &str {
        slice(&self.text, &self.ends, symbol.0)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn slice<'a>(text: &'a str, ends: &[u32], number: u32) -> &'a str {
    let start = match number {
        0 => 0,
        _ => ends.get(number as usize - 1).copied().unwrap_or(0),
    };
    let end = ends.get(number as usize).copied().unwrap_or(start);
    text.get(start as usize..end as usize).unwrap_or("")
}

const LONGEST_EXACT: usize = 7;
const HASHED: u64 = 0xff << 56;

impl Key {
    fn of(name: &str) -> Self {
        let bytes = name.as_bytes();
        if bytes.len() <= LONGEST_EXACT {
            let text = bytes.iter().fold(0, |text, &byte| (text << 8) | u64::from(byte));
            return Key(text | (bytes.len() as u64) << 56);
        }
        let mut hasher = FxHasher::default();
        hasher.write(bytes);
        Key(hasher.finish() | HASHED)
    }

    /// Whether names with this key are the same.
    fn is_exact(self) -> bool {
        self.0 & HASHED != HASHED
    }

    fn hash(self) -> u64 {
        let product = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ (product >> 32)
    }
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
