//! The diagram of a failure: the run to it, the cycle that never ends, and who waits for what.

use super::stage::{Actor, Stage, after};
use super::{Frame, NoteKind, Sequence};
use crate::focus::Focus;
use laban::diagnostic::quote;
use laban::extraction::explain::{Explanation, Waiting, Why, WitnessKind};
use laban::network::{Content, Network, ProcessId};

/// The diagram of a failure, of the processes that it is about.
///
/// The run comes first. Then each process that is stuck gets a note that says what it waits for and why that will not
/// come, and what lies in its queues; the cycle of a livelock goes on in a loop below. Of a long run, the beginning and
/// the end are drawn.
pub fn witness(network: &Network, explanation: &Explanation, focus: &Focus) -> Sequence {
    let run = || explanation.run.iter().map(|event| event.step);
    let cycle = || explanation.cycle.iter().map(|event| event.step);
    let actor = |&process: &ProcessId| Actor {
        process,
        name: network.process_name(process),
        service: network.processes().get(process.index()).is_some_and(|process| process.service),
        stuck: is_stuck(explanation, process),
    };
    let actors: Vec<Actor<'_>> = explanation.component.iter().map(actor).collect();
    let title = after(explanation.kind.as_str(), explanation.run.len());
    let mut stage = Stage::new(title, network.names(), &actors, run().chain(cycle()), focus);
    // The cycle is what a livelock is about: it gets its half, and the run what is left.
    let half = focus.max_items.div_ceil(2).max(focus.max_items.saturating_sub(stage.count(run())));
    let for_cycle = stage.count(cycle()).min(half);
    stage.steps(run(), focus.max_items.saturating_sub(for_cycle));
    notes(&mut stage, network, explanation);
    if !explanation.cycle.is_empty() {
        stage.open(Frame::Loop, "forever");
        stage.steps(cycle(), for_cycle);
        stage.close();
    }
    stage.finish()
}

fn is_stuck(explanation: &Explanation, process: ProcessId) -> bool {
    explanation.stuck.binary_search_by_key(&process, |one| one.process).is_ok()
}

/// What each process that does not go on is doing.
fn notes(stage: &mut Stage<'_>, network: &Network, explanation: &Explanation) {
    for &process in &explanation.component {
        let (text, kind) = match explanation.waiting(process) {
            Some(one) if is_stuck(explanation, process) => (waiting(network, explanation, one), NoteKind::Stuck),
            Some(one) => (one.wish.describe(network).to_string(), NoteKind::Waiting),
            None if explanation.active.binary_search(&process).is_ok() => continue,
            None => ("has stopped".to_string(), NoteKind::Stopped),
        };
        stage.note(process, text, kind);
    }
    for queue in &explanation.queues {
        let kind = match explanation.kind {
            WitnessKind::Orphan { from, to } if (from, to) == (queue.from, queue.to) => NoteKind::Lost,
            // What lies there after a round is more each time.
            WitnessKind::Unbounded => continue,
            _ => NoteKind::Queue,
        };
        let messages = queue.messages.iter().map(|message| message.content);
        stage.note(queue.to, in_queue(network, queue.from, messages), kind);
    }
}

/// What lies in a queue: "queue from p: x, y".
pub(super) fn in_queue(network: &Network, from: ProcessId, messages: impl Iterator<Item = Content>) -> String {
    let messages: Vec<String> = messages.map(|content| content.describe(network).to_string()).collect();
    format!("queue from {}: {}", network.process_name(from), messages.join(", "))
}

/// Why the wait of a process never ends, without its name in front.
fn waiting(network: &Network, explanation: &Explanation, one: &Waiting) -> String {
    if one.why == Why::PartnerBusy {
        // What the partner does instead is drawn.
        return format!("{}, which loops below", one.wish.describe(network));
    }
    let text = one.text(network, explanation);
    let name = format!("{} ", quote(network.process_name(one.process)));
    text.strip_prefix(&name).unwrap_or(&text).to_string()
}
