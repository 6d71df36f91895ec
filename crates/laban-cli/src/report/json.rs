//! One JSON object for each diagnostic, one a line.

use crate::source::Source;
use laban::diagnostic::{Annotation, Diagnostic};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    primary: Place<'a>,
    secondary: Vec<Place<'a>>,
    notes: &'a [String],
    hints: &'a [String],
}

/// Offsets are in bytes, from 0; lines and columns are counted from 1, columns in characters.
#[derive(Serialize)]
struct Place<'a> {
    start: usize,
    end: usize,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    label: &'a str,
}

/// Writes the object and the end of the line.
pub(super) fn write(source: &Source, diagnostic: &Diagnostic, out: &mut impl Write) -> io::Result<()> {
    let object = Object {
        file: &source.name,
        severity: diagnostic.severity().as_str(),
        code: diagnostic.code.as_str(),
        message: &diagnostic.message,
        primary: place(source, &diagnostic.primary),
        secondary: diagnostic.secondary.iter().map(|annotation| place(source, annotation)).collect(),
        notes: &diagnostic.notes,
        hints: &diagnostic.hints,
    };
    serde_json::to_writer(&mut *out, &object)?;
    writeln!(out)
}

fn place<'a>(source: &Source, annotation: &'a Annotation) -> Place<'a> {
    let (start, end) = source.range(annotation.span);
    let (first, last) = (source.position(start), source.position(end));
    Place {
        start,
        end,
        line: first.line,
        column: first.column,
        end_line: last.line,
        end_column: last.column,
        label: &annotation.label,
    }
}
