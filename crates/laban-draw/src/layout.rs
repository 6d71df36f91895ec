//! Where everything in a picture goes, before it is drawn.
//!
//! Each group is laid out on its own (`part`), and groups are put into rows so that the whole is about as wide as a
//! page.

use crate::canvas::{FONT, SMALL};
use crate::part::Part;
use crate::picture::{Group, Picture};
use crate::route::{Point, Route};
use crate::text::{caption_lines, shortened, text_width};

/// The most characters on a line of a node or an edge.
pub(crate) const LABEL: usize = 40;
/// How high a line of a label is.
pub(crate) const LINE: f64 = 15.0;
const MARGIN: f64 = 16.0;
const PAD: f64 = 12.0;
const TITLE: f64 = 20.0;
/// A page is this many times as wide as it is high.
const PAGE: f64 = 1.3;

/// A rectangle in a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Area {
    /// Its left side.
    pub left: f64,
    /// Its upper side.
    pub top: f64,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
}

impl Area {
    /// The area of this size around a point.
    pub(crate) fn around((x, y): Point, (width, height): (f64, f64)) -> Self {
        Area { left: x - width / 2.0, top: y - height / 2.0, width, height }
    }

    /// The point in the middle.
    pub fn middle(&self) -> Point {
        (self.left + self.width / 2.0, self.top + self.height / 2.0)
    }

    fn moved(self, (x, y): Point) -> Self {
        Area { left: self.left + x, top: self.top + y, ..self }
    }
}

/// Where everything in a [`Picture`] goes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    /// For each node its place; nothing if it is in no group of a picture with groups.
    pub nodes: Vec<Option<Area>>,
    /// For each edge its way. Edges from a node to itself share the way of the first.
    pub edges: Vec<Route>,
    /// For each edge where its label is, if it has one.
    pub labels: Vec<Option<Area>>,
    /// For each group the frame around it.
    pub groups: Vec<Area>,
    /// For each line of the captions where its text starts.
    pub captions: Vec<Point>,
    /// How wide the picture is.
    pub width: f64,
    /// How high the picture is.
    pub height: f64,
}

impl Layout {
    /// Lays a picture out.
    pub fn new(picture: &Picture) -> Self {
        let mut layout = Layout {
            nodes: vec![None; picture.nodes.len()],
            edges: vec![Route::default(); picture.edges.len()],
            labels: vec![None; picture.edges.len()],
            ..Layout::default()
        };
        let groups = groups(picture);
        let titled = !picture.groups.is_empty();
        let parts: Vec<Part<'_>> = groups.iter().map(|group| Part::new(picture, group).laid_out()).collect();
        let frame = |(part, group): (&Part<'_>, &Group)| match titled {
            true => {
                let title = text_width(&shortened(&group.label, LABEL), FONT);
                (part.width().max(title) + 2.0 * PAD, part.height() + 2.0 * PAD + TITLE)
            }
            false => (part.width(), part.height()),
        };
        let sizes: Vec<(f64, f64)> = parts.iter().zip(&groups).map(frame).collect();
        let (width, height, corners) = page(&sizes);
        for ((part, &(left, top)), &(width, height)) in parts.iter().zip(&corners).zip(&sizes) {
            let frame = Area { left: left + MARGIN, top: top + MARGIN, width, height };
            let inside = match titled {
                true => (frame.left + PAD, frame.top + PAD + TITLE),
                false => (frame.left, frame.top),
            };
            if titled {
                layout.groups.push(frame);
            }
            part.place(&mut layout, inside);
        }
        layout.width = width + 2.0 * MARGIN;
        layout.height = height + 2.0 * MARGIN;
        let lines = caption_lines(&picture.captions);
        layout.height += if lines.is_empty() { 0.0 } else { 8.0 };
        for line in lines {
            layout.captions.push((MARGIN, layout.height));
            layout.width = layout.width.max(text_width(&line, SMALL) + 2.0 * MARGIN);
            layout.height += LINE + 2.0;
        }
        layout
    }

    pub(crate) fn put_node(&mut self, node: usize, area: Area, at: Point) {
        if let Some(slot) = self.nodes.get_mut(node) {
            *slot = Some(area.moved(at));
        }
    }

    pub(crate) fn put_edge(&mut self, edge: usize, route: Route, label: Option<Area>, at: Point) {
        if let (Some(route_slot), Some(label_slot)) = (self.edges.get_mut(edge), self.labels.get_mut(edge)) {
            *route_slot = route;
            *label_slot = label.map(|label| label.moved(at));
        }
    }
}

/// The groups; the whole if there are none.
pub(crate) fn groups(picture: &Picture) -> Vec<Group> {
    match picture.groups.is_empty() {
        true => vec![Group { label: String::new(), start: 0, end: picture.nodes.len() }],
        false => picture.groups.clone(),
    }
}

/// Rows of boxes in the shape of a page: how wide and high it is, and the corner of each box.
fn page(sizes: &[(f64, f64)]) -> (f64, f64, Vec<Point>) {
    let widest = sizes.iter().map(|size| size.0).fold(0.0, f64::max);
    // Each width at which a row could end, counted from some box.
    let mut best = rows(sizes, widest);
    let ends = |start: usize| {
        sizes[start..].iter().take(24).scan(0.0, |sum, size| {
            *sum += size.0 + PAD;
            Some(*sum)
        })
    };
    for limit in (0..sizes.len().min(24)).flat_map(ends).filter(|&limit| limit > widest) {
        let found = rows(sizes, limit);
        let cost = |(width, height, _): &(f64, f64, Vec<Point>)| width.max(height * PAGE);
        if cost(&found) < cost(&best) {
            best = found;
        }
    }
    best
}

/// Boxes in rows of this width. A box that is low goes below its neighbour if the row has room there.
fn rows(sizes: &[(f64, f64)], limit: f64) -> (f64, f64, Vec<Point>) {
    let mut corners = Vec::with_capacity(sizes.len());
    let (mut top, mut bottom, mut right): (f64, f64, f64) = (0.0, 0.0, 0.0);
    // The column that a box can still go into: its left side, its width, and how far it is filled.
    let (mut left, mut wide, mut filled): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for (number, &(width, height)) in sizes.iter().enumerate() {
        let fits = width <= wide || left + width <= limit;
        let below = number > 0 && fits && filled + PAD + height <= bottom;
        let corner = if below {
            wide = wide.max(width);
            (left, filled + PAD)
        } else {
            let next = if number == 0 { 0.0 } else { left + wide + PAD };
            if number > 0 && next + width > limit {
                top = bottom + PAD;
                left = 0.0;
            } else {
                left = next;
            }
            wide = width;
            (left, top)
        };
        filled = corner.1 + height;
        bottom = bottom.max(filled);
        right = right.max(corner.0 + width);
        corners.push(corner);
    }
    (right, bottom, corners)
}
