//! The kinds of reasons why a choreography does not describe a network, for those who count and compare them.

use laban::equivalence::Reason;

/// The kind of a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Unknown,
    Shared,
    Absent,
    NotEnabled,
    ItemNotEnabled,
    Overlooked,
    DecidesFirst,
    AcrossParts,
    Forgotten,
    StopsEarly,
    Starved,
    Group,
    /// Only where there are queues, which have a twin of their own.
    Queue,
}

pub(crate) fn kind(reason: &Reason) -> Kind {
    match reason {
        Reason::UnknownProcess { .. } => Kind::Unknown,
        Reason::SharedProcess { .. } => Kind::Shared,
        Reason::AbsentProcess { .. } => Kind::Absent,
        Reason::NotEnabled { .. } => Kind::NotEnabled,
        Reason::ItemNotEnabled { .. } => Kind::ItemNotEnabled,
        Reason::Overlooked { .. } => Kind::Overlooked,
        Reason::DecidesFirst { .. } => Kind::DecidesFirst,
        Reason::AcrossParts { .. } => Kind::AcrossParts,
        Reason::Forgotten { .. } => Kind::Forgotten,
        Reason::StopsEarly { .. } => Kind::StopsEarly,
        Reason::Starved { .. } => Kind::Starved,
        Reason::GroupNotSupported { .. } => Kind::Group,
        Reason::GroupNotEnabled { .. }
        | Reason::RunsAhead { .. }
        | Reason::MessageLeft { .. }
        | Reason::NeverTaken { .. }
        | Reason::QueueGrows { .. } => Kind::Queue,
    }
}
