//! Lines of JSON.

use serde::Serialize;
use std::io::{self, Write};

/// Writes a value on one line.
pub(crate) fn write_line(value: &impl Serialize, mut out: impl Write) -> io::Result<()> {
    out.write_all(laban_report::json::line(value).as_bytes())
}
