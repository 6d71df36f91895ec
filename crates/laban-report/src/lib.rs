#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod amended;
mod blocks;
mod comparison;
mod concise;
mod converted;
mod drawing;
mod excerpt;
mod exit;
mod full;
mod imports;
mod input;
mod language;
mod names;
mod reader;
mod render;
mod run;
mod source;
mod target;
mod verdict;

pub use amended::{FEWER_SELECTIONS, added_lines, unamendable_diagnostics};
pub use comparison::{BOUNDED, comparison_sentence, different_ends, not_known};
pub use converted::{NO_PROCESSES, conversion_warning, endpoints, graph_text, own_text, protocol_name};
pub use drawing::{graphs, sequence_of};
pub use exit::Exit;
pub use imports::{Library, NoLibrary, module_paths};
pub use input::{Files, Foreign, Input, Reading, Refused};
pub use language::{Language, ReadArgs, channel, decider, is_markdown, kind_by_name, language_named};
pub use names::no_process;
pub use reader::{ChannelsAsked, Raw, Reader};
pub use render::{Colours, MOST_DIAGNOSTICS, and_more, made_visible, render_concise, render_full};
pub use run::{Ending, again, counted, cut, standing};
pub use source::{File, Position, Source, on_one_line};
pub use target::{Need, Target};
pub use verdict::{
    Checked, FAULT, fault, left_diagnostic, left_exit, named, undecided, unknown_services, untold, why_undecided,
};
