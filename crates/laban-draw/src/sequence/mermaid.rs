//! Sequence diagrams in the language of Mermaid.
//!
//! Participants are called by their names; where Mermaid cannot read one, `as` says what to show. In texts, what means
//! something to Mermaid, Markdown or HTML is written as the code of a character.

use super::waiting::taking;
use super::{DEEPEST_INDENT, Diagram, Frame, Item, LONGEST, Lane, MessageKind, NoteKind, Sequence, Span, whole};
use crate::identifiers::Identifiers;
use crate::text::{is_hidden, shortened};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};

/// Prints everything as one diagram: parallel parts in one frame, procedures in shaded boxes below.
#[derive(Debug, Clone, Copy)]
pub struct MermaidSequence<'a>(pub &'a Sequence);

/// Prints the same, but with texts of any length.
#[derive(Debug, Clone, Copy)]
pub struct MermaidInFull<'a>(pub &'a Sequence);

/// Prints a document in Markdown with a block of Mermaid for each diagram.
#[derive(Debug, Clone, Copy)]
pub struct Markdown<'a>(pub &'a Sequence);

impl Display for MermaidSequence<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_sequence(f, self.0, LONGEST)
    }
}

impl Display for MermaidInFull<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_sequence(f, self.0, usize::MAX)
    }
}

fn write_sequence(f: &mut Formatter<'_>, sequence: &Sequence, most: usize) -> fmt::Result {
    let Sequence { diagrams, remarks, .. } = sequence;
    writeln!(f, "sequenceDiagram")?;
    if whole::is_choreography(sequence, most) {
        writeln!(f, "  %% {}", whole::MARK)?;
    }
    for remark in remarks {
        writeln!(f, "  %% {}", Plain(remark))?;
    }
    if let [Diagram { title, .. }] = diagrams.as_slice()
        && !title.is_empty()
    {
        writeln!(f, "  title {}", Text(most, title))?;
    }
    // A process has one lane, in however many diagrams it takes part.
    let mut lanes: Vec<&Lane> = Vec::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for lane in diagrams.iter().flat_map(|diagram| &diagram.lanes) {
        numbers.entry(&lane.name).or_insert_with(|| {
            lanes.push(lane);
            lanes.len() - 1
        });
    }
    let identifiers = write_participants(f, &lanes, most)?;
    let identifier = |lane: &Lane| numbers.get(lane.name.as_str()).and_then(|&number| identifiers.get(number));
    let rows: Vec<Vec<&str>> = diagrams
        .iter()
        .map(|diagram| diagram.lanes.iter().map(|lane| identifier(lane).map_or("", String::as_str)).collect())
        .collect();
    let parts = sequence.parts();
    let is_main = |number: usize| number == 0 || diagrams[number].part != diagrams[number - 1].part;
    for number in (0..diagrams.len()).filter(|&number| is_main(number)) {
        if parts > 1 {
            let word = if number == 0 { "par" } else { "and" };
            writeln!(f, "  {word} {}", Text(most, &diagrams[number].title))?;
        }
        write_items(f, &diagrams[number], &rows[number], if parts > 1 { 2 } else { 1 }, most)?;
    }
    if parts > 1 {
        writeln!(f, "  end")?;
    }
    for number in (0..diagrams.len()).filter(|&number| !is_main(number)) {
        let (diagram, row) = (&diagrams[number], &rows[number]);
        let span = Span { first: 0, last: diagram.lanes.len().saturating_sub(1) };
        write!(f, "  ")?;
        write_shade(f, &Over(span, row), &diagram.title, 1, most)?;
        write_items(f, diagram, row, 2, most)?;
        writeln!(f, "  end")?;
    }
    Ok(())
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
            let identifiers = write_participants(f, &diagram.lanes.iter().collect::<Vec<_>>(), LONGEST)?;
            let row: Vec<&str> = identifiers.iter().map(String::as_str).collect();
            write_items(f, diagram, &row, 1, LONGEST)?;
            writeln!(f, "```")?;
        }
        for remark in &self.0.remarks {
            writeln!(f, "\n{}.", Plain(remark))?;
        }
        Ok(())
    }
}

/// Declares those who take part, and says what they are called from then on.
fn write_participants(f: &mut Formatter<'_>, lanes: &[&Lane], most: usize) -> Result<Vec<String>, fmt::Error> {
    let names: Vec<&str> = lanes.iter().map(|lane| lane.name.as_str()).collect();
    let identifiers = Identifiers::of_participants(&names);
    for (lane, identifier) in lanes.iter().zip(&identifiers) {
        match (lane.service, *identifier == lane.name) {
            (false, true) => writeln!(f, "  participant {identifier}")?,
            (false, false) => writeln!(f, "  participant {identifier} as {}", Text(most, &lane.name))?,
            (true, _) => writeln!(f, "  participant {identifier} as service {}", Text(most, &lane.name))?,
        }
    }
    Ok(identifiers)
}

fn write_items(f: &mut Formatter<'_>, diagram: &Diagram, row: &[&str], depth: usize, most: usize) -> fmt::Result {
    let id = |lane: usize| row.get(lane).copied().unwrap_or_default();
    let mut frames: Vec<(Frame, Span)> = Vec::new();
    for item in &diagram.items {
        let outer = matches!(item, Item::Next { .. } | Item::Close);
        let indent = (depth + frames.len() - usize::from(outer && !frames.is_empty())).min(DEEPEST_INDENT);
        write!(f, "{:indent$}", "", indent = 2 * indent)?;
        match item {
            Item::Message { from, to, text, kind } => {
                let (from, to, text) = (id(*from), id(*to), Text(most, text));
                match kind {
                    MessageKind::Value => writeln!(f, "{from}->>{to}: {text}")?,
                    MessageKind::Selection => writeln!(f, "{from}-->>{to}: [{text}]")?,
                }
            }
            Item::Put { from, to, text, kind, .. } => {
                let (from, to, text) = (id(*from), id(*to), Text(most, text));
                match kind {
                    MessageKind::Value => writeln!(f, "{from}-){to}: {text}")?,
                    MessageKind::Selection => writeln!(f, "{from}--){to}: [{text}]")?,
                }
            }
            Item::Take { from, to, text, .. } => {
                let sender = diagram.lanes.get(*from).map_or("", |lane| lane.name.as_str());
                writeln!(f, "Note over {}: {}", id(*to), Text(most, &taking(sender, text)))?;
            }
            Item::Note { lane, text, kind } => {
                let (lane, text) = (id(*lane), Text(most, text));
                match kind {
                    NoteKind::Stuck => write_alarm(f, lane, format_args!("stuck, {text}"), indent)?,
                    NoteKind::Differs | NoteKind::Lost => write_alarm(f, lane, format_args!("{text}"), indent)?,
                    NoteKind::Waiting => writeln!(f, "Note over {lane}: service, {text}")?,
                    NoteKind::Idle => writeln!(f, "Note over {lane}: idle, {text}")?,
                    NoteKind::Decision | NoteKind::Stopped | NoteKind::Queue => {
                        writeln!(f, "Note over {lane}: {text}")?;
                    }
                }
            }
            Item::Remark { text, span } => writeln!(f, "Note over {}: {}", Over(*span, row), Text(most, text))?,
            Item::Reference { text, span, .. } => {
                writeln!(f, "Note over {}: go on with {}", Over(*span, row), Text(most, text))?;
            }
            Item::Open { frame, text, span, .. } => {
                frames.push((*frame, *span));
                match frame {
                    Frame::Difference => write_shade(f, &Over(*span, row), text, indent, most)?,
                    Frame::Race => writeln!(f, "par {}{}", frame.as_str(), Guard(most, text))?,
                    Frame::Alternative | Frame::Loop | Frame::Parallel => {
                        writeln!(f, "{}{}", frame.as_str(), Guard(most, text))?;
                    }
                }
            }
            Item::Next { text } => match frames.last() {
                Some((Frame::Parallel | Frame::Race, _)) => writeln!(f, "and{}", Guard(most, text))?,
                Some((Frame::Difference, span)) => {
                    write!(f, "end\n{:indent$}", "", indent = 2 * indent)?;
                    write_shade(f, &Over(*span, row), text, indent, most)?;
                }
                _ => writeln!(f, "else{}", Guard(most, text))?,
            },
            Item::Close => {
                frames.pop();
                writeln!(f, "end")?;
            }
        }
    }
    for remark in &diagram.remarks {
        let all = Span { first: 0, last: diagram.lanes.len().saturating_sub(1) };
        writeln!(f, "{:indent$}Note over {}: {}", "", Over(all, row), Text(most, remark), indent = 2 * depth)?;
    }
    Ok(())
}

/// A note in a red box. Mermaid has one colour for all notes and all participants, so this is how to mark one.
fn write_alarm(f: &mut Formatter<'_>, lane: &str, text: fmt::Arguments<'_>, indent: usize) -> fmt::Result {
    let deeper = 2 * (indent + 1).min(DEEPEST_INDENT);
    writeln!(f, "rect rgba(207, 34, 46, 0.25)")?;
    writeln!(f, "{:deeper$}Note over {lane}: {text}", "")?;
    writeln!(f, "{:indent$}end", "", indent = 2 * indent)
}

/// Opens a shaded box, with a note that says what it is. Mermaid has no frames with words of one's own.
fn write_shade(f: &mut Formatter<'_>, over: &Over<'_>, title: &str, indent: usize, most: usize) -> fmt::Result {
    writeln!(f, "rect rgba(128, 128, 128, 0.15)")?;
    writeln!(f, "{:indent$}Note over {over}: {}", "", Text(most, title), indent = 2 * (indent + 1).min(DEEPEST_INDENT))
}

/// The lanes that something is over: one, or the first and the last.
struct Over<'a>(Span, &'a [&'a str]);

impl Display for Over<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Over(Span { first, last }, row) = self;
        let id = |lane: usize| row.get(lane).copied().unwrap_or_default();
        match first == last {
            true => write!(f, "{}", id(*first)),
            false => write!(f, "{},{}", id(*first), id(*last)),
        }
    }
}

/// What is written on a frame, with a space in front if there is something.
struct Guard<'a>(usize, &'a str);

impl Display for Guard<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            "" => Ok(()),
            text => write!(f, " {}", Text(self.0, text)),
        }
    }
}

/// A text that means nothing to Mermaid.
/// At most so many characters of it are written.
struct Text<'a>(usize, &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.1.trim().is_empty() {
            return f.write_str("#160;");
        }
        for character in shortened(self.1, self.0).chars() {
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
