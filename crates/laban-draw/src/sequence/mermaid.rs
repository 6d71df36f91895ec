//! Sequence diagrams in the language of Mermaid.
//!
//! Participants are called `P0`, `P1`, … and get their names with `as`, so no name can be taken for a keyword. In texts,
//! what means something to Mermaid, Markdown or HTML is written as a code of a character.

use super::{Diagram, Frame, Item, MessageKind, NoteKind, Sequence, Span};
use crate::text::{is_hidden, shortened};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};

/// Deeper frames are not indented further: the text would get longer by the square of the depth.
const DEEPEST_INDENT: usize = 16;
/// The most characters of a text.
const LONGEST: usize = 160;

/// Prints everything as one diagram: parallel parts in one frame, procedures in shaded boxes below.
#[derive(Debug, Clone, Copy)]
pub struct Mermaid<'a>(pub &'a Sequence);

/// Prints a document in Markdown with a block of Mermaid for each diagram.
#[derive(Debug, Clone, Copy)]
pub struct Markdown<'a>(pub &'a Sequence);

impl Display for Mermaid<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Sequence { diagrams, remarks } = self.0;
        writeln!(f, "sequenceDiagram")?;
        for remark in remarks {
            writeln!(f, "  %% {}", Plain(remark))?;
        }
        if let [Diagram { title, .. }] = diagrams.as_slice()
            && !title.is_empty()
        {
            writeln!(f, "  title {}", Text(title))?;
        }
        // A process has one lane, in however many diagrams it takes part.
        let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for diagram in diagrams {
            let mut row = Vec::new();
            for (number, lane) in diagram.lanes.iter().enumerate() {
                let new = ids.len();
                let id = *ids.entry(&lane.name).or_insert(new);
                if id == new {
                    write_participant(f, id, diagram, number)?;
                }
                row.push(id);
            }
            rows.push(row);
        }
        let parts = self.0.parts();
        let is_main = |number: usize| number == 0 || diagrams[number].part != diagrams[number - 1].part;
        for number in (0..diagrams.len()).filter(|&number| is_main(number)) {
            if parts > 1 {
                let word = if number == 0 { "par" } else { "and" };
                writeln!(f, "  {word} {}", Text(&diagrams[number].title))?;
            }
            write_items(f, &diagrams[number], &rows[number], if parts > 1 { 2 } else { 1 })?;
        }
        if parts > 1 {
            writeln!(f, "  end")?;
        }
        for number in (0..diagrams.len()).filter(|&number| !is_main(number)) {
            let (diagram, row) = (&diagrams[number], &rows[number]);
            let span = Span { first: 0, last: diagram.lanes.len().saturating_sub(1) };
            write!(f, "  ")?;
            write_shade(f, &Over(span, row), &diagram.title, 1)?;
            write_items(f, diagram, row, 2)?;
            writeln!(f, "  end")?;
        }
        Ok(())
    }
}

impl Display for Markdown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (number, diagram) in self.0.diagrams.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            if !diagram.title.is_empty() {
                writeln!(f, "## {}\n", Plain(&diagram.title))?;
            }
            writeln!(f, "```mermaid\nsequenceDiagram")?;
            let row: Vec<usize> = (0..diagram.lanes.len()).collect();
            for lane in 0..diagram.lanes.len() {
                write_participant(f, lane, diagram, lane)?;
            }
            write_items(f, diagram, &row, 1)?;
            writeln!(f, "```")?;
        }
        for remark in &self.0.remarks {
            writeln!(f, "\n{}.", Plain(remark))?;
        }
        Ok(())
    }
}

fn write_participant(f: &mut Formatter<'_>, id: usize, diagram: &Diagram, lane: usize) -> fmt::Result {
    let Some(lane) = diagram.lanes.get(lane) else { return Ok(()) };
    let service = if lane.service { "service " } else { "" };
    writeln!(f, "  participant P{id} as {service}{}", Text(&lane.name))
}

fn write_items(f: &mut Formatter<'_>, diagram: &Diagram, row: &[usize], depth: usize) -> fmt::Result {
    let id = |lane: usize| row.get(lane).copied().unwrap_or(0);
    let mut frames: Vec<(Frame, Span)> = Vec::new();
    for item in &diagram.items {
        let outer = matches!(item, Item::Next { .. } | Item::Close);
        let indent = (depth + frames.len() - usize::from(outer && !frames.is_empty())).min(DEEPEST_INDENT);
        write!(f, "{:indent$}", "", indent = 2 * indent)?;
        match item {
            Item::Message { from, to, text, kind } => {
                let (from, to, text) = (id(*from), id(*to), Text(text));
                match kind {
                    MessageKind::Value => writeln!(f, "P{from}->>P{to}: {text}")?,
                    MessageKind::Selection => writeln!(f, "P{from}-->>P{to}: [{text}]")?,
                }
            }
            Item::Note { lane, text, kind } => {
                let mark = match kind {
                    NoteKind::Stuck => "stuck, ",
                    NoteKind::Waiting => "service, ",
                    NoteKind::Decision | NoteKind::Differs | NoteKind::Stopped => "",
                };
                writeln!(f, "Note over P{}: {mark}{}", id(*lane), Text(text))?;
            }
            Item::Remark { text, span } => writeln!(f, "Note over {}: {}", Over(*span, row), Text(text))?,
            Item::Reference { text, span, .. } => {
                writeln!(f, "Note over {}: go on with {}", Over(*span, row), Text(text))?;
            }
            Item::Open { frame, text, span, .. } => {
                frames.push((*frame, *span));
                match frame {
                    Frame::Difference => write_shade(f, &Over(*span, row), text, indent)?,
                    _ => writeln!(f, "{}{}", frame.as_str(), Guard(text))?,
                }
            }
            Item::Next { text } => match frames.last() {
                Some((Frame::Parallel, _)) => writeln!(f, "and{}", Guard(text))?,
                Some((Frame::Difference, span)) => {
                    write!(f, "end\n{:indent$}", "", indent = 2 * indent)?;
                    write_shade(f, &Over(*span, row), text, indent)?;
                }
                _ => writeln!(f, "else{}", Guard(text))?,
            },
            Item::Close => {
                frames.pop();
                writeln!(f, "end")?;
            }
        }
    }
    for remark in &diagram.remarks {
        let all = Span { first: 0, last: diagram.lanes.len().saturating_sub(1) };
        writeln!(f, "{:indent$}Note over {}: {}", "", Over(all, row), Text(remark), indent = 2 * depth)?;
    }
    Ok(())
}

/// Opens a shaded box, with a note that says what it is. Mermaid has no frames with words of one's own.
fn write_shade(f: &mut Formatter<'_>, over: &Over<'_>, title: &str, indent: usize) -> fmt::Result {
    writeln!(f, "rect rgba(128, 128, 128, 0.15)")?;
    writeln!(f, "{:indent$}Note over {over}: {}", "", Text(title), indent = 2 * (indent + 1).min(DEEPEST_INDENT))
}

/// The lanes that something is over: one, or the first and the last.
struct Over<'a>(Span, &'a [usize]);

impl Display for Over<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Over(Span { first, last }, row) = self;
        let id = |lane: usize| row.get(lane).copied().unwrap_or(0);
        match first == last {
            true => write!(f, "P{}", id(*first)),
            false => write!(f, "P{},P{}", id(*first), id(*last)),
        }
    }
}

/// What is written on a frame, with a space in front if there is something.
struct Guard<'a>(&'a str);

impl Display for Guard<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => Ok(()),
            text => write!(f, " {}", Text(text)),
        }
    }
}

/// A text that means nothing to Mermaid.
struct Text<'a>(&'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.trim().is_empty() {
            return f.write_str("#160;");
        }
        for character in shortened(self.0, LONGEST).chars() {
            match character {
                _ if is_hidden(character) || character.is_whitespace() => f.write_char(' ')?,
                ' ' | '.' | ',' | '!' | '?' | '=' | '\'' | '(' | ')' | '[' | ']' | '/' | '_' | '-' | '+' | '*'
                | '`' => {
                    f.write_char(character)?;
                }
                _ if character.is_ascii_punctuation() => write!(f, "#{};", u32::from(character))?,
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// A text on one line of a comment or heading.
struct Plain<'a>(&'a str);

impl Display for Plain<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                _ if is_hidden(character) => f.write_char(' ')?,
                '_' | '*' | '`' | '[' | ']' | '<' | '>' | '#' | '\\' | '&' => write!(f, "\\{character}")?,
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}
