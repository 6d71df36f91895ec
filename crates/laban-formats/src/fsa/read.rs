//! Reads `.fsa`.

use super::roles::name_by_partners;
use crate::report::Report;
use crate::scanner::{Comments, Scanner};
use crate::source::Source;
use crate::system::{Action, Automaton, Direction, Edge, Message, System, Word};
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use std::collections::HashMap;

const COMMENTS: Comments = Comments { line: &["--"], block: true };

/// Reads the machines of some texts, one text after the other.
pub(crate) fn read(sources: &[Source<'_>], report: &mut Report) -> System {
    let mut system = System { numbered: true, ..System::default() };
    for source in sources {
        let mut scanner = Scanner::new(source, COMMENTS);
        while !scanner.at_end() {
            if !scanner.rest().starts_with(".outputs") {
                scanner.expected("`.outputs`, with which a machine begins");
                while !scanner.at_end() && !scanner.rest().starts_with(".outputs") {
                    scanner.skip_line();
                }
                continue;
            }
            if let Some(outputs) = directive(&mut scanner) {
                let number = system.automata.len();
                system.automata.push(machine(&mut scanner, outputs.span, number));
            }
        }
        report.append(scanner.report);
    }
    name_by_partners(&mut system, report);
    system
}

/// Takes a word that starts with a dot.
fn directive(scanner: &mut Scanner<'_>) -> Option<Word> {
    let word = scanner.rest().strip_prefix('.')?;
    let length = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
    Some(scanner.take(length + 1))
}

/// A machine in the making.
struct Machine {
    automaton: Automaton,
    numbers: HashMap<String, usize>,
    marking: Option<Span>,
}

impl Machine {
    fn state(&mut self, word: Word) -> usize {
        let automaton = &mut self.automaton;
        *self.numbers.entry(word.text.clone()).or_insert_with(|| automaton.add_state(word.text, word.span))
    }
}

/// A machine, after `.outputs`.
fn machine(scanner: &mut Scanner<'_>, outputs: Span, number: usize) -> Automaton {
    let mut name = Word::new(format!("M{number}"), outputs);
    if !scanner.at_line_end()
        && !scanner.raw_rest().starts_with('.')
        && let Some(word) = scanner.word(|c| !c.is_whitespace())
    {
        name = word;
        if !scanner.at_line_end() {
            scanner.expected("the end of the line after the name of the machine");
            scanner.skip_line();
        }
    }
    let automaton = Automaton { name, ..Automaton::default() };
    let mut machine = Machine { automaton, numbers: HashMap::new(), marking: None };
    let mut has_graph = false;
    loop {
        let rest = scanner.rest();
        if rest.is_empty() || rest.starts_with(".outputs") {
            if !scanner.is_cut_off {
                let message = format!("the machine {} has no `.end`", quote(&machine.automaton.name.text));
                let unclosed = Diagnostic::new(Code::Unclosed, outputs, message).label("begins here and never ends");
                scanner.report.add(unclosed);
            }
            return machine.automaton;
        }
        if !rest.starts_with('.') {
            if !has_graph {
                scanner.expected("`.state graph`");
                has_graph = true;
            }
            line(scanner, &mut machine);
            continue;
        }
        let Some(Word { text, span }) = directive(scanner) else { break };
        match text.as_str() {
            ".state" => {
                scanner.expect("graph");
                has_graph = true;
            }
            ".marking" => marking(scanner, &mut machine, span),
            ".end" => break,
            other => {
                let what = format!("a line {}", quote(other));
                scanner.report.unsupported(
                    span,
                    &what,
                    "a machine has `.outputs`, `.state graph`, `.marking` and `.end`",
                );
                scanner.skip_line();
            }
        }
    }
    if machine.marking.is_none() {
        let message = format!("the machine {} has no `.marking`", quote(&machine.automaton.name.text));
        scanner.report.add(
            Diagnostic::new(Code::Syntax, outputs, message)
                .label("where does it start?")
                .hint("write `.marking` and the first state before `.end`"),
        );
    }
    machine.automaton
}

/// The initial state, after `.marking`.
fn marking(scanner: &mut Scanner<'_>, machine: &mut Machine, span: Span) {
    let braces = !scanner.at_line_end() && scanner.eat("{");
    if scanner.at_line_end() {
        return scanner.expected("the initial state");
    }
    let Some(word) = scanner.word(|c| !c.is_whitespace() && c != '}') else {
        return scanner.expected("the initial state");
    };
    if braces {
        scanner.expect("}");
    }
    if let Some(first) = machine.marking {
        let message = format!("the machine {} has two initial states", quote(&machine.automaton.name.text));
        let diagnostic = Diagnostic::new(Code::Syntax, span, message).label("again here").at(first, "first here");
        scanner.report.add(diagnostic);
    }
    machine.marking = Some(word.span);
    machine.automaton.start = machine.state(word);
}

/// Skips the rest of a line that was not understood, but not what comes after the graph.
fn recover(scanner: &mut Scanner<'_>) {
    if !scanner.rest().starts_with('.') {
        scanner.skip_line();
    }
}

/// A line of the graph: `q0 1 ! message q1`, or `q0 tau q1`.
fn line(scanner: &mut Scanner<'_>, machine: &mut Machine) {
    let in_word = |c: char| !c.is_whitespace() && c != '!' && c != '?';
    let Some(from) = scanner.word(in_word) else {
        scanner.expected("a state");
        return recover(scanner);
    };
    let start = from.span;
    let Some(partner) = partner(scanner, in_word) else {
        scanner.expected("the partner, or `tau`");
        return recover(scanner);
    };
    let direction = match scanner.peek() {
        Some('!') => Direction::Send,
        Some('?') => Direction::Receive,
        _ if matches!(partner.text.as_str(), "tau" | "break") => {
            let Some(to) = scanner.word(in_word).filter(|word| !word.text.starts_with('.')) else {
                return scanner.expected("the state that follows");
            };
            let span = start.to(to.span);
            let (from, target) = (machine.state(from), machine.state(to));
            return machine.automaton.add_edge(from, Edge { span, action: Action::Silent, target });
        }
        _ => {
            scanner.expected("`!` or `?`");
            return recover(scanner);
        }
    };
    scanner.skip_character();
    let Some(message) = message(scanner) else {
        scanner.expected("a message");
        return recover(scanner);
    };
    if scanner.peek() == Some('.') {
        return scanner.expected("the state that follows");
    }
    let Some(to) = scanner.word(in_word) else {
        scanner.expected("the state that follows");
        return recover(scanner);
    };
    let span = start.to(to.span);
    let (from, target) = (machine.state(from), machine.state(to));
    machine.automaton.add_edge(from, Edge { span, action: Action::Message { direction, partner, message }, target });
}

fn partner(scanner: &mut Scanner<'_>, in_word: impl Fn(char) -> bool) -> Option<Word> {
    if scanner.at_line_end() && scanner.rest().starts_with('.') {
        return None;
    }
    scanner.word(in_word)
}

/// A message: a label, and perhaps a payload in angle brackets. A label with `*` in front marks the end of a loop.
fn message(scanner: &mut Scanner<'_>) -> Option<Message> {
    if scanner.rest().starts_with('*') {
        return scanner.word(|c| !c.is_whitespace()).map(|word| Message::label(word.text));
    }
    let label = scanner.word(|c| !c.is_whitespace() && c != '<')?.text;
    Some(Message { label, payload: scanner.payload()? })
}
