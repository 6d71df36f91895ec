//! Whether two descriptions of a system agree.
//!
//! [`verify`](verify()) asks whether a choreography describes a network: it follows both in lockstep and gives a [`Certificate`], or a
//! [`Mismatch`] that carries the run on which they part. How a choreography is found is not known here: whatever was
//! extracted, written by hand or kept in a document is judged alike.

mod verify;

pub use verify::{Certificate, Mismatch, Obstacle, Reason, verify};
