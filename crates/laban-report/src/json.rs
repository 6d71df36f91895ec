//! Lines of JSON.
//!
//! They hold what users wrote as it is. What could not be seen, or could do something to a terminal, is written as JSON
//! writes it, `\u009b`: it is the same text to a program, and harmless to look at.

use crate::record::Record;
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

/// A record on one line, and the end of the line; its choreography is taken out. It is the same as [`line()`], which
/// looks at each character of a choreography: one that has ordinary characters only is copied.
pub fn record_line(record: &mut Record) -> String {
    let is_ordinary = |byte: u8| (b' '..0x7f).contains(&byte) && byte != b'"' && byte != b'\\';
    match record.choreography.take() {
        // All of it, since that is faster than up to the first that is not.
        Some(text) if text.bytes().fold(true, |all, byte| all & is_ordinary(byte)) => {
            record.choreography = Some(String::new());
            let line = line(record);
            record.choreography = None;
            // Within strings quotes are escaped, so this is the field.
            let (before, behind) = line.split_once(NO_CHOREOGRAPHY).unwrap_or((&line, ""));
            [before, r#""choreography":""#, &text, "\"", behind].concat()
        }
        choreography => {
            record.choreography = choreography;
            let line = line(record);
            record.choreography = None;
            line
        }
    }
}

const NO_CHOREOGRAPHY: &str = r#""choreography":"""#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_the_same_whether_its_choreography_is_copied_or_not() {
        let analysis = laban::analyse("p { main { q!<x>; stop } } | q { main { p?; stop } }");
        let Ok(network) = analysis.into_network() else { return };
        let answer = laban::extract(&network, &laban::extraction::ExtractOptions::default());
        let name = r#"a"choreography":"".net"#;
        let record = Record::answered(name.to_string(), Some(name.to_string()), &network, &answer, |_| String::new());
        for text in
            ["main { p.x -> q; stop }", "", "\"", "a \\ b", "é", "\u{1b}", "\n", "\u{7f}", "x\"choreography\":\"\""]
        {
            let record = Record { choreography: Some(text.to_string()), ..record.clone() };
            assert_eq!(record_line(&mut record.clone()), line(&record), "{text:?}");
        }
        let record = Record { choreography: None, ..record };
        assert_eq!(record_line(&mut record.clone()), line(&record));
    }

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
