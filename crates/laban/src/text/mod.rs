//! Texts: places in them, as spans and as the lines and columns that people and editors count, and how they are shown.
//!
//! A leaf: it knows bytes and characters, and nothing of either language.

mod lines;
mod shown;
mod span;

pub use lines::{Columns, LineTable, Position};
pub use shown::{Xml, is_hidden, on_one_line, visible};
pub use span::Span;
