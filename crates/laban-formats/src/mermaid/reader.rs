//! One diagram, line by line.

use super::arrow::{Direction, first_arrow};
use super::blocks::Block;
use super::text::{after_keyword, exact, first_word, name_end, plain_end, shown, text_end, without_comment};
use crate::report::Report;
use crate::sequence::{DRAWING, Diagram, End, FragmentKind, Line, LineKind, Participant};
use crate::source::Source;
use crate::system::Word;
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use std::collections::HashMap;

/// A note without an end is noticed soon.
const MOST_LINES_OF_A_NOTE: usize = 100;

/// Reads a diagram.
pub(super) fn read(source: &Source<'_>, block: &Block, report: &mut Report) -> Diagram {
    let mut reader = Reader {
        text: source.text,
        offset: source.offset,
        at: block.kind.end as usize,
        end: block.span.end as usize,
        numbers: HashMap::new(),
        open: Vec::new(),
        is_drawing: false,
        diagram: Diagram { title: block.title.clone(), ..Diagram::default() },
        report,
    };
    reader.diagram.span = reader.span(block.kind.start as usize, block.span.end as usize);
    reader.lines();
    reader.diagram
}

/// What an `end` closes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    Fragment(FragmentKind),
    /// A box around participants, which means nothing.
    Box(Span),
}

struct Reader<'a> {
    text: &'a str,
    offset: u32,
    /// Where the next line starts.
    at: usize,
    end: usize,
    numbers: HashMap<String, usize>,
    open: Vec<Opened>,
    is_drawing: bool,
    diagram: Diagram,
    report: &'a mut Report,
}

impl Reader<'_> {
    /// A place, without the blanks around it.
    fn span(&self, start: usize, end: usize) -> Span {
        let text = self.text.get(start..end).unwrap_or("");
        let start = start + text.len() - text.trim_start().len();
        let end = start + text.trim().len();
        Span::new(self.offset + start as u32, self.offset + end as u32)
    }

    fn lines(&mut self) {
        while self.at < self.end {
            let rest = &self.text[self.at..self.end];
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            let start = self.at;
            self.at += line.len() + 1;
            self.line(start, line);
        }
        for opened in std::mem::take(&mut self.open) {
            if let Opened::Box(span) = opened {
                let message = "this `box` is never closed";
                self.report.add(Diagnostic::new(Code::Unclosed, span, message).label("`end` is missing"));
            }
        }
    }

    /// The statements of a line.
    fn line(&mut self, mut start: usize, mut line: &str) {
        loop {
            let trimmed = line.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
            start += line.len() - trimmed.len();
            if trimmed.is_empty() {
                return;
            }
            if trimmed.starts_with("%%{") {
                return self.skip_to(start, "}%%");
            }
            if let Some(comment) = trimmed.strip_prefix("%%") {
                if comment.trim() == DRAWING {
                    self.is_drawing = true;
                    self.add(start, start + trimmed.trim_end().len(), LineKind::Drawing);
                }
                return;
            }
            if trimmed.starts_with('#') {
                return;
            }
            let length = self.statement(start, trimmed);
            start += length;
            line = &trimmed[length..];
        }
    }

    /// Goes on behind the next place of something; if there isn't one, the rest of the diagram is skipped.
    fn skip_to(&mut self, start: usize, what: &str) {
        let rest = self.text.get(start..self.end).unwrap_or("");
        self.at = rest.find(what).map_or(self.end, |at| start + at + what.len());
    }

    fn add(&mut self, start: usize, end: usize, kind: LineKind) {
        let span = self.span(start, end);
        self.diagram.lines.push(Line { span, kind });
    }

    /// Reads a statement, which is not empty. Returns its length, at least 1.
    fn statement(&mut self, start: usize, text: &str) -> usize {
        let word = first_word(text).to_lowercase();
        let keyword = after_keyword(text, &word).map(|rest| (word.as_str(), rest));
        let Some((word, rest)) = keyword else { return self.message(start, text) };
        let plain = text.len() - rest.len() + plain_end(rest);
        let end = start + plain;
        let is_drawing = self.is_drawing;
        let guard = || if is_drawing { exact(&rest[..plain_end(rest)]) } else { shown(&rest[..plain_end(rest)]) };
        match word {
            "participant" | "actor" | "create" => {
                match word {
                    "create" => self.creation(start, text, rest),
                    _ => self.declaration(start, text, rest),
                }
                return text.len() - rest.len() + name_end(rest);
            }
            "alt" => self.open(start, end, FragmentKind::Alt, guard()),
            "opt" => self.open(start, end, FragmentKind::Opt, guard()),
            "loop" => self.open(start, end, FragmentKind::Loop, guard()),
            "break" => self.open(start, end, FragmentKind::Break, guard()),
            "critical" => self.open(start, end, FragmentKind::Critical, guard()),
            "par" | "par_over" => self.open(start, end, FragmentKind::Par, guard()),
            // What follows is a colour, in which `#` is no comment.
            "rect" => {
                self.open(start, start + text.len(), FragmentKind::Group, String::new());
                return text.len();
            }
            "box" => {
                let span = self.span(start, start + text.len());
                self.open.push(Opened::Box(span));
                return text.len();
            }
            "else" => self.next(start, end, FragmentKind::Alt, guard()),
            "and" => self.next(start, end, FragmentKind::Par, guard()),
            "option" => self.next(start, end, FragmentKind::Critical, guard()),
            "end" if rest[..plain_end(rest)].trim().is_empty() => self.close(start, end),
            "note" if is_note(rest) => return self.note(start, text, rest),
            "title" => {
                let title = shown(rest.trim_start().trim_start_matches(':'));
                if !title.is_empty() {
                    self.diagram.title = title;
                }
                return text.len();
            }
            "accdescr" if rest.trim_start().starts_with('{') => {
                self.skip_to(start, "}");
                return text.len();
            }
            "activate" | "deactivate" | "destroy" | "autonumber" if first_arrow(rest).is_none() => {}
            "acctitle" | "accdescr" | "link" | "links" | "properties" | "details" if first_arrow(rest).is_none() => {
                return text.len();
            }
            _ => return self.message(start, text),
        }
        plain.max(1)
    }

    /// The number of a participant, who is added if need be.
    fn participant(&mut self, name: &str, span: Span) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.diagram.participants.len();
        self.numbers.insert(name.to_string(), number);
        self.diagram.participants.push(Participant { name: Word::new(name, span), shown: String::new() });
        number
    }

    /// `create participant A`
    fn creation(&mut self, start: usize, text: &str, rest: &str) {
        let inner = rest.trim_start();
        let word = first_word(inner);
        match word.to_lowercase().as_str() {
            "participant" | "actor" => self.declaration(start, text, &inner[word.len()..]),
            _ => self.declaration(start, text, inner),
        }
    }

    /// `A`, `A as Alice`, `A@{ "type": "queue" } as Alice`, after the keyword.
    fn declaration(&mut self, start: usize, text: &str, rest: &str) {
        let mut rest = rest;
        let mut at = start + text.len() - rest.len();
        let mut name = &rest[..name_end(rest)];
        let mut alias = "";
        if let Some(found) = name.find("@{") {
            // Its properties may go on over several lines.
            name = &rest[..found];
            let behind = self.text.get(at + found..self.end).unwrap_or("");
            let length = behind.find('}').map_or(behind.len(), |close| close + 1);
            let end = at + found + length;
            if end > start + text.len() {
                self.at = end;
                let line = self.text.get(end..self.end).unwrap_or("");
                rest = &line[..line.find('\n').unwrap_or(line.len())];
                self.at += rest.len() + 1;
            } else {
                rest = &rest[found + length..];
            }
            let behind = rest.trim_start();
            if first_word(behind).eq_ignore_ascii_case("as") {
                alias = &behind[2..plain_end(behind)];
            }
        } else if let Some((before, after)) = alias_in(name) {
            (name, alias) = (before, &after[..plain_end(after)]);
        }
        at += name.len() - name.trim_start().len();
        let (name, alias) = (name.trim(), shown(alias));
        if name.is_empty() {
            let span = self.span(start, start + text.len());
            let message = "expected the name of a participant";
            return self.report.add(Diagnostic::new(Code::Syntax, span, message).label("no name"));
        }
        let span = self.span(at, at + name.len());
        let number = self.participant(name, span);
        if !alias.is_empty() {
            self.diagram.participants[number].shown = alias;
        }
    }

    fn open(&mut self, start: usize, end: usize, kind: FragmentKind, guard: String) {
        self.open.push(Opened::Fragment(kind));
        self.add(start, end, LineKind::Open(kind, guard));
    }

    fn next(&mut self, start: usize, end: usize, kind: FragmentKind, guard: String) {
        match self.open.last() {
            Some(&Opened::Fragment(around)) if around != kind => {
                let span = self.span(start, end);
                let word = first_word(self.text.get(start..end).unwrap_or("")).to_lowercase();
                let message = format!("`{word}` belongs in `{}`, not in `{}`", kind.as_str(), name_of(around));
                self.report.add(Diagnostic::new(Code::Syntax, span, message).label("not here"));
            }
            _ => self.add(start, end, LineKind::Next(guard)),
        }
    }

    fn close(&mut self, start: usize, end: usize) {
        if !matches!(self.open.pop(), Some(Opened::Box(_))) {
            self.add(start, end, LineKind::Close);
        }
    }

    /// `over A,B: text`, after `note`.
    fn note(&mut self, start: usize, text: &str, rest: &str) -> usize {
        let Some((over, said)) = rest.split_once(':') else {
            if self.skip_note() {
                return text.len();
            }
            let span = self.span(start, start + text.len());
            let message = "this note has no text";
            self.report.add(Diagnostic::new(Code::Syntax, span, message).label("expected `:`"));
            return text.len();
        };
        let length = text.len() - said.len() + text_end(said);
        if self.is_drawing {
            let names = over.trim_start().get(4..).unwrap_or("");
            let known = |name: &str| self.numbers.get(name.trim()).copied();
            let over: Vec<usize> = names.split(',').filter_map(known).collect();
            self.add(start, start + length, LineKind::Note(over, exact(&said[..text_end(said)])));
        }
        length
    }

    /// Skips the lines of a note up to its `end`, if there is one.
    fn skip_note(&mut self) -> bool {
        let rest = self.text.get(self.at..self.end).unwrap_or("");
        let mut length = 0;
        // Notes are short.
        for line in rest.split_inclusive('\n').take(MOST_LINES_OF_A_NOTE) {
            length += line.len();
            let words: Vec<&str> = line.split_whitespace().take(3).collect();
            if matches!(words.as_slice(), ["end"] | ["end", "note"]) {
                self.at += length;
                return true;
            }
        }
        false
    }

    /// `A->>B: text`
    fn message(&mut self, start: usize, text: &str) -> usize {
        let Some(arrow) = first_arrow(text) else {
            let length = text_end(text).max(1);
            let span = self.span(start, start + length);
            let message = format!("{} is not a line of a sequence diagram", quote(text[..length].trim()));
            let label = "expected a message such as `A->>B: text`, a participant, a note or a fragment";
            self.report.add(Diagnostic::new(Code::Syntax, span, message).label(label));
            return length;
        };
        let left = &text[..arrow.start];
        let behind = arrow.start + arrow.length;
        let rest = &text[behind..];
        let name_end = rest.find([':', ';']).unwrap_or(rest.len());
        let right = &rest[..name_end];
        let (length, said) = match rest[name_end..].strip_prefix(':') {
            Some(said) => {
                let said = &said[..text_end(said)];
                (behind + name_end + 1 + said.len(), self.shown(said))
            }
            None => {
                let span = self.span(start + behind, start + behind + right.trim_end().len());
                self.report.remark(
                    span,
                    "there is no `:` behind the receiver, so all of this is its name; Mermaid refuses it",
                );
                (behind + name_end, String::new())
            }
        };
        let mut ends = Vec::new();
        for (at, name, is_right) in [(start, left, false), (start + behind, right, true)] {
            let name = self.end_name(name, is_right);
            if name.is_empty() {
                let who = if is_right { "receiver" } else { "sender" };
                let span = self.span(start, start + length);
                let message = format!("the {who} of this message is missing");
                self.report.add(Diagnostic::new(Code::Syntax, span, message).label("no name"));
                return length.max(1);
            }
            let from = self.text.get(at..).and_then(|text| text.find(name)).map_or(at, |found| at + found);
            let span = self.span(from, from + name.len());
            if name.contains(['<', '>']) {
                let message = format!("{} cannot be the name of a participant", quote(name));
                let diagnostic = Diagnostic::new(Code::Syntax, span, message).label("`<` and `>` belong to arrows");
                self.report.add(
                    diagnostic.hint("a message is written `A->>B: text`, one that goes both ways `A<<->>B: text`"),
                );
                return length.max(1);
            }
            ends.push(End::Participant(self.participant(name, span)));
        }
        let [left, right] = ends.as_slice() else { return length.max(1) };
        let (left, right) = (*left, *right);
        let mut send = |from, to| {
            let kind = match self.is_drawing {
                true => {
                    LineKind::Drawn { from, to, text: said.clone(), is_selection: arrow.dashed, is_queued: arrow.open }
                }
                false => LineKind::Message { from, to, text: said.clone(), lost: arrow.lost },
            };
            self.add(start, start + length, kind);
        };
        match arrow.direction {
            Direction::Right => send(left, right),
            Direction::Left => send(right, left),
            Direction::Both => {
                send(left, right);
                send(right, left);
            }
        }
        length.max(1)
    }

    /// A text as it is shown.
    fn shown(&self, text: &str) -> String {
        if self.is_drawing { exact(text) } else { shown(without_comment(text)) }
    }

    /// The name at an end of an arrow, without the signs for activation and for a connection in the middle.
    fn end_name<'b>(&self, text: &'b str, is_right: bool) -> &'b str {
        let name = text.trim();
        if is_right {
            let name = name.strip_prefix("()").unwrap_or(name).trim_start();
            return name.strip_prefix(['+', '-']).unwrap_or(name).trim();
        }
        match name.strip_suffix("()") {
            Some(bare) if !self.numbers.contains_key(name) && !bare.is_empty() => bare.trim(),
            _ => name,
        }
    }
}

/// The word for a fragment in Mermaid.
fn name_of(kind: FragmentKind) -> &'static str {
    match kind {
        FragmentKind::Group => "rect",
        kind => kind.as_str(),
    }
}

/// `left of`, `right of` or `over`.
fn is_note(text: &str) -> bool {
    let mut words = text.split_whitespace().map(str::to_lowercase);
    match words.next().as_deref() {
        Some("left" | "right") => words.next().is_some_and(|word| word.starts_with("of")),
        Some(word) => word.starts_with("over"),
        None => false,
    }
}

/// `A as Alice`: what is before and what is behind the `as`.
fn alias_in(text: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    let mut is_first = true;
    for word in text.split_inclusive(char::is_whitespace) {
        let is_alias = word.len() == 3 && word.trim().eq_ignore_ascii_case("as");
        if is_alias && !is_first {
            return Some((&text[..at], &text[at + word.len()..]));
        }
        is_first &= word.trim().is_empty();
        at += word.len();
    }
    None
}
