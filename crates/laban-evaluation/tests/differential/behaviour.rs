//! Networks as plain nested values: easy to make up, to edit and to print.
//!
//! Processes, procedures, labels and values are numbers here; names appear only in the text. The texts are small, so
//! the functions recurse.

use std::fmt::{self, Display, Formatter};

/// What a process does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Body {
    Act(Act, Box<Body>),
    If(usize, Box<[Body; 2]>),
    Offer(usize, Vec<(usize, Body)>),
    Call(usize),
    Stop,
}

/// One action, with the partner first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Send(usize, usize),
    Receive(usize),
    Select(usize, usize),
}

impl Act {
    pub(crate) fn partner_mut(&mut self) -> &mut usize {
        match self {
            Act::Send(partner, _) | Act::Receive(partner) | Act::Select(partner, _) => partner,
        }
    }

    pub(crate) fn then(self, next: Body) -> Body {
        Body::Act(self, Box::new(next))
    }
}

impl Body {
    /// The bodies that follow this one.
    pub(crate) fn parts(&self) -> Vec<&Body> {
        match self {
            Body::Act(_, next) => vec![&**next],
            Body::If(_, arms) => arms.iter().collect(),
            Body::Offer(_, arms) => arms.iter().map(|(_, arm)| arm).collect(),
            Body::Call(_) | Body::Stop => Vec::new(),
        }
    }

    pub(crate) fn parts_mut(&mut self) -> Vec<&mut Body> {
        match self {
            Body::Act(_, next) => vec![&mut **next],
            Body::If(_, arms) => arms.iter_mut().collect(),
            Body::Offer(_, arms) => arms.iter_mut().map(|(_, arm)| arm).collect(),
            Body::Call(_) | Body::Stop => Vec::new(),
        }
    }

    /// How many bodies there are in this one, itself included.
    pub(crate) fn count(&self) -> usize {
        1 + self.parts().into_iter().map(Body::count).sum::<usize>()
    }

    /// The body of this number, counted in the order of the text.
    pub(crate) fn at_mut(&mut self, number: usize) -> Option<&mut Body> {
        if number == 0 {
            return Some(self);
        }
        let mut rest = number - 1;
        for part in self.parts_mut() {
            let count = part.count();
            if rest < count {
                return part.at_mut(rest);
            }
            rest -= count;
        }
        None
    }

    /// Calls `change` with every body in this one, inner ones first.
    pub(crate) fn change_all(&mut self, change: &mut dyn FnMut(&mut Body)) {
        for part in self.parts_mut() {
            part.change_all(change);
        }
        change(self);
    }

    /// The process that it interacts with at once.
    pub(crate) fn partner_mut(&mut self) -> Option<&mut usize> {
        match self {
            Body::Act(act, _) => Some(act.partner_mut()),
            Body::Offer(from, _) => Some(from),
            _ => None,
        }
    }
}

/// A process, called by its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) service: bool,
    pub(crate) procedures: Vec<Body>,
    pub(crate) main: Body,
}

impl Process {
    pub(crate) fn new(main: Body) -> Self {
        Process { service: false, procedures: Vec::new(), main }
    }

    /// A process that repeats these actions forever.
    pub(crate) fn looping(acts: impl DoubleEndedIterator<Item = Act>) -> Self {
        let body = acts.rev().fold(Body::Call(0), |next, act| act.then(next));
        Process { service: false, procedures: vec![body], main: Body::Call(0) }
    }

    pub(crate) fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Body> {
        self.procedures.iter_mut().chain(std::iter::once(&mut self.main))
    }

    pub(crate) fn change_all(&mut self, mut change: impl FnMut(&mut Body)) {
        for body in self.bodies_mut() {
            body.change_all(&mut change);
        }
    }
}

/// Processes side by side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct System(pub(crate) Vec<Process>);

impl System {
    /// Puts another system next to this one. Gives back the number of its first process.
    pub(crate) fn add(&mut self, mut other: System) -> usize {
        let offset = self.0.len();
        for process in &mut other.0 {
            process.change_all(|body| {
                if let Some(partner) = body.partner_mut() {
                    *partner += offset;
                }
            });
        }
        self.0.append(&mut other.0);
        offset
    }
}

impl Display for System {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for (number, process) in self.0.iter().enumerate() {
            let before = if number > 0 { "\n| " } else { "" };
            let service = if process.service { "service " } else { "" };
            write!(out, "{before}{service}{} {{ ", name(number))?;
            for (number, body) in process.procedures.iter().enumerate() {
                write!(out, "def X{number} {{ {body} }} ")?;
            }
            write!(out, "main {{ {} }} }}", process.main)?;
        }
        Ok(())
    }
}

impl Display for Body {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Body::Act(Act::Send(to, value), next) => write!(out, "{}!<v{value}>; {next}", name(*to)),
            Body::Act(Act::Receive(from), next) => write!(out, "{}?; {next}", name(*from)),
            Body::Act(Act::Select(to, label), next) => write!(out, "{}+l{label}; {next}", name(*to)),
            Body::If(condition, arms) => write!(out, "if c{condition} then {} else {}", arms[0], arms[1]),
            Body::Offer(from, arms) => {
                write!(out, "{}&{{", name(*from))?;
                for (number, (label, arm)) in arms.iter().enumerate() {
                    write!(out, "{}l{label}: {arm}", if number > 0 { ", " } else { "" })?;
                }
                write!(out, "}}")
            }
            Body::Call(procedure) => write!(out, "X{procedure}"),
            Body::Stop => write!(out, "stop"),
        }
    }
}

fn name(process: usize) -> String {
    match u8::try_from(process) {
        Ok(small @ 0..26) => char::from(b'a' + small).to_string(),
        _ => format!("p{process}"),
    }
}
