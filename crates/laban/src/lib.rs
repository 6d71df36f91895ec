//! Extracts choreographies from networks of communicating processes.

#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

pub mod answer;
pub mod choreography;
pub mod diagnostic;
pub mod draw;
pub mod equivalence;
pub mod extraction;
pub mod generate;
pub mod graph;
mod index;
pub mod network;
mod outline;
mod scope;
pub mod syntax;
