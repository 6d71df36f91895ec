//! The certificate where processes choose, race or wait idly, or where decisions are fair.
//!
//! The same lockstep as in the fast walk, with every pair kept: a plain graph of pairs. At a pair
//!
//! - an interaction, or an `any`, must be *all that can happen within a closed set* of processes ([`closed`]): what
//!   happens outside of it changes nothing inside, so nothing that could come first has been left out;
//! - a decision is followed to all its outcomes;
//! - the choreography stops only where whoever is left may wait.
//!
//! Then nobody may be starved, and what could happen may not be put off forever while somebody idly waits for it: both
//! are greatest fixed points on the graph ([`traps`]).
//!
//! This is enough. Let a run of the network lead to a state in which somebody is stuck. Follow it through the graph: at
//! a pair, either the run has a step of the closed set, and the first of these is among the items; or it has none, and
//! any item leaves the run possible. So the graph comes to such a state as well, unless it puts off the rest of the run
//! forever. Whoever acts in that rest never acts again in the graph; who is neither a service nor idle starves there.
//! If somebody idle is among them, the first step of the rest within his closed set can happen already, and has been
//! forgotten. Otherwise the rest is a matter among services, and whoever is stuck after it is stuck before.
//!
//! It shares nothing with the search, and takes its steps from [`semantics`](crate::semantics). It is written to be
//! plain; what has no choices, no races and no idle waits has the fast walk.

mod closed;
mod contents;
mod growth;
mod items;
mod moment;
mod pairs;
mod scene;
mod script;
mod traps;

pub(super) use script::Script;

use super::cast::{Cast, Part};
use super::{Certificate, NotVerified, VerifyOptions};
use crate::choreography::{Choreography, NodeId};
use crate::network::Network;
use pairs::Pairs;
use scene::Scene;

/// Whether this walk is needed: the fast one knows nothing of choices, races, idle waits and fair decisions, and
/// compares conditions by their texts. It knows nothing of queues either, but need not if no message ever waits and
/// there are no services: then one schedule speaks for all, and that of the choreography is one by rendezvous.
pub(super) fn is_needed(
    network: &Network,
    choreography: &Choreography,
    script: &Script<'_>,
    options: &VerifyOptions<'_>,
) -> bool {
    let VerifyOptions { fair, conditions, .. } = *options;
    let has_features = !network.arms.is_empty() || !network.idle.is_empty() || !choreography.arms.is_empty();
    has_features || fair || conditions != super::Conditions::ByText || script.needs_queues()
}

/// The part of a choreography without parts, which stops at once: idle processes may be absent from it only if nobody
/// can come to them.
pub(super) fn nothing() -> Part {
    Part { start: NodeId(u32::MAX), slots: 0..0, has_joints: false }
}

/// Checks one part.
pub(super) fn follow(
    network: &Network,
    choreography: &Choreography,
    script: &Script<'_>,
    cast: &Cast,
    part: &Part,
    options: &VerifyOptions<'_>,
) -> Result<Certificate, NotVerified> {
    let scene = Scene::new(network, choreography, script, cast, part, options.conditions);
    let pairs = Pairs::walk(&scene, &options.limits)?;
    traps::check(&pairs, options)?;
    Ok(pairs.certificate())
}
