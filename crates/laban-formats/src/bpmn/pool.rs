//! What a pool does, as an automaton: its states are the markings of its nodes.
//!
//! Decisions are made as soon as they can be. What runs side by side is done in any order, which the process chooses as
//! far as it sends. A time that may pass, and an activity that may end or be interrupted, are decisions, too: nobody
//! knows when they happen.

use super::document::{Document, Trigger};
use super::graph::Graph;
use super::tokens::{
    MOST_TOKENS, Marking, Position, Token, arrival, interrupted, left, pass, position, replaced, taken,
};
use crate::report::Report;
use crate::system::{Action, Automaton, Direction, Edge, Message, Word};
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;
use std::collections::{HashMap, HashSet};

/// More states than this with several tokens are not looked at.
const MOST_STATES: usize = 1_000;

/// A message, and with whom it is exchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exchange {
    pub(super) partner: Word,
    pub(super) message: Message,
}

/// What is done at a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stage {
    /// A message is sent.
    Send(Exchange),
    /// One of these messages is received.
    Receive(Vec<Exchange>),
}

/// What happens in a state: what is done, where in the text, and the tokens then.
type Step = (Action, Span, Marking);

/// One pool.
pub(super) struct Pool<'a> {
    document: &'a Document<'a>,
    graph: &'a Graph,
    stages: &'a HashMap<usize, Vec<Stage>>,
}

impl<'a> Pool<'a> {
    pub(super) fn new(document: &'a Document<'a>, graph: &'a Graph, stages: &'a HashMap<usize, Vec<Stage>>) -> Self {
        Pool { document, graph, stages }
    }

    /// The automaton of this pool.
    pub(super) fn automaton(&self, name: Word, report: &mut Report) -> Automaton {
        let mut automaton = Automaton { name, ..Automaton::default() };
        let mut numbers: HashMap<Marking, usize> = HashMap::new();
        let mut names: HashSet<String> = HashSet::new();
        let mut stuck: HashSet<usize> = HashSet::new();
        let mut several = 0;
        let start = vec![arrival(self.graph, 0)];
        let mut work = vec![(start.clone(), self.add_state(&mut automaton, &start, &mut names))];
        numbers.insert(start, 0);
        while let Some((marking, number)) = work.pop() {
            let steps = self.steps(&marking);
            if steps.is_empty() && !marking.is_empty() {
                self.report_stuck(&marking, &mut stuck, report);
            }
            for (action, span, next) in steps {
                if next.len() > 1 && !numbers.contains_key(&next) {
                    several += 1;
                }
                if next.len() > MOST_TOKENS || several > MOST_STATES {
                    self.report_too_many(report);
                    return automaton;
                }
                let target = match numbers.get(&next) {
                    Some(&known) => known,
                    None => {
                        let added = self.add_state(&mut automaton, &next, &mut names);
                        numbers.insert(next.clone(), added);
                        work.push((next, added));
                        added
                    }
                };
                automaton.add_edge(number, Edge { span, action, target });
            }
        }
        if several > 0
            && let Some(fork) = self.graph.fork()
        {
            let element = self.graph.nodes[fork].element;
            let text = format!("what follows {} is done in any order", self.document.described(element));
            report.remark(self.document.span(element), text);
        }
        automaton
    }

    /// A state is named after the only node that is active.
    fn add_state(&self, automaton: &mut Automaton, marking: &Marking, names: &mut HashSet<String>) -> usize {
        let Some(first) = marking.first() else { return automaton.add_state("", Span::default()) };
        let element = self.graph.nodes[first.node()].element;
        let name = self.document.element(element).label();
        let is_new = marking.len() == 1 && first.node() > 0 && names.insert(name.clone());
        automaton.add_state(if is_new { name } else { String::new() }, self.document.span(element))
    }

    /// What can happen with these tokens.
    fn steps(&self, marking: &Marking) -> Vec<Step> {
        let positions: Vec<Position> = marking.iter().map(|&token| position(self.graph, token)).collect();
        let find = |wanted: fn(&Position) -> bool| positions.iter().position(wanted);
        let span = |index: usize| self.span(marking[index].node());
        if let Some(index) = find(|position| *position == Position::Pass) {
            return vec![(Action::Silent, span(index), pass(self.graph, marking, index))];
        }
        if let Some(index) = find(|position| matches!(position, Position::Decision | Position::Repetition)) {
            return self.decide(marking, index, positions[index] == Position::Repetition);
        }
        let mut steps = Vec::new();
        for (index, position) in positions.iter().enumerate() {
            match position {
                Position::Act => self.act(marking, index, marking[index], &mut steps),
                Position::Linger => {
                    steps.push((Action::Silent, span(index), pass(self.graph, marking, index)));
                }
                Position::Await(nodes) => {
                    for &node in nodes {
                        self.await_event(marking, index, node, &mut steps);
                    }
                }
                _ => {}
            }
        }
        self.interruptions(marking, &mut steps);
        steps
    }

    fn span(&self, node: usize) -> Span {
        self.document.span(self.graph.nodes[node].element)
    }

    fn decide(&self, marking: &Marking, index: usize, is_repetition: bool) -> Vec<Step> {
        let number = marking[index].node();
        if is_repetition {
            let again = replaced(marking, index, Token::At { node: number, stage: 0 });
            let nexts = [again, left(self.graph, marking, index)];
            return nexts.into_iter().map(|next| (Action::Silent, self.span(number), next)).collect();
        }
        let flows = self.graph.nodes[number].outgoing.iter();
        let step = |&flow| (Action::Silent, self.span(number), taken(self.graph, marking, index, flow));
        flows.map(step).collect()
    }

    /// What a token does at its node, which need not be where it is yet.
    fn act(&self, marking: &Marking, index: usize, token: Token, steps: &mut Vec<Step>) {
        let Token::At { node, stage } = token else { return };
        let element = self.graph.nodes[node].element;
        let next = replaced(marking, index, Token::At { node, stage: stage + 1 });
        let mut add = |direction: Direction, exchange: &Exchange| {
            let Exchange { partner, message } = exchange.clone();
            let partner = Word::new(partner.text, self.span(node));
            steps.push((Action::Message { direction, partner, message }, self.span(node), next.clone()));
        };
        match self.stages.get(&element).and_then(|stages| stages.get(stage)) {
            Some(Stage::Send(exchange)) => add(Direction::Send, exchange),
            Some(Stage::Receive(exchanges)) => {
                exchanges.iter().for_each(|exchange| add(Direction::Receive, exchange));
            }
            None => {}
        }
    }

    /// One of several events that are waited for.
    fn await_event(&self, marking: &Marking, index: usize, node: usize, steps: &mut Vec<Step>) {
        let found = &self.graph.nodes[node];
        let first = self.stages.get(&found.element).and_then(|stages| stages.first());
        if found.stages > 0 && matches!(first, Some(Stage::Receive(_))) {
            self.act(marking, index, Token::At { node, stage: 0 }, steps);
        } else {
            steps.push((Action::Silent, self.span(node), replaced(marking, index, arrival(self.graph, node))));
        }
    }

    /// The boundary events of what is active.
    fn interruptions(&self, marking: &Marking, steps: &mut Vec<Step>) {
        let mut hosts = Vec::new();
        for token in marking {
            let mut host = self.graph.nodes[token.node()].guard;
            while let Some(number) = host {
                if !hosts.contains(&number) {
                    hosts.push(number);
                }
                host = if number == 0 { None } else { self.graph.nodes[self.graph.nodes[number].parent].guard };
            }
        }
        for host in hosts {
            for &event in &self.graph.nodes[host].boundary {
                let found = &self.graph.nodes[event];
                let next = interrupted(self.graph, marking, host, event);
                let received = match self.stages.get(&found.element).and_then(|stages| stages.first()) {
                    Some(Stage::Receive(exchanges)) => exchanges.as_slice(),
                    _ => &[],
                };
                for Exchange { partner, message } in received.iter().cloned() {
                    let partner = Word::new(partner.text, self.span(event));
                    let action = Action::Message { direction: Direction::Receive, partner, message };
                    steps.push((action, self.span(event), next.clone()));
                }
                // An error of a sub-process is thrown in it, if it is thrown at all.
                let is_thrown = found.error.is_some() && self.graph.nodes[host].throws;
                let is_message = self.document.trigger(found.element) == Trigger::Message;
                if received.is_empty() && !is_thrown && !is_message {
                    steps.push((Action::Silent, self.span(event), next));
                }
            }
        }
    }

    fn report_stuck(&self, marking: &Marking, stuck: &mut HashSet<usize>, report: &mut Report) {
        let gateway = marking.iter().find(|token| matches!(token, Token::Waiting { .. }));
        let number = gateway.or(marking.first()).map_or(0, |token| token.node());
        if stuck.insert(number) {
            report_stuck(self.document, self.graph.nodes[number].element, report);
        }
    }

    fn report_too_many(&self, report: &mut Report) {
        let element = self.graph.nodes[self.graph.fork().unwrap_or(0)].element;
        let what = format!("{}, after which so much runs side by side,", self.document.described(element));
        let hint = "say in which order things are done, or make a pool of what is independent";
        self.document.refuse_what(element, &what, hint, report);
    }
}

/// Reports a gateway that waits for what never comes.
pub(super) fn report_stuck(document: &Document<'_>, element: usize, report: &mut Report) {
    let message = format!("{} may wait forever for one of its flows", document.described(element));
    let fault = Diagnostic::new(Code::Syntax, document.span(element), message);
    report.add(fault.label("waits for all of them").hint("where flows exclude each other, use an exclusive gateway"));
}
