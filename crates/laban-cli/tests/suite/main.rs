//! What the command promises to those who call it: one file for each command, or for what several have in common.
//!
//! What changes the folder of the process, types into a terminal or waits for files to change is a separate program.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod bad_input;
mod batch;
mod ci_formats;
mod commands;
mod diagrams;
mod equivalence;
mod evaluate;
mod examples;
mod formats;
mod generate;
mod goldens;
mod lsp;
mod manners;
mod memory;
mod pages;
#[cfg(unix)]
mod play;
mod projection;
mod queue_room;
mod races;
mod recipe;
mod run;
mod schemas;
mod shown;
mod together;
