//! Closed sets of processes: what happens outside of one changes nothing inside it.
//!
//! Draw an arrow from each process to the partners that its present state names. A set is closed if no arrow leaves it.
//! Arrows to processes that can never act again could be left out, but need not be: such processes lead only to others
//! of their kind, and nothing can happen among these. An arrow to a process of another part of the choreography is left
//! out if that process never names the one where the arrow starts.

use super::scene::Scene;
use crate::network::{ProcessId, State};
use crate::semantics::{NO_QUEUES, Step, steps_of};

/// The smallest closed set that has some processes in it, and what can happen in it.
#[derive(Default)]
pub(super) struct ClosedSet {
    /// Who is in it, in the order in which they were found.
    members: Vec<ProcessId>,
    /// For each process of the network, whether it is in the set.
    is_member: Vec<bool>,
    /// A process of the set and one of another part, which may interact: the set cannot be closed within the part.
    pub(super) leaves: Option<(ProcessId, ProcessId)>,
    /// The processes that decide.
    pub(super) deciders: Vec<ProcessId>,
    /// The interactions that can happen.
    pub(super) interactions: Vec<Step>,
}

impl ClosedSet {
    /// Finds the smallest closed set that has these processes in it.
    pub(super) fn find(&mut self, scene: &Scene<'_>, row: &[u32], seeds: impl IntoIterator<Item = ProcessId>) {
        let network = scene.network;
        // Of the last set.
        for member in self.members.drain(..) {
            self.is_member[member.index()] = false;
        }
        self.is_member.resize(network.processes.len(), false);
        self.leaves = None;
        self.deciders.clear();
        self.interactions.clear();
        for seed in seeds {
            self.add(seed);
        }
        let mut looked_at = 0;
        while let Some(&member) = self.members.get(looked_at) {
            looked_at += 1;
            let state = network.state(scene.at(row, member));
            for partner in network.partners(state) {
                if !scene.is_elsewhere(partner) {
                    self.add(partner);
                } else if names(scene, partner, member) {
                    self.leaves.get_or_insert((member, partner));
                }
            }
            match state {
                State::If { .. } | State::Choose { .. } => self.deciders.push(member),
                State::Stop | State::Receive { .. } | State::Offer { .. } => {}
                _ => {
                    let steps = steps_of(network, member, &NO_QUEUES, |process| scene.at(row, process));
                    self.interactions.extend(steps);
                }
            }
        }
    }

    /// Whether a process is in the set.
    pub(super) fn contains(&self, process: ProcessId) -> bool {
        self.is_member.get(process.index()).copied().unwrap_or(false)
    }

    fn add(&mut self, process: ProcessId) {
        if let Some(is_member) = self.is_member.get_mut(process.index())
            && !std::mem::replace(is_member, true)
        {
            self.members.push(process);
        }
    }
}

/// Whether a process names another in any of its states.
fn names(scene: &Scene<'_>, process: ProcessId, other: ProcessId) -> bool {
    let Some(process) = scene.network.process(process) else { return false };
    process.states.of(&scene.network.states).iter().any(|state| state.partner() == Some(other))
}
