//! A network at work: one run of it, step by step, forwards and backwards.
//!
//! A [`Session`] is a run so far: where each process is, what can happen next, and what has happened. Steps are
//! [taken](Session::take), [taken back](Session::undo) and [taken again](Session::redo); each costs the same however long the run
//! and however large the network. A [`Scheduler`] chooses steps from a seed. When nothing can happen any more, the
//! session says whether all have stopped, or [why not](Session::deadlocks). Who asks for steps, and where they are
//! shown, is not known here.

mod enabled;
mod scheduler;
mod session;

pub use scheduler::{Rule, Scheduler};
pub use session::{Moved, Session, Status, Taken};
