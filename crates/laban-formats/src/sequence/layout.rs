//! How a diagram is laid out: its ends of lines, its indentation, its arrows, so that lines that are added look like
//! those that are there.

use super::{Diagram, End, LineKind};
use crate::format::Format;
use crate::plantuml::is_in_name;
use laban::text::Span;

/// How a diagram is laid out.
#[derive(Debug, Clone)]
pub(super) struct Layout<'a> {
    format: Format,
    text: &'a str,
    offset: u32,
    diagram: &'a Diagram,
    pub(super) newline: &'static str,
    style: Style<'a>,
    /// By how much the lines in a fragment are indented.
    step: String,
    /// Whether arrows activate those whom they lead to, and have to be followed by a line that undoes it.
    activates: bool,
}

/// An arrow and the blanks around it and around the colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Style<'a> {
    blanks: [&'a str; 4],
    arrow: &'a str,
}

impl<'a> Layout<'a> {
    pub(super) fn new(format: Format, text: &'a str, offset: u32, diagram: &'a Diagram) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let style = match format {
            Format::PlantUml => Style { blanks: [" ", " ", "", " "], arrow: "->" },
            _ => Style { blanks: ["", "", "", " "], arrow: "->>" },
        };
        let mut layout =
            Layout { format, text, offset, diagram, newline, style, step: "    ".to_string(), activates: false };
        let inside = layout.text.get(layout.range(diagram.span)).unwrap_or("");
        layout.activates = format == Format::PlantUml
            && inside.lines().any(|line| {
                let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
                line.get(.."autoactivate".len()).is_some_and(|word| word.eq_ignore_ascii_case("autoactivate"))
            });
        layout.step = layout.found_step().unwrap_or(layout.step);
        layout.style = layout.usual_style().unwrap_or(layout.style);
        layout
    }

    fn range(&self, span: Span) -> std::ops::Range<usize> {
        let place = |at: u32| (at.saturating_sub(self.offset) as usize).min(self.text.len());
        place(span.start)..place(span.end)
    }

    /// Where a line of the diagram starts and ends in the text.
    pub(super) fn line(&self, line: usize) -> std::ops::Range<usize> {
        self.range(self.diagram.lines.get(line).map_or(self.diagram.span, |line| line.span))
    }

    /// Where the line of the text starts that has this place in it.
    pub(super) fn start_of_line(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    /// Where the line of the text after this place starts.
    pub(super) fn next_line(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |end| at + end + 1)
    }

    /// What is before a line of the diagram in the same line of the text, if that is no other line of the diagram.
    pub(super) fn indentation(&self, line: usize) -> Option<&'a str> {
        let at = self.line(line).start;
        let before = &self.text[self.start_of_line(at)..at];
        (!before.contains(|c: char| c.is_alphanumeric() || c == '"')).then_some(before)
    }

    /// Whether another line of the diagram follows a line in the same line of the text.
    pub(super) fn is_followed(&self, line: usize) -> bool {
        let end = self.line(line).end;
        self.diagram.lines.get(line + 1).is_some_and(|next| {
            let next = self.range(next.span);
            next.start < next.end && next.start < self.next_line(end) && next.start >= end
        })
    }

    /// The indentation of what is in a branch, whose first line comes after this one.
    pub(super) fn inner_indentation(&self, start: usize) -> String {
        let first = self.diagram.lines.get(start + 1);
        let is_empty = first.is_none_or(|first| matches!(first.kind, LineKind::Next(_) | LineKind::Close));
        match self.indentation(start + 1) {
            Some(indentation) if !is_empty => indentation.to_string(),
            _ => format!("{}{}", self.indentation(start).unwrap_or(""), self.step),
        }
    }

    /// By how much the first line of some fragment is indented.
    fn found_step(&self) -> Option<String> {
        let lines = &self.diagram.lines;
        let opens = (0..lines.len()).filter(|&line| matches!(lines[line].kind, LineKind::Open(..)));
        opens.take(100).find_map(|open| {
            let inner = lines.get(open + 1).filter(|inner| !matches!(inner.kind, LineKind::Next(_) | LineKind::Close));
            inner.and_then(|_| self.indentation(open + 1)?.strip_prefix(self.indentation(open)?)).map(str::to_string)
        })
    }

    /// How most messages look.
    fn usual_style(&self) -> Option<Style<'a>> {
        let mut found: Vec<(Style<'a>, usize)> = Vec::new();
        for line in self.diagram.lines.iter().take(1_000) {
            let Some(style) = self.style_of(&line.kind, self.text.get(self.range(line.span)).unwrap_or("")) else {
                continue;
            };
            match found.iter_mut().find(|(other, _)| *other == style) {
                Some((_, count)) => *count += 1,
                None => found.push((style, 1)),
            }
        }
        let most = found.iter().map(|&(_, count)| count).max()?;
        found.into_iter().find(|&(_, count)| count == most).map(|(style, _)| style)
    }

    /// How a message looks, if it has a plain arrow.
    fn style_of(&self, kind: &LineKind, raw: &'a str) -> Option<Style<'a>> {
        let LineKind::Message { from: End::Participant(from), to: End::Participant(to), .. } = *kind else {
            return None;
        };
        let name =
            |number: usize| self.diagram.participants.get(number).map(|participant| participant.name.text.as_str());
        let after = |text: &'a str, name: &str| {
            text.strip_prefix(name).or_else(|| text.strip_prefix('"')?.strip_prefix(name)?.strip_prefix('"'))
        };
        let blanks = |text: &'a str| text.split_at(text.len() - text.trim_start_matches([' ', '\t']).len());
        let arrows: &[&str] = if self.format == Format::PlantUml { &["->>", "->"] } else { &["->>", "->", "-)"] };
        let (one, rest) = blanks(after(raw, name(from)?)?);
        let arrow = arrows.iter().find(|&&arrow| rest.starts_with(arrow))?;
        let (arrow, rest) = rest.split_at(arrow.len());
        let (two, rest) = blanks(rest);
        let rest = if self.format == Format::Mermaid { rest.trim_start_matches(['+', '-']) } else { rest };
        let (three, rest) = blanks(after(rest, name(to)?)?);
        let (four, said) = blanks(rest.strip_prefix(':')?);
        (!said.is_empty()).then_some(Style { blanks: [one, two, three, four], arrow })
    }

    /// Somebody, as messages name him.
    fn end(&self, end: End, is_left: bool) -> String {
        let End::Participant(number) = end else { return if is_left { "[" } else { "]" }.to_string() };
        let name = self.diagram.participants.get(number).map_or("", |participant| participant.name.text.as_str());
        if self.format == Format::PlantUml && !name.chars().all(is_in_name) {
            return format!("\"{name}\"");
        }
        name.to_string()
    }

    /// A message that selects a label, without indentation: one line, or two.
    pub(super) fn message(&self, from: End, to: End, label: &str) -> Vec<String> {
        let Style { blanks: [one, two, three, four], arrow } = self.style;
        // A bracket is not apart from the arrow, and a name that could be its head is.
        let one = if from == End::Outside { "" } else { one };
        let (from, two) = (self.end(from, true), if to == End::Outside { "" } else { two });
        let mut lines = vec![format!("{from}{one}{arrow}{two}{}{three}:{four}[{label}]", self.end(to, false))];
        if self.activates && to != End::Outside {
            lines.push(format!("deactivate {}", self.end(to, false)));
        }
        lines
    }
}
