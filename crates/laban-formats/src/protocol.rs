//! The intermediate form of global views: a graph of messages and decisions, as another tool's file says it.
//!
//! Every reader of global views fills this in, and nothing else: names and messages are still the words of the file,
//! with their places. How a word becomes a name of Laban, and what cannot be said in a choreography, is found out in
//! one place for all formats, in `lower`.

use crate::system::{Message, Word};
use laban::text::Span;

/// What some roles do together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Protocol {
    /// The name of the protocol; may be empty.
    pub name: String,
    /// Who takes part, in the order of the text.
    pub roles: Vec<Word>,
    /// Where each part starts. Parts run side by side and share no role; there is usually one.
    pub starts: Vec<usize>,
    /// All nodes.
    pub nodes: Vec<GlobalNode>,
    /// Whether every decision counts, even one that makes no difference.
    pub is_exact: bool,
}

/// A node of a protocol.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GlobalNode {
    /// Where it is in the text; for a decision, the line that says so, without its branches.
    pub span: Span,
    /// What to call a procedure that starts here: the variable of a loop, the name of a sub-protocol; may be empty.
    pub name: String,
    /// What happens.
    pub step: GlobalStep,
}

/// What happens at a node. Roles and nodes are numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum GlobalStep {
    /// Nothing more.
    #[default]
    End,
    /// Nothing here; what happens at another node.
    Goto(usize),
    /// A message goes from one role to another. One without a label is a value: its payload, or a number if it has
    /// none.
    Message {
        /// Who sends.
        from: usize,
        /// Who receives.
        to: usize,
        /// What.
        message: Message,
        /// What follows.
        next: usize,
    },
    /// One role decides.
    Choice {
        /// Who.
        decider: usize,
        /// Why it goes the way of each branch but the last, as in `if … then … else if …`; empty if the role chooses
        /// freely, and nothing says why.
        guards: Vec<String>,
        /// The ways to go on, two at least.
        branches: Vec<usize>,
    },
    /// Several messages at once: all are sent, then all are received.
    Together {
        /// From whom, to whom, and what.
        messages: Vec<(usize, usize, Message)>,
        /// What follows.
        next: usize,
    },
    /// A message is put into a queue.
    Put {
        /// Who sends.
        from: usize,
        /// Who is to receive it.
        to: usize,
        /// What.
        message: Message,
        /// What follows.
        next: usize,
    },
    /// The oldest message of a queue is taken.
    Take {
        /// Who sent it.
        from: usize,
        /// Who receives it.
        to: usize,
        /// What follows.
        next: usize,
    },
    /// Whichever comes first: each item is a node that is a message, or half of one, or a decision.
    First {
        /// The items.
        items: Vec<usize>,
    },
}

impl Protocol {
    /// Adds a node. Returns its number.
    pub fn add(&mut self, span: Span, step: GlobalStep) -> usize {
        self.nodes.push(GlobalNode { span, name: String::new(), step });
        self.nodes.len() - 1
    }

    /// The number of a role, which is added if it is not there yet.
    pub fn role(&mut self, word: &Word) -> usize {
        match self.roles.iter().position(|role| role.text == word.text) {
            Some(found) => found,
            None => {
                self.roles.push(word.clone());
                self.roles.len() - 1
            }
        }
    }
}
