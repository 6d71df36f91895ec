//! When long work gives up, and why.
//!
//! The library reads no clock and catches no signal. Whoever calls it passes a question, which is asked from time to
//! time.

use std::fmt;

/// When to give up.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The most states (nodes, pairs) that one piece of work may make.
    pub max_states: Option<usize>,
    /// Asked from time to time: should the work stop, and if so, why?
    pub stop: &'a (dyn Fn() -> Option<StopReason> + Sync),
}

impl Limits<'_> {
    /// Why the work stops when there are too many states.
    pub fn too_many(&self) -> StopReason {
        self.max_states.map_or(StopReason::TooManyStates, StopReason::MaxStates)
    }

    /// At most this many states.
    pub fn states(most: usize) -> Self {
        Limits { max_states: Some(most), ..Limits::default() }
    }
}

impl Default for Limits<'_> {
    /// No limit at all.
    fn default() -> Self {
        Limits { max_states: None, stop: &|| None }
    }
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits").field("max_states", &self.max_states).finish_non_exhaustive()
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// More states than [`Limits::max_states`] allows.
    MaxStates(usize),
    /// The caller's time is up.
    Timeout,
    /// The caller was interrupted.
    Interrupted,
    /// The caller's memory is used up.
    Memory,
    /// More states than can be numbered.
    TooManyStates,
    /// A comparison that cannot be exact, since there is no projection, came to its bounds.
    Bounds,
    /// The search knows neither races nor idle waits, and there is one.
    Races,
    /// Some queue would need room for more messages than this.
    Queues(u32),
    /// Only what is received is compared, and a process chooses what to send.
    SilentChoice,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::MaxStates(most) => write!(f, "gave up after {most} states"),
            StopReason::Timeout => f.write_str("gave up: the time is up"),
            StopReason::Interrupted => f.write_str("interrupted"),
            StopReason::Memory => f.write_str("gave up: the memory is used up"),
            StopReason::Bounds => f.write_str("not known within the limits"),
            StopReason::Races => f.write_str("this search knows neither races (`any`) nor idle waits (`idle`)"),
            StopReason::Queues(most) => write!(f, "gave up: some queue needs room for more than {most} messages"),
            StopReason::SilentChoice => {
                f.write_str("with `--messages`, a process that chooses what to put into a queue cannot be compared")
            }
            StopReason::TooManyStates => f.write_str("gave up: there are more states than can be numbered"),
        }
    }
}

impl std::error::Error for StopReason {}
