//! Random choreographies and networks, for tests and for the paper's evaluation: all from a seed.
//!
//! [`choreography`](choreography()) makes a choreography of given [`Parameters`] as the paper does (section 5.2),
//! [`network`](network()) amends and projects it, [`fuzz`](fuzz()) breaks a process of a network, and
//! [`unroll`](unroll()) writes a process in another way. [`families`] lists the paper's test sets. The same seed gives
//! the same bytes, on every machine and forever; see [`SeededRng`].
//!
//! # How a choreography is made
//!
//! 1. Each conditional and each interaction is thrown into one of the bodies, that is, `main` and the procedures, with
//!    the same probability.
//! 2. In a body every order of interactions and conditionals is as likely as the others. A conditional has a *shared*
//!    part and two branches; each action behind it is thrown into one of these three with the same probability. Both
//!    branches do the shared part first and then their own. A shared part has conditionals as well, so the text may be
//!    much longer than the number of actions says.
//! 3. A body that is not shared ends with `stop` or with the call of a procedure, each with the same probability.
//! 4. If some procedure is empty, or is not reached from `main`, all is thrown away and made anew, with the next
//!    numbers of the same stream. So is a choreography of more than [`MOST_TERMS`] terms.
//! 5. For each interaction a sender is chosen, one of the others as receiver, and whether it sends a value or selects a
//!    label. For each conditional it is chosen who decides. Values `m1`, `m2`…, labels `l1`… and conditions `c1`… are
//!    new each time.
//!
//! With [races](Parameters::races), there are so many more forks in the second step, and some of all forks become
//! races: the items of a race begin with an interaction of the same process, the hub, with two others, and go on like
//! the branches of a conditional. Of the other forks, some become choices, and some labels get a value. With
//! [queues](Parameters::queues), so many of the interactions wait: some are put into a queue and taken some actions
//! later, some are in groups. Without races and queues the same seed gives the same choreography as ever.
//!
//! Processes are `a`, `b`, … and procedures `A`, `B`, …; not all processes need take part. `main` may be empty, so
//! there must be at least as many actions as procedures.
//!
//! The paper leaves some of this open; here it is as in the choreographies that its authors have published. Behind a
//! conditional, both branches start with the same actions, with the same values, up to the selections that amendment
//! has added; what is behind it is spread evenly over the three parts; and counting each value, label and condition
//! once gives exactly the size asked for. As to the third step: of the ten choreographies with 15 procedures and no
//! conditional, one ends with `stop`, which fits one in sixteen and not one in two. They differ in one thing: where
//! procedures would be empty, the authors add an action, so that small choreographies with many procedures have one or
//! two actions more than asked for, or some conditionals less; here they have exactly what is asked for.

mod choreography;
mod edit;
mod fuzz;
mod network;
mod paper_amendment;
mod parameters;
mod queues;
mod races;
mod shape;
mod unroll;

pub use crate::random::SeededRng;
pub use choreography::choreography;
pub use edit::{Change, Edit};
pub use fuzz::fuzz;
pub use network::{Generated, network};
pub use parameters::{Family, MOST_ATTEMPTS, MOST_TERMS, Parameters, Refusal, Test, families, test_seed, tests};
pub use unroll::unroll;
