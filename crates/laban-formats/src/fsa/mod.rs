//! Communicating finite-state machines in files `.fsa`, as GMC, ChorGram, KMC and SEArch have them.
//!
//! All dialects are read at once: names or numbers of machines, payloads, silent lines, comments, lines that end where
//! they like. Whether the file would be accepted by a certain tool is not checked.

mod read;
mod roles;
mod write;

pub(crate) use read::read;
pub use write::{FsaDialect, write_fsa};
