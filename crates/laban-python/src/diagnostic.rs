//! Diagnostics: errors, warnings and notes about a text.

use laban::diagnostic::{self as library, Annotation, Note};
use laban_report::{Colours, Source, diagnostic_line, render_concise, render_full};
use pyo3::prelude::*;

/// A place in a text, with a label. Lines and columns are counted from 1.
///
/// >>> import laban
/// >>> laban.check("p { main { q!<x>; stop } }").diagnostics[0].place
/// Place('<text>', line=1, column=12, label='not in this network')
#[pyclass(frozen, get_all, eq, module = "laban")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The name of the file, or of the text.
    file: String,
    /// The line.
    line: usize,
    /// The column, in characters.
    column: usize,
    /// The line of its end.
    end_line: usize,
    /// The column of its end.
    end_column: usize,
    /// What is said about it; may be empty.
    label: String,
}

impl Place {
    pub(crate) fn new(source: &Source, annotation: &Annotation) -> Self {
        let (start, end) = source.range(annotation.span);
        let (first, last) = (source.position(start), source.position(end));
        Place {
            file: source.file_at(start).name.clone(),
            line: first.line,
            column: first.column,
            end_line: last.line,
            end_column: last.column,
            label: annotation.label.clone(),
        }
    }
}

#[pymethods]
impl Place {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let [file, label] = [&self.file, &self.label].map(|text| text.into_pyobject(py).map(|text| text.repr()));
        Ok(format!("Place({}, line={}, column={}, label={})", file??, self.line, self.column, label??))
    }
}

/// An error, a warning or a note about a text.
///
/// >>> import laban
/// >>> [error] = laban.check("p { main { q!<x>; stop } }").diagnostics
/// >>> error.severity, error.code, error.message
/// ('error', 'unknown-process', 'there is no process `q`')
/// >>> print(error)
/// <text>:1:12: error[unknown-process]: there is no process `q`
/// >>> print(error.rendered)  # doctest: +ELLIPSIS
/// error[unknown-process]: there is no process `q`
///  --> <text>:1:12
///   |
/// 1 | p { main { q!<x>; stop } }
///   |            ^ not in this network
///   |
///   = help: there is no other process in this network
///   = help: a network can be spread over several files: give them all, as in `laban extract a.net b.net` or ...
#[pyclass(frozen, get_all, module = "laban")]
#[derive(Debug, Clone)]
pub(crate) struct Diagnostic {
    /// `error`, `warning` or `note`.
    severity: &'static str,
    /// What it is about; codes never change.
    code: &'static str,
    /// One sentence that makes sense on its own.
    message: String,
    /// Where it is.
    place: Place,
    /// Other places that help to explain it.
    others: Vec<Place>,
    /// What else there is to know, one sentence each.
    notes: Vec<String>,
    /// How to fix it, one sentence each.
    hints: Vec<String>,
    /// The diagnostic with the lines that it is about, as the command shows it.
    rendered: String,
    /// The same on one line.
    concise: String,
    /// The same as JSON, as the command writes it.
    json: String,
}

impl Diagnostic {
    pub(crate) fn new(source: &Source, diagnostic: &library::Diagnostic) -> Self {
        let ended = |text: String| text.trim_end().to_string();
        Diagnostic {
            severity: diagnostic.severity().as_str(),
            code: diagnostic.code.as_str(),
            message: diagnostic.message.clone(),
            place: Place::new(source, &diagnostic.primary),
            others: diagnostic.secondary.iter().map(|place| Place::new(source, place)).collect(),
            notes: diagnostic.notes.iter().map(Note::one_line).collect(),
            hints: diagnostic.hints.clone(),
            rendered: ended(render_full(source, diagnostic, Colours::None)),
            concise: ended(render_concise(source, diagnostic)),
            json: ended(diagnostic_line(source, diagnostic)),
        }
    }

    /// Whether it is this serious.
    pub(crate) fn is(&self, severity: &str) -> bool {
        self.severity == severity
    }

    /// With the lines that it is about.
    pub(crate) fn lines(&self) -> &str {
        &self.rendered
    }

    /// On one line.
    pub(crate) fn line(&self) -> &str {
        &self.concise
    }

    /// The same as HTML.
    pub(crate) fn html(&self) -> String {
        preformatted(&self.rendered)
    }
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.concise
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.concise)
    }

    fn _repr_html_(&self) -> String {
        self.html()
    }
}

/// Text as HTML, in which nothing is markup.
pub(crate) fn preformatted(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<pre>{escaped}</pre>")
}
