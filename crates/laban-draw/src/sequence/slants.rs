//! Messages that wait in queues, as slanted arrows: from where they are sent down to where they are taken.

use super::positions;
use super::svg::Drawing;
use super::{Fate, Item, MessageKind};
use crate::canvas::{Anchor, FONT, Path};
use crate::text::text_width;

/// How far below the top of its row an arrow starts or ends.
const LINE: f64 = 25.0;
/// The same for one that ends in a row without words.
const TAKEN: f64 = 14.0;
/// How far a message that is not taken here gets, of the way to the next lane.
const STUB: f64 = 44.0;
const FALL: f64 = 10.0;

impl Drawing<'_> {
    fn lane(&self, lane: usize) -> f64 {
        self.x + self.positions.lanes.get(lane).copied().unwrap_or(0.0)
    }

    /// Where an item starts.
    fn top(&self, index: usize) -> f64 {
        self.y + self.positions.tops.get(index).copied().unwrap_or(0.0)
    }

    /// Draws the arrows; what is written on them comes later and covers them.
    pub(super) fn slants(&mut self) {
        for index in 0..self.diagram.items.len() {
            match self.diagram.items[index] {
                Item::Take { from, to, kind, put: Some(put), .. } => {
                    let start = (self.lane(from), self.top(put) + LINE);
                    self.slant(start, (self.lane(to), self.top(index) + TAKEN), kind);
                }
                Item::Take { from, to, kind, put: None, .. } => {
                    let (from, to) = (self.lane(from), self.lane(to));
                    let right = if from < to { 1.0 } else { -1.0 };
                    let end = self.top(index) + LINE;
                    self.slant((to - right * STUB, end - FALL), (to, end), kind);
                }
                Item::Put { from, to, kind, fate, .. } => {
                    let (from, to) = (self.lane(from), self.lane(to));
                    let start = self.top(index) + LINE;
                    self.canvas.circle("dot", from, start, 2.5);
                    if fate != Fate::Taken {
                        let right = if from < to { 1.0 } else { -1.0 };
                        self.stub((from, start), (from + right * STUB, start + FALL), kind, fate);
                    }
                }
                _ => {}
            }
        }
    }

    fn slant(&mut self, start: (f64, f64), end: (f64, f64), kind: MessageKind) {
        let class = if kind == MessageKind::Value { "value" } else { "select" };
        let (along, down) = (end.0 - start.0, end.1 - start.1);
        let length = along.hypot(down).max(1.0);
        let (x, y) = (along / length, down / length);
        let back = (end.0 - 9.0 * x, end.1 - 9.0 * y);
        self.canvas.line(class, start.0, start.1, end.0 - 7.0 * x, end.1 - 7.0 * y);
        let (left, right) = ((back.0 - 4.5 * y, back.1 + 4.5 * x), (back.0 + 4.5 * y, back.1 - 4.5 * x));
        match kind {
            MessageKind::Value => {
                self.canvas.path("head", &Path::from(end.0, end.1).to(left.0, left.1).to(right.0, right.1).close());
            }
            MessageKind::Selection => {
                self.canvas.path("open", &Path::from(left.0, left.1).to(end.0, end.1).to(right.0, right.1));
            }
        }
    }

    /// A message that is not taken here: it ends in a red dot if it never is, and in an open end if it may be later.
    fn stub(&mut self, start: (f64, f64), end: (f64, f64), kind: MessageKind, fate: Fate) {
        match fate {
            Fate::Left => {
                self.canvas.line("red", start.0, start.1, end.0, end.1);
                self.canvas.circle("redhead", end.0, end.1, 4.0);
            }
            Fate::Taken | Fate::Open => {
                let class = if kind == MessageKind::Value { "value" } else { "select" };
                self.canvas.line(class, start.0, start.1, end.0, end.1);
                self.canvas.circle(class, end.0 + 3.0 * (end.0 - start.0).signum(), end.1, 3.0);
            }
        }
    }

    /// What is written where a message is sent, next to whoever sends it.
    pub(super) fn put(&mut self, from: usize, to: usize, text: &str, kind: MessageKind, y: f64) {
        let (near, far) = (self.lane(from), self.lane(to));
        let at = |width: f64| if near < far { near + 8.0 } else { near - 8.0 - width };
        self.written(at, text, kind, y);
    }

    /// What is written where a message is taken of which nobody knows here when it was sent.
    pub(super) fn take(&mut self, from: usize, to: usize, text: &str, kind: MessageKind, y: f64) {
        let (far, near) = (self.lane(from), self.lane(to));
        let at = |width: f64| if far < near { near - 14.0 - width } else { near + 14.0 };
        self.written(at, text, kind, y);
    }

    fn written(&mut self, at: impl Fn(f64) -> f64, text: &str, kind: MessageKind, y: f64) {
        let label = positions::message(text, kind, self.positions.label);
        let (class, whole) = match kind {
            MessageKind::Value => ("t-value", text.to_string()),
            MessageKind::Selection => ("t-label", format!("[{text}]")),
        };
        let x = at(text_width(&label, FONT));
        self.canvas.clearing(x, y + 16.0, FONT, Anchor::Start, &label);
        self.label(class, x, y + 16.0, Anchor::Start, &label, &whole);
    }
}
