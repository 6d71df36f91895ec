//! What there is to say about a run, in sentences.

use crate::source::on_one_line;
use laban::diagnostic::listed;
use laban::network::{Network, ProcessId, State};
use laban::simulate::{Scheduler, Session, Status};

/// How many letters of a step or an action are shown.
const LONGEST: usize = 100;

/// Why a run was not continued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Nothing can happen any more.
    Over,
    /// There were as many steps as allowed.
    Limit,
    /// The user did not want to go on.
    Left,
    /// The user has interrupted it.
    Interrupted,
}

/// Lets the scheduler take steps until something ends that.
pub fn go(
    session: &mut Session<'_>,
    scheduler: &mut Scheduler,
    most: usize,
    is_interrupted: impl Fn() -> bool,
) -> Ending {
    for _ in 0..most {
        if is_interrupted() {
            return Ending::Interrupted;
        }
        let Some(step) = scheduler.choose(session) else { return Ending::Over };
        if !session.take(step) {
            return Ending::Over;
        }
    }
    match session.status() {
        Status::Running => Ending::Limit,
        Status::Stopped | Status::Deadlock | Status::Orphan => Ending::Over,
    }
}

/// The state of the run, as a sentence without a full stop.
pub fn standing(network: &Network, session: &Session<'_>, ending: Ending) -> String {
    let steps = counted(session.len(), "step");
    let after = if session.is_empty() { "from the start".to_string() } else { format!("after {steps}") };
    match (session.status(), ending) {
        (Status::Deadlock, _) => format!("deadlock {after}"),
        (Status::Orphan, _) => match session.configuration().queues.iter().map(|(.., messages)| messages.len()).sum() {
            1 => format!("nothing more can happen {after}, and a message was never taken"),
            count => format!("nothing more can happen {after}, and {count} messages were never taken"),
        },
        (Status::Stopped, _) => {
            let waits = |process: &ProcessId| session.state(*process) != State::Stop;
            let services: Vec<ProcessId> = network.process_ids().filter(waits).collect();
            let is_service = |process: &ProcessId| network.process(*process).is_some_and(|one| one.service);
            let all_services = services.iter().all(is_service);
            let names: Vec<String> = services.iter().map(|&process| cut(network.process_name(process))).collect();
            let names = names.iter().map(String::as_str);
            match services.len() {
                0 => format!("all have stopped {after}"),
                _ if !all_services => {
                    format!("all have stopped {after}, but for {}, which may wait", listed(names, "and"))
                }
                1 => format!("all have stopped {after}, but for the service {}, which may wait", listed(names, "and")),
                _ => format!("all have stopped {after}, but for the services {}, which may wait", listed(names, "and")),
            }
        }
        (Status::Running, Ending::Interrupted) => format!("interrupted {after}"),
        (Status::Running, Ending::Limit) if session.is_stuck() => {
            format!("{steps}; more can happen, but some processes are stuck")
        }
        (Status::Running, Ending::Limit) => format!("{steps}; more can happen"),
        (Status::Running, Ending::Over | Ending::Left) => match session.is_empty() {
            true => "nothing has happened yet".to_string(),
            false => format!("{steps} so far"),
        },
    }
}

/// Whether everyone is where they were before, and who has not acted since.
pub fn again(network: &Network, session: &Session<'_>) -> Option<String> {
    let before = session.been_here()?;
    let when = if before == 0 { "at the start".to_string() } else { format!("after step {before}") };
    let mut text = format!("every process is back where it was {when}");
    let moved = session.moved_since(before);
    let idle: Vec<ProcessId> = network
        .process_ids()
        .filter(|&process| session.state(process) != State::Stop)
        .filter(|&process| moved.binary_search_by_key(&process, |moved| moved.process).is_err())
        .collect();
    if !idle.is_empty() {
        let has = if idle.len() == 1 { "has" } else { "have" };
        let names: Vec<String> = idle.iter().map(|&process| cut(network.process_name(process))).collect();
        let names = listed(names.iter().map(String::as_str), "and");
        text.push_str(&format!("; {names} {has} not acted since"));
    }
    Some(text)
}

/// A number of things.
pub fn counted(count: usize, noun: &str) -> String {
    let ending = match count {
        1 => "",
        _ if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}

/// A text on one line, cut in the middle if it is long.
pub fn cut(text: &str) -> String {
    let text = on_one_line(text);
    let length = text.chars().count();
    if length <= LONGEST {
        return text;
    }
    let start: String = text.chars().take(LONGEST / 2).collect();
    let end: String = text.chars().skip(length - LONGEST / 2 + 1).collect();
    format!("{start}…{end}")
}
