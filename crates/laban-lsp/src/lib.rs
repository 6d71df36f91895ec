#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod actions;
mod capabilities;
mod check;
mod completion;
mod definition;
mod diagnostics;
mod disk;
mod dispatch;
mod document;
mod edits;
mod folding;
mod format;
mod hints;
mod hover;
mod language;
mod lenses;
mod meets;
mod names;
mod place;
mod preview;
mod references;
mod rename;
mod server;
mod settings;
mod symbols;
mod system;
mod text;
mod tokens;
mod transport;
mod uri;
mod worker;
mod workspace;

pub use server::serve;
