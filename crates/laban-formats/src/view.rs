//! What a text describes: processes one by one, or what they do together.

use crate::protocol::Protocol;
use crate::system::System;

/// What a text describes, in an intermediate form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum View {
    /// What each process does.
    Local(System),
    /// What all of them do together.
    Global(Protocol),
}

impl Default for View {
    fn default() -> Self {
        View::Local(System::default())
    }
}
