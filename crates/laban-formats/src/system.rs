//! The intermediate form: a system of automata that send and receive messages, as another tool's file says it.
//!
//! Every reader of local views fills this in, and nothing else: names and messages are still the words of the file,
//! with their places. Whether a partner exists, which states are choices and which are races, and how a word becomes a
//! name of Laban is found out in one place for all formats: [`lower`](crate::lower).

use laban::text::Span;

/// A word of a text, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// The word.
    pub text: String,
    /// Where it is.
    pub span: Span,
}

impl Word {
    /// A word at a place.
    pub fn new(text: impl Into<String>, span: Span) -> Self {
        Word { text: text.into(), span }
    }
}

/// Processes that run together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct System {
    /// One automaton for each process.
    pub automata: Vec<Automaton>,
    /// Whether a partner that is not a name may be the number of an automaton, from 0.
    pub numbered: bool,
}

/// What one process does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Automaton {
    /// The name of the process.
    pub name: Word,
    /// Where it starts.
    pub start: usize,
    /// Its states. One without edges is an end.
    pub states: Vec<LocalState>,
}

/// A state of an automaton.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LocalState {
    /// Its name; may be empty.
    pub name: String,
    /// Where it is in the text.
    pub span: Span,
    /// What can be done in it.
    pub edges: Vec<Edge>,
    /// Whether the process may wait here forever.
    pub may_wait: bool,
}

/// One thing that can be done in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Where it is in the text.
    pub span: Span,
    /// What is done.
    pub action: Action,
    /// The number of the state that follows.
    pub target: usize,
}

/// What is done on an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A message is sent to, or received from, a partner.
    Message {
        /// Whether it is sent or received.
        direction: Direction,
        /// The other process.
        partner: Word,
        /// What is sent.
        message: Message,
    },
    /// The process decides to go on this way; nobody else takes part.
    Silent,
}

/// Whether a message is sent or received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// It is sent.
    Send,
    /// It is received.
    Receive,
}

impl Direction {
    /// The other direction.
    #[must_use]
    pub fn dual(self) -> Self {
        match self {
            Direction::Send => Direction::Receive,
            Direction::Receive => Direction::Send,
        }
    }
}

/// A message: a label, and perhaps something that comes with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    /// Its label; may be empty.
    pub label: String,
    /// What comes with it, if anything does.
    pub payload: Option<Payload>,
}

/// What comes with a label.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Payload {
    /// As it is written.
    pub text: String,
    /// What kind of thing it is: a message with another sort is another message.
    pub sort: String,
}

impl Message {
    /// A message that is just a label.
    pub fn label(label: impl Into<String>) -> Self {
        Message { label: label.into(), payload: None }
    }

    /// The sort of what comes with the label; empty if nothing does.
    pub fn sort(&self) -> &str {
        self.payload.as_ref().map_or("", |payload| &payload.sort)
    }
}

impl Automaton {
    /// Adds a state without edges. Returns its number.
    pub fn add_state(&mut self, name: impl Into<String>, span: Span) -> usize {
        self.states.push(LocalState { name: name.into(), span, ..LocalState::default() });
        self.states.len() - 1
    }

    /// Adds an edge from a state, if there is such a state.
    pub fn add_edge(&mut self, from: usize, edge: Edge) {
        if let Some(state) = self.states.get_mut(from) {
            // Most states have one edge, and a long text has many states.
            if state.edges.is_empty() {
                state.edges.reserve_exact(1);
            }
            state.edges.push(edge);
        }
    }
}
