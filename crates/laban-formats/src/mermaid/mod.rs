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
use crate::sequence;
use crate::source::Source;
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;

/// Whether a text is a sequence diagram, or has one in it.
pub(crate) fn looks_like(text: &str) -> bool {
    blocks::blocks(text).iter().any(|block| block.is_sequence)
}

pub(crate) fn read(sources: &[Source<'_>], options: &ReadOptions<'_>, report: &mut Report) -> Protocol {
    let mut diagrams = Vec::new();
    for source in sources {
        let blocks = blocks::blocks(source.text);
        let (sequences, others): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| block.is_sequence);
        if sequences.is_empty() {
            let kind = others.first().map_or(Span::default(), |other| other.kind);
            let word = kind.text(source.text);
            let span = Span::new(source.offset + kind.start, source.offset + kind.end);
            let message = match word {
                "" => "there is no diagram in this text".to_string(),
                word => format!("this is a `{word}`, and of Mermaid's diagrams only sequence diagrams are read"),
            };
            let diagnostic = Diagnostic::new(Code::Syntax, span, message).label("expected `sequenceDiagram`");
            report.add(diagnostic);
        }
        diagrams.extend(sequences.into_iter().map(|block| reader::read(source, block, report)));
    }
    // With several diagrams, what is wrong with the others does not matter.
    sequence::read(&diagrams, sources, options, report)
}
