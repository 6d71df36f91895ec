//! From graphs to protocols.

use crate::dot::graph::{self, Graph};
use crate::dot::marked_start;
use crate::protocol::Protocol;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
use crate::system::{Message, Payload, Word};
use crate::transitions::{State, Transition, Transitions};
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;

/// Whether a graph has a label like `A->B:m`.
pub(crate) fn looks_like(text: &str) -> bool {
    text.split("label").skip(1).any(|rest| {
        let value = rest.trim_start().strip_prefix('=').map(str::trim_start).and_then(|rest| rest.strip_prefix('"'));
        value.and_then(|value| value.split('"').next()).is_some_and(|label| parts(label).is_some())
    })
}

/// Who sends, who receives, and what.
fn parts(label: &str) -> Option<[&str; 3]> {
    let (from, rest) = label.split_once("->").or_else(|| label.split_once('→'))?;
    let (to, message) = rest.split_once(':')?;
    let parts = [from, to, message].map(str::trim);
    parts.iter().all(|part| !part.is_empty()).then_some(parts)
}

/// A message and what comes with it. Messages with different sorts in parentheses are different messages; values in
/// angle brackets make no difference.
fn message(text: &str) -> Message {
    let within = |open: char, close: char| text.strip_suffix(close).and_then(|text| text.split_once(open));
    if let Some((label, value)) = within('<', '>')
        && !label.contains(char::is_whitespace)
        && !value.trim().is_empty()
    {
        let payload = Some(Payload { text: value.to_string(), sort: String::new() });
        return Message { label: label.to_string(), payload };
    }
    match within('(', ')') {
        Some((label, sort)) if !label.is_empty() && !label.contains(char::is_whitespace) => {
            let sort = sort.split_whitespace().collect::<Vec<_>>().join(" ");
            let payload = (!sort.is_empty()).then(|| Payload { text: sort.clone(), sort });
            Message { label: label.to_string(), payload }
        }
        _ => Message::label(text),
    }
}

/// Reads the graph of a text, or the one of several that is meant.
pub(crate) fn read(sources: &[Source<'_>], options: &ReadOptions<'_>, report: &mut Report) -> Protocol {
    let graphs: Vec<Graph> = sources.iter().flat_map(|source| graph::read(source, report)).collect();
    if report.has_errors() {
        return Protocol::default();
    }
    let meant = |(number, graph): &(usize, &Graph)| {
        options.protocol.is_none_or(|meant| meant == graph.name.text || meant == (number + 1).to_string())
    };
    let found: Vec<&Graph> = graphs.iter().enumerate().filter(meant).map(|(_, graph)| graph).collect();
    match found.as_slice() {
        [graph] => automaton(graph, report),
        [] => {
            let message = match options.protocol {
                Some(meant) => format!("there is no graph {} here", quote(meant)),
                None => "there is no graph here".to_string(),
            };
            report.add(Diagnostic::new(Code::Empty, Span::default(), message));
            Protocol::default()
        }
        [first, second, ..] => {
            report.add(
                Diagnostic::new(Code::Syntax, second.name.span, "there are several graphs")
                    .label("another one")
                    .at(first.name.span, "the first one")
                    .hint("say which one is meant, by its name or its number"),
            );
            Protocol::default()
        }
    }
}

fn automaton(graph: &Graph, report: &mut Report) -> Protocol {
    let mut automaton = Transitions::default();
    automaton.name.clone_from(&graph.name.text);
    automaton.states.extend(graph.nodes.iter().map(|word| State { word: word.clone(), ..State::default() }));
    let start = marked_start(graph);
    match start {
        Some(marked) => automaton.start = marked.to,
        None => {
            if let Some(first) = graph.nodes.first() {
                let text = "no edge without a label points at the first state, so it is taken to be this one";
                report.remark(first.span, text);
            }
        }
    }
    for edge in &graph.edges {
        if start.is_some_and(|marked| std::ptr::eq(marked, edge)) {
            continue;
        }
        let Some(word) = edge.label.as_ref().filter(|word| !word.text.trim().is_empty()) else {
            let message = "this edge has no label, so it is not clear who decides to go this way";
            report.add(Diagnostic::new(Code::Syntax, edge.span, message).label("expected `A->B:message`"));
            continue;
        };
        let Some([from, to, said]) = parts(&word.text) else {
            let message = format!("the label {} is not a message from one role to another", quote(&word.text));
            report.add(Diagnostic::new(Code::Syntax, word.span, message).label("expected `A->B:message`"));
            continue;
        };
        let (from, to) = (Word::new(from, word.span), Word::new(to, word.span));
        let (from, to) = (automaton.role(&from), automaton.role(&to));
        let span = edge.span.to(word.span);
        let edge_of = Transition { span, from, to, message: message(said), target: edge.to };
        automaton.states[edge.from].edges.push(edge_of);
    }
    if automaton.states.is_empty() {
        automaton.states.push(State { word: graph.name.clone(), ..State::default() });
    }
    if report.has_errors() {
        return Protocol::default();
    }
    automaton.finish(report)
}
