//! Choreographies as BPMN: each interaction is a task, each decision an exclusive gateway, and a race, where somebody
//! takes whichever message comes first, an event-based gateway.
//!
//! In BPMN whoever sends first after a gateway has decided, so a decision of somebody else cannot be said; nor can
//! messages that wait in queues. What is sent as a value is a message named after it, with a note in an attribute of
//! Laban's own namespace, which other tools skip.

use super::first::{First, first_senders};
use super::layout::{Layout, Shape};
use super::xml::{LABAN, MODEL};
use crate::flat::Unsayable;
use laban::Choreography;
use laban::choreography::{Node, NodeId};
use laban::network::{Content, Interaction, ProcessId};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Writes a choreography as BPMN.
///
/// ```
/// let choreography = laban::analyse("main { p -> q[hello]; stop }").into_choreography()?;
/// let text = laban_formats::write_bpmn(&choreography).expect("this can be said in BPMN");
/// assert!(text.contains("choreographyTask"));
/// # Ok::<(), laban::IllFormed>(())
/// ```
pub fn write_bpmn(choreography: &Choreography) -> Result<String, Unsayable> {
    let sender = |node: usize| match choreography.nodes()[node] {
        Node::Interaction { interaction, .. } => Some(interaction.from.index()),
        _ => None,
    };
    let next = |node: usize| choreography.successors(NodeId(node as u32)).map(NodeId::index).collect();
    let mut writer = Writer {
        choreography,
        first: first_senders(choreography.nodes().len(), sender, next),
        order: Vec::new(),
        messages: HashMap::new(),
        elements: Vec::new(),
        participants: String::new(),
        flows: Vec::new(),
        message_flows: String::new(),
        root: String::new(),
    };
    writer.walk();
    writer.write()
}

/// An element of the choreography: its name and attributes, and what is in it after its flows.
struct Element {
    name: &'static str,
    id: String,
    attributes: String,
    content: Vec<String>,
}

/// A flow between two elements.
struct Flow {
    from: String,
    to: String,
    /// Why it is taken.
    condition: Option<String>,
}

struct Writer<'a> {
    choreography: &'a Choreography,
    /// Who sends first after each node.
    first: Vec<First>,
    /// The nodes that can be reached, as a reader meets them.
    order: Vec<NodeId>,
    /// The messages so far: their numbers, by what makes them different.
    messages: HashMap<Content, usize>,
    root: String,
    participants: String,
    message_flows: String,
    elements: Vec<Element>,
    flows: Vec<Flow>,
}

impl Writer<'_> {
    fn walk(&mut self) {
        let mut met: HashSet<NodeId> = HashSet::new();
        let mut work: Vec<NodeId> = self.choreography.starts().iter().rev().copied().collect();
        while let Some(node) = work.pop() {
            if met.insert(node) {
                self.order.push(node);
                let before = work.len();
                work.extend(self.choreography.successors(node));
                work[before..].reverse();
            }
        }
    }

    fn unsayable(&self, process: ProcessId, what: &str) -> Unsayable {
        Unsayable { process: self.choreography.process_name(process).to_string(), what: what.to_string() }
    }

    fn write(mut self) -> Result<String, Unsayable> {
        let choreography = self.choreography;
        for (number, &name) in choreography.processes().iter().enumerate() {
            let name = escaped(choreography.text(name));
            line(&mut self.participants, 2, &format!("<participant id=\"Participant_{number}\" name=\"{name}\"/>"));
        }
        let mut shapes = vec![Shape { id: "Start".to_string(), bands: None }];
        self.start(&mut shapes);
        for node in self.order.clone() {
            self.add_node(node)?;
            let bands = match choreography.node(node) {
                Node::Interaction { interaction, .. } => Some((interaction.from.index(), interaction.to.index())),
                _ => None,
            };
            shapes.push(Shape { id: id(choreography, node), bands });
        }
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let namespaces = [
            format!("xmlns=\"{MODEL}\""),
            format!("xmlns:laban=\"{LABAN}\""),
            "xmlns:bpmndi=\"http://www.omg.org/spec/BPMN/20100524/DI\"".to_string(),
            "xmlns:dc=\"http://www.omg.org/spec/DD/20100524/DC\"".to_string(),
            "xmlns:di=\"http://www.omg.org/spec/DD/20100524/DI\"".to_string(),
            format!("targetNamespace=\"{LABAN}\""),
        ];
        line(&mut text, 0, &format!("<definitions id=\"Definitions\" {}>", namespaces.join("\n    ")));
        text.push_str(&self.root);
        line(&mut text, 1, "<choreography id=\"Choreography\">");
        text.push_str(&self.participants);
        text.push_str(&self.message_flows);
        self.write_elements(&mut text);
        for (number, flow) in self.flows.iter().enumerate() {
            let Flow { from, to, condition } = flow;
            let ends = format!("id=\"Flow_{number}\" sourceRef=\"{from}\" targetRef=\"{to}\"");
            match condition {
                None => line(&mut text, 2, &format!("<sequenceFlow {ends}/>")),
                Some(condition) => {
                    let condition = escaped(condition);
                    line(&mut text, 2, &format!("<sequenceFlow {ends} name=\"{condition}\">"));
                    line(&mut text, 3, &format!("<conditionExpression>{condition}</conditionExpression>"));
                    line(&mut text, 2, "</sequenceFlow>");
                }
            }
        }
        line(&mut text, 1, "</choreography>");
        let ends: Vec<(&str, &str)> = self.flows.iter().map(|flow| (flow.from.as_str(), flow.to.as_str())).collect();
        Layout::new(&shapes, &ends).write(&mut text);
        line(&mut text, 0, "</definitions>");
        Ok(text)
    }

    fn add(&mut self, name: &'static str, id: &str, attributes: String) {
        self.elements.push(Element { name, id: id.to_string(), attributes, content: Vec::new() });
    }

    /// Writes the elements, each with the flows that lead to it and from it.
    fn write_elements(&self, text: &mut String) {
        let mut ways: HashMap<&str, [Vec<usize>; 2]> = HashMap::new();
        for (number, flow) in self.flows.iter().enumerate() {
            ways.entry(&flow.to).or_default()[0].push(number);
            ways.entry(&flow.from).or_default()[1].push(number);
        }
        for Element { name, id, attributes, content } in &self.elements {
            line(text, 2, &format!("<{name} id=\"{id}\"{attributes}>"));
            let ways =
                ways.get(id.as_str()).into_iter().flat_map(|ways| ["incoming", "outgoing"].into_iter().zip(ways));
            for (way, flows) in ways {
                for flow in flows {
                    line(text, 3, &format!("<{way}>Flow_{flow}</{way}>"));
                }
            }
            content.iter().for_each(|content| line(text, 3, content));
            line(text, 2, &format!("</{name}>"));
        }
    }

    /// The start, and a gateway if there are several parts.
    fn start(&mut self, shapes: &mut Vec<Shape>) {
        let mut from = "Start".to_string();
        self.add("startEvent", &from, String::new());
        if self.choreography.starts().len() > 1 {
            self.connect(&from, "Parts".to_string(), None);
            from = "Parts".to_string();
            self.add("parallelGateway", &from, String::new());
            shapes.push(Shape { id: from.clone(), bands: None });
        }
        for &start in self.choreography.starts() {
            self.connect(&from, id(self.choreography, start), None);
        }
    }

    fn connect(&mut self, from: &str, to: String, condition: Option<String>) {
        self.flows.push(Flow { from: from.to_string(), to, condition });
    }

    fn add_node(&mut self, node: NodeId) -> Result<(), Unsayable> {
        let choreography = self.choreography;
        let name = id(choreography, node);
        match choreography.node(node) {
            Node::Stop => self.add("endEvent", &name, String::new()),
            Node::Interaction { interaction, next } => {
                self.task(&name, node, &interaction);
                self.connect(&name, id(choreography, next), None);
            }
            Node::If { process, condition, then, otherwise } => {
                self.check_decider(process, node)?;
                let condition = choreography.text(condition).to_string();
                let default = self.flows.len() + 1;
                self.add("exclusiveGateway", &name, format!(" default=\"Flow_{default}\""));
                self.connect(&name, id(choreography, then), Some(condition));
                self.connect(&name, id(choreography, otherwise), None);
            }
            Node::Choose { process, arms } => {
                self.check_decider(process, node)?;
                self.add("exclusiveGateway", &name, String::new());
                for &arm in choreography.arms(arms) {
                    self.connect(&name, id(choreography, arm), None);
                }
            }
            Node::Any { items } => {
                let items = choreography.arms(items);
                self.check_race(items)?;
                self.add("eventBasedGateway", &name, String::new());
                for &item in items {
                    self.connect(&name, id(choreography, item), None);
                }
            }
            Node::Group { members, .. } => {
                let from = choreography.members(members).first().map_or(ProcessId(0), |member| member.from);
                return Err(self.unsayable(from, "messages that are sent before others are received"));
            }
            Node::Put { interaction, .. } => {
                return Err(self.unsayable(interaction.from, "a message that waits in a queue (`~>`)"));
            }
            Node::Take { to, .. } => {
                return Err(self.unsayable(to, "a message that is taken from a queue (`<~`)"));
            }
        }
        Ok(())
    }

    fn task(&mut self, name: &str, node: NodeId, interaction: &Interaction) {
        let choreography = self.choreography;
        let Interaction { from, to, content } = *interaction;
        let label = content.label().map(|label| escaped(choreography.text(label)));
        let value = content.value().map(|value| escaped(choreography.text(value)));
        let shown = label.clone().or(value.clone()).unwrap_or_default();
        let count = self.messages.len();
        let message = *self.messages.entry(content).or_insert(count);
        if message == count {
            let mut element = format!("<message id=\"Message_{message}\" name=\"{shown}\"");
            if let Some(value) = value {
                let label = label.map(|label| format!(" laban:label=\"{label}\"")).unwrap_or_default();
                let _ = write!(element, "{label} laban:value=\"{value}\"");
            }
            line(&mut self.root, 1, &format!("{element}/>"));
        }
        let (from, to) = (from.index(), to.index());
        let flow = format!("MessageFlow_{}", node.0);
        let ends = format!("sourceRef=\"Participant_{from}\" targetRef=\"Participant_{to}\"");
        let reference = format!("messageRef=\"Message_{message}\"");
        line(&mut self.message_flows, 2, &format!("<messageFlow id=\"{flow}\" {ends} {reference}/>"));
        let reference = |participant: usize| format!("<participantRef>Participant_{participant}</participantRef>");
        self.elements.push(Element {
            name: "choreographyTask",
            id: name.to_string(),
            attributes: format!(" name=\"{shown}\" initiatingParticipantRef=\"Participant_{from}\""),
            content: vec![reference(from), reference(to), format!("<messageFlowRef>{flow}</messageFlowRef>")],
        });
    }

    /// In BPMN, whoever sends first has decided.
    fn check_decider(&self, process: ProcessId, node: NodeId) -> Result<(), Unsayable> {
        match self.first.get(node.index()) {
            Some(&First::One(sender)) if sender == process.index() => Ok(()),
            Some(First::One(_) | First::Several) => {
                Err(self.unsayable(process, "a decision after which somebody else may send first"))
            }
            _ => Err(self.unsayable(process, "a decision after which it sends nothing")),
        }
    }

    /// An event-based gateway is where one participant waits for several others.
    fn check_race(&self, items: &[NodeId]) -> Result<(), Unsayable> {
        let mut ends: Vec<(ProcessId, ProcessId)> = Vec::new();
        for &item in items {
            match self.choreography.node(item) {
                Node::Interaction { interaction, .. } => ends.push((interaction.from, interaction.to)),
                Node::Put { interaction, .. } => {
                    return Err(self.unsayable(interaction.from, "a message that waits in a queue (`~>`)"));
                }
                Node::Take { to, .. } => {
                    return Err(self.unsayable(to, "a message that is taken from a queue (`<~`)"));
                }
                Node::If { process, .. } | Node::Choose { process, .. } => {
                    return Err(self.unsayable(process, "a decision in a race"));
                }
                _ => return Err(self.unsayable(ProcessId(0), "a race in a race")),
            }
        }
        let (first_from, first_to) = ends.first().copied().unwrap_or((ProcessId(0), ProcessId(0)));
        if ends.iter().any(|&(_, to)| to != first_to) {
            return Err(self.unsayable(first_from, "a race in which several receive"));
        }
        if ends.iter().all(|&(from, _)| from == first_from) {
            return Err(self.unsayable(first_from, "a race that only it can begin, which would be a choice"));
        }
        Ok(())
    }
}

/// The id of a node.
fn id(choreography: &Choreography, node: NodeId) -> String {
    let kind = match choreography.node(node) {
        Node::Stop => "End",
        Node::If { .. } | Node::Choose { .. } | Node::Any { .. } => "Gateway",
        _ => "Task",
    };
    format!("{kind}_{}", node.0)
}

pub(super) fn line(text: &mut String, depth: usize, content: &str) {
    for _ in 0..depth {
        text.push_str("  ");
    }
    text.push_str(content);
    text.push('\n');
}

/// A text as part of XML. Characters that cannot be in XML become `�`.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\r' | '\t' => {
                let _ = write!(escaped, "&#{};", character as u32);
            }
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}
