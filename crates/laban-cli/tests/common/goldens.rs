//! Golden files: what is given, and for each command a line that starts with `===` and what it prints. The commands are
//! those of the file; `UPDATE_GOLDENS=1` writes down what they print now.

use super::Run;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A golden file.
#[derive(Clone)]
pub(crate) struct Golden {
    pub(crate) name: String,
    path: PathBuf,
    /// What is given: texts, with a line `---` between them.
    pub(crate) given: String,
    /// What the commands are to print, each after a line that starts with `===`.
    pub(crate) expected: String,
    /// What the commands print now.
    actual: String,
    /// Where the files are that the commands work on.
    at: PathBuf,
}

/// The golden files of a folder, in order.
pub(crate) fn goldens(folder: &str) -> Vec<Golden> {
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens").join(folder);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(goldens).expect("the folder is there").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    let golden = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("goldens are text");
        let (given, expected) = text.split_at(text.find("=== laban").unwrap_or(text.len()));
        let name = path.file_stem().expect("a name").to_str().expect("a readable name").to_string();
        let at = Path::new(env!("CARGO_TARGET_TMPDIR")).join("goldens").join(folder).join(&name);
        fs::create_dir_all(&at).expect("a folder to work in");
        let (given, expected) = (given.to_string(), expected.to_string());
        Golden { name, path, given, expected, actual: String::new(), at }
    };
    paths.into_iter().map(golden).collect()
}

impl Golden {
    /// The commands of the file.
    pub(crate) fn commands(&self) -> Vec<String> {
        let header = |line: &str| Some(line.strip_prefix("=== laban ")?.split_once(", exit status")?.0.to_string());
        self.expected.lines().filter_map(header).collect()
    }

    /// The commands of the file, each with its exit status and what it is to print.
    pub(crate) fn answers(&self) -> Vec<(&str, &str, &str)> {
        let answer = |text| {
            let (header, answer): (&str, &str) = str::split_once(text, '\n').expect("a command and what it prints");
            let (command, status) = header.split_once(", exit status ").expect("a command and its exit status");
            (command, status, answer)
        };
        self.expected.split("=== laban ").skip(1).map(answer).collect()
    }

    /// Puts a file where the commands find it.
    pub(crate) fn file(&self, name: &str, content: &str) {
        fs::write(self.at.join(name), content).expect("a file to work on");
    }

    /// Runs a command without showing what it prints.
    pub(crate) fn run(&self, command: &str) -> Run {
        let mut laban = Command::new(env!("CARGO_BIN_EXE_laban"));
        super::run(&laban.args(command.split_whitespace()).current_dir(&self.at).output().expect("it runs"))
    }

    /// Runs a command and shows what it prints, results first.
    pub(crate) fn show(&mut self, command: &str) -> Run {
        let run = self.run(command);
        self.shown(command, &run);
        run
    }

    /// Runs a command at the root of the workspace, or where the files of the golden are, with something on its
    /// standard input, and shows what it prints.
    pub(crate) fn show_with_input(&mut self, command: &str, at_root: bool, input: &str) -> Run {
        let at = if at_root { super::root() } else { self.at.clone() };
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let run = super::laban_at(&at, &arguments, input.as_bytes());
        self.shown(command, &run);
        run
    }

    fn shown(&mut self, command: &str, run: &Run) {
        let code = run.code.expect("it exits");
        self.actual.push_str(&format!("=== laban {command}, exit status {code}\n{}{}", run.out, run.err));
    }

    /// What is shown, if it is not what is expected, unless that is to be updated.
    pub(crate) fn surprise(&self) -> Option<String> {
        let Golden { path, given, expected, actual, .. } = self;
        if actual == expected {
            return None;
        }
        if std::env::var_os("UPDATE_GOLDENS").is_some() {
            fs::write(path, format!("{given}{actual}")).expect("a file to write");
            return None;
        }
        Some(format!("{}\n--- expected\n{expected}\n--- actual\n{actual}", path.display()))
    }
}

/// Fails if something is not as expected.
pub(crate) fn compare(goldens: &[Golden]) {
    let surprises: Vec<String> = goldens.iter().filter_map(Golden::surprise).collect();
    assert!(surprises.is_empty(), "{}\nUPDATE_GOLDENS=1 writes down what is printed now", surprises.join("\n\n"));
}
