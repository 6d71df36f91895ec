//! Mistakes and what the user gets to see, one file each in `goldens/`: the source, and for each command a line that
//! starts with `===` and what it prints. The folder says what the source is: a network or choreography with mistakes
//! (`laban check`), a network without a choreography (`laban extract`), a choreography without a projection (`laban
//! project`), or, with a line `---` between them, a network and a choreography that does not describe it (`laban
//! verify`).
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
    folder: &'static str,
    path: PathBuf,
    source: String,
    expected: String,
    actual: String,
}

/// The folders, with the command that is run where a golden names none.
const FOLDERS: [(&str, &str); 5] = [
    ("network", "check NAME.net"),
    ("choreography", "check NAME.chor"),
    ("failures", "extract NAME.net"),
    ("mismatches", "verify NAME.net NAME.chor"),
    ("projection", "project NAME.chor"),
];

/// All goldens, tried once.
static GOLDENS: LazyLock<Vec<Golden>> = LazyLock::new(|| {
    let mut goldens = Vec::new();
    for (folder, command) in FOLDERS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens").join(folder);
        let mut paths: Vec<PathBuf> =
            fs::read_dir(&path).expect("the folder is there").map(|entry| entry.expect("a file").path()).collect();
        paths.sort();
        for path in paths {
            let text = fs::read_to_string(&path).expect("goldens are text");
            let (source, expected) = text.split_at(text.find("===").unwrap_or(text.len()));
            let stem = path.file_stem().expect("a name").to_str().expect("a readable name");
            let actual = shown(folder, source, &command.replace("NAME", stem), expected);
            let (source, expected) = (source.to_string(), expected.to_string());
            goldens.push(Golden { folder, source, expected, path, actual });
        }
    }
    goldens
});

/// What the commands of a golden print.
fn shown(folder: &str, source: &str, command: &str, expected: &str) -> String {
    let at = Path::new(env!("CARGO_TARGET_TMPDIR")).join("goldens").join(folder);
    fs::create_dir_all(&at).expect("a folder to work in");
    let files: Vec<&str> = command.split(' ').skip(1).collect();
    let contents: Vec<&str> = source.split("---\n").collect();
    assert_eq!(files.len(), contents.len(), "{command}: one text for each file");
    for (file, content) in files.iter().zip(contents) {
        fs::write(at.join(file), content).expect("a file to work on");
    }
    let header = |line: &str| Some(line.strip_prefix("=== laban ")?.split_once(", exit status")?.0.to_string());
    let mut commands: Vec<String> = expected.lines().filter_map(header).collect();
    if commands.is_empty() {
        commands.push(command.to_string());
    }
    commands.iter().map(|command| run(command, &at)).collect()
}

/// What a command prints, results first.
fn run(command: &str, at: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_laban"))
        .args(command.split_whitespace())
        .current_dir(at)
        .output()
        .expect("it runs");
    let code = output.status.code().expect("it exits");
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("it prints text"));
    format!("=== laban {command}, exit status {code}\n{out}{err}")
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
    let of = |folder: &'static str| goldens.iter().filter(move |golden| golden.folder == folder);
    let ill_formed = || of("network").chain(of("choreography"));
    assert!(ill_formed().count() >= 60, "{} goldens", ill_formed().count());
    let several = ill_formed().filter(|golden| diagnostics(golden) > 1).count();
    assert!(several >= 12, "{several} goldens with more than one mistake");
    assert!(of("failures").count() >= 45, "{} failures", of("failures").count());
    assert!(of("mismatches").count() >= 10, "{} mismatches", of("mismatches").count());
    // Text that is no text cannot be written into a golden, and `bad_input.rs` has it; `ci_formats.rs` has differences.
    let elsewhere = [Code::NotText, Code::TooLong, Code::Difference, Code::DifferencePlace];
    for code in Code::ALL.iter().filter(|code| !elsewhere.contains(code)) {
        let shown = format!("[{}]: ", code.as_str());
        assert!(goldens.iter().any(|golden| golden.actual.contains(&shown)), "no golden shows {}", code.as_str());
    }
}

#[test]
fn a_failure_is_a_negative_answer_and_nothing_else() {
    for golden in GOLDENS.iter().filter(|golden| ["failures", "mismatches", "projections"].contains(&golden.folder)) {
        for line in golden.actual.lines().filter(|line| line.starts_with("=== ")) {
            assert!(line.ends_with("exit status 1"), "{}: {line}", golden.path.display());
        }
    }
}
