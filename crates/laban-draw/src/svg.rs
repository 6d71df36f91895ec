//! Pictures of nodes and edges in SVG, laid out here.
//!
//! Each group is laid out on its own, and groups stand side by side. A picture that would take too long is folded first,
//! and says so.

use crate::canvas::{Anchor, Canvas, FONT, Path, SMALL};
use crate::layered::{self, Input, Output, Pass, Size};
use crate::picture::{Direction, Edge, Group, Node, Picture, Shape};
use crate::text::{caption_lines, shortened, text_width};
use std::fmt::{self, Display, Formatter};

/// The most points that are laid out.
const MOST_POINTS: usize = 60_000;
/// The most nodes that are laid out.
const MOST_NODES: usize = 3_000;
/// The most characters on a node or an edge.
const LABEL: usize = 40;
const MARGIN: f64 = 20.0;
const PAD: f64 = 18.0;
const TITLE: f64 = 26.0;
const WIDEST: f64 = 1500.0;
const LINE: f64 = 17.0;
/// How much of a node's side an edge needs.
const PORT: f64 = 13.0;

/// Prints a picture in SVG.
#[derive(Debug, Clone, Copy)]
pub struct Svg<'a>(pub &'a Picture);

impl Display for Svg<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut most = MOST_NODES;
        let folded;
        let mut picture = self.0;
        if effort(picture) > MOST_POINTS || picture.nodes.len() > most {
            let mut smaller = picture.clone().folded(most);
            while effort(&smaller) > MOST_POINTS && most > 16 {
                most /= 2;
                smaller = self.0.clone().folded(most);
            }
            folded = smaller;
            picture = &folded;
        }
        write(f, picture)
    }
}

fn write(f: &mut Formatter<'_>, picture: &Picture) -> fmt::Result {
    let mut canvas = Canvas::default();
    let (mut x, mut y) = (MARGIN, MARGIN);
    let (mut right, mut bottom) = (MARGIN, MARGIN);
    for (group, titled) in groups(picture) {
        let mut part = Part::new(picture, &group);
        part.lay_out();
        let around = if titled { PAD } else { 0.0 };
        let title = if titled { TITLE } else { 0.0 };
        let heading = if titled { text_width(&shortened(&group.label, LABEL), FONT) } else { 0.0 };
        let width = part.width().max(heading) + 2.0 * around;
        let height = part.height() + 2.0 * around + title;
        if x > MARGIN && x + width > WIDEST {
            x = MARGIN;
            y = bottom + PAD;
        }
        if titled {
            canvas.rectangle("shade", x, y, width, height, 6.0);
            canvas.short("", (x + around, y + 22.0), FONT, Anchor::Start, &group.label, LABEL);
        }
        part.draw(&mut canvas, x + around, y + around + title);
        right = right.max(x + width);
        bottom = bottom.max(y + height);
        x += width + PAD;
    }
    bottom += if picture.captions.is_empty() { 0.0 } else { 8.0 };
    for line in caption_lines(&picture.captions) {
        bottom += LINE;
        right = right.max(MARGIN + text_width(&line, SMALL));
        canvas.text("t-quiet", MARGIN, bottom, SMALL, Anchor::Start, &line);
    }
    canvas.write(f, right + MARGIN, bottom + MARGIN, "graph")
}

/// The groups, and whether they have a title; the whole if there are none.
fn groups(picture: &Picture) -> Vec<(Group, bool)> {
    match picture.groups.is_empty() {
        true => vec![(Group { label: String::new(), start: 0, end: picture.nodes.len() }, false)],
        false => picture.groups.iter().map(|group| (group.clone(), true)).collect(),
    }
}

fn effort(picture: &Picture) -> usize {
    let parts = groups(picture);
    parts.iter().map(|(group, _)| layered::effort(&Part::new(picture, group).input())).fold(0, usize::saturating_add)
}

/// Nodes and edges that are laid out together.
struct Part<'a> {
    direction: Direction,
    nodes: &'a [Node],
    /// How wide and high each node is.
    sizes: Vec<(f64, f64)>,
    edges: Vec<(usize, usize, &'a Edge)>,
    /// The edges from each node to itself.
    rounds: Vec<Vec<&'a Edge>>,
    output: Output,
    /// For each edge how far from the middle of its nodes it leaves and arrives.
    ports: Vec<(f64, f64)>,
}

impl<'a> Part<'a> {
    fn new(picture: &'a Picture, group: &Group) -> Self {
        let mut part = Part {
            direction: picture.direction,
            nodes: picture.nodes.get(group.start..group.end).unwrap_or(&[]),
            sizes: Vec::new(),
            edges: Vec::new(),
            rounds: Vec::new(),
            output: Output::default(),
            ports: Vec::new(),
        };
        part.rounds.resize(part.nodes.len(), Vec::new());
        let within = |node: usize| (group.start..group.end).contains(&node);
        for edge in picture.edges.iter().filter(|edge| within(edge.from) && within(edge.to)) {
            match edge.from == edge.to {
                true => part.rounds[edge.from - group.start].push(edge),
                false => part.edges.push((edge.from - group.start, edge.to - group.start, edge)),
            }
        }
        part
    }

    /// Finds a place for everything.
    fn lay_out(&mut self) {
        let mut input = self.input();
        for (number, (before, after)) in layered::sides(&input).into_iter().enumerate() {
            let (mut width, mut height) = node_size(&self.nodes[number]);
            // Each edge needs some room where it leaves or arrives.
            let room = before.max(after) as f64 * PORT;
            match self.direction {
                Direction::Down => width = width.max(room),
                Direction::Right => height = height.max(room),
            }
            self.sizes.push((width, height));
            let rounds = &self.rounds[number];
            if !rounds.is_empty() {
                let widest = rounds.iter().map(|edge| label_size(&edge.label).0).fold(0.0, f64::max);
                // As much on the left, so that the node stays in the middle.
                width += 2.0 * (34.0 + widest);
                height = height.max(rounds.len() as f64 * LINE).max(34.0);
            }
            input.nodes[number] = self.size((width, height));
        }
        self.output = layered::layout(&input);
        self.ports = self.ports();
    }

    /// The graph, without the sizes of its nodes.
    fn input(&self) -> Input {
        let edges = self.edges.iter().map(|(from, to, edge)| (*from, *to, self.size(label_size(&edge.label))));
        let between = match self.direction {
            Direction::Down => 18.0,
            Direction::Right => 28.0,
        };
        Input { nodes: vec![Size::default(); self.nodes.len()], edges: edges.collect(), between }
    }

    fn size(&self, (width, height): (f64, f64)) -> Size {
        match self.direction {
            Direction::Down => Size { along: height, across: width },
            Direction::Right => Size { along: width, across: height },
        }
    }

    fn width(&self) -> f64 {
        self.xy(self.output.size.along, self.output.size.across).0
    }

    fn height(&self) -> f64 {
        self.xy(self.output.size.along, self.output.size.across).1
    }

    fn xy(&self, along: f64, across: f64) -> (f64, f64) {
        match self.direction {
            Direction::Down => (across, along),
            Direction::Right => (along, across),
        }
    }

    fn draw(&self, canvas: &mut Canvas, x: f64, y: f64) {
        for (number, (from, to, edge)) in self.edges.iter().enumerate() {
            self.edge(canvas, (x, y), number, *from, *to, edge);
        }
        for (number, (_, _, edge)) in self.edges.iter().enumerate() {
            if !edge.label.is_empty() {
                let place = self.output.labels[number];
                let (label_x, label_y) = self.xy(place.along, place.across);
                let at = (x + label_x, y + label_y + 4.0);
                let short = shortened(&edge.label, LABEL);
                canvas.clearing(at.0, at.1, SMALL, Anchor::Middle, &short);
                canvas.short(text_class(edge.marked), at, SMALL, Anchor::Middle, &edge.label, LABEL);
            }
        }
        for (number, node) in self.nodes.iter().enumerate() {
            let place = self.output.nodes[number];
            let (node_x, node_y) = self.xy(place.along, place.across);
            let (at, size) = ((x + node_x, y + node_y), self.sizes[number]);
            draw_rounds(canvas, at, size.0, &self.rounds[number]);
            draw_node(canvas, at, size, node);
        }
    }

    /// Spreads the edges at each side of a node, in the order in which they come from where they come from.
    fn ports(&self) -> Vec<(f64, f64)> {
        let output = &self.output;
        let mut ports = vec![(0.0, 0.0); self.edges.len()];
        // Node, side, where the edge is in the next layer, edge, and whether it leaves.
        let mut ends: Vec<(usize, bool, f64, usize, bool)> = Vec::new();
        for (number, &(from, to, _)) in self.edges.iter().enumerate() {
            let forward = output.nodes[from].along < output.nodes[to].along;
            let passes = &output.passes[number];
            let first = passes.first().map_or(output.nodes[to].across, |pass| pass.across);
            let last = passes.last().map_or(output.nodes[from].across, |pass| pass.across);
            ends.push((from, forward, first, number, true));
            ends.push((to, !forward, last, number, false));
        }
        ends.sort_by(|one, other| {
            (one.0, one.1).cmp(&(other.0, other.1)).then(one.2.total_cmp(&other.2)).then(one.3.cmp(&other.3))
        });
        for side in ends.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            for (index, &(.., edge, leaves)) in side.iter().enumerate() {
                let port = (index as f64 - (side.len() as f64 - 1.0) / 2.0) * PORT * 0.8;
                match leaves {
                    true => ports[edge].0 = port,
                    false => ports[edge].1 = port,
                }
            }
        }
        ports
    }

    /// From node to node, straight through each layer and curved in between.
    fn edge(&self, canvas: &mut Canvas, (x, y): (f64, f64), number: usize, from: usize, to: usize, edge: &Edge) {
        let passes = &self.output.passes[number];
        let forward = self.output.nodes[from].along < self.output.nodes[to].along;
        let point = |along: f64, across: f64| {
            let (point_x, point_y) = self.xy(along, across);
            (x + point_x, y + point_y)
        };
        // Where an edge leaves or reaches a node, and where the layer of the node ends.
        let ahead = |node: usize, forward: bool, port: f64| {
            let place = self.output.nodes[node];
            let half = reach(self.nodes[node].shape, self.size(self.sizes[node]), port);
            let (start, end) = self.output.bands[node];
            match forward {
                true => (place.along + half, end, place.across + port),
                false => (place.along - half, start, place.across + port),
            }
        };
        let (leaving, arriving) = self.ports[number];
        let (start, leave, across) = ahead(from, forward, leaving);
        let first = point(start, across);
        let after = point(leave, across);
        let mut path = Path::from(first.0, first.1).to(after.0, after.1);
        let mut at = (leave, across);
        let (goal, enter, goal_across) = ahead(to, !forward, arriving);
        let last = Pass { start: enter, end: enter, across: goal_across };
        for pass in passes.iter().chain([&last]) {
            let (near, far) = if forward { (pass.start, pass.end) } else { (pass.end, pass.start) };
            let bend = (near - at.0) * 0.5;
            path = path.curve(point(at.0 + bend, at.1), point(near - bend, pass.across), point(near, pass.across));
            if near != far {
                let (far_x, far_y) = point(far, pass.across);
                path = path.to(far_x, far_y);
            }
            at = (far, pass.across);
        }
        let tip = point(goal, goal_across);
        path = path.to(tip.0, tip.1);
        canvas.path(&edge_class(edge), &path);
        let back = if forward { -8.0 } else { 8.0 };
        let (one, other) = (point(goal + back, goal_across - 4.0), point(goal + back, goal_across + 4.0));
        let head = Path::from(tip.0, tip.1).to(one.0, one.1).to(other.0, other.1).close();
        canvas.path(head_class(edge), &head);
    }
}

/// How far a node reaches in the direction of the edges, this far from its middle.
fn reach(shape: Shape, Size { along, across }: Size, port: f64) -> f64 {
    let radius = match shape {
        Shape::Circle | Shape::Rounded | Shape::End | Shape::Rest | Shape::Start => along.min(across) / 2.0,
        Shape::Box | Shape::Diamond | Shape::Failed => return along / 2.0,
    };
    let beyond = (port.abs() - (across / 2.0 - radius)).clamp(0.0, radius);
    along / 2.0 - radius + (radius * radius - beyond * beyond).sqrt()
}

fn text_class(marked: bool) -> &'static str {
    if marked { "t-bad" } else { "" }
}

fn edge_class(edge: &Edge) -> String {
    let mut class = if edge.marked { "red" } else { "edge" }.to_string();
    if edge.dashed {
        class.push_str(" dashed");
    }
    if edge.thick {
        class.push_str(" thick");
    }
    class
}

fn head_class(edge: &Edge) -> &'static str {
    if edge.marked { "redhead" } else { "point" }
}

fn label_size(label: &str) -> (f64, f64) {
    match label.is_empty() {
        true => (0.0, 0.0),
        false => (text_width(&shortened(label, LABEL), SMALL) + 6.0, LINE),
    }
}

/// How wide and high a node is, whatever its edges.
fn node_size(node: &Node) -> (f64, f64) {
    let text = text_width(&shortened(&node.label, LABEL), FONT);
    match node.shape {
        Shape::Box | Shape::Rounded | Shape::Failed => (text + 26.0, 34.0),
        Shape::Circle => ((text + 14.0).max(30.0), 30.0),
        Shape::Diamond => (text + 40.0, 34.0),
        Shape::Start => (10.0, 10.0),
        Shape::End => (text + 28.0, 32.0),
        Shape::Rest => (text + 22.0, 28.0),
    }
}

fn draw_node(canvas: &mut Canvas, (x, y): (f64, f64), (width, height): (f64, f64), node: &Node) {
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let thick = if node.thick { " thick" } else { "" };
    let class = |plain: &str| match node.marked {
        true => format!("bad{thick}"),
        false => format!("{plain}{thick}"),
    };
    match node.shape {
        Shape::Box => canvas.rectangle(&class("box"), left, top, width, height, 4.0),
        Shape::Rounded => canvas.rectangle(&class("box dashed"), left, top, width, height, width.min(height) / 2.0),
        Shape::Circle => canvas.rectangle(&class("state"), left, top, width, height, width.min(height) / 2.0),
        Shape::Diamond => {
            let (right, bottom) = (left + width, top + height);
            let sides = Path::from(left, y)
                .to(left + 14.0, top)
                .to(right - 14.0, top)
                .to(right, y)
                .to(right - 14.0, bottom)
                .to(left + 14.0, bottom);
            canvas.path(&class("note"), &sides.close());
        }
        Shape::Start => return canvas.circle("dot", x, y, width / 2.0),
        Shape::End => {
            canvas.rectangle(&class("state"), left, top, width, height, width.min(height) / 2.0);
            canvas.rectangle(
                &class("state"),
                left + 3.0,
                top + 3.0,
                width - 6.0,
                height - 6.0,
                width.min(height) / 2.0 - 3.0,
            );
        }
        Shape::Failed => canvas.rectangle("bad thick", left, top, width, height, 2.0),
        Shape::Rest => canvas.rectangle(&class("calm dashed"), left, top, width, height, width.min(height) / 2.0),
    }
    let quiet = if node.shape == Shape::Rest { "t-quiet" } else { text_class(node.marked) };
    canvas.short(quiet, (x, y + 4.5), FONT, Anchor::Middle, &node.label, LABEL);
}

/// Edges from a node to itself, one loop for all, with their labels beside it.
fn draw_rounds(canvas: &mut Canvas, (x, y): (f64, f64), width: f64, edges: &[&Edge]) {
    let Some(first) = edges.first() else { return };
    let right = x + width / 2.0;
    let path =
        Path::from(right - 2.0, y - 6.0).curve((right + 34.0, y - 18.0), (right + 34.0, y + 18.0), (right, y + 6.0));
    canvas.path(&edge_class(first), &path);
    let head = Path::from(right, y + 6.0).to(right + 8.5, y + 4.5).to(right + 6.5, y + 12.0).close();
    canvas.path(head_class(first), &head);
    let top = y - (edges.len() as f64 - 1.0) / 2.0 * LINE + 4.0;
    for (index, edge) in edges.iter().enumerate() {
        let at = (right + 30.0, top + index as f64 * LINE);
        canvas.short(text_class(edge.marked), at, SMALL, Anchor::Start, &edge.label, LABEL);
    }
}
