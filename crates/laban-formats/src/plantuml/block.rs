//! The diagrams of a text, from `@startuml` to `@enduml`, and which of them is meant.

use super::drawing::joined;
use super::kind::kind_of_start;
use super::reader::{self, Found};
use super::statement::Statements;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::sequence::{self, Diagram};
use crate::source::Source;
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;

/// Some lines of a text that are a diagram.
struct Block<'a> {
    /// The word after `@start`.
    start: &'a str,
    name: &'a str,
    /// What is before `@start`, if that is the beginning of a comment around the diagram.
    prefix: &'a str,
    /// The lines, and where they are.
    lines: &'a str,
    offset: u32,
    /// The line with `@start`.
    opening: Span,
    /// Whether there is an end.
    is_closed: bool,
}

/// What is before `@start` or `@end`, and the rest of the line; nothing if it is another line.
fn split_at_sign<'a>(line: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let start = line.find(|c: char| !(c.is_whitespace() || matches!(c, '*' | '/' | '#' | ';' | '\u{feff}')))?;
    let (prefix, rest) = line.split_at(start);
    let rest = rest.strip_prefix('@')?;
    let is_word = rest.get(..word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word));
    is_word.then(|| (prefix, rest[word.len()..].trim_end()))
}

/// Whether some line starts a diagram.
pub(super) fn has_start(text: &str) -> bool {
    text.lines().any(|line| {
        split_at_sign(line, "start").is_some_and(|(_, rest)| rest.starts_with("uml") && is_word_end(&rest[3..]))
    })
}

fn is_word_end(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// The diagrams of a text. One without any is a diagram as a whole.
fn blocks<'a>(source: &Source<'a>) -> Vec<Block<'a>> {
    let text = source.text;
    let mut blocks: Vec<Block<'a>> = Vec::new();
    let mut at = 0;
    let mut is_open = false;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if let Some((prefix, rest)) = split_at_sign(line, "start") {
            if is_open {
                close(&mut blocks, text, source.offset, start);
            }
            is_open = true;
            let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            let (word, name) = rest.split_at(length);
            let sign = start + prefix.len();
            let opening =
                Span::new(source.offset + sign as u32, source.offset + (start + line.trim_end().len()) as u32);
            let prefix = if prefix.contains(['*', '/', '#', ';']) { prefix } else { "" };
            let offset = source.offset + at as u32;
            let name = block_name(name);
            blocks.push(Block { start: word, name, prefix, lines: "", offset, opening, is_closed: false });
        } else if is_open && split_at_sign(line, "end").is_some_and(|(_, rest)| !rest.is_empty()) {
            close(&mut blocks, text, source.offset, start);
            blocks.iter_mut().last().into_iter().for_each(|block| block.is_closed = true);
            is_open = false;
        }
    }
    if is_open {
        close(&mut blocks, text, source.offset, text.len());
    }
    blocks
}

/// Ends the last block.
fn close<'a>(blocks: &mut [Block<'a>], text: &'a str, offset: u32, end: usize) {
    if let Some(block) = blocks.last_mut() {
        let start = (block.offset - offset) as usize;
        block.lines = text.get(start..end).unwrap_or("");
    }
}

/// The name after `@startuml`: a word, words, quoted words or `(id=name)`.
fn block_name(text: &str) -> &str {
    let text = text.trim();
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    inside.strip_prefix("id=").unwrap_or(inside).trim().trim_matches('"')
}

/// The diagram that is meant, unless there isn't one.
pub(super) fn chosen(sources: &[Source<'_>], options: &ReadOptions<'_>, report: &mut Report) -> Option<Diagram> {
    let mut found: Vec<Found> = Vec::new();
    for source in sources {
        found.extend(blocks(source).iter().map(read_block));
    }
    if found.is_empty() {
        for source in sources {
            let end = source.offset + source.text.len() as u32;
            let span = Span::new(source.offset, end);
            found.push(reader::read(Statements::new(source.text, source.offset, ""), "", span));
        }
    }
    let found = joined(found);
    let index = index(&found, options, report)?;
    let left_out = found.len() - 1;
    let Found { diagram, report: said, other } = found.into_iter().nth(index)?;
    if let Some((kind, span)) = other {
        let message = format!("this is {kind}, not a sequence diagram");
        let diagnostic = Diagnostic::new(Code::Syntax, span, message).label("not a line of a sequence diagram");
        report.add(diagnostic.hint("Laban reads sequence diagrams: messages such as `A -> B: text`"));
        return None;
    }
    report.append(said);
    if left_out > 0 {
        let others = if left_out == 1 { "the other diagram".to_string() } else { format!("{left_out} other diagrams") };
        report.remark(diagram.span, format!("{others} of the text: left out"));
    }
    Some(diagram)
}

/// Whether there is something else than diagrams in a text, from the start of one to before the end of another one.
pub(crate) fn has_other_text(text: &str) -> bool {
    let mut is_open = false;
    text.lines().any(|line| {
        if split_at_sign(line, "start").is_some() {
            is_open = true;
        } else if split_at_sign(line, "end").is_some() {
            is_open = false;
        } else {
            return !is_open && line.contains(char::is_alphanumeric);
        }
        false
    })
}

fn read_block(block: &Block<'_>) -> Found {
    let span = Span::new(block.opening.start, block.offset + block.lines.len() as u32);
    if !block.start.eq_ignore_ascii_case("uml") {
        let diagram = Diagram { title: block.name.to_string(), span, ..Diagram::default() };
        return Found { diagram, other: Some((kind_of_start(block.start), block.opening)), ..Found::default() };
    }
    let mut found = reader::read(Statements::new(block.lines, block.offset, block.prefix), block.name, span);
    if !block.is_closed {
        found.report.remark(
            block.opening,
            "`@enduml` is missing: the diagram ends with the text, or where the next one starts",
        );
    }
    found
}

/// Which diagram is meant: the one that the options name, or the only one that has messages.
fn index(found: &[Found], options: &ReadOptions<'_>, report: &mut Report) -> Option<usize> {
    let sequences: Vec<usize> = (0..found.len()).filter(|&index| found[index].other.is_none()).collect();
    if sequences.is_empty() {
        return Some(0);
    }
    let has_messages = |&index: &usize| {
        let Found { diagram, report, .. } = &found[index];
        diagram.lines.iter().any(|line| line.kind.ends().is_some()) || report.has_errors()
    };
    if options.protocol.is_none() {
        let mut with_messages = sequences.iter().copied().filter(has_messages);
        if let (Some(only), None) = (with_messages.next(), with_messages.next()) {
            return Some(only);
        }
    }
    let diagrams: Vec<&Diagram> = sequences.iter().map(|&index| &found[index].diagram).collect();
    let chosen = sequence::chosen(&diagrams, options.protocol, report)?;
    sequences.get(chosen).copied()
}
