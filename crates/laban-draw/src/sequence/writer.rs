//! The diagram of one body of a choreography: its terms one after the other, in frames that open and close.

use super::bodies::{Bodies, Interest, ends, following};
use super::spans;
use super::stage::labelled;
use super::{Diagram, Frame, Item, Lane, MessageKind, Span};
use crate::text::counted;
use laban::syntax::{ChoreographyTree, GlobalAction, GlobalFork, GlobalInteraction, LabelledValue, Name, Term, TermId};

/// More lanes than this are not drawn for the sake of references.
const MOST_LANES: usize = 40;
/// The way to the start of a loop.
const AGAIN: &str = "again";
/// The way to nowhere.
const STOP: &str = "stop";
/// The way to what concerns nobody in the focus.
const OTHERS: &str = "others go on";

/// What comes before how many steps are not drawn.
const MORE: &str = "… ";

/// Whether an item says that something is not drawn.
pub(super) fn is_folded(item: &Item) -> bool {
    matches!(item, Item::Remark { text, .. } if text.starts_with(MORE))
}

/// The way to the start of a loop that is not the innermost.
fn back_to(name: &str) -> String {
    format!("back to {name}")
}

/// How many interactions an action is.
pub(super) fn count(action: GlobalAction) -> usize {
    match action {
        GlobalAction::Interaction(_) | GlobalAction::Put(_) | GlobalAction::Take { .. } => 1,
        GlobalAction::Group(range) => range.len(),
    }
}

/// Whether all sections of a frame have the same items. `items` begin with the first section, at `start`, and the other
/// sections begin with the items at `next`.
fn sections_agree(items: &[Item], start: usize, next: &[usize]) -> bool {
    let ends = next.iter().copied().chain([start + items.len()]);
    let starts = [start].into_iter().chain(next.iter().map(|next| next + 1));
    let mut sections = starts.zip(ends).map(|(from, to)| items.get(from - start..to - start));
    let first = sections.next();
    sections.all(|section| Some(section) == first)
}

enum Work {
    Term(TermId),
    /// The next section of the innermost frame, with what is written on it.
    Next(String),
    Close,
}

/// A frame that is open.
struct Opened {
    /// Where it opens among the items.
    start: usize,
    /// Where its other sections begin.
    next: Vec<usize>,
    /// Whether there is anything in it but ways out.
    content: bool,
    looped: bool,
}

/// Writes the diagram of one body.
pub(super) struct Writer<'a> {
    tree: &'a ChoreographyTree,
    interest: &'a Interest<'a>,
    bodies: &'a Bodies,
    max_depth: usize,
    /// How many more items may be drawn.
    room: &'a mut usize,
    drawn: &'a mut Vec<bool>,
    diagram: Diagram,
    work: Vec<Work>,
    /// The procedures whose loops are open.
    loops: Vec<usize>,
    frames: Vec<Opened>,
    /// How many interactions were not asked for.
    left_out: usize,
    /// Whether some way through the body goes on in another one.
    goes_on: bool,
}

impl<'a> Writer<'a> {
    /// Starts a diagram. The room that is left, and what is drawn already, are those of all diagrams together.
    pub(super) fn new(
        tree: &'a ChoreographyTree,
        interest: &'a Interest<'a>,
        bodies: &'a Bodies,
        max_depth: usize,
        (room, drawn): (&'a mut usize, &'a mut Vec<bool>),
        diagram: Diagram,
        goes_on: bool,
    ) -> Self {
        let (work, loops, frames) = (Vec::new(), Vec::new(), Vec::new());
        Writer { tree, interest, bodies, max_depth, room, drawn, diagram, work, loops, frames, left_out: 0, goes_on }
    }

    /// The diagram of a body, and how many interactions of others are left out of it.
    pub(super) fn write(mut self, body: usize) -> (Diagram, usize) {
        let start = self.bodies.bodies[body].start;
        match self.bodies.bodies[body].again {
            true => self.open_loop(body),
            false => self.work.push(Work::Term(start)),
        }
        while let Some(work) = self.work.pop() {
            match work {
                Work::Term(term) => self.term(term),
                Work::Next(text) => {
                    let next = self.diagram.items.len();
                    if let Some(frame) = self.frames.last_mut() {
                        frame.next.push(next);
                    }
                    self.diagram.items.push(Item::Next { text });
                }
                Work::Close => self.close(),
            }
        }
        self.settle();
        (self.diagram, self.left_out)
    }

    fn term(&mut self, term: TermId) {
        match self.drawn.get_mut(term.index()) {
            Some(drawn) if !*drawn => {}
            _ => return,
        }
        let what = self.tree.term(term);
        let deep = matches!(what, Term::Fork(..)) && self.frames.len() >= self.max_depth;
        if deep || *self.room == 0 && !matches!(what, Term::Stop | Term::Call(_) | Term::Missing) {
            return self.fold(term);
        }
        self.drawn[term.index()] = true;
        match what {
            Term::Act(action, next) => {
                self.act(term, action);
                self.work.push(Work::Term(next));
            }
            Term::Fork(fork, arms) => {
                *self.room = self.room.saturating_sub(1);
                let text = |name| self.tree.text(name);
                match fork {
                    GlobalFork::If { process, condition } => {
                        let decides = format!("{}.{}", text(process), text(condition));
                        self.open(Frame::Alternative, decides, self.bodies.lane(process));
                    }
                    GlobalFork::Choose { process } => {
                        let chooses = format!("{} chooses: item 1", text(process));
                        self.open(Frame::Alternative, chooses, self.bodies.lane(process));
                    }
                    GlobalFork::Any => self.open(Frame::Race, String::new(), None),
                }
                self.work.push(Work::Close);
                for (index, arm) in arms.of(&self.tree.arms).iter().enumerate().rev() {
                    self.work.push(Work::Term(arm.body));
                    if index > 0 {
                        self.work.push(Work::Next(match fork {
                            GlobalFork::If { .. } => "otherwise".to_string(),
                            GlobalFork::Choose { .. } => format!("item {}", index + 1),
                            GlobalFork::Any => String::new(),
                        }));
                    }
                }
            }
            Term::Call(name) => self.call(name),
            Term::Stop => self.stop(),
            Term::Missing => {}
        }
    }

    fn act(&mut self, term: TermId, action: GlobalAction) {
        self.left_out += count(action) - self.interest.count(action);
        if let GlobalAction::Put(_) | GlobalAction::Take { .. } = action {
            return self.half(term, action);
        }
        let interactions = self.interest.drawn(action);
        match interactions.as_slice() {
            [] => {}
            [one] => self.message(*one),
            several => {
                self.open(Frame::Parallel, String::new(), None);
                for (index, &one) in several.iter().enumerate() {
                    if index > 0 {
                        self.diagram.items.push(Item::Next { text: String::new() });
                    }
                    self.message(one);
                }
                self.close();
            }
        }
    }

    /// One half of a message that waits.
    fn half(&mut self, term: TermId, action: GlobalAction) {
        let known = self.interest.message(term);
        let message = known.map(TermId::index);
        match action {
            _ if self.interest.count(action) == 0 => {}
            GlobalAction::Put(put) => {
                let interaction = self.tree.interaction(put);
                let (from, to) = ends(interaction);
                let (Some(from), Some(to)) = (self.bodies.lane(from), self.bodies.lane(to)) else { return };
                let (text, kind) = self.words(interaction);
                self.content(Item::Put { from, to, text, kind, message });
            }
            GlobalAction::Take { from, to } => {
                let (Some(from), Some(to)) = (self.bodies.lane(from), self.bodies.lane(to)) else { return };
                let put = known.map(|put| self.tree.term(put));
                let text = match put {
                    Some(Term::Act(GlobalAction::Put(put), _)) => {
                        let (text, kind) = self.words(self.tree.interaction(put));
                        if kind == MessageKind::Selection { format!("[{text}]") } else { text }
                    }
                    _ => String::new(),
                };
                self.content(Item::Take { from, to, text, message });
            }
            GlobalAction::Interaction(_) | GlobalAction::Group(_) => {}
        }
    }

    fn message(&mut self, interaction: GlobalInteraction) {
        let (from, to) = ends(interaction);
        let (Some(from), Some(to)) = (self.bodies.lane(from), self.bodies.lane(to)) else { return };
        let (text, kind) = self.words(interaction);
        self.content(Item::Message { from, to, text, kind });
    }

    /// What is written on a message.
    fn words(&self, interaction: GlobalInteraction) -> (String, MessageKind) {
        let text = |name: Name| self.tree.text(name);
        match interaction {
            GlobalInteraction::Communicate { expression, .. } => (text(expression).to_string(), MessageKind::Value),
            GlobalInteraction::Select { label, .. } => (text(label).to_string(), MessageKind::Selection),
            GlobalInteraction::SelectValue { content, .. } => {
                let LabelledValue { label, expression } = self.tree.labelled(content);
                (labelled(text(label), text(expression)), MessageKind::Selection)
            }
        }
    }

    fn call(&mut self, name: Name) {
        let Some(body) = self.bodies.called(name) else {
            return self.content(Item::Reference {
                text: self.tree.text(name).to_string(),
                span: Span::default(),
                diagram: None,
            });
        };
        if self.loops.last() == Some(&body) {
            return self.again();
        }
        if self.loops.contains(&body) {
            return self.remark(back_to(self.tree.text(name)));
        }
        if self.bodies.bodies[body].nested {
            if self.frames.len() < self.max_depth && *self.room > 0 {
                return self.open_loop(body);
            }
            return self.fold(self.bodies.bodies[body].start);
        }
        if self.bodies.bodies[body].busy {
            // Which diagram that is will be known once all are drawn.
            let text = self.tree.text(name).to_string();
            self.content(Item::Reference { text, span: Span::default(), diagram: Some(body) });
        } else {
            self.without();
        }
    }

    /// Back to the start of the innermost loop, which is written only where an empty arm would look as if it led
    /// nowhere.
    fn again(&mut self) {
        if self.in_empty_arm() {
            self.remark(AGAIN.to_string());
        }
    }

    /// The end, which is written wherever the reader could take it for something else: in a loop it would look as if it
    /// went round again, beside an arm that goes on as if this one did, and an arm with nothing in it as if something
    /// were missing.
    fn stop(&mut self) {
        if !self.loops.is_empty() || !self.frames.is_empty() && (self.goes_on || self.in_empty_arm()) {
            self.remark(STOP.to_string());
        }
    }

    fn in_empty_arm(&self) -> bool {
        let last = self.diagram.items.last();
        matches!(last, Some(Item::Next { .. } | Item::Open { frame: Frame::Alternative | Frame::Race, .. }))
    }

    /// Nothing more happens here to those in the focus; within a loop, it would look as if it went round again.
    fn without(&mut self) {
        if !self.loops.is_empty() {
            self.remark(OTHERS.to_string());
        }
    }

    fn open_loop(&mut self, body: usize) {
        let name = self.bodies.bodies[body].name;
        let text = name.map_or("", |name| self.tree.names.text(name)).to_string();
        self.open(Frame::Loop, text, None);
        if let Some(frame) = self.frames.last_mut() {
            frame.looped = true;
        }
        self.loops.push(body);
        self.work.push(Work::Close);
        self.work.push(Work::Term(self.bodies.bodies[body].start));
    }

    fn open(&mut self, frame: Frame, text: String, lane: Option<usize>) {
        self.frames.push(Opened { start: self.diagram.items.len(), next: Vec::new(), content: false, looped: false });
        self.diagram.items.push(Item::Open { frame, text, lane, span: Span::default() });
    }

    fn close(&mut self) {
        let Some(Opened { start, next, content, looped }) = self.frames.pop() else { return };
        if looped {
            self.loops.pop();
        }
        // How a loop within calls the way to the start of the one that is innermost now.
        let around = self.loops.last().and_then(|&body| self.bodies.bodies[body].name);
        let around = around.map(|name| back_to(self.tree.names.text(name)));
        let items = &mut self.diagram.items;
        if self.interest.is_narrow() && !content {
            match next.first() {
                _ if looped => {
                    let mut ways: Vec<String> = Vec::new();
                    for item in &items[start..] {
                        if let Item::Remark { text, .. } = item
                            && text != AGAIN
                            && !ways.contains(text)
                        {
                            ways.push(text.clone());
                        }
                    }
                    // A loop of others is left out, but not where it leads to from within another one.
                    if self.loops.is_empty() || ways.len() <= 1 {
                        items.truncate(start);
                        return match ways.pop() {
                            _ if self.loops.is_empty() => {}
                            Some(way) if Some(way.as_str()) == around.as_deref() => self.again(),
                            Some(way) => self.remark(way),
                            None => self.without(),
                        };
                    }
                }
                // All ways lead to the same, as far as those who are asked for can see.
                Some(&second) if sections_agree(&items[start + 1..], start + 1, &next) => {
                    items.truncate(second);
                    items.remove(start);
                    *self.room += 1;
                    // With the frame, the reason to say so may be gone.
                    if matches!(items.last(), Some(Item::Remark { text, .. }) if text == STOP) {
                        items.pop();
                        self.stop();
                    }
                    return;
                }
                _ => {}
            }
        }
        items.push(Item::Close);
        if let Some(around) = self.frames.last_mut() {
            around.content |= content;
        }
    }

    /// Draws something that counts.
    fn content(&mut self, item: Item) {
        *self.room = self.room.saturating_sub(1);
        self.diagram.items.push(item);
        if let Some(frame) = self.frames.last_mut() {
            frame.content = true;
        }
    }

    fn remark(&mut self, text: String) {
        self.diagram.items.push(Item::Remark { text, span: Span::default() });
    }

    /// Draws a remark in place of everything from here on.
    fn fold(&mut self, start: TermId) {
        let mut steps = 0;
        let mut work = vec![start];
        while let Some(term) = work.pop() {
            match self.drawn.get_mut(term.index()) {
                Some(drawn) if !*drawn => *drawn = true,
                _ => continue,
            }
            match self.tree.term(term) {
                Term::Act(action, _) => {
                    let drawn = self.interest.count(action);
                    self.left_out += count(action) - drawn;
                    steps += drawn;
                }
                Term::Fork(GlobalFork::If { .. } | GlobalFork::Choose { .. }, _) if !self.interest.is_narrow() => {
                    steps += 1;
                }
                Term::Call(name) => {
                    let callee = self.bodies.called(name).map(|body| &self.bodies.bodies[body]);
                    work.extend(callee.filter(|body| body.nested).map(|body| body.start));
                }
                _ => {}
            }
            work.extend(following(self.tree, term));
        }
        if steps > 0 {
            self.diagram
                .items
                .push(Item::Remark { text: format!("{MORE}{}", counted(steps, "more step")), span: Span::default() });
            if let Some(frame) = self.frames.last_mut() {
                frame.content = true;
            }
        } else if self.interest.is_narrow() {
            self.without();
        }
    }

    /// Keeps the lanes that are needed, and finds out how wide frames are.
    fn settle(&mut self) {
        let mut needed = vec![false; self.bodies.lanes.len()];
        let mut referred = needed.clone();
        for item in &self.diagram.items {
            match item {
                Item::Message { from, to, .. } | Item::Put { from, to, .. } | Item::Take { from, to, .. } => {
                    needed[*from] = true;
                    needed[*to] = true;
                }
                Item::Open { lane: Some(lane), .. } if !self.interest.is_narrow() => needed[*lane] = true,
                Item::Reference { diagram: Some(body), .. } => match &self.bodies.bodies[*body].lanes {
                    Some(lanes) => lanes.iter().for_each(|&lane| referred[lane] = true),
                    None => referred.fill(true),
                },
                _ => {}
            }
        }
        // Those who take part in what is drawn elsewhere are shown as well, unless they are a crowd.
        let mut count = needed.iter().filter(|&&needed| needed).count();
        let alone = count == 0;
        let more = (0..needed.len()).filter(|&lane| referred[lane] && !needed[lane]).count();
        if alone || count + more <= MOST_LANES {
            for lane in 0..needed.len() {
                if !needed[lane] && count < MOST_LANES && (referred[lane] || alone && more == 0) {
                    needed[lane] = true;
                    count += 1;
                }
            }
        }
        let mut place = vec![None; needed.len()];
        let name = |lane: usize| self.tree.names.text(self.bodies.lanes[lane]).to_string();
        let lanes = &mut self.diagram.lanes;
        for lane in (0..needed.len()).filter(|&lane| needed[lane]) {
            place[lane] = Some(lanes.len());
            lanes.push(Lane { name: name(lane), service: false, stuck: false });
        }
        let at = |lane: usize| place.get(lane).copied().flatten();
        let count = lanes.len();
        for item in &mut self.diagram.items {
            match item {
                Item::Message { from, to, .. } | Item::Put { from, to, .. } | Item::Take { from, to, .. } => {
                    *from = at(*from).unwrap_or(0);
                    *to = at(*to).unwrap_or(0);
                }
                Item::Open { lane, .. } => *lane = lane.and_then(at),
                Item::Reference { diagram, span, .. } => {
                    let lanes = diagram.and_then(|body| self.bodies.bodies[body].lanes.as_deref()).unwrap_or(&[]);
                    let first = lanes.iter().find_map(|&lane| at(lane));
                    let last = lanes.iter().rev().find_map(|&lane| at(lane));
                    *span = Span { first: first.unwrap_or(0), last: last.unwrap_or(count.saturating_sub(1)) };
                }
                _ => {}
            }
        }
        spans::settle(&mut self.diagram);
    }
}
