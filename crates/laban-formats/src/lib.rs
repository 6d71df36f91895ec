#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod aldebaran;
mod automaton;
mod bpmn;
mod chorgram;
mod detect;
mod dot;
mod flat;
mod format;
mod fsa;
mod kmc;
mod lower;
mod mermaid;
mod mpstk;
mod naming;
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
pub use detect::detect;
pub use flat::Unsayable;
pub use format::Format;
pub use fsa::{FsaDialect, write_fsa};
pub use kmc::write_kmc;
pub use lower::{Lowered, lower, lower_protocol};
pub use mermaid::write_mermaid;
pub use promela::{PromelaChannels, write_promela};
pub use read::{ReadOptions, Reading, read, read_with};
pub use report::{Remark, Renamed, Report};
pub use sequence::{AddedArrow, AmendedDiagram, NotAmended, amend_diagram, explain_untold};
pub use source::Source;
pub use view::View;
