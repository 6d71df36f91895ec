//! Sequence diagrams in Mermaid, alone in a text or within Markdown and HTML.
//!
//! `blocks` finds the diagrams of a text, `reader` reads one line by line, with `arrow` and `text` for what is between
//! and behind the participants. What the lines mean is found out in [`sequence`](crate::sequence).

mod arrow;
mod blocks;
mod reader;
mod text;

use crate::protocol::Protocol;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::sequence::{self, Diagram};
use crate::source::Source;
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;

/// Whether a text is a sequence diagram, or has one in it.
pub(crate) fn looks_like(text: &str) -> bool {
    blocks::blocks(text).iter().any(|block| block.is_sequence)
}

pub(crate) fn read(sources: &[Source<'_>], options: &ReadOptions<'_>, report: &mut Report) -> Protocol {
    let diagram = read_diagram(sources, options, report);
    sequence::read(diagram, sources, options, report)
}

/// The diagram that is meant, unless there isn't one.
pub(crate) fn read_diagram(sources: &[Source<'_>], options: &ReadOptions<'_>, report: &mut Report) -> Option<Diagram> {
    let mut found: Vec<(Diagram, Report)> = Vec::new();
    for source in sources {
        let blocks = blocks::blocks(source.text);
        let (sequences, others): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| block.is_sequence);
        if sequences.is_empty() {
            let kind = others.first().map_or(Span::default(), |other| other.kind);
            let message = match kind.text(source.text) {
                "" => "there is no diagram in this text".to_string(),
                word => format!("this is a `{word}`, and of Mermaid's diagrams only sequence diagrams are read"),
            };
            let span = Span::new(source.offset + kind.start, source.offset + kind.end);
            report.add(Diagnostic::new(Code::Syntax, span, message).label("expected `sequenceDiagram`"));
        }
        let text = blocks::without_codes(source.text, &blocks);
        found.extend(sequences.into_iter().map(|block| {
            let mut report = Report::default();
            (reader::read(&Source { text: &text, ..*source }, block, &mut report), report)
        }));
    }
    let diagrams: Vec<&Diagram> = found.iter().map(|(diagram, _)| diagram).collect();
    let chosen = sequence::chosen(&diagrams, options.protocol, report)?;
    // What is wrong with the others does not matter.
    let (diagram, mistakes) = found.swap_remove(chosen);
    report.append(mistakes);
    Some(diagram)
}
