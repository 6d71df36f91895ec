//! `laban evaluate` loses nothing, and does the same in one piece, in several, and after being killed.

#![cfg(unix)]
use crate::common::laban;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A small evaluation, in which no time decides anything.
const SMALL: [&str; 8] = ["--quick", "--only", "unrolling", "--timeout", "60", "--max-states", "300", "--jobs"];

/// A new directory of this name.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("evaluate").join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a readable path")
}

fn arguments<'a>(out: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["evaluate", "--out", text(out)];
    all.extend(SMALL);
    all.push("2");
    all.extend(more);
    all
}

/// The results in a directory, in order, with their times made the same.
fn results(out: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(out).expect("the directory is there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("runs") && name.ends_with(".csv") {
            let content = fs::read_to_string(entry.path()).expect("results are text");
            lines.extend(content.lines().skip(1).map(without_times));
        }
    }
    lines.sort();
    lines
}

fn without_times(line: &str) -> String {
    let mut fields: Vec<&str> = line.split(',').collect();
    assert_eq!(fields.len(), 16, "{line}");
    fields[8] = "1.0";
    fields[9] = "1.0";
    fields.join(",")
}

/// The report that is made of results in which all times are the same.
fn report(out: &Path, name: &str) -> String {
    let same = directory(&format!("{name}-same-times"));
    fs::create_dir_all(&same).expect("a directory to work in");
    fs::copy(out.join("settings.json"), same.join("settings.json")).expect("there are settings");
    let header = fs::read_dir(out).expect("the directory is there").flatten().find_map(|entry| {
        let is_ours = entry.file_name().to_string_lossy().starts_with("runs");
        is_ours.then(|| fs::read_to_string(entry.path()).ok()?.lines().next().map(str::to_string))?
    });
    let lines = results(out).join("\n");
    fs::write(same.join("runs.csv"), format!("{}\n{lines}\n", header.expect("there are results"))).expect("it is ours");
    let merged = directory(&format!("{name}-merged"));
    let run = laban(&["evaluate", "--out", text(&merged), "--merge", text(&same)]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    fs::read_to_string(merged.join("report.md")).expect("there is a report")
}

fn start(arguments: &[&str]) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_laban"));
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("laban runs")
}

#[test]
fn what_was_killed_and_resumed_is_as_if_it_had_not_been() {
    let whole = directory("whole");
    let run = laban(&arguments(&whole, &[]));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("0 are different"), "{}", run.out);
    for name in ["report.md", "report.html", "figures/unrolled.svg"] {
        // The figure needs the originals, which were not asked for.
        assert_eq!(whole.join(name).exists(), name != "figures/unrolled.svg", "{name}");
    }

    let pieces = directory("pieces");
    let mut lines = Vec::new();
    for (number, milliseconds) in [40, 75, 130, 60, 210, 90].into_iter().enumerate() {
        let mut child = start(&arguments(&pieces, &[]));
        sleep(Duration::from_millis(milliseconds));
        match number % 3 {
            // It stops by itself, with the results so far.
            0 => drop(Command::new("kill").args(["-INT", &child.id().to_string()]).status()),
            _ => drop(child.kill()),
        }
        child.wait().expect("it ends");
        let path = pieces.join("runs.csv");
        lines.push(fs::read_to_string(&path).map_or(0, |content| content.lines().count()));
        if number == 4 {
            // Killed in the middle of a line.
            let mut content = fs::read(&path).expect("there are results");
            content.extend(b"unrolling,ifs,200-5-0-5,0,unrol");
            fs::write(&path, content).expect("it is ours");
        }
    }
    assert!(lines.is_sorted(), "nothing is lost: {lines:?}");
    let run = laban(&arguments(&pieces, &[]));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(results(&pieces), results(&whole));
    assert_eq!(report(&pieces, "pieces"), report(&whole, "whole"));

    // All is there: nothing is done again.
    let before = fs::read(pieces.join("runs.csv")).expect("there are results");
    assert_eq!(laban(&arguments(&pieces, &[])).code, Some(0));
    assert_eq!(fs::read(pieces.join("runs.csv")).expect("there are results"), before);
}

#[test]
fn two_shards_are_as_good_as_one_run() {
    let whole = directory("unsharded");
    assert_eq!(laban(&arguments(&whole, &[])).code, Some(0));
    let shards = directory("shards");
    for shard in ["1/2", "2/2"] {
        let run = laban(&arguments(&shards, &["--shard", shard]));
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    let halves = ["runs-1-of-2.csv", "runs-2-of-2.csv"]
        .map(|name| fs::read_to_string(shards.join(name)).expect("each shard has its file").lines().count());
    assert!(halves.iter().all(|&lines| lines > results(&whole).len() / 3), "{halves:?}");
    assert_eq!(results(&shards), results(&whole));
    assert_eq!(report(&shards, "shards"), report(&whole, "unsharded"));
}

#[test]
fn seeds_decide_and_settings_must_agree() {
    let one = directory("seed-one");
    let mut other = arguments(&one, &["--seed", "1"]);
    assert_eq!(laban(&other).code, Some(0));
    let again = directory("seed-one-again");
    assert_eq!(laban(&arguments(&again, &["--seed", "1"])).code, Some(0));
    assert_eq!(results(&one), results(&again));
    other.pop();
    other.push("2");
    let run = laban(&other);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("was begun with --quick --seed 1"), "{}", run.err);
    let two = directory("seed-two");
    assert_eq!(laban(&arguments(&two, &["--seed", "2"])).code, Some(0));
    assert_ne!(results(&one), results(&two));
    let merged = directory("seeds-merged");
    let run = laban(&["evaluate", "--out", text(&merged), "--merge", text(&one), text(&two)]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("but others with"), "{}", run.err);
}

#[test]
fn what_is_not_ours_is_not_touched() {
    let out = directory("not-ours");
    fs::create_dir_all(&out).expect("a directory to work in");
    fs::write(out.join("runs.csv"), "name,price\napples,3\n").expect("it is ours");
    let run = laban(&arguments(&out, &[]));
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("is not a file of results"), "{}", run.err);
    assert_eq!(fs::read_to_string(out.join("runs.csv")).expect("it is there"), "name,price\napples,3\n");
    let file = out.join("runs.csv");
    assert_eq!(laban(&["evaluate", "--out", text(&file), "--quick"]).code, Some(2));
    assert_eq!(laban(&["evaluate", "--out", text(&out), "--shard", "3/2"]).code, Some(2));
    assert_eq!(laban(&["evaluate", "--out", text(&out), "--only", "everything"]).code, Some(2));
}
