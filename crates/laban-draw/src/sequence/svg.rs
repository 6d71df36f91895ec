//! Sequence diagrams as pictures.
//!
//! Diagrams of one part are below each other, and parts side by side. Where things go is worked out first, in
//! `positions`; here they are drawn.

use super::half::Half;
use super::positions::{self, Extent, Positions, REMARK};
use super::{Diagram, DrawnStep, Frame, Item, MessageKind, NoteKind, Sequence};
use crate::canvas::{Anchor, Attribute, Canvas, FONT, LARGE, Path, SMALL};
use crate::text::{shortened, text_width};
use std::fmt::{self, Display, Formatter};

/// Parts go on in a new row where they would get wider than this.
const WIDEST: f64 = 1800.0;
const MARGIN: f64 = 20.0;
const BETWEEN: f64 = 36.0;
const TITLE: f64 = 34.0;
/// A diagram that is higher than this names its lanes below as well.
const HIGH: f64 = 600.0;

/// Prints the diagrams as one picture in SVG.
#[derive(Debug, Clone, Copy)]
pub struct SvgSequence<'a>(pub &'a Sequence);

impl Display for SvgSequence<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(f, self.0, false)
    }
}

/// Prints the diagrams as the same picture, in which a page can find the steps of a run and the processes.
///
/// What is drawn for a step is in a group of class `step`, with its number in `data-step` and that of its diagram in
/// `data-diagram`. If it is an arrow, `data-x1`, `data-y1`, `data-x2` and `data-y2` say where it starts and ends, and
/// `data-taken` is the number of the step in which the message is taken, if that is another one. What is drawn for a
/// process is in groups of class `lane`, with its name in `data-process` and its place in `data-x`.
#[derive(Debug, Clone, Copy)]
pub struct SvgSteps<'a>(pub &'a Sequence);

impl Display for SvgSteps<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(f, self.0, true)
    }
}

fn write(f: &mut Formatter<'_>, sequence: &Sequence, marked: bool) -> fmt::Result {
    let Sequence { diagrams, remarks, .. } = sequence;
    let mut canvas = Canvas::default();
    let (mut x, mut y) = (MARGIN, MARGIN);
    let (mut right, mut bottom) = (MARGIN, MARGIN);
    let mut next = 0;
    while let Some(first) = diagrams.get(next) {
        let column: Vec<(usize, &Diagram, Positions)> = diagrams[next..]
            .iter()
            .enumerate()
            .take_while(|(_, diagram)| diagram.part == first.part)
            .map(|(index, diagram)| (next + index, diagram, Positions::new(diagram)))
            .collect();
        next += column.len();
        let width = column.iter().map(|(_, diagram, positions)| width(diagram, positions)).fold(0.0, f64::max);
        if x > MARGIN && x + width > WIDEST {
            x = MARGIN;
            y = bottom + BETWEEN;
        }
        let mut below = y;
        for (index, (number, diagram, positions)) in column.iter().enumerate() {
            below += if index > 0 { BETWEEN } else { 0.0 };
            let top = below;
            canvas.target(*number, |canvas| {
                below = Drawing { canvas, diagram, positions, x, y: top, marked: marked.then_some(*number) }.draw();
            });
        }
        right = right.max(x + width);
        bottom = bottom.max(below);
        x += width + BETWEEN;
    }
    for remark in remarks {
        bottom += 22.0;
        let width = text_width(&shortened(remark, REMARK), SMALL);
        right = right.max(MARGIN + width);
        canvas.short("t-quiet", (MARGIN, bottom), SMALL, Anchor::Start, remark, REMARK);
    }
    let title = diagrams.first().map(|diagram| diagram.title.as_str()).filter(|title| !title.is_empty());
    canvas.write(f, right + MARGIN, bottom + MARGIN, title.unwrap_or("sequence diagram"))
}

/// How wide a diagram is, with its title and remarks.
fn width(diagram: &Diagram, positions: &Positions) -> f64 {
    let title = text_width(&shortened(&diagram.title, REMARK), LARGE);
    let remarks = diagram.remarks.iter().map(|remark| text_width(&shortened(remark, REMARK), SMALL));
    remarks.fold(positions.width.max(title), f64::max)
}

pub(super) struct Drawing<'a> {
    pub(super) canvas: &'a mut Canvas,
    pub(super) diagram: &'a Diagram,
    pub(super) positions: &'a Positions,
    pub(super) x: f64,
    y: f64,
    /// The number of the diagram, if a page wants to find things in it.
    marked: Option<usize>,
}

impl Drawing<'_> {
    /// Draws everything and says where it ends.
    fn draw(mut self) -> f64 {
        if !self.diagram.title.is_empty() {
            self.canvas.short("", (self.x, self.y + LARGE), LARGE, Anchor::Start, &self.diagram.title, REMARK);
            self.y += TITLE;
        }
        let end = self.y + self.positions.bottom;
        let high = self.positions.bottom > HIGH;
        // Where a cycle goes on forever, nothing ends.
        let over = !high && matches!(self.diagram.items.last(), Some(Item::Note { .. }));
        for (&lane, lane_of) in self.positions.lanes.iter().zip(&self.diagram.lanes) {
            let x = self.x + lane;
            self.begin_lane(&lane_of.name, x);
            self.canvas.line("life", x, self.y + positions::HEADER, x, end);
            if over && lane_of.stuck {
                self.cross(x, end);
            }
            self.end();
        }
        self.names(self.y);
        self.items();
        let mut bottom = end;
        if high {
            self.names(end);
            bottom += positions::HEADER;
        }
        for remark in &self.diagram.remarks {
            bottom += 22.0;
            self.canvas.short("t-quiet", (self.x, bottom), SMALL, Anchor::Start, remark, REMARK);
        }
        bottom + 6.0
    }

    /// Where a lifeline ends that should have gone on.
    fn cross(&mut self, x: f64, y: f64) {
        self.canvas.path("red thick", &Path::from(x - 5.0, y - 5.0).to(x + 5.0, y + 5.0));
        self.canvas.path("red thick", &Path::from(x - 5.0, y + 5.0).to(x + 5.0, y - 5.0));
    }

    fn names(&mut self, y: f64) {
        for ((lane, &x), &width) in self.diagram.lanes.iter().zip(&self.positions.lanes).zip(&self.positions.names) {
            let class = match (lane.stuck, lane.service) {
                (true, true) => "bad dashed",
                (true, false) => "bad",
                (false, true) => "box dashed",
                (false, false) => "box",
            };
            let x = self.x + x;
            self.begin_lane(&lane.name, x);
            self.canvas.rectangle(class, x - width / 2.0, y, width, positions::HEADER, 4.0);
            self.canvas.short("", (x, y + 20.0), FONT, Anchor::Middle, &lane.name, positions::NAME);
            self.end();
        }
    }

    /// What is drawn from here on belongs to a process.
    fn begin_lane(&mut self, name: &str, x: f64) {
        if let Some(diagram) = self.marked {
            let place = [("diagram", Attribute::Count(diagram)), ("x", Attribute::Coordinate(x))];
            self.canvas.begin("lane", &[place[0], place[1], ("process", Attribute::Text(name))]);
        }
    }

    /// What is drawn from here on belongs to a step, if the item is one. Says whether it is.
    fn begin_step(&mut self, index: usize, y: f64) -> bool {
        let Some(diagram) = self.marked else { return false };
        let step_at = |item: usize| {
            let steps = &self.diagram.steps;
            let found = steps.binary_search_by_key(&item, |step| step.item).ok()?;
            steps.get(found).copied()
        };
        let Some(DrawnStep { step, taken, .. }) = step_at(index) else { return false };
        let mut attributes = vec![("diagram", Attribute::Count(diagram)), ("step", Attribute::Count(step))];
        let arrival = self.positions.halves[index];
        let item = self.diagram.items.get(index);
        if arrival.is_some() && matches!(item, Some(Item::Take { .. })) {
            // The arrow is drawn where it starts.
            return false;
        }
        let taken = taken.or_else(|| Some(step_at(arrival?)?.step));
        if let Some(taken) = taken {
            attributes.push(("taken", Attribute::Count(taken)));
        }
        if let Some(Item::Message { from, to, .. } | Item::Put { from, to, .. } | Item::Take { from, to, .. }) = item {
            let x = |lane: &usize| self.x + self.positions.lanes.get(*lane).copied().unwrap_or(0.0);
            let line = y + 25.0;
            let end = match arrival {
                Some(take) => self.y + self.positions.tops[take] + 11.0,
                None => line,
            };
            let ends = [("x1", x(from)), ("y1", line), ("x2", x(to)), ("y2", end)];
            attributes.extend(ends.map(|(name, at)| (name, Attribute::Coordinate(at))));
        }
        self.canvas.begin("step", &attributes);
        true
    }

    fn end(&mut self) {
        if self.marked.is_some() {
            self.canvas.end();
        }
    }

    fn items(&mut self) {
        let mut open: Vec<(Frame, Extent, f64)> = Vec::new();
        for (index, item) in self.diagram.items.iter().enumerate() {
            let y = self.y + self.positions.tops[index];
            let Extent { left, right } = self.positions.extents[index];
            let extent = Extent { left: left + self.x, right: right + self.x };
            let is_step = self.begin_step(index, y);
            match item {
                Item::Message { from, to, text, kind } => self.message(*from, *to, text, *kind, y),
                Item::Put { from, to, text, kind, .. } => {
                    let arrival = self.positions.halves[index].map(|take| self.y + self.positions.tops[take] + 11.0);
                    Half { from: *from, to: *to, y }.put(self, text, *kind, arrival);
                }
                Item::Take { from, to, text, .. } if self.positions.halves[index].is_none() => {
                    Half { from: *from, to: *to, y }.take(self, text);
                }
                // The arrow is drawn where it starts.
                Item::Take { .. } => {}
                Item::Note { text, kind, .. } => self.note(extent, text, *kind, y),
                Item::Remark { text, .. } => {
                    let Extent { left, right } = extent;
                    self.canvas.rectangle("calm", left, y + 3.0, right - left, 22.0, 11.0);
                    self.canvas.short("t-quiet", (extent.middle(), y + 18.0), SMALL, Anchor::Middle, text, REMARK);
                }
                Item::Reference { text, diagram, .. } => match diagram {
                    Some(diagram) => {
                        let target = *diagram;
                        self.canvas.link(target, |canvas| reference(canvas, extent, text, y));
                    }
                    None => reference(self.canvas, extent, text, y),
                },
                Item::Open { frame, text, .. } => {
                    open.push((*frame, extent, y));
                    self.tab(extent.left, y + 4.0, frame.as_str());
                    let x = extent.left + positions::tab_width(frame.as_str()) + 10.0;
                    self.guard(x, y + 19.0, text, &positions::guard(*frame, text));
                }
                Item::Next { text } => {
                    if let Some((_, frame, _)) = open.last() {
                        let Extent { left, right } = *frame;
                        self.canvas.line("cut", left, y + 5.0, right, y + 5.0);
                        self.guard(left + 12.0, y + 23.0, text, &positions::next(text));
                    }
                }
                Item::Close => {
                    if let Some((_, Extent { left, right }, top)) = open.pop() {
                        self.canvas.rectangle("frame", left, top + 4.0, right - left, y - top + 4.0, 2.0);
                    }
                }
            }
            if is_step {
                self.canvas.end();
            }
        }
    }

    fn message(&mut self, from: usize, to: usize, text: &str, kind: MessageKind, y: f64) {
        let x = |lane: usize| self.x + self.positions.lanes.get(lane).copied().unwrap_or(0.0);
        let (from_x, to_x) = (x(from), x(to));
        let label = positions::message(text, kind, self.positions.label);
        let (class, text_class) = match kind {
            MessageKind::Value => ("value", "t-value"),
            MessageKind::Selection => ("select", "t-label"),
        };
        let whole = match kind {
            MessageKind::Value => text.to_string(),
            MessageKind::Selection => format!("[{text}]"),
        };
        let line = y + 25.0;
        if from == to {
            let loops =
                Path::from(from_x, y + 10.0).to(from_x + 28.0, y + 10.0).to(from_x + 28.0, line).to(from_x + 8.0, line);
            self.canvas.path(class, &loops);
            arrow(self.canvas, kind, from_x, line, -1.0);
            return self.label(text_class, from_x + 36.0, y + 21.0, Anchor::Start, &label, &whole);
        }
        let right = if from_x < to_x { 1.0 } else { -1.0 };
        let middle = (from_x + to_x) / 2.0;
        if from.abs_diff(to) > 1 {
            self.canvas.clearing(middle, y + 18.0, FONT, Anchor::Middle, &label);
        }
        self.canvas.line(class, from_x, line, to_x - right * 7.0, line);
        arrow(self.canvas, kind, to_x, line, right);
        self.label(text_class, middle, y + 18.0, Anchor::Middle, &label, &whole);
    }

    pub(super) fn label(&mut self, class: &str, x: f64, y: f64, anchor: Anchor, label: &str, whole: &str) {
        match label.len() == whole.len() {
            true => self.canvas.text(class, x, y, FONT, anchor, label),
            false => self.canvas.titled(whole, |canvas| canvas.text(class, x, y, FONT, anchor, label)),
        }
    }

    fn guard(&mut self, x: f64, y: f64, text: &str, shown: &str) {
        if shown.is_empty() {
            return;
        }
        self.canvas.clearing(x, y, FONT, Anchor::Start, shown);
        let cut = !shown.contains(text);
        match cut {
            false => self.canvas.text("", x, y, FONT, Anchor::Start, shown),
            true => self.canvas.titled(text, |canvas| canvas.text("", x, y, FONT, Anchor::Start, shown)),
        }
    }

    fn tab(&mut self, x: f64, y: f64, word: &str) {
        tab(self.canvas, x, y, word);
    }

    fn note(&mut self, extent: Extent, text: &str, kind: NoteKind, y: f64) {
        let (lines, missing) = positions::note(text, kind);
        let Extent { left, right } = extent;
        let (class, text_class, round) = match kind {
            NoteKind::Decision => ("note", "", 10.0),
            NoteKind::Stuck | NoteKind::Differs | NoteKind::Lost => ("bad", "t-bad", 2.0),
            NoteKind::Waiting | NoteKind::Stopped => ("calm", "t-quiet", 2.0),
            NoteKind::Idle => ("calm dashed", "t-quiet", 2.0),
            NoteKind::Queue => ("box", "", 2.0),
        };
        let draw = |canvas: &mut Canvas| {
            let height = lines.len() as f64 * positions::LINE + 8.0;
            canvas.rectangle(class, left, y + 4.0, right - left, height, round);
            for (index, line) in lines.iter().enumerate() {
                let y = y + 20.0 + index as f64 * positions::LINE;
                canvas.text(text_class, extent.middle(), y, SMALL, Anchor::Middle, line);
            }
        };
        match missing {
            true => self.canvas.titled(text, draw),
            false => draw(self.canvas),
        }
    }
}

/// The word in the upper left corner of a frame.
fn tab(canvas: &mut Canvas, x: f64, y: f64, word: &str) {
    let width = positions::tab_width(word);
    let corner =
        Path::from(x, y).to(x + width, y).to(x + width, y + 13.0).to(x + width - 6.0, y + 20.0).to(x, y + 20.0);
    canvas.path("tab", &corner.close());
    canvas.text("t-quiet", x + 6.0, y + 14.0, SMALL, Anchor::Start, word);
}

/// A box that stands for another diagram.
fn reference(canvas: &mut Canvas, extent: Extent, text: &str, y: f64) {
    let Extent { left, right } = extent;
    canvas.rectangle("box", left, y + 4.0, right - left, 36.0, 2.0);
    tab(canvas, left, y + 4.0, "ref");
    canvas.short("", (extent.middle(), y + 27.0), FONT, Anchor::Middle, text, REMARK);
}

/// The head of an arrow that goes right (1) or left (-1) and ends at this point.
fn arrow(canvas: &mut Canvas, kind: MessageKind, x: f64, y: f64, right: f64) {
    let back = x - right * 9.0;
    match kind {
        MessageKind::Value => {
            canvas.path("head", &Path::from(x - right, y).to(back, y - 4.5).to(back, y + 4.5).close());
        }
        MessageKind::Selection => {
            canvas.path("open", &Path::from(back, y - 5.0).to(x - right, y).to(back, y + 5.0));
        }
    }
}
