//! Where everything in a diagram goes.
//!
//! Lanes are as far apart as names and messages need. A frame is as wide as what is in it and a little more, so frames
//! within frames do not touch; rows follow one another, and only notes share one. Nothing is drawn here.

use super::waiting::{halves, taking};
use super::{Diagram, Frame, Item, MessageKind, NoteKind, Span};
use crate::canvas::{FONT, SMALL};
use crate::text::{shortened, text_width, wrapped};

/// The most characters of the name of a process.
pub(super) const NAME: usize = 24;
/// The most characters of a guard or the name of a loop.
pub(super) const GUARD: usize = 44;
/// The most characters of a remark, reference or title.
pub(super) const REMARK: usize = 64;
const NOTE: usize = 22;
/// With more lanes than this, notes are stacked rather than given room side by side.
const FEW_LANES: usize = 8;
const NOTE_LINES: usize = 9;

pub(super) const LINE: f64 = 16.0;
pub(super) const HEADER: f64 = 30.0;
/// How wide the sign for a queue is.
pub(super) const QUEUE: f64 = 18.0;
/// How much room a message needs where it arrives.
const ARRIVAL: f64 = 22.0;
/// How far a frame stays away from what is in it.
const PAD: f64 = 10.0;
/// How far a frame stays away from lifelines.
const AROUND: f64 = 16.0;

/// From left to right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    pub(super) left: f64,
    pub(super) right: f64,
}

impl Extent {
    fn around(middle: f64, width: f64) -> Self {
        Extent { left: middle - width / 2.0, right: middle + width / 2.0 }
    }

    fn include(&mut self, other: Extent) {
        self.left = self.left.min(other.left);
        self.right = self.right.max(other.right);
    }

    pub(super) fn middle(self) -> f64 {
        (self.left + self.right) / 2.0
    }
}

/// The positions of one diagram, relative to its upper left corner.
#[derive(Debug)]
pub(super) struct Positions {
    /// The middle of each lane.
    pub(super) lanes: Vec<f64>,
    /// How wide the box of each lane is.
    pub(super) names: Vec<f64>,
    /// For each item how far it reaches; frames at the item that opens them.
    pub(super) extents: Vec<Extent>,
    /// For each item where it starts, from the top of the diagram.
    pub(super) tops: Vec<f64>,
    /// Where the last item ends.
    pub(super) bottom: f64,
    pub(super) width: f64,
    /// The most characters of a message.
    pub(super) label: usize,
    /// For each item where a message is put or taken, the item of its other half, if there is one.
    pub(super) halves: Vec<Option<usize>>,
}

impl Positions {
    pub(super) fn new(diagram: &Diagram) -> Self {
        let label = if diagram.lanes.len() > 10 { 24 } else { 36 };
        let names: Vec<f64> = diagram
            .lanes
            .iter()
            .map(|lane| (text_width(&shortened(&lane.name, NAME), FONT) + 22.0).max(56.0))
            .collect();
        let lanes = lanes(diagram, &names, label);
        let mut positions = Positions {
            lanes,
            names,
            extents: Vec::with_capacity(diagram.items.len()),
            tops: Vec::with_capacity(diagram.items.len()),
            bottom: 0.0,
            width: 0.0,
            label,
            halves: halves(&diagram.items),
        };
        positions.find_extents(diagram);
        positions.find_rows(diagram);
        positions.shift();
        positions
    }

    fn lane(&self, lane: usize) -> f64 {
        self.lanes.get(lane).copied().unwrap_or(0.0)
    }

    pub(super) fn span(&self, span: Span) -> Extent {
        Extent { left: self.lane(span.first), right: self.lane(span.last) }
    }

    fn find_extents(&mut self, diagram: &Diagram) {
        // Frames that are open: where they open, and what is in them so far.
        let mut open: Vec<(usize, Extent, f64)> = Vec::new();
        for (index, item) in diagram.items.iter().enumerate() {
            let mut extent = match item {
                Item::Message { from, to, text, kind } if from == to => {
                    let x = self.lane(*from);
                    Extent { left: x, right: x + 44.0 + text_width(&message(text, *kind, self.label), FONT) }
                }
                Item::Message { from, to, .. } | Item::Put { from, to, .. } | Item::Take { from, to, .. } => {
                    self.span(Span { first: *from.min(to), last: *from.max(to) })
                }
                Item::Note { lane, text, kind } => Extent::around(self.lane(*lane), note_width(text, *kind)),
                Item::Remark { text, span } => {
                    let width = text_width(&shortened(text, REMARK), SMALL) + 24.0;
                    Extent::around(self.span(*span).middle(), width)
                }
                Item::Reference { text, span, .. } => {
                    let lanes = self.span(*span);
                    let width = text_width(&shortened(text, REMARK), FONT) + 2.0 * tab_width("ref") + 24.0;
                    Extent::around(lanes.middle(), width.max(lanes.right - lanes.left + 56.0))
                }
                Item::Open { frame, text, span, .. } => {
                    let Extent { left, right } = self.span(*span);
                    let title = tab_width(frame.as_str()) + text_width(&guard(*frame, text), FONT) + 24.0;
                    open.push((index, Extent { left: left - AROUND, right: right + AROUND }, title));
                    Extent { left, right }
                }
                Item::Next { text } => {
                    if let Some((_, _, title)) = open.last_mut() {
                        *title = title.max(text_width(&next(text), FONT) + 28.0);
                    }
                    Extent { left: f64::MAX, right: f64::MIN }
                }
                Item::Close => match open.pop() {
                    Some((start, inside, title)) => {
                        let left = inside.left - PAD;
                        let right = (inside.right + PAD).max(left + title);
                        let frame = Extent { left, right };
                        self.extents[start] = frame;
                        frame
                    }
                    None => Extent { left: f64::MAX, right: f64::MIN },
                },
            };
            if let Some((start, around, _)) = open.last_mut()
                && *start != index
            {
                around.include(extent);
            }
            if matches!(item, Item::Next { .. } | Item::Close) {
                extent = Extent { left: 0.0, right: 0.0 };
            }
            self.extents.push(extent);
        }
    }

    fn find_rows(&mut self, diagram: &Diagram) {
        let mut y = HEADER + 16.0;
        let mut index = 0;
        while let Some(item) = diagram.items.get(index) {
            if is_settled_note(item) {
                let end = index + diagram.items[index..].iter().take_while(|item| is_settled_note(item)).count();
                y = self.stack_notes(diagram, index, end, y);
                index = end;
                continue;
            }
            self.tops.push(y);
            let is_arrival = matches!(item, Item::Take { .. }) && self.halves[index].is_some();
            y += if is_arrival { ARRIVAL } else { height(item) };
            index += 1;
        }
        self.bottom = y + 6.0;
    }

    /// Puts notes next to each other where they fit, and below where not.
    fn stack_notes(&mut self, diagram: &Diagram, start: usize, end: usize, y: f64) -> f64 {
        // For each row where its last note ends, and how high it is.
        let mut rows: Vec<(f64, f64)> = Vec::new();
        let mut row_of = Vec::new();
        for index in start..end {
            let Extent { left, right } = self.extents[index];
            let height = height(&diagram.items[index]);
            let row = rows.iter().position(|&(last, _)| last + 8.0 <= left).unwrap_or(rows.len());
            if row == rows.len() {
                rows.push((right, height));
            }
            rows[row] = (right, rows[row].1.max(height));
            row_of.push(row);
        }
        let mut tops = Vec::new();
        let mut bottom = y;
        for (_, height) in rows {
            tops.push(bottom);
            bottom += height;
        }
        self.tops.extend(row_of.into_iter().map(|row| tops[row]));
        bottom
    }

    /// Moves everything so that it starts at 0.
    fn shift(&mut self) {
        let mut all = Extent { left: f64::MAX, right: f64::MIN };
        for (&lane, &width) in self.lanes.iter().zip(&self.names) {
            all.include(Extent::around(lane, width));
        }
        for &extent in self.extents.iter().filter(|extent| extent.left != extent.right) {
            all.include(extent);
        }
        for lane in &mut self.lanes {
            *lane -= all.left;
        }
        for extent in &mut self.extents {
            extent.left -= all.left;
            extent.right -= all.left;
        }
        self.width = all.right - all.left;
    }
}

fn is_settled_note(item: &Item) -> bool {
    matches!(item, Item::Note { kind, .. } if *kind != NoteKind::Decision)
}

/// The middle of each lane: as far left as names and messages permit.
fn lanes(diagram: &Diagram, names: &[f64], label: usize) -> Vec<f64> {
    let mut needs: Vec<(usize, usize, f64)> = Vec::new();
    for item in &diagram.items {
        let (from, to, width) = match item {
            Item::Message { from, to, text, kind } => (from, to, text_width(&message(text, *kind, label), FONT)),
            Item::Put { from, to, text, kind, .. } => {
                (from, to, text_width(&message(text, *kind, label), FONT) + 2.0 * QUEUE)
            }
            Item::Take { from, to, text, .. } => {
                let sender = diagram.lanes.get(*from).map_or("", |lane| lane.name.as_str());
                (from, to, text_width(&shortened(&taking(sender, text), label), SMALL))
            }
            _ => continue,
        };
        if from != to {
            needs.push((*from.max(to), *from.min(to), width + 36.0));
        }
    }
    needs.sort_by_key(|&(last, first, _)| (last, first));
    let mut needs = needs.into_iter().peekable();
    let mut lanes: Vec<f64> = Vec::with_capacity(names.len());
    let notes = if names.len() <= FEW_LANES { notes(diagram) } else { vec![0.0; names.len()] };
    for lane in 0..names.len() {
        let mut x = match lane {
            0 => 0.0,
            _ => lanes[lane - 1] + (names[lane - 1] + names[lane]) / 2.0 + 24.0,
        };
        if lane > 0 && notes[lane] > 0.0 && notes[lane - 1] > 0.0 {
            x = x.max(lanes[lane - 1] + (notes[lane - 1] + notes[lane]) / 2.0 + 10.0);
        }
        while let Some((_, first, width)) = needs.next_if(|&(last, ..)| last <= lane) {
            x = x.max(lanes.get(first).copied().unwrap_or(0.0) + width);
        }
        lanes.push(x);
    }
    lanes
}

/// How wide the widest note of each lane is, apart from decisions.
fn notes(diagram: &Diagram) -> Vec<f64> {
    let mut widest = vec![0.0; diagram.lanes.len()];
    for item in diagram.items.iter().filter(|item| is_settled_note(item)) {
        if let Item::Note { lane, text, kind } = item
            && let Some(widest) = widest.get_mut(*lane)
        {
            *widest = note_width(text, *kind).max(*widest);
        }
    }
    widest
}

fn note_width(text: &str, kind: NoteKind) -> f64 {
    let (lines, _) = note(text, kind);
    lines.iter().map(|line| text_width(line, SMALL)).fold(0.0, f64::max) + 18.0
}

pub(super) fn height(item: &Item) -> f64 {
    match item {
        Item::Message { .. } | Item::Put { .. } | Item::Take { .. } => 36.0,
        Item::Note { text, kind, .. } => note(text, *kind).0.len() as f64 * LINE + 20.0,
        Item::Remark { .. } => 30.0,
        Item::Reference { .. } => 46.0,
        Item::Open { .. } => 30.0,
        Item::Next { text } if text.is_empty() => 10.0,
        Item::Next { .. } => 32.0,
        Item::Close => 18.0,
    }
}

pub(super) fn tab_width(word: &str) -> f64 {
    text_width(word, SMALL) + 18.0
}

/// What is written on an arrow.
pub(super) fn message(text: &str, kind: MessageKind, most: usize) -> String {
    match kind {
        MessageKind::Value => shortened(text, most).into_owned(),
        MessageKind::Selection => format!("[{}]", shortened(text, most)),
    }
}

/// What is written at the top of a frame.
pub(super) fn guard(frame: Frame, text: &str) -> String {
    match frame {
        Frame::Alternative | Frame::Difference => format!("[{}]", shortened(text, GUARD)),
        Frame::Loop | Frame::Parallel | Frame::Race => shortened(text, GUARD).into_owned(),
    }
}

/// What is written at the beginning of a section.
pub(super) fn next(text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("[{}]", shortened(text, GUARD)),
    }
}

/// The lines of a note, and whether something is missing.
pub(super) fn note(text: &str, kind: NoteKind) -> (Vec<String>, bool) {
    match kind {
        NoteKind::Decision => {
            let short = shortened(text, GUARD);
            let missing = short.len() != text.len();
            (vec![short.into_owned()], missing)
        }
        _ => wrapped(text, NOTE, NOTE_LINES),
    }
}
