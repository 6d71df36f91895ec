//! BPMN: choreographies, and collaborations of which each pool is a process.
//!
//! Elements are known by their namespace, ids are identity, and names are labels. What is drawn where, data, lanes and
//! notes are skipped; what is not understood is refused with its id.

mod build;
mod choreography;
mod collaboration;
mod connect;
mod deciders;
mod document;
mod first;
mod graph;
mod layout;
mod parts;
mod pool;
mod tasks;
mod tokens;
mod write;
mod xml;

pub use write::write_bpmn;

use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
use crate::view::View;
use document::Document;
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use std::collections::HashSet;

/// Whether a text looks like this, from its first word on.
pub(crate) fn looks_like(text: &str) -> bool {
    let mut end = text.len().min(1 << 16);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.starts_with('<') && text[..end].contains(xml::MODEL)
}

/// Reads the choreography or the collaboration of a text.
pub(crate) fn read(sources: &[Source<'_>], options: &ReadOptions<'_>, report: &mut Report) -> View {
    let source = match sources {
        [source] => source,
        _ => {
            let message = "a BPMN file is read on its own";
            report.add(Diagnostic::new(Code::Syntax, Span::default(), message));
            return View::default();
        }
    };
    let Some(elements) = xml::elements(source, report) else { return View::default() };
    let document = Document::new(elements, report);
    if report.has_errors() {
        return View::default();
    }
    let Some(found) = chosen(&document, options, report) else { return View::default() };
    match document.element(found).name {
        "choreography" => View::Global(choreography::read(&document, found, source, options, report)),
        _ => View::Local(collaboration::read(&document, found, report)),
    }
}

/// The choreography or collaboration that is meant.
fn chosen(document: &Document<'_>, options: &ReadOptions<'_>, report: &mut Report) -> Option<usize> {
    let children = document.element(0).children.iter().copied();
    let is_view = |&child: &usize| matches!(document.element(child).name, "choreography" | "collaboration");
    let views: Vec<usize> = children.filter(is_view).collect();
    let names = |views: &[usize]| views.iter().map(|&view| quote(&document.title(view))).collect::<Vec<_>>().join(", ");
    if let Some(wanted) = options.protocol {
        let has_name = |&view: &usize| {
            let element = document.element(view);
            element.attribute("id") == Some(wanted) || element.label() == wanted
        };
        let numbered = || wanted.parse::<usize>().ok().and_then(|number| views.get(number.checked_sub(1)?).copied());
        let found = views.iter().copied().find(has_name).or_else(numbered);
        if found.is_none() {
            let message = format!("there is no choreography or collaboration {}", quote(wanted));
            let fault = Diagnostic::new(Code::Syntax, document.span(0), message);
            report.add(fault.hint(format!("there are: {}", names(&views))));
        }
        return found;
    }
    let called: HashSet<usize> = (0..document.len())
        .filter(|&element| document.element(element).name == "callChoreography")
        .filter_map(|element| document.referred(element, "calledChoreographyRef"))
        .collect();
    // What takes part in something, and is not only called by another.
    let is_main = |&view: &usize| {
        let flows = document.element(view).children.iter().any(|&child| document.element(child).name != "participant");
        let pools =
            || document.children(view, "participant").any(|pool| document.referred(pool, "processRef").is_some());
        !called.contains(&view) && (flows || pools())
    };
    let main: Vec<usize> = views.iter().copied().filter(is_main).collect();
    let Some(&found) = main.first().or(views.first()) else {
        let message = "there is neither a choreography nor a collaboration in this text";
        let fault = Diagnostic::new(Code::Empty, document.span(0), message);
        report.add(fault.hint("a process alone communicates with nobody; draw the pools of those it talks to"));
        return None;
    };
    if main.len() > 1 {
        let text = format!("there are several choreographies or collaborations: {}; the first is read", names(&main));
        report.remark(document.span(found), text);
    }
    Some(found)
}
