//! Why a choreography has no projection, as data and in words.

use super::decision::Decision;
use super::{Choreography, Node, NodeId};
use crate::diagnostic::{Code, Diagnostic, quote};
use crate::network::{Content, Interaction, ProcessId};
use crate::syntax::{Span, Symbol};
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
    /// The messages do not fit the queues.
    Queue {
        /// Where.
        node: NodeId,
        /// Whose messages.
        from: ProcessId,
        /// To whom.
        to: ProcessId,
        /// What is wrong.
        problem: QueueProblem,
    },
    /// A race of interactions that have no process in common.
    NoHub {
        /// Where.
        node: NodeId,
    },
}

/// What is wrong with the messages from one process to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QueueProblem {
    /// A message is taken where there may be none.
    NothingToTake,
    /// A message is put and never taken.
    NeverTaken,
    /// Messages wait that this one would overtake.
    Overtakes,
    /// The queue is longer each time round a loop.
    Grows,
}

/// A short form without names, since those are in the choreography; [`Unprojectable::diagnostic`] has them.
impl Display for Unprojectable {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Unprojectable::Queue { problem, .. } => f.write_str(problem.words()),
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

impl Unprojectable {
    /// The process that needs to know.
    pub fn process(&self) -> Option<ProcessId> {
        match self {
            Unprojectable::Uninformed { process, .. } => Some(*process),
            Unprojectable::Queue { .. } | Unprojectable::NoHub { .. } => None,
        }
    }

    /// The conditional, the race or the message.
    pub fn node(&self) -> NodeId {
        match self {
            Unprojectable::Uninformed { conditional, .. } => *conditional,
            Unprojectable::Queue { node, .. } | Unprojectable::NoHub { node } => *node,
        }
    }

    /// Gives all nodes other numbers.
    pub(super) fn renumber(&mut self, number: impl Fn(NodeId) -> NodeId) {
        match self {
            Unprojectable::Queue { node, .. } | Unprojectable::NoHub { node } => *node = number(*node),
            Unprojectable::Uninformed { conditional, alike, clash, .. } => {
                *conditional = number(*conditional);
                alike.iter_mut().flatten().chain(clash.iter_mut().flatten()).for_each(|node| *node = number(*node));
            }
        }
    }

    /// The reason as a message about the text of the choreography.
    pub fn diagnostic(&self, choreography: &Choreography) -> Diagnostic {
        match self {
            Unprojectable::Queue { node, from, to, problem } => {
                let [from, to] = [*from, *to].map(|process| choreography.process_name(process));
                problem.diagnostic(choreography.origin(*node), from, to)
            }
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
                if case.could_send_too_late() {
                    return diagnostic.hint(format!(
                        "`{name}` could send although the answer of `{decides}` already waits in a queue: let the two \
                         communicate at once, with `->`"
                    ));
                }
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

impl QueueProblem {
    /// What is wrong, without names.
    fn words(self) -> &'static str {
        match self {
            QueueProblem::NothingToTake => "a message is taken where there may be none",
            QueueProblem::NeverTaken => "a message is put into a queue and never taken",
            QueueProblem::Overtakes => "a message would overtake others that wait in the same queue",
            QueueProblem::Grows => "a queue is longer each time round a loop",
        }
    }

    fn diagnostic(self, span: Span, from: &str, to: &str) -> Diagnostic {
        let (message, label, hint) = match self {
            QueueProblem::NothingToTake => (
                format!("there may be no message from `{from}` for `{to}` to take"),
                format!("the queue from {from} to {to} may be empty here"),
                format!("put a message into the queue before, on each way to here: `{from}.value ~> {to}`"),
            ),
            QueueProblem::NeverTaken => (
                format!("`{to}` never takes this message from `{from}`"),
                "put into a queue here".to_string(),
                format!("let `{to}` take it later: `{to} <~ {from}`"),
            ),
            QueueProblem::Overtakes => (
                format!("this message from `{from}` to `{to}` would overtake one that still waits in the queue"),
                "sent and received at once".to_string(),
                format!("take the others first, `{to} <~ {from}`, or put this one behind them with `~>`"),
            ),
            QueueProblem::Grows => (
                format!("the queue from `{from}` to `{to}` is longer each time round the loop"),
                "one more each time".to_string(),
                format!("let `{to}` take as many messages in the loop as `{from}` puts: `{to} <~ {from}`"),
            ),
        };
        Diagnostic::new(Code::QueueProjection, span, message).label(label).hint(hint)
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

    /// Whether the process sends to the other in one of the two cases and hears from it in the other one, and there is
    /// a queue between them.
    fn could_send_too_late(&self) -> bool {
        let (process, decider) = (self.process, self.decision.decider);
        let sends =
            |node: NodeId| self.interaction(node).is_some_and(|(one, _)| (one.from, one.to) == (process, decider));
        let hears = |node: NodeId| match self.choreography.node(node) {
            Node::Interaction { interaction, .. } => (interaction.from, interaction.to) == (decider, process),
            Node::Take { from, to, .. } => (from, to) == (decider, process),
            _ => false,
        };
        let [Some(one), Some(other)] = *self.clash else { return false };
        if !self.decision.is_race() {
            return false;
        }
        let are_ends = |from: ProcessId, to: ProcessId| [(from, to), (to, from)].contains(&(process, decider));
        let waits = |node: &Node| match *node {
            Node::Put { interaction, .. } => are_ends(interaction.from, interaction.to),
            Node::Take { from, to, .. } => are_ends(from, to),
            Node::Group { members, .. } => {
                self.choreography.members(members).iter().any(|member| are_ends(member.from, member.to))
            }
            _ => false,
        };
        ((sends(one) && hears(other)) || (hears(one) && sends(other))) && self.choreography.nodes.iter().any(waits)
    }

    fn interaction(&self, node: NodeId) -> Option<(Interaction, NodeId)> {
        match self.choreography.node(node) {
            Node::Interaction { interaction, next } | Node::Put { interaction, next } => Some((interaction, next)),
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

    /// The label that the decider selects at the process soon after a node, before the next decision.
    fn late_label_from_decider(&self, node: NodeId) -> Option<Symbol> {
        /// A label that comes later than this was not meant for the decision.
        const SOON: usize = 1000;
        let mut at = node;
        for _ in 0..SOON {
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
        match self.choreography.node(node) {
            Node::Interaction { interaction, .. } => interaction.to == self.process,
            Node::Take { to, .. } => to == self.process,
            _ => false,
        }
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
