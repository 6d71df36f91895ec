//! Lines of JSON.
//!
//! They hold what users wrote as it is. What could not be seen, or could do something to a terminal, is written as JSON
//! writes it, `\u009b`: it is the same text to a program, and harmless to look at.

use laban::text::is_hidden;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// Writes a value on one line.
pub(crate) fn write_line(value: &impl Serialize, mut out: impl Write) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut out, Visible))?;
    out.write_all(b"\n")
}

struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        // Most texts are of letters only, which is soon found out.
        if fragment.is_ascii() && !fragment.contains('\x7f') {
            return out.write_all(fragment.as_bytes());
        }
        for piece in fragment.split_inclusive(is_hidden) {
            let last = piece.chars().next_back().filter(|&last| is_hidden(last));
            out.write_all(&piece.as_bytes()[..piece.len() - last.map_or(0, char::len_utf8)])?;
            if let Some(character) = last {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_the_same_and_hides_nothing() {
        for text in ["", "käufer \"x\" \\ \n", "a\u{1b}[1m\u{7f}\u{9b}b", "\u{202e}\u{e0041}é🦀\u{200d}", "\u{feff}"]
        {
            let mut line = Vec::new();
            assert!(write_line(&text, &mut line).is_ok());
            let line = String::from_utf8(line).unwrap_or_default();
            assert!(line.strip_suffix('\n').is_some_and(|line| !line.contains(is_hidden)), "{line}");
            assert_eq!(serde_json::from_str::<String>(&line).ok().as_deref(), Some(text));
        }
    }
}
