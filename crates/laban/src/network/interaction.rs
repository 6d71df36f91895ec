//! What goes from one process to another.

use super::ProcessId;
use crate::syntax::Symbol;

/// What goes from one process to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// A value: the expression that the sender evaluates.
    Value(Symbol),
    /// A label that the sender selects.
    Label(Symbol),
    /// A label that the sender selects, and a value with it.
    LabelledValue {
        /// The label.
        label: Symbol,
        /// The expression that the sender evaluates.
        value: Symbol,
    },
}

impl Content {
    /// The label, if there is one.
    pub fn label(self) -> Option<Symbol> {
        match self {
            Content::Value(_) => None,
            Content::Label(label) | Content::LabelledValue { label, .. } => Some(label),
        }
    }

    /// The value, if there is one.
    pub fn value(self) -> Option<Symbol> {
        match self {
            Content::Label(_) => None,
            Content::Value(value) | Content::LabelledValue { value, .. } => Some(value),
        }
    }
}

/// A communication or selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interaction {
    /// Who sends or selects.
    pub from: ProcessId,
    /// Who receives or offers.
    pub to: ProcessId,
    /// What.
    pub content: Content,
}
