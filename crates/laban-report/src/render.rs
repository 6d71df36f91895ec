//! Diagnostics as people read them: with the source, or on one line.

use crate::source::Source;
use crate::{concise, full};
use laban::diagnostic::{Annotation, Diagnostic, Note};
use laban::text::visible;

/// Whether a text for a terminal has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// With the signs that terminals understand.
    Terminal,
    /// Without. The text is the same.
    None,
}

/// More diagnostics than this about one text are counted, but not shown.
pub const MOST_DIAGNOSTICS: usize = 100;

/// A diagnostic with the source around its places, and an empty line at the end.
///
/// ```
/// use laban_report::{Colours, Source, render_full};
///
/// let analysis = laban::analyse("p { main { q!<x>; stop } }");
/// let source = Source::new("p.net", analysis.text());
/// let text = render_full(&source, &analysis.errors()[0], Colours::None);
/// assert!(text.starts_with("error[unknown-process]: there is no process `q`\n --> p.net:1:12\n"), "{text}");
/// ```
pub fn render_full(source: &Source, diagnostic: &Diagnostic, colours: Colours) -> String {
    full::text(source, &made_visible(diagnostic), colours)
}

/// A diagnostic on one line: `file:line:column: severity[code]: message`.
pub fn render_concise(source: &Source, diagnostic: &Diagnostic) -> String {
    concise::text(source, &made_visible(diagnostic))
}

/// What stands for the diagnostics that are not shown.
pub fn and_more(omitted: usize) -> String {
    format!("... and {omitted} more")
}

/// A diagnostic for people, who see every character in it. Programs get it as it is.
pub fn made_visible(diagnostic: &Diagnostic) -> Diagnostic {
    let text = |text: &String| visible(text).into_owned();
    let place = |place: &Annotation| Annotation { span: place.span, label: text(&place.label) };
    let note = |note: &Note| Note {
        text: text(&note.text),
        steps: note.steps.iter().map(text).collect(),
        left_out: note.left_out,
    };
    Diagnostic {
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: text(&diagnostic.message),
        primary: place(&diagnostic.primary),
        secondary: diagnostic.secondary.iter().map(place).collect(),
        notes: diagnostic.notes.iter().map(note).collect(),
        hints: diagnostic.hints.iter().map(text).collect(),
        // Nobody is shown these.
        fixes: Vec::new(),
    }
}
