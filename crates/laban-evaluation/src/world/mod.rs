//! What touches the world: threads, the clock, and the files in which results are kept.
//!
//! `measure` runs one search and takes its time. Each result is a [`Run`](crate::run::Run), one line of
//! a file that [`Journal`] appends to at once, so that an interrupt loses the running searches only; [`run_jobs`] does
//! what is not there yet, on several threads.

mod files;
mod journal;
mod measure;
mod runner;
mod settings_file;
mod stopwatch;

pub use files::write_whole;
pub use journal::{Journal, read_all};
pub use measure::Limit;
pub use runner::{Workers, open_jobs, run_job, run_jobs};
pub use settings_file::{agree_with, read_settings};
