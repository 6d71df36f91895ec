//! From a protocol to a choreography.
//!
//! A message with a label is a selection, with a value if something comes with the label; one without is a value. A
//! choice whose branches say why they are taken becomes conditionals, one in the other, and one that nothing is said
//! about a `choose`. Only what can be reached becomes part of the choreography, and only roles that do something there.
//! Whether the roles can know what they have to do is not looked at.

use super::list;
use super::messages::{Ends, Messages, as_word};
use super::settle::Settled;
use crate::naming::{Naming, cleaned, is_name};
use crate::protocol::{GlobalNode, GlobalStep, Protocol};
use crate::report::{Renamed, Report};
use crate::system::Message;
use laban::Choreography;
use laban::choreography::{ChoreographyParts, Node, NodeId, read_off_named};
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::network::{Content, Interaction, ProcessId};
use laban::syntax::{ArenaRange, Symbol};
use laban::text::Span;
use std::collections::{HashMap, HashSet};

/// What is sent by a message without a label and without anything else.
const NOTHING: &str = "0";

/// The choreography that a protocol is, unless there are errors.
pub fn lower_protocol(protocol: &Protocol, report: &mut Report) -> Option<Choreography> {
    if protocol.starts.is_empty() {
        report.add(Diagnostic::new(Code::Empty, Span::default(), "there is no protocol here"));
        return None;
    }
    let settled = Settled::new(protocol, report);
    let reached = Reached::new(protocol, &settled, report);
    if report.has_errors() {
        return None;
    }
    let names = Naming::for_networks(protocol.roles.iter().map(|role| role.text.as_str()));
    let changed = names.changed.iter();
    report.renamed.extend(changed.map(|(original, name)| Renamed { original: original.clone(), name: name.clone() }));
    let mut parts = ChoreographyParts::default();
    let processes = reached.processes(protocol, &names, &mut parts, report);
    let messages = Messages::of_protocol(protocol, report);
    let conditions = Conditions::new(protocol);
    let numbers: HashMap<usize, NodeId> = reached.order.iter().copied().zip((0..).map(NodeId)).collect();
    parts.nodes = vec![Node::Stop; reached.order.len()];
    parts.origins = reached.order.iter().map(|&node| place(protocol, node)).collect();
    let mut lowering = Lowering { protocol, settled, processes, messages, conditions, numbers, parts };
    for (&node, number) in reached.order.iter().zip(0..) {
        if let Some(source) = protocol.nodes.get(node) {
            lowering.parts.nodes[number] = lowering.node(source, report)?;
        }
    }
    lowering.parts.starts = reached.starts.iter().map(|&start| lowering.number(start)).collect();
    lowering.name_procedures();
    match Choreography::from_parts(lowering.parts) {
        Ok(choreography) if !protocol.is_exact => Some(choreography),
        Ok(choreography) => {
            // What was written for Laban may have any mistake that is possible there.
            let checked = laban::choreography::lower(&read_off_named(&choreography));
            checked.diagnostics.into_iter().filter(Diagnostic::is_error).for_each(|mistake| report.add(mistake));
            (!report.has_errors()).then_some(choreography)
        }
        Err(error) => {
            report.add(Diagnostic::new(Code::Syntax, Span::default(), error.to_string()));
            None
        }
    }
}

fn place(protocol: &Protocol, node: usize) -> Span {
    protocol.nodes.get(node).map_or(Span::default(), |node| node.span)
}

/// What can be reached.
struct Reached {
    /// Where the parts start in which something happens; one part at least.
    starts: Vec<usize>,
    /// The nodes that can be reached, as a reader meets them.
    order: Vec<usize>,
    /// For each role, the part in which it does something, and where it first does.
    part_of: Vec<Option<(usize, Span)>>,
}

impl Reached {
    fn new(protocol: &Protocol, settled: &Settled, report: &mut Report) -> Self {
        let mut starts: Vec<usize> = protocol.starts.iter().map(|&start| settled.of(start)).collect();
        let is_end = |node: usize| protocol.nodes.get(node).is_none_or(|node| node.step == GlobalStep::End);
        let first = starts.first().copied();
        starts.retain(|&start| !is_end(start));
        if starts.is_empty() {
            starts.extend(first);
        }
        let part_of = vec![None; protocol.roles.len()];
        let mut reached = Reached { starts: starts.clone(), order: Vec::new(), part_of };
        // In which part each node was met.
        let mut met: HashMap<usize, usize> = HashMap::new();
        let mut next = Vec::new();
        for (part, &start) in starts.iter().enumerate() {
            let mut work = vec![start];
            while let Some(node) = work.pop() {
                match met.insert(node, part) {
                    None => reached.order.push(node),
                    Some(before) if before != part && !is_end(node) && !report.has_errors() => {}
                    Some(_) => continue,
                }
                let Some(source) = protocol.nodes.get(node) else { continue };
                next.clear();
                reached.visit(protocol, part, source, &mut next, report);
                work.extend(next.iter().rev().map(|&next| settled.of(next)));
            }
        }
        reached
    }

    /// Looks at a node of a part, and adds what follows it.
    fn visit(
        &mut self,
        protocol: &Protocol,
        part: usize,
        node: &GlobalNode,
        next: &mut Vec<usize>,
        report: &mut Report,
    ) {
        match &node.step {
            GlobalStep::End => {}
            GlobalStep::Goto(target) => next.push(*target),
            GlobalStep::Message { from, to, next: follows, .. }
            | GlobalStep::Put { from, to, next: follows, .. }
            | GlobalStep::Take { from, to, next: follows } => {
                next.push(*follows);
                self.act_together(protocol, *from, *to, part, node.span, report);
            }
            GlobalStep::Together { messages, next: follows } => {
                next.push(*follows);
                for (from, to, _) in messages {
                    self.act_together(protocol, *from, *to, part, node.span, report);
                }
            }
            GlobalStep::Choice { decider, branches, .. } => {
                next.extend(branches);
                self.acts(protocol, *decider, part, node.span, report);
                if branches.is_empty() {
                    let message = "this choice has no branches";
                    report.add(Diagnostic::new(Code::EmptyChoice, node.span, message).label("nothing can follow"));
                }
            }
            GlobalStep::First { items } => {
                next.extend(items);
                if items.is_empty() {
                    let message = "nothing can come first here";
                    report.add(Diagnostic::new(Code::EmptyChoice, node.span, message).label("nothing can follow"));
                }
            }
        }
    }

    /// Notes that two roles do something in a part, one with the other.
    fn act_together(
        &mut self,
        protocol: &Protocol,
        from: usize,
        to: usize,
        part: usize,
        span: Span,
        report: &mut Report,
    ) {
        self.acts(protocol, from, part, span, report);
        self.acts(protocol, to, part, span, report);
        if from == to {
            let name = protocol.roles.get(from).map_or("", |role| &role.text);
            report.add(
                Diagnostic::new(Code::SelfCommunication, span, format!("{} communicates with itself", quote(name)))
                    .label("this is the process itself")
                    .hint("a process can only communicate with others; what happens inside it needs no message"),
            );
        }
    }

    /// Notes that a role does something in a part.
    fn acts(&mut self, protocol: &Protocol, role: usize, part: usize, span: Span, report: &mut Report) {
        let Some(slot) = self.part_of.get_mut(role) else {
            report.add(Diagnostic::new(Code::UnknownProcess, span, "this does not say who does it"));
            return;
        };
        let (first_part, first) = *slot.get_or_insert((part, span));
        if first_part != part {
            // Report it once.
            *slot = Some((part, first));
            let name = protocol.roles.get(role).map_or("", |role| &role.text);
            report.add(
                Diagnostic::new(Code::SharedProcess, span, format!("{} takes part in two parallel parts", quote(name)))
                    .label("here")
                    .at(first, "and here")
                    .hint("parts that run side by side are independent: nobody belongs to more than one of them"),
            );
        }
    }

    /// Names the roles that do something, and numbers them.
    fn processes(
        &self,
        protocol: &Protocol,
        names: &Naming,
        parts: &mut ChoreographyParts,
        report: &mut Report,
    ) -> Vec<ProcessId> {
        let mut processes = Vec::new();
        let mut met: HashMap<&str, Span> = HashMap::new();
        for (role, part) in protocol.roles.iter().zip(&self.part_of) {
            processes.push(ProcessId(parts.processes.len() as u32));
            if let Some(&first) = met.get(role.text.as_str()) {
                report.add(
                    Diagnostic::new(
                        Code::DuplicateProcess,
                        role.span,
                        format!("two roles are named {}", quote(&role.text)),
                    )
                    .label("again here")
                    .at(first, "first here")
                    .hint("rename one of them"),
                );
            } else if part.is_some() {
                parts.processes.push(parts.names.intern(names.name(&role.text)));
            } else {
                let text = format!("{} never does anything, and is left out", quote(&role.text));
                report.remark(role.span, text);
            }
            met.entry(&role.text).or_insert(role.span);
        }
        processes
    }
}

/// The conditions of all choices.
struct Conditions {
    names: Naming,
    /// Whether blanks count.
    is_exact: bool,
}

impl Conditions {
    fn new(protocol: &Protocol) -> Self {
        let guards = protocol.nodes.iter().flat_map(|node| match &node.step {
            GlobalStep::Choice { guards, .. } => guards.as_slice(),
            _ => &[],
        });
        let is_exact = protocol.is_exact;
        let texts: Vec<String> = guards.map(|guard| on_one_line(guard, is_exact)).collect();
        let is_condition = |text: &str| {
            let choreography = laban::analyse(format!("main {{ if p.{text} then stop else stop }}"));
            choreography.into_choreography().is_ok_and(|choreography| {
                choreography
                    .nodes()
                    .iter()
                    .any(|node| matches!(*node, Node::If { condition, .. } if choreography.text(condition) == text))
            })
        };
        let cleaned = |text: &str| as_word(text, "condition");
        let numbered = |wished: &str, number: usize| format!("{wished}_{number}");
        let names = Naming::new(texts.iter().map(String::as_str), is_condition, cleaned, numbered);
        Conditions { names, is_exact }
    }

    /// The expression for a condition.
    fn of(&self, guard: &str) -> &str {
        self.names.name(&on_one_line(guard, self.is_exact))
    }
}

fn on_one_line(text: &str, is_exact: bool) -> String {
    if is_exact {
        return text.to_string();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A choreography that is being made.
struct Lowering<'a> {
    protocol: &'a Protocol,
    settled: Settled,
    /// For each role its number, if it does something.
    processes: Vec<ProcessId>,
    messages: Messages,
    conditions: Conditions,
    /// For each node that can be reached, its number.
    numbers: HashMap<usize, NodeId>,
    parts: ChoreographyParts,
}

impl Lowering<'_> {
    fn number(&self, node: usize) -> NodeId {
        self.numbers.get(&self.settled.of(node)).copied().unwrap_or(NodeId(u32::MAX))
    }

    fn process(&self, role: usize) -> ProcessId {
        self.processes.get(role).copied().unwrap_or(ProcessId(u32::MAX))
    }

    fn node(&mut self, node: &GlobalNode, report: &mut Report) -> Option<Node> {
        Some(match &node.step {
            GlobalStep::End | GlobalStep::Goto(_) => Node::Stop,
            GlobalStep::Message { from, to, message, next } => {
                Node::Interaction { interaction: self.interaction(*from, *to, message), next: self.number(*next) }
            }
            GlobalStep::Put { from, to, message, next } => {
                Node::Put { interaction: self.interaction(*from, *to, message), next: self.number(*next) }
            }
            GlobalStep::Take { from, to, next } => {
                Node::Take { from: self.process(*from), to: self.process(*to), next: self.number(*next) }
            }
            GlobalStep::Together { messages, next } => {
                let start = self.parts.members.len() as u32;
                for (from, to, message) in messages {
                    let interaction = self.interaction(*from, *to, message);
                    self.parts.members.push(interaction);
                }
                let members = ArenaRange { start, end: self.parts.members.len() as u32 };
                Node::Group { members, next: self.number(*next) }
            }
            GlobalStep::Choice { decider, guards, branches } => self.choice(node.span, *decider, guards, branches),
            GlobalStep::First { items } => self.first(node.span, items, report)?,
        })
    }

    fn interaction(&mut self, from: usize, to: usize, message: &Message) -> Interaction {
        Interaction { from: self.process(from), to: self.process(to), content: self.content((from, to), message) }
    }

    fn content(&mut self, ends: Ends, message: &Message) -> Content {
        let Lowering { messages, parts, .. } = self;
        let value = messages.value(message).map(|value| parts.names.intern(value));
        if message.label.is_empty() {
            return Content::Value(value.unwrap_or_else(|| parts.names.intern(NOTHING)));
        }
        let label = parts.names.intern(messages.label_between(ends, message));
        value.map_or(Content::Label(label), |value| Content::LabelledValue { label, value })
    }

    /// Conditionals, one in the `else` of the other, for as long as there are conditions; a choice of what is left.
    fn choice(&mut self, span: Span, decider: usize, guards: &[String], branches: &[usize]) -> Node {
        let process = self.process(decider);
        let branches: Vec<NodeId> = branches.iter().map(|&branch| self.number(branch)).collect();
        let says_why = |guard: &String| !guard.trim().is_empty();
        let guards = if guards.iter().all(says_why) { guards } else { &[] };
        let guarded = guards.len().min(branches.len().saturating_sub(1));
        let mut rest = match branches.get(guarded..).unwrap_or(&[]) {
            [only] if guarded > 0 => Rest::Known(*only),
            several => Rest::New(Node::Choose { process, arms: list(&mut self.parts.arms, several) }),
        };
        for (guard, &then) in guards.iter().zip(&branches).take(guarded).rev() {
            let otherwise = match rest {
                Rest::Known(node) => node,
                Rest::New(node) => add(&mut self.parts, node, span),
            };
            let condition = self.parts.names.intern(self.conditions.of(guard));
            rest = Rest::New(Node::If { process, condition, then, otherwise });
        }
        match rest {
            Rest::Known(node) => self.parts.nodes.get(node.index()).copied().unwrap_or(Node::Stop),
            Rest::New(node) => node,
        }
    }

    /// The items of a race, each once.
    fn first(&mut self, span: Span, items: &[usize], report: &mut Report) -> Option<Node> {
        let mut met: HashMap<(usize, usize, Content), (usize, Span)> = HashMap::new();
        let mut nodes = Vec::new();
        for &item in items {
            let item = self.settled.of(item);
            match self.protocol.nodes.get(item).map(|node| &node.step) {
                Some(GlobalStep::Put { .. } | GlobalStep::Take { .. }) => {
                    nodes.push(self.number(item));
                    continue;
                }
                Some(GlobalStep::Choice { .. }) if self.protocol.is_exact => {
                    nodes.push(self.number(item));
                    continue;
                }
                _ => {}
            }
            let Some(GlobalNode { span: at, step: GlobalStep::Message { from, to, message, next }, .. }) =
                self.protocol.nodes.get(item)
            else {
                let at = place(self.protocol, item);
                report.add(
                    Diagnostic::new(
                        Code::NotAnInteraction,
                        at,
                        "only messages can come first, and this is not a message",
                    )
                    .label("not a message")
                    .at(span, "of what may come first here"),
                );
                return None;
            };
            let key = (*from, *to, self.content((*from, *to), message));
            let next = self.settled.of(*next);
            match met.get(&key) {
                Some(&(same, _)) if same == next => {}
                Some(&(_, first)) => {
                    report.add(
                        Diagnostic::new(Code::DuplicateItem, *at, "two messages that may come first are the same")
                            .label("again here")
                            .at(first, "first here")
                            .hint("nobody could tell which of them happens: put the choice behind the message"),
                    );
                    return None;
                }
                None => {
                    met.insert(key, (next, *at));
                    nodes.push(self.number(item));
                }
            }
        }
        if let [_] = nodes.as_slice() {
            let only = items.first().and_then(|&item| self.protocol.nodes.get(self.settled.of(item)))?;
            return self.node(only, report);
        }
        Some(Node::Any { items: list(&mut self.parts.arms, &nodes) })
    }

    /// Names the procedures that start at nodes with names: each with a name of its own that no process has.
    fn name_procedures(&mut self) {
        let mut wishes: HashMap<usize, &str> = HashMap::new();
        let named = || self.protocol.nodes.iter().enumerate().filter(|(_, node)| !node.name.is_empty());
        for (number, node) in named().filter(|&(number, _)| self.settled.of(number) == number) {
            wishes.insert(number, &node.name);
        }
        for (number, node) in named() {
            wishes.entry(self.settled.of(number)).or_insert(&node.name);
        }
        let mut wished: Vec<(NodeId, &str)> =
            wishes.into_iter().filter_map(|(node, name)| Some((*self.numbers.get(&node)?, name))).collect();
        wished.sort_unstable();
        let ChoreographyParts { names, processes, procedures, .. } = &mut self.parts;
        let mut taken: HashSet<Symbol> = processes.iter().copied().collect();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for (node, name) in wished {
            let wish = if is_name(name) { name.to_string() } else { cleaned(name) };
            let number = numbers.entry(wish.clone()).or_insert(1);
            let mut symbol = names.intern(&wish);
            while !taken.insert(symbol) {
                *number += 1;
                symbol = names.intern(&format!("{wish}_{number}"));
            }
            procedures.push((node, symbol));
        }
    }
}

/// What is left of a choice.
enum Rest {
    /// A node that is there already.
    Known(NodeId),
    /// One that is not.
    New(Node),
}

fn add(parts: &mut ChoreographyParts, node: Node, span: Span) -> NodeId {
    parts.nodes.push(node);
    parts.origins.push(span);
    NodeId(parts.nodes.len() as u32 - 1)
}
