//! What can happen next, and where it leads.
//!
//! A [`Configuration`] says where each process of a network is, and what lies in its [`Queues`]. From it something can
//! happen: an [`Action`]; once a decision has its outcome, that is a [`Step`], and it leads to the next configuration.
//!
//! Between two processes with a queue, a message is sent and taken by two steps. A process can put a message into a
//! queue that is not full, whatever the receiver does; it can take the oldest message of a queue if that fits: a value
//! for a receive, one of its labels for an offer. If it does not fit, it stays where it is, and so do all behind it.
//!
//! Everything here is the definition, written down to be obviously right: explanations are replayed and runs are
//! simulated with it. The searches have step functions of their own, laid out for speed, and never use this one, so
//! that each can be tested against the other.

mod closed;
mod configuration;
mod describe;
mod queues;
mod step;

pub use closed::Waits;
pub use configuration::{Configuration, follow};
pub(crate) use configuration::{moved, moves, steps_of};
pub use describe::{DescribedAction, DescribedStep};
pub(crate) use queues::NO_QUEUES;
pub use queues::Queues;
pub use step::{Action, Step};
