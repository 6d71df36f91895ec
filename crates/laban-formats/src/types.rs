//! From local types to automata, for all formats that write processes as terms with `rec`.
//!
//! A term is built from left to right without recursion: the reader says what it meets, and the [`TypeBuilder`] knows
//! in which state that is. An alternative of a choice that does not begin with a message (a `rec`, a variable, another
//! choice) is another state; what can be done there can be done in the choice as well. This is worked out at the end.

use crate::report::Report;
use crate::scanner::Scanner;
use crate::system::{Action, Automaton, Direction, Edge, LocalState, Message, Word};
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use std::collections::{HashMap, HashSet};

/// Choices in choices are worked out until they would take this many edges.
const MOST_EDGES: usize = 1 << 20;

/// An automaton in the making.
pub(crate) struct TypeBuilder {
    automaton: Automaton,
    /// For each state, the others whose edges it has as well.
    also: Vec<Vec<usize>>,
    /// The state that is being written.
    at: usize,
    /// Whether other alternatives are written to the same state.
    shared: bool,
    /// The states that each variable means, the innermost last.
    variables: HashMap<String, Vec<usize>>,
    /// The variables that can be used here, in the order in which they were bound.
    bound: Vec<String>,
    choices: Vec<Choice>,
}

/// A choice of which some alternatives are still to come.
struct Choice {
    state: usize,
    bound: usize,
    was_shared: bool,
}

impl TypeBuilder {
    pub(crate) fn new(name: Word, start: Span) -> Self {
        let mut automaton = Automaton { name, ..Automaton::default() };
        automaton.add_state("", start);
        TypeBuilder {
            automaton,
            also: vec![Vec::new()],
            at: 0,
            shared: false,
            variables: HashMap::new(),
            bound: Vec::new(),
            choices: Vec::new(),
        }
    }

    fn add_state(&mut self, span: Span) -> usize {
        self.also.push(Vec::new());
        self.automaton.add_state("", span)
    }

    /// A message is sent or received; what follows is in a new state.
    pub(crate) fn message(&mut self, direction: Direction, partner: Word, message: Message, span: Span) {
        let target = self.add_state(span.after());
        let action = Action::Message { direction, partner, message };
        self.automaton.add_edge(self.at, Edge { span, action, target });
        (self.at, self.shared) = (target, false);
    }

    /// From here on the variable means this state.
    pub(crate) fn bind(&mut self, variable: Word) {
        if self.shared {
            let state = self.add_state(variable.span);
            self.also[self.at].push(state);
            (self.at, self.shared) = (state, false);
        }
        self.automaton.states[self.at].name.clone_from(&variable.text);
        self.variables.entry(variable.text.clone()).or_default().push(self.at);
        self.bound.push(variable.text);
    }

    /// A choice begins, and with it its first alternative.
    pub(crate) fn open_choice(&mut self, span: Span) {
        if !self.shared {
            self.automaton.states[self.at].span = span;
        }
        self.choices.push(Choice { state: self.at, bound: self.bound.len(), was_shared: self.shared });
        self.shared = true;
    }

    /// The next alternative of the innermost choice begins.
    pub(crate) fn next_alternative(&mut self) {
        if let Some(&Choice { state, bound, .. }) = self.choices.last() {
            self.unbind(bound);
            (self.at, self.shared) = (state, true);
        }
    }

    /// The innermost choice ends.
    pub(crate) fn close_choice(&mut self) {
        if let Some(choice) = self.choices.pop() {
            self.unbind(choice.bound);
            (self.at, self.shared) = (choice.state, choice.was_shared);
        }
    }

    /// Forgets all but the first of the variables.
    fn unbind(&mut self, kept: usize) {
        for variable in self.bound.drain(kept.min(self.bound.len())..) {
            if let Some(states) = self.variables.get_mut(&variable) {
                states.pop();
            }
        }
    }

    /// The process stops here. As an alternative among others, it may decide to.
    pub(crate) fn end(&mut self, span: Span) {
        if self.shared {
            let target = self.add_state(span);
            self.automaton.add_edge(self.at, Edge { span, action: Action::Silent, target });
        } else {
            self.automaton.states[self.at].span = span;
        }
    }

    /// The process goes on as the variable says.
    pub(crate) fn variable(&mut self, variable: &Word, report: &mut Report) {
        match self.variables.get(&variable.text).and_then(|states| states.last()) {
            Some(&state) => {
                self.also[self.at].push(state);
                if !self.shared {
                    self.automaton.states[self.at].span = variable.span;
                }
            }
            None => {
                let message = format!("the variable {} is not bound", quote(&variable.text));
                report.add(
                    Diagnostic::new(Code::UnknownProcedure, variable.span, message)
                        .label("no `rec` around this has this name"),
                );
            }
        }
    }

    /// The automaton.
    pub(crate) fn finish(self, report: &mut Report) -> Automaton {
        let TypeBuilder { mut automaton, also, .. } = self;
        // The states that go on as others, with all their edges.
        let mut joined: Vec<(usize, Vec<Edge>)> = Vec::new();
        let mut total = 0;
        let mut is_unguarded = false;
        for (number, (own, also_here)) in automaton.states.iter().zip(&also).enumerate() {
            // A state that does nothing but go on as another one is that one.
            if let ([only], true) = (also_here.as_slice(), own.edges.is_empty()) {
                joined.push((number, vec![Edge { span: own.span, action: Action::Silent, target: *only }]));
            } else if !also_here.is_empty() {
                let edges = all_edges(&automaton.states, &also, number, &mut total);
                if total > MOST_EDGES {
                    let what = "a choice with so many choices in it";
                    report.unsupported(own.span, what, "write fewer choices inside others");
                    return automaton;
                }
                if edges.is_empty() && !is_unguarded {
                    is_unguarded = true;
                    report.add(unguarded(&automaton.name.text, own.span));
                }
                joined.push((number, edges));
            }
        }
        for (number, edges) in joined {
            automaton.states[number].edges = edges;
        }
        if !is_unguarded {
            refuse_circles(&automaton, &also, report);
        }
        automaton
    }
}

fn unguarded(name: &str, span: Span) -> Diagnostic {
    let message = format!("{} loops without ever doing anything", quote(name));
    Diagnostic::new(Code::UnguardedLoop, span, message).label("no message comes before this leads back to itself")
}

/// Reports the states that only go on as others which come back to them.
fn refuse_circles(automaton: &Automaton, also: &[Vec<usize>], report: &mut Report) {
    // For each state, by which walk it was met.
    let mut met = vec![0; automaton.states.len()];
    for start in 0..met.len() {
        let mut at = start;
        while met[at] == 0 {
            met[at] = start + 1;
            match (automaton.states[at].edges.as_slice(), also[at].as_slice()) {
                ([Edge { action: Action::Silent, .. }], &[next]) if met[next] == start + 1 => {
                    report.add(unguarded(&automaton.name.text, automaton.states[at].span));
                }
                ([Edge { action: Action::Silent, .. }], &[next]) => at = next,
                _ => {}
            }
        }
    }
}

/// The direction of a message, if its sign is here: `!` or `?`.
pub(crate) fn direction(scanner: &mut Scanner<'_>) -> Option<Direction> {
    let direction = match scanner.peek() {
        Some('!') => Direction::Send,
        Some('?') => Direction::Receive,
        _ => return None,
    };
    scanner.skip_character();
    Some(direction)
}

/// Reads on after a word that is no partner: `rec` binds a variable, `end` and a variable end an alternative. The
/// answer is that of [`after_alternative`].
pub(crate) fn after_word(
    scanner: &mut Scanner<'_>,
    types: &mut TypeBuilder,
    word: &Word,
    closing: &[&str],
) -> Option<bool> {
    match word.text.as_str() {
        "rec" => {
            let Some(variable) = scanner.identifier() else {
                scanner.expected("the name of the variable that `rec` binds");
                return None;
            };
            types.bind(variable);
            return scanner.expect(".").then_some(true);
        }
        "end" => types.end(word.span),
        _ => types.variable(word, &mut scanner.report),
    }
    after_alternative(scanner, types, closing)
}

/// After the end of an alternative: goes on to the next one, or out of the choices that end here. Returns whether
/// another alternative follows; nothing if something else does. The brackets are those that close a choice.
fn after_alternative(scanner: &mut Scanner<'_>, types: &mut TypeBuilder, closing: &[&str]) -> Option<bool> {
    while !types.choices.is_empty() {
        if scanner.eat(",") {
            types.next_alternative();
            return Some(true);
        }
        if closing.iter().any(|close| scanner.eat(close)) {
            types.close_choice();
            continue;
        }
        let closing: Vec<String> = closing.iter().map(|close| format!("`{close}`")).collect();
        scanner.expected(&format!("`,` or {} after an alternative", closing.join(" or ")));
        return None;
    }
    Some(false)
}

/// What can be done in a state or in others that it goes on as, in the order of the text.
fn all_edges(states: &[LocalState], also: &[Vec<usize>], start: usize, total: &mut usize) -> Vec<Edge> {
    let mut met = HashSet::from([start]);
    let mut work = vec![start];
    let mut edges = Vec::new();
    while let Some(number) = work.pop() {
        *total += 1 + states[number].edges.len();
        edges.extend(states[number].edges.iter().cloned());
        work.extend(also[number].iter().rev().copied().filter(|&other| met.insert(other)));
    }
    edges
}
