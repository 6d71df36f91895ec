//! Sequence diagrams in PlantUML.
//!
//! `block` finds the diagrams of a text, `statement` its lines, with what `preprocess` leaves of them, `arrow` reads
//! messages, and `reader` makes a [`Diagram`] of all that. `drawing` puts the diagrams together that
//! Laban has drawn. Nothing is fetched, and macros are not run: a diagram that needs them is refused.

mod arrow;
mod block;
mod calls;
mod drawing;
mod kind;
mod names;
mod preprocess;
mod reader;
mod statement;
mod words;

use crate::protocol::Protocol;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::sequence::{self, Diagram};
use crate::source::Source;

pub(crate) use arrow::is_in_name;
pub(crate) use block::has_other_text;

/// Whether a text looks like this: some line starts a diagram.
pub(crate) fn looks_like(text: &str) -> bool {
    block::has_start(text)
}

pub(crate) fn read(sources: &[Source<'_>], options: &ReadOptions<'_>, report: &mut Report) -> Protocol {
    let diagram = read_diagram(sources, options, report);
    sequence::read(diagram, sources, options, report)
}

/// The diagram that is meant, unless there isn't one.
pub(crate) fn read_diagram(sources: &[Source<'_>], options: &ReadOptions<'_>, report: &mut Report) -> Option<Diagram> {
    block::chosen(sources, options, report)
}
