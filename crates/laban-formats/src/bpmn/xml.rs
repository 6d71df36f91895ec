//! The elements of an XML text that belong to BPMN, as a flat tree with places.
//!
//! Elements are known by their namespace, whatever its prefix; all others, such as where things are drawn and what
//! other tools add, are skipped with everything in them. Nothing outside the text is ever looked at: a document type is
//! skipped, its entities are unknown, and an entity that is unknown is an error. Time and memory are linear in the
//! text, however deep it is.

use crate::report::Report;
use crate::source::Source;
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::attributes::{AttrError, Attributes};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::collections::{HashMap, HashSet};

/// The namespace of BPMN 2.0.
pub(super) const MODEL: &str = "http://www.omg.org/spec/BPMN/20100524/MODEL";

/// The namespace of what Laban adds.
pub(super) const LABAN: &str = "urn:laban:bpmn";

const ENTITY_HINT: &str = "entities that a document type declares are not expanded; write out what it stands for";

/// An element of BPMN.
#[derive(Debug, Clone, Default)]
pub(super) struct Element<'a> {
    /// Its name without a prefix.
    pub(super) name: &'a str,
    /// Where its start tag is.
    pub(super) span: Span,
    /// The elements in it.
    pub(super) children: Vec<usize>,
    attributes: Vec<(&'a str, String)>,
    /// Those that Laban adds.
    own: Vec<(&'a str, String)>,
    text: String,
}

impl Element<'_> {
    /// An attribute; nothing if it is not there or empty.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let value = self.attributes.iter().find(|&&(key, _)| key == name).map(|(_, value)| value.trim())?;
        (!value.is_empty()).then_some(value)
    }

    /// An attribute that Laban adds.
    pub(super) fn own_attribute(&self, name: &str) -> Option<&str> {
        self.own.iter().find(|&&(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The text in it, with single blanks.
    pub(super) fn text(&self) -> String {
        spaced(&self.text)
    }

    /// The name that it has for readers; may be empty.
    pub(super) fn label(&self) -> String {
        self.attribute("name").map(spaced).unwrap_or_default()
    }
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads the elements of a text: the first is the root, and each comes before what is in it.
pub(super) fn elements<'a>(source: &Source<'a>, report: &mut Report) -> Option<Vec<Element<'a>>> {
    let text = source.text.strip_prefix('\u{feff}').unwrap_or(source.text);
    let offset = source.offset + (source.text.len() - text.len()) as u32;
    let mut tree = Tree { text, offset, ..Tree::default() };
    match tree.read(report) {
        Ok(()) => Some(tree.elements),
        Err(diagnostic) => {
            report.add(*diagnostic);
            None
        }
    }
}

/// Whose an element or an attribute is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Namespace {
    Model,
    Laban,
    Other,
}

/// Attributes without a prefix, and those that Laban adds.
type Attributed<'a> = [Vec<(&'a str, String)>; 2];

/// Why a text is not read: boxed, since it is large and rare.
type Fault = Box<Diagnostic>;

/// A tree that grows.
#[derive(Default)]
struct Tree<'a> {
    text: &'a str,
    offset: u32,
    elements: Vec<Element<'a>>,
    /// The open tags: where each is, and its element unless it is skipped.
    open: Vec<(Span, Option<usize>)>,
    /// For each prefix, what it stands for in the open elements that declare it.
    prefixes: HashMap<&'a str, Vec<Namespace>>,
    /// The prefixes that open elements declare, with the depth of each.
    declared: Vec<(usize, &'a str)>,
}

impl<'a> Tree<'a> {
    fn span(&self, start: usize, end: usize) -> Span {
        let floor = |mut at: usize| {
            at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (floor(start), floor(end.max(start)));
        Span { start: self.offset + start as u32, end: self.offset + end as u32 }
    }

    fn fault(&self, start: usize, end: usize, message: impl Into<String>) -> Fault {
        Box::new(Diagnostic::new(Code::Syntax, self.span(start, end), message))
    }

    fn read(&mut self, report: &mut Report) -> Result<(), Fault> {
        let mut reader = Reader::from_str(self.text);
        loop {
            let start = reader.buffer_position() as usize;
            let event = reader.read_event();
            let end = reader.buffer_position() as usize;
            match event {
                Ok(Event::Start(tag)) => self.start(&tag, start, end)?,
                Ok(Event::Empty(tag)) => {
                    self.start(&tag, start, end)?;
                    self.end();
                }
                Ok(Event::End(_)) => self.end(),
                Ok(Event::Text(text)) => self.add_text(&text.xml10_content(), start, end)?,
                Ok(Event::CData(text)) => self.add_text(&text.xml10_content(), start, end)?,
                Ok(Event::GeneralRef(reference)) => {
                    let known = match reference.resolve_char_ref() {
                        Ok(Some(character)) => Some(character.to_string()),
                        Ok(None) => resolve_xml_entity(&reference).map(str::to_string),
                        Err(_) => None,
                    };
                    let known = known.ok_or_else(|| self.unknown_entity(&reference, start, end))?;
                    self.add_text(&known, start, end)?;
                }
                Ok(Event::Decl(declaration)) => {
                    let encoding = declaration.encoding().and_then(Result::ok).unwrap_or("UTF-8".into());
                    if !["utf-8", "utf8", "us-ascii", "ascii"].contains(&encoding.to_lowercase().as_str()) {
                        let message = format!("the text says that its encoding is {}", quote(&encoding));
                        let hint = "save it as UTF-8, and say so in its first line";
                        return Err(Box::new(self.fault(start, end, message).label("only UTF-8 is read").hint(hint)));
                    }
                }
                Ok(Event::DocType(_)) => {
                    report.remark(self.span(start, end), "the document type is skipped: nothing in it is used");
                }
                Ok(Event::Comment(_) | Event::PI(_)) => {}
                Ok(Event::Eof) => break,
                Err(error) => {
                    let at = reader.error_position() as usize;
                    return Err(self.fault(at, at + 1, format!("this is not XML: {error}")));
                }
            }
        }
        if let Some(&(span, _)) = self.open.last() {
            let fault = Diagnostic::new(Code::Unclosed, span, "this element is never closed");
            return Err(Box::new(fault.label("opened here")));
        }
        if self.elements.is_empty() {
            let message = "there is no element of BPMN 2.0 in this text";
            let fault = Diagnostic::new(Code::Empty, self.span(0, 0), message);
            return Err(Box::new(fault.hint(format!("its elements are in the namespace {}", quote(MODEL)))));
        }
        Ok(())
    }

    fn unknown_entity(&self, name: &str, start: usize, end: usize) -> Fault {
        let fault = self.fault(start, end, format!("the entity {} is not known", quote(name)));
        Box::new(fault.label("not known").hint(ENTITY_HINT))
    }

    fn add_text(&mut self, text: &str, start: usize, end: usize) -> Result<(), Fault> {
        match self.open.last() {
            Some(&(_, Some(element))) => self.elements[element].text.push_str(text),
            Some(_) => {}
            None if text.trim().is_empty() => {}
            None => return Err(self.fault(start, end, "there is text outside of the root element")),
        }
        Ok(())
    }

    fn start(&mut self, tag: &BytesStart<'_>, start: usize, end: usize) -> Result<(), Fault> {
        let span = self.span(start, end);
        let length = tag.name().as_ref().len();
        let content = self.text.get(start + 1..start + 1 + length + tag.attributes_raw().len()).unwrap_or("");
        let full = content.get(..length).unwrap_or("");
        let [attributes, own] = self.attributes(content, length)?;
        let (prefix, name) = full.split_once(':').unwrap_or(("", full));
        let is_model = self.namespace(prefix) == Namespace::Model;
        let parent = self.open.last().map(|&(_, element)| element);
        let is_kept = is_model && !matches!(name, "extensionElements" | "documentation") && parent != Some(None);
        let element = match parent {
            None if !self.open.is_empty() || !self.elements.is_empty() => None,
            _ if !is_kept => None,
            parent => {
                let number = self.elements.len();
                self.elements.push(Element { name, span, attributes, own, ..Element::default() });
                if let Some(parent) = parent.flatten() {
                    self.elements[parent].children.push(number);
                }
                Some(number)
            }
        };
        self.open.push((span, element));
        Ok(())
    }

    /// The attributes without a prefix. Declarations of namespaces are taken note of.
    fn attributes(&mut self, content: &'a str, name: usize) -> Result<Attributed<'a>, Fault> {
        let mut attributes = Vec::new();
        let mut prefixed = Vec::new();
        let mut met = HashSet::new();
        let at = |part: &str| (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let start = at(content);
        for attribute in Attributes::new(content, name).with_checks(false) {
            let attribute = attribute.map_err(|error| {
                let (at, what) = attribute_mistake(&error);
                self.fault(start + at, start + at + 1, format!("this is not XML: {what}"))
            })?;
            let key = attribute.key.0;
            if !met.insert(key) {
                let message = format!("the attribute {} is there twice", quote(key));
                return Err(self.fault(at(key), at(key) + key.len(), message));
            }
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|_| {
                let message = format!("an entity in the attribute {} is not known", quote(key));
                let fault = self.fault(at(&attribute.value), at(&attribute.value) + attribute.value.len(), message);
                Box::new(fault.label("not known").hint(ENTITY_HINT))
            })?;
            let declared = if key == "xmlns" { Some("") } else { key.strip_prefix("xmlns:") };
            if let Some(prefix) = declared {
                let namespace = match value.trim() {
                    MODEL => Namespace::Model,
                    LABAN => Namespace::Laban,
                    _ => Namespace::Other,
                };
                self.prefixes.entry(prefix).or_default().push(namespace);
                self.declared.push((self.open.len(), prefix));
            } else if let Some((prefix, name)) = key.split_once(':') {
                prefixed.push((prefix, name, value));
            } else {
                attributes.push((key, value.into_owned()));
            }
        }
        let own = prefixed.into_iter().filter(|(prefix, ..)| self.namespace(prefix) == Namespace::Laban);
        let own = own.map(|(_, name, value)| (name, value.into_owned())).collect();
        Ok([attributes, own])
    }

    fn namespace(&self, prefix: &str) -> Namespace {
        self.prefixes.get(prefix).and_then(|known| known.last()).copied().unwrap_or(Namespace::Other)
    }

    fn end(&mut self) {
        self.open.pop();
        while let Some(&(depth, prefix)) = self.declared.last() {
            if depth < self.open.len() {
                break;
            }
            self.declared.pop();
            if let Some(known) = self.prefixes.get_mut(prefix) {
                known.pop();
            }
        }
    }
}

/// Where the mistake is, from the start of the tag, and what it is.
fn attribute_mistake(error: &AttrError) -> (usize, &'static str) {
    match *error {
        AttrError::ExpectedEq(at) => (at, "an attribute without a value"),
        AttrError::ExpectedValue(at) => (at, "an attribute without a value"),
        AttrError::UnquotedValue(at) => (at, "the value of an attribute must be in quotes"),
        AttrError::ExpectedQuote(at, _) => (at, "the value of an attribute is not closed"),
        AttrError::Duplicated(at, _) => (at, "an attribute is there twice"),
    }
}
