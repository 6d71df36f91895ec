//! Which diagram of a text is meant.

use super::Diagram;
use super::drawing::drawing;
use super::meaning::meaning;
use crate::protocol::Protocol;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::{LineTable, Span};

/// More names than this are not listed.
const MOST_LISTED: usize = 20;

/// The protocol of the diagram that was chosen, if there is one and nothing is wrong with it.
pub(crate) fn read(
    diagram: Option<Diagram>,
    sources: &[Source<'_>],
    options: &ReadOptions<'_>,
    report: &mut Report,
) -> Protocol {
    let Some(diagram) = diagram.filter(|_| !report.has_errors()) else { return Protocol::default() };
    if diagram.is_drawing() {
        return drawing(&diagram, report);
    }
    let around = |source: &&Source<'_>| source.offset <= diagram.span.start;
    let source = sources.iter().rfind(around).copied().unwrap_or_default();
    let mut protocol = meaning(&diagram, &source, &LineTable::new(source.text), options, report);
    protocol.name.clone_from(&diagram.title);
    protocol
}

/// The number of the only diagram, or of the one that is wanted.
pub(crate) fn chosen(diagrams: &[&Diagram], wanted: Option<&str>, report: &mut Report) -> Option<usize> {
    match (diagrams, wanted) {
        ([], _) => {
            if !report.has_errors() {
                report.add(Diagnostic::new(Code::Empty, Span::default(), "there is no sequence diagram in this text"));
            }
            return None;
        }
        ([_], None) => return Some(0),
        _ => {}
    }
    let Some(wanted) = wanted else {
        let span = diagrams.get(1).map_or_else(Span::default, |second| second.start());
        let message = format!("there are {} diagrams in this text: which one?", diagrams.len());
        let mut diagnostic = Diagnostic::new(Code::Syntax, span, message).label("the second one");
        let names = names(diagrams);
        diagnostic = diagnostic.hint(format!("name one of them, or give its number: {names}"));
        report.add(diagnostic);
        return None;
    };
    let by_title = diagrams.iter().position(|diagram| diagram.title == wanted);
    let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let found = by_title.or_else(|| number.filter(|&number| number < diagrams.len()));
    if found.is_none() {
        let message = format!("there is no diagram {} in this text", quote(wanted));
        let names = names(diagrams);
        report.add(Diagnostic::new(Code::Syntax, Span::default(), message).hint(format!("there is {names}")));
    }
    found
}

/// The diagrams, each with its number and its title.
fn names(diagrams: &[&Diagram]) -> String {
    let mut names: Vec<String> = Vec::new();
    for (number, diagram) in diagrams.iter().enumerate().take(MOST_LISTED) {
        names.push(match diagram.title.as_str() {
            "" => format!("{}", number + 1),
            title => format!("{} ({})", number + 1, quote(title)),
        });
    }
    if diagrams.len() > MOST_LISTED {
        names.push(format!("{} more", diagrams.len() - MOST_LISTED));
    }
    names.join(", ")
}
