//! BPMN: choreographies, and collaborations of which each pool is a process.

use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
use crate::view::View;

/// Whether a text looks like this, from its first word on.
pub(crate) fn looks_like(_text: &str) -> bool {
    false
}

pub(crate) fn read(_sources: &[Source<'_>], _options: &ReadOptions<'_>, report: &mut Report) -> View {
    report.unsupported(laban::text::Span::default(), "this", "");
    View::default()
}
