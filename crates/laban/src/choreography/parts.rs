//! Choreographies that do not come from a text: from another tool's format, or made by a program.
//!
//! The fields of a [`Choreography`] are private, so that whatever number is found in one leads somewhere. Who builds
//! one puts [`ChoreographyParts`] together, and [`Choreography::from_parts`] looks at all of it.

use super::{Choreography, Node, NodeId};
use crate::diagnostic::InvalidParts;
use crate::network::{Interaction, ProcessId, check_common};
use crate::syntax::{Names, Span, Symbol};

/// What a choreography is made of.
#[derive(Debug, Clone, Default)]
pub struct ChoreographyParts {
    /// The names in it.
    pub names: Names,
    /// The names of the processes that take part.
    pub processes: Vec<Symbol>,
    /// Where each independent part starts.
    pub starts: Vec<NodeId>,
    /// All nodes.
    pub nodes: Vec<Node>,
    /// The members of all groups.
    pub members: Vec<Interaction>,
    /// What choices and races lead to.
    pub arms: Vec<NodeId>,
    /// For each node, where it is in a text; may be empty.
    pub origins: Vec<Span>,
    /// The nodes where procedures start, with their names.
    pub procedures: Vec<(NodeId, Symbol)>,
}

impl Choreography {
    /// Makes a choreography of its parts, if every number in them leads somewhere.
    pub fn from_parts(parts: ChoreographyParts) -> Result<Choreography, InvalidParts> {
        let count = parts.nodes.len();
        let invalid = |what: &'static str| Err(InvalidParts(what));
        check_common(&parts.names, parts.processes.iter().copied(), count, parts.origins.len())?;
        let is_name = |symbol: Symbol| symbol.index() < parts.names.len();
        let is_node = |node: NodeId| node.index() < count;
        let is_process = |process: ProcessId| process.index() < parts.processes.len();
        let is_interaction = |interaction: &Interaction| {
            let Interaction { from, to, content } = *interaction;
            let has_names = content.label().is_none_or(is_name) && content.value().is_none_or(is_name);
            from != to && is_process(from) && is_process(to) && has_names
        };
        let is_valid = |node: &Node| match *node {
            Node::Stop => true,
            Node::Interaction { ref interaction, next } => is_interaction(interaction) && is_node(next),
            Node::Put { ref interaction, next } => is_interaction(interaction) && is_node(next),
            Node::Take { from, to, next } => from != to && is_process(from) && is_process(to) && is_node(next),
            Node::Group { members, next } => {
                let members = parts.members.get(members.start as usize..members.end as usize);
                is_node(next) && members.is_some_and(|members| members.iter().all(is_interaction))
            }
            Node::If { process, condition, then, otherwise } => {
                is_process(process) && is_name(condition) && is_node(then) && is_node(otherwise)
            }
            Node::Choose { process, arms } => {
                let arms = parts.arms.get(arms.start as usize..arms.end as usize);
                is_process(process) && arms.is_some_and(|arms| !arms.is_empty() && arms.iter().all(|&arm| is_node(arm)))
            }
            Node::Any { items } => {
                let can_be_first = |item: &NodeId| {
                    let node = parts.nodes.get(item.index());
                    node.is_some_and(|node| match node {
                        Node::Interaction { .. } | Node::Put { .. } | Node::Take { .. } => true,
                        Node::If { .. } | Node::Choose { .. } => true,
                        Node::Stop | Node::Group { .. } | Node::Any { .. } => false,
                    })
                };
                let items = parts.arms.get(items.start as usize..items.end as usize);
                items.is_some_and(|items| !items.is_empty() && items.iter().all(can_be_first))
            }
        };
        if !parts.nodes.iter().all(is_valid) {
            return invalid("a node leads nowhere, or names what is not there");
        }
        let starts_somewhere = parts.starts.iter().all(|&start| is_node(start));
        if !starts_somewhere || !parts.procedures.iter().all(|&(node, name)| is_node(node) && is_name(name)) {
            return invalid("a part or a procedure starts nowhere");
        }
        let ChoreographyParts { names, processes, starts, nodes, members, arms, origins, procedures } = parts;
        Ok(Choreography { names, processes, starts, nodes, members, arms, origins, procedures })
    }

    /// Takes a choreography apart.
    pub fn into_parts(self) -> ChoreographyParts {
        let Choreography { names, processes, starts, nodes, members, arms, origins, procedures } = self;
        ChoreographyParts { names, processes, starts, nodes, members, arms, origins, procedures }
    }
}
