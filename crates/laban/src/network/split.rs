//! The parts of a network that never interact.

use super::{Network, ProcessId};
use crate::graph::Disjoint;

/// The connected components of "p and q ever interact", each in the order of its processes, in the order of the first.
///
/// A process that names another anywhere interacts with it, even in a branch that the other side never takes: leaving
/// it out would hide what it waits for.
pub fn components(network: &Network) -> Vec<Vec<ProcessId>> {
    let mut sets = Disjoint::new(network.processes.len());
    // For each process, who named it last: once is enough.
    let mut named_by = vec![u32::MAX; network.processes.len()];
    for (number, process) in network.processes.iter().enumerate() {
        for &state in process.states.of(&network.states) {
            // The items of a race are states of their own.
            if let Some(partner) = state.partner()
                && std::mem::replace(&mut named_by[partner.index()], number as u32) != number as u32
            {
                sets.union(number as u32, partner.0);
            }
        }
    }
    let groups = sets.groups();
    let mut components = vec![Vec::new(); groups.class_count()];
    for (process, &group) in network.process_ids().zip(&groups.class_of) {
        components[group as usize].push(process);
    }
    components
}
