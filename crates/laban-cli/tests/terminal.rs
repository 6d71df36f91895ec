//! `laban run --step` in a terminal: walks to a deadlock, back to the start, and along the other way.

#![cfg(unix)]
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use common::root;
use rexpect::session::{PtySession, spawn_command};
use std::process::Command;

/// When a terminal that says nothing is given up.
const LONGEST_WAIT: u64 = 60_000;

fn terminal(arguments: &[&str]) -> PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_laban"));
    command.args(arguments).current_dir(root()).env_remove("NO_COLOR").env("TERM", "xterm-256color");
    spawn_command(command, Some(LONGEST_WAIT)).expect("a terminal")
}

/// What is on the screen up to the next question.
fn until(terminal: &mut PtySession, question: &str) -> String {
    terminal.exp_string(question).unwrap_or_else(|error| panic!("{error}"))
}

fn answer(terminal: &mut PtySession, line: &str, question: &str) -> String {
    terminal.send_line(line).expect("it listens");
    until(terminal, question)
}

/// Whether it has ended by itself, with this number.
fn exits_with(terminal: &PtySession, code: i32) -> bool {
    let status = format!("{:?}", terminal.process().wait().expect("it ends"));
    status.starts_with("Exited(") && status.ends_with(&format!(", {code})"))
}

#[test]
fn to_a_deadlock_and_back_by_undo_and_along_the_other_way() {
    let mut terminal = terminal(&["run", "--step", "--color", "never", "examples/forgotten-else.net"]);
    assert!(until(&mut terminal, "\n> ").contains("1) buyer.order -> seller"));
    assert!(answer(&mut terminal, "1", "\n> ").contains("seller: buyer? -> if inStock  (line 12)"));
    answer(&mut terminal, "1", "yes or no? ");
    assert!(answer(&mut terminal, "no", "\n> ").contains("seller decides inStock: no"));
    let stuck = answer(&mut terminal, "", "\n> ");
    assert!(stuck.contains("error[deadlock]: `shipper` waits for a value from `seller`, which has stopped"), "{stuck}");
    assert!(stuck.contains("deadlock after 3 steps"), "{stuck}");
    assert!(answer(&mut terminal, "u", "\n> ").contains("back after step 2"));
    assert!(answer(&mut terminal, "u", "\n> ").contains("1) seller decides inStock"));
    assert!(answer(&mut terminal, "u", "\n> ").contains("back at the start"));
    assert!(answer(&mut terminal, "u", "\n> ").contains("there is nothing to undo"));
    answer(&mut terminal, "r", "\n> ");
    assert!(answer(&mut terminal, "1 yes", "\n> ").contains("seller -> buyer[yes]"));
    assert!(answer(&mut terminal, "a 9", "\n> ").contains("all have stopped after 5 steps"));
    terminal.send_line("q").expect("it listens");
    let end = terminal.exp_eof().expect("it ends");
    assert!(end.contains("5  shipper.parcel -> buyer"), "{end}");
    assert!(exits_with(&terminal, 0));
}

#[test]
fn an_interrupt_prints_the_run_so_far() {
    let mut terminal = terminal(&["run", "--step", "--color", "never", "examples/ping-pong.net"]);
    until(&mut terminal, "\n> ");
    answer(&mut terminal, "a 3", "\n> ");
    terminal.send_control('c').expect("it listens");
    let end = terminal.exp_eof().expect("it ends");
    assert!(end.contains("3  ping.ball -> pong\r\n\r\ninterrupted after 3 steps"), "{end}");
    assert!(exits_with(&terminal, 3));
}

#[test]
fn the_end_of_the_input_leaves() {
    let mut terminal = terminal(&["run", "--step", "examples/ping-pong.net"]);
    let start = until(&mut terminal, "> ");
    assert!(start.contains("\x1b[1m"), "colours are for terminals: {start:?}");
    terminal.send_control('d').expect("it listens");
    assert!(terminal.exp_eof().expect("it ends").contains("nothing has happened yet"));
    assert!(exits_with(&terminal, 0));
}
