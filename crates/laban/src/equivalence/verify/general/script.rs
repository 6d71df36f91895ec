//! A choreography with its groups written out: all messages of a group are put, then all are taken, one by one.
//!
//! The first event of a group is at the node of the group; the others are at nodes of their own, with numbers after
//! those of the choreography. Networks without queues need none of this.

use crate::choreography::{Choreography, Node, NodeId};
use crate::network::{Interaction, Network};
use rustc_hash::FxHashMap;

/// A choreography, with its groups written out if the network has queues.
pub(in super::super) struct Script<'a> {
    choreography: &'a Choreography,
    /// For each group, the number of its first event.
    first: FxHashMap<NodeId, u32>,
    /// The events of all groups, one group after the other.
    events: Vec<Event>,
    /// Whether messages are put and taken by themselves somewhere, in groups or not.
    pub(super) has_events: bool,
    /// Whether there are services: with queues they may not be forgotten, since what they send is kept.
    pub(super) has_services: bool,
}

/// One event of a group.
#[derive(Clone, Copy)]
struct Event {
    group: NodeId,
    /// Which of its members, from 0.
    member: u32,
    node: Node,
}

impl<'a> Script<'a> {
    pub(in super::super) fn new(network: &Network, choreography: &'a Choreography) -> Self {
        let mut script = Script {
            choreography,
            first: FxHashMap::default(),
            events: Vec::new(),
            has_events: false,
            has_services: false,
        };
        if !network.has_queues() {
            return script;
        }
        script.has_services = network.processes.iter().any(|process| process.service);
        for (node, number) in choreography.nodes.iter().zip(0..) {
            match *node {
                Node::Put { .. } | Node::Take { .. } => script.has_events = true,
                Node::Group { members, next } => script.write_out(NodeId(number), choreography.members(members), next),
                _ => {}
            }
        }
        script
    }

    /// Whether messages wait in queues, or might because of a service.
    pub(super) fn needs_queues(&self) -> bool {
        self.has_events || self.has_services
    }

    fn write_out(&mut self, group: NodeId, members: &[Interaction], next: NodeId) {
        if members.is_empty() {
            return;
        }
        self.has_events = true;
        self.first.insert(group, self.events.len() as u32);
        let last = self.events.len() + 2 * members.len() - 1;
        let count = self.choreography.nodes.len();
        let following = |event: usize| if event == last { next } else { NodeId((count + event + 1) as u32) };
        for (&interaction, member) in members.iter().zip(0..) {
            let node = Node::Put { interaction, next: following(self.events.len()) };
            self.events.push(Event { group, member, node });
        }
        for (&Interaction { from, to, .. }, member) in members.iter().zip(0..) {
            let node = Node::Take { from, to, next: following(self.events.len()) };
            self.events.push(Event { group, member, node });
        }
    }

    /// What happens at a node. A group is its first event.
    pub(in super::super) fn node(&self, id: NodeId) -> Node {
        match self.choreography.nodes.get(id.index()) {
            Some(&Node::Group { .. }) => self.event(id).map_or(self.choreography.node(id), |event| event.node),
            Some(&node) => node,
            None => self.event(id).map_or(Node::Stop, |event| event.node),
        }
    }

    /// The node as it is written: the group, for an event of a group.
    pub(super) fn written(&self, id: NodeId) -> NodeId {
        self.event(id).map_or(id, |event| event.group)
    }

    /// Which member of a group an event is about, from 0.
    pub(super) fn member(&self, id: NodeId) -> Option<usize> {
        Some(self.event(id)?.member as usize)
    }

    /// The messages of a group, at its first event.
    pub(super) fn messages(&self, id: NodeId) -> &'a [Interaction] {
        match self.choreography.node(id) {
            Node::Group { members, .. } => self.choreography.members(members),
            _ => &[],
        }
    }

    /// The nodes that follow one.
    pub(super) fn successors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let own = match self.node(id) {
            Node::Put { next, .. } | Node::Take { next, .. } => Some(next),
            _ => None,
        };
        let others = own.is_none().then(|| self.choreography.successors(id));
        own.into_iter().chain(others.into_iter().flatten())
    }

    fn event(&self, id: NodeId) -> Option<&Event> {
        let number = match id.index().checked_sub(self.choreography.nodes.len()) {
            Some(number) => number,
            None => *self.first.get(&id)? as usize,
        };
        self.events.get(number)
    }
}
