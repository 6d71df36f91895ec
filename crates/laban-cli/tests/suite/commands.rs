//! What the commands promise apart from their output: files, formats, exit statuses and the two outputs.

use crate::common::{file, laban, laban_with_input, root};
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

const MESSY: &str = "p{main{q!<x>;// to q\nstop}}|q{main{p?;0}}";
const TIDY: &str = "p {\n  main {\n    q!<x>; // to q\n    stop\n  }\n}\n| q { main { p?; stop } }\n";

#[test]
fn fmt_rewrites_files_in_place_and_only_when_needed() {
    let path = file("fmt", "in-place.net", MESSY);
    let run = laban(&["fmt", &path]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "", ""));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), TIDY);
    let modified = || fs::metadata(&path).and_then(|metadata| metadata.modified()).expect("it has a time");
    let before = modified();
    assert_eq!(laban(&["fmt", &path]).code, Some(0));
    assert_eq!(modified(), before);
    let folder = fs::read_dir(root().join(&path).parent().expect("a folder")).expect("the folder is there");
    assert!(folder.flatten().all(|entry| !entry.file_name().to_string_lossy().contains("tmp")), "nothing is left over");
}

#[test]
fn fmt_check_shows_what_would_change_and_changes_nothing() {
    let path = file("fmt", "check.net", MESSY);
    let run = laban(&["fmt", "--check", &path]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("+| q { main { p?; stop } }"), "{}", run.out);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), MESSY);
    let tidy = file("fmt", "tidy.net", TIDY);
    assert_eq!(laban(&["fmt", "--check", &tidy]).code, Some(0));
    assert_eq!(laban(&["fmt", "--check", &tidy, &path]).code, Some(1));
    assert_eq!(laban(&["fmt", "--check", &path, "missing.net"]).code, Some(2));
}

#[test]
fn fmt_prints_what_it_reads_from_the_standard_input() {
    assert_eq!(laban_with_input(&["fmt", "-"], MESSY.as_bytes()).out, TIDY);
    let compact = laban_with_input(&["fmt", "--compact", "-"], MESSY.as_bytes());
    assert_eq!(compact.out, "p { main { q!<x>; stop } } | q { main { p?; stop } }\n");
    let choreography = laban_with_input(&["fmt", "-"], b"main{p.x->q;stop}");
    assert_eq!(choreography.out, "main { p.x -> q; stop }\n");
}

#[cfg(unix)]
#[test]
fn fmt_keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let path = file("fmt-links", "target.net", MESSY);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("it is ours");
    let link = format!("{path}.link.net");
    let _ = fs::remove_file(&link);
    symlink(&path, &link).expect("links can be made");
    assert_eq!(laban(&["fmt", &link]).code, Some(0));
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert_eq!(fs::read_to_string(&path).expect("it is there"), TIDY);
    assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o640);
}

#[test]
fn json_has_places_in_bytes_and_in_lines_and_columns() {
    let path = file("json", "places.net", "é { main {\n  ü!<x>; stop } }\n| é { main { stop } }\n");
    let run = laban(&["check", "--format", "json", &path]);
    assert_eq!(run.code, Some(2));
    let objects: Vec<serde_json::Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect();
    assert_eq!(objects.len(), 2);
    assert_eq!(objects[0]["code"], "unknown-process");
    assert_eq!(objects[0]["severity"], "error");
    assert_eq!(objects[0]["file"], path);
    let place = &objects[0]["primary"];
    assert_eq!((&place["start"], &place["end"]), (&14.into(), &16.into()));
    assert_eq!((&place["line"], &place["column"]), (&2.into(), &3.into()));
    assert_eq!((&place["end_line"], &place["end_column"]), (&2.into(), &4.into()));
    assert_eq!(objects[1]["secondary"][0]["line"], 1);
    assert_eq!(objects[1]["hints"][0], "rename one of them");
}

#[test]
fn content_decides_where_the_name_does_not() {
    let network = file("kinds", "network.txt", "p { main { stop } }");
    let choreography = file("kinds", "choreography.txt", "main { p.x -> q; stop }");
    assert!(laban(&["check", &network]).out.contains("extractable: 1 process, 1 component"));
    assert!(laban(&["check", &choreography]).out.contains("well-formed: 2 processes, 1 part"));
    let run = laban(&["extract", &choreography]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("is a choreography; a network is needed here"), "{}", run.err);
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let coloured = |arguments: &[&str]| laban(arguments).out.contains('\x1b');
    assert!(!coloured(&["check", "examples/ill-formed.net"]));
    assert!(coloured(&["check", "--color", "always", "examples/ill-formed.net"]));
    assert!(!coloured(&["check", "--color", "never", "examples/ill-formed.net"]));
}

#[test]
fn a_reader_that_goes_away_is_no_mistake() {
    let network = format!("p {{ main {{ {} stop }} }} | q {{ main {{ stop }} }}", "q!<x>; ".repeat(200_000));
    let path = file("pipe", "long.net", network);
    let mut child = Command::new(env!("CARGO_BIN_EXE_laban"))
        .args(["graph", "--of", "automata", "--max-nodes", "1000000", &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("laban runs");
    let mut out = child.stdout.take().expect("it has an output");
    out.read_exact(&mut [0; 10]).expect("it says something");
    drop(out);
    let output = child.wait_with_output().expect("laban ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn an_output_that_cannot_be_written_is_reported() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let mut laban = Command::new(env!("CARGO_BIN_EXE_laban"));
    let run = laban.args(["completions", "bash"]).stdout(full).output().expect("laban runs");
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).starts_with("error: cannot write the output: "));
}

#[test]
fn graph_draws_fewer_states_when_minimised() {
    let lines = |option: &str| laban(&["graph", "examples/ring.net", "--of", "automata", option]).out.lines().count();
    assert!(lines("--minimised") < lines("--raw"));
}

#[test]
fn every_shell_gets_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = laban(&["completions", shell]);
        assert_eq!(run.code, Some(0));
        assert!(run.out.contains("laban") && run.out.contains("graph"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page_and_an_example() {
    let folder = root().join(file("man", "here", "")).parent().expect("a folder").join("pages");
    let folder = folder.to_str().expect("a readable path");
    let _ = fs::remove_dir_all(folder);
    let run = laban(&["man", "--out", folder]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    // The pages are written for all commands that the program itself lists, so none can be forgotten here.
    let pages: Vec<_> = fs::read_dir(folder).expect("the folder is there").map(|page| page.expect("a page")).collect();
    let mut seen = 0;
    for page in &pages {
        let name = page.file_name().into_string().expect("a readable name");
        let Some(command) = name.strip_prefix("laban-").and_then(|name| name.strip_suffix(".1")) else { continue };
        seen += 1;
        let page = fs::read_to_string(page.path()).expect("a page is text");
        assert_eq!(laban(&["man", command]).out, page);
        let help = laban(&[command, "--help"]).out;
        assert!(help.contains("Examples:\n  laban") && help.contains("Exit status:"), "{command}: {help}");
    }
    assert!(seen >= 16, "only {seen} commands: {pages:?}");
    assert!(laban(&["man"]).out.contains("laban\\-check(1)"));
    assert_eq!(laban(&["man", "nothing"]).code, Some(2));
}

#[test]
fn mistakes_in_files_to_compare_are_reported_in_the_format_asked_for() {
    for command in ["verify", "equiv"] {
        let told =
            |form: &str| laban(&[command, "--format", form, "examples/ill-formed.net", "examples/two-buyer.chor"]);
        let run = told("concise");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        assert_eq!(run.err.lines().count(), 4, "{}", run.err);
        assert!(run.err.starts_with("examples/ill-formed.net:7:20: error[self-communication]: "), "{}", run.err);
        let run = told("json");
        assert_eq!((run.code, run.err.as_str()), (Some(2), ""));
        let lines = laban(&["check", "--format", "json", "examples/ill-formed.net"]).out;
        match command {
            "verify" => assert_eq!(run.out, lines),
            _ => {
                let object: serde_json::Value = serde_json::from_str(&run.out).expect("one object");
                let objects: Vec<serde_json::Value> =
                    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
                assert_eq!(object["diagnostics"], serde_json::Value::Array(objects));
            }
        }
    }
    let run = laban(&["extract", "--format", "compact", "examples/ill-formed.net"]);
    assert_eq!((run.code, run.out.as_str(), run.err.lines().count()), (Some(2), "", 4));
}

#[test]
fn a_file_without_a_command_gets_a_tip() {
    for (word, command) in [("hello.net", "extract"), ("hello.chor", "check"), ("README.md", "check")] {
        let run = laban(&[word]);
        assert_eq!(run.code, Some(2));
        assert!(
            run.err.contains(&format!("tip: to read a file, say what to do with it: laban {command} {word}\n")),
            "{}",
            run.err
        );
    }
    assert!(!laban(&["nothing"]).err.contains("to read a file"));
}

#[test]
fn what_an_option_can_be_is_said() {
    let network = "examples/two-buyer.net";
    for (arguments, expected) in [
        (["run", "--decide", "bob.affordable=maybe"], "the outcome is yes or no, as in bob.affordable=no"),
        (["extract", "--timeout", "0"], "must be more than 0"),
        (["extract", "--strategy", "Shortest"], "[possible values: Random, LongestFirst, ShortestFirst, "),
        (
            ["extract", "--service", "bank"],
            "--service: there is no process `bank`; there are `alice`, `bob`, `seller`\n",
        ),
        (["check", "--service", "bank"], "--service: there is no process `bank`; there are `alice`, `bob`, `seller`\n"),
    ] {
        let run = laban(&[&arguments[..], &[network]].concat());
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.err.contains(expected), "{arguments:?}: {}", run.err);
    }
    assert!(laban(&["extract", "--help"]).out.contains("- ShortestFirst:"));
    for strategy in ["ShortestFirst", "shortestfirst", "S", "ui"] {
        assert_eq!(laban(&["extract", "--strategy", strategy, network]).code, Some(0), "{strategy}");
    }
}

#[test]
fn a_choreography_is_recognised_without_its_main() {
    for text in ["alice.x -> bob; stop", "// one\nweb-shop -> bank[ok]; stop", "(a.x -> b, b.y -> a); stop"] {
        let run = laban_with_input(&["check", "--format", "concise", "-"], text.as_bytes());
        assert!(run.out.contains("expected `def` or `main`"), "{}", run.out);
        assert_eq!((run.code, run.out.lines().count()), (Some(2), 2), "{}", run.out);
    }
    let run = laban_with_input(&["check", "--format", "concise", "-"], b"alice { main { stop } } // ->");
    assert_eq!(run.code, Some(0), "{}", run.out);
}
