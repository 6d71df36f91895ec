//! A run on its way into a diagram: who has a lane, and the steps and notes so far.

use super::spans;
use super::{Diagram, DrawnStep, Frame, Item, Lane, MessageKind, NoteKind, Sequence, Span};
use crate::focus::Focus;
use crate::text::counted;
use laban::network::{Content, Interaction, ProcessId};
use laban::semantics::Step;
use laban::syntax::Names;
use std::collections::{BTreeMap, VecDeque};

/// Somebody who may get a lane.
pub(super) struct Actor<'a> {
    pub(super) process: ProcessId,
    pub(super) name: &'a str,
    pub(super) service: bool,
    pub(super) stuck: bool,
}

/// A diagram that is being made from steps.
pub(super) struct Stage<'a> {
    names: &'a Names,
    /// For each process its lane, if it has one.
    lane_of: Vec<Option<usize>>,
    /// For each process whether it is asked for.
    asked: Vec<bool>,
    diagram: Diagram,
    left_out: usize,
    /// How many messages were put into queues.
    messages: usize,
    /// The numbers of those that wait, for each queue.
    waiting: BTreeMap<(ProcessId, ProcessId), VecDeque<usize>>,
    /// How many steps there were, drawn or not.
    passed: usize,
}

/// A step of a run, and its number.
#[derive(Clone, Copy)]
struct Numbered {
    step: Step,
    number: usize,
    /// The number of the step that takes what this one sends, if the two are drawn as one.
    taken: Option<usize>,
}

impl<'a> Stage<'a> {
    /// A diagram without items. Lanes are for those in the focus and for whoever acts with them in one of the steps.
    pub(super) fn new(
        title: String,
        names: &'a Names,
        actors: &[Actor<'_>],
        steps: impl Iterator<Item = Step>,
        focus: &Focus,
    ) -> Self {
        let count = actors.iter().map(|actor| actor.process.index() + 1).max().unwrap_or(0);
        let mut asked = vec![!focus.is_narrow(); count];
        for actor in actors {
            asked[actor.process.index()] |= focus.includes(actor.name);
        }
        let mut wanted = asked.clone();
        for process in steps.filter(|&step| concerns(&asked, step)).flat_map(parties) {
            if let Some(wanted) = wanted.get_mut(process.index()) {
                *wanted = true;
            }
        }
        let mut lane_of = vec![None; count];
        let mut lanes = Vec::new();
        for &Actor { process, name, service, stuck } in actors.iter().filter(|actor| wanted[actor.process.index()]) {
            lane_of[process.index()] = Some(lanes.len());
            lanes.push(Lane { name: name.to_string(), service, stuck });
        }
        let diagram = Diagram { title, lanes, ..Diagram::default() };
        Stage { names, lane_of, asked, diagram, left_out: 0, messages: 0, waiting: BTreeMap::new(), passed: 0 }
    }

    pub(super) fn lane(&self, process: ProcessId) -> Option<usize> {
        self.lane_of.get(process.index()).copied().flatten()
    }

    /// How many of these steps are drawn if there is room for all.
    pub(super) fn count(&self, steps: impl Iterator<Item = Step>) -> usize {
        steps.filter(|&step| concerns(&self.asked, step)).count()
    }

    /// Draws steps; of too many the beginning and the end.
    pub(super) fn steps(&mut self, steps: impl Iterator<Item = Step>, most: usize) {
        let mut drawn = Vec::new();
        for numbered in self.at_once(steps) {
            match concerns(&self.asked, numbered.step) {
                true => drawn.push(numbered),
                false => self.left_out += 1,
            }
        }
        if drawn.len() <= most {
            drawn.iter().for_each(|&step| self.numbered(step));
            return;
        }
        let (head, tail) = (most / 2, drawn.len() - most.div_ceil(2));
        drawn[..head].iter().for_each(|&step| self.numbered(step));
        self.remark(format!("… {}", counted(tail - head, "more step")));
        drawn[head..tail].iter().for_each(|numbered| {
            self.number(numbered.step);
        });
        drawn[tail..].iter().for_each(|&step| self.numbered(step));
    }

    /// Draws one step, and notes where it is.
    fn numbered(&mut self, Numbered { step, number, taken }: Numbered) {
        let item = self.diagram.items.len();
        self.step(step);
        if self.diagram.items.len() > item {
            self.diagram.steps.push(DrawnStep { item, step: number, taken });
        }
    }

    /// The same steps, in which a message that is taken as soon as it is put into an empty queue goes over at once.
    fn at_once(&mut self, steps: impl Iterator<Item = Step>) -> Vec<Numbered> {
        let mut lengths: BTreeMap<(ProcessId, ProcessId), usize> =
            self.waiting.iter().map(|(&channel, messages)| (channel, messages.len())).collect();
        let mut found: Vec<Numbered> = Vec::new();
        for step in steps {
            let number = self.passed;
            self.passed += 1;
            if let Step::Put(Interaction { from, to, .. }) | Step::Take(Interaction { from, to, .. }) = step {
                let length = lengths.entry((from, to)).or_default();
                *length = if matches!(step, Step::Put(_)) { *length + 1 } else { length.saturating_sub(1) };
                if let (Step::Take(taken), Some(last), 0) = (step, found.last_mut(), *length)
                    && last.step == Step::Put(taken)
                {
                    *last = Numbered { step: Step::Interaction(taken), taken: Some(number), ..*last };
                    continue;
                }
            }
            found.push(Numbered { step, number, taken: None });
        }
        found
    }

    /// Draws one step, unless somebody in it has no lane.
    pub(super) fn step(&mut self, step: Step) {
        match step {
            Step::Interaction(Interaction { from, to, content }) => {
                let (Some(from), Some(to)) = (self.lane(from), self.lane(to)) else { return };
                let (text, kind) = self.content(content);
                self.diagram.items.push(Item::Message { from, to, text, kind });
            }
            Step::Put(one) => {
                let message = Some(self.number(step));
                let (text, kind) = self.content(one.content);
                match (self.lane(one.from), self.lane(one.to)) {
                    (Some(from), Some(to)) => self.diagram.items.push(Item::Put { from, to, text, kind, message }),
                    _ => self.note(one.from, format!("puts {text}"), NoteKind::Decision),
                }
            }
            Step::Take(one) => {
                let message = Some(self.number(step));
                let text = match self.content(one.content) {
                    (text, MessageKind::Value) => text,
                    (text, MessageKind::Selection) => format!("[{text}]"),
                };
                match (self.lane(one.from), self.lane(one.to)) {
                    (Some(from), Some(to)) => self.diagram.items.push(Item::Take { from, to, text, message }),
                    _ => self.note(one.to, format!("takes {text}"), NoteKind::Decision),
                }
            }
            Step::Decision { process, condition, holds } => {
                let outcome = if holds { "yes" } else { "no" };
                let text = format!("{}: {outcome}", self.names.text(condition));
                self.note(process, text, NoteKind::Decision);
            }
            Step::Choice { process, arm } => {
                self.note(process, format!("chooses item {}", arm + 1), NoteKind::Decision);
            }
        }
    }

    /// The number of the message that is put or taken in a step.
    fn number(&mut self, step: Step) -> usize {
        match step {
            Step::Put(Interaction { from, to, .. }) => {
                self.messages += 1;
                self.waiting.entry((from, to)).or_default().push_back(self.messages);
                self.messages
            }
            Step::Take(Interaction { from, to, .. }) => {
                let oldest = self.waiting.get_mut(&(from, to)).and_then(VecDeque::pop_front);
                oldest.unwrap_or_default()
            }
            Step::Interaction(_) | Step::Decision { .. } | Step::Choice { .. } => 0,
        }
    }

    /// The words for a message.
    fn content(&self, content: Content) -> (String, MessageKind) {
        match content {
            Content::Value(value) => (self.names.text(value).to_string(), MessageKind::Value),
            Content::Label(label) => (self.names.text(label).to_string(), MessageKind::Selection),
            Content::LabelledValue { label, value } => {
                (labelled(self.names.text(label), self.names.text(value)), MessageKind::Selection)
            }
        }
    }

    /// Says something about a process, if it has a lane.
    pub(super) fn note(&mut self, process: ProcessId, text: String, kind: NoteKind) {
        if let Some(lane) = self.lane(process) {
            self.diagram.items.push(Item::Note { lane, text, kind });
        }
    }

    /// Says something about all of the frame that is open.
    pub(super) fn remark(&mut self, text: impl Into<String>) {
        self.diagram.items.push(Item::Remark { text: text.into(), span: Span::default() });
    }

    pub(super) fn open(&mut self, frame: Frame, text: impl Into<String>) {
        self.diagram.items.push(Item::Open { frame, text: text.into(), lane: None, span: Span::default() });
    }

    pub(super) fn next(&mut self, text: impl Into<String>) {
        self.diagram.items.push(Item::Next { text: text.into() });
    }

    pub(super) fn close(&mut self) {
        self.diagram.items.push(Item::Close);
    }

    /// The diagram, with a remark on how much is left out.
    pub(super) fn finish(self) -> Sequence {
        let Stage { mut diagram, left_out, .. } = self;
        if left_out > 0 {
            let are = if left_out == 1 { "is" } else { "are" };
            diagram.remarks.push(format!("{} of others {are} left out", counted(left_out, "step")));
        }
        spans::settle(&mut diagram);
        Sequence { diagrams: vec![diagram], ..Sequence::default() }
    }
}

/// A label and the value that goes with it: `label(value)`.
pub(super) fn labelled(label: &str, value: &str) -> String {
    format!("{label}({value})")
}

/// "deadlock after 3 steps", "deadlock from the start".
pub(super) fn after(what: &str, steps: usize) -> String {
    match steps {
        0 => format!("{what} from the start"),
        steps => format!("{what} after {}", counted(steps, "step")),
    }
}

/// The processes that a step concerns, whether they act or not.
fn parties(step: Step) -> impl Iterator<Item = ProcessId> {
    let ends = step.interaction().map(|Interaction { from, to, .. }| [from, to]);
    let alone = ends.is_none().then(|| step.initiator());
    ends.into_iter().flatten().chain(alone)
}

fn concerns(asked: &[bool], step: Step) -> bool {
    parties(step).any(|process| asked.get(process.index()).copied().unwrap_or(false))
}
