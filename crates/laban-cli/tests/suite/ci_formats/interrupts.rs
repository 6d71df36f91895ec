//! Documents that are whole even when a command is interrupted.

#![cfg(unix)]

use super::*;
use crate::common::interrupts::{ended, endless, interrupt, interrupted};
use std::io::Write;

/// A network and a short choreography that describes it, but nobody lives to see the proof: in each pair of processes
/// one goes round a loop of its own length, and they are where they began after as many rounds as the product of the
/// lengths.
/// The places of a loop differ only in labels that never come, so none of them can be merged.
fn endless_to_verify() -> (String, String) {
    let mut network = String::new();
    let mut round = String::new();
    for (number, length) in [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47].into_iter().enumerate() {
        let bar = if number == 0 { "" } else { " | " };
        let (me, you) = (format!("p{number}"), format!("q{number}"));
        let waiting =
            (0..length).fold("X".to_string(), |rest, place| format!("{me}&{{l: {rest}, unused{place}: stop}}"));
        network.push_str(&format!(
            "{bar}{me} {{ def X {{ {you}+l; X }} main {{ X }} }} | {you} {{ def X {{ {waiting} }} main {{ X }} }}"
        ));
        round.push_str(&format!("{me} -> {you}[l]; "));
    }
    (network, format!("def X {{ {round}X }} main {{ X }}"))
}

/// Interrupted in the middle of a search, it still writes a whole document: what is known, and that the rest is not.
#[test]
fn an_interrupt_leaves_a_whole_document() {
    let endless = file("ci-interrupt", "endless.net", endless(""));
    let stuck = file("ci-interrupt", "stuck.net", STUCK);
    for format in ["sarif", "junit", "github"] {
        // How much is known by then is a matter of luck.
        let (run, _) =
            interrupted(&["check", "--format", format, &stuck, &endless, &endless], 200, |run| run.code == Some(2));
        assert_eq!(run.code, Some(3));
        match format {
            "sarif" => {
                let only = sarif(&run);
                let undecided = only["invocations"][0]["toolExecutionNotifications"].as_array().expect("a list");
                let results = only["results"].as_array().expect("a list").iter();
                let known = results.filter(|result| result["ruleId"] == "deadlock").count();
                assert_eq!(known + undecided.len(), 3);
            }
            "junit" => assert_eq!(junit(&run).failures + junit(&run).errors, 3),
            _ => assert_eq!(run.out.lines().filter(|line| annotation(line).0 == "error").count(), 3, "{}", run.out),
        }
    }
}

/// That a document is whole and tells one thing that kept the command from an answer.
fn assert_one_trouble(run: &Run, format: &str, kind: &str) {
    match format {
        "sarif" => {
            let invocation = &sarif(run)["invocations"][0];
            assert_eq!(invocation["executionSuccessful"], false);
            let notes = invocation["toolExecutionNotifications"].as_array().expect("a list");
            assert_eq!(notes.len(), 1);
            assert_eq!(notes[0]["descriptor"]["id"], kind);
        }
        "junit" => assert_eq!((junit(run).errors, junit(run).failures), (1, 0)),
        _ => {
            let lines: Vec<_> = run.out.lines().map(annotation).collect();
            assert_eq!(lines.len(), 1, "{}", run.out);
            assert!(lines[0].1.contains(&("title".to_string(), format!("laban: {kind}"))), "{}", run.out);
        }
    }
}

/// A comparison that is interrupted in the middle writes a whole document, and says that it was interrupted.
#[test]
fn an_interrupt_in_the_middle_of_a_comparison_leaves_a_whole_document() {
    let one = file("ci-interrupt", "one.net", endless(""));
    let other = file("ci-interrupt", "other.net", endless(", unused: stop"));
    let (network, choreography) = endless_to_verify();
    let network = file("ci-interrupt", "loops.net", network);
    let choreography = file("ci-interrupt", "round.chor", choreography);
    for (command, first, second) in [("equiv", &one, &other), ("verify", &network, &choreography)] {
        let in_the_middle = |delay: u64, format: &str| {
            interrupted(&[command, "--format", format, first, second], delay, |run| {
                let is_reading = run.code == Some(2);
                if is_reading {
                    assert_one_trouble(run, format, "unreadable");
                }
                is_reading
            })
        };
        let (_, delay) = in_the_middle(1, "sarif");
        // By then it had read both files, or nearly. After many times as long, it is comparing them.
        for format in ["sarif", "junit", "github"] {
            let (run, _) = in_the_middle(50 * delay, format);
            assert_eq!(run.code, Some(3), "{command} {format}: {}", run.err);
            assert_one_trouble(&run, format, "undecided");
            assert!(run.out.contains("interrupted"), "{}", run.out);
        }
    }
}

/// A comparison that is interrupted while it waits for a file still writes a whole document, and says why there is no
/// answer.
#[test]
fn an_interrupt_of_a_comparison_leaves_a_whole_document() {
    let network = file("ci-interrupt", "short.net", "p { main { q!<x>; stop } } | q { main { p?; stop } }");
    let pipe = format!("{network}-pipe.chor");
    // What is left of another time: writing to it would wait for a reader.
    let _ = fs::remove_file(&pipe);
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there").success());
    for command in ["verify", "equiv"] {
        for format in ["sarif", "junit", "github"] {
            let child = Command::new(env!("CARGO_BIN_EXE_laban"))
                .args([command, "--format", format, &network, &pipe])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("laban runs");
            // It waits for the choreography, which never comes.
            let writer = fs::File::options().write(true).open(&pipe).expect("it reads");
            interrupt(&child);
            let run = ended(child);
            drop(writer);
            assert_eq!(run.code, Some(2), "{command} {format}: {}", run.err);
            assert!(run.err.contains("interrupted"), "{}", run.err);
            assert_one_trouble(&run, format, "unreadable");
        }
    }
}

#[test]
fn an_interrupt_ends_the_reading_of_an_idle_standard_input() {
    let stuck = file("ci-interrupt", "idle.net", STUCK);
    for (arguments, results) in [(vec!["-"], 0), (vec![&stuck, "-"], 1)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_laban"))
            .args(["check", "--format", "sarif"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("laban runs");
        // More than a pipe holds: when it is gone, the program has begun to read. The end does not come.
        let mut input = child.stdin.take().expect("it has an input");
        input.write_all(&[b' '; 1 << 18]).expect("it reads");
        interrupt(&child);
        let run = ended(child);
        drop(input);
        assert_eq!(run.code, Some(2));
        assert_eq!(run.err, "error: cannot read <stdin>: interrupted\n");
        assert_one_trouble(&run, "sarif", "unreadable");
        assert_eq!(sarif(&run)["results"].as_array().map(Vec::len), Some(results));
    }
}
