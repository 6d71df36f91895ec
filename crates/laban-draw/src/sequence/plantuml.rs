//! Sequence diagrams in the language of PlantUML.
//!
//! Participants are called `P0`, `P1`, … and get their names in quotes. In texts, what means something to PlantUML's
//! preprocessor or its markup is written as `<U+…>`, the code of a character. Values have solid arrows and selections
//! dashed ones; the heads of those that are put into a queue are different from those of others.

use super::waiting::taking;
use super::{DEEPEST_INDENT, Diagram, Frame, Item, LONGEST, MessageKind, NoteKind, Sequence, Span, whole};
use crate::text::{is_hidden, shortened};
use std::fmt::{self, Display, Formatter, Write};

/// Prints a block from `@startuml` to `@enduml` for each diagram.
#[derive(Debug, Clone, Copy)]
pub struct PlantUml<'a>(pub &'a Sequence);

/// Prints the same, but with texts of any length.
#[derive(Debug, Clone, Copy)]
pub struct PlantUmlInFull<'a>(pub &'a Sequence);

impl Display for PlantUml<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_sequence(f, self.0, LONGEST)
    }
}

impl Display for PlantUmlInFull<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_sequence(f, self.0, usize::MAX)
    }
}

fn write_sequence(f: &mut Formatter<'_>, sequence: &Sequence, most: usize) -> fmt::Result {
    let Sequence { diagrams, remarks, .. } = sequence;
    let is_choreography = whole::is_choreography(sequence, most);
    for (number, diagram) in diagrams.iter().enumerate() {
        if number > 0 {
            writeln!(f)?;
        }
        writeln!(f, "@startuml")?;
        if is_choreography {
            writeln!(f, "' {}", whole::MARK)?;
        }
        if !diagram.title.is_empty() {
            writeln!(f, "title {}", Text(most, &diagram.title))?;
        }
        writeln!(f, "hide footbox")?;
        for (id, lane) in diagram.lanes.iter().enumerate() {
            let service = if lane.service { "service " } else { "" };
            let colour = if lane.stuck { " #ffd8d8" } else { "" };
            writeln!(f, "participant \"{service}{}\" as P{id}{colour}", Text(most, &lane.name))?;
        }
        write_items(f, diagram, most)?;
        let first = if number == 0 { remarks.as_slice() } else { &[] };
        for remark in diagram.remarks.iter().chain(first) {
            let all = Span { first: 0, last: diagram.lanes.len().saturating_sub(1) };
            writeln!(f, "note over {} : {}", Over(all), Text(most, remark))?;
        }
        writeln!(f, "@enduml")?;
    }
    Ok(())
}

fn write_items(f: &mut Formatter<'_>, diagram: &Diagram, most: usize) -> fmt::Result {
    let mut depth: usize = 0;
    for item in &diagram.items {
        let outer = usize::from(matches!(item, Item::Next { .. } | Item::Close));
        let indent = depth.saturating_sub(outer).min(DEEPEST_INDENT);
        write!(f, "{:indent$}", "", indent = 2 * indent)?;
        match item {
            Item::Message { from, to, text, kind: MessageKind::Value } => {
                writeln!(f, "P{from} -> P{to} : {}", Text(most, text))?;
            }
            Item::Message { from, to, text, kind: MessageKind::Selection } => {
                writeln!(f, "P{from} -->> P{to} : {}", Label(most, text))?;
            }
            Item::Put { from, to, text, kind: MessageKind::Value, .. } => {
                writeln!(f, "P{from} ->> P{to} : {}", Text(most, text))?;
            }
            Item::Put { from, to, text, kind: MessageKind::Selection, .. } => {
                writeln!(f, "P{from} --\\\\ P{to} : {}", Label(most, text))?;
            }
            Item::Take { from, to, text, .. } => {
                let sender = diagram.lanes.get(*from).map_or("", |lane| lane.name.as_str());
                writeln!(f, "note over P{to} : {}", Text(most, &taking(sender, text)))?;
            }
            Item::Note { lane, text, kind } => {
                let (note, colour) = match kind {
                    NoteKind::Decision => ("hnote", ""),
                    NoteKind::Stuck | NoteKind::Differs | NoteKind::Lost => ("note", " #ffd8d8"),
                    NoteKind::Waiting | NoteKind::Idle | NoteKind::Stopped | NoteKind::Queue => ("note", ""),
                };
                writeln!(f, "{note} over P{lane}{colour} : {}", Text(most, text))?;
            }
            Item::Remark { text, span } => writeln!(f, "rnote over {} : {}", Over(*span), Text(most, text))?,
            Item::Reference { text, span, .. } => writeln!(f, "ref over {} : {}", Over(*span), Text(most, text))?,
            Item::Open { frame, text, .. } => {
                depth += 1;
                let space = if text.is_empty() { "" } else { " " };
                let text = Text(most, text);
                match frame {
                    Frame::Alternative => writeln!(f, "alt{space}{text}")?,
                    Frame::Loop => writeln!(f, "loop{space}{text}")?,
                    Frame::Parallel => writeln!(f, "par{space}{text}")?,
                    Frame::Difference => writeln!(f, "group {} [{text}]", frame.as_str())?,
                    Frame::Race => writeln!(f, "group {}{space}{text}", frame.as_str())?,
                }
            }
            Item::Next { text } if text.is_empty() => writeln!(f, "else")?,
            Item::Next { text } => writeln!(f, "else {}", Text(most, text))?,
            Item::Close => {
                depth = depth.saturating_sub(1);
                writeln!(f, "end")?;
            }
        }
    }
    Ok(())
}

/// The lanes that something is over: one, or the first and the last.
struct Over(Span);

impl Display for Over {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Span { first, last } = self.0;
        match first == last {
            true => write!(f, "P{first}"),
            false => write!(f, "P{first}, P{last}"),
        }
    }
}

/// A label, in brackets.
struct Label<'a>(usize, &'a str);

impl Display for Label<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", Text(1, "["), Text(self.0, self.1), Text(1, "]"))
    }
}

/// A text that means nothing to PlantUML. At most so many characters of it are written.
struct Text<'a>(usize, &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for character in shortened(self.1, self.0).chars() {
            match character {
                _ if is_hidden(character) || character.is_whitespace() => f.write_char(' ')?,
                ' ' | '.' | ',' | '!' | '?' | '(' | ')' | ':' | '+' | '`' => f.write_char(character)?,
                _ if character.is_ascii_punctuation() => write!(f, "<U+{:04X}>", u32::from(character))?,
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}
