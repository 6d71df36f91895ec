//! Builds the graph of a process or a choreography: its nodes, with what is nested in it or called. What is not
//! understood is refused here, with its id.

use super::document::{Document, Trigger};
use super::graph::{Graph, Kind, Node};
use crate::report::Report;
use laban::diagnostic::{Code, Diagnostic};
use std::collections::{HashMap, HashSet};

/// So many elements may be read again because they are called again.
const MOST_COPIED: usize = 100_000;

impl Graph {
    /// The graph of a process or a choreography, unless something in it is not understood.
    pub(super) fn new(document: &Document<'_>, root: usize, report: &mut Report) -> Option<Graph> {
        let mut builder = Builder {
            document,
            graph: Graph { nodes: Vec::new(), associations: vec![HashMap::new()] },
            contents: Vec::new(),
            active: HashSet::new(),
            visited: 0,
            report: Report::default(),
        };
        builder.build(root);
        let Builder { graph, report: found, .. } = builder;
        let is_whole = !found.has_errors();
        report.append(found);
        is_whole.then_some(graph)
    }
}

/// What is left to do.
enum Work {
    Enter { element: usize, parent: usize, roles: usize },
    Leave { node: usize },
}

pub(super) struct Builder<'a> {
    pub(super) document: &'a Document<'a>,
    pub(super) graph: Graph,
    /// For each node, the element whose children are in it.
    pub(super) contents: Vec<usize>,
    /// The elements whose insides are being read.
    active: HashSet<usize>,
    /// How many elements were looked at, some of them again and again.
    visited: usize,
    pub(super) report: Report,
}

impl Builder<'_> {
    fn build(&mut self, root: usize) {
        self.add(root, root, Kind::Scope, 0, 0);
        self.active.insert(root);
        let mut work = vec![Work::Leave { node: 0 }];
        self.enter_children(root, 0, 0, &mut work);
        while let Some(next) = work.pop() {
            if self.visited > self.document.len() + MOST_COPIED {
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
                        let element = self.graph.nodes[node].element;
                        if self.document.element(element).name.ends_with("Choreography") {
                            let text =
                                format!("there is nothing in {}: it is skipped", self.document.described(element));
                            self.report.remark(self.document.span(element), text);
                        }
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
        self.visited += self.document.element(content).children.len();
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
                associations.insert(inner, self.graph.meant(around, outer));
            }
        }
        self.graph.associations.push(associations);
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
}
