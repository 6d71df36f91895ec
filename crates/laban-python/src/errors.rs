//! Errors as exceptions of Python.
//!
//! The exceptions are classes of Python, in `python/laban/_errors.py`, so that they can have fields and be caught like
//! others.

use crate::diagnostic::Diagnostic;
use laban::diagnostic as library;
use laban_report::{Colours, Refused, Source, render_full};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// One of our exceptions.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// A text has mistakes.
    IllFormed,
    /// There is no projection.
    Unprojectable,
    /// A language cannot say it.
    Inexpressible,
    /// There is no answer.
    Undecided,
    /// A fault of the program.
    Fault,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::IllFormed => "IllFormed",
            Kind::Unprojectable => "Unprojectable",
            Kind::Inexpressible => "Inexpressible",
            Kind::Undecided => "Undecided",
            Kind::Fault => "Fault",
        }
    }
}

/// An exception with a message and the diagnostics that it was made from.
pub(crate) fn error(py: Python<'_>, kind: Kind, message: &str, diagnostics: Vec<Diagnostic>) -> PyErr {
    let made = py
        .import("laban._errors")
        .and_then(|module| module.getattr(kind.name()))
        .and_then(|class| class.call1((message.trim_end(), diagnostics)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// An exception about a text: its message is what people read on a terminal.
pub(crate) fn about(py: Python<'_>, kind: Kind, source: &Source, diagnostics: &[library::Diagnostic]) -> PyErr {
    let shown = diagnostics.iter().take(laban_report::MOST_DIAGNOSTICS);
    let mut message: String = shown.map(|one| render_full(source, one, Colours::None)).collect();
    let omitted = diagnostics.len().saturating_sub(laban_report::MOST_DIAGNOSTICS);
    if omitted > 0 {
        message.push_str(&laban_report::and_more(omitted));
    }
    error(py, kind, &message, diagnostics.iter().map(|one| Diagnostic::new(source, one)).collect())
}

/// The exception for a text that cannot be used.
pub(crate) fn refused(py: Python<'_>, refused: &Refused) -> PyErr {
    match refused {
        Refused::Message { message, .. } => PyValueError::new_err(message.clone()),
        Refused::Mistakes { source, diagnostics, .. } => about(py, Kind::IllFormed, source, diagnostics),
    }
}

/// The exception for what the caller has asked for and does not make sense.
pub(crate) fn wrong(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}
