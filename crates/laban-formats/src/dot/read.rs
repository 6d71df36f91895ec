//! From graphs to the automata of a system.

use super::graph::{self, Graph, GraphEdge};
use super::label::Label;
use crate::report::Report;
use crate::source::Source;
use crate::system::{Action, Automaton, Edge, System, Word};
use laban::diagnostic::{Code, Diagnostic, quote};
use std::collections::HashSet;

/// Reads the graphs of some texts: one process for each.
pub(crate) fn read(sources: &[Source<'_>], report: &mut Report) -> System {
    let mut graphs: Vec<(Graph, &Source<'_>)> = Vec::new();
    for source in sources {
        graphs.extend(graph::read(source, report).into_iter().map(|graph| (graph, source)));
    }
    let mut automata: Vec<Automaton> = graphs.iter().map(|(graph, _)| automaton(graph, report)).collect();
    let partners: HashSet<String> = automata.iter().flat_map(partners_of).collect();
    for (automaton, (graph, source)) in automata.iter_mut().zip(&graphs) {
        // A label may have said it already.
        if automaton.name.text.is_empty() {
            let name = process_name(&graph.name.text, source.stem(), &partners, automaton);
            automaton.name = Word::new(name, graph.name.span);
        }
    }
    System { automata, numbered: false }
}

fn partners_of(automaton: &Automaton) -> impl Iterator<Item = String> {
    automaton.states.iter().flat_map(|state| &state.edges).filter_map(|edge| match &edge.action {
        Action::Message { partner, .. } => Some(partner.text.clone()),
        Action::Silent => None,
    })
}

/// Whose graph it is: by its name, or by the name of the file or a part of it, if others speak of such a process.
fn process_name(graph: &str, stem: &str, partners: &HashSet<String>, automaton: &Automaton) -> String {
    let own: HashSet<String> = partners_of(automaton).collect();
    let is_known = |name: &str| partners.contains(name) && !own.contains(name);
    let in_stem = || stem.rsplit(['_', '-', '.', ' ']).chain([stem]).find(|part| is_known(part));
    let name = match () {
        () if is_known(graph) => graph,
        () => match in_stem() {
            Some(part) => part,
            None if graph.is_empty() || graph == "G" => stem,
            None => graph,
        },
    };
    name.to_string()
}

fn automaton(graph: &Graph, report: &mut Report) -> Automaton {
    let mut automaton = Automaton::default();
    for node in &graph.nodes {
        automaton.add_state(&node.text, node.span);
    }
    let start = marked_start(graph);
    if let Some(marked) = start {
        automaton.start = marked.to;
    }
    for edge in &graph.edges {
        if start.is_some_and(|marked| std::ptr::eq(marked, edge)) {
            continue;
        }
        let Some(word) = edge.label.as_ref().filter(|word| !word.text.trim().is_empty()) else {
            let message = "this edge has no label, so it is not clear what happens";
            report.add(Diagnostic::new(Code::Syntax, edge.span, message).label("no label"));
            continue;
        };
        let Some(label) = Label::new(&word.text) else {
            let message = format!("the label {} is not a send or a receive", quote(&word.text));
            report.add(
                Diagnostic::new(Code::Syntax, word.span, message)
                    .label("expected `partner!message(…)` or `partner?message(…)`"),
            );
            continue;
        };
        if let Some(own) = label.own {
            automaton.name = Word::new(own, word.span);
        }
        if let Some(unchecked) = label.unchecked {
            report.remark(word.span, unchecked);
        }
        let partner = Word::new(label.partner, word.span);
        let action = Action::Message { direction: label.direction, partner, message: label.message };
        automaton.add_edge(edge.from, Edge { span: edge.span.to(word.span), action, target: edge.to });
    }
    if automaton.states.is_empty() {
        automaton.add_state("", graph.name.span);
    }
    automaton
}

/// The edge that only points at the start: it has no label, and it is the only one at its source.
pub(crate) fn marked_start(graph: &Graph) -> Option<&GraphEdge> {
    let mut degrees = vec![0usize; graph.nodes.len()];
    for end in graph.edges.iter().flat_map(|edge| [edge.from, edge.to]) {
        degrees[end] += 1;
    }
    graph.edges.iter().find(|edge| {
        let is_blank = edge.label.as_ref().is_none_or(|label| label.text.trim().is_empty());
        is_blank && edge.from != edge.to && degrees[edge.from] == 1
    })
}
