//! What Laban has drawn as several diagrams: they are one drawing, with a part in each section of a frame, and with the
//! procedures below, as in other languages.

use super::names::Participants;
use super::reader::Found;
use super::statement::Statements;
use super::words::decoded;
use crate::sequence::{DRAWING, Diagram, End, FragmentKind, Line, LineKind, Participant};
use laban::text::Span;
use std::collections::HashMap;

/// Where a comment at the beginning of a diagram says that Laban has drawn it.
pub(super) fn mark(mut statements: Statements<'_>) -> Option<Span> {
    while let Some(line) = statements.raw().filter(|line| line.text.is_empty() || line.text.starts_with('\'')) {
        if line.text.trim_start_matches('\'').trim() == DRAWING {
            return Some(line.span);
        }
    }
    None
}

/// Whom a note is over: `over P0, P1 : text`, after `note`.
pub(super) fn over(rest: &str, participants: &Participants) -> Vec<usize> {
    let names = rest.trim_start().strip_prefix("over").unwrap_or("").split(':').next().unwrap_or("");
    names.split(',').filter_map(|name| participants.find(name.trim())).collect()
}

/// The same diagrams, with those that Laban has drawn together as one.
pub(super) fn joined(found: Vec<Found>) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    let mut drawing: Vec<Found> = Vec::new();
    for one in found {
        let is_drawing = one.diagram.is_drawing();
        if !drawing.is_empty() && (!is_drawing || is_first(&one.diagram)) {
            all.push(one_of(std::mem::take(&mut drawing)));
        }
        if is_drawing { &mut drawing } else { &mut all }.push(one);
    }
    if !drawing.is_empty() {
        all.push(one_of(drawing));
    }
    all
}

/// Whether a drawing starts with this diagram: the only one, or the first of several.
fn is_first(diagram: &Diagram) -> bool {
    matches!(diagram.title.as_str(), "" | "main" | "part 1")
}

/// Whether a diagram shows a part, and not a procedure.
fn is_main(title: &str) -> bool {
    matches!(title, "" | "main") || title.starts_with("part ") && !title.contains(':')
}

/// Several diagrams as one.
fn one_of(diagrams: Vec<Found>) -> Found {
    let mut all = Found::default();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let (mut mains, mut procedures) = (Vec::new(), Vec::new());
    for Found { diagram, report, other } in diagrams {
        all.report.append(report);
        all.other = all.other.or(other);
        let title = decoded(&diagram.title).into_owned();
        let start = diagram.start();
        all.diagram.span = if mains.is_empty() { diagram.span } else { all.diagram.span.to(diagram.span) };
        let roles: Vec<usize> = diagram
            .participants
            .into_iter()
            .map(|participant| {
                let shown = match participant.shown.as_str() {
                    "" => participant.name.text.clone(),
                    shown => decoded(shown).into_owned(),
                };
                // Services are drawn as such wherever they take part.
                *numbers.entry(shown.clone()).or_insert_with(|| {
                    all.diagram.participants.push(Participant { name: participant.name, shown });
                    all.diagram.participants.len() - 1
                })
            })
            .collect();
        let mut lines = diagram.lines;
        lines.iter_mut().for_each(|line| renumber(&mut line.kind, &roles));
        if is_main(&title) { &mut mains } else { &mut procedures }.push((title, start, lines));
    }
    let has_parts = mains.first().is_some_and(|(title, ..)| title.starts_with("part "));
    let last = all.diagram.span.after();
    for (number, (title, span, lines)) in mains.into_iter().enumerate() {
        if has_parts {
            let kind = if number == 0 { LineKind::Open(FragmentKind::Par, title) } else { LineKind::Next(title) };
            all.diagram.lines.push(Line { span, kind });
        }
        all.diagram.lines.extend(lines);
    }
    if has_parts {
        all.diagram.lines.push(Line { span: last, kind: LineKind::Close });
    }
    for (title, span, lines) in procedures {
        let all = &mut all.diagram.lines;
        all.push(Line { span, kind: LineKind::Open(FragmentKind::Group, String::new()) });
        all.push(Line { span, kind: LineKind::Note(Vec::new(), title) });
        all.extend(lines);
        all.push(Line { span: last, kind: LineKind::Close });
    }
    all
}

/// Gives participants the numbers that they have in the whole drawing.
fn renumber(kind: &mut LineKind, roles: &[usize]) {
    let number = |role: &mut usize| *role = roles.get(*role).copied().unwrap_or(*role);
    match kind {
        LineKind::Message { from, to, .. } | LineKind::Drawn { from, to, .. } => {
            for end in [from, to] {
                if let End::Participant(role) = end {
                    number(role);
                }
            }
        }
        LineKind::Note(over, _) => over.iter_mut().for_each(number),
        _ => {}
    }
}
