//! Diagnostics as people and programs read them: one file per form.

mod concise;
mod excerpt;
mod full;
mod json;

use crate::source::Source;
use clap::ValueEnum;
use laban::diagnostic::Diagnostic;
use std::io::{self, Write};

/// How to show diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The source with notes in it
    #[value(alias = "text")]
    Full,
    /// One line each, `file:line:column: severity: message`
    Concise,
    /// One JSON object each, one a line
    Json,
}

/// Writes diagnostics of a source, in the order given.
pub(crate) fn write(
    format: Format,
    source: &Source,
    diagnostics: &[Diagnostic],
    out: &mut impl Write,
) -> io::Result<()> {
    for diagnostic in diagnostics {
        match format {
            Format::Full => full::write(source, diagnostic, out)?,
            Format::Concise => concise::write(source, diagnostic, out)?,
            Format::Json => json::write(source, diagnostic, out)?,
        }
    }
    Ok(())
}
