//! Running the command.

#![allow(dead_code, reason = "each test uses what it needs")]
#![allow(clippy::expect_used)]

pub(crate) mod goldens;
#[cfg(unix)]
pub(crate) mod interrupts;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What came of a run of `laban`.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `laban` at the root of the workspace.
pub(crate) fn laban(arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_laban")).args(arguments).current_dir(root()).output();
    run(&output.expect("laban runs"))
}

/// Runs `laban` with something on its standard input.
pub(crate) fn laban_with_input(arguments: &[&str], input: &[u8]) -> Run {
    laban_at(&root(), arguments, input)
}

/// Runs `laban` in a folder, with something on its standard input; it need not read all of it.
pub(crate) fn laban_at(folder: &Path, arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_laban"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("laban runs");
    // What it has no use for stays unread.
    let _ = child.stdin.take().expect("it has an input").write_all(input);
    run(&child.wait_with_output().expect("laban ends"))
}

fn run(output: &Output) -> Run {
    Run {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of this name and content, in a folder of this name that nothing else uses.
pub(crate) fn file(folder: &str, name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).expect("a folder to work in");
    let path = folder.join(name);
    fs::write(&path, content).expect("a file to work on");
    path.to_str().expect("a readable path").to_string()
}
