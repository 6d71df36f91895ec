//! One line for each diagnostic.

use crate::source::{Source, on_one_line};
use laban::diagnostic::Diagnostic;

/// `file:line:column: severity[code]: message`
pub(crate) fn text(source: &Source, diagnostic: &Diagnostic) -> String {
    let (start, _) = source.range(diagnostic.primary.span);
    let position = source.position(start);
    format!(
        "{}:{}:{}: {}[{}]: {}\n",
        source.file_at(start).name,
        position.line,
        position.column,
        diagnostic.severity().as_str(),
        diagnostic.code.as_str(),
        on_one_line(&diagnostic.message)
    )
}
