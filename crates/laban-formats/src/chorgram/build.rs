//! From terms to a protocol.

use super::term::{Choreography, First, Known, Term};
use crate::protocol::{GlobalStep, Protocol};
use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::{Columns, LineTable, Span};
use std::collections::HashSet;

/// More places than these help nobody.
const MOST_PLACES: usize = 8;

/// The protocol that a choreography is. Where the text does not tell who decides, the options do.
pub(super) fn build(
    mut choreography: Choreography,
    source: &Source<'_>,
    options: &ReadOptions<'_>,
    report: &mut Report,
) -> Protocol {
    let protocol = std::mem::take(&mut choreography.protocol);
    choreography.protocol.roles.clone_from(&protocol.roles);
    let known = choreography.known();
    let mut told = Vec::new();
    for &(line, name) in options.deciders {
        match protocol.roles.iter().position(|role| role.text == name) {
            Some(role) => told.push((line, role)),
            None => {
                let message = format!("there is no role {} that could decide", quote(name));
                report.add(Diagnostic::new(Code::UnknownProcess, Span::default(), message));
            }
        }
    }
    let lines = (!told.is_empty()).then(|| LineTable::new(source.text));
    let line_of = |span: Span| {
        let start = span.start.saturating_sub(source.offset) as usize;
        lines.as_ref().map(|lines| lines.position(source.text, start, Columns::Utf8).line + 1)
    };
    let decider = |span: Span| {
        let line = line_of(span)?;
        let by_line = told.iter().find(|&&(said, _)| said == Some(line));
        by_line.or_else(|| told.iter().find(|(said, _)| said.is_none())).map(|&(_, role)| role)
    };
    let mut builder = Builder { choreography, known, protocol, decider, work: Vec::new() };
    builder.all(report);
    builder.protocol
}

struct Builder<D> {
    choreography: Choreography,
    known: Vec<Known>,
    protocol: Protocol,
    /// Who decides at a place where the text does not tell.
    decider: D,
    /// What is to be written: a term, at which node, and what follows.
    work: Vec<(usize, usize, usize)>,
}

impl<D: Fn(Span) -> Option<usize>> Builder<D> {
    fn all(&mut self, report: &mut Report) {
        let root = self.choreography.root;
        let sides = match self.choreography.terms.get(root) {
            Some((_, Term::Parallel(sides))) if self.known[root].shared.is_none() => sides.clone(),
            _ => vec![root],
        };
        for side in sides {
            let start = self.add(Span::default());
            let end = self.add(Span::default());
            self.protocol.starts.push(start);
            self.work.push((side, start, end));
        }
        // What was added last is written first, in the order of the text.
        self.work.reverse();
        while let Some((term, at, next)) = self.work.pop() {
            self.write(term, at, next, report);
        }
    }

    fn add(&mut self, span: Span) -> usize {
        self.protocol.add(span, GlobalStep::End)
    }

    fn set(&mut self, node: usize, span: Span, step: GlobalStep) {
        if let Some(node) = self.protocol.nodes.get_mut(node) {
            (node.span, node.step) = (span, step);
        }
    }

    fn write(&mut self, number: usize, at: usize, next: usize, report: &mut Report) {
        let Some((span, term)) = self.choreography.terms.get_mut(number) else { return };
        let span = *span;
        match std::mem::replace(term, Term::Nothing) {
            Term::Nothing => self.set(at, span, GlobalStep::Goto(next)),
            Term::Message { from, to, message } => {
                let mut at = at;
                for (&receiver, left) in to.iter().zip((0..to.len()).rev()) {
                    let after = if left == 0 { next } else { self.add(span) };
                    let message = message.clone();
                    self.set(at, span, GlobalStep::Message { from, to: receiver, message, next: after });
                    at = after;
                }
            }
            Term::Sequence(parts) => self.sequence(&parts, at, next),
            Term::Choice { decider, branches } => self.choice(number, span, decider, &branches, [at, next], report),
            Term::Parallel(sides) => {
                let is_multicast = self.is_multicast(&sides);
                if let (false, Some(shared)) = (is_multicast, self.known[number].shared) {
                    let name = quote(self.choreography.role(shared));
                    let message = format!("`|` cannot be expressed as a choreography where both sides have {name}");
                    let hint = "write in which order this role does what is on both sides: `;` instead of `|`";
                    report.add(Diagnostic::new(Code::SharedProcess, span, message).label("not supported").hint(hint));
                    return;
                }
                report.remark(
                    span,
                    match is_multicast {
                        true => "messages of one sender side by side are written as one message after the other",
                        false => "what is side by side here is written one after the other: nobody takes part in both",
                    },
                );
                self.sequence(&sides, at, next);
            }
            Term::Loop { decider, body } => {
                let first = match self.known[body].first {
                    First::One { from, .. } => Some(from),
                    _ => None,
                };
                let decider = decider.or(first).or_else(|| (self.decider)(span));
                let Some(decider) = decider else {
                    let message = "it is not clear who decides whether this loop goes on";
                    let diagnostic = Diagnostic::new(Code::Syntax, span, message).label("several roles could");
                    report.add(diagnostic.hint("name the role that decides: `repeat A { … }`"));
                    return;
                };
                let round = self.add(span);
                let guards = Vec::new();
                self.set(at, span, GlobalStep::Choice { decider, guards, branches: vec![round, next] });
                self.work.push((body, round, at));
            }
        }
    }

    /// Whether these are messages of one sender to different receivers, as `=>` has them.
    fn is_multicast(&self, sides: &[usize]) -> bool {
        let mut sender = None;
        let mut receivers = HashSet::new();
        sides.iter().all(|&side| match self.choreography.terms.get(side) {
            Some((_, Term::Message { from, to, .. })) => {
                *sender.get_or_insert(*from) == *from && to.iter().all(|&receiver| receivers.insert(receiver))
            }
            _ => false,
        })
    }

    fn sequence(&mut self, parts: &[usize], at: usize, next: usize) {
        let mut at = at;
        let before = self.work.len();
        for (&part, left) in parts.iter().zip((0..parts.len()).rev()) {
            let after = if left == 0 { next } else { self.add(Span::default()) };
            self.work.push((part, at, after));
            at = after;
        }
        if parts.is_empty() {
            self.set(at, Span::default(), GlobalStep::Goto(next));
        }
        self.work[before..].reverse();
    }

    fn choice(
        &mut self,
        number: usize,
        span: Span,
        decider: Option<usize>,
        terms: &[usize],
        [at, next]: [usize; 2],
        report: &mut Report,
    ) {
        let branches: Vec<usize> = terms.iter().map(|_| self.add(span)).collect();
        self.work.extend(terms.iter().zip(&branches).rev().map(|(&term, &branch)| (term, branch, next)));
        let first = match (decider, self.known[number].first) {
            (Some(decider), _) | (None, First::One { from: decider, .. }) => Some(decider),
            (None, First::Nobody) => {
                self.set(at, span, GlobalStep::Goto(next));
                return;
            }
            (None, First::Several) => (self.decider)(span),
        };
        if let Some(decider) = first {
            self.set(at, span, GlobalStep::Choice { decider, guards: Vec::new(), branches });
            return;
        }
        let receiver = |&term: &usize| match self.known[term].first {
            First::One { to, .. } => to,
            _ => None,
        };
        let one = terms.first().and_then(receiver);
        if one.is_some() && terms.iter().all(|term| receiver(term) == one) {
            self.set(at, span, GlobalStep::First { items: branches });
            return;
        }
        let message = "messages of several senders begin the branches of this choice, and go to several receivers: \
                       that cannot be expressed as a choreography";
        let mut diagnostic = Diagnostic::new(Code::Syntax, span, message).label("nobody decides here");
        for &term in terms.iter().take(MOST_PLACES) {
            let Some((span, _)) = self.choreography.terms.get(term) else { continue };
            if let First::One { from, .. } = self.known[term].first {
                diagnostic = diagnostic.at(*span, format!("{} sends first", quote(self.choreography.role(from))));
            }
        }
        report.add(diagnostic.hint("name the role that decides, and let it send first: `sel A { … + … }`"));
    }
}
