//! Networks that are spread over several files.

use crate::common::{Run, laban_with_input};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ALICE: &str = "// The first of two.\nalice { main { bob!<x>; bob?; stop } } // and no more";
const BOB: &str = "\n\nbob { main { alice?; alice!<y>; stop } }\n";
/// As some editors save it, with a mark at its start.
const MARKED: &str = "\u{feff}bob { main { alice?; alice!<y>; stop } }";
const PROTOCOL: &str = "main { alice.x -> bob; bob.y -> alice; stop }";

/// A folder with these files, in which commands are run.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("together").join(name);
        fs::create_dir_all(&folder).expect("a folder to work in");
        for (name, text) in files {
            fs::write(folder.join(name), text).expect("a file to work on");
        }
        Folder(folder)
    }

    fn with_input(&self, command: &str, input: &[u8]) -> Run {
        crate::common::laban_at(&self.0, &command.split(' ').collect::<Vec<_>>(), input)
    }

    fn laban(&self, command: &str) -> Run {
        let mut laban = Command::new(env!("CARGO_BIN_EXE_laban"));
        let output = laban.args(command.split(' ')).current_dir(&self.0).output().expect("it runs");
        Run {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

#[test]
fn files_are_one_network_in_any_order() {
    let folder = Folder::new(
        "fine",
        &[("alice.net", ALICE), ("bob.net", BOB), ("marked.net", MARKED), ("protocol.chor", PROTOCOL)],
    );
    for order in ["alice.net bob.net", "bob.net alice.net", "alice.net marked.net"] {
        let run = folder.laban(&format!("extract --format compact {order}"));
        assert_eq!((run.code, run.out.trim_end(), run.err.as_str()), (Some(0), PROTOCOL, ""));
        let run = folder.laban(&format!("verify {order} protocol.chor"));
        let expected = format!("protocol.chor describes {}: 2 actions checked\n", order.replace(' ', " + "));
        assert_eq!((run.code, run.out), (Some(0), expected), "{}", run.err);
        let run = folder.laban(&format!("check --together {order} protocol.chor"));
        assert_eq!(run.code, Some(0), "{}", run.out);
        let lines: Vec<&str> = run.out.lines().collect();
        assert_eq!(lines[0], "protocol.chor: well-formed: 2 processes, 1 part, 3 nodes");
        assert!(lines[1].starts_with(&format!("{}: extractable: 2 processes", order.replace(' ', " + "))));
    }
    let run = folder.laban("check alice.net bob.net");
    assert_eq!(run.code, Some(2), "without --together, each is a network: {}", run.out);
}

#[test]
fn mistakes_are_reported_in_their_own_file() {
    let folder = Folder::new(
        "mistakes",
        &[
            ("alice.net", ALICE),
            ("again.net", "\nalice { main { stop } }"),
            ("open.net", "bob { main { alice?; stop"),
            ("bob.net", BOB),
        ],
    );
    let run = folder.laban("extract alice.net bob.net again.net");
    assert_eq!(run.code, Some(2));
    let expected = "\
error[duplicate-process]: two processes are named `alice`
 --> again.net:2:1
  |
2 | alice { main { stop } }
  | ^^^^^ again here
  |
 ::: alice.net:2:1
  |
2 | alice { main { bob!<x>; bob?; stop } } // and no more
  | ----- first here
  |
  = help: rename one of them

";
    assert_eq!(run.err, expected);
    let run = folder.laban("check --together --format concise alice.net bob.net again.net");
    assert!(run.out.starts_with("again.net:2:1: error[duplicate-process]: "), "{}", run.out);
    // A bracket that is not closed is reported once, and where it is; nothing is reported about the files around it.
    for command in
        ["check --together --format concise open.net alice.net", "check --together --format concise alice.net open.net"]
    {
        let run = folder.laban(command);
        assert_eq!(run.code, Some(2));
        assert!(run.out.lines().all(|line| line.starts_with("open.net:")), "{}", run.out);
    }
    let run = folder.laban("verify open.net alice.net missing.net protocol.chor");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("--> open.net:1:") && !run.err.contains("alice.net:"), "{}", run.err);
    assert!(
        run.err.contains("cannot read missing.net") && run.err.contains("cannot read protocol.chor"),
        "{}",
        run.err
    );
}

#[test]
fn failures_point_into_all_the_files() {
    let folder = Folder::new(
        "failures",
        &[
            ("alice.net", "alice { main { bob?; stop } }"),
            ("bob.net", "\n\nbob { main { alice?; stop } }"),
            ("protocol.chor", PROTOCOL),
        ],
    );
    let run = folder.laban("extract alice.net bob.net");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains(" --> alice.net:1:16") && run.err.contains("::: bob.net:3:14"), "{}", run.err);
    let run = folder.laban("extract --format json --no-times alice.net bob.net");
    let answer: serde_json::Value = serde_json::from_str(&run.out).expect("an object");
    assert_eq!(answer["file"], "alice.net + bob.net");
    let stuck = &answer["witnesses"][0]["stuck"][1];
    assert_eq!((&stuck["file"], &stuck["line"]), (&"bob.net".into(), &3.into()));
    let run = folder.laban("verify --format concise alice.net bob.net protocol.chor");
    assert_eq!(run.code, Some(1));
    let places: Vec<&str> = run.out.lines().filter_map(|line| line.split(" note").next()).collect();
    assert!(places[0].starts_with("protocol.chor:1:8: error[mismatch]: "), "{}", run.out);
    assert!(places[1..].iter().all(|place| *place == "alice.net:1:16:" || *place == "bob.net:3:14:"), "{}", run.out);
    let run = folder.laban("verify --format github alice.net bob.net protocol.chor");
    assert!(run.out.contains("\n::notice file=alice.net,line=1,"), "{}", run.out);
}

#[test]
fn a_run_tells_places_in_all_the_files() {
    let folder = Folder::new("run", &[("alice.net", ALICE), ("bob.net", BOB)]);
    let run = folder.laban("run --max-steps 1 alice.net bob.net");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("  alice  bob?       alice.net:2:25\n"), "{}", run.out);
    assert!(run.out.contains("  bob    alice!<y>  bob.net:3:22\n"), "{}", run.out);
    let run = folder.laban("run --format json --max-steps 1 alice.net bob.net");
    let record: serde_json::Value = serde_json::from_str(&run.out).expect("an object");
    assert_eq!(record["file"], "alice.net + bob.net");
    let step = &record["steps"][0];
    assert_eq!([&step["file"], &step["partner"]["file"]], ["alice.net", "bob.net"]);
    assert_eq!([&step["line"], &step["partner"]["line"]], [2, 3]);
    assert_eq!([&record["states"][0]["file"], &record["states"][1]["file"]], ["alice.net", "bob.net"]);
    let run = folder.with_input("run --step alice.net bob.net", b"1\n");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("  bob    alice?   bob.net:3:14\n"), "{}", run.out);
    assert!(run.out.contains("   alice: bob!<x> -> bob?  (alice.net:2:25)\n"), "{}", run.out);
}

#[test]
fn drawings_are_of_all_the_files() {
    let folder = Folder::new("drawings", &[("alice.net", ALICE), ("bob.net", BOB)]);
    for of in ["sequence", "protocol", "communications", "automata", "seg"] {
        let run = folder.laban(&format!("graph --format mermaid --of {of} alice.net bob.net"));
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        assert!(run.out.contains("alice") && run.out.contains("bob"), "{}", run.out);
    }
}

#[test]
fn json_of_an_extraction_is_one_object_whatever_the_files_are() {
    let folder = Folder::new(
        "objects",
        &[("alice.net", ALICE), ("open.net", "bob { main { alice?; stop"), ("protocol.chor", PROTOCOL)],
    );
    let outcome = |files: &str| {
        let run = folder.laban(&format!("extract --format json --no-times {files}"));
        assert_eq!(run.code, Some(2), "{}", run.out);
        assert!(!run.err.is_empty(), "{files}");
        let record: serde_json::Value = serde_json::from_str(&run.out).expect("an object");
        assert_eq!(record["file"], files.replace(' ', " + "));
        let text = |field: &str| record[field].as_str().unwrap_or_default().to_string();
        (text("outcome"), text("reason"))
    };
    let is = |outcome: &str, reason: &str| (outcome.to_string(), reason.to_string());
    assert_eq!(outcome("alice.net"), is("ill-formed", "there is no process `bob`"));
    assert_eq!(outcome("alice.net open.net").0, "syntax-error");
    let missing = "cannot read missing.net: no such file";
    assert_eq!(outcome("alice.net missing.net"), is("unreadable", missing));
    assert_eq!(outcome("protocol.chor").0, "unreadable");
}

#[test]
fn the_standard_input_is_one_file_only() {
    let run = laban_with_input(&["extract", "-", "-"], b"");
    assert_eq!((run.code, run.err.as_str()), (Some(2), "error: only one of the two can be standard input\n"));
    let run = laban_with_input(&["verify", "-", "examples/ring.net", "-"], b"");
    assert_eq!((run.code, run.err.as_str()), (Some(2), "error: only one of them can be standard input\n"));
    let folder = Folder::new("input", &[("alice.net", ALICE)]);
    let alice = folder.0.join("alice.net");
    let run = laban_with_input(&["extract", "--format", "compact", alice.to_str().expect("text"), "-"], BOB.as_bytes());
    assert_eq!((run.code, run.out.trim_end()), (Some(0), PROTOCOL));
}

#[test]
fn a_process_that_is_not_there_may_be_in_another_file() {
    let folder = Folder::new(
        "absent",
        &[
            ("alice.net", "alice { main { bob!<x>; carol!<x>; stop } }"),
            ("bob.net", "bob { main { alice?; stop } }"),
            ("both.net", "alice { main { bob!<x>; carol!<x>; stop } } | bob { main { alice?; stop } }"),
            ("protocol.chor", PROTOCOL),
        ],
    );
    let hints = |command: &str| {
        let run = folder.laban(command);
        assert_eq!(run.code, Some(2), "{command}");
        let text = run.out + &run.err;
        text.lines().filter_map(|line| line.trim().strip_prefix("= help: ")).map(str::to_string).collect::<Vec<_>>()
    };
    let (alone, spread) = ("there is no other process in this network", "a network can be spread over several files: ");
    for command in ["extract alice.net", "run alice.net", "check alice.net", "check alice.net protocol.chor"] {
        let hints = hints(command);
        assert!(hints[1].starts_with(spread), "{command}: {hints:?}");
        assert_eq!((hints[0].as_str(), &hints[2..]), (alone, &[alone.to_string()][..]), "{command}: said once");
    }
    let apart = "each file is checked as a network of its own; with `--together` they are parts of one";
    assert_eq!(hints("check both.net bob.net")[1], apart);
    for command in ["extract alice.net bob.net", "check --together alice.net bob.net"] {
        assert_eq!(hints(command), ["the only other process is `bob`", "none of the files that were given defines it"]);
    }
    assert_eq!(hints("extract both.net"), ["the only other process is `bob`"], "it is a network for itself");
}

#[test]
fn a_file_is_part_of_a_network_once() {
    let folder = Folder::new("twice", &[("alice.net", ALICE), ("bob.net", BOB), ("protocol.chor", PROTOCOL)]);
    for command in [
        "extract alice.net bob.net ./alice.net",
        "verify alice.net bob.net ./alice.net protocol.chor",
        "check --together alice.net bob.net ./alice.net",
    ] {
        let run = folder.laban(command);
        let told = (run.code, run.out.as_str(), run.err.as_str());
        assert_eq!(told, (Some(2), "", "error: ./alice.net is given twice\n"), "{command}");
    }
}

#[test]
fn the_choreography_comes_last() {
    let folder = Folder::new("order", &[("alice.net", ALICE), ("bob.net", BOB), ("protocol.chor", PROTOCOL)]);
    let run = folder.laban("verify protocol.chor alice.net bob.net");
    let expected = "error: protocol.chor is a choreography, which comes last; usage: laban verify NET… CHOR\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(2), "", expected));
    let run = folder.laban("verify alice.net bob.net");
    let expected =
        "error: the choreography is missing: the last file, bob.net, is a network; usage: laban verify NET… CHOR\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(2), "", expected));
}

#[test]
fn channels_of_one_file_are_those_of_all_and_files_must_agree() {
    let declared = |declaration: &str, text: &str| format!("// Mine.\nchannels {declaration};\n{text}");
    let crossing = "bob { main { alice!<y>; alice?; stop } }";
    let alice = "alice { main { bob!<x>; bob?; stop } }";
    let folder = Folder::new(
        "channels",
        &[
            ("alice.net", alice),
            ("queue.net", &declared("queue", crossing)),
            ("same.net", &declared("queue", alice)),
            ("other.net", &declared("queue 2, alice -> bob queue", alice)),
        ],
    );
    for order in ["alice.net queue.net", "queue.net alice.net", "same.net queue.net"] {
        let run = folder.laban(&format!("check --together {order}"));
        assert_eq!(run.code, Some(0), "{order}: {}", run.out);
        let run = folder.laban(&format!("check --together --channels rendezvous {order}"));
        assert_eq!(run.code, Some(1), "{order}: {}", run.out);
    }
    let run = folder.laban("check --together --format concise queue.net other.net");
    assert_eq!(run.code, Some(2), "{}", run.out);
    let place = "other.net:2:10: error[duplicate-channel]: it is said twice how all other channels are";
    assert!(run.out.contains(place), "{}", run.out);
}
