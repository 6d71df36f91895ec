//! An explanation in words: a sentence that makes sense on its own, and a diagnostic that points at the text.

mod hint;
mod queued;

use super::partial_configuration::PartialConfiguration;
use super::{Event, Explanation, Root, RootKind, Waiting, Why, WitnessKind};
use crate::diagnostic::{Annotation, Code, Diagnostic, Note, listed, quote};
use crate::extraction::Verdict;
use crate::network::{Network, ProcessId, State, Wish};
use crate::syntax::{Span, Symbol};

/// The most characters of a step that are shown.
const LONGEST_STEP: usize = 120;
/// The most causes that the summary names.
const MOST_ROOTS: usize = 2;
/// The most stuck actions that a diagnostic points at.
const MOST_PLACES: usize = 12;
/// The most steps of a busy process that are named.
const MOST_REPEATED_STEPS: usize = 3;

impl WitnessKind {
    /// The word shown to users.
    pub fn as_str(self) -> &'static str {
        match self {
            WitnessKind::Deadlock => "deadlock",
            WitnessKind::Livelock => "livelock",
            WitnessKind::Orphan { .. } => "orphan",
            WitnessKind::Unbounded => "unbounded",
        }
    }

    /// The answer in a word.
    pub fn verdict(self) -> Verdict {
        match self {
            WitnessKind::Deadlock => Verdict::Deadlock,
            WitnessKind::Livelock => Verdict::Livelock,
            WitnessKind::Orphan { .. } => Verdict::Orphan,
            WitnessKind::Unbounded => Verdict::Unbounded,
        }
    }
}

impl Explanation {
    /// One sentence that makes sense on its own, with the kind of failure in front.
    pub fn summary(&self, network: &Network) -> String {
        format!("{}: {}", self.kind.as_str(), self.reason(network))
    }

    /// The sentence without the kind of failure, for places that show the kind in another way.
    pub fn reason(&self, network: &Network) -> String {
        let words = Words { network, explanation: self };
        match self.kind {
            WitnessKind::Deadlock => return words.causes(true),
            WitnessKind::Orphan { from, to } => return words.orphan(from, to),
            WitnessKind::Unbounded => return words.unbounded(),
            WitnessKind::Livelock => {}
        }
        let starved: Vec<ProcessId> = self.stuck.iter().filter(|one| !one.may_wait()).map(|one| one.process).collect();
        let them = if starved.len() == 1 { "it" } else { "them" };
        let (starved, active) = (words.names(&starved), words.names(&self.active));
        let mut text = format!("{starved} may never act: {active} can loop forever without {them}");
        if words.has_races() {
            text.push_str(match words.decisions().is_empty() {
                true => ", whichever comes first each time",
                false => ", whichever comes first each time, if decisions go this way",
            });
        }
        if self.roots.iter().any(|root| !matches!(root.kind, RootKind::Busy { .. })) {
            text.push_str(&format!("; {}", words.causes(false)));
        }
        text
    }

    /// The explanation as a diagnostic: it points at the stuck actions, causes first, and shows the run in notes.
    pub fn diagnostic(&self, network: &Network) -> Diagnostic {
        let words = Words { network, explanation: self };
        let code = match self.kind {
            WitnessKind::Deadlock => Code::Deadlock,
            WitnessKind::Livelock => Code::Livelock,
            WitnessKind::Orphan { .. } => Code::Orphan,
            WitnessKind::Unbounded => Code::Unbounded,
        };
        let mut places = words.queue_places().into_iter().chain(self.places(&words));
        let primary = places.next().unwrap_or(Annotation { span: Span::default(), label: String::new() });
        let mut diagnostic = Diagnostic::new(code, primary.span, self.reason(network)).label(primary.label);
        diagnostic.secondary = places.take(MOST_PLACES - 1).collect();
        let more = (self.stuck.len() + words.queue_places().len()).saturating_sub(diagnostic.secondary.len() + 1);
        diagnostic.notes.extend(words.run_notes());
        diagnostic.notes.extend(words.queue_notes());
        diagnostic.secondary.extend(self.ends(&words));
        diagnostic.secondary.extend(words.sources());
        for place in words.crossing() {
            let is_there = |other: &Annotation| other.span == place.span;
            if !is_there(&diagnostic.primary) && !diagnostic.secondary.iter().any(is_there) {
                diagnostic.secondary.push(place);
            }
        }
        if self.kind == WitnessKind::Deadlock && !self.active.is_empty() {
            let note = format!("{} can still go on, but that will never help", words.names(&self.active));
            diagnostic.notes.push(note.into());
        }
        let decisions = words.decisions();
        if words.has_races() && !decisions.is_empty() {
            let always: Vec<String> = decisions.iter().map(|step| format!("`{step}`")).collect();
            diagnostic.notes.push(format!("it goes on like this if each time {}", always.join(" and ")).into());
        }
        match more {
            0 => {}
            1 => diagnostic.notes.push("1 more process is stuck".into()),
            _ => diagnostic.notes.push(format!("{more} more processes are stuck").into()),
        }
        // Who does not take a message is told about already.
        let left = |one: &&Waiting| !matches!(self.kind, WitnessKind::Orphan { to, .. } if to == one.process);
        let waiting: Vec<&Waiting> = self.waiting_services.iter().filter(left).collect();
        if !waiting.is_empty() {
            let services: Vec<ProcessId> = waiting.iter().map(|one| one.process).collect();
            let all_idle = waiting.iter().all(|one| one.idle && !one.service);
            let all_services = waiting.iter().all(|one| one.service);
            let (is, fine) = match services.len() {
                1 if all_idle => ("is", "it is idle there"),
                1 => ("is", "it is a service"),
                _ if all_services => ("are", "they are services"),
                _ if all_idle => ("are", "they are idle there"),
                _ => ("are", "they are services or idle there"),
            };
            let note = format!("{} {is} also waiting; that is fine, {fine}", words.names(&services));
            diagnostic.notes.push(note.into());
        }
        diagnostic.hints = self.hints.iter().map(|hint| words.hint(hint)).collect();
        diagnostic
    }

    /// The run and the cycle, each step with its place in the text.
    pub fn steps(&self, network: &Network) -> Vec<Annotation> {
        let annotation = |again: &'static str| {
            move |event: &Event| Annotation {
                span: event.span,
                label: format!("{again}{}", event.step.describe(network)),
            }
        };
        self.run.iter().map(annotation("")).chain(self.cycle.iter().map(annotation("repeats: "))).collect()
    }

    /// Where the processes that others wait for have stopped.
    fn ends(&self, words: &Words<'_>) -> Vec<Annotation> {
        let stopped: Vec<ProcessId> = self
            .roots
            .iter()
            .filter_map(|root| match root.kind {
                RootKind::Stopped { partner } => Some(partner),
                _ => None,
            })
            .take(MOST_ROOTS)
            .collect();
        if stopped.is_empty() {
            return Vec::new();
        }
        let mut end = PartialConfiguration::default();
        for event in &self.run {
            end.take(words.network, event.step);
        }
        let place = |process: ProcessId| {
            let span = words.network.origin(end.state_id(words.network, process)?);
            Some(Annotation { span, label: format!("{} has stopped here", words.name(process)) })
        };
        stopped.into_iter().filter_map(place).collect()
    }

    /// The stuck actions, causes first, each with its label.
    fn places<'a>(&'a self, words: &'a Words<'a>) -> impl Iterator<Item = Annotation> + 'a {
        let causes = self.roots.iter().flat_map(|root| &root.processes).filter_map(|&process| self.waiting(process));
        causes.chain(self.tails()).map(|one| Annotation { span: one.span, label: words.waiting(one) })
    }
}

impl Waiting {
    /// Who waits for what, and why it never comes, as a sentence.
    pub fn text(&self, network: &Network, explanation: &Explanation) -> String {
        Words { network, explanation }.waiting(self)
    }
}

struct Words<'a> {
    network: &'a Network,
    explanation: &'a Explanation,
}

impl Words<'_> {
    fn name(&self, process: ProcessId) -> String {
        quote(self.network.process_name(process))
    }

    fn names(&self, processes: &[ProcessId]) -> String {
        listed(processes.iter().map(|&process| self.network.process_name(process)), "and")
    }

    fn text(&self, symbol: Symbol) -> String {
        quote(self.network.names.text(symbol))
    }

    /// Whether somebody involved does whichever comes first somewhere.
    fn has_races(&self) -> bool {
        let processes = self.explanation.component.iter().filter_map(|&process| self.network.process(process));
        let mut states = processes.flat_map(|process| process.states.of(&self.network.states));
        !self.network.arms.is_empty() && states.any(|state| matches!(state, State::Any { .. }))
    }

    /// How those decide, in the cycle, who decide there: each outcome once.
    fn decisions(&self) -> Vec<String> {
        let is_decision = |event: &&Event| event.step.is_decision();
        let mut decisions: Vec<String> = Vec::new();
        for event in self.explanation.cycle.iter().filter(is_decision) {
            let text = shortened(&event.step.describe(self.network).to_string());
            if !decisions.contains(&text) && decisions.len() < MOST_REPEATED_STEPS {
                decisions.push(text);
            }
        }
        decisions
    }

    fn labels(&self, labels: &[Symbol], conjunction: &str) -> String {
        listed(labels.iter().map(|&label| self.network.names.text(label)), conjunction)
    }

    /// The first causes and, if asked for, the processes that wait because of them.
    fn causes(&self, with_tails: bool) -> String {
        let roots = &self.explanation.roots;
        let mut causes: Vec<String> = Vec::new();
        for (index, root) in roots.iter().enumerate().take(MOST_ROOTS) {
            let mut text = self.cause(root);
            if with_tails {
                let tails: Vec<ProcessId> = self
                    .explanation
                    .tails()
                    .filter(|one| one.root == Some(index) && !one.may_wait())
                    .map(|one| one.process)
                    .collect();
                if !tails.is_empty() {
                    let wait = if tails.len() == 1 { "waits" } else { "wait" };
                    let partners = match root.processes.len() {
                        0..=2 => self.names(&root.processes),
                        _ => "them".to_string(),
                    };
                    text.push_str(&format!(", and {} {wait} for {partners}", self.names(&tails)));
                }
            }
            causes.push(text);
        }
        match roots.len().saturating_sub(MOST_ROOTS) {
            0 => {}
            1 => causes.push("and there is one more cause".to_string()),
            more => causes.push(format!("and there are {more} more causes")),
        }
        causes.join("; ")
    }

    fn cause(&self, root: &Root) -> String {
        let first = root.processes.first().and_then(|&process| self.explanation.waiting(process));
        let Some(first) = first else { return String::new() };
        match root.kind {
            RootKind::Mismatch => self.waiting(first),
            RootKind::Message { .. } => self.waiting(first),
            _ if matches!(first.wish, Wish::Any { .. }) && root.processes.len() == 1 => self.waiting(first),
            RootKind::Circle => self.circle(&root.processes, first),
            RootKind::Stopped { .. } | RootKind::Busy { .. } => match root.processes.len() {
                1 => {
                    let wish = first.wish.describe(self.network);
                    format!("{} {wish:#}, {}", self.name(first.process), self.reason(first))
                }
                _ => format!(
                    "{} wait for {}, {}",
                    self.names(&root.processes),
                    self.name(first.wish.partner()),
                    self.reason(first)
                ),
            },
        }
    }

    fn circle(&self, circle: &[ProcessId], first: &Waiting) -> String {
        match (circle, &first.why) {
            (&[_, second], why) => {
                let other = self.explanation.waiting(second).map(|other| &other.wish);
                let both = match (why, &first.wish, other) {
                    (_, Wish::Select { .. }, Some(Wish::Select { .. })) => "want to select",
                    (Why::BothSend, _, _) => "want to send",
                    (_, Wish::Offer { .. }, Some(Wish::Offer { .. })) => "wait for a label",
                    _ => "want to receive",
                };
                let full = if self.is_held_up(first) { ", but the queues between them are full" } else { "" };
                format!("{} wait for each other: both {both}{full}", self.names(circle))
            }
            _ if circle.len() > 6 => {
                format!("{} processes wait in a circle, each for the next: {}", circle.len(), self.names(circle))
            }
            _ => {
                let mut text = String::new();
                for (index, &process) in circle.iter().enumerate() {
                    let next = circle.get(index + 1).or(circle.first()).copied().unwrap_or(process);
                    text.push_str(match index {
                        0 => "",
                        _ if index + 1 == circle.len() => " and ",
                        _ => ", ",
                    });
                    let waits = if index == 0 { " waits" } else { "" };
                    text.push_str(&format!("{}{waits} for {}", self.name(process), self.name(next)));
                }
                text
            }
        }
    }

    /// Who waits for what, and why it never comes.
    fn waiting(&self, waiting: &Waiting) -> String {
        if let Wish::Any { wishes, .. } = &waiting.wish {
            return self.waiting_for_any(waiting, wishes);
        }
        format!("{} {}, {}", self.name(waiting.process), waiting.wish.describe(self.network), self.reason(waiting))
    }

    /// The same for a process that could do several things: what each of its partners does instead.
    fn waiting_for_any(&self, waiting: &Waiting, wishes: &[Wish]) -> String {
        let mut partners: Vec<ProcessId> = wishes.iter().map(Wish::partner).collect();
        partners.sort_unstable();
        partners.dedup();
        let hidden = partners.len().saturating_sub(MOST_REPEATED_STEPS);
        let busy = |partner: ProcessId| match self.explanation.waiting(partner) {
            Some(other) => format!("{} {:#}", self.name(partner), other.wish.describe(self.network)),
            None if self.explanation.active.contains(&partner) => format!("{} never joins in", self.name(partner)),
            None => format!("{} has stopped", self.name(partner)),
        };
        let instead = |&partner: &ProcessId| self.oldest(partner, waiting.process).unwrap_or_else(|| busy(partner));
        let mut clauses: Vec<String> = partners.iter().take(MOST_REPEATED_STEPS).map(instead).collect();
        if hidden > 0 {
            clauses.push(format!("{hidden} more cannot either"));
        }
        let last = clauses.pop().unwrap_or_default();
        let instead = match clauses.is_empty() {
            true => last,
            false => format!("{} and {last}", clauses.join(", ")),
        };
        format!("{} {}; but {instead}", self.name(waiting.process), waiting.wish.describe(self.network))
    }

    /// Why it never comes, as the end of a sentence whose last word is the partner.
    fn reason(&self, waiting: &Waiting) -> String {
        match self.is_held_up(waiting) {
            true => format!("whose queue is full and {}", self.instead(waiting)),
            false => self.instead(waiting),
        }
    }

    /// What the partner does instead.
    fn instead(&self, waiting: &Waiting) -> String {
        let me = self.name(waiting.process);
        let partner = waiting.wish.partner();
        match &waiting.why {
            Why::PartnerStopped => "which has stopped".to_string(),
            Why::PartnerWaits { on } => format!("which waits for {}", self.name(*on)),
            Why::PartnerStarved { on } => format!("which never acts either: it waits for {}", self.name(*on)),
            Why::BothSend => match self.explanation.waiting(partner).map(|one| &one.wish) {
                Some(Wish::Select { label, .. } | Wish::SelectValue { label, .. }) => {
                    format!("which wants to select {} at {me} first", self.text(*label))
                }
                _ => format!("which wants to send to {me} first"),
            },
            Why::BothReceive => format!("which waits for {me}"),
            Why::LabelNotOffered { label, offered } => match waiting.wish {
                Wish::Select { .. } | Wish::SelectValue { .. } => {
                    format!("which offers only {}", self.labels(offered, "and"))
                }
                _ => format!("which wants to select {}", self.text(*label)),
            },
            Why::ValueForLabel | Why::LabelForValue => match self.explanation.waiting(partner).map(|one| &one.wish) {
                Some(Wish::Offer { labels, .. }) => format!("which expects a label: {}", self.labels(labels, "or")),
                Some(Wish::Send { expression, .. }) => {
                    format!("which wants to send the value {}", self.text(*expression))
                }
                Some(Wish::Select { label, .. } | Wish::SelectValue { label, .. }) => {
                    format!("which wants to select the label {}", self.text(*label))
                }
                _ => "which expects a value".to_string(),
            },
            Why::OldestDoesNotFit { oldest } => {
                format!("but the oldest message from {} is {}", self.name(partner), self.value_or_label(*oldest))
            }
            Why::PartnerCannotTake { from, oldest } => {
                format!("which cannot take {}, the oldest message from {}", self.message(*oldest), self.name(*from))
            }
            Why::PartnerBusy => {
                let steps = self.explanation.busy.iter().find(|busy| busy.process == partner).map(|busy| &busy.steps);
                let steps = steps.map_or(&[][..], Vec::as_slice);
                let mut shown: Vec<String> = steps
                    .iter()
                    .take(MOST_REPEATED_STEPS)
                    .map(|step| format!("`{}`", shortened(&step.describe(self.network).to_string())))
                    .collect();
                if steps.len() > MOST_REPEATED_STEPS {
                    shown.push("…".to_string());
                }
                format!("which only repeats {}", shown.join(", "))
            }
        }
    }

    /// Notes on the run: what happens first, and what then repeats forever.
    fn run_notes(&self) -> Vec<Note> {
        let Explanation { run, cycle, .. } = self.explanation;
        let mut notes = Vec::new();
        match run.as_slice() {
            [] if cycle.is_empty() => notes.push("stuck from the start, before any step".into()),
            [] => {}
            [_] => notes.push(self.steps("after one step".to_string(), run)),
            _ => notes.push(self.steps(format!("after {} steps", run.len()), run)),
        }
        if !cycle.is_empty() {
            let when = if run.is_empty() { "from the start, this repeats" } else { "then this repeats" };
            notes.push(self.steps(when.to_string(), cycle));
        }
        notes
    }

    fn steps(&self, text: String, events: &[Event]) -> Note {
        Note::run(text, events, |event| shortened(&event.step.describe(self.network).to_string()))
    }
}

/// A text, cut in the middle if it is long.
fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST_STEP {
        return text.to_string();
    }
    let start: String = text.chars().take(LONGEST_STEP / 2).collect();
    let mut end: Vec<char> = text.chars().rev().take(LONGEST_STEP / 2 - 1).collect();
    end.reverse();
    format!("{start}…{}", end.into_iter().collect::<String>())
}
