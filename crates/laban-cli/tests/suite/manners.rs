//! How the commands behave towards those who call them: pipes that close, interrupts, files for results, documents that
//! are whole whatever the outcome, and help that can be followed.

#![cfg(unix)]

mod pipes;

use crate::common::{Run, file, laban, laban_with_input, root};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const GOOD: &str = "p { main { q!<x>; stop } } | q { main { p?; stop } }";
/// Longer than anything takes that happens at once, even on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// A new folder of this name.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manners").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder to work in");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a readable path")
}

fn pipe_file(name: &str) -> PathBuf {
    let path = folder(name).join("pipe.tsv");
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo is there").success());
    path
}

/// A program that runs while the test goes on.
struct Running {
    child: Child,
    out: Option<BufReader<ChildStdout>>,
}

fn start(arguments: &[&str]) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_laban"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).current_dir(root());
    let mut child = command.spawn().expect("laban runs");
    let out = child.stdout.take().map(BufReader::new);
    Running { child, out }
}

impl Running {
    fn write(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().expect("it has an input");
        input.write_all(line.as_bytes()).and_then(|()| input.flush()).expect("it reads");
    }

    /// The next line that it prints.
    fn line(&mut self) -> String {
        let mut out = self.out.take().expect("it has an output");
        let (sender, line) = channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            let _ = out.read_line(&mut line);
            let _ = sender.send((line, out));
        });
        let (line, out) = line.recv_timeout(LONG).expect("it prints a line at once");
        self.out = Some(out);
        line
    }

    fn close_output(&mut self) {
        self.out = None;
    }

    fn signal(&self, signal: &str) {
        let kill = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(kill.expect("kill is there").success());
    }

    /// Waits for its end, which must come at once.
    fn end(mut self) -> Run {
        let started = Instant::now();
        let code = loop {
            match self.child.try_wait().expect("it can be waited for") {
                Some(status) => break status.code(),
                None if started.elapsed() > LONG => {
                    let _ = self.child.kill();
                    panic!("it does not end");
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let (mut out, mut err) = (String::new(), String::new());
        if let Some(mut rest) = self.out.take() {
            rest.read_to_string(&mut out).expect("it prints text");
        }
        self.child.stderr.take().expect("it has an output").read_to_string(&mut err).expect("it prints text");
        Run { code, out, err }
    }
}

#[test]
fn each_result_of_a_batch_is_visible_at_once() {
    for jobs in ["1", "2"] {
        let mut batch = start(&["batch", "--jobs", jobs, "-"]);
        for id in ["a", "b"] {
            batch.write(&format!("{id}\t{GOOD}\n"));
            assert!(batch.line().contains(&format!("\"id\":\"{id}\",\"outcome\":\"extracted\"")));
        }
        batch.signal("-KILL");
        assert_eq!(batch.end().code, None);
    }
}

#[test]
fn an_interrupt_ends_a_batch_that_waits_for_input() {
    for jobs in ["1", "2"] {
        let mut batch = start(&["batch", "--jobs", jobs, "-"]);
        batch.write(&format!("a\t{GOOD}\n"));
        batch.line();
        batch.signal("-INT");
        let run = batch.end();
        assert_eq!(run.code, Some(3), "{}", run.err);
        assert!(run.err.starts_with("error: interrupted: the rest was not read\n"), "{}", run.err);
        assert!(run.err.contains("extracted") && run.err.contains("median"), "a summary: {}", run.err);
    }
}

#[test]
fn an_interrupt_ends_a_batch_that_waits_for_a_pipe() {
    for jobs in ["1", "2"] {
        let pipe = pipe_file(&format!("batch-pipe-{jobs}"));
        let mut batch = start(&["batch", "--jobs", jobs, "examples/ping-pong.net", text(&pipe)]);
        assert!(batch.line().contains("ping-pong"));
        batch.signal("-INT");
        let run = batch.end();
        assert_eq!(run.code, Some(3), "{}", run.err);
        assert!(run.err.starts_with("error: interrupted: the rest was not read\n"), "{}", run.err);
    }
}

#[test]
fn an_interrupt_ends_a_check_that_waits_for_a_pipe_with_a_whole_document() {
    let pipe = pipe_file("check-pipe");
    let check = start(&["check", "--format", "sarif", text(&pipe)]);
    // It can be opened as soon as somebody reads it; nothing ever comes.
    let writer = fs::File::options().write(true).open(&pipe).expect("it reads");
    check.signal("-INT");
    let run = check.end();
    drop(writer);
    let document: Value = serde_json::from_str(&run.out).expect("a whole document");
    assert_eq!(document["runs"][0]["invocations"][0]["exitCode"], run.code.expect("it exits"));
}

#[test]
fn two_evaluations_cannot_write_to_one_directory() {
    let out = folder("evaluate-lock");
    let arguments = ["evaluate", "--quick", "--out", text(&out)];
    let first = start(&arguments);
    let started = Instant::now();
    while !out.join("runs.csv").exists() {
        assert!(started.elapsed() < LONG, "it does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = laban(&arguments);
    assert_eq!(second.code, Some(2));
    assert!(second.err.contains("another evaluation is writing to "), "{}", second.err);
    // A shard has results of its own.
    let mut shard = start(&["evaluate", "--quick", "--out", text(&out), "--shard", "1/1000"]);
    shard.close_output();
    assert!(!shard.end().err.contains("another evaluation"));
    first.signal("-KILL");
    first.end();
    let mut again = start(&arguments);
    again.close_output();
    assert_eq!(again.end().code, Some(3), "a killed evaluation leaves no lock behind");
}

#[test]
fn project_and_amend_print_a_whole_document_whatever_the_outcome() {
    let told = "main { if p.e then p -> q[l]; q.x -> p; stop else p -> q[r]; stop }";
    let cases = [
        ("told", told, 0, 0),
        ("not-told", "main { if p.e then q.x -> p; stop else stop }", 1, 0),
        ("ill-formed", "main { p.x -> p; stop }", 2, 2),
        ("unused", "def X { p.x -> q; stop } main { p.x -> q; stop }", 0, 0),
        ("broken", "main {", 2, 2),
    ];
    for (name, content, projected, amended) in cases {
        let path = file("documents", &format!("{name}.chor"), content);
        for (command, expected) in [("project", projected), ("amend", amended)] {
            let print = |format: &str| laban(&[command, "--format", format, &path]);
            let sarif = print("sarif");
            assert_eq!(sarif.code, Some(expected), "{command} {name}: {}", sarif.err);
            let document: Value = serde_json::from_str(&sarif.out).expect("a whole document");
            assert_eq!(document["runs"][0]["invocations"][0]["exitCode"], expected);
            let results = document["runs"][0]["results"].as_array().expect("results");
            assert_eq!(results.is_empty(), expected == 0 && name != "unused", "{command} {name}");
            let junit = print("junit");
            assert!(junit.out.starts_with("<?xml ") && junit.out.ends_with("</testsuites>\n"), "{}", junit.out);
            assert_eq!(junit.out.contains("<failure"), expected != 0, "{command} {name}: {}", junit.out);
            let github = print("github");
            assert_eq!(github.out.contains("::error file="), expected != 0, "{command} {name}: {}", github.out);
            assert_eq!(github.out.contains("::warning file="), name == "unused", "{command} {name}: {}", github.out);
        }
    }
    for command in ["project", "amend"] {
        for (options, problem) in [(vec!["no/such.chor"], "unreadable"), (vec!["--service", "z", "-"], "usage")] {
            let run = laban_with_input(&[&[command, "--format", "sarif"], &options[..]].concat(), told.as_bytes());
            assert_eq!(run.code, Some(2));
            let document: Value = serde_json::from_str(&run.out).expect("a whole document");
            let notification = &document["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
            assert_eq!(notification["descriptor"]["id"], problem);
        }
    }
}

#[test]
fn equiv_prints_one_json_object_whatever_there_is_to_warn_of() {
    let strange = file("one-object", "strange.net", format!("p {{ def X {{ stop }} {}", &GOOD[4..]));
    let broken = file("one-object", "broken.net", "p { main {");
    let fine = file("one-object", "fine.net", GOOD);
    for (first, second, code, outcome, diagnostics) in [
        (&fine, &fine, 0, "same", None),
        (&strange, &fine, 0, "same", Some("unused-procedure")),
        (&fine, &broken, 2, "invalid", Some("syntax")),
        (&fine, &"no/such.net".to_string(), 2, "invalid", Some("unreadable")),
    ] {
        let run = laban(&["equiv", "--format", "json", first, second]);
        assert_eq!(run.code, Some(code), "{}", run.err);
        let object: Value = serde_json::from_str(&run.out).expect("one object");
        assert_eq!(object["outcome"], outcome);
        match diagnostics {
            None => assert!(object.get("diagnostics").is_none()),
            Some("syntax") => assert_eq!(object["diagnostics"][0]["file"], broken.as_str()),
            Some(expected) => assert_eq!(object["diagnostics"][0]["code"], expected),
        }
    }
}

#[test]
fn at_most_100_diagnostics_are_shown_with_a_count_of_the_rest() {
    let mut network = String::new();
    for number in 0..130 {
        let bar = if number == 0 { "" } else { " | " };
        write!(network, "{bar}p{number} {{ main {{ q{number}?; q{number}!<x>; stop }} }} ").expect("fits");
        write!(network, "| q{number} {{ main {{ p{number}?; p{number}!<x>; stop }} }}").expect("fits");
    }
    let path = file("hundred", "circles.net", network);
    let run = laban(&["check", "--format", "concise", &path]);
    assert_eq!((run.code, run.out.lines().count()), (Some(1), 102), "{}", run.out);
    assert!(run.out.contains(&format!("\n{path}: ... and 30 more\n")), "{}", run.out);
    let run = laban(&["check", &path]);
    assert_eq!(run.out.matches("error[deadlock]").count(), 100);
    assert!(run.out.contains("\n... and 30 more\n"), "{}", run.out);
    let run = laban(&["check", "--format", "json", &path]);
    assert_eq!(run.out.lines().count(), 101);
    let last: Value = serde_json::from_str(run.out.lines().last().expect("a line")).expect("an object");
    assert_eq!(last["omitted"], 30);
    let run = laban(&["check", "--format", "sarif", &path]);
    let document: Value = serde_json::from_str(&run.out).expect("a document");
    assert_eq!(document["runs"][0]["results"].as_array().expect("results").len(), 100);
    let invocation = &document["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    assert_eq!(invocation["toolExecutionNotifications"][0]["message"]["text"], format!("{path}: ... and 30 more"));
    let run = laban(&["check", "--format", "junit", &path]);
    assert!(run.out.contains("(and 129 more errors)") && run.out.contains("... and 30 more"), "{}", run.out);
    let run = laban(&["check", "--format", "github", &path]);
    assert_eq!(run.out.lines().filter(|line| line.starts_with("::error")).count(), 100);
    assert!(run.out.ends_with(&format!("::notice title=laban%3A omitted::{path}: ... and 30 more\n")), "{}", run.out);
    let run = laban(&["extract", "--format", "compact", &path]);
    assert_eq!(run.err.lines().count(), 101);
    assert!(run.err.ends_with(": ... and 30 more\n"), "{}", run.err);
    let run = laban(&["extract", "--format", "json", &path]);
    let object: Value = serde_json::from_str(&run.out).expect("an object");
    assert_eq!(object["witnesses"].as_array().expect("witnesses").len(), 100);
    assert_eq!(object["witnesses_omitted"], 30);
}

#[test]
fn an_unused_procedure_warns_in_every_command() {
    let network = file("unused", "unused.net", format!("p {{ def X {{ stop }} {}", &GOOD[4..]));
    let choreography = file("unused", "unused.chor", "def X { p.x -> q; stop } main { p.x -> q; stop }");
    let chor: &str = &choreography;
    for arguments in [
        vec!["extract"],
        vec!["check"],
        vec!["verify", "examples/ping-pong.net"],
        vec!["equiv", "examples/ping-pong.net"],
        vec!["run"],
        vec!["graph"],
        vec!["fuzz"],
        vec!["unroll"],
        vec!["project"],
        vec!["amend"],
    ] {
        for path in [network.as_str(), chor] {
            let of_network = path == network;
            let command = arguments[0];
            let files = match command {
                "extract" | "fuzz" | "unroll" if !of_network => continue,
                "project" | "amend" if of_network => continue,
                "verify" if of_network => vec![path, chor],
                _ => [&arguments[1..], &[path]].concat(),
            };
            let run = laban(&[&[command], &files[..]].concat());
            let place = if command == "check" { &run.out } else { &run.err };
            assert!(place.contains("warning[unused-procedure]"), "{command} {path}: {}{}", run.out, run.err);
        }
    }
}

#[test]
fn jobs_mean_the_same_everywhere() {
    for jobs in ["0", "1", "3", "100000000"] {
        let network = "examples/paper-independent-loops.net";
        assert_eq!(laban(&["extract", "--jobs", jobs, network]).code, Some(0), "{jobs}");
        assert_eq!(laban(&["batch", "--jobs", jobs, network]).code, Some(0), "{jobs}");
    }
}

#[test]
fn a_result_goes_to_the_file_that_is_named() {
    let here = folder("output");
    let path = here.join("result.txt");
    let output = text(&path);
    for arguments in [
        vec!["extract", "examples/two-buyer.net"],
        vec!["check", "--color", "always", "examples/two-buyer.net"],
        vec!["verify", "examples/two-buyer.net", "examples/two-buyer.chor"],
        vec!["equiv", "examples/two-buyer.net", "examples/two-buyer.chor"],
        vec!["project", "examples/two-buyer.chor"],
        vec!["amend", "examples/unprojectable.chor"],
        vec!["run", "examples/two-buyer.net"],
        vec!["graph", "examples/two-buyer.net"],
        vec!["fmt", "--stdout", "examples/two-buyer.net"],
        vec!["generate", "--size", "5", "--processes", "3"],
        vec!["fuzz", "examples/two-buyer.net"],
        vec!["unroll", "examples/two-buyer.net"],
        vec!["batch", "--no-times", "examples/two-buyer.net"],
        vec!["completions", "bash"],
        vec!["man"],
    ] {
        let expected: Vec<&str> =
            arguments.iter().copied().filter(|&word| word != "--color" && word != "always").collect();
        let (expected, run) = (laban(&expected), laban(&[&arguments[..], &["-o", output]].concat()));
        assert_eq!((run.code, run.out.as_str()), (expected.code, ""), "{arguments:?}");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), expected.out, "{arguments:?}");
    }
    assert_eq!(fs::read_dir(&here).expect("the folder is there").count(), 1, "nothing is left over");
    assert!(!laban(&["man", "-o", "-"]).out.is_empty());
    assert_eq!(laban(&["man", "-o", "/dev/null"]).code, Some(0));
}

#[test]
fn a_file_for_the_result_that_cannot_be_written_is_refused_before_the_work() {
    let here = folder("output-refused");
    for path in [here.join("no/such/folder.txt"), here.clone()] {
        // The input is never looked at.
        let run = laban(&["extract", "no/such.net", "--output", text(&path)]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        assert!(run.err.starts_with("error: --output: cannot write "), "{}", run.err);
        assert!(!run.err.contains("no/such.net"), "{}", run.err);
    }
}

#[test]
fn a_file_for_the_result_stays_as_it_was_when_there_is_no_result() {
    let path = file("output-kept", "kept.net", "what was there");
    for arguments in [["project", "examples/unprojectable.chor"], ["extract", "no/such.net"]] {
        let run = laban(&[&arguments[..], &["-o", &path]].concat());
        assert!(matches!(run.code, Some(1 | 2)), "{}", run.err);
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "what was there");
    }
}

#[test]
fn the_help_lists_the_commands_in_groups() {
    let help = laban(&["--help"]).out;
    let places = [
        "Usage:",
        "Commands:\n  extract ",
        "\nResearch tools:\n  generate ",
        "\nSetup:\n  completions ",
        "\nOptions:\n",
    ]
    .map(|part| help.find(part).unwrap_or_else(|| panic!("{part}: {help}")));
    assert!(places.is_sorted(), "{help}");
    assert!(help.contains("\n  4  a fault in laban itself"), "{help}");
    assert_eq!(laban(&["-h"]).out.matches("Research tools:").count(), 1);
}

#[test]
fn commands_that_people_guess_are_understood() {
    for (word, command) in [
        ("draw", "graph"),
        ("render", "graph"),
        ("visualize", "graph"),
        ("simulate", "run"),
        ("diff", "equiv"),
        ("compare", "equiv"),
        ("format", "fmt"),
        ("test", "check"),
        ("lint", "check"),
    ] {
        let run = laban(&[word, "examples/two-buyer.net"]);
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains(&format!("tip: use `laban {command}`\n")), "{}", run.err);
        assert_eq!(run.err.matches("tip:").count(), 1, "{}", run.err);
    }
    assert!(laban(&["chek"]).err.contains("'check'"));
}

/// The examples of all help texts, except those that take minutes or do not end.
#[test]
fn the_examples_of_the_help_can_be_copied() {
    let here = folder("help-examples");
    let copied = Command::new("cp").args(["-r", text(&root().join("examples")), text(&here)]).status();
    assert!(copied.expect("cp is there").success());
    let tools = here.join("bin");
    for made in
        ["bin", ".local/share/bash-completion/completions", ".local/share/man", ".zfunc", ".config/fish/completions"]
    {
        fs::create_dir_all(here.join(made)).expect("a folder to work in");
    }
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_laban"), tools.join("laban")).expect("links can be made");
    for other in ["dot", "man"] {
        fs::write(tools.join(other), "#!/bin/sh\nexec cat > /dev/null\n").expect("a file to write");
        assert!(Command::new("chmod").args(["+x", text(&tools.join(other))]).status().expect("chmod").success());
    }
    let search_path = format!("{}:{}", text(&tools), std::env::var("PATH").expect("a path"));
    let mut count = 0;
    let help = laban(&["--help"]).out;
    let commands = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let mut pages = vec![help.clone()];
    for command in commands.filter(|word| word.chars().all(char::is_alphabetic) && *word != "help" && *word != "laban")
    {
        pages.push(laban(&[command, "--help"]).out);
    }
    for example in pages.iter().flat_map(|page| page.lines()).filter_map(|line| line.strip_prefix("  laban ")) {
        if example.contains("--watch") || example.starts_with("evaluate") {
            continue;
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("laban {example}")]).current_dir(&here).stdin(Stdio::null());
        let output = shell.env("PATH", &search_path).env("HOME", &here).output().expect("it runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0..=2)), "{example}: {err}");
        for trouble in ["Usage:", "cannot read", "cannot write", "not found", "no process"] {
            assert!(!err.contains(trouble), "{example}: {err}");
        }
        count += 1;
    }
    assert!(count >= 55, "{count} examples");
}
