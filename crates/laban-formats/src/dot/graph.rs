//! Graphs in DOT: the nodes in the order in which they are mentioned, the edges, and their labels.

use crate::report::Report;
use crate::scanner::{Comments, Scanner};
use crate::source::Source;
use crate::system::Word;
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;
use std::collections::HashMap;

const COMMENTS: Comments = Comments { line: &["//", "#"], block: true };

/// A directed graph.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) name: Word,
    pub(crate) nodes: Vec<Word>,
    pub(crate) edges: Vec<GraphEdge>,
    numbers: HashMap<String, usize>,
}

/// An edge of a graph.
#[derive(Debug)]
pub(crate) struct GraphEdge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) label: Option<Word>,
    pub(crate) span: Span,
}

/// Reads the graphs of a text.
pub(crate) fn read(source: &Source<'_>, report: &mut Report) -> Vec<Graph> {
    let mut scanner = Scanner::new(source, COMMENTS);
    let mut graphs = Vec::new();
    while !scanner.at_end() {
        match graph(&mut scanner) {
            Some(graph) => graphs.push(graph),
            None => break,
        }
    }
    report.append(scanner.report);
    graphs
}

fn graph(scanner: &mut Scanner<'_>) -> Option<Graph> {
    let start = scanner.here();
    if scanner.rest().starts_with("strict") {
        scanner.identifier();
    }
    if scanner.identifier().is_none_or(|word| !word.text.eq_ignore_ascii_case("digraph")) {
        let message = "an automaton is a directed graph, and this graph is not";
        scanner.report.add(Diagnostic::new(Code::Syntax, start, message).label("expected `digraph`"));
        return None;
    }
    let mut graph = Graph { name: Word::new("", start), ..Graph::default() };
    if let Some(name) = id(scanner) {
        graph.name = name;
    }
    scanner.expect("{").then_some(())?;
    while !scanner.eat("}") {
        if scanner.eat(";") || scanner.eat(",") {
            continue;
        }
        if scanner.at_end() {
            scanner.expected("`}` at the end of the graph");
            return Some(graph);
        }
        if statement(scanner, &mut graph).is_none() {
            scanner.skip_line();
        }
    }
    Some(graph)
}

impl Graph {
    fn node(&mut self, word: Word) -> usize {
        let nodes = &mut self.nodes;
        *self.numbers.entry(word.text.clone()).or_insert_with(|| {
            nodes.push(word);
            nodes.len() - 1
        })
    }
}

/// A node, an edge or a path of edges, or an attribute.
fn statement(scanner: &mut Scanner<'_>, graph: &mut Graph) -> Option<()> {
    let start = scanner.here();
    let is_quoted = scanner.peek() == Some('"');
    let Some(first) = id(scanner) else {
        match scanner.peek() {
            Some('{') => group(scanner),
            _ => scanner.expected("a state, an edge or `}`"),
        }
        return None;
    };
    if scanner.eat("=") {
        return value(scanner).map(|_| ());
    }
    let keyword = first.text.to_lowercase();
    if !is_quoted && matches!(keyword.as_str(), "graph" | "node" | "edge") && scanner.peek() == Some('[') {
        return attributes(scanner).map(|_| ());
    }
    if !is_quoted && keyword == "subgraph" {
        scanner.report.unsupported(first.span, "a `subgraph`", "each process has a graph of its own");
        return None;
    }
    port(scanner);
    let mut ends = vec![first];
    while scanner.eat("->") {
        let Some(next) = id(scanner) else {
            match scanner.peek() {
                Some('{') => group(scanner),
                _ => scanner.expected("the state that follows"),
            }
            return None;
        };
        port(scanner);
        ends.push(next);
    }
    if scanner.rest().starts_with("--") {
        let here = scanner.here();
        scanner.report.unsupported(here, "an edge without a direction", "write `->`");
        return None;
    }
    let span = start.to(scanner.position());
    let label = attributes(scanner)?;
    let states: Vec<usize> = ends.into_iter().map(|word| graph.node(word)).collect();
    let edges = states.windows(2).map(|pair| GraphEdge { from: pair[0], to: pair[1], label: label.clone(), span });
    graph.edges.extend(edges);
    Some(())
}

fn group(scanner: &mut Scanner<'_>) {
    let here = scanner.here();
    scanner.report.unsupported(here, "a group of nodes in braces", "write one edge for each");
}

/// Skips the port of a node, which says where an edge is drawn.
fn port(scanner: &mut Scanner<'_>) {
    while scanner.eat(":") {
        id(scanner);
    }
}

/// Reads attributes in brackets, if there are any. Returns the label, if there is one; nothing if something is wrong.
fn attributes(scanner: &mut Scanner<'_>) -> Option<Option<Word>> {
    let mut label = None;
    while scanner.eat("[") {
        while !scanner.eat("]") {
            if scanner.eat(",") || scanner.eat(";") {
                continue;
            }
            let Some(name) = id(scanner) else {
                scanner.expected("an attribute or `]`");
                return None;
            };
            let value = if scanner.eat("=") { Some(value(scanner)?) } else { None };
            if name.text.eq_ignore_ascii_case("label") {
                label = value;
            }
        }
    }
    Some(label)
}

fn value(scanner: &mut Scanner<'_>) -> Option<Word> {
    let start = scanner.here();
    if scanner.peek() == Some('<') {
        scanner.report.unsupported(start, "a label in HTML", "write it as a quoted text");
        return None;
    }
    let value = id(scanner);
    if value.is_none() {
        scanner.expected("a value");
    }
    value
}

/// A name, a number or a quoted text, without its quotes.
fn id(scanner: &mut Scanner<'_>) -> Option<Word> {
    let start = scanner.here();
    if !scanner.eat("\"") {
        return scanner.word(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '\''));
    }
    let rest = scanner.raw_rest();
    let mut text = String::new();
    let mut characters = rest.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => {
                let inside = scanner.take(at).span;
                scanner.take(1);
                return Some(Word::new(text, inside));
            }
            '\\' => match characters.next() {
                Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                Some((_, 'n' | 'l' | 'r')) => text.push(' '),
                Some((_, '\n')) | None => {}
                Some((_, other)) => text.extend(['\\', other]),
            },
            _ => text.push(c),
        }
    }
    scanner.report.add(Diagnostic::new(Code::Unclosed, start, "this quote is never closed").label("opened here"));
    scanner.cut_off();
    None
}
