//! How two systems differ, as data and in words.

use crate::diagnostic::{FEW_STEPS, Note, quote};
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
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

/// What a process does instead of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instead {
    /// Who.
    pub process: ProcessId,
    /// What it does; the states that follow have no meaning here.
    pub state: State,
    /// The labels of an offer.
    pub labels: Vec<Symbol>,
    /// What a process that does whichever comes first waits to do.
    pub items: Vec<Instead>,
    /// Whether there is no such process at all.
    pub missing: bool,
}

impl Instead {
    /// What a process does in a state of its network.
    pub(super) fn of(network: &Network, process: ProcessId, state: StateId, missing: bool) -> Self {
        let own = |state: State| {
            let labels = match state {
                State::Offer { branches, .. } => {
                    branches.of(&network.branches).iter().map(|branch| branch.label).collect()
                }
                _ => Vec::new(),
            };
            Instead { process, state, labels, items: Vec::new(), missing }
        };
        let items = match network.state(state) {
            State::Any { .. } => network.items(state).map(own).collect(),
            _ => Vec::new(),
        };
        Instead { items, ..own(network.state(state)) }
    }
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
    /// After the run nothing more can happen, but a process has stopped in only one of them.
    Ends {
        /// What it still waits to do in the other.
        stuck: Instead,
        /// Which of them is the other.
        side: Side,
    },
    /// A process is a service in only one of them.
    Service {
        /// Who.
        process: ProcessId,
        /// In which.
        side: Side,
    },
}

/// A difference between two systems. Both share one numbering of processes and names.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The names of both.
    pub names: Names,
    /// The processes of both.
    pub processes: Vec<Symbol>,
    /// What both can do first.
    pub run: Vec<Step>,
    /// How they differ after that.
    pub reason: Contrast,
    /// All that the first and the second can do after the run.
    pub possible: [Vec<Step>; 2],
}

impl Difference {
    /// The name of a process.
    pub fn process_name(&self, process: ProcessId) -> &str {
        self.processes.get(process.index()).map_or("", |&name| self.names.text(name))
    }

    /// A step as a choreography writes it; a decision with its outcome.
    pub fn step(&self, step: Step) -> String {
        match step {
            Step::Interaction(Interaction { from, to, content }) => {
                let (from, to) = (self.process_name(from), self.process_name(to));
                match content {
                    Content::Value(expression) => format!("{from}.{} -> {to}", self.names.text(expression)),
                    Content::Label(label) => format!("{from} -> {to}[{}]", self.names.text(label)),
                    Content::LabelledValue { label, value } => {
                        format!("{from}.{} -> {to}[{}]", self.names.text(value), self.names.text(label))
                    }
                }
            }
            Step::Put(Interaction { from, to, content }) => {
                let (from, to) = (self.process_name(from), self.process_name(to));
                format!("{from} puts {} into the queue to {to}", self.content(content))
            }
            Step::Take(Interaction { from, to, content }) => {
                let (from, to) = (self.process_name(from), self.process_name(to));
                format!("{to} takes {} from {from}", self.content(content))
            }
            Step::Choice { process, arm } => format!("{} chooses item {}", self.process_name(process), arm + 1),
            Step::Decision { process, condition, holds } => {
                let outcome = if holds { "yes" } else { "no" };
                format!("{} decides {}: {outcome}", self.process_name(process), self.names.text(condition))
            }
        }
    }

    /// What a message has in it, as [`Content::describe`] shows it.
    fn content(&self, content: Content) -> String {
        let value = content.value().map_or("", |value| self.names.text(value));
        match content.label() {
            Some(label) => format!("{value}[{}]", self.names.text(label)),
            None => value.to_string(),
        }
    }

    /// The difference in one sentence, run and all; the systems are called by the given names.
    pub fn sentence(&self, first: &str, second: &str) -> String {
        let quoted = |&step: &Step| format!("`{}`", self.step(step));
        let mut steps: Vec<String> = self.shown().map(quoted).collect();
        if let Some(hidden) = self.run.len().checked_sub(steps.len()).filter(|&hidden| hidden > 0) {
            steps.insert(steps.len() / 2, format!("… ({hidden} more) …"));
        }
        match steps.is_empty() {
            true => self.contrast(first, second),
            false => format!("after {}, {}", steps.join(", "), self.contrast(first, second)),
        }
    }

    /// The same sentence for a reader: a run of more than a few steps is only counted, and [`note`](Self::note) has
    /// it.
    pub fn summary(&self, first: &str, second: &str) -> String {
        match self.run.len() {
            0..=FEW_STEPS => self.sentence(first, second),
            count => format!("after {count} steps, {}", self.contrast(first, second)),
        }
    }

    /// The run that both can follow, if it is too long for the [`summary`](Self::summary).
    pub fn note(&self) -> Option<Note> {
        let text = || format!("the run of {} steps", self.run.len());
        (self.run.len() > FEW_STEPS).then(|| Note::run(text(), &self.run, |&step| self.step(step)))
    }

    /// The steps that a sentence lists: of a long run, the first and the last few.
    fn shown(&self) -> impl Iterator<Item = &Step> {
        const HALF: usize = 6;
        let head = self.run.len().min(HALF);
        let tail = self.run.len().saturating_sub(HALF).max(head);
        self.run[..head].iter().chain(&self.run[tail..])
    }

    /// What one of them can do after the run and the other cannot.
    fn contrast(&self, first: &str, second: &str) -> String {
        let called = |side: Side| match side {
            Side::First => (first, second),
            Side::Second => (second, first),
        };
        let mut text = String::new();
        match &self.reason {
            Contrast::Service { process, side } => {
                let (is, is_not) = called(*side);
                let _ = write!(text, "{} is a service in {is} but not in {is_not}", self.called(*process));
            }
            Contrast::Ends { stuck, side } => {
                let (here, there) = called(*side);
                let _ = write!(text, "{} forever in {here} but has stopped in {there}", self.stuck(stuck));
            }
            Contrast::Step { step, side, instead } => {
                let (can, cannot) = called(*side);
                let what = match step {
                    Step::Decision { process, condition, .. } => {
                        format!("let {} decide {}", self.called(*process), quote(self.names.text(*condition)))
                    }
                    Step::Choice { process, arm } => {
                        match instead.iter().any(|other| matches!(other.state, State::Choose { .. })) {
                            true => format!("let {} choose item {}", self.called(*process), arm + 1),
                            false => format!("let {} choose", self.called(*process)),
                        }
                    }
                    Step::Interaction(_) => format!("do `{}`", self.step(*step)),
                    Step::Put(Interaction { from, to, content }) => {
                        let (from, to) = (self.called(*from), self.called(*to));
                        format!("let {from} put {} into the queue to {to}", quote(&self.content(*content)))
                    }
                    Step::Take(Interaction { from, to, content }) => {
                        let (from, to) = (self.called(*from), self.called(*to));
                        format!("let {to} take {} from {from}", quote(&self.content(*content)))
                    }
                };
                let _ = write!(text, "{can} can {what}, but {cannot} cannot");
                let reasons: Vec<&Instead> = self.obstacles(*step, instead).collect();
                let stopped = |instead: &&Instead| instead.state == State::Stop && !instead.missing;
                match reasons.as_slice() {
                    [] => {}
                    [_, _] if reasons.iter().all(stopped) => text.push_str(": both have stopped there"),
                    [one, other] if one.missing && other.missing => {
                        let [one, other] = [one, other].map(|instead| self.called(instead.process));
                        let _ = write!(text, ": it has neither {one} nor {other}");
                    }
                    reasons => {
                        let words: Vec<String> = reasons.iter().map(|instead| self.instead(instead)).collect();
                        let _ = write!(text, ": there, {}", words.join(" and "));
                    }
                }
                if self.is_about_a_name() {
                    text.push_str("; only the name of the condition differs: `--conditions any` ignores it");
                }
            }
        }
        text
    }

    /// Whether the same process decides in both, by conditions with different texts.
    pub fn is_about_a_name(&self) -> bool {
        let Contrast::Step { step: Step::Decision { process: decides, .. }, side, .. } = self.reason else {
            return false;
        };
        let [first, second] = &self.possible;
        let others = match side {
            Side::First => second,
            Side::Second => first,
        };
        others.iter().any(|step| matches!(step, Step::Decision { process, .. } if *process == decides))
    }

    /// The processes that make a step impossible: those that are ready for it are not the reason.
    pub fn obstacles<'a>(&self, step: Step, instead: &'a [Instead]) -> impl Iterator<Item = &'a Instead> + use<'a> {
        instead.iter().filter(move |instead| !ready(instead, step))
    }

    /// What a process does instead, to follow its name in a sentence.
    pub fn does(&self, instead: &Instead) -> String {
        match instead.missing {
            true => "does not occur".to_string(),
            false => self.second_half(instead, self.instead(instead)),
        }
    }

    /// What a stuck process waits for, to follow its name in a sentence.
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

    /// What a process waits for, with each item of a race.
    fn stuck(&self, stuck: &Instead) -> String {
        if stuck.items.is_empty() {
            return self.stuck_alone(stuck);
        }
        let items: Vec<String> =
            stuck.items.iter().map(|item| self.second_half(item, self.stuck_alone(item))).collect();
        format!("{} {}", self.called(stuck.process), items.join(" or "))
    }

    fn stuck_alone(&self, stuck: &Instead) -> String {
        let who = self.called(stuck.process);
        match stuck.state {
            State::Send { to, expression, .. } => {
                format!("{who} waits to send {} to {}", quote(self.names.text(expression)), self.called(to))
            }
            State::Select { to, label, .. } => {
                format!("{who} waits to select {} at {}", quote(self.names.text(label)), self.called(to))
            }
            State::SelectValue { to, label, expression, .. } => {
                let [label, value] = [label, expression].map(|symbol| quote(self.names.text(symbol)));
                format!("{who} waits to select {label} at {}, with {value},", self.called(to))
            }
            _ => self.alone(stuck),
        }
    }

    /// What a process does, with each item of a race.
    fn instead(&self, instead: &Instead) -> String {
        let items: Vec<String> = instead.items.iter().map(|item| self.second_half(item, self.alone(item))).collect();
        match items.is_empty() {
            true => self.alone(instead),
            false => format!("{}: it {}", self.alone(instead), items.join(", or ")),
        }
    }

    fn alone(&self, instead: &Instead) -> String {
        let who = self.called(instead.process);
        let text = |symbol: Symbol| quote(self.names.text(symbol));
        match instead.state {
            State::Stop if instead.missing => format!("{who} does not exist"),
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
            State::SelectValue { to, label, expression, .. } => {
                format!("{who} selects {} at {}, with {}", text(label), self.called(to), text(expression))
            }
            State::Choose { arms } => format!("{who} chooses one of {} items", arms.len()),
            State::Any { .. } => format!("{who} does whichever comes first"),
        }
    }
}

/// Whether a process is where it has to be for a step.
fn ready(instead: &Instead, step: Step) -> bool {
    std::iter::once(instead).chain(&instead.items).any(|instead| ready_alone(instead, step))
}

fn ready_alone(instead: &Instead, step: Step) -> bool {
    match (step, instead.state) {
        (
            Step::Interaction(Interaction { from, to, content })
            | Step::Put(Interaction { from, to, content })
            | Step::Take(Interaction { from, to, content }),
            state,
        ) => match (content, state) {
            (Content::Value(value), State::Send { to: partner, expression, .. }) => {
                (to, value) == (partner, expression)
            }
            (Content::Label(label), State::Select { to: partner, label: own, .. }) => (to, label) == (partner, own),
            (Content::Value(_), State::Receive { from: partner, .. }) => from == partner,
            (Content::Label(label) | Content::LabelledValue { label, .. }, State::Offer { from: partner, .. }) => {
                from == partner && instead.labels.contains(&label)
            }
            (
                Content::LabelledValue { label, value },
                State::SelectValue { to: partner, label: own, expression, .. },
            ) => (to, label, value) == (partner, own, expression),
            _ => false,
        },
        (Step::Decision { .. } | Step::Choice { .. }, _) => false,
    }
}
