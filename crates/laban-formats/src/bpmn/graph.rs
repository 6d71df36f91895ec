//! The nodes of a process or a choreography, with the flows between them, and with what is called or nested in it.
//!
//! A sub-process is a node followed by the nodes in it, so that what is inside is a stretch of numbers; so is what a
//! call leads to, once for each call. Node 0 is the whole.

use std::collections::HashMap;

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// It has nodes in it: the whole, a sub-process, a call.
    Scope,
    /// Something is done, or nothing: a task, most events.
    Step,
    /// One way out is taken.
    Exclusive,
    /// All ways out are taken, after all ways in.
    Parallel,
    /// The way out whose event happens first.
    EventBased,
    /// Everything around it ends.
    Terminate,
    /// Everything around it ends, up to where the error is caught.
    Error(String),
}

/// A way from one node to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flow {
    pub(super) element: usize,
    pub(super) target: usize,
}

/// A node.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) element: usize,
    pub(super) kind: Kind,
    /// The scope that it is in; the whole is in itself.
    pub(super) parent: usize,
    /// The number after those of the nodes in it.
    pub(super) end: usize,
    pub(super) outgoing: Vec<Flow>,
    /// The flows that lead here.
    pub(super) incoming: Vec<usize>,
    /// Where a scope starts.
    pub(super) starts: Vec<usize>,
    /// Whether these are alternatives, and not all started at once.
    pub(super) starts_by_event: bool,
    /// The events that may interrupt it.
    pub(super) boundary: Vec<usize>,
    /// The nearest node with such events, from this one outwards, and how many there are.
    pub(super) guard: Option<usize>,
    pub(super) guards: u32,
    /// Whether it is done again and again, and whether the first time is decided on, too.
    pub(super) repeats: Option<bool>,
    /// Who is meant by the participants of what is called.
    pub(super) roles: usize,
    /// How many things are done in it, one after the other.
    pub(super) stages: usize,
    /// Whether anything is done in it.
    pub(super) acts: bool,
    /// Whether it ends with an error somewhere in it.
    pub(super) throws: bool,
    /// For a boundary event: the error that it catches, empty for any.
    pub(super) error: Option<String>,
}

/// All nodes.
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    /// For each call, who is meant by the participants of what is called; the first is that of the whole.
    pub(super) associations: Vec<HashMap<usize, usize>>,
}

impl Graph {
    /// The participant that is meant by one of what is called.
    pub(super) fn participant(&self, node: usize, participant: usize) -> usize {
        self.meant(self.nodes[node].roles, participant)
    }

    /// The participant that is meant by one in a call.
    pub(super) fn meant(&self, call: usize, participant: usize) -> usize {
        let associations = self.associations.get(call);
        associations.and_then(|associations| associations.get(&participant)).copied().unwrap_or(participant)
    }

    /// Sets how many things are done at each node. A loop in which nothing is done is left out.
    pub(super) fn set_stages(&mut self, mut stages: impl FnMut(&Node) -> usize) {
        let mut before = vec![(0, 0)];
        for (number, node) in self.nodes.iter_mut().enumerate() {
            node.stages = stages(node);
            let (acts, errors) = before[number];
            let throws = matches!(node.kind, Kind::Error(_));
            before.push((acts + usize::from(node.stages > 0), errors + usize::from(throws)));
        }
        for (number, node) in self.nodes.iter_mut().enumerate() {
            node.acts = before[node.end].0 > before[number].0;
            node.throws = before[node.end].1 > before[number].1;
            node.repeats = node.repeats.filter(|_| node.acts);
        }
    }

    /// Whether a boundary event catches an error.
    pub(super) fn catches(&self, event: usize, error: &str) -> bool {
        self.nodes[event].error.as_ref().is_some_and(|caught| caught.is_empty() || caught == error)
    }

    /// The nodes directly in a scope.
    pub(super) fn children(&self, scope: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[scope].end;
        let next = move |&child: &usize| Some(self.nodes[child].end).filter(|&next| next < end);
        std::iter::successors(Some(scope + 1).filter(|&child| child < end), next)
    }

    /// The first node from which several flows start at once.
    pub(super) fn fork(&self) -> Option<usize> {
        let is_fork = |node: &Node| {
            node.outgoing.len() > 1 && !matches!(node.kind, Kind::Exclusive | Kind::EventBased)
                || node.starts.len() > 1 && !node.starts_by_event
        };
        self.nodes.iter().position(is_fork)
    }
}
