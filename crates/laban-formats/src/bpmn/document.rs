//! The elements of a BPMN text by their ids, and what events of it are triggered by.

use super::xml::Element;
use crate::report::Report;
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// All elements, and which of them has which id.
pub(super) struct Document<'a> {
    elements: Vec<Element<'a>>,
    ids: HashMap<String, usize>,
}

/// What an event is triggered by, or what it triggers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trigger {
    None,
    Message,
    Timer,
    Condition,
    Terminate,
    /// An error, with its id; empty for any.
    Error(String),
    /// A jump to the event with the same name.
    Link(String),
    /// Something that is not understood: the name of an element.
    Other(String),
}

impl<'a> Document<'a> {
    pub(super) fn new(elements: Vec<Element<'a>>, report: &mut Report) -> Self {
        let mut ids: HashMap<String, usize> = HashMap::new();
        for (number, element) in elements.iter().enumerate() {
            let Some(id) = element.attribute("id") else { continue };
            match ids.entry(id.to_string()) {
                Entry::Vacant(entry) => drop(entry.insert(number)),
                Entry::Occupied(first) => {
                    let message = format!("two elements have the id {}", quote(id));
                    report.add(
                        Diagnostic::new(Code::Syntax, element.span, message)
                            .label("again here")
                            .at(elements[*first.get()].span, "first here")
                            .hint("an id stands for one element only"),
                    );
                }
            }
        }
        Document { elements, ids }
    }

    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    pub(super) fn element(&self, number: usize) -> &Element<'a> {
        &self.elements[number]
    }

    pub(super) fn span(&self, number: usize) -> Span {
        self.elements[number].span
    }

    /// The element that a reference means. Its namespace, if it has one, is left out: there is one file only.
    pub(super) fn find(&self, reference: &str) -> Option<usize> {
        let local = || reference.rsplit_once(':').and_then(|(_, local)| self.ids.get(local.trim()));
        self.ids.get(reference.trim()).or_else(local).copied()
    }

    /// The element that an attribute of another means.
    pub(super) fn referred(&self, number: usize, attribute: &str) -> Option<usize> {
        self.find(self.elements[number].attribute(attribute)?)
    }

    /// The elements of this name in another.
    pub(super) fn children<'b>(&'b self, number: usize, name: &'b str) -> impl Iterator<Item = usize> + 'b {
        let children = self.elements[number].children.iter().copied();
        children.filter(move |&child| self.elements[child].name == name)
    }

    /// The texts of the elements of this name in another.
    pub(super) fn texts(&self, number: usize, name: &str) -> Vec<String> {
        self.children(number, name).map(|child| self.elements[child].text()).collect()
    }

    /// What to call an element: its name, or else its id.
    pub(super) fn title(&self, number: usize) -> String {
        let element = &self.elements[number];
        match element.label() {
            name if name.is_empty() => element.attribute("id").unwrap_or(element.name).to_string(),
            name => name,
        }
    }

    /// An element as it is named in messages: what it is, and its id.
    pub(super) fn described(&self, number: usize) -> String {
        let element = &self.elements[number];
        match element.attribute("id") {
            Some(id) => format!("`{}` {}", element.name, quote(id)),
            None => format!("`{}`", element.name),
        }
    }

    /// The name of the message that an element, or what triggers it, refers to; may be empty.
    pub(super) fn message_name(&self, number: usize) -> String {
        let element = &self.elements[number];
        let definitions = element.children.iter().copied().filter(|&child| is_definition(self.elements[child].name));
        let message = [number].into_iter().chain(definitions).find_map(|owner| self.referred(owner, "messageRef"));
        message.map(|message| self.elements[message].label()).unwrap_or_default()
    }

    /// What an event is triggered by.
    pub(super) fn trigger(&self, number: usize) -> Trigger {
        let element = &self.elements[number];
        let own = element.children.iter().copied().filter(|&child| is_definition(self.elements[child].name));
        let referred = self.texts(number, "eventDefinitionRef");
        let referred = referred.iter().filter_map(|reference| self.find(reference));
        let definitions: Vec<usize> = own.chain(referred).collect();
        let [definition] = definitions.as_slice() else {
            return if definitions.is_empty() {
                Trigger::None
            } else {
                Trigger::Other("several event definitions".to_string())
            };
        };
        let definition = &self.elements[*definition];
        match definition.name {
            "messageEventDefinition" => Trigger::Message,
            "timerEventDefinition" => Trigger::Timer,
            "conditionalEventDefinition" => Trigger::Condition,
            "terminateEventDefinition" => Trigger::Terminate,
            "errorEventDefinition" => Trigger::Error(definition.attribute("errorRef").unwrap_or("").to_string()),
            "linkEventDefinition" => match definition.label() {
                name if name.is_empty() => Trigger::Link(element.label()),
                name => Trigger::Link(name),
            },
            other => Trigger::Other(format!("`{other}`")),
        }
    }

    /// Reports an element that cannot be said.
    pub(super) fn refuse(&self, number: usize, hint: &str, report: &mut Report) {
        self.refuse_what(number, &self.described(number), hint, report);
    }

    /// Reports something about an element that cannot be said.
    pub(super) fn refuse_what(&self, number: usize, what: &str, hint: &str, report: &mut Report) {
        let message = format!("{what} cannot be expressed");
        report.add(Diagnostic::new(Code::Syntax, self.span(number), message).label("not supported").hint(hint));
    }
}

fn is_definition(name: &str) -> bool {
    name.ends_with("EventDefinition")
}
