#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

pub mod paper;
pub mod plan;
pub mod report;
pub mod run;
mod search;
pub mod settings;
mod shard;
mod subject;
pub mod world;

pub use search::Search;
pub use shard::Shard;
