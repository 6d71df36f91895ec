//! Exit statuses.

use laban::extraction::Verdict;
use std::process::ExitCode;

/// The answer in one number, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// 0: yes.
    Yes,
    /// 1: a negative answer.
    No,
    /// 3: undecided within the limits.
    Undecided,
    /// 2: bad input or usage.
    Bad,
    /// 4: a fault of the program itself.
    Fault,
}

impl Exit {
    /// The number.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Yes => 0,
            Exit::No => 1,
            Exit::Bad => 2,
            Exit::Undecided => 3,
            Exit::Fault => 4,
        }
    }

    /// Of several answers the worst.
    pub(crate) fn and(&mut self, other: Exit) {
        *self = (*self).max(other);
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Extracted => Exit::Yes,
            Verdict::Deadlock | Verdict::Livelock | Verdict::Orphan | Verdict::Unbounded => Exit::No,
            Verdict::Undecided => Exit::Undecided,
        }
    }
}
