//! Connects the nodes of a graph: flows, links, boundary events, and where things start.

use super::build::Builder;
use super::document::Trigger;
use super::graph::{Flow, Kind};
use laban::diagnostic::{Code, Diagnostic, quote};
use std::collections::HashMap;

/// The most boundary events around a node.
const MOST_GUARDS: u32 = 64;

impl Builder<'_> {
    /// Draws the flows of a scope.
    pub(super) fn connect(&mut self, scope: usize) {
        let document = self.document;
        let numbers: HashMap<usize, usize> =
            self.graph.children(scope).map(|child| (self.graph.nodes[child].element, child)).collect();
        let content = self.contents[scope];
        for flow in document.children(content, "sequenceFlow") {
            let end =
                |attribute: &str| document.referred(flow, attribute).and_then(|element| numbers.get(&element)).copied();
            let ends = (end("sourceRef"), end("targetRef"));
            let (Some(source), Some(target)) = ends else {
                // A node that was refused is not there, and that was said.
                let attribute = if ends.0.is_none() { "sourceRef" } else { "targetRef" };
                let refused = document.referred(flow, attribute).is_some() && self.report.has_errors();
                if !refused {
                    let reference = document.element(flow).attribute(attribute).unwrap_or("");
                    let message = format!(
                        "{} does not connect two nodes of {}: there is no {}",
                        document.described(flow),
                        document.described(content),
                        quote(reference)
                    );
                    self.report.add(Diagnostic::new(Code::Syntax, document.span(flow), message).label("leads nowhere"));
                }
                continue;
            };
            self.graph.nodes[source].outgoing.push(Flow { element: flow, target });
            self.graph.nodes[target].incoming.push(flow);
        }
        self.connect_links(scope);
        self.attach(scope, &numbers);
        self.find_starts(scope);
    }

    /// A link leads to the event that catches it.
    fn connect_links(&mut self, scope: usize) {
        let document = self.document;
        let mut catching = HashMap::new();
        let mut throwing = Vec::new();
        for child in self.graph.children(scope) {
            let element = self.graph.nodes[child].element;
            if !document.element(element).name.starts_with("intermediate") {
                continue;
            }
            if let Trigger::Link(name) = document.trigger(element) {
                if document.element(element).name == "intermediateCatchEvent" {
                    catching.entry(name).or_insert(child);
                } else {
                    throwing.push((child, name));
                }
            }
        }
        for (node, name) in throwing {
            let element = self.graph.nodes[node].element;
            match catching.get(&name) {
                Some(&target) => {
                    self.graph.nodes[node].outgoing.push(Flow { element, target });
                    self.graph.nodes[target].incoming.push(element);
                }
                None => {
                    let message = format!("{} leads to no event", document.described(element));
                    let fault = Diagnostic::new(Code::Syntax, document.span(element), message);
                    self.report.add(fault.hint("there must be an event that catches the same link"));
                }
            }
        }
    }

    /// Boundary events are attached to what they interrupt.
    fn attach(&mut self, scope: usize, numbers: &HashMap<usize, usize>) {
        let document = self.document;
        let children: Vec<usize> = self.graph.children(scope).collect();
        for child in children {
            let element = self.graph.nodes[child].element;
            if document.element(element).name != "boundaryEvent" {
                continue;
            }
            let host = document.referred(element, "attachedToRef").and_then(|host| numbers.get(&host)).copied();
            match host {
                Some(host) if matches!(self.graph.nodes[host].kind, Kind::Scope | Kind::Step) => {
                    self.graph.nodes[host].boundary.push(child);
                }
                _ if self.report.has_errors() => {}
                _ => {
                    let message = format!("{} is not attached to an activity", document.described(element));
                    self.report.add(Diagnostic::new(Code::Syntax, document.span(element), message));
                }
            }
        }
    }

    fn find_starts(&mut self, scope: usize) {
        let document = self.document;
        let children: Vec<usize> = self.graph.children(scope).collect();
        let name = |child: usize| document.element(self.graph.nodes[child].element).name;
        let is_first = |&child: &usize| {
            let node = &self.graph.nodes[child];
            let for_compensation = document.element(node.element).attribute("isForCompensation") == Some("true");
            let is_link = || matches!(document.trigger(node.element), Trigger::Link(_));
            node.incoming.is_empty() && name(child) != "boundaryEvent" && !for_compensation && !is_link()
        };
        let events: Vec<usize> = children.iter().copied().filter(|&child| name(child) == "startEvent").collect();
        let first: Vec<usize> = children.into_iter().filter(is_first).collect();
        if events.is_empty() {
            if first.is_empty() && self.graph.nodes[scope].end > scope + 1 && !self.report.has_errors() {
                let element = self.graph.nodes[scope].element;
                let message = format!("{} has no start", document.described(element));
                let fault = Diagnostic::new(Code::Syntax, document.span(element), message);
                self.report.add(fault.hint("add a start event"));
            }
            self.graph.nodes[scope].starts = first;
            return;
        }
        for &child in first.iter().filter(|&&child| name(child) != "startEvent") {
            let element = self.graph.nodes[child].element;
            let text = format!("nothing leads to {}: it is left out", document.described(element));
            self.report.remark(document.span(element), text);
        }
        self.graph.nodes[scope].starts_by_event = true;
        self.graph.nodes[scope].starts = events;
    }

    /// An inclusive gateway is an exclusive one if there is never more than one flow to wait for.
    pub(super) fn check_gateways(&mut self) {
        let document = self.document;
        let forks = self.graph.fork().is_some();
        for node in &self.graph.nodes {
            let (ways_in, ways_out) = (node.incoming.len(), node.outgoing.len());
            let is_inclusive = document.element(node.element).name == "inclusiveGateway";
            if is_inclusive && (ways_out > 1 || ways_in > 1 && forks) {
                let hint = "an exclusive gateway takes one way, a parallel gateway all of them";
                document.refuse(node.element, hint, &mut self.report);
            }
            let conditions = || {
                let mut flows = node.outgoing.iter().map(|flow| flow.element);
                flows.find(|&flow| document.children(flow, "conditionExpression").next().is_some())
            };
            if !matches!(node.kind, Kind::Exclusive | Kind::EventBased)
                && ways_out > 1
                && let Some(flow) = conditions()
            {
                let what = format!("the condition of {}, which does not start at a gateway,", document.described(flow));
                document.refuse_what(flow, &what, "put an exclusive gateway before it", &mut self.report);
            }
        }
    }

    pub(super) fn find_guards(&mut self) {
        for number in 0..self.graph.nodes.len() {
            let node = &self.graph.nodes[number];
            let parent = &self.graph.nodes[node.parent];
            let around = if number == 0 { (None, 0) } else { (parent.guard, parent.guards) };
            let (guard, guards) =
                if node.boundary.is_empty() { around } else { (Some(number), around.1 + node.boundary.len() as u32) };
            if guards > MOST_GUARDS {
                let element = node.element;
                let what = format!("{}, with so many boundary events around it,", self.document.described(element));
                self.document.refuse_what(element, &what, "", &mut self.report);
                return;
            }
            let node = &mut self.graph.nodes[number];
            (node.guard, node.guards) = (guard, guards);
        }
    }
}
