//! Collaborations: each pool is a process, and message flows say who sends what to whom.
//!
//! A pool without a process is closed: nobody knows what it does, and the messages to and from it are left out. A
//! message is called as its flow is, else as its message, else as what sends it; two flows of the same name between the
//! same pools in the same direction are the same message.

use super::document::{Document, Trigger};
use super::graph::{Graph, Kind};
use super::pool::{Exchange, Pool, Stage};
use crate::report::Report;
use crate::system::{Message, System, Word};
use laban::diagnostic::{Code, Diagnostic, quote};
use std::collections::{HashMap, HashSet};

/// A message flow between two nodes of two pools.
struct MessageFlow {
    element: usize,
    source: usize,
    target: usize,
    from: usize,
    to: usize,
    label: String,
}

/// What all pools have in common.
struct Pools<'a> {
    document: &'a Document<'a>,
    participants: Vec<usize>,
    names: Vec<Word>,
    /// What each pool does, unless it is closed.
    graphs: Vec<Option<Graph>>,
    /// The pool of each participant.
    numbers: HashMap<usize, usize>,
    /// The pool of each element, and its node there.
    owners: HashMap<usize, (usize, usize)>,
    /// The elements whose messages go to closed pools or come from there.
    closed: HashSet<usize>,
}

/// Reads a collaboration.
pub(super) fn read(document: &Document<'_>, collaboration: usize, report: &mut Report) -> System {
    let participants: Vec<usize> = document.children(collaboration, "participant").collect();
    let mut pools = Pools {
        document,
        names: unique_names(document, &participants),
        numbers: participants.iter().enumerate().map(|(number, &participant)| (participant, number)).collect(),
        participants,
        graphs: Vec::new(),
        owners: HashMap::new(),
        closed: HashSet::new(),
    };
    pools.build(report);
    if report.has_errors() {
        return System::default();
    }
    let mut flows: Vec<MessageFlow> = Vec::new();
    for flow in document.children(collaboration, "messageFlow") {
        flows.extend(pools.flow(flow, report));
    }
    if report.has_errors() {
        return System::default();
    }
    label(document, &mut flows);
    let stages = pools.stages(&flows);
    let mut system = System::default();
    let graphs = std::mem::take(&mut pools.graphs);
    for (graph, name) in graphs.into_iter().zip(&pools.names) {
        let Some(mut graph) = graph else { continue };
        // Boundary events act by interrupting, not as a step of their own.
        let acts = |element: usize| document.element(element).name != "boundaryEvent";
        let count = |element: usize| stages.get(&element).filter(|_| acts(element)).map_or(0, Vec::len);
        graph.set_stages(|node| if node.kind == Kind::Step { count(node.element) } else { 0 });
        pools.check(&graph, &stages, report);
        system.automata.push(Pool::new(document, &graph, &stages).automaton(name.clone(), report));
    }
    system
}

/// The names of some participants, each different: those that are equal get a number.
pub(super) fn unique_names(document: &Document<'_>, participants: &[usize]) -> Vec<Word> {
    let mut taken: HashSet<String> = HashSet::new();
    let titles: Vec<String> = participants.iter().map(|&participant| document.title(participant)).collect();
    let all: HashSet<&String> = titles.iter().collect();
    let mut counts: HashMap<&String, usize> = HashMap::new();
    let named = titles.iter().zip(participants).map(|(title, &participant)| {
        let mut name = title.clone();
        let count = counts.entry(title).or_insert(1);
        while taken.contains(&name) || name != *title && all.contains(&name) {
            *count += 1;
            name = format!("{title} {count}");
        }
        taken.insert(name.clone());
        Word::new(name, document.span(participant))
    });
    named.collect()
}

impl Pools<'_> {
    /// Builds what each pool does.
    fn build(&mut self, report: &mut Report) {
        let document = self.document;
        let mut met: HashMap<usize, usize> = HashMap::new();
        for (number, &participant) in self.participants.iter().enumerate() {
            let process = document.referred(participant, "processRef");
            if process.is_none() && document.element(participant).attribute("processRef").is_some() {
                let text = format!("the process of {} is not in this file", document.described(participant));
                report.remark(document.span(participant), format!("{text}: the pool is closed"));
            }
            if let Some(maximum) = document.children(participant, "participantMultiplicity").next()
                && document.element(maximum).attribute("maximum") != Some("1")
            {
                let text = format!("{} may stand for several; it is read as one", document.described(participant));
                report.remark(document.span(participant), text);
            }
            let graph = process.and_then(|process| {
                if let Some(&first) = met.get(&process) {
                    let message = format!("{} is in two pools", document.described(process));
                    report.add(
                        Diagnostic::new(Code::Syntax, document.span(participant), message)
                            .label("again here")
                            .at(document.span(self.participants[first]), "first here"),
                    );
                    return None;
                }
                met.insert(process, number);
                Graph::new(document, process, report)
            });
            let graph = graph.filter(|graph| graph.nodes.len() > 1);
            for (index, node) in graph.iter().flat_map(|graph| graph.nodes.iter().enumerate()) {
                self.owners.entry(node.element).or_insert((number, index));
            }
            self.graphs.push(graph);
        }
    }

    /// A message flow, unless it is left out or wrong.
    fn flow(&mut self, element: usize, report: &mut Report) -> Option<MessageFlow> {
        let document = self.document;
        let source = self.end(element, "sourceRef", report)?;
        let target = self.end(element, "targetRef", report)?;
        let closed = [source, target].into_iter().find(|end| end.1.is_none());
        if let Some((pool, _)) = closed {
            let text = format!(
                "{} is left out: nothing is known about the pool {}",
                document.described(element),
                quote(&document.title(pool))
            );
            report.remark(document.span(element), text);
            self.closed.extend([source.0, target.0]);
            return None;
        }
        let ((source, Some(from)), (target, Some(to))) = (source, target) else { return None };
        if from == to {
            let message = format!("{} does not leave its pool", document.described(element));
            let fault = Diagnostic::new(Code::SelfCommunication, document.span(element), message);
            report.add(fault.hint("inside a pool there are sequence flows; a message goes to another pool"));
            return None;
        }
        Some(MessageFlow { element, source, target, from, to, label: String::new() })
    }

    /// Where a message flow starts or ends: the node and its pool, or a closed pool.
    fn end(&self, flow: usize, attribute: &str, report: &mut Report) -> Option<(usize, Option<usize>)> {
        let document = self.document;
        let Some(found) = document.referred(flow, attribute) else {
            let reference = document.element(flow).attribute(attribute).unwrap_or("");
            let message = format!("{} leads to nothing: there is no {}", document.described(flow), quote(reference));
            report.add(Diagnostic::new(Code::UnknownProcess, document.span(flow), message).label("not in this file"));
            return None;
        };
        if let Some(&pool) = self.numbers.get(&found) {
            if self.graphs.get(pool).is_some_and(Option::is_none) {
                return Some((found, None));
            }
            let what = format!("{}, which ends at a whole pool,", document.described(flow));
            let hint = "draw it to the task or the event that takes part in it";
            document.refuse_what(flow, &what, hint, report);
            return None;
        }
        let Some(&(pool, node)) = self.owners.get(&found) else {
            let what =
                format!("{}, with {}, which is in no pool,", document.described(flow), document.described(found));
            document.refuse_what(flow, &what, "message flows connect tasks and events of two pools", report);
            return None;
        };
        let name = document.element(found).name;
        let node = self.graphs[pool].as_ref()?.nodes.get(node)?;
        if node.kind == Kind::Scope || name.ends_with("Gateway") {
            let what = format!("{}, with {},", document.described(flow), document.described(found));
            document.refuse_what(flow, &what, "draw it to the task or the event that takes part in it", report);
            return None;
        }
        Some((found, Some(pool)))
    }

    /// What is sent and received at each element, one after the other.
    fn stages(&self, flows: &[MessageFlow]) -> HashMap<usize, Vec<Stage>> {
        let mut sends: HashMap<usize, Vec<Exchange>> = HashMap::new();
        let mut receives: HashMap<usize, Vec<Exchange>> = HashMap::new();
        let mut order: Vec<usize> = Vec::new();
        for flow in flows {
            let exchange = |partner: usize| Exchange {
                partner: self.names[partner].clone(),
                message: Message::label(flow.label.as_str()),
            };
            let mut add = |ends: &mut HashMap<usize, Vec<Exchange>>, element: usize, partner: usize| {
                let known = ends.entry(element).or_default();
                let exchange = exchange(partner);
                if !known.contains(&exchange) {
                    known.push(exchange);
                }
                order.push(element);
            };
            add(&mut sends, flow.source, flow.to);
            add(&mut receives, flow.target, flow.from);
        }
        let mut stages: HashMap<usize, Vec<Stage>> = HashMap::new();
        for element in order {
            if stages.contains_key(&element) {
                continue;
            }
            let sends = sends.remove(&element).unwrap_or_default().into_iter().map(Stage::Send);
            let receive = receives.remove(&element).map(Stage::Receive);
            let catches = ["receiveTask", "startEvent", "intermediateCatchEvent", "boundaryEvent"];
            let both: Vec<Stage> = if catches.contains(&self.document.element(element).name) {
                receive.into_iter().chain(sends).collect()
            } else {
                sends.chain(receive).collect()
            };
            stages.insert(element, both);
        }
        stages
    }

    /// Remarks on tasks and events that should send or receive, and do not.
    fn check(&self, graph: &Graph, stages: &HashMap<usize, Vec<Stage>>, report: &mut Report) {
        let document = self.document;
        for node in &graph.nodes {
            let element = node.element;
            let name = document.element(element).name;
            let is_event = name.ends_with("Event");
            for &event in node.boundary.iter().filter(|_| !node.acts) {
                let event = graph.nodes[event].element;
                if stages.contains_key(&event) {
                    let (host, event) = (document.described(element), document.described(event));
                    let text = format!("{host} may end, or wait for {event}: the process decides which");
                    report.remark(document.span(element), text);
                }
            }
            let several = |stage: &Stage| matches!(stage, Stage::Receive(exchanges) if exchanges.len() > 1);
            let is_task = !is_event && name != "receiveTask";
            if is_task && stages.get(&element).is_some_and(|stages| stages.iter().any(several)) {
                let text = format!("{} receives one of several messages, not all", document.described(element));
                report.remark(document.span(element), text);
            }
            if stages.contains_key(&element) || self.closed.contains(&element) {
                continue;
            }
            let says = |text: &str, report: &mut Report| {
                report.remark(document.span(element), format!("{} {text}", document.described(element)));
            };
            match document.trigger(element) {
                Trigger::Message if is_event => says("has no message flow: nothing is sent or received there", report),
                Trigger::Timer | Trigger::Condition if is_event && name != "startEvent" => {
                    says("may happen at any time, or never: nobody knows when", report);
                }
                _ if matches!(name, "sendTask" | "receiveTask") => {
                    says("has no message flow: nothing is sent or received there", report);
                }
                _ => {}
            }
        }
    }
}

/// Names the messages of flows.
fn label(document: &Document<'_>, flows: &mut [MessageFlow]) {
    let mut taken: HashMap<(usize, usize), HashSet<String>> = HashMap::new();
    for flow in flows.iter_mut() {
        let names = [
            document.element(flow.element).label(),
            document.message_name(flow.element),
            document.message_name(flow.source),
            document.message_name(flow.target),
        ];
        flow.label = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        if !flow.label.is_empty() {
            taken.entry((flow.from, flow.to)).or_default().insert(flow.label.clone());
        }
    }
    // What one node sends to one pool without a name is one message.
    let mut nameless: HashMap<(usize, usize), String> = HashMap::new();
    for flow in flows.iter_mut().filter(|flow| flow.label.is_empty()) {
        if let Some(known) = nameless.get(&(flow.source, flow.to)) {
            flow.label.clone_from(known);
            continue;
        }
        let taken = taken.entry((flow.from, flow.to)).or_default();
        let id = document.title(flow.element);
        let mut names = vec![document.element(flow.source).label(), document.element(flow.target).label(), id];
        names.retain(|name| !name.is_empty() && !taken.contains(name));
        flow.label = names.into_iter().next().unwrap_or_else(|| format!("message {}", flow.element));
        taken.insert(flow.label.clone());
        nameless.insert((flow.source, flow.to), flow.label.clone());
    }
}
