//! What a diagram means that Laban has drawn: just what the choreography said.
//!
//! Laban's drawings have a meaning of their own, which a comment announces. A loop has no end of its own: its body is
//! repeated forever, unless a note says `stop`, or leads elsewhere. An alternative says who decides, and why.
//! Procedures are shaded boxes below the rest, with their names in a note, and `go on with X` leads there. Parts that
//! run side by side are the sections of a frame; messages at the same time are, too, and so are the items of a race.
//! Solid arrows are values, dashed ones selections; open heads put messages into queues, and notes say where they are
//! taken.

use super::fragments::{Fragment, Fragments};
use super::{Diagram, End, FragmentKind, LineKind, Participant};
use crate::protocol::{GlobalStep, Protocol};
use crate::report::Report;
use crate::system::{Message, Payload, Word};
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use std::collections::{BTreeMap, HashMap};

/// The protocol that a drawing shows.
pub(super) fn drawing(diagram: &Diagram, report: &mut Report) -> Protocol {
    let fragments = Fragments::new(diagram, report);
    if report.has_errors() {
        return Protocol::default();
    }
    let found = report.diagnostics.len();
    let mut reading = Drawing {
        diagram,
        fragments: &fragments,
        parts: parts(diagram),
        protocol: Protocol { is_exact: true, ..Protocol::default() },
        procedures: BTreeMap::new(),
        frames: Vec::new(),
        loops: Vec::new(),
        loops_by_name: HashMap::new(),
        roles: HashMap::new(),
        starts: Vec::new(),
        report,
    };
    for (number, participant) in diagram.participants.iter().enumerate() {
        let name = shown(participant);
        reading.roles.entry(name.clone()).or_insert(number);
        reading.protocol.roles.push(Word::new(name, participant.name.span));
    }
    reading.lines();
    let protocol = reading.protocol;
    // In the order of the text.
    report.diagnostics[found..].sort_by_key(|diagnostic| diagnostic.primary.span.start);
    protocol
}

/// A frame that was entered from below.
struct Frame {
    /// What follows it.
    after: usize,
    /// What follows a section that does not say so.
    implicit: usize,
    /// For a loop, its name and where it starts.
    again: Option<(String, usize)>,
    /// Where its sections start, the last first.
    starts: Vec<usize>,
}

struct Drawing<'a> {
    diagram: &'a Diagram,
    fragments: &'a Fragments,
    /// For each line, the part that it belongs to.
    parts: Vec<usize>,
    protocol: Protocol,
    /// By part and name: the node where a procedure starts, whether it was found, and where it is first called.
    procedures: BTreeMap<(usize, String), (usize, bool, Span)>,
    frames: Vec<Frame>,
    /// Where the loops around start, the innermost last; and the same by name.
    loops: Vec<usize>,
    loops_by_name: HashMap<String, Vec<usize>>,
    roles: HashMap<String, usize>,
    /// Where the parts start.
    starts: Vec<usize>,
    report: &'a mut Report,
}

/// For each line, the part that it belongs to, from 1.
fn parts(diagram: &Diagram) -> Vec<usize> {
    let number = |text: &str| {
        let number = text.strip_prefix("part ")?;
        number.split(':').next()?.parse::<usize>().ok()
    };
    let mut depth = 0usize;
    let mut part = 1;
    let mut parts = Vec::with_capacity(diagram.lines.len());
    for (index, line) in diagram.lines.iter().enumerate() {
        match &line.kind {
            LineKind::Open(kind, text) => {
                if depth == 0 {
                    let title = match diagram.lines.get(index + 1).map(|line| &line.kind) {
                        Some(LineKind::Note(_, title)) if *kind == FragmentKind::Group => title,
                        _ => text,
                    };
                    part = number(title).unwrap_or(1);
                }
                depth += 1;
            }
            LineKind::Next(text) if depth == 1 => part = number(text).unwrap_or(part),
            LineKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        parts.push(part);
    }
    parts
}

/// The name of a participant in the choreography: the one that is shown.
fn shown(participant: &Participant) -> String {
    let shown = match participant.shown.as_str() {
        "" => participant.name.text.as_str(),
        shown => shown,
    };
    shown.strip_prefix("service ").unwrap_or(shown).to_string()
}

impl Drawing<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>, label: &str) {
        let hint = "without the line `laban: choreography` this is read as an ordinary sequence diagram";
        self.report.add(Diagnostic::new(Code::Syntax, span, message).label(label).hint(hint));
    }

    fn role(&self, name: &str) -> Option<usize> {
        self.roles.get(name).copied()
    }

    /// What follows a line where nothing does.
    fn implicit(&self, end: usize) -> usize {
        self.frames.last().map_or(end, |frame| frame.implicit)
    }

    fn lines(&mut self) {
        let end = self.protocol.add(self.diagram.span.after(), GlobalStep::End);
        let mut next = end;
        for line in (0..self.diagram.lines.len()).rev() {
            let span = self.diagram.lines[line].span;
            let implicit = self.implicit(end);
            match &self.diagram.lines[line].kind {
                LineKind::Message { from, to, text, .. } => {
                    next = self.message(span, (*from, *to), text, (text.starts_with('['), false), next);
                }
                LineKind::Drawn { from, to, text, is_selection, is_queued } => {
                    next = self.message(span, (*from, *to), text, (*is_selection, *is_queued), next);
                }
                LineKind::Reference(text) => {
                    let name = text.strip_prefix("go on with ").unwrap_or(text);
                    next = self.elsewhere(line, span, name, next == implicit);
                }
                LineKind::Note(over, text) => {
                    if self.is_title(line) {
                        self.procedure(line, text, next);
                        continue;
                    }
                    next = self.note(line, over, text, next, (implicit, end));
                }
                LineKind::Drawing => {}
                LineKind::Close => {
                    let Some((_, fragment)) = self.fragments.of_line(line) else { continue };
                    next = self.close(fragment, next, end);
                }
                LineKind::Next(text) => {
                    let is_parts = self.is_parts(line);
                    let Some(frame) = self.frames.last_mut() else { continue };
                    frame.starts.push(next);
                    next = frame.implicit;
                    if is_parts && !text.starts_with("part ") {
                        self.error(span, "this section does not say which part it is", "expected `part` and a number");
                    }
                }
                LineKind::Open(..) => {
                    let Some((_, fragment)) = self.fragments.of_line(line) else { continue };
                    let Some(mut frame) = self.frames.pop() else { continue };
                    frame.starts.push(next);
                    frame.starts.reverse();
                    next = self.open(fragment, frame, end);
                }
            }
        }
        if self.starts.is_empty() {
            self.starts.push(next);
        }
        self.protocol.starts = std::mem::take(&mut self.starts);
        let unknown: Vec<(String, Span)> = self
            .procedures
            .iter()
            .filter(|(_, (_, found, _))| !found)
            .map(|((_, name), (_, _, span))| (name.clone(), *span))
            .collect();
        for (name, span) in unknown {
            self.error(span, format!("there is no procedure {} in this drawing", quote(&name)), "not found");
        }
    }

    /// Whether a note is the title of a box.
    fn is_title(&self, line: usize) -> bool {
        let before = line.checked_sub(1).and_then(|before| self.diagram.lines.get(before));
        let opens = before.is_some_and(|line| matches!(line.kind, LineKind::Open(FragmentKind::Group, _)));
        opens && self.frames.len() == 1
    }

    /// Whether a box is a procedure: it is below the rest, and has a title.
    fn is_procedure(&self, fragment: &Fragment) -> bool {
        self.frames.is_empty()
            && self.diagram.lines.get(fragment.open + 1).is_some_and(|line| matches!(line.kind, LineKind::Note(..)))
    }

    /// Whether a line belongs to the frame of the parts that run side by side.
    fn is_parts(&self, line: usize) -> bool {
        let Some((_, fragment)) = self.fragments.of_line(line) else { return false };
        let LineKind::Open(kind, text) = &self.diagram.lines[fragment.open].kind else { return false };
        *kind == FragmentKind::Par && text.starts_with("part ")
    }

    /// The node where a procedure starts.
    fn start_of(&mut self, part: usize, name: &str, span: Span) -> usize {
        let key = (part, name.to_string());
        if let Some(&(node, _, _)) = self.procedures.get(&key) {
            return node;
        }
        let node = self.protocol.add(span, GlobalStep::End);
        self.protocol.nodes[node].name = name.to_string();
        self.procedures.insert(key, (node, false, span));
        node
    }

    /// The note that says which procedure it is.
    fn procedure(&mut self, line: usize, title: &str, start: usize) {
        let span = self.diagram.lines[line].span;
        let part = self.parts[line];
        let name = title.strip_prefix("part ").and_then(|rest| rest.split_once(": ")).map_or(title, |(_, name)| name);
        let node = self.start_of(part, name, span);
        let twice = match self.procedures.get_mut(&(part, name.to_string())) {
            Some((_, found, _)) => std::mem::replace(found, true),
            None => false,
        };
        if twice {
            self.error(span, format!("two procedures are called {}", quote(name)), "this name is used twice");
        }
        self.protocol.nodes[node].step = GlobalStep::Goto(start);
        self.protocol.nodes[node].span = span;
    }

    /// Another diagram, or another place, where this goes on.
    fn elsewhere(&mut self, line: usize, span: Span, name: &str, is_last: bool) -> usize {
        self.expect_last(span, is_last);
        self.start_of(self.parts[line], name, span)
    }

    fn expect_last(&mut self, span: Span, is_last: bool) {
        if !is_last {
            self.error(span, "nothing can follow this, since it leads elsewhere", "something follows");
        }
    }

    fn note(&mut self, line: usize, over: &[usize], text: &str, next: usize, (implicit, end): (usize, usize)) -> usize {
        let span = self.diagram.lines[line].span;
        if text == "stop" {
            self.expect_last(span, next == implicit);
            return end;
        }
        if text == "again" {
            self.expect_last(span, next == implicit);
            return self.loops.last().copied().unwrap_or(implicit);
        }
        if let Some(name) = text.strip_prefix("go on with ") {
            return self.elsewhere(line, span, name, next == implicit);
        }
        if let Some(name) = text.strip_prefix("back to ") {
            self.expect_last(span, next == implicit);
            if let Some(&again) = self.loops_by_name.get(name).and_then(|loops| loops.last()) {
                return again;
            }
            self.error(span, format!("no loop around this is called {}", quote(name)), "there is no such loop");
            return next;
        }
        let taken = text.strip_prefix("takes ").and_then(|rest| match rest.strip_prefix("from ") {
            Some(sender) if !sender.contains(' ') => Some(sender),
            _ => rest.rsplit_once(" from ").map(|(_, sender)| sender),
        });
        match (taken.and_then(|sender| self.role(sender)), over) {
            (Some(from), &[to]) => self.protocol.add(span, GlobalStep::Take { from, to, next }),
            // Somebody has made a note.
            _ => next,
        }
    }

    fn message(
        &mut self,
        span: Span,
        (from, to): (End, End),
        text: &str,
        (is_selection, is_queued): (bool, bool),
        next: usize,
    ) -> usize {
        let (End::Participant(from), End::Participant(to)) = (from, to) else {
            self.error(span, "nobody outside takes part in a choreography", "from or to outside");
            return next;
        };
        let message = match is_selection {
            false => value(text),
            true => selection(text).unwrap_or_else(|| {
                self.error(span, "this is no selection: its text is not in brackets", "expected `[label]`");
                Message::default()
            }),
        };
        let step = match is_queued {
            true => GlobalStep::Put { from, to, message, next },
            false => GlobalStep::Message { from, to, message, next },
        };
        self.protocol.add(span, step)
    }

    /// Enters a frame from below. Returns what follows its last section.
    fn close(&mut self, fragment: &Fragment, next: usize, end: usize) -> usize {
        let span = self.diagram.lines[fragment.open].span;
        let mut again = None;
        let implicit = match fragment.kind {
            FragmentKind::Loop => {
                self.expect_last(span, next == self.implicit(end));
                let start = self.protocol.add(span, GlobalStep::End);
                let name = self.words(fragment.open);
                self.loops.push(start);
                self.loops_by_name.entry(name.clone()).or_default().push(start);
                again = Some((name, start));
                start
            }
            // A procedure below, or parts side by side, which have an end of their own.
            FragmentKind::Group if self.is_procedure(fragment) => end,
            FragmentKind::Par if self.is_parts(fragment.open) => end,
            _ => next,
        };
        self.frames.push(Frame { after: next, implicit, again, starts: Vec::new() });
        implicit
    }

    /// What is written on a line that opens or divides a frame.
    fn words(&self, line: usize) -> String {
        match &self.diagram.lines[line].kind {
            LineKind::Open(_, text) | LineKind::Next(text) => text.clone(),
            _ => String::new(),
        }
    }

    /// Leaves a frame at its top. Returns the node where it starts.
    fn open(&mut self, fragment: &Fragment, frame: Frame, end: usize) -> usize {
        let span = self.diagram.lines[fragment.open].span;
        let words = self.words(fragment.open);
        let first = frame.starts.first().copied().unwrap_or(frame.after);
        match fragment.kind {
            FragmentKind::Alt => self.alternative(fragment, span, &words, frame),
            FragmentKind::Loop => {
                let Some((name, again)) = frame.again else { return first };
                self.loops.pop();
                self.loops_by_name.get_mut(&name).and_then(Vec::pop);
                self.protocol.nodes[again].step = GlobalStep::Goto(first);
                self.protocol.nodes[again].name = name;
                again
            }
            FragmentKind::Par if self.is_parts(fragment.open) => {
                self.starts = frame.starts;
                end
            }
            FragmentKind::Par if words == "race" => self.protocol.add(span, GlobalStep::First { items: frame.starts }),
            FragmentKind::Par => self.together(span, frame),
            // What is above does not lead to what is in the box of a procedure.
            FragmentKind::Group if self.is_procedure(fragment) => end,
            FragmentKind::Group => first,
            FragmentKind::Opt | FragmentKind::Break | FragmentKind::Critical => {
                let word = fragment.kind.as_str();
                self.error(span, format!("Laban's drawings have no `{word}`"), "not known here");
                first
            }
        }
    }

    /// `p.condition` with `otherwise`, or `p chooses: item 1` with others.
    fn alternative(&mut self, fragment: &Fragment, span: Span, words: &str, frame: Frame) -> usize {
        let chosen = words.strip_suffix(" chooses: item 1").and_then(|name| self.role(name));
        if let Some(decider) = chosen {
            let step = GlobalStep::Choice { decider, guards: Vec::new(), branches: frame.starts };
            return self.protocol.add(span, step);
        }
        let decision = words.split_once('.').and_then(|(name, condition)| Some((self.role(name)?, condition)));
        match decision {
            Some((decider, condition)) if fragment.next.len() == 1 => {
                let guards = vec![condition.to_string()];
                self.protocol.add(span, GlobalStep::Choice { decider, guards, branches: frame.starts })
            }
            Some(_) => {
                self.error(span, "a condition has two sections, what follows if it is true and what else", "not two");
                frame.after
            }
            None => {
                self.error(span, "this does not say who decides", "expected `p.condition` or `p chooses: item 1`");
                frame.after
            }
        }
    }

    /// Messages at the same time: one in each section.
    fn together(&mut self, span: Span, frame: Frame) -> usize {
        let mut messages = Vec::new();
        for start in frame.starts {
            match self.protocol.nodes.get_mut(start).map(|node| std::mem::take(&mut node.step)) {
                Some(GlobalStep::Message { from, to, message, next }) if next == frame.after => {
                    messages.push((from, to, message));
                }
                _ => {
                    self.error(span, "each section of this `par` should be one message", "messages at the same time");
                    return frame.after;
                }
            }
        }
        self.protocol.add(span, GlobalStep::Together { messages, next: frame.after })
    }
}

/// A value.
fn value(text: &str) -> Message {
    let payload = Some(Payload { text: text.to_string(), sort: String::new() });
    Message { label: String::new(), payload }
}

/// `[label]` or `[label(value)]`.
fn selection(text: &str) -> Option<Message> {
    let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    Some(match inside.strip_suffix(')').and_then(|inside| inside.split_once('(')) {
        Some((label, inside)) => Message { label: label.to_string(), ..value(inside) },
        None => Message::label(inside),
    })
}
