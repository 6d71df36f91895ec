//! Who decides at a gateway of a choreography: who sends first on every way, or whom the user names.

use super::document::Document;
use super::first::{First, first_senders};
use super::graph::{Flow, Graph, Kind};
use super::tasks::Exchange;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
use crate::system::Word;
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::{Columns, LineTable};
use std::collections::HashSet;

/// So many ways are looked at to say who may send first.
const MOST_NAMED: usize = 10;

/// What is known about who decides.
pub(super) struct Deciders<'a> {
    document: &'a Document<'a>,
    graph: &'a Graph,
    exchanges: &'a [Vec<Exchange>],
    initiators: &'a [Option<usize>],
    /// Who sends first after each node, and after each scope.
    first: Vec<First>,
    roles: &'a [Word],
    source: &'a Source<'a>,
    options: &'a ReadOptions<'a>,
    lines: Option<LineTable>,
    reported: HashSet<usize>,
}

impl<'a> Deciders<'a> {
    pub(super) fn new(
        document: &'a Document<'a>,
        graph: &'a Graph,
        exchanges: &'a [Vec<Exchange>],
        initiators: &'a [Option<usize>],
        roles: &'a [Word],
        source: &'a Source<'a>,
        options: &'a ReadOptions<'a>,
    ) -> Self {
        let lines = (!options.deciders.is_empty()).then(|| LineTable::new(source.text));
        let reported = HashSet::new();
        let sender = |node: usize| Some(exchanges.get(node)?.first()?.from);
        let first = first_senders(2 * graph.nodes.len(), sender, |node| ways(graph, node));
        Deciders { document, graph, exchanges, initiators, first, roles, source, options, lines, reported }
    }

    /// Who decides whether a loop goes on: who starts it.
    pub(super) fn of_loop(&mut self, node: usize, report: &mut Report) -> Option<usize> {
        match self.initiators.get(node).copied().flatten() {
            Some(initiator) => Some(initiator),
            None => self.told(node, &[], report),
        }
    }

    /// Who decides at a gateway.
    pub(super) fn of_gateway(&mut self, node: usize, report: &mut Report) -> Option<usize> {
        match self.first.get(node) {
            Some(&First::One(sender)) => Some(sender),
            _ => {
                let senders = self.first_of_ways(node);
                self.told(node, &senders, report)
            }
        }
    }

    /// Whom the user names.
    fn told(&mut self, node: usize, senders: &[usize], report: &mut Report) -> Option<usize> {
        let element = self.graph.nodes[node].element;
        let span = self.document.span(element);
        let start = span.start.saturating_sub(self.source.offset) as usize;
        let line = |lines: &LineTable| lines.position(self.source.text, start, Columns::Characters).line + 1;
        let line = self.lines.as_ref().map(line);
        let deciders = self.options.deciders.iter();
        let here = deciders.clone().find(|(at, _)| at.is_some() && *at == line);
        let named = here.or_else(|| deciders.clone().find(|(at, _)| at.is_none()));
        if let Some((_, name)) = named {
            let found = self.roles.iter().position(|role| role.text == *name);
            if found.is_none() && self.reported.insert(node) {
                let message = format!("there is no participant {}", quote(name));
                report.add(Diagnostic::new(Code::UnknownProcess, span, message).label("would decide here"));
            }
            return found;
        }
        if self.reported.insert(node) {
            let names = senders.iter().filter_map(|&sender| self.roles.get(sender)).map(|role| quote(&role.text));
            let names = names.collect::<Vec<_>>().join(", ");
            let message = format!("nobody knows who decides at {}", self.document.described(element));
            let label = if names.is_empty() { String::new() } else { format!("{names} may be the next to send") };
            report.add(
                Diagnostic::new(Code::Syntax, span, message)
                    .label(label)
                    .hint("say who does with `--decides`, or let the same participant start every way"),
            );
        }
        None
    }

    /// Who may be the first to send on each way out of a gateway, as far as that is one only.
    fn first_of_ways(&self, gateway: usize) -> Vec<usize> {
        let mut senders = Vec::new();
        for way in ways(self.graph, gateway).into_iter().take(MOST_NAMED) {
            let sender = match self.exchanges.get(way).and_then(|exchanges| exchanges.first()) {
                Some(exchange) => First::One(exchange.from),
                None => self.first.get(way).copied().unwrap_or(First::Nobody),
            };
            if let First::One(sender) = sender
                && !senders.contains(&sender)
            {
                senders.push(sender);
            }
        }
        senders
    }

    /// The ways out of a gateway, the default last, and why each but the last is taken; no reasons if one is missing.
    pub(super) fn guarded(&self, gateway: usize) -> (Vec<Flow>, Vec<String>) {
        let node = &self.graph.nodes[gateway];
        let default = self.document.referred(node.element, "default");
        let mut flows = node.outgoing.clone();
        flows.sort_by_key(|flow| Some(flow.element) == default);
        let reason = |flow: &Flow| {
            let written = self.document.texts(flow.element, "conditionExpression").into_iter().next();
            written.filter(|text| !text.is_empty()).unwrap_or_else(|| self.document.element(flow.element).label())
        };
        let reasons: Vec<String> = flows.iter().rev().skip(1).rev().map(reason).collect();
        let is_known = reasons.iter().all(|reason| !reason.is_empty());
        (flows, if is_known { reasons } else { Vec::new() })
    }
}

/// What follows a node; at the end of a scope, what follows the scope, which has the number of the scope after those of
/// all nodes.
fn ways(graph: &Graph, node: usize) -> Vec<usize> {
    let count = graph.nodes.len();
    let (number, is_after) = if node < count { (node, false) } else { (node - count, true) };
    let found = &graph.nodes[number];
    if !is_after && found.kind == Kind::Scope && !found.starts.is_empty() {
        return found.starts.clone();
    }
    if found.outgoing.is_empty() && number != 0 {
        return vec![count + found.parent];
    }
    found.outgoing.iter().map(|flow| flow.target).collect()
}
