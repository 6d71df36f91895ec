//! The languages of mpstk, the toolkit for multiparty session types: contexts of local types, and global types.

mod context;
mod global;

pub(crate) use context::{read, starts_entry};
pub(crate) use global::{read_global, starts_global};

use crate::scanner::{Comments, Scanner};
use crate::system::Payload;
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;

const COMMENTS: Comments = Comments { line: &["#"], block: true };

/// Takes `rec` if a parenthesis follows, so that it is not the name of a role.
fn starts_recursion(scanner: &mut Scanner<'_>) -> bool {
    let is_recursion = scanner.rest().strip_prefix("rec").is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.starts_with('(') && !rest.starts_with("(+)")
    });
    is_recursion && scanner.eat("rec")
}

fn close(scanner: &mut Scanner<'_>, bracket: &str, opened: Span) -> Option<()> {
    if scanner.at_end() && !scanner.is_cut_off {
        let message = format!("`{bracket}` is missing");
        scanner.report.add(Diagnostic::new(Code::Unclosed, opened, message).label("opened here and never closed"));
        return None;
    }
    scanner.expect(bracket).then_some(())
}

fn payload(text: &str) -> Option<Payload> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sort = match text.to_lowercase().as_str() {
        "" | "end" => return None,
        "str" => "string".to_string(),
        basic @ ("bool" | "int" | "string" | "unit") => basic.to_string(),
        // Types that look different may still be equal; what is done with the channel is not looked at.
        _ => "a channel".to_string(),
    };
    Some(Payload { text, sort })
}
