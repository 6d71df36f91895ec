//! The paper's evaluation, reproduced: what is run, how it is kept, and what is reported.
//!
//! [`plan`] lists the networks to extract and how, [`subject`] makes them from a seed, [`measure`] runs one search on one
//! of them. Each result is a [`run::Run`], one line of a file that [`journal`] appends to and flushes, so that an interrupt
//! loses the running searches only; [`runner`] does what is not there yet. [`report`] is made from the lines and nothing
//! else, so it does not matter in how many pieces, or on how many machines, they came about.

pub(crate) mod files;
pub(crate) mod journal;
pub(crate) mod measure;
pub(crate) mod plan;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod runner;
pub(crate) mod settings;
pub(crate) mod stopwatch;
pub(crate) mod subject;
