//! Runs: what is true of every session, on random networks from a seed, against the plain semantics.

#![allow(clippy::unwrap_used, clippy::panic)]

mod laws;
mod networks;
mod scale;
mod scheduler;

use laban::network::Network;
use laban::simulate::{Scheduler, Session};

/// Lets a scheduler take so many steps, or as many as there are.
fn go(session: &mut Session<'_>, scheduler: &mut Scheduler, most: usize) {
    for _ in 0..most {
        let Some(step) = scheduler.choose(session) else { return };
        assert!(session.take(step), "what is chosen is possible");
    }
}

fn read(text: &str) -> Network {
    laban::analyse(text).into_network().unwrap()
}
