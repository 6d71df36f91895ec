//! From trees back to text.
//!
//! [`Compact`] puts everything on one line, for machines and for results; [`Pretty`] lays a text out as a person would,
//! with its comments. Both write the same tokens in the same order, so what they print parses back to the same tree.
//! [`Notation`] says how the actions of a language are written, [`lines`] places comments, [`measure`] knows what fits
//! on a line, and [`sink`] is what all of them write to.

mod compact;
mod lines;
mod measure;
mod notation;
mod pretty;
mod sink;

pub use compact::Compact;
pub use notation::{Arms, Notation};
pub use pretty::Pretty;
pub use sink::Sink;
