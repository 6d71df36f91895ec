//! Choreographies: tasks are messages between two participants, and gateways decisions of those who send next.
//!
//! What runs side by side is done one part after the other, which is the same if the parts have no participant in
//! common; else it is refused. Events other than messages say nothing about who does what: they are passed.

use super::deciders::Deciders;
use super::document::{Document, Trigger};
use super::graph::{Graph, Kind, Node};
use super::parts::Part;
use super::pool::report_stuck;
use super::tasks::{Exchange, Roles};
use super::tokens::{MOST_TOKENS, Marking, Position, Token, arrival, left, pass, position, replaced, taken};
use crate::protocol::{GlobalNode, GlobalStep, Protocol};
use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
use laban::diagnostic::quote;
use std::collections::{HashMap, HashSet};

/// More states than this with several tokens are not looked at.
const MOST_STATES: usize = 10_000;
const TOO_MUCH: &str = "after which so much runs side by side";

/// Reads a choreography.
pub(super) fn read(
    document: &Document<'_>,
    root: usize,
    source: &Source<'_>,
    options: &ReadOptions<'_>,
    report: &mut Report,
) -> Protocol {
    let Some(mut graph) = Graph::new(document, root, report) else { return Protocol::default() };
    let roles = Roles::new(document, &graph, report);
    let mut exchanges: Vec<Vec<Exchange>> = Vec::new();
    let mut initiators: Vec<Option<usize>> = Vec::new();
    for number in 0..graph.nodes.len() {
        initiators.push(roles.initiator(document, &graph, number));
        exchanges.push(roles.exchanges(document, &graph, number, report));
    }
    for node in &graph.nodes {
        remark_on_event(document, node, report);
    }
    if report.has_errors() {
        return Protocol::default();
    }
    let mut number = 0;
    graph.set_stages(|_| {
        number += 1;
        exchanges[number - 1].len()
    });
    let deciders = Deciders::new(document, &graph, &exchanges, &initiators, &roles.names, source, options);
    let mut walk = Walk {
        document,
        graph: &graph,
        exchanges: &exchanges,
        deciders,
        protocol: Protocol { name: document.element(root).label(), roles: roles.names.clone(), ..Protocol::default() },
        numbers: HashMap::new(),
        work: Vec::new(),
        several: 0,
        left: 10 * MOST_STATES + 10 * graph.nodes.len(),
        checked: HashSet::new(),
        stuck: HashSet::new(),
    };
    walk.run(report);
    walk.protocol
}

/// Events say nothing about who does what.
fn remark_on_event(document: &Document<'_>, node: &Node, report: &mut Report) {
    let element = document.element(node.element);
    let is_passed =
        element.name.starts_with("intermediate") && !matches!(document.trigger(node.element), Trigger::Link(_));
    if is_passed && document.trigger(node.element) != Trigger::None {
        let text = format!("{} is skipped: it says nothing about who does what", document.described(node.element));
        report.remark(element.span, text);
    }
    if element.name == "boundaryEvent" {
        let hint = "say with a gateway who decides that it happens";
        document.refuse(node.element, hint, report);
    }
}

/// A walk through the markings of a choreography; each is a node of the protocol.
struct Walk<'a> {
    document: &'a Document<'a>,
    graph: &'a Graph,
    exchanges: &'a [Vec<Exchange>],
    deciders: Deciders<'a>,
    protocol: Protocol,
    numbers: HashMap<Marking, usize>,
    work: Vec<(Marking, usize)>,
    /// How many markings have several tokens.
    several: usize,
    /// How many states of parts may still be looked at.
    left: usize,
    /// The nodes after which several parts run side by side that were looked at, and the gateways that were reported.
    checked: HashSet<usize>,
    stuck: HashSet<usize>,
}

impl Walk<'_> {
    fn run(&mut self, report: &mut Report) {
        self.start(report);
        while let Some((marking, number)) = self.work.pop() {
            let is_too_much = marking.len() > MOST_TOKENS || self.several > MOST_STATES;
            if is_too_much {
                let element = self.graph.nodes[self.graph.fork().unwrap_or(0)].element;
                let what = format!("{}, {TOO_MUCH},", self.document.described(element));
                self.document.refuse_what(element, &what, "say in which order things are done", report);
                return;
            }
            let step = self.step(&marking, report);
            self.protocol.nodes[number].step = step;
        }
    }

    /// Where the protocol starts: in several places if it consists of parts that never meet.
    fn start(&mut self, report: &mut Report) {
        let mut marking = vec![arrival(self.graph, 0)];
        let mut met = HashSet::new();
        while let [token] = marking.as_slice()
            && position(self.graph, *token) == Position::Pass
            && met.insert(*token)
        {
            let next = pass(self.graph, &marking, 0);
            if next.len() > 1 {
                self.checked.insert(token.node());
                if let Some(parts) = self.parts(&marking, &next, 0, report) {
                    for part in parts {
                        let start = self.node(vec![part]);
                        self.protocol.starts.push(start);
                    }
                    return;
                }
            }
            marking = next;
        }
        let start = self.node(marking);
        self.protocol.starts.push(start);
    }

    /// The node of a marking.
    fn node(&mut self, marking: Marking) -> usize {
        if let Some(&known) = self.numbers.get(&marking) {
            return known;
        }
        let number = self.protocol.nodes.len();
        let span = marking.first().map(|token| self.document.span(self.graph.nodes[token.node()].element));
        let span = span.unwrap_or_default();
        self.protocol.nodes.push(GlobalNode { span, ..GlobalNode::default() });
        self.several += usize::from(marking.len() > 1);
        self.numbers.insert(marking.clone(), number);
        self.work.push((marking, number));
        number
    }

    fn step(&mut self, marking: &Marking, report: &mut Report) -> GlobalStep {
        let graph = self.graph;
        let positions: Vec<Position> = marking.iter().map(|&token| position(graph, token)).collect();
        if let Some(index) = positions.iter().position(|position| *position == Position::Pass) {
            let number = marking[index].node();
            if matches!(graph.nodes[number].kind, Kind::Terminate | Kind::Error(_)) && marking.len() > 1 {
                let hint = "let the other parts come to their end";
                self.document.refuse(graph.nodes[number].element, hint, report);
            }
            let next = pass(graph, marking, index);
            if next.len() > marking.len() && self.checked.insert(number) {
                self.parts(marking, &next, index, report);
            }
            return GlobalStep::Goto(self.node(next));
        }
        for (index, position) in positions.iter().enumerate() {
            let number = marking[index].node();
            match position {
                Position::Decision => return self.decide(marking, index, report),
                Position::Repetition => {
                    let again = self.node(replaced(marking, index, Token::At { node: number, stage: 0 }));
                    let branches = vec![again, self.node(left(graph, marking, index))];
                    return match self.deciders.of_loop(number, report) {
                        Some(decider) => GlobalStep::Choice { decider, guards: Vec::new(), branches },
                        None => GlobalStep::End,
                    };
                }
                Position::Act => return self.act(marking, index, marking[index]),
                Position::Await(nodes) => return self.await_first(marking, index, nodes, report),
                Position::Pass | Position::Linger | Position::Wait => {}
            }
        }
        if let Some(token) = marking.first()
            && self.stuck.insert(token.node())
        {
            report_stuck(self.document, graph.nodes[token.node()].element, report);
        }
        GlobalStep::End
    }

    /// The message of a task; the token need not be there yet.
    fn act(&mut self, marking: &Marking, index: usize, token: Token) -> GlobalStep {
        let Token::At { node, stage } = token else { return GlobalStep::End };
        let Some(Exchange { from, to, message }) = self.exchanges[node].get(stage).cloned() else {
            return GlobalStep::End;
        };
        let next = self.node(replaced(marking, index, Token::At { node, stage: stage + 1 }));
        GlobalStep::Message { from, to, message, next }
    }

    fn decide(&mut self, marking: &Marking, index: usize, report: &mut Report) -> GlobalStep {
        let number = marking[index].node();
        let (flows, guards) = self.deciders.guarded(number);
        let branches = flows.into_iter().map(|flow| self.node(taken(self.graph, marking, index, flow))).collect();
        match self.deciders.of_gateway(number, report) {
            Some(decider) => GlobalStep::Choice { decider, guards, branches },
            None => GlobalStep::End,
        }
    }

    /// Whichever of these tasks is first.
    fn await_first(&mut self, marking: &Marking, index: usize, nodes: &[usize], report: &mut Report) -> GlobalStep {
        let number = marking[index].node();
        let first: Vec<Option<&Exchange>> = nodes.iter().map(|&node| self.exchanges[node].first()).collect();
        let known: Vec<&Exchange> = first.iter().copied().flatten().collect();
        let same = |end: fn(&Exchange) -> usize| known.windows(2).all(|pair| end(pair[0]) == end(pair[1]));
        let sender = known.first().filter(|_| same(|exchange| exchange.from)).map(|exchange| exchange.from);
        let races = sender.is_none() && known.len() == nodes.len() && same(|exchange| exchange.to);
        let first: Vec<bool> = first.iter().map(Option::is_some).collect();
        let mut branches = Vec::new();
        for (&node, &is_task) in nodes.iter().zip(&first) {
            let token = arrival(self.graph, node);
            // The message itself, so that nothing else comes before it.
            if is_task && self.graph.nodes[node].repeats.is_none() {
                let span = self.document.span(self.graph.nodes[node].element);
                let step = self.act(marking, index, token);
                branches.push(self.protocol.add(span, step));
            } else {
                branches.push(self.node(replaced(marking, index, token)));
            }
        }
        if let [only] = branches.as_slice() {
            return GlobalStep::Goto(*only);
        }
        if branches.is_empty() {
            return GlobalStep::Goto(self.node(left(self.graph, marking, index)));
        }
        if races {
            return GlobalStep::First { items: branches };
        }
        match sender.or_else(|| self.deciders.of_gateway(number, report)) {
            Some(decider) => GlobalStep::Choice { decider, guards: Vec::new(), branches },
            None => GlobalStep::End,
        }
    }

    /// Parts that run side by side must have no participant in common. Returns where each starts, if they never meet
    /// again.
    fn parts(&mut self, before: &Marking, after: &Marking, index: usize, report: &mut Report) -> Option<Vec<Token>> {
        let fork = before[index].node();
        let element = self.graph.nodes[fork].element;
        let mut old = before.clone();
        old.remove(index);
        let is_new = |token: &Token| old.binary_search(token).is_err();
        let tokens: Vec<Token> = after.iter().copied().filter(is_new).collect();
        let mut owners: HashMap<usize, usize> = HashMap::new();
        // Before anything has happened, and not in a sub-choreography that something may follow.
        let mut is_apart = self.protocol.starts.is_empty() && self.graph.nodes[fork].parent == 0;
        let mut is_endless = false;
        let document = self.document;
        let refuse = |what: &str, hint: &str, report: &mut Report| {
            let what = format!("{}, {what},", document.described(element));
            document.refuse_what(element, &what, hint, report);
            None
        };
        for (number, &token) in tokens.iter().enumerate() {
            let Some(part) = Part::new(self.graph, self.exchanges, fork, token, &mut self.left) else {
                return refuse(TOO_MUCH, "say in which order things are done", report);
            };
            for role in part.roles {
                let owner = *owners.entry(role).or_insert(number);
                if owner != number {
                    let name = self.protocol.roles.get(role).map_or("", |role| role.text.as_str());
                    let what = format!("with {} in two parts", quote(name));
                    let hint = "parts that run side by side must have no participant in common; say in which order \
                                things are done";
                    return refuse(&what, hint, report);
                }
            }
            is_apart &= !part.joins;
            is_endless |= part.is_endless;
        }
        if is_apart {
            return Some(tokens);
        }
        if is_endless {
            return refuse("with a part that never ends", "let each part come to an end", report);
        }
        let text = format!(
            "what follows {} is written one part after the other: the parts have nobody in common",
            self.document.described(element)
        );
        report.remark(self.document.span(element), text);
        None
    }
}
