//! Extracts choreographies from networks of communicating processes.
//!
//! A *network* says what each process does; a *choreography* says what they all do together.
//!
//! # Steps
//!
//! - **Parse**: [`parse`] reads a text of either language. [Lexing](syntax::lex) and parsing
//!   [networks](syntax::parse_network) or [choreographies](syntax::parse_choreography) gives a syntax tree, whatever the
//!   text; [lowering](network::lower()) gives each process a local automaton, and a choreography
//!   [a graph](choreography::lower()). [`check`] says all that is wrong with a text.
//! - **Extract**: [`extract`] finds the choreography of a network. Automata are [minimised](network::minimise()), the
//!   network is [split](network::components) into parts that never interact, each is [searched](extraction::extract),
//!   and what was found is [read off](choreography::read_off()) as text. If there is none, the run to the deadlock or
//!   livelock is [explained](extraction::explain::explain).
//! - **Verify**: [`verify`] checks that a choreography describes a network; no answer of [`extract`] is given without.
//! - **Project**: [`project`] goes back, from a choreography to the network that follows it, and [`amend`] adds the
//!   selections without which there is none.
//! - **Compare**: [`equivalent`] says whether two systems, networks or choreographies, can do the same.
//! - **Run**: a [`Session`](simulate::Session) runs a network step by step, forwards and backwards, and a
//!   [`Scheduler`](simulate::Scheduler) chooses the steps.
//! - **Print**: [`Pretty`](syntax::Pretty) lays a text out, [`Compact`](syntax::Compact) writes it on one line. The crate
//!   `laban-draw` makes pictures.
//!
//! ```
//! use laban::syntax::Compact;
//!
//! let text = "buyer { main { seller!<title>; seller?; stop } } | seller { main { buyer?; buyer!<price>; stop } }";
//! let network = laban::parse(text).network().unwrap();
//! let found = laban::extract(&network).unwrap().choreography.unwrap();
//! assert_eq!(Compact(&found).to_string(), "main { buyer.title -> seller; seller.price -> buyer; stop }");
//!
//! // And back again.
//! let choreography = laban::parse(&Compact(&found).to_string()).choreography().unwrap();
//! let projection = laban::project(&choreography).unwrap();
//! assert!(laban::equivalent(&projection.network, &network).answer.is_same());
//! ```

#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod analysis;
pub mod answer;
pub mod choreography;
pub mod diagnostic;
mod door;
pub mod equivalence;
pub mod extraction;
pub mod generate;
pub mod graph;
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

pub use analysis::{Analysis, Model, SyntaxTree};
pub use door::{Parsed, amend, check, equivalent, extract, parse, project, verify};
pub use limits::{Limits, StopReason};
