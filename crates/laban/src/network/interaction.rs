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
