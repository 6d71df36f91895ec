//! The nodes of a process or a choreography, with the flows between them, and with what is called or nested in it.
//!
//! A sub-process is a node followed by the nodes in it, so that what is inside is a stretch of numbers; so is what a
//! call leads to, once for each call. Node 0 is the whole. What is not understood is refused here, with its id.

use super::document::{Document, Trigger};
use crate::report::Report;
use laban::diagnostic::{Code, Diagnostic, quote};
use std::collections::{HashMap, HashSet};

/// More nodes than the text has, because calls are copied, are this many at most.
const MOST_COPIED: usize = 100_000;
/// The most boundary events around a node.
const MOST_GUARDS: u32 = 64;

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// It has nodes in it: the whole, a sub-process, a call.
    Scope,
    /// Something is done, or nothing: a task, most events.
    Step,
    /// One way out is taken.
    Exclusive,
    /// All ways out are taken, after all ways in.
    Parallel,
    /// The way out whose event happens first.
    EventBased,
    /// Everything around it ends.
    Terminate,
    /// Everything around it ends, up to where the error is caught.
    Error(String),
}

/// A way from one node to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flow {
    pub(super) element: usize,
    pub(super) target: usize,
}

/// A node.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) element: usize,
    pub(super) kind: Kind,
    /// The scope that it is in; the whole is in itself.
    pub(super) parent: usize,
    /// The number after those of the nodes in it.
    pub(super) end: usize,
    pub(super) outgoing: Vec<Flow>,
    /// The flows that lead here.
    pub(super) incoming: Vec<usize>,
    /// Where a scope starts.
    pub(super) starts: Vec<usize>,
    /// Whether these are alternatives, and not all started at once.
    pub(super) starts_by_event: bool,
    /// The events that may interrupt it.
    pub(super) boundary: Vec<usize>,
    /// The nearest node with such events, from this one outwards, and how many there are.
    pub(super) guard: Option<usize>,
    guards: u32,
    /// Whether it is done again and again, and whether the first time is decided on, too.
    pub(super) repeats: Option<bool>,
    /// Who is meant by the participants of what is called.
    pub(super) roles: usize,
    /// How many things are done in it, one after the other.
    pub(super) stages: usize,
    /// Whether anything is done in it.
    pub(super) acts: bool,
    /// Whether it ends with an error somewhere in it.
    pub(super) throws: bool,
    /// For a boundary event: the error that it catches, empty for any.
    pub(super) error: Option<String>,
}

/// All nodes.
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    /// For each call: the call around it, and who is meant by the participants of what is called.
    associations: Vec<(usize, HashMap<usize, usize>)>,
}

impl Graph {
    /// The graph of a process or a choreography, unless something in it is not understood.
    pub(super) fn new(document: &Document<'_>, root: usize, report: &mut Report) -> Option<Graph> {
        let mut builder = Builder {
            document,
            graph: Graph { nodes: Vec::new(), associations: vec![(0, HashMap::new())] },
            contents: Vec::new(),
            active: HashSet::new(),
            report: Report::default(),
        };
        builder.build(root);
        let Builder { graph, report: found, .. } = builder;
        let is_whole = !found.has_errors();
        report.append(found);
        is_whole.then_some(graph)
    }

    /// The participant that is meant by one of what is called.
    pub(super) fn participant(&self, node: usize, participant: usize) -> usize {
        let mut participant = participant;
        let mut call = self.nodes[node].roles;
        while call > 0 {
            let Some((around, associations)) = self.associations.get(call) else { break };
            participant = associations.get(&participant).copied().unwrap_or(participant);
            call = *around;
        }
        participant
    }

    /// Sets how many things are done at each node. A loop in which nothing is done is left out.
    pub(super) fn set_stages(&mut self, mut stages: impl FnMut(&Node) -> usize) {
        let mut before = vec![(0, 0)];
        for (number, node) in self.nodes.iter_mut().enumerate() {
            node.stages = stages(node);
            let (acts, errors) = before[number];
            let throws = matches!(node.kind, Kind::Error(_));
            before.push((acts + usize::from(node.stages > 0), errors + usize::from(throws)));
        }
        for (number, node) in self.nodes.iter_mut().enumerate() {
            node.acts = before[node.end].0 > before[number].0;
            node.throws = before[node.end].1 > before[number].1;
            node.repeats = node.repeats.filter(|_| node.acts);
        }
    }

    /// Whether a boundary event catches an error.
    pub(super) fn catches(&self, event: usize, error: &str) -> bool {
        self.nodes[event].error.as_ref().is_some_and(|caught| caught.is_empty() || caught == error)
    }

    /// The nodes directly in a scope.
    pub(super) fn children(&self, scope: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[scope].end;
        let next = move |&child: &usize| Some(self.nodes[child].end).filter(|&next| next < end);
        std::iter::successors(Some(scope + 1).filter(|&child| child < end), next)
    }

    /// The first node from which several flows start at once.
    pub(super) fn fork(&self) -> Option<usize> {
        let is_fork = |node: &Node| {
            node.outgoing.len() > 1 && !matches!(node.kind, Kind::Exclusive | Kind::EventBased)
                || node.starts.len() > 1 && !node.starts_by_event
        };
        self.nodes.iter().position(is_fork)
    }
}

/// What is left to do.
enum Work {
    Enter { element: usize, parent: usize, roles: usize },
    Leave { node: usize },
}

struct Builder<'a> {
    document: &'a Document<'a>,
    graph: Graph,
    /// For each node, the element whose children are in it.
    contents: Vec<usize>,
    /// The elements whose insides are being read.
    active: HashSet<usize>,
    report: Report,
}

impl Builder<'_> {
    fn build(&mut self, root: usize) {
        self.add(root, root, Kind::Scope, 0, 0);
        self.active.insert(root);
        let mut work = vec![Work::Leave { node: 0 }];
        self.enter_children(root, 0, 0, &mut work);
        while let Some(next) = work.pop() {
            if self.graph.nodes.len() > self.document.len() + MOST_COPIED {
                let message = "the calls in this text lead to more than can be read";
                self.report.add(Diagnostic::new(Code::TooLong, self.document.span(root), message));
                return;
            }
            match next {
                Work::Enter { element, parent, roles } => self.enter(element, parent, roles, &mut work),
                Work::Leave { node } => {
                    self.active.remove(&self.contents[node]);
                    self.graph.nodes[node].end = self.graph.nodes.len();
                    if node > 0 && self.graph.nodes.len() == node + 1 {
                        // Nothing is said about what is in it.
                        self.graph.nodes[node].kind = Kind::Step;
                    }
                    self.connect(node);
                }
            }
        }
        self.check_gateways();
        self.find_guards();
    }

    fn add(&mut self, element: usize, content: usize, kind: Kind, parent: usize, roles: usize) -> usize {
        let number = self.graph.nodes.len();
        self.contents.push(content);
        self.graph.nodes.push(Node {
            element,
            kind,
            parent,
            end: number + 1,
            outgoing: Vec::new(),
            incoming: Vec::new(),
            starts: Vec::new(),
            starts_by_event: false,
            boundary: Vec::new(),
            guard: None,
            guards: 0,
            repeats: None,
            roles,
            stages: 0,
            acts: false,
            throws: false,
            error: None,
        });
        number
    }

    fn enter_children(&mut self, content: usize, parent: usize, roles: usize, work: &mut Vec<Work>) {
        let children = self.document.element(content).children.iter().rev();
        let is_node = |&&child: &&usize| self.is_node(child);
        let children: Vec<usize> = children.filter(is_node).copied().collect();
        work.extend(children.into_iter().map(|element| Work::Enter { element, parent, roles }));
    }

    /// Whether an element of a scope is a node. What is neither a node nor known to mean nothing here is refused later.
    fn is_node(&self, element: usize) -> bool {
        !matches!(
            self.document.element(element).name,
            "sequenceFlow"
                | "messageFlow"
                | "participant"
                | "laneSet"
                | "dataObject"
                | "dataObjectReference"
                | "dataStoreReference"
                | "dataInputAssociation"
                | "dataOutputAssociation"
                | "ioSpecification"
                | "ioBinding"
                | "property"
                | "association"
                | "textAnnotation"
                | "group"
                | "auditing"
                | "monitoring"
                | "resourceRole"
                | "performer"
                | "humanPerformer"
                | "potentialOwner"
                | "supports"
                | "supportedInterfaceRef"
                | "correlationSubscription"
                | "correlationKey"
                | "messageFlowAssociation"
                | "participantAssociation"
                | "participantRef"
                | "messageFlowRef"
                | "incoming"
                | "outgoing"
                | "categoryValueRef"
                | "conversationNode"
                | "conversationAssociation"
                | "conversationLink"
                | "choreographyRef"
                | "artifact"
                | "standardLoopCharacteristics"
                | "multiInstanceLoopCharacteristics"
                | "completionCondition"
        )
    }

    fn enter(&mut self, element: usize, parent: usize, roles: usize, work: &mut Vec<Work>) {
        let document = self.document;
        let found = document.element(element);
        let mut open = |builder: &mut Self, content: usize, roles: usize| {
            let node = builder.add(element, content, Kind::Scope, parent, roles);
            builder.graph.nodes[node].repeats = builder.repeats(element);
            builder.active.insert(content);
            work.push(Work::Leave { node });
            builder.enter_children(content, node, roles, work);
        };
        match found.name {
            "startEvent"
            | "endEvent"
            | "intermediateCatchEvent"
            | "intermediateThrowEvent"
            | "boundaryEvent"
            | "implicitThrowEvent" => self.enter_event(element, parent, roles),
            "exclusiveGateway" => drop(self.add(element, element, Kind::Exclusive, parent, roles)),
            "parallelGateway" => drop(self.add(element, element, Kind::Parallel, parent, roles)),
            "eventBasedGateway" => {
                if found.attribute("eventGatewayType").is_some_and(|kind| kind.eq_ignore_ascii_case("parallel")) {
                    document.refuse_what(
                        element,
                        &format!("the parallel {}", document.described(element)),
                        "an event-based gateway waits for one event",
                        &mut self.report,
                    );
                }
                self.add(element, element, Kind::EventBased, parent, roles);
            }
            // Whether it can be said depends on what else there is.
            "inclusiveGateway" => drop(self.add(element, element, Kind::Exclusive, parent, roles)),
            "task" | "sendTask" | "receiveTask" | "userTask" | "manualTask" | "serviceTask" | "scriptTask"
            | "businessRuleTask" | "choreographyTask" => {
                let node = self.add(element, element, Kind::Step, parent, roles);
                self.graph.nodes[node].repeats = self.repeats(element);
            }
            "subProcess" | "transaction" | "subChoreography" => {
                if found.attribute("triggeredByEvent") == Some("true") {
                    let what = format!("the event sub-process {}", document.described(element));
                    let hint = "say what it does in the process itself";
                    document.refuse_what(element, &what, hint, &mut self.report);
                }
                open(self, element, roles);
            }
            "callActivity" | "callChoreography" => {
                let attribute = if found.name == "callActivity" { "calledElement" } else { "calledChoreographyRef" };
                let called = document.referred(element, attribute);
                let is_scope = |&called: &usize| matches!(document.element(called).name, "process" | "choreography");
                match called.filter(is_scope) {
                    Some(called) if self.active.contains(&called) => {
                        let what = format!("{}, which calls what it is in,", document.described(element));
                        document.refuse_what(element, &what, "use a sequence flow that goes back", &mut self.report);
                    }
                    Some(called) => {
                        let roles = self.associate(element, roles);
                        open(self, called, roles);
                    }
                    None if found.name == "callActivity" => {
                        let node = self.add(element, element, Kind::Step, parent, roles);
                        self.graph.nodes[node].repeats = self.repeats(element);
                        let text = format!("what {} calls is not in this file", document.described(element));
                        self.report.remark(found.span, format!("{text}: it is read as a task"));
                    }
                    None => document.refuse(element, "what is called must be in the same file", &mut self.report),
                }
            }
            _ => document.refuse(element, "remove it, or say it with tasks, events and gateways", &mut self.report),
        }
    }

    /// Who is meant by the participants of what a call leads to. Returns the number of the call.
    fn associate(&mut self, element: usize, around: usize) -> usize {
        let document = self.document;
        let mut associations = HashMap::new();
        for association in document.children(element, "participantAssociation") {
            let side = |name: &str| {
                let written = document.texts(association, name).into_iter().next();
                let attribute = || document.element(association).attribute(name).map(str::to_string);
                document.find(&written.filter(|text| !text.is_empty()).or_else(attribute)?)
            };
            if let (Some(inner), Some(outer)) = (side("innerParticipantRef"), side("outerParticipantRef")) {
                associations.insert(inner, outer);
            }
        }
        self.graph.associations.push((around, associations));
        self.graph.associations.len() - 1
    }

    fn enter_event(&mut self, element: usize, parent: usize, roles: usize) {
        let document = self.document;
        let found = document.element(element);
        let is_end = found.name == "endEvent";
        let is_boundary = found.name == "boundaryEvent";
        let kind = match document.trigger(element) {
            Trigger::Terminate if is_end => Kind::Terminate,
            Trigger::Error(error) if is_end => Kind::Error(error),
            Trigger::Error(_) if is_boundary => Kind::Step,
            Trigger::Link(_) if !is_boundary && !is_end => Kind::Step,
            Trigger::None if is_boundary => {
                document.refuse(element, "a boundary event needs a message, a time or an error", &mut self.report);
                Kind::Step
            }
            Trigger::None | Trigger::Message | Trigger::Timer | Trigger::Condition => Kind::Step,
            other => {
                let what = match other {
                    Trigger::Other(name) => name,
                    other => format!("{other:?}").to_lowercase(),
                };
                let what = format!("{}, with {what},", document.described(element));
                let hint = "messages, times, conditions, errors, links and ends can be said";
                document.refuse_what(element, &what, hint, &mut self.report);
                Kind::Step
            }
        };
        if is_boundary && found.attribute("cancelActivity") == Some("false") {
            let what = format!("{}, which does not interrupt,", document.described(element));
            let hint = "what it starts goes on beside the activity, any number of times; an event that interrupts can \
                        be said";
            document.refuse_what(element, &what, hint, &mut self.report);
        }
        let node = self.add(element, element, kind, parent, roles);
        if let (true, Trigger::Error(error)) = (is_boundary, document.trigger(element)) {
            self.graph.nodes[node].error = Some(error);
        }
    }

    /// Whether an activity is repeated, and whether the first time is decided on as well.
    fn repeats(&mut self, element: usize) -> Option<bool> {
        let document = self.document;
        let found = document.element(element);
        if document.children(element, "multiInstanceLoopCharacteristics").next().is_some() {
            let what = format!("{}, of which there are several instances,", document.described(element));
            document.refuse_what(element, &what, "a loop can be said", &mut self.report);
        }
        match found.attribute("loopType") {
            Some("Standard") => return Some(false),
            Some("MultiInstanceSequential") => {
                let text =
                    format!("{} is read as a loop: its initiator decides how often", document.described(element));
                self.report.remark(found.span, text);
                return Some(false);
            }
            Some("MultiInstanceParallel") => {
                let what = format!("{}, of which there are several instances at once,", document.described(element));
                document.refuse_what(element, &what, "a loop can be said", &mut self.report);
            }
            _ => {}
        }
        let repetition = document.children(element, "standardLoopCharacteristics").next()?;
        Some(document.element(repetition).attribute("testBefore") == Some("true"))
    }

    /// Draws the flows of a scope.
    fn connect(&mut self, scope: usize) {
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
    fn check_gateways(&mut self) {
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

    fn find_guards(&mut self) {
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
