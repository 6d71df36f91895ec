//! Who takes part, by the names that messages use and by the names that are shown.

use crate::sequence::Participant;
use crate::system::Word;
use laban::text::Span;
use std::collections::BTreeMap;

/// Who takes part, in the order in which they are first named.
#[derive(Debug, Clone, Default)]
pub(super) struct Participants {
    pub(super) list: Vec<Participant>,
    by_name: BTreeMap<String, usize>,
    /// Nothing where several are shown with the same name.
    by_shown: BTreeMap<String, Option<usize>>,
}

impl Participants {
    /// Somebody who is declared, perhaps with another name to be shown.
    pub(super) fn declare(&mut self, name: &str, shown: Option<&str>, span: Span) -> usize {
        let number = match self.by_name.get(name) {
            Some(&number) => number,
            None => {
                self.by_name.insert(name.to_string(), self.list.len());
                self.list.push(Participant { name: Word::new(name, span), shown: String::new() });
                self.list.len() - 1
            }
        };
        if let Some(shown) = shown {
            self.list[number].shown = shown.to_string();
            let known = self.by_shown.entry(shown.to_string()).or_insert(Some(number));
            if *known != Some(number) {
                *known = None;
            }
        }
        number
    }

    /// The number of somebody who is declared under this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Somebody whom a line names, by the name of the declaration or by the name that is shown.
    pub(super) fn named(&mut self, name: &str, shown: Option<&str>, span: Span) -> usize {
        if shown.is_none()
            && !self.by_name.contains_key(name)
            && let Some(&Some(number)) = self.by_shown.get(name)
        {
            return number;
        }
        self.declare(name, shown, span)
    }
}
