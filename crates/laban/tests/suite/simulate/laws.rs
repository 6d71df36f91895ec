//! What is true of every session.

use super::{go, networks};
use laban::extraction::explain::WitnessKind;
use laban::extraction::{ExtractOptions, Failure, Verdict, search};
use laban::generate::SeededRng;
use laban::network::{Network, ProcessId, components};
use laban::semantics::{Action, Configuration, Step};
use laban::simulate::{Scheduler, Session, Status};

const CASES: u64 = 600;

/// Everything that can be asked of a session, so that two can be compared.
fn view(session: &Session<'_>) -> (Configuration, Vec<Action>, Status, usize, Option<usize>, usize) {
    let actions = session.actions().collect();
    let configuration = session.configuration().clone();
    (configuration, actions, session.status(), session.stuck_parts(), session.been_here(), session.len())
}

/// What the plain semantics says can happen.
fn plain(network: &Network, at: &Configuration) -> Vec<Step> {
    at.steps(network)
}

/// Both outcomes of each action of a session.
fn steps(session: &Session<'_>) -> Vec<Step> {
    session.actions().flat_map(Action::steps).collect()
}

#[test]
fn a_session_agrees_with_the_plain_semantics_wherever_it_goes() {
    let (mut seen, mut impossible) = (0, 0);
    let (mut races, mut several, mut idle) = (0, 0, 0);
    let (mut waiting, mut orphans, mut again) = (0, 0, 0);
    for seed in 0..CASES * 2 {
        let network = networks::any(seed);
        let mut dice = SeededRng::for_purpose(seed, 1);
        let mut scheduler = Scheduler::new(seed, Vec::new());
        let mut session = Session::new(&network);
        let mut history: Vec<Configuration> = vec![Configuration::start(&network)];
        for _ in 0..60 {
            match dice.below(4) {
                0 => {
                    if session.undo().is_some() {
                        history.pop();
                    }
                }
                1 => {
                    if let Some(taken) = session.redo() {
                        let mut at = history.last().unwrap().clone();
                        assert!(at.take(&network, taken.step));
                        history.push(at);
                    }
                }
                _ => {
                    if let Some(step) = scheduler.choose(&session) {
                        assert!(session.take(step));
                        let mut at = history.last().unwrap().clone();
                        assert!(at.take(&network, step));
                        // Nobody has moved who could take it again, or it loops.
                        if !at.steps(&network).contains(&step) {
                            assert!(!session.take(step), "seed {seed}");
                            impossible += 1;
                        }
                        history.push(at);
                    }
                }
            }
            let at = history.last().unwrap();
            assert_eq!(session.configuration(), at, "seed {seed}");
            assert_eq!(steps(&session), plain(&network, at), "seed {seed}");
            for (index, action) in session.actions().enumerate() {
                assert_eq!(session.action(index), Some(action));
            }
            assert_eq!(session.action(session.action_count()), None);
            let actors: Vec<ProcessId> =
                session.actions().filter_map(|one| one.step(0)).flat_map(Step::actors).collect();
            races += usize::from(actors.iter().enumerate().any(|(index, one)| actors[..index].contains(one)));
            several += usize::from(network.process_ids().any(|process| session.actions_of(process).len() > 1));
            let waits = |process| network.is_idle(at.at(&network, process)) && session.status() == Status::Stopped;
            idle += usize::from(network.process_ids().any(waits));
            let before = history[..history.len() - 1].iter().rposition(|earlier| earlier == at);
            assert_eq!(session.been_here(), before, "seed {seed}");
            waiting += usize::from(!at.queues.is_empty());
            orphans += usize::from(session.status() == Status::Orphan);
            again += usize::from(!at.queues.is_empty() && before.is_some());
            assert_eq!(session.stuck_parts(), stuck_parts(&network, at), "seed {seed}");
            for start in [0, session.len() / 2, session.len()] {
                for moved in session.moved_since(start) {
                    assert_eq!(history[start].states[moved.process.index()], moved.before);
                    assert_eq!(at.states[moved.process.index()], moved.after);
                }
            }
            seen += 1;
        }
    }
    assert!(seen > 0 && impossible > 0);
    assert!(waiting > 2_000 && orphans > 100 && again > 100, "{waiting} with messages, {orphans} lost, {again} again");
    assert!(races > 1_000 && several > 20 && idle > 100, "{races} races, {several} of one sender, {idle} idle");
}

/// In how many parts somebody who may not wait and has not stopped will never act again. Where nothing can happen, that
/// is whoever has not stopped.
fn stuck_parts(network: &Network, at: &Configuration) -> usize {
    let waits = |&process: &ProcessId| !network.may_wait(process, at.at(network, process));
    let is_stuck = |part: &&Vec<ProcessId>| {
        let stuck = at.waits(network, part).deadlocked(network, |process| at.at(network, process));
        if part.iter().all(|&process| at.steps_of(network, process).is_empty()) {
            let left = part.iter().copied().filter(|process| waits(process) && !at.has_stopped(network, *process));
            assert_eq!(stuck, left.collect::<Vec<_>>());
        }
        !stuck.is_empty()
    };
    components(network).iter().filter(is_stuck).count()
}

#[test]
fn every_prefix_of_a_run_replays() {
    for seed in 0..CASES {
        let network = networks::any(seed);
        let mut session = Session::new(&network);
        go(&mut session, &mut Scheduler::new(seed, Vec::new()), 40);
        let run: Vec<Step> = session.taken().iter().map(|taken| taken.step).collect();
        for length in 0..=run.len() {
            let mut again = Session::new(&network);
            assert!(run[..length].iter().all(|&step| again.take(step)), "seed {seed}");
            assert_eq!(again.taken(), &session.taken()[..length], "seed {seed}");
        }
    }
}

#[test]
fn undo_takes_back_what_was_done_and_redo_does_it_again() {
    let mut undone = 0;
    for seed in 0..CASES {
        let network = networks::any(seed);
        let mut session = Session::new(&network);
        let mut scheduler = Scheduler::new(seed, Vec::new());
        let mut views = vec![view(&session)];
        while let Some(step) = scheduler.choose(&session).filter(|_| session.len() < 40) {
            assert!(session.take(step));
            views.push(view(&session));
            // One step back and forth.
            assert_eq!(session.undo().map(|taken| taken.step), Some(step));
            assert_eq!(view(&session), views[views.len() - 2], "seed {seed}");
            assert_eq!(session.undone(), 1);
            assert_eq!(session.redo().map(|taken| taken.step), Some(step));
            assert_eq!(view(&session), views[views.len() - 1], "seed {seed}");
        }
        // All the way back and forth.
        for expected in views.iter().rev().skip(1) {
            assert!(session.undo().is_some());
            assert_eq!(&view(&session), expected, "seed {seed}");
            undone += 1;
        }
        assert!(session.undo().is_none() && session.is_empty());
        for expected in &views[1..] {
            assert!(session.redo().is_some());
            assert_eq!(&view(&session), expected, "seed {seed}");
        }
        assert!(session.redo().is_none());
        assert_eq!(session.undone(), 0);
    }
    assert!(undone > 1000, "{undone}");
}

#[test]
fn a_step_in_another_direction_forgets_what_was_taken_back() {
    let network = super::read("p { main { if c then q!<x>; stop else stop } } | q { main { stop } }");
    let mut session = Session::new(&network);
    let action = session.action(0).unwrap();
    assert!(session.take(action.step(0).unwrap()));
    session.undo();
    assert!(session.take(action.step(1).unwrap()));
    assert_eq!((session.undone(), session.len()), (0, 1));
    assert!(session.redo().is_none());
    assert_eq!(session.status(), Status::Stopped);
    session.undo();
    // A step that is not possible changes nothing, not even what could be taken again.
    let impossible =
        Step::Decision { process: ProcessId(1), condition: network.names().find("c").unwrap(), holds: true };
    let nobody = Step::Decision { process: ProcessId(9), condition: network.names().find("c").unwrap(), holds: true };
    assert!(!session.take(impossible) && !session.take(nobody));
    assert_eq!((session.undone(), session.len()), (1, 0));
}

#[test]
fn an_extractable_network_never_deadlocks_whoever_schedules_it() {
    let mut tried = 0;
    for seed in 0..CASES {
        let network = if seed % 4 == 0 { networks::wild(seed) } else { networks::projected(seed) };
        if search(&network, &ExtractOptions::default()).verdict() != Verdict::Extracted {
            continue;
        }
        tried += 1;
        for schedule in 0..5 {
            let mut session = Session::new(&network);
            go(&mut session, &mut Scheduler::new(schedule, Vec::new()), 200);
            assert!(!session.is_stuck(), "seed {seed}, schedule {schedule}");
        }
    }
    assert!(tried > CASES as usize / 2, "{tried}");
}

#[test]
fn every_deadlock_that_extraction_finds_is_reached_step_by_step() {
    let (mut deadlocks, mut beside) = (0, 0);
    for seed in 0..2 * CASES {
        let network = if seed % 2 == 0 { networks::wild(seed) } else { networks::fuzzed(seed) };
        let extraction = search(&network, &ExtractOptions::default());
        for (component, failure) in extraction.failures() {
            let Failure::Deadlock { run } = failure else { continue };
            deadlocks += 1;
            let mut session = Session::new(&network);
            for &step in run {
                let before = session.deadlocked();
                assert!(session.take(step), "seed {seed}");
                // Who is stuck stays stuck.
                let after = session.deadlocked();
                assert!(before.iter().all(|process| after.contains(process)), "seed {seed}");
            }
            let at = session.configuration();
            let stuck =
                at.waits(&network, &component.processes).deadlocked(&network, |process| at.at(&network, process));
            assert!(!stuck.is_empty(), "seed {seed}");
            // Some may be stuck while others go on.
            let goes_on = component.processes.iter().any(|&process| !at.steps_of(&network, process).is_empty());
            beside += usize::from(goes_on);
            assert!(session.is_stuck() && session.is_stuck_around(component.processes[0]), "seed {seed}");
            assert!(stuck.iter().all(|process| session.deadlocked().contains(process)), "seed {seed}");
            let explained = session.deadlocks(usize::MAX).unwrap();
            let here = explained.iter().find(|one| one.component == component.processes).unwrap();
            assert_eq!(here.kind, WitnessKind::Deadlock);
            assert!(here.run.iter().map(|event| event.step).eq(run.iter().copied()), "seed {seed}");
            assert!(!here.stuck.is_empty() && !here.reason(&network).is_empty());
        }
    }
    assert!(deadlocks > 300 && beside > 0, "{deadlocks}, {beside} of them beside others");
}

#[test]
fn each_deadlock_of_a_run_is_explained_in_its_own_part() {
    let (mut running, mut several) = (0, 0);
    for seed in 0..2 * CASES {
        let network = if seed % 4 == 0 { networks::queued(seed) } else { networks::wild(seed) };
        let mut session = Session::new(&network);
        go(&mut session, &mut Scheduler::new(seed, Vec::new()), (seed % 12) as usize);
        let explained = session.deadlocks(usize::MAX).unwrap();
        assert_eq!(explained.len(), session.stuck_parts());
        assert_eq!(session.deadlocks(1).unwrap().len(), session.stuck_parts().min(1));
        assert_eq!(session.is_stuck(), !explained.is_empty());
        running += usize::from(session.is_stuck() && session.status() == Status::Running);
        several += usize::from(explained.len() > 1);
    }
    assert!(running > 0 && several > 0, "{running}, {several}");
}
