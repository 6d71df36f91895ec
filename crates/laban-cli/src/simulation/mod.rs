//! A run of a network, and what is printed about it: for `laban run`.
//!
//! The library runs the network; this module shows the run. [`words`] has the lines of text, [`record`] the JSON, and
//! [`dialogue`] asks a person what should happen next: [`order`] understands the answers, which come from the
//! [`keyboard`].

pub(crate) mod dialogue;
mod keyboard;
mod order;
pub(crate) mod record;
pub(crate) mod words;

use laban::simulate::{Scheduler, Session, Status};

pub(crate) use laban_report::Ending;

/// Lets the scheduler take steps until something ends that.
pub(crate) fn go(
    session: &mut Session<'_>,
    scheduler: &mut Scheduler,
    most: usize,
    is_interrupted: impl Fn() -> bool,
) -> Ending {
    for _ in 0..most {
        if is_interrupted() {
            return Ending::Interrupted;
        }
        let Some(step) = scheduler.choose(session) else { return Ending::Over };
        if !session.take(step) {
            return Ending::Over;
        }
    }
    match session.status() {
        Status::Running => Ending::Limit,
        Status::Stopped | Status::Deadlock | Status::Orphan => Ending::Over,
    }
}
