//! One part of a choreography and the processes around it: where they are, and what happens at a node.

use super::super::Conditions;
use super::super::cast::{Cast, Part};
use super::super::mismatch::Reason;
use super::super::obstacle::{Obstacle, obstacle};
use crate::choreography::{Choreography, Node, NodeId};
use crate::network::{Interaction, Network, ProcessId, State, StateId};
use crate::semantics::{NO_QUEUES, Step, moves};

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

    /// What can come first at a node: the items of a race, or the node itself.
    pub(super) fn items<'b>(&'b self, node: &'b NodeId) -> &'b [NodeId] {
        match self.choreography.node(*node) {
            Node::Stop | Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => &[],
            Node::Any { items } => self.choreography.arms(items),
            _ => std::slice::from_ref(node),
        }
    }

    /// Whether somebody decides at a node.
    pub(super) fn decides(&self, item: NodeId) -> bool {
        matches!(self.choreography.node(item), Node::If { .. } | Node::Choose { .. })
    }

    /// The interaction of an item, in the names of the network.
    pub(super) fn interaction(&self, item: NodeId) -> Option<Interaction> {
        match self.choreography.node(item) {
            Node::Interaction { interaction, .. } => Some(self.cast.interaction(interaction)),
            _ => None,
        }
    }

    /// Who decides at an item.
    pub(super) fn decider(&self, item: NodeId) -> Option<ProcessId> {
        match self.choreography.node(item) {
            Node::If { process, .. } | Node::Choose { process, .. } => Some(self.cast.player(process).process),
            _ => None,
        }
    }

    /// The step that an item takes with one of its outcomes, and the node that follows.
    pub(super) fn step(&self, row: &[u32], item: NodeId, outcome: usize) -> Option<(Step, NodeId)> {
        match self.choreography.node(item) {
            Node::Stop | Node::Group { .. } | Node::Any { .. } => None,
            Node::Put { .. } | Node::Take { .. } => None,
            Node::Interaction { .. } if outcome > 0 => None,
            Node::Interaction { interaction, next } => {
                Some((Step::Interaction(self.cast.interaction(interaction)), next))
            }
            Node::If { process, then, otherwise, .. } => {
                let process = self.cast.player(process).process;
                let State::If { condition, .. } = self.network.state(self.at(row, process)) else { return None };
                let next = *[then, otherwise].get(outcome)?;
                Some((Step::Decision { process, condition, holds: outcome == 0 }, next))
            }
            Node::Choose { process, arms } => {
                let process = self.cast.player(process).process;
                let next = *self.choreography.arms(arms).get(outcome)?;
                Some((Step::Choice { process, arm: outcome as u32 }, next))
            }
        }
    }

    /// Checks that an item is possible, at its own node or in a race.
    pub(super) fn check(&self, row: &[u32], node: NodeId, item: NodeId) -> Result<(), Reason> {
        let found = match self.interaction(item) {
            None => self.not_decided(row, item),
            Some(interaction) => {
                let at = |process| self.at(row, process);
                let is_possible = moves(self.network, Step::Interaction(interaction), &NO_QUEUES, at).is_some();
                (!is_possible).then(|| obstacle(self.network, interaction, at))
            }
        };
        let Some((process, obstacle)) = found else { return Ok(()) };
        let state = self.at(row, process);
        Err(match node == item {
            true => Reason::NotEnabled { node, process, state, obstacle },
            false => Reason::ItemNotEnabled { node, item, process, state, obstacle },
        })
    }

    /// Who does not decide, or choose, as an item says, and why; nothing if it does.
    fn not_decided(&self, row: &[u32], item: NodeId) -> Option<(ProcessId, Obstacle)> {
        let process = self.decider(item)?;
        let obstacle = match (self.choreography.node(item), self.network.state(self.at(row, process))) {
            (Node::If { .. }, State::If { .. }) if self.conditions == Conditions::Any => return None,
            (Node::If { condition, .. }, State::If { condition: here, .. }) => {
                if here == self.cast.symbol(condition) {
                    return None;
                }
                Obstacle::OtherCondition
            }
            (Node::Choose { arms, .. }, State::Choose { arms: here }) => {
                if here.len() == arms.len() {
                    return None;
                }
                Obstacle::OtherArms
            }
            (_, State::Stop) => Obstacle::Stopped,
            _ => Obstacle::OtherAction,
        };
        Some((process, obstacle))
    }
}
