#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod aldebaran;
mod analysis;
mod automaton;
mod bpmn;
mod chorgram;
mod detect;
mod dot;
mod flat;
mod format;
mod fsa;
mod json;
mod kmc;
mod lower;
mod markdown;
mod mermaid;
mod mpstk;
mod naming;
mod own;
mod pair;
mod plantuml;
mod promela;
pub mod protocol;
mod read;
mod report;
mod roles;
mod scanner;
mod scribble;
mod sequence;
mod source;
mod sprout;
pub mod system;
mod transitions;
mod types;
mod view;

pub use aldebaran::write_aldebaran;
pub use automaton::write_automaton;
pub use bpmn::write_bpmn;
pub use detect::detect;
pub use flat::Unsayable;
pub use format::Format;
pub use fsa::{FsaDialect, write_fsa};
pub use json::{write_json_choreography, write_json_network};
pub use kmc::write_kmc;
pub use lower::{Lowered, lower, lower_protocol};
pub use markdown::{MarkdownBlock, markdown_blocks};
pub use own::{write_chor, write_net};
pub use promela::{PromelaChannels, write_promela};
pub use read::{ReadOptions, Reading, imports, read, read_with};
pub use report::{Remark, Renamed, Report};
pub use scribble::{write_nuscr, write_scribble};
pub use sequence::{
    AddedArrow, AmendedDiagram, NotAmended, amend_diagram, explain_untold, write_mermaid, write_plantuml,
};
pub use source::Source;
pub use view::View;
