//! Who decides in a fragment: by the messages in it, or as the options say.

use super::fragments::{Fragment, Fragments};
use super::{Diagram, End, FragmentKind};
use crate::naming::Naming;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
use laban::diagnostic::{Code, Diagnostic, closest, quote};
use laban::text::{LineTable, Span};
use std::collections::BTreeMap;

/// What the options say about a diagram.
#[derive(Debug, Default)]
pub(super) struct Deciders {
    /// By line, from 1, and whether there was a decision.
    by_line: BTreeMap<usize, (End, bool)>,
    /// Everywhere else.
    others: Option<End>,
    /// The lines of decisions.
    lines: Vec<usize>,
}

/// How it was found out who decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// The options say so.
    Said,
    /// Only one participant can.
    Clear,
    /// It is the one who knows best: who was told something just before.
    Assumed,
}

impl Deciders {
    pub(super) fn new(
        diagram: &Diagram,
        source: &Source<'_>,
        table: &LineTable,
        options: &ReadOptions<'_>,
        report: &mut Report,
    ) -> Self {
        let mut deciders = Deciders::default();
        for &(line, name) in options.deciders {
            let Some(end) = participant(diagram, name) else {
                let names = diagram.participants.iter().map(|participant| participant.name.text.as_str());
                let message = format!("{} does not take part in this diagram and cannot decide", quote(name));
                let mut diagnostic = Diagnostic::new(Code::UnknownProcess, Span::default(), message);
                if let Some(similar) = closest(name, names) {
                    diagnostic = diagnostic.hint(format!("did you mean {}?", quote(similar)));
                }
                report.add(diagnostic);
                continue;
            };
            match line {
                Some(line) => drop(deciders.by_line.insert(line as usize, (end, false))),
                None => deciders.others = Some(end),
            }
        }
        let line_of = |span: Span| table.line((span.start - source.offset.min(span.start)) as usize) + 1;
        if !deciders.by_line.is_empty() {
            let decides = |line: &super::Line| matches!(&line.kind, super::LineKind::Open(kind, _) if kind.decides());
            let opens = diagram.lines.iter().filter(|line| decides(line));
            deciders.lines = opens.map(|line| line_of(line.span)).collect();
        }
        deciders
    }

    /// Who decides in a fragment, unless that is open.
    pub(super) fn of(
        &mut self,
        line: usize,
        diagram: &Diagram,
        fragments: &Fragments,
        fragment: &Fragment,
    ) -> Option<(End, Reason)> {
        if let Some((end, used)) = self.by_line.get_mut(&line) {
            *used = true;
            return Some((*end, Reason::Said));
        }
        let ends = |line: usize| diagram.lines.get(line).and_then(|line| line.kind.ends());
        let senders: Vec<End> =
            fragments.first_messages(fragment).flatten().filter_map(ends).map(|(sender, _)| sender).collect();
        let first = senders.first().copied();
        if senders.iter().all(|&sender| Some(sender) == first) {
            return first.map(|first| (first, Reason::Clear));
        }
        let told = fragment.before.and_then(ends).map(|(_, receiver)| receiver);
        match told.filter(|told| senders.contains(told)) {
            Some(told) => Some((told, Reason::Assumed)),
            None => self.others.map(|end| (end, Reason::Said)),
        }
    }

    /// Complains about lines without a decision.
    pub(super) fn finish(&self, source: &Source<'_>, table: &LineTable, report: &mut Report) {
        for (&line, _) in self.by_line.iter().filter(|(_, (_, used))| !used) {
            let start = line.checked_sub(1).and_then(|line| table.start(line)).unwrap_or(source.text.len());
            let length = source.text.get(start..).map_or(0, |rest| rest.lines().next().unwrap_or("").len());
            let span = Span::new(source.offset + start as u32, source.offset + (start + length) as u32);
            let message = format!("nobody decides anything in line {line}");
            let mut diagnostic = Diagnostic::new(Code::Syntax, span, message).label("there is no decision here");
            if !self.lines.is_empty() && self.lines.len() <= 20 {
                let lines: Vec<String> = self.lines.iter().map(usize::to_string).collect();
                let lines = lines.join(", ");
                diagnostic = diagnostic.hint(format!("there are decisions in these lines: {lines}"));
            }
            report.add(diagnostic);
        }
    }
}

/// The participant who is called so, is shown so, or gets this name in a choreography.
fn participant(diagram: &Diagram, name: &str) -> Option<End> {
    let participants = &diagram.participants;
    let naming = Naming::for_networks(participants.iter().map(|participant| participant.name.text.as_str()));
    let by_name = participants.iter().position(|participant| participant.name.text == name);
    let renamed = || participants.iter().position(|participant| naming.name(&participant.name.text) == name);
    let shown = || participants.iter().position(|participant| participant.shown == name);
    by_name.or_else(renamed).or_else(shown).map(End::Participant)
}

impl FragmentKind {
    /// Whether somebody decides in such a fragment, if it has several branches or one.
    fn decides(self) -> bool {
        !matches!(self, FragmentKind::Par | FragmentKind::Group)
    }
}
