//! Printing as a person would write it.
use super::tree::{Language, Tree};
/// A tree over several lines.
pub struct Pretty<'a, L: Language>(pub &'a Tree<L>);
