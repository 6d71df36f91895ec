//! Runs a network step by step, forwards and backwards.
//!
//! A [`Session`] is a run so far: where each process is, what can happen next, and what has happened. Steps are
//! [taken](Session::take), [undone](Session::undo) and [redone](Session::redo); each costs the same, however long the
//! run and however large the network. A [`Scheduler`] chooses steps from a seed. When nothing more can happen, the
//! session says whether all have stopped, or [why not](Session::deadlocks). This module does not know who asks for
//! steps or where they are shown.

mod enabled;
mod scheduler;
mod session;

pub use scheduler::{Rule, Scheduler};
pub use session::{Moved, Session, Status, Taken};
