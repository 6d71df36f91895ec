//! Global choreographies of ChorGram, `.gc` and `.sgg`, in the notation of the tool and in that of Corinne.
//!
//! ```text
//! repeat A { A -> B: ping ; B -> A: pong } ; sel A { A -> B: bye + A -> B: stop ; B -> A: ok }
//! ```
//!
//! `*G@A` is a loop, too: `A` decides before each round whether there is one. Without `sel`, whoever sends first in all
//! branches of a `+` decides; if there are several such roles and one receiver, whichever message comes first is
//! received. What runs side by side (`|`) can be said if the sides share no role: at the top it becomes several parts,
//! and elsewhere one side is written after the other, which is the same, since nobody takes part in both. `=>` to
//! several receivers is one message after the other, and so are messages of one sender side by side.

mod build;
mod comments;
mod parse;
mod term;

use crate::protocol::Protocol;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;

/// Whether a text looks like this.
pub(crate) fn looks_like(text: &str) -> bool {
    // Comments are long, what tells is short.
    let (text, _) = comments::without_comments(text);
    let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let word = |text: &str| text.len() - text.trim_start_matches(in_word).len();
    let mut rest = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    loop {
        if let Some(inner) = rest.strip_prefix(['{', '(', '*']) {
            rest = inner.trim_start();
            continue;
        }
        let (first, after) = rest.split_at(word(rest));
        let mut after = after.trim_start();
        if matches!(first, "sel" | "branch" | "choice" | "repeat") && !after.starts_with(['-', '=']) {
            after = after[word(after)..].trim_start();
            let Some(inner) = after.strip_prefix('{') else { return false };
            rest = inner.trim_start();
            continue;
        }
        let Some(mut to) = after.strip_prefix("->").or_else(|| after.strip_prefix("=>")) else { return false };
        loop {
            to = to.trim_start();
            let length = word(to);
            to = to[length..].trim_start();
            match to.strip_prefix(',') {
                Some(next) if length > 0 => to = next,
                _ if length == 0 || first.is_empty() => return false,
                _ => break,
            }
        }
        let Some(message) = to.strip_prefix(':').map(str::trim_start) else { return false };
        let behind = message[word(message)..].trim_start();
        return word(message) > 0 && behind.starts_with([';', '+', '|', '}', ')', '@']);
    }
}

pub(crate) fn read(sources: &[Source<'_>], options: &ReadOptions<'_>, report: &mut Report) -> Protocol {
    let [source] = sources else {
        let message = "a global choreography is one text, and there are several";
        report.add(Diagnostic::new(Code::Syntax, Span::default(), message));
        return Protocol::default();
    };
    let (text, unclosed) = comments::without_comments(source.text);
    if let Some(at) = unclosed {
        let span = Span::new(source.offset + at as u32, source.offset + at as u32 + 1);
        let message = "this comment is never closed";
        report.add(Diagnostic::new(Code::UnclosedComment, span, message).hint("end it with `]`"));
        return Protocol::default();
    }
    let choreography = parse::parse(&Source { text: &text, ..*source }, report);
    if report.has_errors() {
        return Protocol::default();
    }
    build::build(choreography, source, options, report)
}
