//! The source with notes in it.

use crate::excerpt::{Excerpt, excerpts, mark};
use crate::render::Colours;
use crate::source::Source;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use laban::diagnostic::{Diagnostic, Severity};
use std::fmt::Write;

/// A placeholder for the place of an excerpt until it is drawn: since lines may be cut, only we know their columns.
const PLACE: &str = "\u{e000}\u{e001}";

/// The diagnostic and an empty line.
pub(crate) fn text(source: &Source, diagnostic: &Diagnostic, colours: Colours) -> String {
    let mut marks = vec![mark(source, diagnostic.primary.span, &diagnostic.primary.label, true)];
    marks.extend(diagnostic.secondary.iter().map(|other| mark(source, other.span, &other.label, false)));
    let excerpts = excerpts(source, marks);

    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.as_str());
    let notes: Vec<String> = diagnostic.notes.iter().map(|note| note.lines().join("\n")).collect();
    let report = Group::with_title(title)
        .elements(excerpts.iter().map(snippet))
        .elements(notes.iter().map(|note| Level::NOTE.message(note.as_str())))
        .elements(diagnostic.hints.iter().map(|hint| Level::HELP.message(hint.as_str())));
    // Wide enough for whatever an excerpt holds.
    let renderer = match colours {
        Colours::Terminal => Renderer::styled(),
        Colours::None => Renderer::plain(),
    };
    let drawn = renderer.term_width(1000).render(&[report]);

    let mut places = excerpts.iter().map(|excerpt| place(source, excerpt));
    let mut text = String::with_capacity(drawn.len());
    // Writing to a string cannot fail, so the results are ignored.
    for line in drawn.lines() {
        match line.split_once(PLACE) {
            Some((arrow, shown)) if arrow.contains("-->") || arrow.contains(":::") => {
                let rest = shown.trim_start_matches(|character: char| character == ':' || character.is_ascii_digit());
                let _ = writeln!(text, "{arrow}{}{rest}", places.next().unwrap_or_default());
            }
            _ => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text.push('\n');
    text
}

fn snippet<'a>(excerpt: &'a Excerpt<'a>) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let annotations = excerpt.marks.iter().map(|(range, mark)| {
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(range.clone());
        if mark.label.is_empty() { annotation } else { annotation.label(mark.label) }
    });
    Snippet::source(excerpt.text.as_str()).line_start(excerpt.first_line).path(PLACE).annotations(annotations)
}

/// `file:line:column` of an excerpt: of its primary mark if it has one, else of its first.
fn place(source: &Source, excerpt: &Excerpt<'_>) -> String {
    let primary = excerpt.marks.iter().find(|(_, mark)| mark.primary).or(excerpt.marks.first());
    let offset = primary.map(|(_, mark)| source.line_start(mark.line) + mark.range.start);
    match offset {
        Some(offset) => {
            let position = source.position(offset);
            format!("{}:{}:{}", source.file_at(offset).name, position.line, position.column)
        }
        None => source.name.clone(),
    }
}
