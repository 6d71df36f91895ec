//! Random choreographies, broken networks and rewritten ones.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod chances;
mod families;
mod fuzzing;
mod golden;
mod networks;
mod queues;
mod races;
mod statistics;
mod unrolling;
