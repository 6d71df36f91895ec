//! Symbolic protocols of SPROUT.

use crate::protocol::Protocol;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;

/// Whether a text looks like this, from its first word on.
pub(crate) fn looks_like(_text: &str) -> bool {
    false
}

pub(crate) fn read(_sources: &[Source<'_>], _options: &ReadOptions<'_>, report: &mut Report) -> Protocol {
    report.unsupported(laban::text::Span::default(), "this", "");
    Protocol::default()
}
