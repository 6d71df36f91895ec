//! Symbolic protocols of SPROUT: automata whose messages say something about values.
//!
//! ```text
//! Initial state: (0)
//! Initial register assignments: r=0
//! (0) a->b:x{x>0/\r'=x} (1)
//! Final states: (1)
//! ```
//!
//! What is said about values and registers is read and not checked. Only where two messages of a state differ in
//! nothing but a value that they must have (`x=1` or `x=2`), the values tell them apart. A final state with lines is
//! one in which whoever sends may also leave it at that.

use crate::protocol::Protocol;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::scanner::{Comments, Scanner};
use crate::source::Source;
use crate::system::{Message, Payload, Word};
use crate::transitions::{State, Transition, Transitions};
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use std::collections::{HashMap, HashSet};

const COMMENTS: Comments = Comments { line: &["//"], block: true };

/// Whether a text looks like this, from its first word on.
pub(crate) fn looks_like(text: &str) -> bool {
    let state = text.strip_prefix("Initial").map(str::trim_start).and_then(|rest| rest.strip_prefix("state"));
    state.is_some_and(|rest| rest.trim_start().starts_with(':'))
}

pub(crate) fn read(sources: &[Source<'_>], _options: &ReadOptions<'_>, report: &mut Report) -> Protocol {
    let [source] = sources else {
        report.add(Diagnostic::new(Code::Syntax, Span::default(), "a protocol is one text, and there are several"));
        return Protocol::default();
    };
    let mut reader = Reader::new(source);
    reader.text();
    let Reader { scanner, automaton, predicates, start, finals, unchecked, .. } = reader;
    report.append(scanner.report);
    if report.has_errors() {
        return Protocol::default();
    }
    if let Some(unchecked) = unchecked {
        report.remark(unchecked, "what is said about values and registers is not checked");
    }
    finish(automaton, &predicates, start, &finals, report)
}

/// Puts together what was read.
fn finish(
    mut automaton: Transitions,
    predicates: &[Vec<String>],
    start: Option<usize>,
    finals: &[Word],
    report: &mut Report,
) -> Protocol {
    automaton.start = start.unwrap_or(0);
    let mut is_final: HashSet<&str> = HashSet::new();
    is_final.extend(finals.iter().map(|word| word.text.as_str()));
    for state in &mut automaton.states {
        let ends = is_final.contains(state.word.text.as_str());
        if !ends && state.edges.is_empty() && !finals.is_empty() {
            let text = format!("nothing follows state {}, which is not a final one", quote(&state.word.text));
            report.remark(state.word.span, text);
        }
        state.may_end = ends && !state.edges.is_empty();
        if state.may_end {
            let text = format!("state {} is final and goes on: who sends there decides", quote(&state.word.text));
            report.remark(state.word.span, text);
        }
    }
    tell_apart(&mut automaton, predicates);
    automaton.finish(report)
}

/// Gives messages that differ only in a value that they must have that value.
fn tell_apart(automaton: &mut Transitions, predicates: &[Vec<String>]) {
    // What has different values in one state.
    let mut several: HashSet<String> = HashSet::new();
    for (state, predicates) in automaton.states.iter().zip(predicates) {
        let mut values: HashMap<(usize, usize, &str), Option<&str>> = HashMap::new();
        for (edge, predicate) in state.edges.iter().zip(predicates) {
            let value = value(&edge.message.label, predicate);
            let first = *values.entry((edge.from, edge.to, &edge.message.label)).or_insert(value);
            if first != value {
                several.insert(edge.message.label.clone());
            }
        }
    }
    for (state, predicates) in automaton.states.iter_mut().zip(predicates) {
        for (edge, predicate) in state.edges.iter_mut().zip(predicates) {
            let message = &mut edge.message;
            if let (true, Some(value)) = (several.contains(&message.label), value(&message.label, predicate)) {
                message.payload = Some(Payload { text: value.to_string(), sort: value.to_string() });
            }
        }
    }
}

/// The number that a variable must be, if a predicate says so: `x=1/\…`.
fn value<'a>(variable: &str, predicate: &'a str) -> Option<&'a str> {
    if predicate.contains("\\/") {
        return None;
    }
    predicate.split("/\\").find_map(|part| {
        let (left, right) = part.trim().split_once('=')?;
        let (left, right) = (left.trim(), right.trim());
        let is_number = right.parse::<i64>().is_ok();
        (left == variable && is_number).then_some(right)
    })
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    automaton: Transitions,
    /// For each state and each of its edges, what is said about values.
    predicates: Vec<Vec<String>>,
    numbers: HashMap<String, usize>,
    start: Option<usize>,
    finals: Vec<Word>,
    /// The first thing that is said about values.
    unchecked: Option<Span>,
}

impl<'a> Reader<'a> {
    fn new(source: &Source<'a>) -> Self {
        Reader {
            scanner: Scanner::new(source, COMMENTS),
            automaton: Transitions::default(),
            predicates: Vec::new(),
            numbers: HashMap::new(),
            start: None,
            finals: Vec::new(),
            unchecked: None,
        }
    }

    fn text(&mut self) {
        while !self.scanner.at_end() {
            let here = self.scanner.here();
            let read = if self.eat_words(&["Initial", "state"]) {
                self.initial(here)
            } else if self.eat_words(&["Initial", "register", "assignments"]) {
                self.registers()
            } else if self.eat_words(&["Final", "states"]) || self.eat_words(&["Final", "state"]) {
                self.last()
            } else {
                self.line()
            };
            if read.is_none() {
                self.scanner.skip_line();
            }
        }
        if self.start.is_none() && !self.scanner.report.has_errors() {
            let message = "the initial state is missing";
            let diagnostic = Diagnostic::new(Code::Syntax, self.scanner.position(), message);
            self.scanner.report.add(diagnostic.hint("begin with `Initial state: (0)`"));
        }
    }

    /// Takes some words if they come next, all of them.
    fn eat_words(&mut self, words: &[&str]) -> bool {
        let mut rest = self.scanner.rest();
        let length = rest.len();
        for word in words {
            let Some(after) = rest.strip_prefix(word) else { return false };
            if after.starts_with(char::is_alphanumeric) {
                return false;
            }
            rest = after.trim_start();
        }
        self.scanner.take(length - rest.len());
        true
    }

    fn initial(&mut self, here: Span) -> Option<()> {
        self.scanner.expect(":").then_some(())?;
        let state = self.state()?;
        if self.start.replace(state).is_some() {
            let message = "there are two initial states";
            self.scanner.report.add(Diagnostic::new(Code::Syntax, here, message).label("again here"));
        }
        Some(())
    }

    fn registers(&mut self) -> Option<()> {
        self.scanner.expect(":").then_some(())?;
        if !self.scanner.at_line_end() {
            let rest = self.scanner.raw_rest();
            let length = rest.find(['\n', '(']).unwrap_or(rest.len());
            let length = rest.find("//").map_or(length, |comment| comment.min(length));
            let said = self.scanner.take(length);
            if !said.text.trim().is_empty() {
                self.unchecked.get_or_insert(said.span);
            }
        }
        Some(())
    }

    fn last(&mut self) -> Option<()> {
        self.scanner.expect(":").then_some(())?;
        while self.scanner.peek() == Some('(') {
            let state = self.state()?;
            self.finals.push(self.automaton.states[state].word.clone());
            self.scanner.eat(",");
        }
        Some(())
    }

    /// `(0)`.
    fn state(&mut self) -> Option<usize> {
        let opened = self.scanner.here();
        if !self.scanner.eat("(") {
            self.scanner.expected("a state, like `(0)`");
            return None;
        }
        let inside = self.scanner.balanced('(', ')', opened)?;
        let word = Word::new(inside.text.trim(), opened.to(self.scanner.position()));
        let Reader { automaton, predicates, numbers, .. } = self;
        Some(*numbers.entry(word.text.clone()).or_insert_with(|| {
            automaton.states.push(State { word, ..State::default() });
            predicates.push(Vec::new());
            automaton.states.len() - 1
        }))
    }

    /// `(0) a->b:x{…} (1)`.
    fn line(&mut self) -> Option<()> {
        let from_state = self.state()?;
        let from = self.word("the role that sends")?;
        if !self.scanner.eat("→") {
            self.scanner.expect("->").then_some(())?;
        }
        let to = self.word("the role that receives")?;
        self.scanner.expect(":").then_some(())?;
        let label = self.word("the variable of a message")?;
        let mut span = from.span.to(label.span);
        let mut predicate = String::new();
        let opened = self.scanner.here();
        if self.scanner.eat("{") {
            predicate = self.scanner.balanced('{', '}', opened)?.text;
            span = span.to(self.scanner.position());
            if !matches!(predicate.trim(), "" | "True" | "true") {
                self.unchecked.get_or_insert(opened.to(self.scanner.position()));
            }
        }
        let target = self.state()?;
        let (from, to) = (self.automaton.role(&from), self.automaton.role(&to));
        let edge = Transition { span, from, to, message: Message::label(label.text), target };
        self.automaton.states[from_state].edges.push(edge);
        self.predicates[from_state].push(predicate);
        Some(())
    }

    fn word(&mut self, what: &str) -> Option<Word> {
        let word = self.scanner.identifier();
        if word.is_none() {
            self.scanner.expected(what);
        }
        word
    }
}
