//! Does this choreography describe this network?
//!
//! Walk both in lockstep, in exactly the order of the choreography. At each *pair*, a node of the choreography and the local
//! states of the processes, the node's action must be enabled; both outcomes of a decision are followed; the choreography stops
//! only where all but the services have stopped. Then nobody may be starved: on each cycle of pairs each process acts that is still running
//! and is no service. That is all there is to a certificate:
//!
//! 1. [`cast`] matches names and finds out who takes part in which part;
//! 2. [`walk`] follows one part and keeps the few pairs where something forks or may come back;
//! 3. [`fairness`] looks at the cycles among them;
//! 4. [`witness`] finds a short run to whatever was wrong, and [`mismatch`] puts it into words.

mod cast;
mod fairness;
mod mismatch;
mod walk;
mod witness;

pub use mismatch::{Mismatch, Obstacle, Reason};

use crate::choreography::Choreography;
use crate::network::Network;
use cast::Cast;
use rayon::prelude::*;
use walk::Walk;

/// A choreography describes a network: what was looked at to be sure of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Certificate {
    /// How many independent parts there are.
    pub parts: usize,
    /// How many actions were checked: pairs of a node of the choreography that is no end and a state of the network.
    pub pairs: usize,
    /// How many of these had to be remembered because the choreography may come back to them.
    pub remembered: usize,
    /// How often the choreography stops.
    pub ends: usize,
}

/// Checks that a choreography describes a network.
///
/// Names are matched by their text. The cost is about linear in the number of pairs, and there is one pair for each node
/// of the choreography if the automata of the network are minimal; a network that repeats itself in several processes
/// (unrolled loops of different lengths) can have more, so [`minimise`](crate::network::minimise()) such a network first.
///
/// ```
/// use laban::{choreography, equivalence, network, syntax};
///
/// let net = syntax::parse_network("a { main { b!<x>; stop } } | b { main { a?; stop } }");
/// let net = network::lower(&net.tree).network.unwrap();
/// let verdict = |text| {
///     let tree = syntax::parse_choreography(text).tree;
///     let choreography = choreography::lower(&tree).choreography.unwrap();
///     equivalence::verify(&net, &choreography).map_err(|mismatch| mismatch.explain(&net, &choreography))
/// };
/// assert_eq!(verdict("main { a.x -> b; stop }").unwrap().pairs, 1);
/// let reason = verdict("main { a.y -> b; stop }").unwrap_err();
/// assert_eq!(reason, "the choreography starts with `a.y -> b`, but `a` wants to send `x` to `b`");
/// ```
pub fn verify(network: &Network, choreography: &Choreography) -> Result<Certificate, Mismatch> {
    verify_in(1, network, choreography)
}

/// Does so in this many threads, which share out the parts. The answer is the same.
pub fn verify_in(threads: usize, network: &Network, choreography: &Choreography) -> Result<Certificate, Mismatch> {
    // Without an interrupt there is an answer.
    verify_unless(&|| false, threads, network, choreography).unwrap_or_else(|| Ok(Certificate::default()))
}

/// Does so until it is interrupted, which is asked from time to time; then there is no answer.
pub fn verify_unless(
    interrupted: &(dyn Fn() -> bool + Sync),
    threads: usize,
    network: &Network,
    choreography: &Choreography,
) -> Option<Result<Certificate, Mismatch>> {
    match verified(interrupted, threads, network, choreography) {
        Ok(certificate) => Some(Ok(certificate)),
        Err(Halt::Mismatch(mismatch)) => Some(Err(mismatch)),
        Err(Halt::Interrupt) => None,
    }
}

/// Why a walk ends before its end.
enum Halt {
    Mismatch(Mismatch),
    Interrupt,
}

impl From<Mismatch> for Halt {
    fn from(mismatch: Mismatch) -> Self {
        Halt::Mismatch(mismatch)
    }
}

fn verified(
    interrupted: &(dyn Fn() -> bool + Sync),
    threads: usize,
    network: &Network,
    choreography: &Choreography,
) -> Result<Certificate, Halt> {
    let cast = Cast::new(network, choreography).map_err(|reason| Mismatch { run: Vec::new(), reason })?;
    let follow = |parts: &[cast::Part]| {
        let mut walk = Walk::new(network, choreography, &cast);
        for part in parts {
            walk.follow(part, interrupted)?;
            fairness::check(&walk, part)?;
        }
        Ok(walk.certificate)
    };
    let size = cast.parts.len().div_ceil(threads.max(1)).max(1);
    let shares: Vec<&[cast::Part]> = cast.parts.chunks(size).collect();
    let certificates: Vec<Result<Certificate, Halt>> = match shares.len() {
        0 | 1 => shares.into_iter().map(follow).collect(),
        _ => shares.into_par_iter().map(follow).collect(),
    };
    // The first mismatch in the order of the parts, whichever thread was first.
    certificates.into_iter().try_fold(Certificate::default(), |sum, certificate| {
        let Certificate { parts, pairs, remembered, ends } = certificate?;
        Ok(Certificate {
            parts: sum.parts + parts,
            pairs: sum.pairs + pairs,
            remembered: sum.remembered + remembered,
            ends: sum.ends + ends,
        })
    })
}
