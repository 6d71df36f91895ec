//! Places in texts as a page needs them: which file of the request, and offsets as JavaScript counts them.

use laban::diagnostic::{Annotation, Diagnostic, Fix, Note, Replacement};
use laban::syntax::Span;
use laban_report::{Colours, Source, render_concise, render_full};
use serde::Serialize;
use serde_json::Value;
use std::cell::OnceCell;

/// A text with the numbers of its files in the request.
pub(crate) struct Places<'a> {
    pub(crate) source: &'a Source,
    /// For each piece of the text, where it starts and the number of its file.
    pieces: Vec<(usize, Option<usize>)>,
    /// How many UTF-16 code units there are before each multiple of [`STRIDE`] bytes.
    units: OnceCell<Vec<usize>>,
}

const STRIDE: usize = 1024;

/// A place in a file.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Place {
    file: Option<usize>,
    from: usize,
    to: usize,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
struct Labelled<'a> {
    place: Place,
    label: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NoteRecord<'a> {
    text: &'a str,
    steps: &'a [String],
    left_out: usize,
}

#[derive(Serialize)]
struct FixRecord<'a> {
    title: &'a str,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    file: Option<usize>,
    from: usize,
    to: usize,
    text: &'a str,
}

#[derive(Serialize)]
struct DiagnosticRecord<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    primary: Labelled<'a>,
    secondary: Vec<Labelled<'a>>,
    notes: Vec<NoteRecord<'a>>,
    hints: &'a [String],
    fixes: Vec<FixRecord<'a>>,
    rendered: String,
    line: String,
}

impl<'a> Places<'a> {
    /// The places of a text whose files have these names, the first of which has this number in the request.
    pub(crate) fn new(source: &'a Source, names: &[(String, usize)]) -> Self {
        let number = |name: &str| names.iter().find(|(one, _)| one == name).map(|(_, number)| *number);
        let pieces = source.pieces().map(|(file, range)| (range.start, number(&file.name))).collect();
        Places { source, pieces, units: OnceCell::new() }
    }

    /// The place of a span.
    pub(crate) fn place(&self, span: Span) -> Place {
        let (start, end) = self.source.range(span);
        let (first, last) = (self.source.position(start), self.source.position(end));
        let (file, from, to) = self.range(start, end);
        Place { file, from, to, line: first.line, column: first.column, end_line: last.line, end_column: last.column }
    }

    /// The place of something that is in the text only if its span is not empty.
    pub(crate) fn place_of(&self, span: Span) -> Option<Place> {
        (span.start < span.end).then(|| self.place(span))
    }

    /// A diagnostic as JSON.
    pub(crate) fn diagnostic(&self, diagnostic: &Diagnostic) -> Value {
        let record = DiagnosticRecord {
            code: diagnostic.code.as_str(),
            severity: diagnostic.severity().as_str(),
            message: &diagnostic.message,
            primary: self.labelled(&diagnostic.primary),
            secondary: diagnostic.secondary.iter().map(|one| self.labelled(one)).collect(),
            notes: diagnostic.notes.iter().map(NoteRecord::new).collect(),
            hints: &diagnostic.hints,
            fixes: diagnostic.fixes.iter().map(|fix| self.fix(fix)).collect(),
            rendered: render_full(self.source, diagnostic, Colours::None),
            line: render_concise(self.source, diagnostic).trim_end().to_string(),
        };
        serde_json::to_value(record).unwrap_or_default()
    }

    fn labelled<'b>(&self, one: &'b Annotation) -> Labelled<'b> {
        Labelled { place: self.place(one.span), label: &one.label }
    }

    fn fix<'b>(&self, fix: &'b Fix) -> FixRecord<'b> {
        let edit = |one: &'b Replacement| {
            let (file, from, to) = self.range(one.span.start as usize, one.span.end as usize);
            Edit { file, from, to, text: &one.text }
        };
        FixRecord { title: &fix.title, edits: fix.replacements.iter().map(edit).collect() }
    }

    /// The file in which offsets are, and the offsets in it in UTF-16.
    fn range(&self, start: usize, end: usize) -> (Option<usize>, usize, usize) {
        let piece = self.source.piece_at(start);
        let (first, file) = self.pieces.get(piece).copied().unwrap_or((0, None));
        let before = self.units_before(first);
        let from = self.units_before(start.max(first)) - before;
        (file, from, (self.units_before(end.max(start)) - before).max(from))
    }

    fn units_before(&self, offset: usize) -> usize {
        let text = self.source.text.as_bytes();
        let offset = offset.min(text.len());
        let table = self.units.get_or_init(|| {
            let mut count = 0;
            text.chunks(STRIDE)
                .map(|chunk| {
                    let before = count;
                    count += units_in(chunk);
                    before
                })
                .collect()
        });
        let stride = (offset / STRIDE).min(table.len().saturating_sub(1));
        let rest = text.get(stride * STRIDE..offset).unwrap_or(&[]);
        table.get(stride).copied().unwrap_or(0) + units_in(rest)
    }
}

impl<'a> NoteRecord<'a> {
    fn new(note: &'a Note) -> Self {
        NoteRecord { text: &note.text, steps: &note.steps, left_out: note.left_out }
    }
}

/// How many UTF-16 code units start in these bytes of UTF-8: one for each character, two for those of four bytes.
fn units_in(bytes: &[u8]) -> usize {
    bytes.iter().map(|&byte| usize::from(byte & 0xc0 != 0x80) + usize::from(byte >= 0xf0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_of_javascript() {
        let text: String = "ab\u{e9}\u{4e2d}\nx🦀 y".chars().cycle().take(5000).collect();
        let source = Source::new("x", text.clone());
        let places = Places::new(&source, &[("x".to_string(), 3)]);
        let mut units = 0;
        for (offset, character) in text.char_indices() {
            let place = places.place(Span::new(offset as u32, (offset + character.len_utf8()) as u32));
            assert_eq!((place.file, place.from, place.to), (Some(3), units, units + character.len_utf16()));
            units += character.len_utf16();
        }
        assert_eq!(places.units_before(text.len()), units);
        assert_eq!(places.units_before(usize::MAX), units);
    }

    #[test]
    fn places_in_several_texts_count_from_the_start_of_each() {
        let [one, other] = [("a", "é🦀 {\n"), ("b", "🦀b")].map(|(name, text)| Source::new(name, text));
        let source = Source::together(vec![one, other]);
        let names = [("b".to_string(), 7), ("a".to_string(), 1)];
        let places = Places::new(&source, &names);
        let at = source.text.rfind('b').unwrap_or_default() as u32;
        let place = places.place(Span::new(at, at + 1));
        assert_eq!((place.file, place.from, place.to), (Some(7), 2, 3));
        let place = places.place(Span::new(2, 6));
        assert_eq!((place.file, place.from, place.to), (Some(1), 1, 3));
    }

    #[test]
    fn an_empty_text_has_places() {
        let source = Source::new("x", "");
        let place = Places::new(&source, &[]).place(Span::new(0, 10));
        assert_eq!((place.file, place.from, place.to), (None, 0, 0));
    }
}
