//! Whether two descriptions of a system agree.
//!
//! [`verify`](verify()) asks whether a choreography describes a network: it follows both in lockstep and gives a
//! [`Certificate`], or a [`Mismatch`] that carries the run on which they part. How a choreography is found is not
//! known here: whatever was extracted, written by hand or kept in a document is judged alike.
//!
//! [`equivalent`] compares two networks: it follows both together and gives the shortest run that it found after
//! which one can do something that the other cannot. [`compare`](compare()) compares networks and choreographies
//! alike; a choreography stands for its projection. Where there isn't one, [`bounded`](bounded()) compares
//! choreographies as they are written, as far as that ends.

mod alike;
mod bounded;
mod closed;
mod common;
mod compare;
mod conditions;
mod difference;
mod networks;
mod pairs;
mod places;
mod product;
mod queues;
mod terms;
mod verify;

pub use bounded::{Bounded, Bounds, bounded};
pub use compare::{Comparison, System, compare, equivalent, stand_in};
pub use difference::{Contrast, Difference, Instead, Side};
pub use networks::{Equivalence, EquivalenceOptions, equivalent as equivalent_networks};
pub use verify::{Certificate, Conditions, Mismatch, NotVerified, Obstacle, Reason, VerifyOptions, verify};
pub use verify::{ServiceLeft, services_left};
