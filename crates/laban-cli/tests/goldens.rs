//! Mistakes and what the user gets to see, one file each in `goldens/`: the source, a line that starts with `===`, and
//! what `laban check` prints. The folder says which language the source is in.
//!
//! `UPDATE_GOLDENS=1 cargo test -p laban-cli --test goldens` writes down what is printed now; read the difference
//! before you commit it.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use laban::diagnostic::Code;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

struct Golden {
    path: PathBuf,
    source: String,
    expected: String,
    actual: String,
}

/// All goldens, checked once.
static GOLDENS: LazyLock<Vec<Golden>> = LazyLock::new(|| {
    let mut goldens = Vec::new();
    for (folder, extension) in [("network", "net"), ("choreography", "chor")] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens").join(folder);
        let mut paths: Vec<PathBuf> =
            fs::read_dir(&folder).expect("the folder is there").map(|entry| entry.expect("a file").path()).collect();
        paths.sort();
        for path in paths {
            let text = fs::read_to_string(&path).expect("goldens are text");
            let (source, expected) = text.split_once("===").unwrap_or((&text, ""));
            let stem = path.file_stem().expect("a name").to_str().expect("a readable name");
            let actual = checked(source, &format!("{stem}.{extension}"));
            goldens.push(Golden { source: source.to_string(), expected: format!("==={expected}"), path, actual });
        }
    }
    goldens
});

/// What `laban check` prints about a file of this name and content.
fn checked(source: &str, name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("goldens");
    fs::create_dir_all(&folder).expect("a folder to work in");
    fs::write(folder.join(name), source).expect("a file to check");
    let output =
        Command::new(env!("CARGO_BIN_EXE_laban")).args(["check", name]).current_dir(&folder).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
    let code = output.status.code().expect("it exits");
    format!("=== laban check {name}, exit status {code}\n{}", String::from_utf8_lossy(&output.stdout))
}

#[test]
fn every_mistake_is_shown_as_its_golden_says() {
    let update = std::env::var_os("UPDATE_GOLDENS").is_some();
    let mut wrong = Vec::new();
    for golden in GOLDENS.iter() {
        if golden.actual == golden.expected {
            continue;
        }
        if update {
            fs::write(&golden.path, format!("{}{}", golden.source, golden.actual)).expect("a file to write");
        } else {
            let path = golden.path.display();
            wrong.push(format!("{path}\n--- expected\n{}\n--- actual\n{}", golden.expected, golden.actual));
        }
    }
    assert!(wrong.is_empty(), "{}\nUPDATE_GOLDENS=1 writes down what is printed now", wrong.join("\n\n"));
}

#[test]
fn there_are_enough_goldens_and_every_code_has_one() {
    let goldens = &*GOLDENS;
    let diagnostics = |golden: &Golden| {
        golden.actual.lines().filter(|line| line.starts_with("error[") || line.starts_with("warning[")).count()
    };
    assert!(goldens.len() >= 60, "{} goldens", goldens.len());
    let several = goldens.iter().filter(|golden| diagnostics(golden) > 1).count();
    assert!(several >= 12, "{several} goldens with more than one mistake");
    // Text that is no text cannot be written into a golden, and `bad_input.rs` has it; `projection.rs` has what cannot be
    // projected; the last need a search.
    let elsewhere = [
        Code::NotText,
        Code::TooLong,
        Code::Unprojectable,
        Code::GroupProjection,
        Code::Deadlock,
        Code::Livelock,
        Code::Mismatch,
        Code::MismatchPlace,
    ];
    for code in Code::ALL.iter().filter(|code| !elsewhere.contains(code)) {
        let shown = format!("[{}]: ", code.as_str());
        assert!(goldens.iter().any(|golden| golden.actual.contains(&shown)), "no golden shows {}", code.as_str());
    }
}
