//! One line for each diagnostic.

use crate::source::{Source, on_one_line};
use laban::diagnostic::Diagnostic;
use std::io::{self, Write};

/// `file:line:column: severity[code]: message`
pub(super) fn write(source: &Source, diagnostic: &Diagnostic, out: &mut impl Write) -> io::Result<()> {
    let (start, _) = source.range(diagnostic.primary.span);
    let position = source.position(start);
    writeln!(
        out,
        "{}:{}:{}: {}[{}]: {}",
        source.file_at(start).name,
        position.line,
        position.column,
        diagnostic.severity().as_str(),
        diagnostic.code.as_str(),
        on_one_line(&diagnostic.message)
    )
}
