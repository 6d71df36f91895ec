//! What happens in a network, in words: as a choreography writes it.

use super::{Action, Step};
use crate::network::{Content, Interaction, Network};
use std::fmt::{Display, Formatter, Result};

impl Step {
    /// The step as a choreography writes it: `buyer.title -> seller`, `buyer -> seller[ok]`, and for a decision
    /// `buyer decides happy: yes` or `buyer chooses item 2`. With a queue, `buyer puts title into the queue to seller`
    /// and `seller takes title from buyer`.
    pub fn describe(self, network: &Network) -> DescribedStep<'_> {
        DescribedStep { network, step: self }
    }
}

impl Action {
    /// The action as a choreography writes it, and for a decision `buyer decides happy`.
    pub fn describe(self, network: &Network) -> DescribedAction<'_> {
        DescribedAction { network, action: self }
    }
}

/// An action that prints itself.
#[derive(Debug, Clone, Copy)]
pub struct DescribedAction<'a> {
    network: &'a Network,
    action: Action,
}

impl Display for DescribedAction<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.action {
            Action::Interaction(interaction) => Step::Interaction(interaction).describe(self.network).fmt(f),
            Action::Put(interaction) => Step::Put(interaction).describe(self.network).fmt(f),
            Action::Take(interaction) => Step::Take(interaction).describe(self.network).fmt(f),
            Action::Decision { process, condition } => {
                write!(f, "{} decides {}", self.network.process_name(process), self.network.names.text(condition))
            }
            Action::Choice { process, .. } => write!(f, "{} chooses", self.network.process_name(process)),
            Action::Race => write!(f, "whichever comes first"),
        }
    }
}

/// A step that prints itself.
#[derive(Debug, Clone, Copy)]
pub struct DescribedStep<'a> {
    network: &'a Network,
    step: Step,
}

impl Display for DescribedStep<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let name = |process| self.network.process_name(process);
        let text = |symbol| self.network.names.text(symbol);
        match self.step {
            Step::Interaction(Interaction { from, to, content: Content::Value(expression) }) => {
                write!(f, "{}.{} -> {}", name(from), text(expression), name(to))
            }
            Step::Interaction(Interaction { from, to, content: Content::Label(label) }) => {
                write!(f, "{} -> {}[{}]", name(from), name(to), text(label))
            }
            Step::Interaction(Interaction { from, to, content: Content::LabelledValue { label, value } }) => {
                write!(f, "{}.{} -> {}[{}]", name(from), text(value), name(to), text(label))
            }
            Step::Put(Interaction { from, to, content }) => {
                write!(f, "{} puts {} into the queue to {}", name(from), content.describe(self.network), name(to))
            }
            Step::Take(Interaction { from, to, content }) => {
                write!(f, "{} takes {} from {}", name(to), content.describe(self.network), name(from))
            }
            Step::Choice { process, arm } => write!(f, "{} chooses item {}", name(process), arm + 1),
            Step::Decision { process, condition, holds } => {
                write!(f, "{} decides {}: {}", name(process), text(condition), if holds { "yes" } else { "no" })
            }
        }
    }
}
