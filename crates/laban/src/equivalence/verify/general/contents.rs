//! What lies in a queue, as a number: a row of a pair has one for each queue.
//!
//! A content knows its oldest message and what is left without it, so that putting and taking need not look at the
//! rest. Two queues with the same messages have the same number. Whether a message may be put or taken is not known
//! here.

use crate::index::{Index, mix};
use crate::network::Content;

/// The content of an empty queue.
pub(super) const EMPTY: u32 = 0;

/// All contents that have come up, numbered from 1.
#[derive(Default)]
pub(super) struct Contents {
    entries: Vec<Entry>,
    index: Index,
}

#[derive(Clone, Copy)]
struct Entry {
    oldest: Content,
    newest: Content,
    length: u32,
    /// The content without the newest message.
    before: u32,
    /// The content without the oldest message.
    rest: u32,
}

impl Contents {
    /// How many messages there are.
    pub(super) fn length(&self, content: u32) -> usize {
        self.entry(content).map_or(0, |entry| entry.length as usize)
    }

    /// The oldest message.
    pub(super) fn oldest(&self, content: u32) -> Option<Content> {
        Some(self.entry(content)?.oldest)
    }

    /// The content without the oldest message.
    pub(super) fn rest(&self, content: u32) -> u32 {
        self.entry(content).map_or(EMPTY, |entry| entry.rest)
    }

    /// The content with one more message.
    pub(super) fn with(&mut self, content: u32, message: Content) -> u32 {
        // What is left without the oldest, the two oldest and so on needs a number with the new message as well.
        let mut new = Vec::new();
        let mut at = content;
        let mut rest = loop {
            let found = self.index.find(hash(at, message), |known| {
                let Entry { before, newest, .. } = self.entries[known as usize - 1];
                before == at && newest == message
            });
            if let Some(found) = found {
                break found;
            }
            new.push(at);
            if at == EMPTY {
                break EMPTY;
            }
            at = self.rest(at);
        };
        while let Some(before) = new.pop() {
            let (oldest, length) = self.entry(before).map_or((message, 1), |entry| (entry.oldest, entry.length + 1));
            self.entries.push(Entry { oldest, newest: message, length, before, rest });
            rest = self.entries.len() as u32;
            self.index.insert(hash(before, message), rest);
        }
        rest
    }

    fn entry(&self, content: u32) -> Option<&Entry> {
        self.entries.get((content as usize).checked_sub(1)?)
    }
}

fn hash(before: u32, message: Content) -> u64 {
    let number =
        |symbol: Option<crate::syntax::Symbol>| symbol.map_or(u64::from(u32::MAX), |symbol| u64::from(symbol.0));
    mix(mix(u64::from(before), number(message.label())), number(message.value()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Symbol;

    #[test]
    fn the_same_messages_have_the_same_number() {
        let mut contents = Contents::default();
        let message = |number: u32| match number % 3 {
            0 => Content::Value(Symbol(number)),
            1 => Content::Label(Symbol(number)),
            _ => Content::LabelledValue { label: Symbol(number), value: Symbol(0) },
        };
        let (mut first, mut second) = (EMPTY, contents.with(EMPTY, message(7)));
        let mut known: Vec<Content> = Vec::new();
        for number in 0..200 {
            let one = message(number * number % 11);
            known.push(one);
            first = contents.with(first, one);
            second = contents.with(second, one);
            assert_eq!(contents.rest(second), first);
            if number % 3 == 2 {
                assert_eq!(contents.oldest(first), Some(known.remove(0)));
                first = contents.rest(first);
                second = contents.rest(second);
            }
            assert_eq!(contents.length(first), known.len());
        }
        while first != EMPTY {
            assert_eq!(contents.oldest(first), Some(known.remove(0)));
            first = contents.rest(first);
        }
        assert!(known.is_empty());
        assert_eq!((contents.oldest(EMPTY), contents.rest(EMPTY), contents.length(EMPTY)), (None, EMPTY, 0));
    }

    /// The table compares only a half of a hash, and these two have the same half.
    #[test]
    fn messages_with_the_same_half_of_a_hash_are_told_apart() {
        let [one, other] = [(33, 295), (91, 291)]
            .map(|(label, value)| Content::LabelledValue { label: Symbol(label), value: Symbol(value) });
        assert_eq!(hash(EMPTY, one) >> 32, hash(EMPTY, other) >> 32, "two others would have to be found");
        let mut contents = Contents::default();
        let [first, second] = [one, other].map(|message| contents.with(EMPTY, message));
        assert_eq!([first, second].map(|content| contents.oldest(content)), [Some(one), Some(other)]);
        assert_ne!(first, second);
    }
}
