//! Choreographies: what the processes of a system do together, as a graph.
//!
//! A node is an action, a decision or the end; procedure calls are just edges. [`lower`](lower()) makes a
//! [`Choreography`] from a syntax tree and says what is wrong with it; [`read_off`](read_off()) goes the other way and
//! decides which nodes become procedures and what these are called. [`project`] gives the network that follows a
//! choreography, and [`amend`](amend()) adds the selections without which there isn't one.

mod amendment;
mod decision;
mod hub;
mod known;
mod lower;
mod merge;
mod parts;
mod projection;
mod race;
mod read_off;
mod unfold;
mod unprojectable;
mod view;
mod waiting;

pub use amendment::{Added, AmendOptions, Amended, AmendedBranch, Unamendable, amend};
pub use lower::{LoweredChoreography, lower};
pub use parts::ChoreographyParts;
pub use projection::{NotProjected, ProjectOptions, Projection, project};
pub use read_off::{read_off, read_off_named};
pub use unprojectable::{QueueProblem, Unprojectable};

use crate::network::{Interaction, ProcessId};
use crate::syntax::{ArenaRange, Names, Span, Symbol};

/// The number of a node in its choreography.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step of a choreography.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node {
    /// All is done.
    Stop,
    /// One interaction.
    Interaction {
        /// Which.
        interaction: Interaction,
        /// What follows.
        next: NodeId,
    },
    /// Several interactions at once: all messages are sent, then all are received. Those between the same two stay in
    /// order.
    Group {
        /// A stretch of [`Choreography::members`].
        members: ArenaRange,
        /// What follows.
        next: NodeId,
    },
    /// A message is put into a queue.
    Put {
        /// Which, from whom and to whom.
        interaction: Interaction,
        /// What follows.
        next: NodeId,
    },
    /// The oldest message of a queue is taken.
    Take {
        /// Who put it there.
        from: ProcessId,
        /// Who takes it.
        to: ProcessId,
        /// What follows.
        next: NodeId,
    },
    /// A decision of one process.
    If {
        /// Who decides.
        process: ProcessId,
        /// What decides.
        condition: Symbol,
        /// What follows if it is true.
        then: NodeId,
        /// What follows if it does not.
        otherwise: NodeId,
    },
    /// A choice of one process, by nobody's expression.
    Choose {
        /// Who chooses.
        process: ProcessId,
        /// What may follow: a stretch of [`Choreography::arms`].
        arms: ArenaRange,
    },
    /// Whichever comes first.
    Any {
        /// The items, each an interaction, a message that is put or taken, or a decision of somebody who may decide
        /// forever without interacting: a stretch of [`Choreography::arms`].
        items: ArenaRange,
    },
}

/// A choreography: independent parts, each with a node where it starts.
#[derive(Debug, Clone, Default)]
pub struct Choreography {
    /// The names in it.
    pub(crate) names: Names,
    /// The names of the processes that take part, in the order in which they are first named.
    pub(crate) processes: Vec<Symbol>,
    /// Where each part starts.
    pub(crate) starts: Vec<NodeId>,
    /// All nodes.
    pub(crate) nodes: Vec<Node>,
    /// The members of all groups.
    pub(crate) members: Vec<Interaction>,
    /// What choices and races lead to.
    pub(crate) arms: Vec<NodeId>,
    /// For each node, where it is in the text (a decision, without its branches); empty for a choreography that was not
    /// read from a text.
    pub(crate) origins: Vec<Span>,
    /// The nodes where procedures start, with their names, in the order of the text.
    pub(crate) procedures: Vec<(NodeId, Symbol)>,
}

impl Choreography {
    /// The names in it.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The names of the processes that take part, in the order in which they are first named.
    pub fn processes(&self) -> &[Symbol] {
        &self.processes
    }

    /// Where each independent part starts.
    pub fn starts(&self) -> &[NodeId] {
        &self.starts
    }

    /// All nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The members of a group.
    pub fn members(&self, members: ArenaRange) -> &[Interaction] {
        members.of(&self.members)
    }

    /// The nodes that a choice leads to, or the items of a race, in the order of the text.
    pub fn arms(&self, arms: ArenaRange) -> &[NodeId] {
        arms.of(&self.arms)
    }

    /// Whether there are choices or races in it.
    pub fn has_choices(&self) -> bool {
        !self.arms.is_empty()
    }

    /// Whether messages wait in queues between being sent and being received: there are groups, or messages that are
    /// put or taken.
    pub fn has_queues(&self) -> bool {
        let waits = |node: &Node| matches!(node, Node::Group { .. } | Node::Put { .. } | Node::Take { .. });
        self.nodes.iter().any(waits)
    }

    /// The nodes where procedures start, with their names, in the order of the text.
    pub fn procedures(&self) -> &[(NodeId, Symbol)] {
        &self.procedures
    }

    /// The text of a name, a value, a condition or a label.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    /// The node of this number; [`Node::Stop`] for a number of another choreography.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes.get(id.index()).copied().unwrap_or(Node::Stop)
    }

    /// Where a node is in the text.
    pub fn origin(&self, id: NodeId) -> Span {
        self.origins.get(id.index()).copied().unwrap_or_default()
    }

    /// The name of a process.
    pub fn process_name(&self, id: ProcessId) -> &str {
        self.processes.get(id.index()).map_or("", |&name| self.names.text(name))
    }

    /// The nodes that follow one.
    pub fn successors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let (first, second, arms) = match self.node(id) {
            Node::Stop => (None, None, &[] as &[NodeId]),
            Node::Interaction { next, .. }
            | Node::Group { next, .. }
            | Node::Put { next, .. }
            | Node::Take { next, .. } => (Some(next), None, &[] as &[NodeId]),
            Node::If { then, otherwise, .. } => (Some(then), Some(otherwise), &[] as &[NodeId]),
            Node::Choose { arms, .. } | Node::Any { items: arms } => (None, None, self.arms(arms)),
        };
        first.into_iter().chain(second).chain(arms.iter().copied())
    }
}
