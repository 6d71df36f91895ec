//! Global types: `p→q:{m(Int) . μ(t)(q→p:n . t), stop . end}`. Who sends decides.
//!
//! The dialect of stc is read as well: `p -> q {m: rec t. q -> p {n: t}, stop: end}`, with `p -> q: [int]; …` for a
//! value, and parts side by side, `… | …`, where they share no role.

use super::{COMMENTS, close, payload, starts_recursion};
use crate::protocol::{GlobalStep, Protocol};
use crate::report::Report;
use crate::roles::Roles;
use crate::scanner::Scanner;
use crate::source::Source;
use crate::system::{Message, Payload, Word};
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use std::collections::HashMap;

/// Reads global types, one after the other.
pub(crate) fn read_global(sources: &[Source<'_>], report: &mut Report) -> Protocol {
    let mut types = GlobalTypes::default();
    for source in sources {
        let mut scanner = Scanner::new(source, COMMENTS);
        if types.part(&mut scanner).is_some() && !scanner.at_end() {
            scanner.expected("the end of the text");
        }
        report.append(scanner.report);
    }
    types.protocol
}

/// Whether a text starts like a global type.
pub(crate) fn starts_global(text: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let inner = rest.strip_prefix('μ').or_else(|| rest.strip_prefix("rec")).map(str::trim_start);
        let variable = |inner: &'_ str| inner.len() - inner.trim_start_matches(in_word).len();
        if let Some(inner) = inner.and_then(|inner| inner.strip_prefix('(')).map(str::trim_start) {
            let Some(body) = inner[variable(inner)..].trim_start().strip_prefix(')') else { return false };
            rest = body;
        } else if let Some(inner) = inner.filter(|inner| rest.starts_with("rec ") && variable(inner) > 0) {
            let Some(body) = inner[variable(inner)..].trim_start().strip_prefix('.') else { return false };
            rest = body;
        } else if let Some(inner) = rest.strip_prefix('(') {
            rest = inner;
        } else {
            break;
        }
    }
    let after_role = rest.trim_start_matches(in_word);
    let arrow = after_role.trim_start();
    let Some(to) = arrow.strip_prefix('→').or_else(|| arrow.strip_prefix("->")).map(str::trim_start) else {
        return false;
    };
    let after = to.trim_start_matches(in_word);
    if after_role.len() == rest.len() || after.len() == to.len() {
        return false;
    }
    let after = after.trim_start();
    let message = after.strip_prefix(':').unwrap_or(after).trim_start();
    if arrow.starts_with('→') {
        return !message.is_empty();
    }
    // Other languages have this arrow, too.
    match message.strip_prefix('{') {
        Some(_) => true,
        None if message.starts_with('[') => after.starts_with(':'),
        None => {
            let behind = message.trim_start_matches(in_word);
            behind.len() < message.len() && behind.trim_start().starts_with(['.', '('])
        }
    }
}

/// Types that are being read.
#[derive(Default)]
struct GlobalTypes {
    protocol: Protocol,
    roles: Roles,
    /// The nodes that each variable means, the innermost last.
    variables: HashMap<String, Vec<usize>>,
}

/// What is open around a type.
enum Around {
    Parenthesis(Span),
    Variable(String),
    Choices { node: usize, from: usize, to: usize, opened: Span },
}

/// What follows a message.
enum After {
    /// The type goes on at this node.
    GoesOn(usize),
    Ends,
}

impl GlobalTypes {
    fn add(&mut self, span: Span) -> usize {
        self.protocol.add(span, GlobalStep::End)
    }

    fn set(&mut self, node: usize, span: Span, step: GlobalStep) {
        if let Some(node) = self.protocol.nodes.get_mut(node) {
            (node.span, node.step) = (span, step);
        }
    }

    /// Reads the types of a text; nothing if they do not end well.
    fn part(&mut self, scanner: &mut Scanner<'_>) -> Option<()> {
        let mut around: Vec<Around> = Vec::new();
        let mut at = self.add(scanner.here());
        self.protocol.starts.push(at);
        loop {
            // A type: everything up to an end or a variable.
            let here = scanner.here();
            if scanner.eat("(") {
                around.push(Around::Parenthesis(here));
                continue;
            }
            if scanner.eat("μ") || starts_recursion(scanner) {
                scanner.expect("(").then_some(())?;
                around.push(self.bind(scanner, at)?);
                scanner.expect(")").then_some(())?;
                continue;
            }
            let Some(word) = scanner.identifier() else {
                scanner.expected("a type");
                return None;
            };
            let mut after = After::Ends;
            if scanner.eat("→") || scanner.eat("->") {
                after = self.interaction(scanner, at, &word, &mut around)?;
            } else if word.text == "rec" {
                around.push(self.bind(scanner, at)?);
                scanner.expect(".").then_some(())?;
                continue;
            } else if word.text == "end" {
                self.set(at, word.span, GlobalStep::End);
            } else {
                self.variable(scanner, at, &word);
            }
            // After an end: the next choice, or out of what ends here.
            at = loop {
                if let After::GoesOn(next) = after {
                    break next;
                }
                match around.last() {
                    Some(Around::Variable(variable)) => {
                        self.variables.get_mut(variable).and_then(Vec::pop);
                        around.pop();
                    }
                    _ if scanner.rest().starts_with('|') => {
                        let bar = scanner.here();
                        scanner.eat("|");
                        if around.iter().any(|around| matches!(around, Around::Choices { .. })) {
                            let hint = "only whole types run side by side: `… | …` outside of all choices";
                            scanner.report.inexpressible(bar, "`|` inside of a choice", hint);
                            return None;
                        }
                        let next = self.add(scanner.here());
                        self.protocol.starts.push(next);
                        after = After::GoesOn(next);
                    }
                    None => return Some(()),
                    Some(&Around::Parenthesis(opened)) => {
                        close(scanner, ")", opened)?;
                        around.pop();
                    }
                    Some(&Around::Choices { node, from, to, opened }) => {
                        if scanner.eat(",") {
                            after = self.choice(scanner, node, from, to)?;
                        } else {
                            close(scanner, "}", opened)?;
                            around.pop();
                        }
                    }
                }
            };
        }
    }

    /// Reads a variable that from here on means this node.
    fn bind(&mut self, scanner: &mut Scanner<'_>, node: usize) -> Option<Around> {
        let Some(variable) = scanner.identifier() else {
            scanner.expected("the variable");
            return None;
        };
        if let Some(node) = self.protocol.nodes.get_mut(node) {
            node.name.clone_from(&variable.text);
        }
        self.variables.entry(variable.text.clone()).or_default().push(node);
        Some(Around::Variable(variable.text))
    }

    fn variable(&mut self, scanner: &mut Scanner<'_>, at: usize, word: &Word) {
        match self.variables.get(&word.text).and_then(|nodes| nodes.last()) {
            Some(&node) => self.set(at, word.span, GlobalStep::Goto(node)),
            None => {
                let message = format!("the variable {} is not bound", quote(&word.text));
                let label = format!("no `μ({})` around this", word.text);
                scanner.report.add(Diagnostic::new(Code::UnknownProcedure, word.span, message).label(label));
            }
        }
    }

    /// Reads a message, or the first of several, after the role that sends it and the arrow.
    fn interaction(
        &mut self,
        scanner: &mut Scanner<'_>,
        at: usize,
        from: &Word,
        around: &mut Vec<Around>,
    ) -> Option<After> {
        let Some(to) = scanner.identifier() else {
            scanner.expected("the role that receives");
            return None;
        };
        let ends = from.span.to(to.span);
        let (from, to) = (self.roles.number(&mut self.protocol, from), self.roles.number(&mut self.protocol, &to));
        scanner.eat(":");
        let opened = scanner.here();
        if scanner.eat("{") {
            self.set(at, ends, GlobalStep::Choice { decider: from, guards: Vec::new(), branches: Vec::new() });
            around.push(Around::Choices { node: at, from, to, opened });
            return self.choice(scanner, at, from, to);
        }
        if scanner.eat("[") {
            let sort = scanner.balanced('[', ']', opened)?.text;
            let sort = sort.split_whitespace().collect::<Vec<_>>().join(" ");
            let payload = (!sort.is_empty()).then(|| Payload { text: sort.clone(), sort });
            let message = Message { label: String::new(), payload };
            let span = ends.to(scanner.position());
            scanner.expect(";").then_some(())?;
            let next = self.add(scanner.here());
            self.set(at, span, GlobalStep::Message { from, to, message, next });
            return Some(After::GoesOn(next));
        }
        self.message(scanner, at, from, to, ends)
    }

    /// Reads one of several messages.
    fn choice(&mut self, scanner: &mut Scanner<'_>, node: usize, from: usize, to: usize) -> Option<After> {
        let start = scanner.here();
        let branch = self.add(start);
        if let Some(GlobalStep::Choice { branches, .. }) = self.protocol.nodes.get_mut(node).map(|node| &mut node.step)
        {
            branches.push(branch);
        }
        self.message(scanner, branch, from, to, start)
    }

    /// Reads a label, what comes with it, and whether something follows.
    fn message(&mut self, scanner: &mut Scanner<'_>, at: usize, from: usize, to: usize, start: Span) -> Option<After> {
        let Some(label) = scanner.identifier() else {
            scanner.expected("the label of a message");
            return None;
        };
        let mut span = start.to(label.span);
        let mut message = Message::label(label.text);
        let opened = scanner.here();
        if scanner.eat("(") {
            message.payload = payload(&scanner.balanced('(', ')', opened)?.text);
            span = span.to(scanner.position());
        }
        let goes_on = scanner.eat(".") || scanner.eat(":");
        let next = self.add(if goes_on { scanner.here() } else { scanner.position() });
        self.set(at, span, GlobalStep::Message { from, to, message, next });
        Some(if goes_on { After::GoesOn(next) } else { After::Ends })
    }
}
