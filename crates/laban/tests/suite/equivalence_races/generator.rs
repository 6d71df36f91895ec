//! Small random networks with races, choices, labelled values and idle waits, and edits of them.

use laban::generate::SeededRng;
use std::fmt::Write;

/// What a process does.
#[derive(Clone)]
pub(super) enum Body {
    Stop,
    Call(usize),
    Send(usize, char, Box<Body>),
    Receive(usize, Box<Body>),
    Select(usize, char, Box<Body>),
    SelectValue(usize, char, char, Box<Body>),
    Offer(usize, Vec<(String, Body)>),
    If(char, Box<[Body; 2]>),
    Choose(Vec<Body>),
    Any(Vec<Body>),
    Idle(Box<Body>),
}

/// A process: its procedures, and what it starts with.
#[derive(Clone)]
pub(super) struct Process {
    procedures: Vec<Body>,
    main: Body,
}

/// A network; its processes are `a`, `b` and so on.
#[derive(Clone)]
pub(super) struct System(Vec<Process>);

/// What may occur in a network.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// The most actions in a row.
    pub(super) depth: usize,
    /// Whether there are choices, races and idle waits.
    pub(super) arms: bool,
    /// Whether there are loops.
    pub(super) loops: bool,
    /// Whether `a` mostly talks with `b`, and `c` with `d`.
    pub(super) couples: bool,
}

/// What has happened since a procedure began.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Since {
    Nothing,
    Decision,
    Interaction,
}

struct Generator<'a> {
    dice: &'a mut SeededRng,
    shape: Shape,
    own: usize,
    count: usize,
}

pub(super) fn random(dice: &mut SeededRng, shape: Shape) -> System {
    let count = if shape.couples { 4 } else { 2 + dice.below(3) };
    let mut processes = Vec::new();
    for own in 0..count {
        let mut generator = Generator { dice, shape, own, count };
        let procedures = match shape.loops {
            true if generator.dice.chance(6) => vec![generator.restless()],
            true => vec![generator.body(shape.depth, Since::Nothing)],
            false => Vec::new(),
        };
        let main = match shape.loops && generator.dice.chance(60) {
            true => Body::Call(0),
            false => generator.body(shape.depth, Since::Interaction),
        };
        processes.push(Process { procedures, main });
    }
    System(processes)
}

impl Generator<'_> {
    /// Somebody who may decide forever.
    fn restless(&mut self) -> Body {
        let rest = if self.dice.chance(50) { Body::Call(0) } else { self.body(1, Since::Decision) };
        match self.shape.arms && self.dice.chance(50) {
            true => Body::Choose(vec![Body::Call(0), rest]),
            false => Body::If('e', Box::new([Body::Call(0), rest])),
        }
    }

    fn partner(&mut self) -> usize {
        if self.shape.couples && self.dice.chance(90) {
            return self.own ^ 1;
        }
        (self.own + 1 + self.dice.below(self.count - 1)) % self.count
    }

    fn letter(&mut self, from: &[u8]) -> char {
        from[self.dice.below(from.len())] as char
    }

    fn body(&mut self, depth: usize, since: Since) -> Body {
        let may_call = since == Since::Interaction || (since == Since::Decision && self.dice.chance(15));
        if depth == 0 {
            return if self.shape.loops && may_call && self.dice.chance(85) { Body::Call(0) } else { Body::Stop };
        }
        let decision = |since: Since| if since == Since::Nothing { Since::Decision } else { since };
        match self.dice.below(100) {
            0..40 if self.shape.arms => {
                let count = 2 + self.dice.below(2);
                let mut items: Vec<Body> = Vec::new();
                for _ in 0..count {
                    let item = self.interaction(depth - 1);
                    if !items.iter().any(|other| clash(other, &item)) {
                        items.push(item);
                    }
                }
                self.idle(Body::Any(items))
            }
            40..50 if self.shape.arms => {
                let count = 2 + self.dice.below(2);
                Body::Choose((0..count).map(|_| self.body(depth - 1, decision(since))).collect())
            }
            50..60 => {
                let condition = self.letter(b"ef");
                let [then, otherwise] = [0, 1].map(|_| self.body(depth - 1, decision(since)));
                Body::If(condition, Box::new([then, otherwise]))
            }
            60..63 => Body::Stop,
            _ => {
                let body = self.interaction(depth - 1);
                match body {
                    Body::Receive(..) | Body::Offer(..) => self.idle(body),
                    _ => body,
                }
            }
        }
    }

    fn idle(&mut self, body: Body) -> Body {
        if self.shape.arms && self.dice.chance(15) { Body::Idle(Box::new(body)) } else { body }
    }

    fn interaction(&mut self, depth: usize) -> Body {
        let with = self.partner();
        let (value, label) = (self.letter(b"vvw"), self.letter(b"llm"));
        // Each two have a way to talk that they mostly keep to, so that they meet often.
        let sends = (self.own < with) == self.dice.chance(85);
        let values = ((self.own + with) % 2 == 1) == self.dice.chance(85);
        let many = self.dice.chance(60);
        let mut next = || self.body(depth, Since::Interaction);
        match (sends, values, many) {
            (true, true, _) => Body::Send(with, value, Box::new(next())),
            (false, true, _) => Body::Receive(with, Box::new(next())),
            (true, false, true) => Body::Select(with, label, Box::new(next())),
            (true, false, false) => Body::SelectValue(with, label, value, Box::new(next())),
            (false, false, true) => Body::Offer(with, vec![("l".to_string(), next()), ("m".to_string(), next())]),
            (false, false, false) => Body::Offer(with, vec![(label.to_string(), next())]),
        }
    }
}

/// Whether two items may begin with the same interaction.
fn clash(one: &Body, other: &Body) -> bool {
    match (one, other) {
        (Body::Send(to, value, _), Body::Send(also, other, _)) => (to, value) == (also, other),
        (Body::Receive(from, _), Body::Receive(also, _)) => from == also,
        (Body::Select(to, label, _), Body::Select(also, other, _)) => (to, label) == (also, other),
        (Body::SelectValue(to, label, value, _), Body::SelectValue(also, other, another, _)) => {
            (to, label, value) == (also, other, another)
        }
        (Body::Offer(from, _), Body::Offer(also, _)) => from == also,
        _ => false,
    }
}

impl Body {
    fn visit(&mut self, see: &mut dyn FnMut(&mut Body)) {
        see(self);
        match self {
            Body::Stop | Body::Call(_) => {}
            Body::Send(.., next)
            | Body::Receive(_, next)
            | Body::Select(.., next)
            | Body::SelectValue(.., next)
            | Body::Idle(next) => next.visit(see),
            Body::Offer(_, branches) => branches.iter_mut().for_each(|(_, next)| next.visit(see)),
            Body::If(_, arms) => arms.iter_mut().for_each(|arm| arm.visit(see)),
            Body::Choose(arms) | Body::Any(arms) => arms.iter_mut().for_each(|arm| arm.visit(see)),
        }
    }

    fn write(&self, text: &mut String) {
        let name = |process: &usize| (b'a' + *process as u8) as char;
        let list = |text: &mut String, arms: &[Body]| {
            text.push_str("{ ");
            for (number, arm) in arms.iter().enumerate() {
                text.push_str(if number > 0 { ", " } else { "" });
                arm.write(text);
            }
            text.push_str(" }");
        };
        match self {
            Body::Stop => text.push_str("stop"),
            Body::Call(number) => {
                let _ = write!(text, "X{number}");
            }
            Body::Send(to, value, next) => {
                let _ = write!(text, "{}!<{value}>; ", name(to));
                next.write(text);
            }
            Body::Receive(from, next) => {
                let _ = write!(text, "{}?; ", name(from));
                next.write(text);
            }
            Body::Select(to, label, next) => {
                let _ = write!(text, "{}+{label}; ", name(to));
                next.write(text);
            }
            Body::SelectValue(to, label, value, next) => {
                let _ = write!(text, "{}+{label}<{value}>; ", name(to));
                next.write(text);
            }
            Body::Offer(from, branches) => {
                let _ = write!(text, "{}&{{ ", name(from));
                for (number, (label, next)) in branches.iter().enumerate() {
                    let _ = write!(text, "{}{label}: ", if number > 0 { ", " } else { "" });
                    next.write(text);
                }
                text.push_str(" }");
            }
            Body::If(condition, arms) => {
                let _ = write!(text, "if {condition} then ");
                arms[0].write(text);
                text.push_str(" else ");
                arms[1].write(text);
            }
            Body::Choose(arms) => {
                text.push_str("choose ");
                list(text, arms);
            }
            Body::Any(arms) => {
                text.push_str("any ");
                list(text, arms);
            }
            Body::Idle(next) => {
                text.push_str("idle ");
                next.write(text);
            }
        }
    }
}

impl System {
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (number, process) in self.0.iter().enumerate() {
            let _ = write!(text, "{}{} {{ ", if number > 0 { " | " } else { "" }, (b'a' + number as u8) as char);
            for (number, body) in process.procedures.iter().enumerate() {
                let _ = write!(text, "def X{number} {{ ");
                body.write(&mut text);
                text.push_str(" } ");
            }
            text.push_str("main { ");
            process.main.write(&mut text);
            text.push_str(" } }");
        }
        text
    }

    fn visit(&mut self, see: &mut dyn FnMut(&mut Body)) {
        for process in &mut self.0 {
            process.procedures.iter_mut().for_each(|body| body.visit(see));
            process.main.visit(see);
        }
    }

    /// The items of all races in another order.
    pub(super) fn shuffled(&self, dice: &mut SeededRng) -> System {
        let mut system = self.clone();
        system.visit(&mut |body| {
            if let Body::Any(items) = body {
                for place in (1..items.len()).rev() {
                    items.swap(place, dice.below(place + 1));
                }
            }
        });
        system
    }

    /// Every procedure with its calls unfolded once, in some of the processes.
    pub(super) fn unrolled(&self, dice: &mut SeededRng) -> System {
        let mut system = self.clone();
        for process in &mut system.0 {
            if dice.chance(60) {
                let before = process.procedures.clone();
                let mut unfold = |body: &mut Body| {
                    if let Body::Call(number) = body {
                        *body = before[*number].clone();
                    }
                };
                // What has been unfolded is not unfolded again: the bodies are put in after the calls were found.
                process.procedures.iter_mut().for_each(|body| unfold_calls(body, &mut unfold));
                unfold_calls(&mut process.main, &mut unfold);
            }
        }
        system
    }

    /// Offers have a label more, which nobody selects.
    pub(super) fn padded(&self) -> System {
        let mut system = self.clone();
        system.visit(&mut |body| {
            if let Body::Offer(_, branches) = body {
                branches.push(("never".to_string(), Body::Stop));
            }
        });
        system
    }

    /// One random change, which may or may not be seen; `None` if there is no place for this kind.
    pub(super) fn edited(&self, dice: &mut SeededRng, kind: usize) -> Option<System> {
        let mut system = self.clone();
        let mut places = 0;
        system.visit(&mut |body| places += usize::from(fits(body, kind)));
        if places == 0 {
            return None;
        }
        let mut left = dice.below(places);
        let mut done = false;
        system.visit(&mut |body| {
            if done || !fits(body, kind) {
                return;
            }
            if left > 0 {
                left -= 1;
                return;
            }
            done = true;
            change(dice, body, kind);
        });
        Some(system)
    }
}

fn unfold_calls(body: &mut Body, unfold: &mut dyn FnMut(&mut Body)) {
    match body {
        Body::Call(_) => unfold(body),
        Body::Stop => {}
        Body::Send(.., next)
        | Body::Receive(_, next)
        | Body::Select(.., next)
        | Body::SelectValue(.., next)
        | Body::Idle(next) => unfold_calls(next, unfold),
        Body::Offer(_, branches) => branches.iter_mut().for_each(|(_, next)| unfold_calls(next, unfold)),
        Body::If(_, arms) => arms.iter_mut().for_each(|arm| unfold_calls(arm, unfold)),
        Body::Choose(arms) | Body::Any(arms) => arms.iter_mut().for_each(|arm| unfold_calls(arm, unfold)),
    }
}

/// The kinds of changes.
pub(super) const KINDS: [&str; 7] =
    ["a value", "a condition", "an item less", "arms swapped", "an action less", "an end", "a label less"];

fn fits(body: &Body, kind: usize) -> bool {
    match kind {
        0 => matches!(body, Body::Send(..) | Body::SelectValue(..)),
        1 => matches!(body, Body::If(..)),
        2 => matches!(body, Body::Any(arms) | Body::Choose(arms) if arms.len() > 1),
        3 => matches!(body, Body::Choose(_) | Body::If(..)),
        4 => matches!(body, Body::Choose(arms) if !arms.is_empty()) || matches!(body, Body::If(..)),
        5 => matches!(body, Body::If(..) | Body::Choose(_) | Body::Call(_)),
        _ => matches!(body, Body::Offer(_, branches) if branches.len() > 1),
    }
}

fn change(dice: &mut SeededRng, body: &mut Body, kind: usize) {
    match (kind, &mut *body) {
        (0, Body::Send(_, value, _) | Body::SelectValue(_, _, value, _)) => *value = 'z',
        (1, Body::If(condition, _)) => *condition = 'z',
        (2, Body::Any(items) | Body::Choose(items)) => {
            items.remove(dice.below(items.len()));
        }
        (3, Body::Choose(arms)) => arms.reverse(),
        (3, Body::If(_, arms)) => arms.reverse(),
        // What decides is left out, and one outcome remains.
        (4, Body::Choose(arms)) => *body = arms.swap_remove(0),
        (4, Body::If(_, arms)) => *body = arms[0].clone(),
        (6, Body::Offer(_, branches)) => {
            branches.remove(dice.below(branches.len()));
        }
        _ => *body = Body::Stop,
    }
}
