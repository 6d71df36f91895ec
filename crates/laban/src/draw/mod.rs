//! Drawings of what the other modules find.
//!
//! There are two kinds. A [`Picture`] is nodes and edges with a few words on them: [`communications`] shows who talks to
//! whom, [`automata`] what each process does, [`symbolic`] what they do together, [`protocol`] what a choreography says. [`Dot`], [`Mermaid`] and [`Svg`] write
//! it down. A [`sequence::Sequence`] shows what happens from top to bottom, of a choreography or of a failure; its writers
//! are in [`sequence`]. How much is drawn is said by a [`Focus`].
//!
//! Writers borrow what they write and print as they go, or lay it out first if it is to be SVG. They do not know what a
//! picture is of, and where the text goes is not known here. Nothing is asked of a font or of another program.

mod automata;
mod beside;
mod canvas;
mod communications;
mod dot;
mod focus;
mod layered;
mod mermaid;
mod picture;
mod protocol;
pub mod sequence;
mod skipped;
mod svg;
mod symbolic;
mod text;

pub use automata::automata;
pub use beside::beside;
pub use communications::communications;
pub use dot::Dot;
pub use focus::Focus;
pub use mermaid::Mermaid;
pub use picture::{Direction, Edge, Group, Node, Picture, Shape};
pub use protocol::protocol;
pub use svg::Svg;
pub use symbolic::symbolic;
pub use text::text_width;
