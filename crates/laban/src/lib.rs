//! Extracts choreographies from networks of communicating processes.

#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

pub mod choreography;
pub mod diagnostic;
pub mod draw;
pub mod equivalence;
pub mod extraction;
pub mod graph;
pub mod network;
mod scope;
pub mod syntax;
