//! Pictures of nodes and edges in SVG, laid out here.
//!
//! A [`Layout`] says where everything goes. A picture that would take too long is folded first, and says so.

use crate::canvas::{Anchor, Canvas, FONT, Path, SMALL};
use crate::layout::{Area, LABEL, LINE, Layout, groups};
use crate::part::{Part, SLANT};
use crate::picture::{Edge, Node, Picture, Shape};
use crate::route::{Piece, Point, Route};
use crate::text::{caption_lines, shortened};
use std::fmt::{self, Display, Formatter};

/// The most points that are laid out.
const MOST_POINTS: usize = 60_000;
/// The most nodes that are laid out.
const MOST_NODES: usize = 3_000;

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
    let layout = Layout::new(picture);
    let mut canvas = Canvas::default();
    for (group, area) in picture.groups.iter().zip(&layout.groups) {
        canvas.rectangle("shade", area.left, area.top, area.width, area.height, 6.0);
        canvas.short("", (area.left + 12.0, area.top + 20.0), FONT, Anchor::Start, &group.label, LABEL);
    }
    for (edge, route) in picture.edges.iter().zip(&layout.edges).filter(|(_, route)| !route.pieces.is_empty()) {
        draw_route(&mut canvas, edge, route);
    }
    for (edge, label) in picture.edges.iter().zip(&layout.labels) {
        if let Some(area) = label {
            draw_label(&mut canvas, edge, area);
        }
    }
    for (node, area) in picture.nodes.iter().zip(&layout.nodes) {
        if let Some(area) = area {
            draw_node(&mut canvas, area.middle(), (area.width, area.height), node);
        }
    }
    for (line, &(x, y)) in caption_lines(&picture.captions).iter().zip(&layout.captions) {
        canvas.text("t-quiet", x, y, SMALL, Anchor::Start, line);
    }
    canvas.write(f, layout.width, layout.height, "graph")
}

fn effort(picture: &Picture) -> usize {
    groups(picture).iter().map(|group| Part::new(picture, group).effort()).fold(0, usize::saturating_add)
}

fn draw_route(canvas: &mut Canvas, edge: &Edge, route: &Route) {
    let mut path = Path::from(route.start.0, route.start.1);
    for piece in &route.pieces {
        path = match *piece {
            Piece::Line((x, y)) => path.to(x, y),
            Piece::Curve(first, second, end) => path.curve(first, second, end),
        };
    }
    canvas.path(&edge_class(edge), &path);
    let tip = route.end();
    let (one, other) = barbs(route);
    canvas.path(head_class(edge), &Path::from(tip.0, tip.1).to(one.0, one.1).to(other.0, other.1).close());
}

/// The two corners at the back of an arrow's head.
fn barbs(route: &Route) -> (Point, Point) {
    let (x, y) = route.end();
    let before = match route.pieces.as_slice() {
        [.., before, Piece::Line(_)] => before.end(),
        [.., Piece::Curve(_, control, _)] => *control,
        _ => route.start,
    };
    let (along_x, along_y) = (x - before.0, y - before.1);
    let length = along_x.hypot(along_y).max(0.001);
    let (along_x, along_y) = (along_x / length, along_y / length);
    let (back_x, back_y) = (x - along_x * 8.0, y - along_y * 8.0);
    ((back_x - along_y * 4.0, back_y + along_x * 4.0), (back_x + along_y * 4.0, back_y - along_x * 4.0))
}

/// The lines of a label, on a patch that covers what lies behind it.
fn draw_label(canvas: &mut Canvas, edge: &Edge, area: &Area) {
    let (x, _) = area.middle();
    for (index, line) in edge.label.lines().enumerate() {
        let at = (x, area.top + 12.5 + index as f64 * LINE);
        canvas.clearing(at.0, at.1, SMALL, Anchor::Middle, &shortened(line, LABEL));
        canvas.short(text_class(edge.marked), at, SMALL, Anchor::Middle, line, LABEL);
    }
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

fn draw_node(canvas: &mut Canvas, (x, y): (f64, f64), (width, height): (f64, f64), node: &Node) {
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let thick = if node.thick { " thick" } else { "" };
    let dashed = if node.dashed { " dashed" } else { "" };
    let class = |plain: &str| match node.marked {
        true => format!("bad{dashed}{thick}"),
        false => format!("{plain}{dashed}{thick}"),
    };
    match node.shape {
        Shape::Box => canvas.rectangle(&class("box"), left, top, width, height, 4.0),
        Shape::Rounded => canvas.rectangle(&class("box dashed"), left, top, width, height, width.min(height) / 2.0),
        Shape::Circle => canvas.rectangle(&class("state"), left, top, width, height, width.min(height) / 2.0),
        Shape::Diamond | Shape::Race => {
            let (right, bottom) = (left + width, top + height);
            let sides = Path::from(left, y)
                .to(left + SLANT, top)
                .to(right - SLANT, top)
                .to(right, y)
                .to(right - SLANT, bottom)
                .to(left + SLANT, bottom);
            let plain = if node.shape == Shape::Race { "box" } else { "note" };
            canvas.path(&class(plain), &sides.close());
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
