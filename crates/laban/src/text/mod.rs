//! Places in a text: spans, and the lines and columns that people and editors count.
//!
//! A leaf: it knows bytes and characters, and nothing of either language.

mod lines;
mod span;

pub use lines::{Columns, LineTable, Position};
pub use span::Span;
