//! What a sequence diagram means: who decides, what repeats, what is left out.
//!
//! A diagram is read from its end to its beginning, so that what follows a line is known when the line is met: what
//! follows a fragment follows each of its branches. Messages are values, unless their text is in brackets, which is how
//! selections are written. What the diagram does not say is assumed, with a remark, or asked for.

use super::deciders::{Deciders, Reason};
use super::fragments::{Fragment, Fragments};
use super::remarks::Remarks;
use super::{Diagram, End, FragmentKind, LineKind};
use crate::naming::is_name;
use crate::protocol::{GlobalStep, Protocol};
use crate::read::ReadOptions;
use crate::report::{Renamed, Report};
use crate::source::Source;
use crate::system::{Message, Payload, Word};
use laban::diagnostic::{Code, Diagnostic, listed, quote};
use laban::text::{LineTable, Span};
use std::collections::BTreeSet;

/// The process that stands for everybody who is not in the diagram.
const OUTSIDE: &str = "outside";

/// The protocol that a diagram shows.
pub(super) fn meaning(
    diagram: &Diagram,
    source: &Source<'_>,
    table: &LineTable,
    options: &ReadOptions<'_>,
    report: &mut Report,
) -> Protocol {
    let fragments = Fragments::new(diagram, report);
    if report.has_errors() {
        return Protocol::default();
    }
    let deciders = Deciders::new(diagram, source, table, options, report);
    let (said, found) = (report.remarks.len(), report.diagnostics.len());
    let mut reading = Meaning {
        diagram,
        source,
        table,
        fragments: &fragments,
        deciders,
        protocol: Protocol::default(),
        outside: None,
        frames: Vec::new(),
        remarks: Remarks::default(),
        report,
    };
    // A node for each message, and one for the end.
    reading.protocol.nodes.reserve_exact(diagram.lines.len() + 1);
    reading.roles();
    reading.lines();
    let protocol = reading.protocol;
    // In the order of the text.
    report.remarks[said..].sort_by_key(|remark| remark.span.start);
    report.diagnostics[found..].sort_by_key(|diagnostic| diagnostic.primary.span.start);
    protocol
}

/// A fragment that was entered from below.
struct Frame {
    /// What follows the fragment.
    after: usize,
    /// Where a `break` in it leads to.
    exit: usize,
    /// Where its branches start, the last first.
    starts: Vec<usize>,
}

struct Meaning<'a> {
    diagram: &'a Diagram,
    source: &'a Source<'a>,
    table: &'a LineTable,
    fragments: &'a Fragments,
    deciders: Deciders,
    protocol: Protocol,
    /// The role of those who are not in the diagram, once there is one.
    outside: Option<usize>,
    frames: Vec<Frame>,
    remarks: Remarks,
    report: &'a mut Report,
}

impl Meaning<'_> {
    /// Participants are roles, under the names that messages use.
    fn roles(&mut self) {
        for participant in &self.diagram.participants {
            self.protocol.roles.push(participant.name.clone());
            if !participant.shown.is_empty() && participant.shown != participant.name.text {
                let (original, name) = (participant.shown.clone(), participant.name.text.clone());
                self.report.renamed.push(Renamed { original, name });
            }
        }
        let is_outside = |end: End| end == End::Outside;
        let speaks = |kind: &LineKind| kind.ends().is_some_and(|(from, to)| is_outside(from) || is_outside(to));
        if let Some(line) = self.diagram.lines.iter().find(|line| speaks(&line.kind)) {
            let taken: BTreeSet<&str> = self.protocol.roles.iter().map(|role| role.text.as_str()).collect();
            let mut name = OUTSIDE.to_string();
            while taken.contains(name.as_str()) {
                name.push('_');
            }
            let remark = format!("somebody outside of the diagram takes part here, as {}", quote(&name));
            self.report.remark(line.span, remark);
            self.outside = Some(self.protocol.roles.len());
            self.protocol.roles.push(Word::new(name, line.span));
        }
    }

    fn role(&self, end: End) -> usize {
        match end {
            End::Participant(number) => number,
            End::Outside => self.outside.unwrap_or(0),
        }
    }

    fn lines(&mut self) {
        let end = self.protocol.add(self.diagram.span.after(), GlobalStep::End);
        let mut next = end;
        let mut index = self.diagram.lines.len();
        while let Some(line) = index.checked_sub(1) {
            index = line;
            let span = self.diagram.lines[line].span;
            match &self.diagram.lines[line].kind {
                LineKind::Message { from, to, text, .. } | LineKind::Drawn { from, to, text, .. } => {
                    if from == to {
                        self.remarks.to_oneself.add(span);
                        continue;
                    }
                    if let LineKind::Message { lost: true, .. } = &self.diagram.lines[line].kind {
                        self.remarks.lost.add(span);
                    }
                    let (from, to) = (self.role(*from), self.role(*to));
                    let step = GlobalStep::Message { from, to, message: message(text), next };
                    next = self.protocol.add(span, step);
                }
                LineKind::Reference(_) => self.remarks.references.add(span),
                LineKind::Drawing | LineKind::Note(..) => {}
                LineKind::Close => {
                    let Some((_, fragment)) = self.fragments.of_line(line) else { continue };
                    if self.fragments.is_silent(fragment) {
                        // Nothing in it is looked at, but for messages to oneself, which are counted.
                        self.silent(fragment);
                        index = fragment.open;
                        continue;
                    }
                    next = self.close(fragment, next, end);
                }
                LineKind::Next(_) => {
                    let Some((_, fragment)) = self.fragments.of_line(line) else { continue };
                    let Some(frame) = self.frames.last_mut() else { continue };
                    frame.starts.push(next);
                    if fragment.kind != FragmentKind::Par {
                        next = frame.after;
                    }
                }
                LineKind::Open(..) => {
                    let Some((_, fragment)) = self.fragments.of_line(line) else { continue };
                    let Some(mut frame) = self.frames.pop() else { continue };
                    frame.starts.push(next);
                    frame.starts.reverse();
                    next = self.open(fragment, frame);
                }
            }
        }
        self.protocol.starts.push(next);
        if next == end {
            let message = "nobody in this diagram sends a message to anybody else";
            self.report.add(Diagnostic::new(Code::Empty, self.diagram.start(), message));
        }
        self.remarks.say(self.report);
        self.deciders.finish(self.source, self.table, self.report);
    }

    /// A fragment in which nobody sends anything to somebody else.
    fn silent(&mut self, fragment: &Fragment) {
        let lines = &self.diagram.lines;
        let span = lines[fragment.open].span;
        match fragment.kind {
            FragmentKind::Group | FragmentKind::Par => {}
            FragmentKind::Break => self.remarks.silent_breaks.add(span),
            _ => self.remarks.silent.add(span),
        }
        for line in &lines[fragment.open..fragment.close] {
            match line.kind {
                LineKind::Message { .. } | LineKind::Drawn { .. } => self.remarks.to_oneself.add(line.span),
                LineKind::Reference(_) => self.remarks.references.add(line.span),
                _ => {}
            }
        }
    }

    /// Enters a fragment from below. Returns what follows its last branch.
    fn close(&mut self, fragment: &Fragment, next: usize, end: usize) -> usize {
        let around = self.frames.last().map_or(end, |frame| frame.exit);
        let (after, exit, inner) = match fragment.kind {
            FragmentKind::Loop => {
                let again = self.protocol.add(self.diagram.lines[fragment.open].span, GlobalStep::End);
                (next, next, again)
            }
            // What follows its body is what follows the fragment around.
            FragmentKind::Break => (next, around, around),
            FragmentKind::Group if fragment.next.is_empty() => (next, around, next),
            _ => (next, next, next),
        };
        let starts = if fragment.kind == FragmentKind::Loop { vec![inner] } else { Vec::new() };
        self.frames.push(Frame { after, exit, starts });
        inner
    }

    /// Leaves a fragment at its top. Returns the node where it starts.
    fn open(&mut self, fragment: &Fragment, frame: Frame) -> usize {
        let span = self.diagram.lines[fragment.open].span;
        let first = frame.starts.first().copied().unwrap_or(frame.after);
        let guard = |line: usize| match &self.diagram.lines[line].kind {
            LineKind::Open(_, guard) | LineKind::Next(guard) => guard.trim().to_string(),
            _ => String::new(),
        };
        let mut guards = vec![guard(fragment.open)];
        guards.extend(fragment.next.iter().map(|&line| guard(line)));
        match fragment.kind {
            FragmentKind::Par => {
                self.remarks.parallel.add(span);
                first
            }
            FragmentKind::Critical | FragmentKind::Group if fragment.next.is_empty() => first,
            FragmentKind::Loop => {
                let [guard] = guards.as_slice() else { return first };
                let (decider, reason) = self.decider(fragment, span);
                if reason != Reason::Said {
                    self.who_repeats(span, guard, decider);
                }
                let condition = repeats(guard);
                // The node that the body leads back to was made first, and so comes last.
                let again = frame.starts.last().copied().unwrap_or(first);
                let step = GlobalStep::Choice { decider, guards: vec![condition], branches: vec![first, frame.after] };
                if let Some(node) = self.protocol.nodes.get_mut(again) {
                    node.step = step;
                }
                again
            }
            FragmentKind::Alt
            | FragmentKind::Opt
            | FragmentKind::Break
            | FragmentKind::Critical
            | FragmentKind::Group => {
                let mut branches = frame.starts;
                if branches.len() == 1 {
                    branches.push(frame.after);
                } else {
                    guards.pop();
                    self.offer_selections(fragment);
                }
                let (decider, _) = self.decider(fragment, span);
                let guards = named(guards);
                self.protocol.add(span, GlobalStep::Choice { decider, guards, branches })
            }
        }
    }

    /// Who decides in a fragment; if that is open, somebody, and an error.
    fn decider(&mut self, fragment: &Fragment, span: Span) -> (usize, Reason) {
        let line = self.line(span);
        match self.deciders.of(line, self.diagram, self.fragments, fragment) {
            Some((end, reason)) => {
                let role = self.role(end);
                if reason == Reason::Assumed {
                    let name = quote(&self.protocol.roles[role].text);
                    let text = format!(
                        "the branches begin with messages of different senders: it is assumed that {name} decides, who \
                         was told something just before; `--decides {line}=NAME` says otherwise"
                    );
                    self.report.remark(span, text);
                }
                (role, reason)
            }
            None => {
                let diagnostic = self.undecided(fragment, span, line);
                self.report.add(diagnostic);
                (0, Reason::Said)
            }
        }
    }

    /// The number of a line in the text, from 1.
    fn line(&self, span: Span) -> usize {
        self.table.line((span.start - self.source.offset.min(span.start)) as usize) + 1
    }

    /// Nobody knows who decides.
    fn undecided(&self, fragment: &Fragment, span: Span, line: usize) -> Diagnostic {
        let mut names: Vec<&str> = Vec::new();
        let mut firsts = Vec::new();
        for first in self.fragments.first_messages(fragment).flatten() {
            let line = &self.diagram.lines[first];
            let Some((from, _)) = line.kind.ends() else { continue };
            let name = self.protocol.roles[self.role(from)].text.as_str();
            if names.len() < 5 && !names.contains(&name) {
                names.push(name);
                firsts.push((line.span, name));
            }
        }
        let word = fragment.kind.as_str();
        let message = format!("it is not clear who decides in this `{word}`");
        let mut diagnostic = Diagnostic::new(Code::Syntax, span, message).label("who decides?");
        for (span, name) in firsts {
            diagnostic = diagnostic.at(span, format!("a branch begins with a message of {}", quote(name)));
        }
        let one = names.first().copied().unwrap_or_default();
        let whole = if one.contains(char::is_whitespace) { format!("'{line}={one}'") } else { format!("{line}={one}") };
        diagnostic.hint(format!(
            "say who decides here with `--decides {whole}`, or `--decides NAME` for all such places; it could be {}",
            listed(names.iter().copied(), "or")
        ))
    }

    /// Says who is assumed to decide how often something is repeated, unless the guard does.
    fn who_repeats(&mut self, span: Span, guard: &str, decider: usize) {
        let name = self.protocol.roles[decider].text.as_str();
        let shown = self.diagram.participants.get(decider).map_or("", |participant| participant.shown.as_str());
        if guard.contains(name) || !shown.is_empty() && guard.contains(shown) {
            return;
        }
        let text = format!(
            "the diagram does not say who decides whether to repeat this: assuming {}, who sends first in it \
             (`--decides {}=NAME` says otherwise)",
            quote(name),
            self.line(span)
        );
        self.report.remark(span, text);
    }

    /// Notes an alternative whose branches begin with different messages between the same two.
    fn offer_selections(&mut self, fragment: &Fragment) {
        let mut ends = None;
        let mut texts = BTreeSet::new();
        for first in self.fragments.first_messages(fragment) {
            let Some(line) = first.and_then(|first| self.diagram.lines.get(first)) else { return };
            let LineKind::Message { text, .. } = &line.kind else { return };
            let these = line.kind.ends();
            let is_new = texts.insert(text.trim());
            if *ends.get_or_insert(these) != these || !is_new || selection(text).is_some() {
                return;
            }
        }
        self.remarks.selections.add(self.diagram.lines[fragment.open].span);
    }
}

/// When a loop is repeated: `until it is paid` says when it is not.
fn repeats(guard: &str) -> String {
    const UNTIL: &str = "until ";
    match (guard.get(..UNTIL.len()), guard.get(UNTIL.len()..)) {
        _ if guard.is_empty() => "again".to_string(),
        (Some(word), Some(rest)) if word.eq_ignore_ascii_case(UNTIL) => phrase(&format!("not yet: {}", rest.trim())),
        _ => phrase(guard),
    }
}

/// Conditions: none if there are no guards at all, and something made up where one is missing.
fn named(guards: Vec<String>) -> Vec<String> {
    if guards.iter().all(String::is_empty) {
        return Vec::new();
    }
    let name = |(number, guard): (usize, String)| match guard.is_empty() {
        true => format!("branch_{}", number + 1),
        false => phrase(&guard),
    };
    guards.into_iter().enumerate().map(name).collect()
}

/// A text as an expression: a name as it is, anything else in quotes.
fn phrase(text: &str) -> String {
    match is_name(text) || text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.to_string(),
        false => format!("\"{}\"", text.replace('"', "'")),
    }
}

/// A text as a message: a selection if it is in brackets, else a value.
pub(super) fn message(text: &str) -> Message {
    let text = text.trim();
    match selection(text) {
        Some(label) => Message::label(label),
        None if text.is_empty() => Message::default(),
        None => Message { label: String::new(), payload: Some(Payload { text: phrase(text), sort: String::new() }) },
    }
}

/// The label in `[label]`.
fn selection(text: &str) -> Option<&str> {
    let label = text.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    let is_label = !label.is_empty() && !label.contains(['[', ']', '"', '\'']);
    is_label.then_some(label)
}
