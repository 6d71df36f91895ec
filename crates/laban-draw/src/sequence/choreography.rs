//! The diagrams of a choreography.

use super::bodies::{Bodies, Interest, ends, following};
use super::spans;
use super::{Diagram, Frame, Item, Lane, MessageKind, Sequence, Span};
use crate::focus::Focus;
use crate::text::counted;
use laban::syntax::{ChoreographyTree, GlobalAction, GlobalFork, Interaction, Name, Term, TermId};

/// More lanes than this are not drawn for the sake of references.
const MOST_LANES: usize = 40;
/// The way to the start of a loop.
const AGAIN: &str = "again";
/// The way to nowhere.
const STOP: &str = "stop";
/// The way to what concerns nobody in the focus.
const OTHERS: &str = "others go on";

/// The diagrams of a choreography: for each parallel part its `main`, then the procedures that are not loops.
///
/// A conditional is a frame with two sections. A procedure that is entered in one place and otherwise called from within
/// only is drawn there, as a loop; every other call is a reference to the diagram of the procedure.
pub fn choreography(tree: &ChoreographyTree, focus: &Focus) -> Sequence {
    let interest = Interest::new(tree, focus);
    let mut sequence = Sequence::default();
    let mut drawn = vec![false; tree.terms.len()];
    let mut room = focus.max_items;
    let (mut missing, mut missing_parts) = (0, 0);
    for (part, unit) in tree.units.iter().enumerate() {
        // The first is drawn in any case, and of many small ones not all.
        let full = room == 0 || sequence.diagrams.len() >= focus.max_items;
        if full && part > 0 {
            missing_parts += 1;
            continue;
        }
        let bodies = Bodies::new(tree, unit, &interest);
        // The diagram of each body.
        let mut diagram_of = vec![None; bodies.bodies.len()];
        let first = sequence.diagrams.len();
        let mut left_out = Vec::new();
        for (number, body) in bodies.bodies.iter().enumerate() {
            if !body.reached || body.nested || number > 0 && !body.busy {
                continue;
            }
            if number > 0 && room == 0 {
                missing += 1;
                continue;
            }
            diagram_of[number] = Some(sequence.diagrams.len());
            let writer = Writer {
                tree,
                interest: &interest,
                bodies: &bodies,
                max_depth: focus.max_depth,
                room: &mut room,
                drawn: &mut drawn,
                diagram: Diagram { title: title(tree, body.name), part, ..Diagram::default() },
                work: Vec::new(),
                loops: Vec::new(),
                frames: Vec::new(),
                left_out: 0,
                goes_on: bodies.goes_on(tree, number),
            };
            let (diagram, skipped) = writer.write(number);
            sequence.diagrams.push(diagram);
            left_out.push(skipped);
        }
        // Procedures that concern nobody in the focus are not drawn, so nobody has counted them.
        for body in bodies.bodies.iter().filter(|body| body.reached && !body.busy) {
            let skipped = body.terms.iter().filter(|term| !drawn[term.index()]);
            left_out[0] += skipped.map(|&term| interactions(tree, term)).sum::<usize>();
        }
        for (diagram, left_out) in sequence.diagrams[first..].iter_mut().zip(left_out) {
            if left_out > 0 {
                let are = if left_out == 1 { "is" } else { "are" };
                diagram.remarks.push(format!("{} of others {are} left out", counted(left_out, "interaction")));
            }
            for item in &mut diagram.items {
                if let Item::Reference { diagram, .. } = item {
                    *diagram = diagram.and_then(|body| diagram_of.get(body).copied().flatten());
                }
            }
        }
    }
    finish(&mut sequence, missing, missing_parts);
    sequence
}

/// The processes that are named in a choreography, in the order of the text.
pub fn participants(tree: &ChoreographyTree) -> Vec<&str> {
    let mut seen = vec![false; tree.names.len()];
    let mut names = Vec::new();
    let mut meet = |name: Name| {
        if let Some(seen) = seen.get_mut(name.symbol.index())
            && !std::mem::replace(seen, true)
        {
            names.push(tree.text(name));
        }
    };
    for term in &tree.terms {
        match term {
            Term::Act(action, _) => {
                let one;
                let interactions = match action {
                    GlobalAction::Interaction(interaction) => {
                        one = [*interaction];
                        &one[..]
                    }
                    GlobalAction::Group(range) => range.of(&tree.interactions),
                };
                for &interaction in interactions {
                    let (from, to) = ends(interaction);
                    meet(from);
                    meet(to);
                }
            }
            Term::Fork(GlobalFork::If { process, .. }, _) => meet(*process),
            Term::Stop | Term::Call(_) | Term::Missing => {}
        }
    }
    names
}

/// The way to the start of a loop that is not the innermost.
fn back_to(name: &str) -> String {
    format!("back to {name}")
}

/// How many interactions an action is.
fn count(action: GlobalAction) -> usize {
    match action {
        GlobalAction::Interaction(_) => 1,
        GlobalAction::Group(range) => range.len(),
    }
}

/// How many interactions a term is.
fn interactions(tree: &ChoreographyTree, term: TermId) -> usize {
    match tree.term(term) {
        Term::Act(action, _) => count(action),
        _ => 0,
    }
}

fn title(tree: &ChoreographyTree, name: Option<laban::syntax::Symbol>) -> String {
    name.map_or("main", |name| tree.names.text(name)).to_string()
}

/// Titles tell diagrams apart: one alone needs none, and parts are numbered if there are several.
fn finish(sequence: &mut Sequence, missing: usize, missing_parts: usize) {
    let parts = sequence.parts() + missing_parts;
    match sequence.diagrams.as_mut_slice() {
        [alone] if parts == 1 => alone.title.clear(),
        several if parts > 1 => {
            let mut before = None;
            for diagram in several {
                let part = diagram.part + 1;
                // The first of each part is its `main`.
                diagram.title = match before.replace(diagram.part) == Some(diagram.part) {
                    true => format!("part {part}: {}", diagram.title),
                    false => format!("part {part}"),
                };
            }
        }
        _ => {}
    }
    for (missing, what) in [(missing, "more procedure"), (missing_parts, "more part")] {
        if missing > 0 {
            let are = if missing == 1 { "is" } else { "are" };
            sequence.remarks.push(format!("{} {are} not drawn", counted(missing, what)));
        }
    }
}

enum Work {
    Term(TermId),
    Next,
    Close,
}

/// A frame that is open.
struct Opened {
    /// Where it opens among the items.
    start: usize,
    /// Where its second section begins, if it has one.
    next: Option<usize>,
    /// Whether there is anything in it but ways out.
    content: bool,
    looped: bool,
}

struct Writer<'a> {
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

impl Writer<'_> {
    /// The diagram of a body, and how many interactions of others are left out of it.
    fn write(mut self, body: usize) -> (Diagram, usize) {
        let start = self.bodies.bodies[body].start;
        match self.bodies.bodies[body].again {
            true => self.open_loop(body),
            false => self.work.push(Work::Term(start)),
        }
        while let Some(work) = self.work.pop() {
            match work {
                Work::Term(term) => self.term(term),
                Work::Next => {
                    let next = self.diagram.items.len();
                    if let Some(frame) = self.frames.last_mut() {
                        frame.next = Some(next);
                    }
                    self.diagram.items.push(Item::Next { text: "otherwise".to_string() });
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
                self.act(action);
                self.work.push(Work::Term(next));
            }
            Term::Fork(GlobalFork::If { process, condition }, arms) => {
                *self.room = self.room.saturating_sub(1);
                let text = format!("{}.{}", self.tree.text(process), self.tree.text(condition));
                self.open(Frame::Alternative, text, self.bodies.lane(process));
                self.work.push(Work::Close);
                for (index, arm) in arms.of(&self.tree.arms).iter().enumerate().rev() {
                    self.work.push(Work::Term(arm.body));
                    if index > 0 {
                        self.work.push(Work::Next);
                    }
                }
            }
            Term::Call(name) => self.call(name),
            Term::Stop => self.stop(),
            Term::Missing => {}
        }
    }

    fn act(&mut self, action: GlobalAction) {
        let interactions = self.interest.drawn(action);
        self.left_out += count(action) - interactions.len();
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

    fn message(&mut self, interaction: Interaction) {
        let (from, to) = ends(interaction);
        let (Some(from), Some(to)) = (self.bodies.lane(from), self.bodies.lane(to)) else { return };
        let (text, kind) = match interaction {
            Interaction::Communicate { expression, .. } => (self.tree.text(expression), MessageKind::Value),
            Interaction::Select { label, .. } => (self.tree.text(label), MessageKind::Selection),
        };
        self.content(Item::Message { from, to, text: text.to_string(), kind });
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

    /// Back to the start of the innermost loop, which is said only where an arm with nothing in it would look as if it led
    /// nowhere.
    fn again(&mut self) {
        if self.in_empty_arm() {
            self.remark(AGAIN.to_string());
        }
    }

    /// The end, which is said wherever the reader could take it for something else: in a loop it would look as if it went
    /// round again, beside an arm that goes on as if this one did, and an arm with nothing in it as if something were missing.
    fn stop(&mut self) {
        if !self.loops.is_empty() || !self.frames.is_empty() && (self.goes_on || self.in_empty_arm()) {
            self.remark(STOP.to_string());
        }
    }

    fn in_empty_arm(&self) -> bool {
        let last = self.diagram.items.last();
        matches!(last, Some(Item::Next { .. } | Item::Open { frame: Frame::Alternative, .. }))
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
        self.frames.push(Opened { start: self.diagram.items.len(), next: None, content: false, looped: false });
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
            match next {
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
                // Both ways lead to the same, as far as those who are asked for can see.
                Some(next) if items[start + 1..next] == items[next + 1..] => {
                    items.truncate(next);
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
                    let drawn = self.interest.drawn(action).len();
                    self.left_out += count(action) - drawn;
                    steps += drawn;
                }
                Term::Fork(..) if !self.interest.is_narrow() => steps += 1,
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
                .push(Item::Remark { text: format!("… {}", counted(steps, "more step")), span: Span::default() });
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
                Item::Message { from, to, .. } => {
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
                Item::Message { from, to, .. } => {
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
