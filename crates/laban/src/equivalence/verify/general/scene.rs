//! One part of a choreography and the processes around it: where they are, and what happens at a node.

use super::super::Conditions;
use super::super::cast::{Cast, Part};
use super::super::mismatch::Reason;
use super::super::obstacle::{Obstacle, obstacle};
use crate::choreography::{Choreography, Node, NodeId};
use crate::network::{Interaction, Network, ProcessId, State, StateId};
use crate::semantics::Step;

/// No state: that of a process which takes part elsewhere.
const NOWHERE: StateId = StateId(u32::MAX);

/// One part of a choreography, and the network.
pub(super) struct Scene<'a> {
    pub(super) network: &'a Network,
    pub(super) choreography: &'a Choreography,
    pub(super) cast: &'a Cast,
    pub(super) part: &'a Part,
    conditions: Conditions,
    /// The processes that are absent from the choreography and could be idle: they never leave their start.
    absent: Vec<ProcessId>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        network: &'a Network,
        choreography: &'a Choreography,
        cast: &'a Cast,
        part: &'a Part,
        conditions: Conditions,
    ) -> Self {
        let is_absent = |process: &ProcessId| cast.slot(*process).is_none();
        // Nobody asks for them if nobody is idle.
        let absent = match network.idle.is_empty() {
            true => Vec::new(),
            false => network.process_ids().filter(is_absent).collect(),
        };
        Scene { network, choreography, cast, part, conditions, absent }
    }

    /// The processes that take part.
    pub(super) fn members(&self) -> &'a [ProcessId] {
        self.cast.process_at.get(self.part.slots.clone()).unwrap_or(&[])
    }

    /// The place of a process in the rows of this part, if it takes part.
    pub(super) fn place(&self, process: ProcessId) -> Option<usize> {
        let slot = self.cast.slot(process).filter(|slot| self.part.slots.contains(slot))?;
        Some(slot - self.part.slots.start)
    }

    /// Whether a process takes part in another part, so that it is not known here where it is.
    pub(super) fn is_elsewhere(&self, process: ProcessId) -> bool {
        self.cast.slot(process).is_some_and(|slot| !self.part.slots.contains(&slot))
    }

    /// In which state a process is. Whoever is absent is where it starts; whoever takes part elsewhere is nowhere.
    pub(super) fn at(&self, row: &[u32], process: ProcessId) -> StateId {
        match self.place(process) {
            Some(place) => row.get(place).map_or(NOWHERE, |&state| StateId(state)),
            None if self.is_elsewhere(process) => NOWHERE,
            None => self.network.process(process).map_or(NOWHERE, |process| process.start),
        }
    }

    /// Whether a process is left that may not wait forever.
    pub(super) fn must_act(&self, row: &[u32], process: ProcessId) -> bool {
        !self.network.may_wait(process, self.at(row, process))
    }

    /// The processes that wait idly and are not services.
    pub(super) fn idle<'b>(&'b self, row: &'b [u32]) -> impl Iterator<Item = ProcessId> + 'b {
        let candidates = if self.network.idle.is_empty() { &[] } else { self.members() };
        candidates.iter().chain(&self.absent).copied().filter(|&process| {
            let is_service = self.network.process(process).is_some_and(|process| process.service);
            !is_service && self.network.is_idle(self.at(row, process))
        })
    }

    /// The interaction of a node, in the names of the network, and what follows it.
    pub(super) fn interaction(&self, node: NodeId) -> Option<(Interaction, NodeId)> {
        match self.choreography.node(node) {
            Node::Interaction { interaction, next } => Some((self.cast.interaction(interaction), next)),
            _ => None,
        }
    }

    /// The step that a node takes on one of its sides, and the node that follows.
    pub(super) fn step(&self, row: &[u32], node: NodeId, side: usize) -> Option<(Step, NodeId)> {
        match self.choreography.node(node) {
            Node::Stop | Node::Group { .. } => None,
            Node::Interaction { .. } if side > 0 => None,
            Node::Interaction { .. } => self.interaction(node).map(|(one, next)| (Step::Interaction(one), next)),
            Node::Any { items } => {
                let (interaction, next) = self.interaction(*self.choreography.arms(items).get(side)?)?;
                Some((Step::Interaction(interaction), next))
            }
            Node::If { process, then, otherwise, .. } => {
                let process = self.cast.player(process).process;
                let State::If { condition, .. } = self.network.state(self.at(row, process)) else { return None };
                let next = *[then, otherwise].get(side)?;
                Some((Step::Decision { process, condition, holds: side == 0 }, next))
            }
            Node::Choose { process, arms } => {
                let process = self.cast.player(process).process;
                let next = *self.choreography.arms(arms).get(side)?;
                Some((Step::Choice { process, arm: side as u32 }, next))
            }
        }
    }

    /// Why a process does not decide, or choose, as a node says; nothing if it does.
    pub(super) fn not_decided(&self, row: &[u32], node: NodeId) -> Option<Reason> {
        let (player, obstacle) = match self.choreography.node(node) {
            Node::If { process, condition, .. } => {
                let player = self.cast.player(process).process;
                let obstacle = match self.network.state(self.at(row, player)) {
                    State::If { .. } if self.conditions == Conditions::Any => return None,
                    State::If { condition: here, .. } if here == self.cast.symbol(condition) => return None,
                    State::If { .. } => Obstacle::OtherCondition,
                    State::Stop => Obstacle::Stopped,
                    _ => Obstacle::OtherAction,
                };
                (player, obstacle)
            }
            Node::Choose { process, arms } => {
                let player = self.cast.player(process).process;
                let obstacle = match self.network.state(self.at(row, player)) {
                    State::Choose { arms: here } if here.len() == arms.len() => return None,
                    State::Choose { .. } => Obstacle::OtherArms,
                    State::Stop => Obstacle::Stopped,
                    _ => Obstacle::OtherAction,
                };
                (player, obstacle)
            }
            _ => return None,
        };
        Some(Reason::NotEnabled { node, process: player, state: self.at(row, player), obstacle })
    }

    /// Why an interaction is not possible, at its own node or as an item of a race.
    pub(super) fn not_enabled(&self, row: &[u32], node: NodeId, race: Option<NodeId>) -> Option<Reason> {
        let (interaction, _) = self.interaction(node)?;
        let (process, obstacle) = obstacle(self.network, interaction, |process| self.at(row, process));
        let state = self.at(row, process);
        Some(match race {
            None => Reason::NotEnabled { node, process, state, obstacle },
            Some(race) => Reason::ItemNotEnabled { node: race, item: node, process, state, obstacle },
        })
    }
}
