//! The tasks of a choreography: who takes part in them, and which messages they are.

use super::collaboration::unique_names;
use super::document::Document;
use super::graph::Graph;
use crate::report::Report;
use crate::system::{Message, Payload, Word};
use laban::diagnostic::{Code, Diagnostic, quote};
use std::collections::{BTreeSet, HashMap};

/// A message of a task; its ends are participants of the protocol.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) message: Message,
}

/// Who takes part.
pub(super) struct Roles {
    pub(super) names: Vec<Word>,
    numbers: HashMap<usize, usize>,
}

impl Roles {
    /// The participants of tasks, in the order of the text.
    pub(super) fn new(document: &Document<'_>, graph: &Graph, report: &mut Report) -> Self {
        let mut participants = BTreeSet::new();
        for (number, node) in graph.nodes.iter().enumerate() {
            for reference in document.texts(node.element, "participantRef") {
                participants.extend(document.find(&reference).map(|found| graph.participant(number, found)));
            }
        }
        let participants: Vec<usize> = participants.into_iter().collect();
        for &participant in &participants {
            let several = document.children(participant, "participantMultiplicity").next();
            if several.is_some_and(|several| document.element(several).attribute("maximum") != Some("1")) {
                let text = format!("{} may stand for several; it is read as one", document.described(participant));
                report.remark(document.span(participant), text);
            }
        }
        let names = unique_names(document, &participants);
        let numbers = participants.into_iter().enumerate().map(|(number, participant)| (participant, number));
        Roles { names, numbers: numbers.collect() }
    }

    fn number(&self, graph: &Graph, node: usize, participant: usize) -> Option<usize> {
        self.numbers.get(&graph.participant(node, participant)).copied()
    }

    /// Who starts an activity.
    pub(super) fn initiator(&self, document: &Document<'_>, graph: &Graph, node: usize) -> Option<usize> {
        let participant = document.referred(graph.nodes[node].element, "initiatingParticipantRef")?;
        self.number(graph, node, participant)
    }

    /// The messages of a task: what its initiator sends, then what it is answered.
    pub(super) fn exchanges(
        &self,
        document: &Document<'_>,
        graph: &Graph,
        node: usize,
        report: &mut Report,
    ) -> Vec<Exchange> {
        let element = graph.nodes[node].element;
        if document.element(element).name != "choreographyTask" {
            return Vec::new();
        }
        let mut both: Vec<usize> = Vec::new();
        for reference in document.texts(element, "participantRef") {
            let found = document.find(&reference).and_then(|found| self.number(graph, node, found));
            both.extend(found.filter(|found| !both.contains(found)));
        }
        let fault = |message: String, hint: &str, report: &mut Report| {
            report.add(Diagnostic::new(Code::Syntax, document.span(element), message).hint(hint));
            Vec::new()
        };
        let &[one, other] = both.as_slice() else {
            let message = format!("{} has {} participants", document.described(element), both.len());
            return fault(message, "a message goes from one participant to another", report);
        };
        let from = match self.initiator(document, graph, node) {
            Some(initiator) if initiator == one || initiator == other => initiator,
            _ => {
                let message = format!("nobody starts {}", document.described(element));
                return fault(message, "`initiatingParticipantRef` must be one of its participants", report);
            }
        };
        let to = if from == one { other } else { one };
        let name = document.title(element);
        let mut requests: Vec<Exchange> = Vec::new();
        let mut replies: Vec<Exchange> = Vec::new();
        for reference in document.texts(element, "messageFlowRef") {
            let Some(flow) = document.find(&reference) else {
                let message = format!("{} has no message flow {}", document.described(element), quote(&reference));
                return fault(message, "a message flow has a source, a target and a message", report);
            };
            let source = document.referred(flow, "sourceRef").and_then(|found| self.number(graph, node, found));
            let is_reply = source.is_some_and(|source| source != from);
            let default = if is_reply { format!("{name} reply") } else { name.clone() };
            let message = message(document, flow, default);
            if is_reply {
                replies.push(Exchange { from: to, to: from, message });
            } else {
                requests.push(Exchange { from, to, message });
            }
        }
        if requests.is_empty() {
            requests.push(Exchange { from, to, message: Message::label(name) });
        }
        requests.extend(replies);
        requests
    }
}

/// The message of a flow: as it is named, else as the flow is, else as is said; or what Laban notes about it.
fn message(document: &Document<'_>, flow: usize, default: String) -> Message {
    let found = document.referred(flow, "messageRef").map(|message| document.element(message));
    if let Some(value) = found.and_then(|message| message.own_attribute("value")) {
        let label = found.and_then(|message| message.own_attribute("label")).unwrap_or("");
        let payload = Payload { text: value.to_string(), sort: String::new() };
        return Message { label: label.to_string(), payload: Some(payload) };
    }
    let mut names = [document.message_name(flow), document.element(flow).label()].into_iter();
    Message::label(names.find(|name| !name.is_empty()).unwrap_or(default))
}
