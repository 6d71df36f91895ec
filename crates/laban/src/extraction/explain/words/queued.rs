//! What lies in the queues, in words.

use super::Words;
use crate::diagnostic::{Annotation, Note, quote};
use crate::extraction::explain::{Growth, Hint, Left, Queued, Rate, Root, RootKind, Waiting, WitnessKind};
use crate::network::{Content, ProcessId};

/// The most messages of a queue that are named.
const MOST_MESSAGES: usize = 8;
/// The most queues that are shown.
const MOST_QUEUES: usize = 6;
/// The most queues that grow, and that a sentence names.
const MOST_GROWING: usize = 3;
/// The most processes whose share is told.
const MOST_RATES: usize = 4;

fn messages(number: usize) -> String {
    match number {
        1 => "1 message".to_string(),
        _ => format!("{number} messages"),
    }
}

impl Words<'_> {
    /// A message in a sentence: `x` for a value.
    pub(super) fn message(&self, content: Content) -> String {
        match content {
            Content::Value(value) => self.text(value),
            Content::Label(label) => format!("the label {}", self.text(label)),
            Content::LabelledValue { label, value } => {
                let (label, value) = (self.network.text(label), self.network.text(value));
                format!("the label {}", quote(&format!("{label}<{value}>")))
            }
        }
    }

    /// The same where it matters which of both it is.
    pub(super) fn value_or_label(&self, content: Content) -> String {
        match content {
            Content::Value(value) => format!("the value {}", self.text(value)),
            Content::Label(_) | Content::LabelledValue { .. } => self.message(content),
        }
    }

    /// Whether a process wants to send to a queue: if it has to wait for that, the queue is full.
    pub(super) fn is_held_up(&self, waiting: &Waiting) -> bool {
        waiting.wish.sends() && self.network.channel(waiting.process, waiting.wish.partner()).is_queue()
    }

    /// What the oldest message between two processes is, if there is one.
    pub(super) fn oldest(&self, from: ProcessId, to: ProcessId) -> Option<String> {
        let oldest = self.explanation.queue(from, to)?.messages.first()?;
        Some(format!("the oldest message from {} is {}", self.name(from), self.value_or_label(oldest.content)))
    }

    /// That nobody takes a message, and why.
    pub(super) fn orphan(&self, from: ProcessId, to: ProcessId) -> String {
        let Some(queue) = self.explanation.queue(from, to) else { return String::new() };
        let (sender, receiver) = (self.name(from), self.name(to));
        let never = if queue.left == Left::Ignored { "may never take" } else { "never takes" };
        let messages = match queue.messages.as_slice() {
            [only] => format!("{} from {sender}", self.message(only.content)),
            [first, second] => {
                format!("{} and {} from {sender}", self.message(first.content), self.message(second.content))
            }
            [first, ..] => {
                let number = queue.messages.len();
                format!("{number} messages from {sender}, the oldest {}", self.message(first.content))
            }
            [] => String::new(),
        };
        format!("{receiver} {never} {messages}: {}", self.left(queue))
    }

    /// Why the oldest message of a queue is not taken.
    fn left(&self, queue: &Queued) -> String {
        let (sender, waiting) = (self.name(queue.from), self.explanation.waiting(queue.to));
        match (queue.left, waiting) {
            (Left::Stopped, _) => "it has stopped".to_string(),
            (Left::Waits | Left::DoesNotFit, Some(waiting)) => {
                let text = self.waiting(waiting);
                let start = self.name(waiting.process).len();
                format!("it{}", text.get(start..).unwrap_or_default())
            }
            (Left::Waits, None) => "it waits for something else".to_string(),
            (Left::DoesNotFit, None) => format!("it waits for something else from {sender}"),
            (Left::NeverReceived, _) => "whatever it does from here on, it does not receive that".to_string(),
            (Left::Ignored, _) => format!("it can loop forever without receiving from {sender}"),
            (Left::Open, _) => "it may be taken later".to_string(),
        }
    }

    /// That queues grow forever, and by how much.
    pub(super) fn unbounded(&self) -> String {
        let queue = |growth: &Growth| format!("from {} to {}", self.name(growth.from), self.name(growth.to));
        match self.explanation.growth.as_slice() {
            [] => String::new(),
            [only] => {
                let (from, to) = (self.name(only.from), self.name(only.to));
                let taken = match (only.taken, self.explanation.queue(only.from, only.to)) {
                    (0, Some(queue)) if queue.left != Left::Open => format!("none: {}", self.left(queue)),
                    (0, _) => "none".to_string(),
                    (number, _) => number.to_string(),
                };
                format!(
                    "the queue {} grows forever: each time round, {from} sends {} and {to} takes {taken}",
                    queue(only),
                    messages(only.sent)
                )
            }
            several => {
                let mut queues: Vec<String> = several.iter().take(MOST_GROWING).map(queue).collect();
                if several.len() > MOST_GROWING {
                    queues.push(format!("{} more", several.len() - MOST_GROWING));
                }
                let last = queues.pop().unwrap_or_default();
                let queues = queues.join(", ");
                format!("the queues {queues} and {last} grow forever: more is sent than taken, at any speed")
            }
        }
    }

    /// What each of those does whose queues grow.
    fn rates(&self) -> Vec<Note> {
        let rate = |rate: &Rate| {
            let list = |traffic: &[(ProcessId, usize)], word: &str| {
                let parts = traffic.iter().take(MOST_GROWING + 1);
                let parts: Vec<String> =
                    parts.map(|&(whom, number)| format!("{number} {word} {}", self.name(whom))).collect();
                parts.join(", ")
            };
            let does = match (list(&rate.takes, "from"), list(&rate.sends, "to")) {
                (takes, sends) if takes.is_empty() => format!("sends {sends}"),
                (takes, sends) if sends.is_empty() => format!("takes {takes}"),
                (takes, sends) => format!("sends {sends} and takes {takes}"),
            };
            format!("each time round, {} {does}", self.name(rate.process)).into()
        };
        // Who does nothing in the cycle has no rate.
        let rates = self.explanation.rates.iter().filter(|rate| !(rate.takes.is_empty() && rate.sends.is_empty()));
        rates.take(if self.explanation.growth.len() > 1 { MOST_RATES } else { 0 }).map(rate).collect()
    }

    /// The places that the explanation of an orphan, or of queues that grow, points at first.
    pub(super) fn queue_places(&self) -> Vec<Annotation> {
        let explanation = self.explanation;
        match explanation.kind {
            WitnessKind::Deadlock | WitnessKind::Livelock => Vec::new(),
            WitnessKind::Orphan { from, to } => {
                let Some(queue) = explanation.queue(from, to) else { return Vec::new() };
                let mut places = self.sent(queue).into_iter().collect::<Vec<_>>();
                let receiver = self.name(to);
                let label = match queue.left {
                    Left::Stopped => format!("{receiver} has stopped here"),
                    Left::NeverReceived | Left::Ignored | Left::Open => format!("{receiver} goes on from here"),
                    // If it is stuck, its place is shown with all who are.
                    Left::Waits | Left::DoesNotFit => match explanation.waiting(to) {
                        Some(waiting) if explanation.waiting_services.contains(waiting) => self.waiting(waiting),
                        _ => return places,
                    },
                };
                places.push(Annotation { span: queue.receiver, label });
                places
            }
            WitnessKind::Unbounded => explanation.growth.iter().take(2).flat_map(|one| self.growing(one)).collect(),
        }
    }

    fn growing(&self, growth: &Growth) -> Vec<Annotation> {
        let (from, to) = (self.name(growth.from), self.name(growth.to));
        let sends = Annotation { span: growth.sends, label: format!("{from} sends to {to} here") };
        let takes = |span| Annotation { span, label: format!("{to} takes from {from} here") };
        let stopped = |queue: &&Queued| growth.takes.is_none() && queue.left == Left::Stopped;
        let stopped = self.explanation.queue(growth.from, growth.to).filter(stopped);
        let stopped = stopped.map(|queue| Annotation { span: queue.receiver, label: format!("{to} has stopped here") });
        std::iter::once(sends).chain(growth.takes.map(takes)).chain(stopped).collect()
    }

    /// Where the oldest message of a queue was sent.
    fn sent(&self, queue: &Queued) -> Option<Annotation> {
        let oldest = queue.messages.first()?;
        let (from, to) = (self.name(queue.from), self.name(queue.to));
        let label = match oldest.content {
            Content::Value(value) => format!("{from} sends {} to {to} here", self.text(value)),
            Content::Label(label) | Content::LabelledValue { label, .. } => {
                format!("{from} selects {} at {to} here", self.text(label))
            }
        };
        Some(Annotation { span: oldest.span, label })
    }

    /// Where the messages were sent that do not fit.
    pub(super) fn sources(&self) -> Vec<Annotation> {
        let sent = self.explanation.roots.iter().filter_map(|root| match (root.kind, root.processes.as_slice()) {
            (RootKind::Message { from }, &[to]) => self.sent(self.explanation.queue(from, to)?),
            _ => None,
        });
        sent.take(MOST_QUEUES).collect()
    }

    /// Where messages cross, if a hint says that they do.
    pub(super) fn crossing(&self) -> Vec<Annotation> {
        let crossing = self.explanation.hints.iter().find_map(|hint| match hint {
            Hint::Rendezvous { crossing } => *crossing,
            _ => None,
        });
        let place = |(process, span)| Annotation { span, label: format!("{} sends here", self.name(process)) };
        crossing.into_iter().flatten().map(place).collect()
    }

    /// Notes on what lies in the queues at the end, and on why nobody can catch up.
    pub(super) fn queue_notes(&self) -> Vec<Note> {
        let explanation = self.explanation;
        let queues: Vec<&Queued> = explanation.queues.iter().filter(|queue| !self.is_told(queue)).collect();
        let mut notes: Vec<Note> = queues.iter().take(MOST_QUEUES).map(|queue| self.queue_note(queue)).collect();
        match queues.len().saturating_sub(MOST_QUEUES) {
            0 => {}
            1 => notes.push("1 more queue is not empty".into()),
            more => notes.push(format!("{more} more queues are not empty").into()),
        }
        if explanation.kind == WitnessKind::Unbounded {
            notes.extend(self.rates());
            if explanation.growth.iter().any(|growth| growth.taken > 0) {
                notes.push("nobody can catch up: going round more often would make another queue grow".into());
            }
        }
        notes
    }

    /// Whether the first sentence says all about a queue: there is only one message in it, which is lost or does not
    /// fit.
    fn is_told(&self, queue: &Queued) -> bool {
        let Queued { from, to, .. } = *queue;
        let does_not_fit = |root: &Root| root.kind == RootKind::Message { from } && root.processes.as_slice() == [to];
        queue.messages.len() == 1
            && (self.explanation.kind == WitnessKind::Orphan { from, to }
                || self.explanation.roots.iter().any(does_not_fit))
    }

    fn queue_note(&self, queue: &Queued) -> Note {
        let mut messages: Vec<String> = queue
            .messages
            .iter()
            .take(MOST_MESSAGES)
            .map(|message| message.content.describe(self.network).to_string())
            .collect();
        if queue.messages.len() > MOST_MESSAGES {
            messages.push("…".to_string());
        }
        let when = match (self.explanation.kind, self.explanation.cycle.is_empty()) {
            (WitnessKind::Unbounded, _) => "after one round, ",
            _ => "",
        };
        format!("{when}in the queue from {} to {}: {}", self.name(queue.from), self.name(queue.to), messages.join(", "))
            .into()
    }
}
