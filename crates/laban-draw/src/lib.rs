#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod automata;
mod beside;
mod canvas;
mod communications;
mod dot;
mod focus;
mod identifiers;
mod layered;
mod layout;
mod mermaid;
mod part;
mod picture;
mod protocol;
mod route;
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
pub use layout::{Area, Layout};
pub use mermaid::Mermaid;
pub use picture::{Direction, Edge, Group, Node, Picture, Shape};
pub use protocol::protocol;
pub use route::{Piece, Point, Route};
pub use svg::Svg;
pub use symbolic::symbolic;
pub use text::text_width;
