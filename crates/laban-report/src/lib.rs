#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod blocks;
mod concise;
mod excerpt;
mod full;
mod imports;
mod input;
mod language;
mod names;
mod reader;
mod render;
mod source;
mod target;

pub use imports::{Library, NoLibrary};
pub use input::{Files, Foreign, Input, Reading, Refused};
pub use language::{Language, ReadArgs, channel, decider, is_markdown, kind_by_name, language_named};
pub use names::no_process;
pub use reader::{ChannelsAsked, Raw, Reader};
pub use render::{Colours, MOST_DIAGNOSTICS, and_more, made_visible, render_concise, render_full};
pub use source::{File, Position, Source, on_one_line};
pub use target::{Need, Target};
