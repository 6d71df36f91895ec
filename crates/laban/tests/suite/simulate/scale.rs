//! Runs of very many steps, of long texts and of many processes.

use super::{go, read};
use laban::simulate::{Scheduler, Session, Status};

#[test]
fn hundreds_of_thousands_of_actions_run_and_are_taken_back() {
    let actions = crate::scaled(200_000, 1_000_000);
    let text = format!(
        "p {{ main {{ {} stop }} }} | q {{ main {{ {} stop }} }}",
        "q!<x>; ".repeat(actions),
        "p?; ".repeat(actions)
    );
    let network = read(&text);
    let mut session = Session::new(&network);
    go(&mut session, &mut Scheduler::new(0, Vec::new()), usize::MAX);
    assert_eq!((session.len(), session.status()), (actions, Status::Stopped));
    assert_eq!(session.been_here(), None);
    assert_eq!(session.moved_since(0).len(), 2);
    while session.undo().is_some() {}
    assert_eq!((session.undone(), session.status()), (actions, Status::Running));
    while session.redo().is_some() {}
    assert_eq!((session.len(), session.status()), (actions, Status::Stopped));
}

#[test]
fn many_processes_cost_no_more_at_each_step() {
    let pairs = 50_000;
    let pair = |number: usize| {
        let end = if number == 7 { "p7?; stop" } else { "stop" };
        format!(
            "p{number} {{ main {{ q{number}!<x>; q{number}!<y>; stop }} }} | q{number} {{ main {{ p{number}?; p{number}?; {end} }} }}"
        )
    };
    let network = read(&(0..pairs).map(pair).collect::<Vec<_>>().join(" | "));
    let mut session = Session::new(&network);
    assert_eq!(session.action_count(), pairs);
    go(&mut session, &mut Scheduler::new(0, Vec::new()), usize::MAX);
    assert_eq!((session.len(), session.status()), (2 * pairs, Status::Deadlock));
    let why = session.deadlocks(10).unwrap();
    assert_eq!(why.len(), 1);
    assert_eq!(why[0].reason(&network), "`q7` waits for a value from `p7`, which has stopped");
    assert_eq!(why[0].run.len(), 2);
    while session.undo().is_some() {}
    assert_eq!(session.action_count(), pairs);
}

#[test]
fn a_long_run_can_be_asked_after_each_step_whether_it_has_been_here() {
    let actions = 100_000;
    let text = format!(
        "p {{ def X {{ q!<x>; X }} main {{ {} X }} }} | q {{ def X {{ p?; X }} main {{ {} X }} }}",
        "q!<x>; ".repeat(actions),
        "p?; ".repeat(actions)
    );
    let network = read(&text);
    let mut session = Session::new(&network);
    let mut scheduler = Scheduler::new(0, Vec::new());
    for steps in 1..=2 * actions {
        go(&mut session, &mut scheduler, 1);
        assert_eq!(session.been_here(), (steps > actions).then(|| steps - 1));
    }
    session.undo();
    assert_eq!(session.been_here(), Some(2 * actions - 2));
}
