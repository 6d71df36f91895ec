//! Symbolic execution graphs: what a search finds.
//!
//! A node is a state of the network that was reached, but nothing of the state is left in it: only the action that was
//! chosen there and where it leads. That is all that a choreography is made of, and all that a run is made of.

use super::machine::ActionId;
use crate::semantics::{Action, Step};
use std::collections::VecDeque;

/// The node has no action: all is done there.
pub(super) const STOP: u32 = u32::MAX;
/// The node has not been expanded, or an action has no second outcome.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A node: the action that was chosen, and where it leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SegNode {
    pub(super) action: u32,
    pub(super) targets: [u32; 2],
}

/// A symbolic execution graph. Its first node is where the network starts.
#[derive(Debug, Clone, Default)]
pub struct Seg {
    /// What the edges are labelled with.
    pub actions: Vec<Action>,
    pub(super) nodes: Vec<SegNode>,
    /// For each node whether the edges to it from the first and second outcome erase the marking.
    pub(super) erasing: Vec<u8>,
}

impl Seg {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The action that was chosen at a node; none where all is done.
    pub fn action(&self, node: u32) -> Option<ActionId> {
        self.nodes.get(node as usize).filter(|node| node.action != STOP).map(|node| ActionId(node.action))
    }

    /// What an action is.
    pub fn describe(&self, action: ActionId) -> Option<Action> {
        self.actions.get(action.0 as usize).copied()
    }

    /// Where the action of a node leads: for a decision, first if the condition holds, then if it does not.
    pub fn targets(&self, node: u32) -> impl Iterator<Item = u32> {
        let targets = self.nodes.get(node as usize).map_or([NOWHERE; 2], |node| node.targets);
        targets.into_iter().filter(|&target| target != NOWHERE)
    }

    /// Whether the marking is erased when the action of a node has this outcome.
    pub fn erases(&self, node: u32, outcome: usize) -> bool {
        self.erasing.get(node as usize).is_some_and(|&bits| bits >> outcome & 1 == 1)
    }

    /// The step from a node to the target of an outcome.
    pub(super) fn step(&self, node: u32, outcome: usize) -> Option<Step> {
        let action = self.action(node)?;
        Some(self.describe(action)?.step(outcome == 0))
    }

    /// A shortest run from the start to a node.
    pub fn shortest_run(&self, goal: u32) -> Vec<Step> {
        // For each node, where it was reached from and with which outcome.
        let mut before = vec![(NOWHERE, 0u8); self.nodes.len()];
        let mut queue = VecDeque::from([0u32]);
        'search: while let Some(node) = queue.pop_front() {
            if node == goal {
                break;
            }
            let targets = self.nodes.get(node as usize).map_or([NOWHERE; 2], |node| node.targets);
            for (outcome, &target) in targets.iter().enumerate() {
                if target != NOWHERE && target != 0 && before[target as usize].0 == NOWHERE {
                    before[target as usize] = (node, outcome as u8);
                    if target == goal {
                        break 'search;
                    }
                    queue.push_back(target);
                }
            }
        }
        let mut run = Vec::new();
        let mut at = goal;
        while at != 0 {
            let (from, outcome) = before.get(at as usize).copied().unwrap_or((NOWHERE, 0));
            let Some(step) = self.step(from, usize::from(outcome)) else { break };
            run.push(step);
            at = from;
        }
        run.reverse();
        run
    }
}
