//! Sequence diagrams: who sends what to whom, from top to bottom.
//!
//! [`choreography`], [`witness`], [`run`], [`mismatch`] and [`difference`] make a [`Sequence`]: a few diagrams, each
//! with lanes and a flat list of items in which frames open and close like brackets, so a diagram of any depth is made,
//! walked and dropped without recursion. [`MermaidSequence`], [`Markdown`], [`PlantUml`], [`SvgSequence`] and
//! [`SvgSteps`] write it down. They know nothing of terms, runs or explanations; what makes the diagrams knows nothing
//! of coordinates or of what another program trips over.

mod bodies;
mod choreography;
mod difference;
mod half;
mod mermaid;
mod plantuml;
mod positions;
mod run;
mod spans;
mod stage;
mod svg;
mod waiting;
mod whole;
mod witness;
mod writer;

pub use choreography::{choreography, participants};
pub use difference::{difference, mismatch};
pub use mermaid::{Markdown, MermaidInFull, MermaidSequence};
pub use plantuml::{PlantUml, PlantUmlInFull};
pub use run::run;
pub use svg::{SvgSequence, SvgSteps};
pub use witness::witness;

use std::collections::BTreeSet;

/// Deeper frames are not indented further: the text would get longer by the square of the depth.
const DEEPEST_INDENT: usize = 16;
/// The most characters of a text.
const LONGEST: usize = 160;

/// Diagrams that belong together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sequence {
    /// The diagrams: for each parallel part its `main`, then its procedures.
    pub diagrams: Vec<Diagram>,
    /// Remarks on all of them, such as how many are missing.
    pub remarks: Vec<String>,
    /// Whether they show a choreography, and all of it.
    pub is_whole: bool,
}

impl Sequence {
    /// Several sequences as one: each becomes a part of its own, whose title says so.
    pub fn beside(sequences: Vec<Sequence>) -> Sequence {
        let several = sequences.len() > 1;
        let mut all = Sequence::default();
        let mut part = 0;
        for sequence in sequences {
            let (first, parts) = (all.diagrams.len(), sequence.parts());
            for mut diagram in sequence.diagrams {
                diagram.part += part;
                if several {
                    let part = diagram.part + 1;
                    diagram.title = match diagram.title.as_str() {
                        "" => format!("part {part}"),
                        title => format!("part {part}: {title}"),
                    };
                }
                for item in &mut diagram.items {
                    if let Item::Reference { diagram: Some(target), .. } = item {
                        *target += first;
                    }
                }
                all.diagrams.push(diagram);
            }
            all.remarks.extend(sequence.remarks);
            part += parts;
        }
        all
    }

    /// The same diagrams, in which these processes are services. A choreography does not say who is one, so of a
    /// network's choreography the network has to.
    #[must_use]
    pub fn with_services<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Sequence {
        let names: BTreeSet<&str> = names.into_iter().collect();
        for lane in self.diagrams.iter_mut().flat_map(|diagram| &mut diagram.lanes) {
            lane.service |= names.contains(lane.name.as_str());
        }
        self
    }

    /// How many steps are drawn: messages, decisions and references.
    pub fn steps(&self) -> usize {
        let is_step = |item: &&Item| match item {
            Item::Message { .. } | Item::Put { .. } | Item::Take { .. } | Item::Reference { .. } => true,
            Item::Note { kind, .. } => *kind == NoteKind::Decision,
            Item::Open { frame, .. } => *frame == Frame::Alternative,
            Item::Remark { .. } | Item::Next { .. } | Item::Close => false,
        };
        self.diagrams.iter().map(|diagram| diagram.items.iter().filter(is_step).count()).sum()
    }

    /// How many parallel parts there are.
    pub fn parts(&self) -> usize {
        self.diagrams.iter().map(|diagram| diagram.part + 1).max().unwrap_or(0)
    }
}

/// One diagram.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagram {
    /// What it shows; may be empty.
    pub title: String,
    /// The parallel part that it belongs to, counted from 0.
    pub part: usize,
    /// Those who take part, from left to right; at least one.
    pub lanes: Vec<Lane>,
    /// What happens, from top to bottom. Frames are balanced.
    pub items: Vec<Item>,
    /// Remarks on the diagram, such as how much is left out.
    pub remarks: Vec<String>,
    /// If it shows a run: which items show which steps, in the order of the items.
    pub steps: Vec<DrawnStep>,
}

/// Where a step of a run is in a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnStep {
    /// The item, as an index into [`Diagram::items`].
    pub item: usize,
    /// The number of the step in the run, counted from 0; those of a cycle go on after the run.
    pub step: usize,
    /// The number of the step in which the message is taken, if it is taken at once.
    pub taken: Option<usize>,
}

/// A process in a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    /// What it is called.
    pub name: String,
    /// Whether it is a service.
    pub service: bool,
    /// Whether it waits for something that never comes.
    pub stuck: bool,
}

/// The lanes from one to another, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// The leftmost.
    pub first: usize,
    /// The rightmost.
    pub last: usize,
}

/// Something in a diagram. Lanes are indices into [`Diagram::lanes`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// Something goes from one process to another.
    Message {
        /// Who sends.
        from: usize,
        /// Who receives.
        to: usize,
        /// The expression or the label.
        text: String,
        /// Which of the two.
        kind: MessageKind,
    },
    /// A message is put into a queue.
    Put {
        /// Who puts it there.
        from: usize,
        /// Who is to take it.
        to: usize,
        /// The expression or the label.
        text: String,
        /// Which of the two.
        kind: MessageKind,
        /// A number that the item where it is taken has as well, if there is one.
        message: Option<usize>,
    },
    /// The oldest message of a queue is taken.
    Take {
        /// Who put it there.
        from: usize,
        /// Who takes it.
        to: usize,
        /// What it is, if that is known; may be empty.
        text: String,
        /// A number that the item where it is put has as well, if there is one.
        message: Option<usize>,
    },
    /// Something about one process.
    Note {
        /// Which.
        lane: usize,
        /// What.
        text: String,
        /// Why.
        kind: NoteKind,
    },
    /// Something about all processes of the frame around it.
    Remark {
        /// What.
        text: String,
        /// The lanes of the frame.
        span: Span,
    },
    /// What happens here is in another diagram.
    Reference {
        /// The name of the procedure.
        text: String,
        /// The processes that take part in it.
        span: Span,
        /// The diagram, if it is drawn.
        diagram: Option<usize>,
    },
    /// A frame opens.
    Open {
        /// What it means.
        frame: Frame,
        /// What is written on it.
        text: String,
        /// Who decides, if that process has a lane.
        lane: Option<usize>,
        /// The lanes that it surrounds.
        span: Span,
    },
    /// The next section of the innermost frame begins.
    Next {
        /// What is written on it; may be empty.
        text: String,
    },
    /// The innermost frame closes.
    Close,
}

/// What a message carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    /// A value.
    Value,
    /// A label.
    Selection,
}

/// What a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// A process has decided.
    Decision,
    /// A process waits for something that never comes.
    Stuck,
    /// A process does something else than it should.
    Differs,
    /// A service waits, as it may.
    Waiting,
    /// A process waits where it is idle, as it may.
    Idle,
    /// A process has stopped.
    Stopped,
    /// What lies in a queue.
    Queue,
    /// What lies in a queue and is never taken.
    Lost,
}

/// What a frame means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// One section or the other.
    Alternative,
    /// Again and again.
    Loop,
    /// All sections at once.
    Parallel,
    /// What each of two systems does, a section each.
    Difference,
    /// Whichever section can begin first.
    Race,
}

impl Frame {
    /// The word in the corner.
    pub fn as_str(self) -> &'static str {
        match self {
            Frame::Alternative => "alt",
            Frame::Loop => "loop",
            Frame::Parallel => "par",
            Frame::Difference => "differ",
            Frame::Race => "race",
        }
    }
}
