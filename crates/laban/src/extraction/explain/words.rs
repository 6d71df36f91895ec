//! An explanation in words: one sentence that stands alone, and a diagnostic that points at the text.

use super::standing::Standing;
use super::{Event, Explanation, Hint, Root, RootKind, Waiting, Why, WitnessKind};
use crate::diagnostic::listed;
use crate::diagnostic::{Annotation, Code, Diagnostic, quote};
use crate::network::{Network, ProcessId, Wish};
use crate::syntax::{Span, Symbol};

/// How many steps of a long run are told: as many from its start as from its end.
const MOST_STEPS: usize = 12;
/// How many letters of a step are told.
const LONGEST_STEP: usize = 120;
/// How many causes the summary names.
const MOST_ROOTS: usize = 2;
/// To how many stuck actions a diagnostic points.
const MOST_PLACES: usize = 12;
/// How many of the things are told that a busy process does.
const MOST_DOINGS: usize = 3;

impl WitnessKind {
    /// The word that users see.
    pub fn as_str(self) -> &'static str {
        match self {
            WitnessKind::Deadlock => "deadlock",
            WitnessKind::Livelock => "livelock",
        }
    }
}

impl Explanation {
    /// One sentence that stands alone, with the kind of failure in front.
    pub fn summary(&self, network: &Network) -> String {
        format!("{}: {}", self.kind.as_str(), self.reason(network))
    }

    /// The sentence without the kind of failure, for where that is shown otherwise.
    pub fn reason(&self, network: &Network) -> String {
        let words = Words { network, explanation: self };
        if self.kind == WitnessKind::Deadlock {
            return words.causes(true);
        }
        let starved: Vec<ProcessId> = self.stuck.iter().filter(|one| !one.service).map(|one| one.process).collect();
        let acts = if starved.len() == 1 { "acts" } else { "act" };
        let go = if self.active.len() == 1 { "goes" } else { "go" };
        let mut text = format!("{} never {acts} while {} {go} round", words.names(&starved), words.names(&self.active));
        if self.roots.iter().any(|root| !matches!(root.kind, RootKind::Busy { .. })) {
            text.push_str(&format!(": {}", words.causes(false)));
        }
        text
    }

    /// The explanation as a diagnostic: it points at the stuck actions, causes first, and tells the run in notes.
    pub fn diagnostic(&self, network: &Network) -> Diagnostic {
        let words = Words { network, explanation: self };
        let code = match self.kind {
            WitnessKind::Deadlock => Code::Deadlock,
            WitnessKind::Livelock => Code::Livelock,
        };
        let mut places = self.places(&words);
        let primary = places.next().unwrap_or(Annotation { span: Span::default(), label: String::new() });
        let mut diagnostic = Diagnostic::new(code, primary.span, self.reason(network)).label(primary.label);
        diagnostic.secondary = places.take(MOST_PLACES - 1).collect();
        let told = diagnostic.secondary.len() + 1;
        diagnostic.notes.extend(words.story());
        diagnostic.secondary.extend(self.ends(&words));
        if self.stuck.len() > told {
            diagnostic.notes.push(format!("{} more processes are stuck as well", self.stuck.len() - told));
        }
        if !self.waiting_services.is_empty() {
            let services: Vec<ProcessId> = self.waiting_services.iter().map(|one| one.process).collect();
            let (noun, verb) = if services.len() == 1 { ("service", "waits") } else { ("services", "wait") };
            diagnostic
                .notes
                .push(format!("the {noun} {} {verb} too, which a service may do for ever", words.names(&services)));
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
        self.run.iter().map(annotation("")).chain(self.cycle.iter().map(annotation("again and again: "))).collect()
    }

    /// Where those have stopped that others wait for.
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
        let mut end = Standing::default();
        for event in &self.run {
            end.take(words.network, event.step);
        }
        let place = |process: ProcessId| {
            let span = words.network.origin(end.state_id(words.network, process)?);
            Some(Annotation { span, label: format!("{} has stopped here", words.name(process)) })
        };
        stopped.into_iter().filter_map(place).collect()
    }

    /// The stuck actions, those of the causes first, with what is to be said about each.
    fn places<'a>(&'a self, words: &'a Words<'a>) -> impl Iterator<Item = Annotation> + 'a {
        let causes = self.roots.iter().flat_map(|root| &root.processes).filter_map(|&process| self.waiting(process));
        causes.chain(self.tails()).map(|one| Annotation { span: one.span, label: words.waiting(one) })
    }
}

impl Hint {
    /// The hint as a sentence.
    pub fn text(&self, network: &Network, explanation: &Explanation) -> String {
        Words { network, explanation }.hint(self)
    }
}

impl Waiting {
    /// Who waits for what, and why it will not come, as a sentence.
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

    fn labels(&self, labels: &[Symbol], conjunction: &str) -> String {
        listed(labels.iter().map(|&label| self.network.names.text(label)), conjunction)
    }

    /// The first causes and, if asked for, those who wait on them.
    fn causes(&self, with_tails: bool) -> String {
        let roots = &self.explanation.roots;
        let mut told: Vec<String> = Vec::new();
        for (index, root) in roots.iter().enumerate().take(MOST_ROOTS) {
            let mut text = self.cause(root);
            if with_tails {
                let tails: Vec<ProcessId> = self
                    .explanation
                    .tails()
                    .filter(|one| one.root == Some(index) && !one.service)
                    .map(|one| one.process)
                    .collect();
                if !tails.is_empty() {
                    let wait = if tails.len() == 1 { "waits" } else { "wait" };
                    let on = match root.processes.len() {
                        0..=2 => self.names(&root.processes),
                        _ => "them".to_string(),
                    };
                    text.push_str(&format!(", and {} {wait} on {on}", self.names(&tails)));
                }
            }
            told.push(text);
        }
        match roots.len().saturating_sub(MOST_ROOTS) {
            0 => {}
            1 => told.push("and there is one more cause".to_string()),
            more => told.push(format!("and there are {more} more causes")),
        }
        told.join("; ")
    }

    fn cause(&self, root: &Root) -> String {
        let first = root.processes.first().and_then(|&process| self.explanation.waiting(process));
        let Some(first) = first else { return String::new() };
        match root.kind {
            RootKind::Mismatch => self.waiting(first),
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
                format!("{} wait for each other, as both {both}", self.names(circle))
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

    /// Who waits for what, and why it will not come.
    fn waiting(&self, waiting: &Waiting) -> String {
        format!("{} {}, {}", self.name(waiting.process), waiting.wish.describe(self.network), self.reason(waiting))
    }

    /// Why it will not come, as the end of a sentence of which the partner is the last word.
    fn reason(&self, waiting: &Waiting) -> String {
        let me = self.name(waiting.process);
        let partner = waiting.wish.partner();
        match &waiting.why {
            Why::PartnerStopped => "which has stopped".to_string(),
            Why::PartnerWaits { on } => format!("which waits for {}", self.name(*on)),
            Why::PartnerStarved { on } => format!("which never acts either and waits for {}", self.name(*on)),
            Why::BothSend => match self.explanation.waiting(partner).map(|one| &one.wish) {
                Some(Wish::Select { label, .. }) => {
                    format!("which wants to select {} at {me} first", self.text(*label))
                }
                _ => format!("which wants to send to {me} first"),
            },
            Why::BothReceive => format!("which waits for {me}"),
            Why::LabelNotOffered { label, offered } => match waiting.wish {
                Wish::Select { .. } => format!("which offers only {}", self.labels(offered, "and")),
                _ => format!("which wants to select {}", self.text(*label)),
            },
            Why::ValueForLabel | Why::LabelForValue => match self.explanation.waiting(partner).map(|one| &one.wish) {
                Some(Wish::Offer { labels, .. }) => format!("which expects a label: {}", self.labels(labels, "or")),
                Some(Wish::Send { expression, .. }) => {
                    format!("which wants to send the value {}", self.text(*expression))
                }
                Some(Wish::Select { label, .. }) => format!("which wants to select the label {}", self.text(*label)),
                _ => "which expects a value".to_string(),
            },
            Why::PartnerBusy => {
                let steps = self.explanation.busy.iter().find(|busy| busy.process == partner).map(|busy| &busy.steps);
                let steps = steps.map_or(&[][..], Vec::as_slice);
                let mut doings: Vec<String> = steps
                    .iter()
                    .take(MOST_DOINGS)
                    .map(|step| format!("`{}`", shortened(&step.describe(self.network).to_string())))
                    .collect();
                if steps.len() > MOST_DOINGS {
                    doings.push("…".to_string());
                }
                format!("which only does {} for ever", doings.join(", "))
            }
        }
    }

    /// What happens first, and then for ever.
    fn story(&self) -> Vec<String> {
        let Explanation { run, cycle, .. } = self.explanation;
        let mut notes = Vec::new();
        match run.as_slice() {
            [] if cycle.is_empty() => notes.push("this is so from the start, before anything happens".to_string()),
            [] => {}
            [one] => notes.push(format!("after one step: {}", self.steps(std::slice::from_ref(one)))),
            run => notes.push(format!("after {} steps: {}", run.len(), self.steps(run))),
        }
        if !cycle.is_empty() {
            let when = if run.is_empty() { "from the start" } else { "then" };
            notes.push(format!("{when}, for ever: {}", self.steps(cycle)));
        }
        notes
    }

    /// Steps, one after the other; a long run is shortened in the middle.
    fn steps(&self, events: &[Event]) -> String {
        let step = |event: &Event| shortened(&event.step.describe(self.network).to_string());
        let half = MOST_STEPS / 2;
        let mut told: Vec<String> = Vec::new();
        match events.len() {
            count if count <= MOST_STEPS => told.extend(events.iter().map(step)),
            count => {
                told.extend(events[..half].iter().map(step));
                told.push(format!("… {} more …", count - 2 * half));
                told.extend(events[count - half..].iter().map(step));
            }
        }
        told.join("; ")
    }

    fn hint(&self, hint: &Hint) -> String {
        match hint {
            Hint::Label { selects, offers, label, meant: Some(meant), .. } => format!(
                "did {} mean {}? if not, add a branch {} to the offer of {}",
                self.name(*selects),
                self.text(*meant),
                self.text(*label),
                self.name(*offers)
            ),
            Hint::Label { selects, offers, label, offered, .. } => format!(
                "add a branch {} to the offer of {}, or let {} select {}",
                self.text(*label),
                self.name(*offers),
                self.name(*selects),
                self.labels(offered, "or")
            ),
            Hint::ValueForLabel { sends, offers, labels } => format!(
                "let {} select {} in place of the value, or let {} receive a value",
                self.name(*sends),
                self.labels(labels, "or"),
                self.name(*offers)
            ),
            Hint::LabelForValue { selects, receives, label } => format!(
                "let {} offer {} in place of the receive, or let {} send a value",
                self.name(*receives),
                self.text(*label),
                self.name(*selects)
            ),
            Hint::Asynchrony { senders } => {
                let (channels, how) = match senders.len() {
                    1 => ("an asynchronous channel", "send without waiting"),
                    2 => ("asynchronous channels", "both send first"),
                    _ => ("asynchronous channels", "all send first"),
                };
                format!("with {channels} {} could {how}", self.names(senders))
            }
            Hint::OtherOutcome { decider, condition, holds, process } => {
                let (now, otherwise) = if *holds { ("holds", "does not") } else { ("does not hold", "does") };
                format!(
                    "this happens when {} of {} {now}; when it {otherwise}, {} can go on",
                    self.text(*condition),
                    self.name(*decider),
                    self.name(*process)
                )
            }
            Hint::Tell { decider, condition, process } => format!(
                "{} does not tell {} how it decides {}: add a selection to each branch",
                self.name(*decider),
                self.name(*process),
                self.text(*condition)
            ),
            Hint::Services(processes) => {
                let names: Vec<&str> = processes.iter().map(|&process| self.network.process_name(process)).collect();
                let first = names.first().copied().unwrap_or_default();
                let (service, each) = if names.len() == 1 { ("a service", "it") } else { ("services", "they") };
                let options: Vec<String> = names.iter().take(4).map(|name| format!("--service {name}")).collect();
                let more = if names.len() > 4 { " …" } else { "" };
                format!(
                    "declare {} {service} if {each} may wait for ever: `service {first} {{ … }}` or `{}{more}`",
                    self.names(processes),
                    options.join(" ")
                )
            }
        }
    }
}

/// A text of at most so many letters, cut in the middle.
fn shortened(text: &str) -> String {
    if text.len() <= LONGEST_STEP {
        return text.to_string();
    }
    let start: String = text.chars().take(LONGEST_STEP / 2).collect();
    let mut end: Vec<char> = text.chars().rev().take(LONGEST_STEP / 2 - 1).collect();
    end.reverse();
    format!("{start}…{}", end.into_iter().collect::<String>())
}
