//! What a sequence diagram means: who decides, what repeats, what is left out.

use super::Diagram;
use crate::protocol::Protocol;
use crate::read::ReadOptions;
use crate::report::Report;

/// The protocol that a diagram shows.
pub(crate) fn meaning(_diagram: &Diagram, _options: &ReadOptions<'_>, _report: &mut Report) -> Protocol {
    Protocol::default()
}
