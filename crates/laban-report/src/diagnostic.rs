//! One JSON object for each diagnostic.

use crate::source::Source;
use laban::diagnostic::{Annotation, Diagnostic, Note};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    primary: AnnotationRecord<'a>,
    secondary: Vec<AnnotationRecord<'a>>,
    notes: Vec<String>,
    hints: &'a [String],
}

/// Offsets are in bytes, from 0; lines and columns are counted from 1, columns in characters.
#[derive(Serialize)]
struct AnnotationRecord<'a> {
    /// Only where it is not the one of the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    start: usize,
    end: usize,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    label: &'a str,
}

/// A diagnostic as a JSON object on a line of its own.
pub fn diagnostic_line(source: &Source, diagnostic: &Diagnostic) -> String {
    crate::json::line(&object(source, diagnostic))
}

/// A diagnostic as a JSON object.
pub fn diagnostic_value(source: &Source, diagnostic: &Diagnostic) -> Value {
    serde_json::to_value(object(source, diagnostic)).unwrap_or_default()
}

fn object<'a>(source: &'a Source, diagnostic: &'a Diagnostic) -> Object<'a> {
    let file = &source.file_at(source.range(diagnostic.primary.span).0).name;
    Object {
        file,
        severity: diagnostic.severity().as_str(),
        code: diagnostic.code.as_str(),
        message: &diagnostic.message,
        primary: place(source, file, &diagnostic.primary),
        secondary: diagnostic.secondary.iter().map(|annotation| place(source, file, annotation)).collect(),
        notes: diagnostic.notes.iter().map(Note::one_line).collect(),
        hints: &diagnostic.hints,
    }
}

fn place<'a>(source: &'a Source, file: &str, annotation: &'a Annotation) -> AnnotationRecord<'a> {
    let (start, end) = source.range(annotation.span);
    let (first, last) = (source.position(start), source.position(end));
    AnnotationRecord {
        file: Some(source.file_at(start).name.as_str()).filter(|&other| other != file),
        start: source.offset_in_file(start),
        end: source.offset_in_file(end),
        line: first.line,
        column: first.column,
        end_line: last.line,
        end_column: last.column,
        label: &annotation.label,
    }
}
