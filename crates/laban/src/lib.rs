#![doc = include_str!("../README.md")]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod analysis;
mod certified;
pub mod choreography;
pub mod diagnostic;
pub mod equivalence;
pub mod extraction;
pub mod generate;
mod graph;
mod index;
mod limits;
mod lowering;
pub mod network;
mod outline;
mod packed;
mod parallel;
mod random;
mod scope;
pub mod semantics;
pub mod simulate;
pub mod syntax;
pub mod text;

pub use analysis::{Analysis, IllFormed, Model, SyntaxTree};
pub use certified::{Extraction, InternalError, extract, extract_with};
pub use choreography::{
    AmendOptions, Amended, Choreography, NotProjected, ProjectOptions, Projection, Unamendable, amend, project,
};
pub use diagnostic::Diagnostic;
pub use equivalence::{Certificate, Comparison, EquivalenceOptions, NotVerified, VerifyOptions, equivalent, verify};
pub use equivalence::{ServiceLeft, services_left};
pub use extraction::{ExtractOptions, Verdict};
pub use limits::{Limits, StopReason};
pub use network::Network;
pub use syntax::{Compact, Pretty};

/// Reads a text: a network, or a choreography.
///
/// ```
/// let network = laban::analyse("p { main { q!<x>; stop } } | q { main { p?; stop } }").into_network()?;
/// assert_eq!(network.processes().len(), 2);
/// # Ok::<(), laban::IllFormed>(())
/// ```
pub fn analyse(text: impl Into<String>) -> Analysis {
    Analysis::new(text)
}
