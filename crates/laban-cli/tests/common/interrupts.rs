//! Interrupts in the middle of long work.

use super::Run;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::Duration;

/// Interrupts a program.
pub(crate) fn interrupt(child: &Child) {
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(killed.success());
}

/// Waits for the end of a program.
pub(crate) fn ended(child: Child) -> Run {
    super::run(&child.wait_with_output().expect("it ends"))
}

/// What comes of `laban` if it is interrupted after some milliseconds. An interrupt that comes too early ends the
/// program before it has begun, or is not even noticed if this test was started with interrupts ignored; or it comes
/// while the files are read, if that is too early. Then it is tried again with an interrupt that comes later.
pub(crate) fn interrupted(arguments: &[&str], mut delay: u64, is_too_early: impl Fn(&Run) -> bool) -> (Run, u64) {
    loop {
        assert!(delay < 1 << 16, "{arguments:?} cannot be interrupted");
        let mut command = Command::new(env!("CARGO_BIN_EXE_laban"));
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("laban runs");
        sleep(Duration::from_millis(delay));
        interrupt(&child);
        match ended_soon(child) {
            None => {}
            Some(run) if run.code.is_none() => assert_eq!(run.out, "", "there is all or nothing"),
            Some(run) if is_too_early(&run) => {}
            Some(run) => return (run, delay),
        }
        delay *= 2;
    }
}

/// How a program ends that was interrupted; nothing if it goes on as if it had not been, and then it is ended for good.
fn ended_soon(mut child: Child) -> Option<Run> {
    // What it prints may be more than a pipe holds.
    let out = in_background(child.stdout.take().expect("it has an output"));
    let err = in_background(child.stderr.take().expect("it has an output"));
    for _ in 0..500 {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            let [out, err] = [out, err].map(|text| text.join().expect("it prints text"));
            return Some(Run { code: status.code(), out, err });
        }
        sleep(Duration::from_millis(20));
    }
    child.kill().expect("it can be ended");
    child.wait().expect("it ends");
    None
}

fn in_background(mut stream: impl Read + Send + 'static) -> JoinHandle<String> {
    spawn(move || {
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("it prints text");
        text
    })
}

/// A network with more joint states than anybody can count. Each offer has these branches, too.
pub(crate) fn endless(more_branches: &str) -> String {
    let mut network = String::new();
    for number in 0..40 {
        let bar = if number == 0 { "" } else { " | " };
        let (me, you, next) = (format!("a{number}"), format!("b{number}"), (number + 1) % 40);
        network.push_str(&format!(
            "{bar}{me} {{ def X {{ if c then {you}+l; X else {you}+r; X }} main {{ X }} }} \
             | {you} {{ def Y {{ {me}&{{l: Y, r: Z{more_branches}}} }} \
             def Z {{ {me}&{{l: b{next}!<x>; stop, r: Y{more_branches}}} }} main {{ Y }} }}"
        ));
    }
    network
}
