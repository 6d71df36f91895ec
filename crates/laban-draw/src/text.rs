//! How wide a text is, and how to make it fit.
//!
//! Pictures are laid out without asking a font, so widths are estimates: the drawings use monospaced fonts, in which
//! most characters are about 0.6 of the font size wide, and the estimate is a little more than that. What is drawn
//! elsewhere (Graphviz, Mermaid, PlantUML) measures its own texts and needs nothing of this.

use std::borrow::Cow;

/// About how wide a text is in a monospaced font of this size; rather too much than too little.
pub fn text_width(text: &str, font_size: f64) -> f64 {
    text.chars().map(cell).sum::<f64>() * font_size
}

/// Whether a character is not to be printed: it stands for nothing, or it turns round the text after it.
pub(crate) fn is_hidden(character: char) -> bool {
    laban::text::is_hidden(character)
}

/// How wide a character is, in units of the font size.
fn cell(character: char) -> f64 {
    match u32::from(character) {
        // Not printed as it is, but as a replacement character.
        0..=0x1f | 0x7f..=0x9f => 1.1,
        0x20..=0x10ff => 0.62,
        // Dashes, quotes, dots, arrows, lines and simple shapes.
        0x2010..=0x2027 | 0x2190..=0x21ff | 0x2500..=0x25ff => 0.75,
        0x1100..=0x1_efff => 1.1,
        _ => 1.4,
    }
}

/// The text on one line, cut with an ellipsis where it gets wider than this many ordinary characters.
pub(crate) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    let room = most as f64 * 0.62 + 0.01;
    if text_width(text, 1.0) <= room {
        return Cow::Borrowed(text);
    }
    let room = room - cell('…');
    let mut width = 0.0;
    let mut cut = String::new();
    for character in text.chars() {
        width += cell(character);
        if width > room {
            break;
        }
        cut.push(character);
    }
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    Cow::Owned(cut)
}

/// The text on a few lines, broken at spaces where that is possible; and whether something of it is missing.
pub(crate) fn wrapped(text: &str, cells: usize, most_lines: usize) -> (Vec<String>, bool) {
    let room = cells as f64 * 0.62 + 0.01;
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut missing = false;
    for word in text.split_whitespace() {
        let cut = shortened(word, cells);
        missing |= cut.len() != word.len();
        let together = text_width(&line, 1.0) + cell(' ') + text_width(&cut, 1.0);
        if !line.is_empty() && together > room {
            lines.push(std::mem::take(&mut line));
            if lines.len() > most_lines {
                break;
            }
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&cut);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    if lines.len() > most_lines {
        lines.truncate(most_lines);
        missing = true;
        if let Some(last) = lines.last_mut() {
            while text_width(last, 1.0) + cell('…') > room && last.pop().is_some() {}
            last.push('…');
        }
    }
    (lines, missing)
}

/// Captions on short lines, so that a legend does not make a small picture wide.
pub(crate) fn caption_lines(captions: &[String]) -> Vec<String> {
    captions.iter().flat_map(|caption| wrapped(caption, 36, 4).0).collect()
}

/// "1 step", "12 steps".
pub(crate) fn counted(number: usize, word: &str) -> String {
    match number {
        1 => format!("1 {word}"),
        _ => format!("{number} {word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_stays_and_a_long_one_is_cut() {
        assert_eq!(shortened("price", 5), "price");
        assert_eq!(shortened("the price", 5), "the…");
        assert_eq!(shortened("日本語の説明", 6), "日本…");
    }

    #[test]
    fn lines_break_at_spaces_and_end_with_an_ellipsis() {
        let (lines, missing) = wrapped("waits for a value from `seller`", 14, 4);
        assert_eq!(lines, ["waits for a", "value from", "`seller`"]);
        assert!(!missing);
        let (lines, missing) = wrapped("one two three four five six", 9, 2);
        assert_eq!(lines, ["one two", "three…"]);
        assert!(missing);
        assert_eq!(wrapped("", 9, 2).0, [""]);
    }
}
