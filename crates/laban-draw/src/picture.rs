//! Nodes and edges with words on them.

use crate::text::counted;
use std::collections::BTreeSet;

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
    /// Remarks on the picture: what its signs mean, and what is missing.
    pub captions: Vec<String>,
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
    /// Whether it is emphasised: several ways lead to it.
    pub thick: bool,
    /// Whether it is part of what went wrong.
    pub marked: bool,
    /// Whether its border is dashed: a process may wait here forever.
    pub dashed: bool,
    /// How many nodes it stands for: more than one if these are not drawn.
    pub stands_for: usize,
}

impl Node {
    /// A node without emphasis.
    pub fn new(label: impl Into<String>, shape: Shape) -> Self {
        Node { label: label.into(), shape, thick: false, marked: false, dashed: false, stands_for: 1 }
    }
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
    /// Whichever comes first: a diamond, but nobody decides.
    Race,
    /// A state in which something starts, without a label.
    Start,
    /// A state in which something ends.
    End,
    /// A state in which nothing goes on though something should.
    Failed,
    /// What is not drawn or not known.
    Rest,
}

impl Shape {
    /// Whether the sides of the shape slant.
    pub(crate) fn is_diamond(self) -> bool {
        matches!(self, Shape::Diamond | Shape::Race)
    }
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
    /// Whether it is emphasised.
    pub thick: bool,
    /// Whether it is part of what went wrong.
    pub marked: bool,
}

impl Edge {
    /// An edge without emphasis.
    pub fn new(from: usize, to: usize, label: impl Into<String>) -> Self {
        Edge { from, to, label: label.into(), dashed: false, thick: false, marked: false }
    }
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

impl Picture {
    /// The part of the picture around the nodes of these labels: these, the nodes next to them and the edges that touch
    /// them. Without labels, everything. Groups get lost.
    pub fn around(mut self, labels: &[String]) -> Picture {
        if labels.is_empty() {
            return self;
        }
        self.tidy();
        let asked: Vec<bool> = self.nodes.iter().map(|node| labels.contains(&node.label)).collect();
        let mut kept = asked.clone();
        let touches = |edge: &Edge| asked[edge.from] || asked[edge.to];
        for edge in self.edges.iter().filter(|edge| touches(edge)) {
            kept[edge.from] = true;
            kept[edge.to] = true;
        }
        let mut place = vec![0; kept.len()];
        let mut picture = Picture { direction: self.direction, captions: self.captions, ..Picture::default() };
        let missing = kept.iter().filter(|&&kept| !kept).count();
        for (index, node) in self.nodes.into_iter().enumerate().filter(|(index, _)| kept[*index]) {
            place[index] = picture.nodes.len();
            picture.nodes.push(node);
        }
        for edge in self.edges.into_iter().filter(touches) {
            picture.edges.push(Edge { from: place[edge.from], to: place[edge.to], ..edge });
        }
        if missing > 0 {
            picture.captions.push(format!("{} left out", counted(missing, "node")));
        }
        picture
    }

    /// The picture with at most about this many nodes: those that are nearest to where it starts, and first of all
    /// those that are marked. One node for each group stands for the rest of it and says how much that is; groups of
    /// which nothing is left are counted in a caption.
    pub fn folded(mut self, max_nodes: usize) -> Picture {
        let count = self.nodes.len();
        if count <= max_nodes {
            return self;
        }
        self.tidy();
        let kept = self.nearest(max_nodes);
        let whole = [Group { label: String::new(), start: 0, end: count }];
        let groups = if self.groups.is_empty() { &whole[..] } else { &self.groups };
        let mut picture = Picture { direction: self.direction, captions: self.captions, ..Picture::default() };
        let mut place = vec![None; count];
        let mut nodes: Vec<Option<Node>> = self.nodes.into_iter().map(Some).collect();
        let (mut groups_missing, mut nodes_missing) = (0, 0);
        for group in groups {
            let start = picture.nodes.len();
            let mut missing: usize = 0;
            for node in group.start..group.end {
                match nodes[node].take() {
                    Some(drawn) if kept[node] => {
                        place[node] = Some(picture.nodes.len());
                        picture.nodes.push(drawn);
                    }
                    Some(folded) => missing = missing.saturating_add(folded.stands_for),
                    None => {}
                }
            }
            if missing > 0 && start == picture.nodes.len() && groups.len() > 1 {
                groups_missing += 1;
                nodes_missing += missing;
                continue;
            }
            if missing > 0 {
                let rest = picture.nodes.len();
                (group.start..group.end).filter(|&node| !kept[node]).for_each(|node| place[node] = Some(rest));
                let label = format!("… {}", counted(missing, "more node"));
                picture.nodes.push(Node { stands_for: missing, ..Node::new(label, Shape::Rest) });
            }
            let end = picture.nodes.len();
            picture.groups.push(Group { label: group.label.clone(), start, end });
        }
        if self.groups.is_empty() {
            picture.groups.clear();
        }
        let mut seen = BTreeSet::new();
        for edge in self.edges {
            let (Some(from), Some(to)) = (place[edge.from], place[edge.to]) else { continue };
            match kept[edge.from] && kept[edge.to] {
                true => picture.edges.push(Edge { from, to, ..edge }),
                // What happens among those that are not drawn is not drawn, and one way to them is enough.
                false if from != to && seen.insert((from, to)) => {
                    picture.edges.push(Edge { dashed: true, ..Edge::new(from, to, "") });
                }
                false => {}
            }
        }
        if groups_missing > 0 {
            let (groups, nodes) = (counted(groups_missing, "more group"), counted(nodes_missing, "node"));
            picture.captions.push(format!("{groups} of {nodes} in all left out"));
        }
        picture
    }

    /// Forgets edges and groups that lead nowhere.
    fn tidy(&mut self) {
        let count = self.nodes.len();
        self.edges.retain(|edge| edge.from < count && edge.to < count);
        self.groups.retain(|group| group.start <= group.end && group.end <= count);
    }

    /// Which nodes are nearest to those where something starts.
    fn nearest(&self, max_nodes: usize) -> Vec<bool> {
        let count = self.nodes.len();
        let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
        for edge in &self.edges {
            outgoing[edge.from].push(edge.to);
        }
        let mut order = Vec::with_capacity(count);
        let mut met = vec![false; count];
        let mut meet = |node: usize, order: &mut Vec<usize>| {
            if !std::mem::replace(&mut met[node], true) {
                order.push(node);
            }
        };
        (0..count).filter(|&node| self.nodes[node].marked).for_each(|node| meet(node, &mut order));
        self.groups.iter().filter(|group| group.start < group.end).for_each(|group| meet(group.start, &mut order));
        let mut next = 0;
        for start in 0..count {
            meet(start, &mut order);
            while let Some(&node) = order.get(next) {
                next += 1;
                outgoing[node].iter().for_each(|&target| meet(target, &mut order));
            }
        }
        let mut kept = vec![false; count];
        // What stands for several is folded again with them, so that there is one such node and it counts all.
        let single = order.iter().filter(|&&node| self.nodes[node].stands_for == 1);
        single.take(max_nodes).for_each(|&node| kept[node] = true);
        kept
    }
}
