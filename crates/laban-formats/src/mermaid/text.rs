//! Texts: what is written as a code of a character, line breaks, and where a text ends.

use super::arrow::{arrow_at, first_arrow};

/// A text as it is shown, on one line: codes of characters become characters, line breaks and other blanks a space.
pub(super) fn shown(text: &str) -> String {
    let shown = decoded(without_wrap(text), true);
    let is_blank = |c: char| c.is_whitespace() || c == '\u{a0}';
    shown.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A text as it was before its characters were written as codes.
pub(super) fn exact(text: &str) -> String {
    decoded(text.trim(), false)
}

fn decoded(text: &str, with_breaks: bool) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['#', '&', '<']) {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((character, length)) = entity(rest) {
            match character {
                Some(character) => decoded.push(character),
                None => decoded.push_str(&rest[..length]),
            }
            rest = &rest[length..];
        } else if let Some(length) = line_break(rest).filter(|_| with_breaks) {
            decoded.push(' ');
            rest = &rest[length..];
        } else {
            decoded.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    decoded.push_str(rest);
    decoded
}

/// What follows `wrap:` or `nowrap:`, which say how to lay out a text.
fn without_wrap(text: &str) -> &str {
    let text = text.trim_start();
    let inner = text.strip_prefix(':').unwrap_or(text);
    inner.strip_prefix("nowrap:").or_else(|| inner.strip_prefix("wrap:")).unwrap_or(text)
}

/// The code of a character that a text starts with, as `#35;`, `#lt;`, `&lt;` or `&#35;`, and its length; the
/// character is missing if the name is not one of the usual ones.
fn entity(text: &str) -> Option<(Option<char>, usize)> {
    if !text.starts_with(['#', '&']) {
        return None;
    }
    let start = if text.starts_with("&#") { 2 } else { 1 };
    let name = text.get(start..)?;
    let length =
        name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|&length| (1..=32).contains(&length))?;
    if !name[length..].starts_with(';') {
        return None;
    }
    let name = &name[..length];
    let hexadecimal = name.strip_prefix(['x', 'X']).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let number = name.parse::<u32>().ok().or(hexadecimal.filter(|_| start == 2));
    let character = match (number, name) {
        (Some(number), _) => char::from_u32(number).filter(|character| !character.is_control()).or(Some(' ')),
        (_, "quot") => Some('"'),
        (_, "apos") => Some('\''),
        (_, "amp") => Some('&'),
        (_, "lt") => Some('<'),
        (_, "gt") => Some('>'),
        (_, "nbsp") => Some(' '),
        (_, "colon") => Some(':'),
        (_, "semi") => Some(';'),
        (_, "num") => Some('#'),
        (_, "comma") => Some(','),
        _ => None,
    };
    Some((character, start + length + 1))
}

/// The length of `<br>` or `<br/>`, with or without blanks.
fn line_break(text: &str) -> Option<usize> {
    let name = text.get(1..3).filter(|name| name.eq_ignore_ascii_case("br"))?;
    let rest = text[1 + name.len()..].trim_start();
    let rest = rest.strip_prefix('/').unwrap_or(rest).trim_start();
    Some(text.len() - rest.strip_prefix('>')?.len())
}

/// Where a text that runs to the end of the statement ends: at a `;` that is not part of a code, if nothing or another
/// statement follows it.
pub(super) fn text_end(text: &str) -> usize {
    let mut at = 0;
    while let Some(found) = text[at..].find(['#', '&', ';']) {
        at += found;
        if let Some((_, length)) = entity(&text[at..]) {
            at += length;
        } else if text[at..].starts_with(';') {
            let rest = text[at + 1..].trim_start();
            let piece = &rest[..rest.find(';').unwrap_or(rest.len())];
            if piece.trim().is_empty() || starts_statement(piece) {
                return at;
            }
            at += 1;
        } else {
            at += 1;
        }
    }
    text.len()
}

/// Where what is not a text of a message ends: at a `;` that is not part of a code, or at a comment.
pub(super) fn plain_end(text: &str) -> usize {
    let mut at = 0;
    while let Some(found) = text[at..].find(['#', '&', ';']) {
        at += found;
        match entity(&text[at..]) {
            Some((_, length)) => at += length,
            None if text[at..].starts_with('&') => at += 1,
            None => return at,
        }
    }
    text.len()
}

/// Where a name ends that is declared: like [`plain_end`], but a `#` may be part of the name, as in `C#`.
pub(super) fn name_end(text: &str) -> usize {
    let mut at = 0;
    loop {
        at += plain_end(&text[at..]);
        let is_part = text[at..].starts_with('#') && text[..at].ends_with(|c: char| !c.is_whitespace());
        if !is_part {
            return at;
        }
        at += 1;
    }
}

/// A selection, `[ok]`, without the comment behind it; any other text as it is.
pub(super) fn without_comment(text: &str) -> &str {
    let label = text.trim_start().starts_with('[').then(|| text.find(']')).flatten().map(|end| end + 1);
    label.filter(|&end| text[end..].trim_start().starts_with('#')).map_or(text, |end| &text[..end])
}

/// The words that start statements.
const KEYWORDS: &[&str] = &[
    "participant",
    "actor",
    "create",
    "destroy",
    "activate",
    "deactivate",
    "autonumber",
    "note",
    "alt",
    "opt",
    "loop",
    "break",
    "critical",
    "par",
    "par_over",
    "rect",
    "box",
    "else",
    "and",
    "option",
    "end",
    "title",
];

fn starts_statement(text: &str) -> bool {
    let word = first_word(text);
    first_arrow(text).is_some() || KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// The letters, digits and `_` at the start.
pub(super) fn first_word(text: &str) -> &str {
    &text[..text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())]
}

/// What follows a word at the start, in any case, unless an arrow does.
pub(super) fn after_keyword<'a>(text: &'a str, keyword: &str) -> Option<&'a str> {
    if !first_word(text).eq_ignore_ascii_case(keyword) {
        return None;
    }
    let rest = &text[keyword.len()..];
    (arrow_at(rest.trim_start()).is_none()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shown_on_one_line_and_without_codes() {
        assert_eq!(shown("a#35;b &lt;c&gt; <br/>d< BR >e #nobody; f"), "a#b <c> d< BR >e #nobody; f");
        assert_eq!(shown("one<br>two<BR />three"), "one two three");
        assert_eq!(shown("wrap: long text"), "long text");
        assert_eq!(shown("#160;"), "");
        assert_eq!(shown("#1; & #x; < #99999999;"), "& #x; <");
    }

    #[test]
    fn a_text_ends_at_a_semicolon_only_if_a_statement_or_nothing_follows() {
        let ends = |text: &str| text[..text_end(text)].to_string();
        assert_eq!(ends("done;"), "done");
        assert_eq!(ends("a; b; c"), "a; b; c");
        assert_eq!(ends("a;b;"), "a;b");
        assert_eq!(ends("a; b->>c: d"), "a");
        assert_eq!(ends("a#59; b; end"), "a#59; b");
        assert_eq!(&"x # comment"[..plain_end("x # comment")], "x ");
        assert_eq!(&"C# # comment"[..name_end("C# # comment")], "C# ");
        assert_eq!(name_end("C#;"), 2);
        assert_eq!(without_comment(" [ok] # comment"), " [ok]");
        assert_eq!(without_comment("a # b"), "a # b");
    }
}
