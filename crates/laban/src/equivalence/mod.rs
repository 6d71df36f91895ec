//! Whether two descriptions of a system agree.
//!
//! [`equivalent`] compares two networks, exactly: it follows both together and gives the shortest run that it found after
//! which one can do something that the other cannot. [`compare`] does so for networks and choreographies alike; a
//! choreography stands for its projection. Where there is none, [`bounded`] compares choreographies as they are written, as
//! far as that comes to an end.

mod bounded;
mod common;
mod compare;
mod difference;
mod product;

pub use bounded::{Bounded, Bounds, bounded};
pub use compare::{Comparison, System, compare};
pub use difference::{Difference, Instead, Reason, Side};
pub use product::{Equivalence, Options, equivalent};
