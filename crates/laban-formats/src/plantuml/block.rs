//! The diagrams of a text, from `@startuml` to `@enduml`, and which of them is meant.

use super::kind::kind_of_start;
use super::reader::{self, Found};
use super::statement::Statements;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::sequence::{Diagram, LineKind};
use crate::source::Source;
use laban::diagnostic::{Code, Diagnostic, quote};
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

/// Which diagram is meant.
fn index(found: &[Found], options: &ReadOptions<'_>, report: &mut Report) -> Option<usize> {
    if let Some(wanted) = options.protocol {
        let by_name = found.iter().position(|found| found.diagram.title == wanted);
        let by_number = || wanted.parse::<usize>().ok()?.checked_sub(1).filter(|&index| index < found.len());
        let index = by_name.or_else(by_number);
        if index.is_none() {
            let message = format!("there is no diagram {}", quote(wanted));
            report.add(Diagnostic::new(Code::Syntax, Span::default(), message).hint(listed(found)));
        }
        return index;
    }
    if found.len() == 1 {
        return Some(0);
    }
    let all = || found.iter().enumerate().filter(|(_, found)| found.other.is_none());
    let has_messages = |found: &Found| {
        found.diagram.lines.iter().any(|line| matches!(line.kind, LineKind::Message { .. }))
            || found.report.has_errors()
    };
    let mut with_messages = all().filter(|(_, found)| has_messages(found));
    match (with_messages.next(), with_messages.next()) {
        (Some((index, _)), None) => Some(index),
        (None, _) => Some(all().next().map_or(0, |(index, _)| index)),
        (Some(_), Some((_, second))) => {
            let count = with_messages.count() + 2;
            let message = format!("there are {count} sequence diagrams in this text");
            let span = second.diagram.span;
            let diagnostic = Diagnostic::new(Code::Syntax, Span::new(span.start, span.start), message);
            report.add(diagnostic.label("the second one starts here").hint(listed(found)));
            None
        }
    }
}

/// The names of the diagrams, to choose from.
fn listed(found: &[Found]) -> String {
    let name = |(index, found): (usize, &Found)| match found.diagram.title.as_str() {
        "" => format!("{}", index + 1),
        title => format!("{} ({title})", index + 1),
    };
    let mut names: Vec<String> = found.iter().enumerate().take(10).map(name).collect();
    if found.len() > names.len() {
        names.push("…".to_string());
    }
    format!("choose one with `--protocol`, by its number or name: {}", names.join(", "))
}
