//! Many networks at once: what is read, in which order it is answered, and what happens when somebody interrupts it.

use crate::common::{Run, file, laban, laban_with_input};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const GOOD: &str = "p { main { q!<x>; stop } } | q { main { p?; stop } }";
const STUCK: &str = "p { main { q!<x>; stop } } | q { main { stop } }";

/// The names and outcomes that a run printed.
fn outcomes(run: &Run) -> Vec<(String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    run.out
        .lines()
        .map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).expect("a line is an object");
            (text(&record["id"]), text(&record["outcome"]))
        })
        .collect()
}

fn expect(run: &Run, code: i32, expected: &[(&str, &str)]) {
    let expected: Vec<(String, String)> =
        expected.iter().map(|(id, outcome)| (id.to_string(), outcome.to_string())).collect();
    assert_eq!(outcomes(run), expected, "{}", run.err);
    assert_eq!(run.code, Some(code), "{}", run.err);
}

#[test]
fn a_table_may_have_a_header_empty_lines_and_any_line_ends() {
    for (name, head, end) in [("plain", "", "\n"), ("header", "testId\tnetwork\n", "\n"), ("crlf", "", "\r\n")] {
        let text = format!("{head}a\t{GOOD}{end}{end}b\t{GOOD}");
        let path = file("batch", &format!("{name}.tsv"), text);
        expect(&laban(&["batch", &path]), 0, &[("a", "extracted"), ("b", "extracted")]);
    }
    let path = file("batch", "header-crlf.tsv", format!("id\tnetwork\r\na\t{GOOD}\r\n"));
    expect(&laban(&["batch", &path]), 0, &[("a", "extracted")]);
}

#[test]
fn a_line_without_a_name_is_a_network_too() {
    let path = file("batch", "nameless.tsv", format!("{GOOD}\nno network\n"));
    expect(&laban(&["batch", &path]), 2, &[("line 1", "extracted"), ("line 2", "syntax-error")]);
}

#[test]
fn every_kind_of_trouble_is_an_outcome_of_its_own() {
    let lines: [&[u8]; 5] = [
        b"good\tp { main { q!<x>; stop } } | q { main { p?; stop } }",
        b"stuck\tp { main { q?; stop } } | q { main { stop } }",
        b"ill\tp { main { q?; stop } }",
        b"broken\tp { main {",
        b"bytes\tp { main { \xff } }",
    ];
    let path = file("batch", "trouble.tsv", lines.join(&b"\n"[..]));
    let expected = [
        ("good", "extracted"),
        ("stuck", "deadlock"),
        ("ill", "ill-formed"),
        ("broken", "syntax-error"),
        ("bytes", "syntax-error"),
    ];
    let run = laban(&["batch", &path]);
    expect(&run, 2, &expected);
    assert!(run.err.contains("all") && run.err.contains("median"), "the table is there: {}", run.err);
    assert_eq!(laban(&["batch", "--quiet", &path]).err, "");
    let reasons = run.out.lines().filter(|line| line.contains("\"reason\":\"")).count();
    assert_eq!(reasons, 4, "each failure has a reason: {}", run.out);
}

#[test]
fn directories_are_read_in_the_order_of_names_and_links_do_not_lead_back() {
    let nested = file("batch-tree/b", "second.net", GOOD);
    file("batch-tree", "a.net", GOOD);
    file("batch-tree", "c.net", STUCK);
    file("batch-tree", "notes.txt", "no network");
    let tree = Path::new(&nested).parent().and_then(Path::parent).expect("it has a folder");
    #[cfg(unix)]
    {
        let link = tree.join("b/back");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(tree, link).expect("links can be made");
    }
    let run = laban(&["batch", tree.to_str().expect("a readable path")]);
    expect(&run, 1, &[("a", "extracted"), ("second", "extracted"), ("c", "deadlock")]);
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_answered() {
    let path = file("batch", "rest.tsv", format!("a\t{GOOD}\n"));
    let run = laban(&["batch", "--quiet", "no/such.tsv", &path, "no/such.net"]);
    expect(&run, 2, &[("a", "extracted")]);
    let expected = "error: cannot read no/such.tsv: no such file\n\
                    error: cannot read no/such.net: no such file\n";
    assert_eq!(run.err, expected);
}

#[test]
fn the_standard_input_is_a_table() {
    let run = laban_with_input(&["batch", "-"], format!("a\t{GOOD}\nb\t{STUCK}\n").as_bytes());
    expect(&run, 1, &[("a", "extracted"), ("b", "deadlock")]);
    assert!(run.out.starts_with("{\"file\":\"<stdin>\",\"id\":\"a\","), "{}", run.out);
}

#[test]
fn services_and_limits_are_those_of_every_network() {
    let livelock = "p { def X { q!<e>; X } main { X } } | q { def Y { p?; Y } main { Y } } | r { main { p?; stop } }";
    let path = file("batch", "services.tsv", format!("a\t{livelock}\nb\t{GOOD}\n"));
    expect(&laban(&["batch", &path]), 1, &[("a", "livelock"), ("b", "extracted")]);
    expect(&laban(&["batch", "--service", "r", &path]), 0, &[("a", "extracted"), ("b", "extracted")]);
    expect(&laban(&["batch", "--max-states", "1", &path]), 3, &[("a", "undecided"), ("b", "undecided")]);
}

#[test]
fn the_lines_of_all_shards_in_turn_are_those_of_one_run() {
    let generated = laban(&["generate", "--size", "9", "--processes", "4", "--ifs", "1", "--count", "50"]).out;
    let path = file("batch", "shards.tsv", &generated);
    let whole = ["batch", "--quiet", "--no-times", &path, "no/such.net", "examples"];
    let all = laban(&whole);
    let lines: Vec<&str> = all.out.lines().collect();
    assert!(lines.len() > 100, "{}", lines.len());
    for of in [1, 2, 3, 7] {
        let shard = |number: usize| {
            let shard = format!("{number}/{of}");
            let run = laban(&[&whole[..], &["--shard", &shard, "--jobs", "2"]].concat());
            assert_eq!(run.err, all.err, "what cannot be read is named in every shard");
            run.out.lines().map(str::to_string).collect::<Vec<String>>()
        };
        let shards: Vec<Vec<String>> = (1..=of).map(shard).collect();
        let dealt: Vec<&String> = (0..lines.len()).map(|number| &shards[number % of][number / of]).collect();
        assert_eq!(dealt, lines.iter().collect::<Vec<_>>(), "{of} shards");
        assert_eq!(shards.iter().map(Vec::len).sum::<usize>(), lines.len(), "none is there twice");
    }
}

#[test]
fn any_number_of_threads_prints_the_same_bytes() {
    let mut table = String::new();
    for number in 0..400 {
        let steps = "q!<x>; ".repeat(number % 37);
        let (receives, last) = ("p?; ".repeat(number % 37), ["stop", "q?; stop"][number % 2]);
        writeln!(table, "N{number}\tp {{ main {{ {steps}{last} }} }} | q {{ main {{ {receives}stop }} }}")
            .expect("fits");
    }
    let path = file("batch", "many.tsv", table);
    let run = |jobs: &str| laban(&["batch", "--quiet", "--no-times", "--jobs", jobs, &path]);
    let one = run("1");
    assert_eq!(one.out.lines().count(), 400);
    for jobs in ["2", "7"] {
        assert!(run(jobs).out == one.out, "{jobs} threads print something else");
    }
}

/// What a program does when it is told to stop.
#[cfg(unix)]
mod interrupts {
    use super::*;
    use crate::common::interrupts::{endless, interrupt, interrupted};
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Child, Command, Stdio};

    fn started(arguments: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_laban"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("laban runs")
    }

    #[test]
    fn a_batch_says_what_it_has_and_that_there_is_more() {
        for jobs in ["1", "2"] {
            let mut child = started(&["batch", "--jobs", jobs, "-"]);
            let mut input = child.stdin.take().expect("it has an input");
            let feeding = std::thread::spawn(move || {
                // It stops reading when it is interrupted.
                for number in 0..10_000_000 {
                    if writeln!(input, "N{number}\t{GOOD}").is_err() {
                        break;
                    }
                }
            });
            let mut out = BufReader::new(child.stdout.take().expect("it has an output"));
            let mut text = String::new();
            out.read_line(&mut text).expect("it answers");
            interrupt(&child);
            out.read_to_string(&mut text).expect("it prints text");
            let mut err = String::new();
            child.stderr.take().expect("it has an output").read_to_string(&mut err).expect("it prints text");
            assert_eq!(child.wait().expect("it ends").code(), Some(3), "{err}");
            feeding.join().expect("it ends");
            assert!(text.ends_with('\n') && err.starts_with("error: interrupted: the rest was not read\n"), "{err}");
            let ids: Vec<String> =
                outcomes(&Run { code: None, out: text, err: String::new() }).into_iter().map(|(id, _)| id).collect();
            let expected: Vec<String> = (0..ids.len()).map(|number| format!("N{number}")).collect();
            assert_eq!(ids, expected, "whole lines, in order");
        }
    }

    #[test]
    fn an_extraction_is_undecided() {
        let path = file("batch", "endless.net", endless(""));
        let (run, _) = interrupted(&["extract", &path], 200, |run| run.code == Some(2));
        assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{}", run.err);
        assert!(run.err.starts_with("error: undecided: interrupted; no failure so far"), "{}", run.err);
    }

    #[test]
    fn limits_end_a_search_without_half_an_answer() {
        let path = file("batch", "endless-limits.net", endless(""));
        for (limit, why) in
            [(&["--timeout", "0.2"], "gave up after 0.2 s"), (&["--max-states", "1000"], "gave up after 1000 states")]
        {
            let run = laban(&[&["extract"], &limit[..], &[&path]].concat());
            assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{}", run.err);
            assert!(run.err.starts_with(&format!("error: undecided: {why}; no failure so far")), "{}", run.err);
            let run = laban(&[&["extract", "--format", "json"], &limit[..], &[&path]].concat());
            assert_eq!(run.code, Some(3));
            assert!(run.out.contains("\"outcome\":\"undecided\"") && !run.out.contains("choreography"), "{}", run.out);
            let run = laban(&[&["check"], &limit[..], &[&path]].concat());
            assert_eq!(run.code, Some(3));
            assert!(run.out.contains(&format!(": undecided: {why}; no failure so far: 80 processes")), "{}", run.out);
            let run = laban(&[&["graph", "--of", "seg"], &limit[..], &[&path]].concat());
            assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{}", run.err);
        }
    }
}
