//! Pieces of lines: what ends a block of lines, guards, texts behind a colon, names and what is shown for them.

use super::arrow::is_in_name;
use std::borrow::Cow;

/// What ends a block of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Closer {
    Note,
    Ref,
    Title,
    Legend,
    Header,
    Footer,
    Caption,
    Bracket,
    Style,
    Directive(&'static str),
}

impl Closer {
    pub(super) fn ends(self, line: &str) -> bool {
        let squeezed: String = line.chars().take(24).filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
        match self {
            Closer::Note => matches!(squeezed.as_str(), "endnote" | "endhnote" | "endrnote"),
            Closer::Ref => squeezed == "endref",
            Closer::Title => squeezed == "endtitle",
            Closer::Legend => squeezed == "endlegend",
            Closer::Header => squeezed == "endheader",
            Closer::Footer => squeezed == "endfooter",
            Closer::Caption => squeezed == "endcaption",
            Closer::Bracket => squeezed == "]",
            Closer::Style => squeezed.starts_with("</style>"),
            Closer::Directive(end) => squeezed.starts_with(end),
        }
    }
}

/// Whether a line is a title or the like, whatever its text looks like.
pub(super) fn is_heading(line: &str) -> bool {
    let (word, rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
    let is_word = ["title", "header", "footer", "caption"].iter().any(|heading| heading.eq_ignore_ascii_case(word));
    is_word && !rest.trim().is_empty()
}

/// A guard without the colours before it; nothing if something else follows the keyword at once.
pub(super) fn without_colours(rest: &str) -> Option<&str> {
    if !rest.is_empty() && !rest.starts_with(|c: char| c.is_whitespace() || c == '#') {
        return None;
    }
    let mut rest = rest.trim();
    for _ in 0..2 {
        let Some(colour) = rest.strip_prefix('#') else { break };
        let after = colour.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '|' | '\\' | '/'));
        if after.starts_with(|c: char| !c.is_whitespace() && c != '#') {
            break;
        }
        rest = after.trim_start();
    }
    Some(rest)
}

/// What follows a declaration, without stereotypes, colours, the order and links.
pub(super) fn without_decoration(rest: &str) -> Option<&str> {
    let mut rest = rest.trim_start();
    loop {
        let after = if let Some(stereotype) = rest.strip_prefix("<<") {
            stereotype.split_once(">>")?.1
        } else if let Some(colour) = rest.strip_prefix('#') {
            colour.trim_start_matches(|c: char| !c.is_whitespace())
        } else if let Some(order) = rest.strip_prefix("order").filter(|rest| rest.starts_with(char::is_whitespace)) {
            order.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || c == '-')
        } else if let Some(link) = rest.strip_prefix("[[") {
            link.split_once("]]")?.1
        } else {
            return Some(rest);
        };
        rest = after.trim_start();
    }
}

/// The text after the first colon that is not in quotes.
pub(super) fn text_of(rest: &str) -> Option<&str> {
    let mut in_quotes = false;
    let colon = rest.char_indices().find(|&(_, c)| {
        in_quotes ^= c == '"';
        c == ':' && !in_quotes
    });
    colon.map(|(at, _)| rest[at + 1..].trim())
}

pub(super) fn has_text(rest: &str) -> bool {
    text_of(rest).is_some()
}

/// A name, perhaps another one that is shown, and what follows them: `X`, `"x y"`, `"x y" as X`, `X as "x y"`,
/// `x as X`.
pub(super) fn declared(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let (first, is_quoted, rest) = name(text)?;
    let after = rest.trim_start();
    let alias = after.strip_prefix("as").filter(|alias| alias.starts_with(char::is_whitespace));
    let Some(alias) = alias else { return Some((first, None, rest)) };
    let (second, second_is_quoted, rest) = name(alias.trim_start())?;
    if second_is_quoted && !is_quoted { Some((first, Some(second), rest)) } else { Some((second, Some(first), rest)) }
}

fn name(text: &str) -> Option<(&str, bool, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (inside, rest) = quoted.split_once('"')?;
        return (!inside.is_empty()).then_some((inside, true, rest));
    }
    let length = text.find(|c| !is_in_name(c)).unwrap_or(text.len());
    (length > 0).then(|| (&text[..length], false, &text[length..]))
}

/// A text with its characters in the place of their codes, as in `<U+0041>`.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains("<U+") {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("<U+") {
        let code = &rest[start + 3..];
        let length = code.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(code.len());
        let character = u32::from_str_radix(&code[..length], 16).ok().and_then(char::from_u32);
        decoded.push_str(&rest[..start]);
        match character.filter(|_| code[length..].starts_with('>')) {
            Some(character) => {
                decoded.push(character);
                rest = &code[length + 1..];
            }
            None => {
                decoded.push_str("<U+");
                rest = code;
            }
        }
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}
