//! Messages that wait, as arrows in a picture.
//!
//! An arrow falls from where the message is put to where it is taken. If that is not known, it ends at the sign for a
//! queue, and another one starts at such a sign.

use super::MessageKind;
use super::positions::{self, QUEUE};
use super::svg::Drawing;
use super::waiting::taking;
use crate::canvas::{Anchor, Canvas, FONT, Path, SMALL};
use crate::text::{shortened, text_width};

/// One half of a message that waits.
pub(super) struct Half {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Where its row starts.
    pub(super) y: f64,
}

impl Half {
    /// The lanes of its ends, and whether it goes right (1) or left (-1).
    fn ends(&self, drawing: &Drawing<'_>) -> (f64, f64, f64) {
        let x = |lane: usize| drawing.x + drawing.positions.lanes.get(lane).copied().unwrap_or(0.0);
        let (from, to) = (x(self.from), x(self.to));
        (from, to, if from < to { 1.0 } else { -1.0 })
    }

    /// A message is put into a queue, and arrives at a place further down, if that is known.
    pub(super) fn put(&self, drawing: &mut Drawing<'_>, text: &str, kind: MessageKind, arrival: Option<f64>) {
        let (from, to, right) = self.ends(drawing);
        let (class, head, text_class, whole) = match kind {
            MessageKind::Value => ("value", "value", "t-value", text.to_string()),
            MessageKind::Selection => ("select", "open", "t-label", format!("[{text}]")),
        };
        let label = positions::message(text, kind, drawing.positions.label);
        let (line, width) = (self.y + 25.0, text_width(&label, FONT));
        let end = match arrival {
            Some(arrival) => (to - right, arrival),
            None => (to - right * (QUEUE + 10.0), line),
        };
        let start = if right > 0.0 { from + 10.0 } else { from - 10.0 - width };
        drawing.canvas.clearing(start, self.y + 18.0, FONT, Anchor::Start, &label);
        drawing.canvas.line(class, from, line, end.0, end.1);
        arrow(drawing.canvas, head, (from, line), end);
        if arrival.is_none() {
            queue(drawing.canvas, to - right * (QUEUE + 8.0), line, right);
        }
        drawing.label(text_class, start, self.y + 18.0, Anchor::Start, &label, &whole);
    }

    /// A message is taken from a queue.
    pub(super) fn take(&self, drawing: &mut Drawing<'_>, text: &str) {
        let (_, to, right) = self.ends(drawing);
        let line = self.y + 25.0;
        let sender = drawing.diagram.lanes.get(self.from).map_or("", |lane| lane.name.as_str());
        let whole = taking(sender, text);
        let label = shortened(&whole, drawing.positions.label).into_owned();
        let width = text_width(&label, SMALL);
        let tail = to - right * 22.0;
        queue(drawing.canvas, tail - right * QUEUE, line, right);
        drawing.canvas.line("edge", tail, line, to - right, line);
        arrow(drawing.canvas, "edge", (tail, line), (to - right, line));
        let start = if right > 0.0 { to - 8.0 - width } else { to + 8.0 };
        drawing.canvas.clearing(start, self.y + 14.0, SMALL, Anchor::Start, &label);
        match label.len() == whole.len() {
            true => drawing.canvas.text("t-quiet", start, self.y + 14.0, SMALL, Anchor::Start, &label),
            false => drawing.canvas.titled(&whole, |canvas| {
                canvas.text("t-quiet", start, self.y + 14.0, SMALL, Anchor::Start, &label);
            }),
        }
    }
}

/// The open head of an arrow along a line.
fn arrow(canvas: &mut Canvas, class: &str, from: (f64, f64), to: (f64, f64)) {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let length = x.hypot(y).max(1.0);
    let (x, y) = (x / length, y / length);
    let (back_x, back_y) = (to.0 - 9.0 * x, to.1 - 9.0 * y);
    let head = Path::from(back_x - 5.0 * y, back_y + 5.0 * x).to(to.0, to.1).to(back_x + 5.0 * y, back_y - 5.0 * x);
    canvas.path(class, &head);
}

/// The sign for a queue, which begins here and goes on to the right (1) or left (-1): a box of three places.
fn queue(canvas: &mut Canvas, x: f64, y: f64, right: f64) {
    let left = if right > 0.0 { x } else { x - QUEUE };
    canvas.rectangle("state", left, y - 6.0, QUEUE, 12.0, 2.0);
    for place in [1.0, 2.0] {
        let x = left + QUEUE * place / 3.0;
        canvas.line("edge", x, y - 6.0, x, y + 6.0);
    }
}
