//! How much memory a search may have: `--memory`, and what the shell allows.

use crate::common::{file, laban};

/// A network in which one process sends something to all others.
fn hub(clients: usize) -> String {
    let sent: String = (0..clients).map(|client| format!("c{client}!<x>; ")).collect();
    let others: String = (0..clients).map(|client| format!(" | c{client} {{ main {{ hub?; stop }} }}")).collect();
    format!("hub {{ main {{ {sent}stop }} }}{others}")
}

#[test]
fn a_search_that_needs_more_memory_than_is_allowed_is_undecided() {
    let path = file("memory", "hub.net", hub(3000));
    let enough = laban(&["extract", "--memory", "1G", &path]);
    assert_eq!(enough.code, Some(0), "{}", enough.err);
    for command in [vec!["extract"], vec!["extract", "--format", "json"], vec!["batch", "--quiet"]] {
        let run = laban(&[command.as_slice(), &["--memory", "100k", &path]].concat());
        assert_eq!(run.code, Some(3), "{command:?}: {}", run.err);
        let why = "gave up: more than 100 kB of memory is needed (`--memory` allows more)";
        assert!(format!("{}{}", run.out, run.err).contains(why), "{command:?}: {}{}", run.out, run.err);
    }
}

#[test]
fn an_amount_of_memory_is_a_number_with_a_unit() {
    let run = laban(&["extract", "--memory", "lots", "examples/ring.net"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(run.err.contains("expected a number of bytes, such as 500M or 4G"), "{}", run.err);
}

/// Deciders that tell nobody before all of them have decided: as many nodes as there are ways to decide, and more.
#[cfg(target_os = "linux")]
fn secretive(deciders: usize) -> String {
    let decider = |one: usize| {
        let tell = |label: &str| format!("hub?; l{one}+{label}; stop");
        let (yes, no) = (tell("yes"), tell("no"));
        format!(
            "p{one} {{ main {{ if c then {yes} else {no} }} }} | l{one} {{ main {{ p{one}&{{yes: stop, no: stop}} }} }}"
        )
    };
    let released: String = (0..deciders).map(|one| format!("p{one}!<go>; ")).collect();
    let others: Vec<String> = (0..deciders).map(decider).collect();
    format!("hub {{ main {{ if c then {released}stop else {released}stop }} }} | {}", others.join(" | "))
}

#[cfg(target_os = "linux")]
#[test]
fn whatever_the_shell_allows_there_is_an_answer_or_none_but_never_an_abort() {
    use std::process::Command;
    let path = file("memory", "secretive.net", secretive(15));
    let mut answered = Vec::new();
    for megabytes in [64, 80, 96, 112, 128, 160, 192, 256, 384, 4096] {
        let script = format!("ulimit -v {}; exec \"$0\" extract --strategy C \"$1\"", megabytes << 10);
        let laban = env!("CARGO_BIN_EXE_laban");
        let output = Command::new("sh").args(["-c", &script, laban, &path]).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 3)), "{megabytes} MB: {} {message}", output.status);
        answered.push(output.status.code() == Some(0));
    }
    assert_eq!((answered.first(), answered.last()), (Some(&false), Some(&true)), "{answered:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn where_there_is_no_room_for_threads_it_goes_without_them() {
    use std::process::Command;
    let pair = |one: usize| format!("p{one} {{ main {{ q{one}!<x>; stop }} }} | q{one} {{ main {{ p{one}?; stop }} }}");
    let pairs = (0..8).map(pair).collect::<Vec<_>>().join(" | ");
    let network = file("memory", "pairs.net", &pairs);
    let table = file("memory", "pairs.tsv", format!("{pairs}\n").repeat(50));
    let commands = ["extract \"$1\"", "extract --jobs 64 \"$1\"", "check - < \"$1\"", "batch --quiet --jobs 64 \"$2\""];
    for command in commands {
        let mut answered = 0;
        for megabytes in (60..=260).step_by(10) {
            let script = format!("ulimit -v {}; exec \"$0\" {command}", megabytes << 10);
            let arguments = ["-c", &script, env!("CARGO_BIN_EXE_laban"), &network, &table];
            let output = Command::new("sh").args(arguments).output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(
                matches!(output.status.code(), Some(0 | 3)),
                "{command}, {megabytes} MB: {} {message}",
                output.status
            );
            answered += usize::from(output.status.code() == Some(0));
        }
        assert!(answered > 5, "{command}: {answered}");
    }
}
