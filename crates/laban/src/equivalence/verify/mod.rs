//! Does this choreography describe this network?
//!
//! Walk both in lockstep, in exactly the order of the choreography. At each *pair*, a node of the choreography and the
//! local states of the processes, the node's action must be enabled; both outcomes of a decision are followed; the
//! choreography stops only where all but the services have stopped. Then nobody may be starved: on each cycle of pairs
//! each process acts that is still running and is not a service. That is all there is to a certificate:
//!
//! 1. [`cast`] matches names and finds out who takes part in which part;
//! 2. [`walk`] follows one part and keeps the few pairs where something forks or may come back, and [`wide`] does so
//!    with several threads where there are many;
//! 3. [`fairness`] looks at the cycles among them;
//! 4. [`witness`] finds a short run to whatever was wrong, [`mismatch`] holds it and [`words`] says it.
//!
//! Where processes choose, race or wait idly, [`general`] does what `walk` and `fairness` do elsewhere. [`services`]
//! finds the services that a choreography leaves in the middle of a conversation, which is fine for a certificate.

mod cast;
mod fairness;
mod general;
mod mismatch;
mod notation;
mod obstacle;
mod service_left;
mod services;
mod walk;
mod wide;
mod witness;
mod words;

pub use mismatch::{Mismatch, Reason};
pub use obstacle::Obstacle;
pub use service_left::ServiceLeft;
pub use services::services_left;

use crate::choreography::Choreography;
use crate::limits::{Limits, StopReason};
use crate::network::{Network, minimise};
use crate::parallel::{map_in_parallel, threads};
use cast::Cast;
use std::error::Error;
use std::fmt;
use walk::Walk;

/// A choreography describes a network: what was looked at to be sure of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Certificate {
    /// How many independent parts there are.
    pub parts: usize,
    /// How many actions were checked: pairs of a node of the choreography, other than an end, and a state.
    pub pairs: usize,
    /// How many of these had to be remembered because the choreography may come back to them.
    pub remembered: usize,
    /// How often the choreography stops.
    pub ends: usize,
}

impl Certificate {
    /// What was looked at in all.
    fn and(self, other: Certificate) -> Certificate {
        Certificate {
            parts: self.parts + other.parts,
            pairs: self.pairs + other.pairs,
            remembered: self.remembered + other.remembered,
            ends: self.ends + other.ends,
        }
    }
}

/// How to check a choreography against a network.
#[derive(Debug, Clone, Copy)]
pub struct VerifyOptions<'a> {
    /// Whether the automata of the network are minimised first. A network that repeats itself differently in several
    /// processes (loops unrolled to different lengths) has many more states otherwise.
    pub minimise: bool,
    /// Whether independent parts, and what is wide of a single one, may be checked by several threads at the same time.
    /// The answer is the same.
    pub parallel: bool,
    /// A part is wide when more than this many of its pairs have been met and wait to be followed.
    pub wide: usize,
    /// When to give up; the states are pairs of a node of the choreography and a state of the network.
    pub limits: Limits<'a>,
    /// Whether decisions are fair as well as races: a loop that can be left is left some time.
    pub fair: bool,
    /// How decisions are compared.
    pub conditions: Conditions,
}

/// How the decisions of two systems are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Conditions {
    /// By the text of their conditions.
    #[default]
    ByText,
    /// By who decides: a decision of a process corresponds to a decision of that process, whatever its text; what
    /// follows if the condition is true corresponds to that, and so does what follows if not.
    Any,
}

impl Default for VerifyOptions<'_> {
    fn default() -> Self {
        VerifyOptions {
            minimise: true,
            parallel: true,
            wide: 1 << 12,
            limits: Limits::default(),
            fair: false,
            conditions: Conditions::ByText,
        }
    }
}

/// Why a choreography was not certified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotVerified {
    /// It does not describe the network.
    Mismatch(Mismatch),
    /// There is no answer.
    Undecided(StopReason),
}

impl NotVerified {
    /// The mismatch, if that is why.
    pub fn mismatch(self) -> Option<Mismatch> {
        match self {
            NotVerified::Mismatch(mismatch) => Some(mismatch),
            NotVerified::Undecided(_) => None,
        }
    }
}

impl From<Mismatch> for NotVerified {
    fn from(mismatch: Mismatch) -> Self {
        NotVerified::Mismatch(mismatch)
    }
}

impl fmt::Display for NotVerified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotVerified::Mismatch(_) => f.write_str("the choreography does not describe the network"),
            NotVerified::Undecided(reason) => write!(f, "undecided: {reason}"),
        }
    }
}

impl Error for NotVerified {}

/// Checks that a choreography describes a network. Names are matched by their text.
///
/// The cost is about linear in the number of pairs, and there is one pair for each node of the choreography if the
/// automata of the network are minimal.
///
/// ```
/// use laban::equivalence::{VerifyOptions, verify};
///
/// let network = laban::analyse("a { main { b!<x>; stop } } | b { main { a?; stop } }").into_network().unwrap();
/// let verdict = |text| {
///     let choreography = laban::analyse(text).into_choreography().unwrap();
///     verify(&network, &choreography, &VerifyOptions::default())
///         .map_err(|error| error.mismatch().unwrap().explain(&network, &choreography))
/// };
/// assert_eq!(verdict("main { a.x -> b; stop }").unwrap().pairs, 1);
/// let reason = verdict("main { a.y -> b; stop }").unwrap_err();
/// assert_eq!(reason, "the choreography starts with `a.y -> b`, but `a` wants to send `x` to `b`");
/// ```
pub fn verify(
    network: &Network,
    choreography: &Choreography,
    options: &VerifyOptions<'_>,
) -> Result<Certificate, NotVerified> {
    if !options.minimise {
        return certify(network, choreography, options);
    }
    let small = minimise(network).network;
    certify(&small, choreography, options).map_err(|error| match error {
        NotVerified::Mismatch(mismatch) => NotVerified::Mismatch(mismatch.on(network)),
        undecided => undecided,
    })
}

fn certify(
    network: &Network,
    choreography: &Choreography,
    options: &VerifyOptions<'_>,
) -> Result<Certificate, NotVerified> {
    let mut cast = Cast::new(network, choreography).map_err(|reason| Mismatch { run: Vec::new(), reason })?;
    let script = general::Script::new(network, choreography);
    let is_general = general::is_needed(network, choreography, &script, options);
    if is_general && cast.parts.is_empty() {
        cast.parts.push(general::nothing());
    }
    let follow = |parts: &[cast::Part]| -> Result<Certificate, NotVerified> {
        if is_general {
            return parts.iter().try_fold(Certificate::default(), |sum, part| {
                Ok(sum.and(general::follow(network, choreography, &script, &cast, part, options)?))
            });
        }
        let mut walk = Walk::new(network, choreography, &cast);
        for part in parts {
            check(&mut walk, part, options)?;
        }
        Ok(walk.certificate)
    };
    // To ask for threads starts them: not for a single part.
    let threads = if options.parallel && cast.parts.len() > 1 { threads() } else { 1 };
    let size = cast.parts.len().div_ceil(threads).max(1);
    let shares: Vec<&[cast::Part]> = cast.parts.chunks(size).collect();
    // The first mismatch in the order of the parts, whichever thread was first.
    map_in_parallel(options.parallel, shares, follow)
        .into_iter()
        .try_fold(Certificate::default(), |sum, certificate| Ok(sum.and(certificate?)))
}

/// Checks one part: follows it, and looks at its cycles.
fn check(walk: &mut Walk<'_>, part: &cast::Part, options: &VerifyOptions<'_>) -> Result<(), NotVerified> {
    let VerifyOptions { limits, parallel, wide, .. } = options;
    let before = walk.certificate;
    walk.follow(part, limits, if *parallel { *wide } else { usize::MAX })?;
    if !walk.is_done() {
        // To ask for threads starts them.
        match threads() > 1 {
            true => match wide::follow(walk, part, limits) {
                wide::End::Stopped(reason) => return Err(NotVerified::Undecided(reason)),
                wide::End::Done if fairness::check(walk, part).is_ok() => return Ok(()),
                wide::End::Done | wide::End::Elsewhere => {
                    walk.start_again(part, before);
                    walk.follow(part, limits, usize::MAX)?;
                }
            },
            false => walk.follow_stored(part, limits)?,
        }
    }
    Ok(fairness::check(walk, part)?)
}
