//! The roles of a protocol by name, for readers that meet them one by one.

use crate::protocol::Protocol;
use crate::system::Word;
use std::collections::HashMap;

/// The numbers of roles.
#[derive(Debug, Default)]
pub(crate) struct Roles(HashMap<String, usize>);

impl Roles {
    /// The number of a role, which is added to the protocol if it is new.
    pub(crate) fn number(&mut self, protocol: &mut Protocol, word: &Word) -> usize {
        if let Some(&known) = self.0.get(&word.text) {
            return known;
        }
        protocol.roles.push(word.clone());
        self.0.insert(word.text.clone(), protocol.roles.len() - 1);
        protocol.roles.len() - 1
    }
}
