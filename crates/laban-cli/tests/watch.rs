//! `laban extract --watch`: an answer for each change of a file.

#![cfg(unix)]
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use common::{file, laban};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

const GOOD: &str = "p { main { q!<x>; stop } } | q { main { p?; stop } }";
const OTHER: &str = "p { main { q!<y>; stop } } | q { main { p?; stop } }";
const STUCK: &str = "p { main { q?; stop } } | q { main { p?; stop } }";

/// Much longer than anything takes.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// A process that watches, and the lines that it prints.
struct Watching {
    child: Child,
    out: Receiver<String>,
    err: Receiver<String>,
}

fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (send, receive) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    receive
}

impl Watching {
    fn new(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_laban"))
            .args(["extract", "--watch"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("laban runs");
        let out = lines(child.stdout.take().expect("it has an output"));
        let err = lines(child.stderr.take().expect("it has an output"));
        Watching { child, out, err }
    }

    /// Waits for a line on standard output.
    fn prints(&self, line: &str) {
        assert_eq!(self.out.recv_timeout(LONGEST_WAIT).expect("it prints something"), line);
    }

    /// Waits for a line on standard error that starts so, and gives those before it.
    fn tells(&self, start: &str) -> Vec<String> {
        let mut before = Vec::new();
        loop {
            let line =
                self.err.recv_timeout(LONGEST_WAIT).unwrap_or_else(|_| panic!("no line {start:?} after {before:?}"));
            if line.starts_with(start) {
                return before;
            }
            before.push(line);
        }
    }

    /// Interrupts it and gives its exit status.
    fn interrupted(mut self) -> Option<i32> {
        let killed = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().expect("kill is there");
        assert!(killed.success());
        self.ended()
    }

    fn ended(&mut self) -> Option<i32> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be asked") {
                return status.code();
            }
            assert!(started.elapsed() < LONGEST_WAIT, "it does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // Nothing is left over when a test fails.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn each_change_gets_an_answer_and_the_last_one_is_the_exit_status() {
    let path = file("watch", "changes.net", GOOD);
    let watching = Watching::new(&["--format", "compact", &path]);
    watching.tells(&format!("-- round 1: {path}"));
    watching.prints("main { p.x -> q; stop }");
    fs::write(&path, OTHER).expect("it is ours");
    watching.tells(&format!("-- round 2: {path} changed"));
    watching.prints("main { p.y -> q; stop }");
    fs::write(&path, STUCK).expect("it is ours");
    watching.tells("-- round 3: ");
    watching.tells(&format!("{path}:1:12: error[deadlock]: "));
    assert_eq!(watching.interrupted(), Some(1));
}

#[test]
fn mistakes_do_not_end_it() {
    let path = file("watch", "mistakes.net", "p { main { q!<x> } ");
    let watching = Watching::new(&[&path]);
    watching.tells("error[");
    fs::write(&path, GOOD).expect("it is ours");
    watching.prints("main { p.x -> q; stop }");
    assert_eq!(watching.interrupted(), Some(0));
}

#[test]
fn a_file_may_be_replaced_or_missing_for_a_while() {
    let path = file("watch", "replaced.net", GOOD);
    let watching = Watching::new(&["--format", "compact", &path]);
    watching.prints("main { p.x -> q; stop }");
    // As an editor does it: under another name, and then in its place.
    let new = file("watch", "replaced.net.new", OTHER);
    fs::rename(&new, &path).expect("both are ours");
    watching.prints("main { p.y -> q; stop }");
    fs::remove_file(&path).expect("it is ours");
    watching.tells(&format!("-- round 3: {path} is gone"));
    watching.tells("error: cannot read ");
    fs::write(&path, GOOD).expect("it is ours");
    watching.tells("-- round 4: ");
    watching.prints("main { p.x -> q; stop }");
    assert_eq!(watching.interrupted(), Some(0));
}

#[test]
fn what_is_saved_as_it_was_is_no_change() {
    let path = file("watch", "same.net", GOOD);
    let watching = Watching::new(&["--format", "compact", &path]);
    watching.prints("main { p.x -> q; stop }");
    let new = file("watch", "same.net.new", GOOD);
    fs::rename(&new, &path).expect("both are ours");
    fs::write(&path, OTHER).expect("it is ours");
    watching.tells("-- round 2: ");
    watching.prints("main { p.y -> q; stop }");
    assert_eq!(watching.interrupted(), Some(0));
}

#[test]
fn all_files_of_a_network_are_watched() {
    let one = file("watch", "p.net", "p { main { q!<x>; stop } }");
    let other = file("watch", "q.net", "q { main { p?; stop } }");
    let watching = Watching::new(&["--format", "compact", &one, &other]);
    watching.tells(&format!("-- round 1: {one}, {other}"));
    watching.prints("main { p.x -> q; stop }");
    fs::write(&other, "q { main { stop } }").expect("it is ours");
    watching.tells(&format!("-- round 2: {other} changed"));
    watching.tells(&format!("{one}:1:12: error[deadlock]"));
    assert_eq!(watching.interrupted(), Some(1));
}

#[test]
fn it_ends_when_nobody_reads_any_more() {
    let path = file("watch", "closed.net", GOOD);
    let mut child = Command::new(env!("CARGO_BIN_EXE_laban"))
        .args(["extract", "--watch", "--format", "compact", &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("laban runs");
    let mut out: BufReader<ChildStdout> = BufReader::new(child.stdout.take().expect("it has an output"));
    out.read_line(&mut String::new()).expect("it answers");
    drop(out);
    fs::write(&path, OTHER).expect("it is ours");
    let mut watching = Watching { child, out: lines(&[][..]), err: lines(&[][..]) };
    assert_eq!(watching.ended(), Some(0));
}

#[test]
fn only_files_can_be_watched() {
    let run = laban(&["extract", "--watch", "-"]);
    assert_eq!((run.code, run.err.as_str()), (Some(2), "error: --watch needs files; standard input is not a file\n"));
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let pipe = format!("{folder}/watched-pipe.net");
    let _ = fs::remove_file(&pipe);
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there").success());
    for path in [folder, pipe.as_str()] {
        let run = laban(&["extract", "--watch", path]);
        assert_eq!((run.code, run.err), (Some(2), format!("error: --watch needs files; {path} is not a file\n")));
    }
}
