//! What can happen next, and where it leads.
//!
//! A [`Configuration`] says where each process of a network is. From it something can happen: an [`Action`]; once a
//! decision has its outcome, that is a [`Step`], and it leads to the next configuration. Everything here is the
//! definition, written down to be obviously right: explanations are replayed and runs are simulated with it. The
//! searches have step functions of their own, laid out for speed, and never use this one, so that each can be tested
//! against the other.

mod closed;
mod configuration;
mod describe;
mod step;

pub use closed::Waits;
pub use configuration::{Configuration, follow};
pub(crate) use configuration::{moved, moves, steps_of};
pub use describe::{DescribedAction, DescribedStep};
pub use step::{Action, Step};
