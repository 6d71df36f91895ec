//! The examples are what `examples/README.md` says they are.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use common::{laban, root};
use std::collections::BTreeSet;
use std::fs;

/// The files that a table row of the README is about, with the words of its verdict column.
fn rows(readme: &str) -> Vec<(Vec<String>, String)> {
    let rows = readme.lines().filter(|line| line.starts_with("| ["));
    rows.map(|line| {
        let line = line.replace("\\|", "/");
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let links = columns[1].split("](").skip(1).filter_map(|link| link.split(')').next());
        (links.map(str::to_string).collect(), columns[3].to_string())
    })
    .collect()
}

#[test]
fn every_example_is_as_well_formed_as_its_verdict_says() {
    let readme = fs::read_to_string(root().join("examples/README.md")).expect("the README is there");
    let mut listed = BTreeSet::new();
    for (files, verdict) in rows(&readme) {
        for name in files {
            let run = laban(&["check", &format!("examples/{name}")]);
            let code = if verdict == "ill-formed" { 2 } else { 0 };
            assert_eq!(run.code, Some(code), "{name} is {verdict}: {}{}", run.out, run.err);
            listed.insert(name);
        }
    }
    let there = fs::read_dir(root().join("examples")).expect("the folder is there");
    let there: BTreeSet<String> = there
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".net") || name.ends_with(".chor"))
        .collect();
    assert_eq!(listed, there, "the README lists what is there");
    assert!(listed.len() >= 40, "{} examples", listed.len());
}

#[test]
fn every_example_is_drawn() {
    for entry in fs::read_dir(root().join("examples")).expect("the folder is there") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        if !name.ends_with(".net") || name == "ill-formed.net" {
            continue;
        }
        for of in ["communications", "automata"] {
            for (format, start) in [("dot", "digraph {\n"), ("mermaid", "flowchart ")] {
                let run = laban(&["graph", &format!("examples/{name}"), "--of", of, "--format", format]);
                assert_eq!(run.code, Some(0), "{name}: {}", run.err);
                assert!(run.out.starts_with(start), "{name}: {}", run.out);
            }
        }
    }
}

#[test]
fn laying_an_example_out_twice_is_as_good_as_once() {
    for entry in fs::read_dir(root().join("examples")).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension == "md") {
            continue;
        }
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let once = laban(&["fmt", "--stdout", path.to_str().expect("a readable path")]);
        assert_eq!(once.code, Some(0), "{name}: {}", once.err);
        let copy = common::file("laid-out", &name, &once.out);
        let run = laban(&["fmt", "--check", &copy]);
        assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{name}");
    }
}
