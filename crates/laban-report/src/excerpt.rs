//! The few lines of a source that a diagnostic is about, cut to a readable length.
//!
//! What is drawn costs as much as it is long, so lines are cut before they are drawn: of a line of a megabyte, only
//! what is around the marked places is kept.

use crate::source::Source;
use laban::text::visible;
use std::borrow::Cow;
use std::ops::Range;

/// Lines up to this length, in characters, are shown as they are.
const WHOLE: usize = 120;
/// How many characters are kept before and after the ends of a marked place in a longer line.
const AROUND: usize = 30;
/// Places whose lines are at most this far apart are shown together.
const TOGETHER: usize = 6;

/// A place to mark: a stretch of one line.
#[derive(Debug, Clone)]
pub(crate) struct Mark<'a> {
    /// The line of the whole text.
    pub(crate) line: usize,
    /// In bytes from the start of the line.
    pub(crate) range: Range<usize>,
    pub(crate) label: &'a str,
    pub(crate) primary: bool,
}

/// Lines that follow one another, with what is marked in them.
#[derive(Debug)]
pub(crate) struct Excerpt<'a> {
    /// The number of the first line in its file.
    pub(crate) first_line: usize,
    /// The lines, cut.
    pub(crate) text: String,
    /// The marks, each with its place in `text`.
    pub(crate) marks: Vec<(Range<usize>, Mark<'a>)>,
}

impl Excerpt<'_> {
    /// The same with every character visible, and the marks at the same ones. Tabs are left to those who draw it.
    fn made_visible(mut self) -> Self {
        if matches!(visible(&self.text), Cow::Borrowed(_)) {
            return self;
        }
        let mut shown = String::with_capacity(2 * self.text.len());
        // For each byte of the text, and for its end, where it is then.
        let mut moved = Vec::with_capacity(self.text.len() + 1);
        for (at, character) in self.text.char_indices() {
            moved.resize(at + 1, shown.len());
            match character {
                // The byte order mark of a file is not part of what it says.
                '\u{feff}' if at == 0 && self.first_line == 1 => {}
                _ => shown.push_str(&visible(character.encode_utf8(&mut [0; 4]))),
            }
            moved.resize(at + character.len_utf8(), shown.len());
        }
        moved.push(shown.len());
        for (range, _) in &mut self.marks {
            let place = |at: usize| moved.get(at).copied().unwrap_or(shown.len());
            *range = place(range.start)..place(range.end);
        }
        self.text = shown;
        self
    }
}

/// The mark for a span: if it goes over several lines, what of it is on the first.
pub(crate) fn mark<'a>(source: &Source, span: laban::syntax::Span, label: &'a str, primary: bool) -> Mark<'a> {
    let (start, end) = source.range(span);
    let line = source.line_at(start);
    let line_start = source.line_start(line);
    let length = source.line(line).len();
    let start = (start - line_start).min(length);
    Mark { line, range: start..(end - line_start).min(length), label, primary }
}

/// Gathers marks into excerpts; the one with the primary mark comes first.
pub(crate) fn excerpts<'a>(source: &Source, mut marks: Vec<Mark<'a>>) -> Vec<Excerpt<'a>> {
    marks.sort_by_key(|mark| (mark.line, mark.range.start));
    let mut excerpts: Vec<Excerpt<'a>> = Vec::new();
    let piece = |mark: &Mark<'_>| source.piece_at(source.line_start(mark.line));
    for group in marks.chunk_by(|one, next| next.line - one.line <= TOGETHER && piece(one) == piece(next)) {
        let mut at = group.first().map_or(1, |mark| mark.line);
        let mut excerpt = Excerpt { first_line: source.line_in_file(at), text: String::new(), marks: Vec::new() };
        for on_line in group.chunk_by(|one, next| one.line == next.line) {
            let number = on_line.first().map_or(1, |mark| mark.line);
            while at < number {
                excerpt.text.push('\n');
                at += 1;
                if at < number {
                    push_cut(&mut excerpt.text, source.line(at), &[]);
                }
            }
            let ranges = push_cut(&mut excerpt.text, source.line(number), on_line);
            excerpt.marks.extend(ranges.into_iter().zip(on_line.iter().cloned()));
        }
        excerpts.push(excerpt.made_visible());
    }
    excerpts.sort_by_key(|excerpt| !excerpt.marks.iter().any(|(_, mark)| mark.primary));
    excerpts
}

/// Appends a line, cut if it is long, and gives the places of its marks in the text.
fn push_cut(text: &mut String, line: &str, marks: &[Mark<'_>]) -> Vec<Range<usize>> {
    if line.len() <= WHOLE || line.chars().nth(WHOLE).is_none() {
        let offset = text.len();
        text.push_str(line);
        return marks.iter().map(|mark| mark.range.start + offset..mark.range.end + offset).collect();
    }
    let mut points: Vec<usize> = marks.iter().flat_map(|mark| [mark.range.start, mark.range.end]).collect();
    points.sort_unstable();
    if points.is_empty() {
        points.push(0);
    }
    // The stretches that are kept, each with its place in the text.
    let mut kept: Vec<(Range<usize>, usize)> = Vec::new();
    for point in points {
        let window = back(line, point, AROUND)..forward(line, point, AROUND);
        match kept.last_mut() {
            Some((last, _)) if window.start <= last.end => last.end = last.end.max(window.end),
            _ => kept.push((window, 0)),
        }
    }
    let mut at = 0;
    for (range, place) in &mut kept {
        if range.start > at {
            text.push('…');
        }
        *place = text.len();
        text.push_str(&line[range.clone()]);
        at = range.end;
    }
    if at < line.len() {
        text.push('…');
    }
    let place_of = |point: usize| {
        let found = kept.iter().find(|(range, _)| range.start <= point && point <= range.end);
        found.map_or(0, |(range, place)| place + point - range.start)
    };
    marks.iter().map(|mark| place_of(mark.range.start)..place_of(mark.range.end)).collect()
}

/// The offset so many characters before this one.
fn back(line: &str, from: usize, characters: usize) -> usize {
    line[..from].char_indices().rev().take(characters).last().map_or(from, |(at, _)| at)
}

/// The offset so many characters after this one.
fn forward(line: &str, from: usize, characters: usize) -> usize {
    line[from..].char_indices().nth(characters).map_or(line.len(), |(at, _)| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, places: &[(usize, usize)]) -> Vec<(usize, String, Vec<String>)> {
        let source = Source::new("x", text);
        let marks = places.iter().enumerate().map(|(number, &(start, end))| {
            mark(&source, laban::syntax::Span::new(start as u32, end as u32), "", number == 0)
        });
        excerpts(&source, marks.collect())
            .into_iter()
            .map(|excerpt| {
                let marked = excerpt.marks.iter().map(|(range, _)| excerpt.text[range.clone()].to_string()).collect();
                (excerpt.first_line, excerpt.text, marked)
            })
            .collect()
    }

    #[test]
    fn short_lines_are_whole_and_those_between_are_there() {
        let shown = shown("one\ntwo\nthree\nfour\nfive", &[(8, 13), (0, 3), (14, 18)]);
        let marked = ["one", "three", "four"].map(str::to_string).to_vec();
        assert_eq!(shown, [(1, "one\ntwo\nthree\nfour".to_string(), marked)]);
    }

    #[test]
    fn distant_lines_are_apart_and_the_primary_one_comes_first() {
        let text = format!("one{}last", "\n".repeat(1000));
        let shown = shown(&text, &[(1003, 1007), (0, 3)]);
        assert_eq!(shown.len(), 2);
        assert_eq!((shown[0].0, shown[0].1.as_str()), (1001, "last"));
        assert_eq!((shown[1].0, shown[1].1.as_str()), (1, "one"));
    }

    #[test]
    fn a_long_line_is_cut_around_its_marks() {
        let text = format!("{}é{}", "a".repeat(1_000_000), "b".repeat(1_000_000));
        let shown = shown(&text, &[(1_000_000, 1_000_002), (0, 1)]);
        let (_, text, marked) = &shown[0];
        assert_eq!(text.chars().filter(|&character| character == '…').count(), 2);
        assert!(text.chars().count() < 150, "{text}");
        assert_eq!(marked, &["a", "é"]);
    }

    #[test]
    fn a_long_mark_is_cut_in_the_middle() {
        let shown = shown(&"x".repeat(1_000_000), &[(10, 999_990)]);
        assert!(shown[0].1.chars().count() < 150);
    }

    #[test]
    fn what_cannot_be_seen_is_written_out_and_marked_where_it_is() {
        let shown = shown("\u{feff}a \u{1b}[1m\u{202e}é\tb", &[(5, 9), (12, 14), (15, 16)]);
        assert_eq!(shown[0].1, "a \\u{1b}[1m\\u{202e}é\tb");
        assert_eq!(shown[0].2, ["\\u{1b}[1m", "é", "b"]);
    }

    #[test]
    fn of_a_span_over_several_lines_the_first_is_marked() {
        assert_eq!(shown("a {\r\n b }\r\n", &[(0, 9)])[0].2, ["a {"]);
    }
}
