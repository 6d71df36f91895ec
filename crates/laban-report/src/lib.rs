#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod amended;
mod blocks;
mod comparison;
mod concise;
mod converted;
#[cfg(feature = "json")]
mod diagnostic;
mod drawing;
mod excerpt;
mod exit;
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
mod run;
#[cfg(feature = "json")]
mod run_record;
mod source;
mod table;
mod target;
mod verdict;
#[cfg(feature = "json")]
mod witness;

pub use amended::{FEWER_SELECTIONS, added_lines, unamendable_diagnostics};
pub use blocks::block_language;
pub use comparison::{BOUNDED, comparison_sentence, different_ends, not_known};
pub use converted::{NO_PROCESSES, conversion_warning, endpoints, graph_text, own_text, protocol_name};
#[cfg(feature = "json")]
pub use diagnostic::{diagnostic_line, diagnostic_value};
pub use drawing::{graphs, sequence_of};
pub use exit::Exit;
pub use imports::{Library, NoLibrary, module_paths};
pub use input::{Files, Foreign, Input, Reading, Refused};
pub use language::{Language, ReadArgs, channel, decider, is_markdown, kind_by_name, language_named};
pub use limits::gave_up;
pub use names::no_process;
pub use reader::{ChannelsAsked, Raw, Reader};
#[cfg(feature = "json")]
pub use record::{Capacity, Record};
pub use render::{Colours, MOST_DIAGNOSTICS, and_more, made_visible, render_concise, render_full};
pub use run::{Ending, again, counted, cut, go, standing};
#[cfg(feature = "json")]
pub use run_record::{MOST_EXPLAINED, RunRecord};
pub use source::{File, Position, Source, on_one_line};
pub use table::{TableRow, table_row};
pub use target::{Need, Target};
pub use verdict::{
    Checked, FAULT, fault, left_diagnostic, left_exit, named, undecided, unknown_services, untold, why_undecided,
};
#[cfg(feature = "json")]
pub use witness::Witness;
