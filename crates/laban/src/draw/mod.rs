//! Drawings of what the other modules find.
//!
//! First something becomes a [`Picture`], which is nodes and edges with a few words on them: [`communications`] shows who
//! talks to whom, [`automata`] what each process does. Then [`Dot`] or [`Mermaid`] writes it down; both borrow the picture
//! and print as they go. What a picture is of is not known to the writers, and where the text goes is not known here.

mod automata;
mod communications;
mod dot;
mod mermaid;

pub use automata::automata;
pub use communications::communications;
pub use dot::Dot;
pub use mermaid::Mermaid;

/// Nodes and edges with words on them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picture {
    /// The nodes. A group's nodes follow one another.
    pub nodes: Vec<Node>,
    /// The edges, between indices of nodes.
    pub edges: Vec<Edge>,
    /// Stretches of nodes that belong together; none, or all nodes are in one.
    pub groups: Vec<Group>,
    /// Which way the edges go.
    pub direction: Direction,
}

/// Which way edges go, if they can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// From left to right.
    #[default]
    Right,
    /// From top to bottom.
    Down,
}

/// A node of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What is written on it.
    pub label: String,
    /// What it looks like.
    pub shape: Shape,
}

/// What a node looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A process.
    Box,
    /// A service.
    Rounded,
    /// A state.
    Circle,
    /// A decision.
    Diamond,
    /// A state in which something starts, without a label.
    Start,
    /// A state in which something ends.
    End,
}

/// An edge of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The node that it comes from.
    pub from: usize,
    /// The node that it goes to.
    pub to: usize,
    /// What is written on it; may be empty.
    pub label: String,
    /// Whether it is dashed: something is missing.
    pub dashed: bool,
}

/// Nodes that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What is written on it.
    pub label: String,
    /// The first node.
    pub start: usize,
    /// The one after the last.
    pub end: usize,
}
