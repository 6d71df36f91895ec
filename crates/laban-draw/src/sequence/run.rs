//! The diagram of a run: what happened, and where that has left everybody.

use super::stage::{Actor, Stage};
use super::witness::in_queue;
use super::{NoteKind, Sequence};
use crate::focus::Focus;
use crate::text::counted;
use laban::diagnostic::{listed, quote};
use laban::network::{Network, ProcessId, State, Wish};
use laban::semantics::{Configuration, Step};
use std::collections::BTreeSet;

/// The diagram of a run from the start of a network.
///
/// After the steps, who has stopped gets a note, and so does who has messages in a queue, and who is stuck: it waits
/// for somebody who has stopped or is stuck as well. Those who can go on, or wait for somebody who can, get no note. Of
/// a long run, the beginning and the end are drawn.
///
/// ```
/// use laban_draw::{Focus, sequence};
/// use laban::semantics::Configuration;
///
/// let network = laban::analyse("p { main { q!<x>; stop } } | q { main { p?; p?; stop } }").into_network().unwrap();
/// let steps = Configuration::start(&network).steps(&network);
/// let drawn = sequence::MermaidSequence(&sequence::run(&network, &steps, &Focus::default())).to_string();
/// assert!(drawn.contains("p->>q: x"));
/// assert!(drawn.contains("Note over q: stuck, waits for a value from `p`, which has stopped"));
/// ```
pub fn run(network: &Network, steps: &[Step], focus: &Focus) -> Sequence {
    let mut end = Configuration::start(network);
    for &step in steps {
        end.take(network, step);
    }
    let stuck = stuck(network, &end);
    let goes_on = network.process_ids().any(|process| !end.steps_of(network, process).is_empty());
    let is_service = |process: ProcessId| network.processes().get(process.index()).is_some_and(|one| one.service);
    let may_wait = |process: ProcessId| network.may_wait(process, end.at(network, process));
    let held_up = |process: ProcessId| stuck.get(process.index()) == Some(&true) && !may_wait(process);
    let actor = |process: ProcessId| Actor {
        process,
        name: network.process_name(process),
        service: is_service(process),
        stuck: held_up(process),
    };
    // Of very many, those who have acted and some of those who are stuck.
    let mut wanted = vec![network.processes().len() <= MOST_LANES; network.processes().len()];
    let receivers = steps.iter().filter_map(|step| step.interaction().map(|interaction| interaction.to));
    let acted = steps.iter().flat_map(|step| step.actors()).chain(receivers);
    for process in acted.chain(network.process_ids().filter(|&process| held_up(process)).take(MOST_LANES)) {
        wanted[process.index()] = true;
    }
    let actors: Vec<Actor<'_>> = network.process_ids().filter(|process| wanted[process.index()]).map(actor).collect();
    let idle = network.processes().len() - actors.len();
    let outcome = match (goes_on, network.process_ids().any(held_up)) {
        (true, true) => ", some are stuck, and there is more to come",
        (true, false) => ", and there is more to come",
        (false, true) => ", then a deadlock",
        (false, false) if end.queues.is_empty() => ", then all have stopped",
        (false, false) => ", then messages are left",
    };
    let title = format!("{}{outcome}", counted(steps.len(), "step"));
    let mut stage = Stage::new(title, network.names(), &actors, steps.iter().copied(), focus);
    stage.steps(steps.iter().copied(), focus.max_items);
    for Actor { process, service, .. } in actors {
        let state = end.state(network, process);
        if state == State::Stop {
            stage.note(process, "has stopped".to_string(), NoteKind::Stopped);
            continue;
        }
        if stuck.get(process.index()) != Some(&true) {
            continue;
        }
        let kind = match (service, may_wait(process)) {
            (true, _) => NoteKind::Waiting,
            (false, true) => NoteKind::Idle,
            (false, false) => NoteKind::Stuck,
        };
        match Wish::of(network, state) {
            Some(wish) => {
                let partner = wish.partner();
                let why = if end.has_stopped(network, partner) { ", which has stopped" } else { "" };
                stage.note(process, vain(network, &wish, why), kind);
            }
            None => stage.note(process, first_of(network, state), kind),
        }
    }
    for (from, to, messages) in end.queues.iter() {
        stage.note(to, in_queue(network, from, messages), NoteKind::Queue);
    }
    let mut sequence = stage.finish();
    if let (1.., Some(diagram)) = (idle, sequence.diagrams.first_mut()) {
        let are = if idle == 1 { "is" } else { "are" };
        diagram.remarks.push(format!("{} that did nothing {are} left out", counted_processes(idle)));
    }
    sequence
}

/// More processes than this do not all get a lane.
const MOST_LANES: usize = 60;

fn counted_processes(count: usize) -> String {
    match count {
        1 => "1 process".to_string(),
        _ => format!("{count} processes"),
    }
}

/// What a process wants that does whichever comes first.
pub(super) fn first_of(network: &Network, state: State) -> String {
    let wishes = Wish::all(network, state);
    let partners: BTreeSet<ProcessId> = wishes.iter().map(Wish::partner).collect();
    let names = partners.iter().map(|&partner| network.process_name(partner));
    format!("waits for whichever comes first of {}, with {}", wishes.len(), listed(names, "or"))
}

/// A wish, and about the partner why it will not come true.
fn vain(network: &Network, wish: &Wish, why: &str) -> String {
    let partner = quote(network.process_name(wish.partner()));
    let wish = wish.describe(network).to_string();
    match wish.ends_with(&partner) {
        true => format!("{wish}{why}"),
        false => wish,
    }
}

/// For each process whether it will never go on: whom it waits for has stopped, or never goes on either.
fn stuck(network: &Network, here: &Configuration) -> Vec<bool> {
    if network.has_queues() {
        let all: Vec<ProcessId> = network.process_ids().collect();
        let waits = here.waits(network, &all);
        return all.iter().map(|&one| waits.is_dead(one) && !here.has_stopped(network, one)).collect();
    }
    let mut moves = vec![false; network.processes().len()];
    for step in here.steps(network) {
        for process in step.actors() {
            moves[process.index()] = true;
        }
    }
    // Whoever waits for somebody who moves is found by going back from those.
    let mut waiting: Vec<Vec<ProcessId>> = vec![Vec::new(); network.processes().len()];
    for process in network.process_ids().filter(|process| !moves[process.index()]) {
        for partner in network.partners(here.state(network, process)) {
            if let Some(others) = waiting.get_mut(partner.index()) {
                others.push(process);
            }
        }
    }
    let mut found: Vec<ProcessId> = network.process_ids().filter(|process| moves[process.index()]).collect();
    while let Some(process) = found.pop() {
        for other in std::mem::take(&mut waiting[process.index()]) {
            if !std::mem::replace(&mut moves[other.index()], true) {
                found.push(other);
            }
        }
    }
    let is_stuck = |process: ProcessId| !moves[process.index()] && !here.has_stopped(network, process);
    network.process_ids().map(is_stuck).collect()
}
