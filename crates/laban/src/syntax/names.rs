//! The names of a text, each stored once and known by a number.
//!
//! Processes, procedures, labels and expressions go in when a text is parsed and come out when something is printed;
//! between the two there are only [`Symbol`]s. A table belongs to one text: symbols of different tables do not compare.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

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
    table: HashTable<u32>,
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
        let Names { text, ends, table } = self;
        let hash = hash(name);
        let same = |&candidate: &u32| slice(text, ends, candidate) == name;
        if let Some(&found) = table.find(hash, same) {
            return Symbol(found);
        }
        let number = ends.len() as u32;
        text.push_str(name);
        ends.push(text.len() as u32);
        table.insert_unique(hash, number, |&known| self::hash(slice(text, ends, known)));
        Symbol(number)
    }

    /// The number of this name, if it was met.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        let same = |&candidate: &u32| slice(&self.text, &self.ends, candidate) == name;
        self.table.find(hash(name), same).map(|&found| Symbol(found))
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

fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number() {
        let mut names = Names::new();
        let words: Vec<String> = (0..1000).map(|number| format!("name{number}")).collect();
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
