#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod aldebaran;
mod detect;
mod dot;
mod flat;
mod format;
mod fsa;
mod kmc;
mod lower;
mod messages;
mod mpstk;
mod naming;
mod pair;
mod promela;
mod read;
mod report;
mod scanner;
mod source;
pub mod system;
mod types;

pub use aldebaran::write_aldebaran;
pub use detect::detect;
pub use flat::Unsayable;
pub use format::Format;
pub use fsa::{FsaDialect, write_fsa};
pub use kmc::write_kmc;
pub use lower::{Lowered, lower};
pub use promela::{PromelaChannels, write_promela};
pub use read::{Reading, read};
pub use report::{Remark, Renamed, Report};
pub use source::Source;
