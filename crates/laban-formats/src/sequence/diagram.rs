//! A sequence diagram as a list of lines, in the order of the text.
//!
//! Fragments are lines that open, go on and close, so that a deep nest is as good a list as any other. What has no
//! meaning for a protocol (notes, colours, activation) is not in the list.

use crate::system::Word;
use laban::text::Span;

/// The comment that says that Laban has drawn a diagram.
pub(crate) const DRAWING: &str = "laban: choreography";

/// A sequence diagram.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Diagram {
    /// The title or name of the diagram; may be empty.
    pub(crate) title: String,
    /// Where the diagram is in the text.
    pub(crate) span: Span,
    /// Who takes part, in the order in which they are first named.
    pub(crate) participants: Vec<Participant>,
    /// The lines that have a meaning.
    pub(crate) lines: Vec<Line>,
}

/// Somebody who takes part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Participant {
    /// The name that messages use.
    pub(crate) name: Word,
    /// The name that is shown; may be empty.
    pub(crate) shown: String,
}

/// A line that has a meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// The statement, without blanks around it and without the end of the line.
    pub(crate) span: Span,
    /// What it says.
    pub(crate) kind: LineKind,
}

/// One end of an arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The participant with this number.
    Participant(usize),
    /// Somebody who is not in the diagram.
    Outside,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// A message, perhaps to oneself.
    Message {
        /// Who sends.
        from: End,
        /// Who receives.
        to: End,
        /// The text, as it is written; may be empty.
        text: String,
        /// Whether the arrow says that the message is lost.
        lost: bool,
    },
    /// A fragment starts, with the guard of its first branch, which may be empty.
    Open(FragmentKind, String),
    /// The next branch of the innermost fragment, with its guard: `else`, `and`, `option`, `also`.
    Next(String),
    /// The innermost fragment ends.
    Close,
    /// A part that is drawn elsewhere.
    Reference(String),
    /// A comment says that Laban has drawn this diagram, and it means just what it says: see
    /// [`drawing`](super::drawing). What follows is in such diagrams only.
    Drawing,
    /// A message.
    Drawn {
        /// Who sends.
        from: End,
        /// Who receives.
        to: End,
        /// The text: a value, or a label in brackets.
        text: String,
        /// Whether it is a label, perhaps with a value.
        is_selection: bool,
        /// Whether it is put into a queue, from which it is taken later.
        is_queued: bool,
    },
    /// A note over these participants, the first and the last.
    Note(Vec<usize>, String),
}

/// What kind of fragment it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum FragmentKind {
    /// One of several branches.
    Alt,
    /// Perhaps.
    Opt,
    /// Again and again.
    Loop,
    /// Instead of what follows in the fragment around.
    Break,
    /// Side by side.
    Par,
    /// At a stroke, or else one of the further branches.
    Critical,
    /// Lines that belong together, and nothing else: `group`, `rect`.
    Group,
}

impl Diagram {
    /// Whether Laban has drawn it.
    pub(crate) fn is_drawing(&self) -> bool {
        self.lines.iter().any(|line| line.kind == LineKind::Drawing)
    }

    /// The place where it starts.
    pub(crate) fn start(&self) -> Span {
        Span::new(self.span.start, self.span.start)
    }
}

impl LineKind {
    /// From whom and to whom a message goes, if it goes to somebody else.
    pub(crate) fn ends(&self) -> Option<(End, End)> {
        match *self {
            LineKind::Message { from, to, .. } | LineKind::Drawn { from, to, .. } => (from != to).then_some((from, to)),
            _ => None,
        }
    }
}

impl FragmentKind {
    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            FragmentKind::Alt => "alt",
            FragmentKind::Opt => "opt",
            FragmentKind::Loop => "loop",
            FragmentKind::Break => "break",
            FragmentKind::Par => "par",
            FragmentKind::Critical => "critical",
            FragmentKind::Group => "group",
        }
    }
}
