#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod added;
mod blocks;
mod concise;
#[cfg(feature = "json")]
mod diagnostic;
mod excerpt;
mod full;
mod imports;
mod input;
#[cfg(feature = "json")]
pub mod json;
mod language;
mod limits;
mod names;
mod reader;
#[cfg(feature = "json")]
mod record;
mod render;
#[cfg(feature = "json")]
mod run;
mod source;
mod target;
#[cfg(feature = "json")]
mod witness;

pub use added::added_lines;
#[cfg(feature = "json")]
pub use diagnostic::{diagnostic_line, diagnostic_value};
pub use imports::{Library, NoLibrary};
pub use input::{Files, Foreign, Input, Reading, Refused};
pub use language::{Language, ReadArgs, channel, decider, is_markdown, kind_by_name, language_named};
pub use limits::gave_up;
pub use names::no_process;
pub use reader::{ChannelsAsked, Raw, Reader};
#[cfg(feature = "json")]
pub use record::{Capacity, Record};
pub use render::{Colours, MOST_DIAGNOSTICS, and_more, made_visible, render_concise, render_full};
#[cfg(feature = "json")]
pub use run::{Ending, MOST_EXPLAINED, RunRecord, go};
pub use source::{File, Position, Source, on_one_line};
pub use target::{Need, Target};
#[cfg(feature = "json")]
pub use witness::Witness;

/// What every message about a fault of the program starts with.
pub const REPORT_IT: &str = "this is a fault in laban, please report it";

/// The message about a fault of the program itself, such as an answer that fails its own check.
pub fn fault_message(why: impl std::fmt::Display) -> String {
    format!("{REPORT_IT}: {why}")
}
