//! The diagram of a failure: the run to it, the cycle that never ends, and who waits for what.

use super::super::focus::Focus;
use super::super::text::counted;
use super::spans;
use super::{Diagram, Frame, Item, Lane, MessageKind, NoteKind, Sequence, Span};
use crate::diagnostic::quote;
use crate::extraction::explain::{Event, Explanation, Waiting};
use crate::network::{Content, Interaction, Network, ProcessId, Step};

/// The diagram of a failure, of the processes that it is about.
///
/// The run comes first. Then each process that is stuck gets a note that says what it waits for and why that will not
/// come; the cycle of a livelock goes on in a loop below. Of a long run, the beginning and the end are drawn.
pub fn witness(network: &Network, explanation: &Explanation, focus: &Focus) -> Sequence {
    let mut lane_of = vec![None; network.processes.len()];
    let mut diagram = Diagram { title: title(explanation), ..Diagram::default() };
    let events = || explanation.run.iter().chain(&explanation.cycle);
    let mut wanted = vec![!focus.is_narrow(); network.processes.len()];
    for &process in &explanation.component {
        wanted[process.index()] |= focus.includes(network.process_name(process));
    }
    let asked = wanted.clone();
    for event in events().filter(|event| concerns(&asked, event)) {
        for process in event.step.actors() {
            wanted[process.index()] = true;
        }
    }
    for &process in explanation.component.iter().filter(|process| wanted[process.index()]) {
        lane_of[process.index()] = Some(diagram.lanes.len());
        let name = network.process_name(process).to_string();
        let service = network.processes.get(process.index()).is_some_and(|process| process.service);
        let stuck = explanation.stuck.binary_search_by_key(&process, |one| one.process).is_ok();
        diagram.lanes.push(Lane { name, service, stuck });
    }
    let mut writer = Writer { network, explanation, lane_of, asked, diagram, left_out: 0 };
    let count = |events: &[Event]| events.iter().filter(|event| concerns(&writer.asked, event)).count();
    let (run, cycle) = (count(&explanation.run), count(&explanation.cycle));
    // The cycle is what a livelock is about: it gets its half, and the run what is left.
    let for_cycle = cycle.min(focus.max_items.div_ceil(2).max(focus.max_items.saturating_sub(run)));
    writer.events(&explanation.run, focus.max_items.saturating_sub(for_cycle));
    writer.notes();
    if !explanation.cycle.is_empty() {
        writer.diagram.items.push(Item::Open {
            frame: Frame::Loop,
            text: "for ever".to_string(),
            lane: None,
            span: Span::default(),
        });
        writer.events(&explanation.cycle, for_cycle);
        writer.diagram.items.push(Item::Close);
    }
    let Writer { mut diagram, left_out, .. } = writer;
    if left_out > 0 {
        let are = if left_out == 1 { "is" } else { "are" };
        diagram.remarks.push(format!("{} of others {are} left out", counted(left_out, "step")));
    }
    spans::settle(&mut diagram);
    Sequence { diagrams: vec![diagram], remarks: Vec::new() }
}

fn title(explanation: &Explanation) -> String {
    match explanation.run.len() {
        0 => format!("{} from the start", explanation.kind.as_str()),
        steps => format!("{} after {}", explanation.kind.as_str(), counted(steps, "step")),
    }
}

fn concerns(asked: &[bool], event: &Event) -> bool {
    event.step.actors().any(|process| asked.get(process.index()).copied().unwrap_or(false))
}

struct Writer<'a> {
    network: &'a Network,
    explanation: &'a Explanation,
    lane_of: Vec<Option<usize>>,
    /// For each process whether it is asked for.
    asked: Vec<bool>,
    diagram: Diagram,
    left_out: usize,
}

impl Writer<'_> {
    fn lane(&self, process: ProcessId) -> Option<usize> {
        self.lane_of.get(process.index()).copied().flatten()
    }

    fn events(&mut self, events: &[Event], most: usize) {
        let drawn: Vec<&Event> = events.iter().filter(|event| concerns(&self.asked, event)).collect();
        self.left_out += events.len() - drawn.len();
        if drawn.len() <= most {
            drawn.iter().for_each(|event| self.event(event));
            return;
        }
        let (head, tail) = (most / 2, drawn.len() - most.div_ceil(2));
        drawn[..head].iter().for_each(|event| self.event(event));
        let text = format!("… {}", counted(tail - head, "more step"));
        self.diagram.items.push(Item::Remark { text, span: Span::default() });
        drawn[tail..].iter().for_each(|event| self.event(event));
    }

    fn event(&mut self, event: &Event) {
        match event.step {
            Step::Interaction(Interaction { from, to, content }) => {
                let (Some(from), Some(to)) = (self.lane(from), self.lane(to)) else { return };
                let (symbol, kind) = match content {
                    Content::Value(expression) => (expression, MessageKind::Value),
                    Content::Label(label) => (label, MessageKind::Selection),
                };
                let text = self.network.names.text(symbol).to_string();
                self.diagram.items.push(Item::Message { from, to, text, kind });
            }
            Step::Decision { process, condition, holds } => {
                let Some(lane) = self.lane(process) else { return };
                let text = format!("{}: {}", self.network.names.text(condition), if holds { "yes" } else { "no" });
                self.diagram.items.push(Item::Note { lane, text, kind: NoteKind::Decision });
            }
        }
    }

    /// What each process that does not go on is doing.
    fn notes(&mut self) {
        for &process in &self.explanation.component {
            let Some(lane) = self.lane(process) else { continue };
            let (text, kind) = match self.explanation.waiting(process) {
                Some(one) if self.diagram.lanes[lane].stuck => (self.waiting(one), NoteKind::Stuck),
                Some(one) => (one.wish.describe(self.network).to_string(), NoteKind::Waiting),
                None if self.explanation.active.binary_search(&process).is_ok() => continue,
                None => ("has stopped".to_string(), NoteKind::Stopped),
            };
            self.diagram.items.push(Item::Note { lane, text, kind });
        }
    }

    fn waiting(&self, one: &Waiting) -> String {
        let text = one.text(self.network, self.explanation);
        let name = format!("{} ", quote(self.network.process_name(one.process)));
        text.strip_prefix(&name).unwrap_or(&text).to_string()
    }
}
