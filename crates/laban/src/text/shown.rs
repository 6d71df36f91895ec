//! Text for those who read it: on a screen, in a log, or inside of XML.
//!
//! Names and expressions are what the user wrote, and some characters do more than appear: they move the cursor,
//! change colours, turn the text after them round, or are not seen at all. Data keeps them as they are. What is
//! *shown* goes through [`visible`], so that a reader sees what is there.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write};

/// Whether a character does more than appear: it controls the terminal, ends a line, changes the
/// direction of the text after it, or takes no room.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{fffe}'
                | '\u{ffff}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A text in which every character can be seen: those that cannot are written as Rust would, `\u{1b}`. Ends of lines
/// and tabs stay.
///
/// ```
/// assert_eq!(laban::text::visible("a\u{1b}[31mb\u{202e}\n"), "a\\u{1b}[31mb\\u{202e}\n");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |character| !matches!(character, '\n' | '\t') && is_hidden(character))
}

/// The same on one line.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

fn escaped(text: &str, must: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&must) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match must(character) {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// A text in XML, in an element or in an attribute. What XML cannot hold at all becomes a replacement character.
///
/// ```
/// assert_eq!(laban::text::Xml("a<b> & \"c\"").to_string(), "a&lt;b&gt; &amp; &quot;c&quot;");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Xml<'a>(pub &'a str);

impl Display for Xml<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\n' | '\t' | '\r' => f.write_char(character)?,
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_seen_stays_as_it_is() {
        for text in ["", "käufer -> 買う", "é🦀∗", "one\ntwo", "a'b \"c\" \\u{1b}"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(visible("\t\r\n\0\u{7f}\u{9b}"), "\t\\r\n\\u{0}\\u{7f}\\u{9b}");
        assert_eq!(on_one_line("a\nb"), "a\\nb");
        for character in
            "\u{ad}\u{200b}\u{200d}\u{200e}\u{2028}\u{2029}\u{202e}\u{2060}\u{2066}\u{feff}\u{e0041}".chars()
        {
            assert_eq!(visible(&character.to_string()), format!("\\u{{{:x}}}", u32::from(character)));
        }
    }

    #[test]
    fn xml_holds_what_it_can() {
        assert_eq!(Xml("a <b>\n\tc").to_string(), "a &lt;b&gt;\n\tc");
        assert_eq!(Xml("\u{1b}\u{0}\u{fffe}é🦀").to_string(), "\u{fffd}\u{fffd}\u{fffd}é🦀");
    }
}
