//! Nodes and edges that are laid out together, in layers from left to right or from top to bottom.

use crate::canvas::{FONT, SMALL};
use crate::layered::{self, Ear, Input, Output, Pass, Size};
use crate::layout::{Area, LABEL, LINE, Layout};
use crate::picture::{Direction, Edge, Group, Node, Picture, Shape};
use crate::route::{Point, Route};
use crate::text::{shortened, text_width};

/// How much of a node's side an edge needs.
const PORT: f64 = 12.0;
/// Ports are at most this far apart.
const WIDEST_PORT: f64 = 30.0;
/// How far the slanted sides of a decision reach in.
pub(crate) const SLANT: f64 = 14.0;
/// How far an edge from a node to itself reaches out.
const ROUND: f64 = 30.0;

/// Nodes and edges that are laid out together.
pub(crate) struct Part<'a> {
    direction: Direction,
    nodes: &'a [Node],
    first: usize,
    /// How wide and high each node is.
    sizes: Vec<(f64, f64)>,
    /// From, to, the edge, and its number in the picture.
    edges: Vec<(usize, usize, &'a Edge, usize)>,
    /// The edges from each node to itself.
    rounds: Vec<Vec<(&'a Edge, usize)>>,
    output: Output,
    /// For each edge how far from the middle of its nodes it leaves and arrives.
    ports: Vec<(f64, f64)>,
}

impl<'a> Part<'a> {
    pub(crate) fn new(picture: &'a Picture, group: &Group) -> Self {
        let nodes = picture.nodes.get(group.start..group.end).unwrap_or(&[]);
        let mut part = Part {
            direction: picture.direction,
            nodes,
            first: group.start,
            sizes: Vec::new(),
            edges: Vec::new(),
            rounds: vec![Vec::new(); nodes.len()],
            output: Output::default(),
            ports: Vec::new(),
        };
        let within = |node: usize| node.checked_sub(group.start).filter(|&node| node < nodes.len());
        for (number, edge) in picture.edges.iter().enumerate() {
            match (within(edge.from), within(edge.to)) {
                (Some(from), Some(to)) if from == to => part.rounds[from].push((edge, number)),
                (Some(from), Some(to)) => part.edges.push((from, to, edge, number)),
                _ => {}
            }
        }
        part
    }

    /// How much work the layout is.
    pub(crate) fn effort(&self) -> usize {
        layered::effort(&self.input())
    }

    /// Finds a position for everything.
    pub(crate) fn laid_out(mut self) -> Self {
        let mut input = self.input();
        for (number, (before, after)) in layered::sides(&input).into_iter().enumerate() {
            let node = &self.nodes[number];
            let mut size = self.size(node_size(node));
            // Each edge needs some room where it leaves or arrives.
            let slant = if node.shape.is_diamond() { 2.0 * SLANT } else { 0.0 };
            size.across = size.across.max(before.max(after) as f64 * PORT + slant);
            input.nodes[number] = size;
            input.beside[number] = self.beside(number);
        }
        self.output = layered::layout(&input);
        self.sizes = self.output.sizes.iter().map(|size| self.xy(size.along, size.across)).collect();
        self.ports = self.ports();
        self
    }

    /// The graph, without the sizes of its nodes.
    fn input(&self) -> Input {
        let edges = self.edges.iter().map(|(from, to, edge, _)| (*from, *to, self.size(label_size(&edge.label))));
        let (between, both_sides) = match self.direction {
            Direction::Down => (12.0, false),
            Direction::Right => (18.0, true),
        };
        let none = vec![Size::default(); self.nodes.len()];
        let labels_beside = self.direction == Direction::Down;
        Input { nodes: none.clone(), beside: none, edges: edges.collect(), between, both_sides, labels_beside }
    }

    /// The room that edges from a node to itself need beside it.
    fn beside(&self, node: usize) -> Size {
        let labels = self.rounds[node].iter().map(|(edge, _)| label_size(&edge.label));
        let (width, height) =
            labels.fold((0.0, 0.0), |(width, height): (f64, f64), label| (width.max(label.0), height + label.1));
        let size = self.size((width, height));
        match self.rounds[node].is_empty() {
            true => Size::default(),
            false => Size { along: size.along.max(30.0), across: size.across + ROUND },
        }
    }

    fn size(&self, (width, height): (f64, f64)) -> Size {
        match self.direction {
            Direction::Down => Size { along: height, across: width },
            Direction::Right => Size { along: width, across: height },
        }
    }

    fn xy(&self, along: f64, across: f64) -> Point {
        match self.direction {
            Direction::Down => (across, along),
            Direction::Right => (along, across),
        }
    }

    pub(crate) fn width(&self) -> f64 {
        self.xy(self.output.size.along, self.output.size.across).0
    }

    pub(crate) fn height(&self) -> f64 {
        self.xy(self.output.size.along, self.output.size.across).1
    }

    /// Puts everything into the layout of the picture, from this corner on.
    pub(crate) fn place(&self, layout: &mut Layout, corner: Point) {
        for (number, &(from, to, edge, in_picture)) in self.edges.iter().enumerate() {
            let position = self.output.labels[number];
            let middle = self.xy(position.along, position.across);
            let label = (!edge.label.is_empty()).then(|| Area::around(middle, label_size(&edge.label)));
            layout.put_edge(in_picture, self.route(corner, number, from, to), label, corner);
        }
        for (number, position) in self.output.nodes.iter().enumerate() {
            let area = Area::around(self.xy(position.along, position.across), self.sizes[number]);
            layout.put_node(self.first + number, area, corner);
            self.place_rounds(layout, corner, number);
        }
    }

    /// Spreads the edges at each side of a node, in the order in which they come from where they come from.
    fn ports(&self) -> Vec<(f64, f64)> {
        let output = &self.output;
        let mut ports = vec![(0.0, 0.0); self.edges.len()];
        // Node, whether the edge leaves, where it is in the next layer, and the edge.
        let mut ends: Vec<(usize, bool, f64, usize)> = Vec::new();
        for (number, &(from, to, ..)) in self.edges.iter().enumerate().filter(|(edge, _)| output.ears[*edge].is_none())
        {
            let passes = &output.passes[number];
            let first = passes.first().map_or(output.nodes[to].across, |pass| pass.across);
            let last = passes.last().map_or(output.nodes[from].across, |pass| pass.across);
            ends.push((from, true, first, number));
            ends.push((to, false, last, number));
        }
        ends.sort_by(|one, other| {
            (one.0, one.1).cmp(&(other.0, other.1)).then(one.2.total_cmp(&other.2)).then(one.3.cmp(&other.3))
        });
        for side in ends.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            let node = side.first().map_or(0, |end| end.0);
            let slant = if self.nodes[node].shape.is_diamond() { 2.0 * SLANT } else { 0.0 };
            let room = (output.sizes[node].across - slant) / side.len() as f64;
            for (index, &(_, leaves, _, edge)) in side.iter().enumerate() {
                let port = (index as f64 - (side.len() as f64 - 1.0) / 2.0) * room.min(WIDEST_PORT);
                match leaves {
                    true => ports[edge].0 = port,
                    false => ports[edge].1 = port,
                }
            }
        }
        ports
    }

    /// From node to node, straight through each layer and curved in between.
    fn route(&self, (x, y): Point, number: usize, from: usize, to: usize) -> Route {
        let point = |along: f64, across: f64| {
            let (point_x, point_y) = self.xy(along, across);
            (x + point_x, y + point_y)
        };
        let (leaves, arrives) = (self.output.nodes[from], self.output.nodes[to]);
        let (leaving, arriving) = (self.output.bands[from], self.output.bands[to]);
        let passes = &self.output.passes[number];
        let mut route;
        // Where the route is so far.
        let mut at;
        let tip;
        let last;
        match self.output.ears[number] {
            Some((leave, arrive)) => {
                let (start, column) = self.ear(from, leave);
                route = Route::from(point(leaves.along + leave.along, start));
                route.bend(point(leaves.along + leave.along, column), point(leaving.0, column));
                at = (leaving.0, column);
                let (goal, column) = self.ear(to, arrive);
                last = Pass { start: arriving.1, end: arriving.1, across: column };
                tip = Tip::Side { along: arrives.along + arrive.along, across: goal, side: arrive.side };
            }
            None => {
                let (out, into) = self.ports[number];
                let start = leaves.along + self.reach(from, out);
                route = Route::from(point(start, leaves.across + out));
                at = (leaving.1, leaves.across + out);
                route.line(point(at.0, at.1));
                last = Pass { start: arriving.0, end: arriving.0, across: arrives.across + into };
                tip = Tip::Front { along: arrives.along - self.reach(to, into) };
            }
        }
        let back = self.output.ears[number].is_some();
        for pass in passes.iter().chain([&last]) {
            let (near, far) = if back { (pass.end, pass.start) } else { (pass.start, pass.end) };
            if (pass.across - at.1).abs() < 0.05 {
                route.line(point(near, pass.across));
            } else {
                let bend = (near - at.0) * 0.5;
                route.curve(point(at.0 + bend, at.1), point(near - bend, pass.across), point(near, pass.across));
            }
            route.line(point(far, pass.across));
            at = (far, pass.across);
        }
        match tip {
            Tip::Front { along } => route.line(point(along, at.1)),
            Tip::Side { along, across, side } => {
                let before = across + side * 7.0;
                route.bend(point(along, at.1), point(along, before));
                route.line(point(along, across));
            }
        }
        route
    }

    /// Where an edge is at the side of a node, and in the column beside it.
    fn ear(&self, node: usize, ear: Ear) -> (f64, f64) {
        let middle = self.output.nodes[node].across;
        let (shape, size) = (self.nodes[node].shape, self.sizes[node]);
        let (half, side) = match self.direction {
            Direction::Down => (size.0 / 2.0, half_width_at(shape, size, ear.along)),
            Direction::Right => (size.1 / 2.0, half_height_at(shape, size, ear.along)),
        };
        (middle + ear.side * side, middle + ear.side * (half + ear.out))
    }

    /// How far a node reaches in the direction of the edges, this far from its middle.
    fn reach(&self, node: usize, port: f64) -> f64 {
        let (shape, size) = (self.nodes[node].shape, self.sizes[node]);
        match self.direction {
            Direction::Down => half_height_at(shape, size, port),
            Direction::Right => half_width_at(shape, size, port),
        }
    }

    /// Edges from a node to itself: one loop for all, with their labels beside it.
    fn place_rounds(&self, layout: &mut Layout, corner: Point, node: usize) {
        let position = self.output.nodes[node];
        let side = position.across + self.output.sizes[node].across / 2.0;
        let point = |along: f64, across: f64| {
            let (x, y) = self.xy(position.along + along, across);
            (corner.0 + x, corner.1 + y)
        };
        let heights: f64 = self.rounds[node].iter().map(|(edge, _)| label_size(&edge.label).1).sum();
        let (along, across) = (position.along, side + ROUND);
        let (mut top, left) = match self.direction {
            Direction::Down => (along - heights / 2.0, Some(across)),
            Direction::Right => (across, None),
        };
        for (index, &(edge, number)) in self.rounds[node].iter().enumerate() {
            let mut route = Route::default();
            if index == 0 {
                route = Route::from(point(-6.0, side - 2.0));
                route.curve(point(-18.0, side + 30.0), point(13.0, side + 30.0), point(7.0, side + 7.0));
                route.line(point(5.0, side - 1.0));
            }
            let (width, height) = label_size(&edge.label);
            let left = left.unwrap_or(along - width / 2.0);
            let area = Area { left, top, width, height };
            top += height;
            layout.put_edge(number, route, (!edge.label.is_empty()).then_some(area), corner);
        }
    }
}

/// How an edge reaches its node.
enum Tip {
    Front { along: f64 },
    Side { along: f64, across: f64, side: f64 },
}

/// How far a shape reaches up and down, this far from its middle.
fn half_height_at(shape: Shape, (width, height): (f64, f64), x: f64) -> f64 {
    match shape {
        Shape::Box | Shape::Failed => height / 2.0,
        Shape::Diamond | Shape::Race => height / 2.0 * ((width / 2.0 - x.abs()) / SLANT).clamp(0.0, 1.0),
        _ => round(height, width, x),
    }
}

/// How far a shape reaches to the left and right, this far from its middle.
fn half_width_at(shape: Shape, (width, height): (f64, f64), y: f64) -> f64 {
    match shape {
        Shape::Box | Shape::Failed => width / 2.0,
        Shape::Diamond | Shape::Race => width / 2.0 - SLANT * (2.0 * y.abs() / height.max(1.0)).min(1.0),
        _ => round(width, height, y),
    }
}

/// How far a shape with round ends reaches in one direction, this far from its middle in the other.
fn round(size: f64, other: f64, offset: f64) -> f64 {
    let radius = size.min(other) / 2.0;
    let beyond = (offset.abs() - (other / 2.0 - radius)).clamp(0.0, radius);
    size / 2.0 - radius + (radius * radius - beyond * beyond).sqrt()
}

/// How wide and high the label of an edge is, with a little room around it.
pub(crate) fn label_size(label: &str) -> (f64, f64) {
    if label.is_empty() {
        return (0.0, 0.0);
    }
    let widest = label.lines().map(|line| text_width(&shortened(line, LABEL), SMALL)).fold(0.0, f64::max);
    (widest + 6.0, label.lines().count() as f64 * LINE + 2.0)
}

/// How wide and high a node is, whatever its edges.
fn node_size(node: &Node) -> (f64, f64) {
    let text = text_width(&shortened(&node.label, LABEL), FONT);
    match node.shape {
        Shape::Box | Shape::Rounded | Shape::Failed => (text + 26.0, 34.0),
        Shape::Circle => ((text + 12.0).max(26.0), 26.0),
        Shape::Diamond | Shape::Race => (text + 40.0, 30.0),
        Shape::Start => (10.0, 10.0),
        Shape::End => (text + 28.0, 30.0),
        Shape::Rest => (text + 22.0, 28.0),
    }
}
