//! Global automata: states, and edges that are messages from one role to another. For all formats that have them.
//!
//! In a state with one edge, a message is sent. If all edges of a state have the same sender, it decides. If there are
//! several senders, and somebody takes part in all messages, that one knows which of them comes first. If messages of a
//! state are [independent](independent) of the others there, they are written first: those who take part in the others
//! do not care. All other states with several senders are refused.

mod independent;

use crate::protocol::{GlobalStep, Protocol};
use crate::report::Report;
use crate::roles::Roles;
use crate::system::{Message, Word};
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;

/// An automaton that is being read.
#[derive(Debug, Default)]
pub(crate) struct Transitions {
    pub(crate) name: String,
    pub(crate) start: usize,
    pub(crate) states: Vec<State>,
    protocol: Protocol,
    roles: Roles,
}

/// A state of an automaton.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) word: Word,
    /// Whether all may be over here, though there are edges.
    pub(crate) may_end: bool,
    pub(crate) edges: Vec<Transition>,
}

/// An edge of an automaton.
#[derive(Debug, Clone)]
pub(crate) struct Transition {
    pub(crate) span: Span,
    /// Who sends, and who receives.
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) message: Message,
    pub(crate) target: usize,
}

impl Transition {
    /// Whether somebody takes part in both.
    fn meets(&self, other: &Transition) -> bool {
        [self.from, self.to].iter().any(|role| [other.from, other.to].contains(role))
    }

    /// Whether it is the same message of the same roles.
    fn says_the_same(&self, other: &Transition) -> bool {
        (self.from, self.to) == (other.from, other.to) && self.message == other.message
    }
}

impl Transitions {
    /// The number of a role.
    pub(crate) fn role(&mut self, word: &Word) -> usize {
        self.roles.number(&mut self.protocol, word)
    }

    /// The protocol that the automaton is.
    pub(crate) fn finish(mut self, report: &mut Report) -> Protocol {
        self.leave_out_repeated();
        let reached = self.reached();
        self.leave_out_independent(&reached, report);
        let Transitions { start, mut protocol, states, name, .. } = self;
        protocol.name = name;
        protocol.starts.push(start);
        for state in &states {
            let node = protocol.add(state.word.span, GlobalStep::End);
            if state.word.text.starts_with(char::is_alphabetic) {
                protocol.nodes[node].name.clone_from(&state.word.text);
            }
        }
        for (number, state) in states.iter().enumerate().filter(|&(number, _)| reached[number]) {
            let step = step(&mut protocol, state, report);
            protocol.nodes[number].step = step;
            if let ([only], false) = (state.edges.as_slice(), state.may_end) {
                protocol.nodes[number].span = only.span;
            }
        }
        protocol
    }

    /// Keeps one of those edges of a state that are the same.
    fn leave_out_repeated(&mut self) {
        let mut met = std::collections::HashSet::new();
        for state in &mut self.states {
            met.clear();
            state.edges.retain(|edge| {
                let Message { label, payload } = &edge.message;
                let value = payload.as_ref().map(|payload| (payload.text.clone(), payload.sort.clone()));
                met.insert((edge.from, edge.to, label.clone(), value, edge.target))
            });
        }
    }

    /// The states that can be reached.
    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.states.len()];
        let mut work = vec![self.start];
        while let Some(state) = work.pop() {
            if reached.get_mut(state).is_some_and(|reached| !std::mem::replace(reached, true)) {
                work.extend(self.states[state].edges.iter().map(|edge| edge.target));
            }
        }
        reached
    }
}

/// Whether somebody takes part in all of these messages.
fn have_role_in_common<'a>(mut edges: impl Iterator<Item = &'a Transition> + Clone) -> bool {
    let Some(first) = edges.next() else { return true };
    [first.from, first.to].into_iter().any(|role| edges.clone().all(|edge| edge.from == role || edge.to == role))
}

fn message(protocol: &mut Protocol, edge: &Transition) -> usize {
    let Transition { span, from, to, ref message, target } = *edge;
    protocol.add(span, GlobalStep::Message { from, to, message: message.clone(), next: target })
}

/// What happens in a state.
fn step(protocol: &mut Protocol, state: &State, report: &mut Report) -> GlobalStep {
    let Some(first) = state.edges.first() else { return GlobalStep::End };
    if let ([only], false) = (state.edges.as_slice(), state.may_end) {
        let Transition { from, to, message, target, .. } = only.clone();
        return GlobalStep::Message { from, to, message, next: target };
    }
    if state.edges.iter().all(|edge| edge.from == first.from) {
        let mut branches: Vec<usize> = state.edges.iter().map(|edge| message(protocol, edge)).collect();
        if state.may_end {
            branches.push(protocol.add(state.word.span, GlobalStep::End));
        }
        return GlobalStep::Choice { decider: first.from, guards: Vec::new(), branches };
    }
    if !state.may_end && have_role_in_common(state.edges.iter()) {
        return GlobalStep::First { items: state.edges.iter().map(|edge| message(protocol, edge)).collect() };
    }
    refuse(protocol, state, report);
    GlobalStep::End
}

/// More places than these help nobody.
const MOST_PLACES: usize = 8;

fn refuse(protocol: &Protocol, state: &State, report: &mut Report) {
    let name = |role: usize| quote(protocol.roles.get(role).map_or("", |role| &role.text));
    let what = match state.may_end {
        true => "all may be over, or messages of several senders may come",
        false => "there is no role that takes part in all messages that may come next",
    };
    let message = format!("in state {}, {what}: that cannot be expressed as a choreography", quote(&state.word.text));
    let mut diagnostic = Diagnostic::new(Code::Syntax, state.word.span, message).label("nobody decides here");
    for edge in state.edges.iter().take(MOST_PLACES) {
        diagnostic = diagnostic.at(edge.span, format!("{} sends to {}", name(edge.from), name(edge.to)));
    }
    report.add(
        diagnostic.hint("let one role take part in all messages of a state: it must know which of them comes first"),
    );
}
