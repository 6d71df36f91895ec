//! Extracts choreographies from networks of communicating processes.
//!
//! A *network* says what each process does; a *choreography* says what they all do together.
//!
//! # Steps
//!
//! Each step is one function here, with its options as a struct, and what one gives can be handed to the next.
//!
//! - **Analyse**: [`analyse`] reads a text of either language and gives an [`Analysis`]: a tree, a model, and all that is
//!   wrong with the text. Mistakes are [diagnostics](diagnostic), with the place, hints and, where it is known, a fix.
//! - **Extract**: [`extract`] finds the choreography of a network, or shows why there is none: the run to the deadlock
//!   or livelock is [explained](extraction::explain). The answer has been checked.
//! - **Verify**: [`verify`] checks that a choreography describes a network.
//! - **Project**: [`project`] goes back, from a choreography to the network that follows it, and [`amend`] adds the
//!   selections without which there is none.
//! - **Compare**: [`equivalent`] says whether two systems, networks or choreographies, can do the same.
//! - **Run**: a [`Session`](simulate::Session) runs a network step by step, forwards and backwards, and a
//!   [`Scheduler`](simulate::Scheduler) chooses the steps.
//! - **Print**: [`Pretty`] lays a text out, [`Compact`] writes it on one line. The crate `laban-draw` makes pictures.
//!
//! ```
//! use laban::{Compact, EquivalenceOptions, ExtractOptions, ProjectOptions};
//!
//! let text = "buyer { main { seller!<title>; seller?; stop } } | seller { main { buyer?; buyer!<price>; stop } }";
//! let network = laban::analyse(text).into_network()?;
//! let extraction = laban::extract(&network, &ExtractOptions::default())?;
//! let tree = extraction.tree().expect("there is a choreography");
//! assert_eq!(Compact(tree).to_string(), "main { buyer.title -> seller; seller.price -> buyer; stop }");
//!
//! // And back again.
//! let choreography = extraction.choreography().expect("there is a choreography");
//! let projection = laban::project_with(choreography, &ProjectOptions::default())?;
//! assert!(laban::equivalent(&projection.network, &network, &EquivalenceOptions::default()).is_same());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub mod network;
mod outline;
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
    AmendOptions, Choreography, NotProjected, ProjectOptions, Projection, Unamendable, amend, amend_with, project,
    project_with,
};
pub use diagnostic::Diagnostic;
pub use equivalence::{Certificate, Comparison, EquivalenceOptions, NotVerified, VerifyOptions, equivalent, verify};
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
