//! Lines of JSON.
//!
//! They hold what users wrote as it is. What could not be seen, or could do something to a terminal, is written as JSON
//! writes it, `\u009b`: it is the same text to a program, and harmless to look at.

use laban::text::is_hidden;
use serde::Serialize;

/// A value on one line, and the end of the line.
pub fn line(value: &impl Serialize) -> String {
    // What we write has names for keys and no maps, so it can always be written.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    // Most texts are of letters only, which is soon found out.
    if text.is_ascii() && !text.contains('\x7f') {
        return text;
    }
    // Characters that are not ASCII are in strings only, where they may be written in either way.
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character != '\n' && is_hidden(character) {
            true => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    shown.push_str(&format!("\\u{unit:04x}"));
                }
            }
            false => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_the_same_and_hides_nothing() {
        for text in ["", "käufer \"x\" \\ \n", "a\u{1b}[1m\u{7f}\u{9b}b", "\u{202e}\u{e0041}é🦀\u{200d}", "\u{feff}"]
        {
            let line = line(&text);
            assert!(line.strip_suffix('\n').is_some_and(|line| !line.contains(is_hidden)), "{line}");
            assert_eq!(serde_json::from_str::<String>(&line).ok().as_deref(), Some(text));
        }
    }
}
