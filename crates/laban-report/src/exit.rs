//! Answers in one number: the exit statuses of the command.

use laban::extraction::Verdict;

/// The answer in one number, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
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
    pub fn code(self) -> u8 {
        match self {
            Exit::Yes => 0,
            Exit::No => 1,
            Exit::Bad => 2,
            Exit::Undecided => 3,
            Exit::Fault => 4,
        }
    }

    /// Of several answers the worst.
    pub fn and(&mut self, other: Exit) {
        *self = (*self).max(other);
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
