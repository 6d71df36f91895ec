//! How two systems differ, as data and in words.

use crate::diagnostic::quote;
use crate::network::{Content, Interaction, ProcessId, State};
use crate::semantics::Step;
use crate::syntax::{Names, Symbol};
use std::fmt::Write;

/// One of the two systems that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first.
    First,
    /// The second.
    Second,
}

/// What a process does where it would have to do something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instead {
    /// Who.
    pub process: ProcessId,
    /// What it does; the states that follow mean nothing here.
    pub state: State,
    /// The labels of an offer.
    pub labels: Vec<Symbol>,
    /// Whether there is no such process.
    pub missing: bool,
}

/// What makes two systems different.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contrast {
    /// After the run, one of them can do something that the other cannot.
    Step {
        /// What.
        step: Step,
        /// Which of them can.
        side: Side,
        /// What its actors do instead in the other, if that is known.
        instead: Vec<Instead>,
    },
    /// After the run nothing more can happen, but a process has stopped in one of them only.
    Ends {
        /// What it still waits to do in the other.
        stuck: Instead,
        /// Which of them is the other.
        side: Side,
    },
    /// A process is a service in one of them only.
    Service {
        /// Who.
        process: ProcessId,
        /// In which.
        side: Side,
    },
}

/// A difference between two systems. Processes and names are numbered for both together.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The names of both.
    pub names: Names,
    /// The processes of both.
    pub processes: Vec<Symbol>,
    /// What both can do first.
    pub run: Vec<Step>,
    /// What makes them different then.
    pub reason: Contrast,
    /// All that the first and the second can do after the run.
    pub possible: [Vec<Step>; 2],
}

impl Difference {
    /// The name of a process.
    pub fn process_name(&self, process: ProcessId) -> &str {
        self.processes.get(process.index()).map_or("", |&name| self.names.text(name))
    }

    /// A step as a choreography would have it; for a decision, with its outcome.
    pub fn step(&self, step: Step) -> String {
        match step {
            Step::Interaction(Interaction { from, to, content }) => {
                let (from, to) = (self.process_name(from), self.process_name(to));
                match content {
                    Content::Value(expression) => format!("{from}.{} -> {to}", self.names.text(expression)),
                    Content::Label(label) => format!("{from} -> {to}[{}]", self.names.text(label)),
                }
            }
            Step::Decision { process, condition, holds } => {
                let outcome = if holds { "yes" } else { "no" };
                format!("{} decides {}: {outcome}", self.process_name(process), self.names.text(condition))
            }
        }
    }

    /// The difference in a sentence, in which the systems are called as given.
    pub fn sentence(&self, first: &str, second: &str) -> String {
        /// Longer runs are cut in the middle.
        const MOST_SHOWN: usize = 12;
        let called = |side: Side| match side {
            Side::First => (first, second),
            Side::Second => (second, first),
        };
        let quoted = |&step: &Step| format!("`{}`", self.step(step));
        let mut text = String::new();
        let steps: Vec<String> = match self.run.len() {
            0..=MOST_SHOWN => self.run.iter().map(quoted).collect(),
            length => {
                let (head, tail) = (&self.run[..MOST_SHOWN / 2], &self.run[length - MOST_SHOWN / 2..]);
                let hidden = format!("… ({} more) …", length - MOST_SHOWN);
                let head = head.iter().map(quoted);
                let tail = tail.iter().map(quoted);
                head.chain([hidden]).chain(tail).collect()
            }
        };
        if !steps.is_empty() {
            let _ = write!(text, "after {}, ", steps.join(", "));
        }
        match &self.reason {
            Contrast::Service { process, side } => {
                let (is, is_not) = called(*side);
                let _ = write!(text, "{} is a service in {is} but not in {is_not}", self.called(*process));
            }
            Contrast::Ends { stuck, side } => {
                let (here, there) = called(*side);
                let _ = write!(text, "{} for ever in {here} and has stopped in {there}", self.stuck(stuck));
            }
            Contrast::Step { step, side, instead } => {
                let (can, cannot) = called(*side);
                let what = match step {
                    Step::Decision { process, condition, .. } => {
                        format!("let {} decide {}", self.called(*process), quote(self.names.text(*condition)))
                    }
                    Step::Interaction(_) => format!("do `{}`", self.step(*step)),
                };
                let _ = write!(text, "{can} can {what} and {cannot} cannot");
                let reasons: Vec<&Instead> = self.obstacles(*step, instead).collect();
                let stopped = |instead: &&Instead| instead.state == State::Stop && !instead.missing;
                match reasons.as_slice() {
                    [] => {}
                    [_, _] if reasons.iter().all(stopped) => text.push_str(", where both have stopped"),
                    reasons => {
                        let words: Vec<String> = reasons.iter().map(|instead| self.instead(instead)).collect();
                        let _ = write!(text, ", where {}", words.join(" and "));
                    }
                }
            }
        }
        text
    }

    /// Of those who do something else, the ones that keep a step from being possible: who is ready for it is not the
    /// reason.
    pub fn obstacles<'a>(&self, step: Step, instead: &'a [Instead]) -> impl Iterator<Item = &'a Instead> + use<'a> {
        instead.iter().filter(move |instead| !ready(instead, step))
    }

    /// What a process does instead, as the second half of a sentence that starts with its name.
    pub fn does(&self, instead: &Instead) -> String {
        match instead.missing {
            true => "does not occur".to_string(),
            false => self.second_half(instead, self.instead(instead)),
        }
    }

    /// What a process that is stuck waits for, likewise.
    pub fn waits(&self, stuck: &Instead) -> String {
        self.second_half(stuck, self.stuck(stuck))
    }

    fn second_half(&self, instead: &Instead, sentence: String) -> String {
        let who = format!("{} ", self.called(instead.process));
        sentence.strip_prefix(&who).map(str::to_string).unwrap_or(sentence)
    }

    fn called(&self, process: ProcessId) -> String {
        quote(self.process_name(process))
    }

    fn stuck(&self, stuck: &Instead) -> String {
        let who = self.called(stuck.process);
        match stuck.state {
            State::Send { to, expression, .. } => {
                format!("{who} waits to send {} to {}", quote(self.names.text(expression)), self.called(to))
            }
            State::Select { to, label, .. } => {
                format!("{who} waits to select {} at {}", quote(self.names.text(label)), self.called(to))
            }
            _ => self.instead(stuck),
        }
    }

    fn instead(&self, instead: &Instead) -> String {
        let who = self.called(instead.process);
        let text = |symbol: Symbol| quote(self.names.text(symbol));
        match instead.state {
            State::Stop if instead.missing => format!("there is no {who}"),
            State::Stop => format!("{who} has stopped"),
            State::Send { to, expression, .. } => {
                format!("{who} sends {} to {}", text(expression), self.called(to))
            }
            State::Receive { from, .. } => format!("{who} waits for a value from {}", self.called(from)),
            State::Select { to, label, .. } => format!("{who} selects {} at {}", text(label), self.called(to)),
            State::Offer { from, .. } => {
                let labels: Vec<String> = instead.labels.iter().map(|&label| text(label)).collect();
                format!("{who} waits for the label {} from {}", labels.join(" or "), self.called(from))
            }
            State::If { condition, .. } => format!("{who} decides {}", text(condition)),
        }
    }
}

/// Whether a process is where it has to be for a step.
fn ready(instead: &Instead, step: Step) -> bool {
    match (step, instead.state) {
        (Step::Interaction(Interaction { from, to, content }), state) => match (content, state) {
            (Content::Value(value), State::Send { to: partner, expression, .. }) => {
                (to, value) == (partner, expression)
            }
            (Content::Label(label), State::Select { to: partner, label: own, .. }) => (to, label) == (partner, own),
            (Content::Value(_), State::Receive { from: partner, .. }) => from == partner,
            (Content::Label(label), State::Offer { from: partner, .. }) => {
                from == partner && instead.labels.contains(&label)
            }
            _ => false,
        },
        (Step::Decision { .. }, _) => false,
    }
}
