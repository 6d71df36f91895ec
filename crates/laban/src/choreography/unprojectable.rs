//! Why a choreography has no projection, as data and in words.

use super::decision::Decision;
use super::{Choreography, Node, NodeId};
use crate::diagnostic::{Code, Diagnostic, quote};
use crate::network::{Content, Interaction, ProcessId};
use crate::syntax::Symbol;
use std::error::Error;
use std::fmt::{Display, Formatter};

/// Why a choreography has no projection.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unprojectable {
    /// A process must act on a decision of another process, or on a race, but is never told how it went.
    Uninformed {
        /// Who needs to know.
        process: ProcessId,
        /// The conditional, the choice or the race.
        conditional: NodeId,
        /// Two of its branches that differ for the process.
        arms: [usize; 2],
        /// What the process does in both branches before they differ: actions, in pairs.
        alike: Vec<[NodeId; 2]>,
        /// What the process must do in each branch, as text, up to where they differ.
        behaviours: [String; 2],
        /// The actions that differ; `None` where the process has nothing more to do.
        clash: [Option<NodeId>; 2],
    },
    /// Several interactions at once.
    Group {
        /// Where.
        node: NodeId,
    },
    /// A race of interactions that have no process in common.
    NoHub {
        /// Where.
        node: NodeId,
    },
}

/// A short form without names, since those are in the choreography; [`Unprojectable::diagnostic`] has them.
impl Display for Unprojectable {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Unprojectable::Group { .. } => f.write_str(GROUP),
            Unprojectable::NoHub { .. } => f.write_str(NO_HUB),
            Unprojectable::Uninformed { process, behaviours: [then, otherwise], .. } => write!(
                f,
                "process number {} is not told of a decision: it would have to do {} or {}",
                process.0,
                quote(then),
                quote(otherwise)
            ),
        }
    }
}

impl Error for Unprojectable {}

const NO_HUB: &str =
    "the items of this `any` have no process in common, so nobody can tell the others which came first";
const GROUP: &str = "a group cannot be projected: without queues, a process does one thing at a time";

impl Unprojectable {
    /// The process that needs to know.
    pub fn process(&self) -> Option<ProcessId> {
        match self {
            Unprojectable::Uninformed { process, .. } => Some(*process),
            Unprojectable::Group { .. } | Unprojectable::NoHub { .. } => None,
        }
    }

    /// The conditional, the race or the group.
    pub fn node(&self) -> NodeId {
        match self {
            Unprojectable::Uninformed { conditional, .. } => *conditional,
            Unprojectable::Group { node } | Unprojectable::NoHub { node } => *node,
        }
    }

    /// The reason as a message about the text of the choreography.
    pub fn diagnostic(&self, choreography: &Choreography) -> Diagnostic {
        match self {
            Unprojectable::Group { node } => Diagnostic::new(Code::GroupProjection, choreography.origin(*node), GROUP)
                .label("all of this at once")
                .hint("write the interactions one after the other"),
            Unprojectable::NoHub { node } => Diagnostic::new(Code::Unprojectable, choreography.origin(*node), NO_HUB)
                .label("nobody takes part in all of this")
                .hint("let one process take part in every item: it does whichever comes first, and tells the others"),
            Unprojectable::Uninformed { process, conditional, arms, alike, behaviours, clash } => {
                let name = choreography.process_name(*process);
                let Some(decision) = Decision::new(choreography, *process, *conditional, *arms) else {
                    return Diagnostic::new(Code::Unprojectable, choreography.origin(*conditional), self.to_string());
                };
                let decides = choreography.process_name(decision.decider);
                let message = decision.message(&quote(name), &quote(decides), behaviours);
                let mut diagnostic = Diagnostic::new(Code::Unprojectable, choreography.origin(*conditional), message)
                    .label(decision.label(decides));
                for (place, outcome) in clash.iter().zip(&decision.outcomes) {
                    if let Some(node) = place {
                        diagnostic = diagnostic.at(choreography.origin(*node), format!("{name} does this {outcome}"));
                    }
                }
                let case = Case { choreography, process: *process, decision: &decision, alike, clash };
                diagnostic = diagnostic.hint(format!("{}; `laban amend` adds the missing selections", case.advice()));
                if case.may_be_service() {
                    diagnostic = diagnostic
                        .hint(format!("or, if `{name}` may wait forever, make it a service with `--service {name}`"));
                }
                diagnostic
            }
        }
    }
}

/// One process that is not told, and how to fix it.
struct Case<'a> {
    choreography: &'a Choreography,
    process: ProcessId,
    decision: &'a Decision,
    alike: &'a [[NodeId; 2]],
    clash: &'a [Option<NodeId>; 2],
}

impl Case<'_> {
    /// What the author can do, depending on what is already there.
    fn advice(&self) -> String {
        let name = self.choreography.process_name(self.process);
        let decides = self.choreography.process_name(self.decision.decider);
        if let Some(label) = self.alike.iter().find_map(|&[node, _]| self.label_from_decider(node)) {
            let label = self.choreography.names.text(label);
            return format!(
                "`{decides}` selects `{label}` at `{name}` in both {}: use different labels",
                self.decision.branches
            );
        }
        let labels = self.clash.map(|node| node.and_then(|node| self.label_from_decider(node)));
        let late_labels = self.clash.map(|node| node.and_then(|node| self.late_label_from_decider(node)));
        match (labels, late_labels) {
            ([Some(_), None], [_, Some(late)])
            | ([None, Some(_)], [Some(late), _])
            | ([None, None], [Some(late), _]) => {
                let late = self.choreography.names.text(late);
                format!("`{decides}` tells `{name}` too late: select `{late}` before anything else that `{name}` does")
            }
            ([Some(_), None], _) => self.only_told(0),
            ([None, Some(_)], _) => self.only_told(1),
            _ if self.alike.iter().any(|&[node, _]| self.value_from_decider(node)) => {
                format!(
                    "a value from `{decides}` does not tell `{name}` what to do: select different labels in the two \
                     {}",
                    self.decision.branches
                )
            }
            _ if self.receives_in_both() => {
                format!(
                    "a projection does not let `{name}` wait for whichever comes first: let `{decides}`, which decides, select different \
                     labels at `{name}` in the two {}",
                    self.decision.branches
                )
            }
            _ => {
                format!(
                    "let `{decides}` select different labels at `{name}` in the two {}, `{decides} -> {name}[…]`",
                    self.decision.branches
                )
            }
        }
    }

    /// What the author can do where the process is told on one side only.
    fn only_told(&self, side: usize) -> String {
        let name = self.choreography.process_name(self.process);
        let decides = self.choreography.process_name(self.decision.decider);
        let [told, not_told] = [self.decision.outcomes[side].as_str(), self.decision.others[1 - side].as_str()];
        format!("`{decides}` tells `{name}` only {told}: select another label at `{name}` {not_told}")
    }

    fn interaction(&self, node: NodeId) -> Option<(Interaction, NodeId)> {
        match self.choreography.node(node) {
            Node::Interaction { interaction, next } => Some((interaction, next)),
            _ => None,
        }
    }

    /// The label that the decider selects at the process, at a node.
    fn label_from_decider(&self, node: NodeId) -> Option<Symbol> {
        match self.interaction(node)?.0 {
            Interaction { from, to, content } if from == self.decision.decider && to == self.process => content.label(),
            _ => None,
        }
    }

    /// The label that the decider selects at the process after a node, before the next decision.
    fn late_label_from_decider(&self, node: NodeId) -> Option<Symbol> {
        let mut at = node;
        for _ in 0..self.choreography.nodes.len() {
            at = self.interaction(at)?.1;
            if at == node {
                return None;
            }
            if let Some(label) = self.label_from_decider(at) {
                return Some(label);
            }
        }
        None
    }

    /// Whether the decider sends the process a value at a node.
    fn value_from_decider(&self, node: NodeId) -> bool {
        self.interaction(node).is_some_and(|(Interaction { from, to, content }, _)| {
            from == self.decision.decider && to == self.process && matches!(content, Content::Value(_))
        })
    }

    /// Whether the process receives something at a node.
    fn receives(&self, node: NodeId) -> bool {
        self.interaction(node).is_some_and(|(interaction, _)| interaction.to == self.process)
    }

    /// Whether the process receives something in both branches where they differ.
    fn receives_in_both(&self) -> bool {
        self.clash.iter().all(|node| node.is_some_and(|node| self.receives(node)))
    }

    /// Whether the process has one thing to wait for in one branch, and nothing to do in the other.
    fn may_be_service(&self) -> bool {
        matches!(*self.clash, [Some(node), None] | [None, Some(node)] if self.receives(node))
    }
}
