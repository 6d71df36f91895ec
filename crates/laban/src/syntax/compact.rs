//! Printing on one line.
use super::tree::{Language, Tree};
/// A tree on one line.
pub struct Compact<'a, L: Language>(pub &'a Tree<L>);
