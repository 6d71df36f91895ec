//! The rules of ARCHITECTURE.md that a few lines can check, so that it claims only what is so.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of the library; each uses those before it only.
const ROOMS: &[&str] = &[
    "text",
    "limits",
    "parallel",
    "index",
    "random",
    "packed",
    "diagnostic",
    "syntax",
    "graph",
    "scope",
    "lowering",
    "outline",
    "network",
    "choreography",
    "semantics",
    "extraction",
    "equivalence",
    "certified",
    "generate",
    "simulate",
    "analysis",
];

/// Rooms that nobody outside of the library sees.
const PRIVATE: &[&str] = &[
    "index",
    "packed",
    "random",
    "scope",
    "lowering",
    "outline",
    "graph",
    "parallel",
    "limits",
    "analysis",
    "certified",
];

/// Steps that the front door takes for those who call it: the command asks for an analysis, an extraction, a
/// comparison.
const BEHIND: &[&str] = &[
    "parse_network",
    "parse_choreography",
    "source_text",
    "detect",
    "lower",
    "read_off",
    "search_component",
    "compare",
];

/// Crates that are libraries like the first: no input or output, no recursion.
const PURE: &[&str] = &["laban", "laban-draw", "laban-formats", "laban-report", "laban-wasm"];

const WIDEST: usize = 120;
const LONGEST: usize = 500;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Rust files below a folder, with their text, in order.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut work = vec![folder.to_path_buf()];
    while let Some(folder) = work.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                work.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "there is nothing in {}", folder.display());
    files
}

fn crates() -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join("crates")).unwrap();
    let mut crates: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    crates.sort();
    crates
}

fn fail_if_any(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// What comes after each occurrence of a word that is not part of another one.
fn after<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .filter(move |&(at, _)| !text[..at].ends_with(is_name))
        .map(move |(at, _)| &text[at + word.len()..])
}

fn name_at(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    &text[..end]
}

/// Code without comments; what is in strings stays, which does no harm here.
fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_room_uses_only_the_rooms_before_it() {
    let source = repository().join("crates/laban/src");
    let place = |room: &str| ROOMS.iter().position(|&other| other == room);
    let mut complaints = Vec::new();
    for (path, text) in sources(&source) {
        let inside = path.strip_prefix(&source).unwrap();
        let room = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if room == "lib" {
            continue;
        }
        let Some(here) = place(room) else {
            complaints.push(format!("{}: the room is not in the order of rooms", inside.display()));
            continue;
        };
        for used in after(&without_comments(&text), "crate::").map(name_at) {
            if let Some(there) = place(used).filter(|&there| there > here) {
                complaints.push(format!("{}: `{room}` uses `{}`, which comes later", inside.display(), ROOMS[there]));
            }
        }
    }
    fail_if_any(&complaints);
}

#[test]
fn other_crates_use_the_front_door_only() {
    let root = fs::read_to_string(repository().join("crates/laban/src/lib.rs")).unwrap();
    let mut complaints = Vec::new();
    for room in PRIVATE {
        if root.contains(&format!("pub mod {room};")) {
            complaints.push(format!("crates/laban/src/lib.rs: `{room}` is public"));
        }
    }
    for package in crates().iter().filter(|package| !package.ends_with("laban")) {
        for (path, text) in sources(&package.join("src")) {
            let is_laboratory = package.ends_with("laban-evaluation");
            for used in after(&without_comments(&text), "laban::").map(name_at) {
                if PRIVATE.contains(&used) || used == "laboratory" && !is_laboratory {
                    complaints.push(format!("{}: `laban::{used}` is not public", path.display()));
                }
            }
        }
    }
    for (path, text) in sources(&repository().join("crates/laban-cli/src")) {
        let code = without_comments(&text);
        for step in BEHIND {
            let is_called = after(&code, step).any(|rest| rest.starts_with('('));
            if is_called && !code.contains(&format!("fn {step}(")) {
                complaints.push(format!("{}: `{step}` is behind the door", path.display()));
            }
        }
    }
    fail_if_any(&complaints);
}

#[test]
fn no_function_of_a_library_calls_itself() {
    let mut complaints = Vec::new();
    for package in PURE {
        for (path, text) in sources(&repository().join("crates").join(package).join("src")) {
            let code = without_comments(&text);
            let code = code.split("#[cfg(test)]").next().unwrap_or("");
            for rest in after(code, "fn ") {
                let name = name_at(rest);
                let (signature, body) = parts_of(rest);
                if calls(body, name, signature.contains("self")) {
                    complaints.push(format!("{}: `{name}` calls itself", path.display()));
                }
            }
        }
    }
    fail_if_any(&complaints);
}

/// The signature and the body of the function whose name a text starts with.
fn parts_of(text: &str) -> (&str, &str) {
    let mut depth = 0;
    let mut start = None;
    for (at, c) in text.char_indices() {
        match c {
            ';' if depth == 0 && start.is_none() => return (&text[..at], ""),
            '{' => {
                start.get_or_insert(at);
                depth += 1;
            }
            '}' => {
                depth -= 1;
                if depth <= 0 {
                    let start = start.unwrap_or(at);
                    return (&text[..start], &text[start..at]);
                }
            }
            _ => {}
        }
    }
    (text, "")
}

/// Whether a body calls a function of this name. A method calls itself only through what it is a method of.
fn calls(body: &str, name: &str, is_method: bool) -> bool {
    let call = format!("{name}(");
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    body.match_indices(&call).any(|(at, _)| {
        let before = &body[..at];
        let by_itself =
            !is_method && !before.ends_with(is_name) && !before.ends_with(['.', ':', '|']) && !before.ends_with("fn ");
        by_itself || before.ends_with("Self::") || before.ends_with("self.") && !before.ends_with("&mut *self.")
    })
}

#[test]
fn no_line_is_wider_than_the_page() {
    let mut complaints = Vec::new();
    for package in crates() {
        for (path, text) in sources(&package) {
            for (number, line) in text.lines().enumerate() {
                // What cannot be broken, such as a long text in a test, is left to rustfmt.
                let is_comment = line.trim_start().starts_with("//");
                if is_comment && line.chars().count() > WIDEST {
                    complaints.push(format!("{}:{}: {} columns", path.display(), number + 1, line.chars().count()));
                }
            }
        }
    }
    fail_if_any(&complaints);
}

#[test]
fn no_file_is_too_long_to_be_read_at_once() {
    let mut complaints = Vec::new();
    let mut lengths = Vec::new();
    for package in crates() {
        for (path, text) in sources(&package) {
            let lines = text.lines().count();
            lengths.push(lines);
            if lines > LONGEST {
                complaints.push(format!("{}: {lines} lines; is there a second noun in it?", path.display()));
            }
        }
    }
    fail_if_any(&complaints);
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median < 200, "the median of all files has {median} lines");
}

#[test]
fn every_module_says_what_it_is_for() {
    let mut complaints = Vec::new();
    for package in crates() {
        for (path, text) in sources(&package.join("src")) {
            let opens = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
            if !opens.starts_with("//!") && !opens.starts_with("#![doc") {
                complaints.push(format!("{}: opens without a word about what it is for", path.display()));
            }
        }
    }
    fail_if_any(&complaints);
}

#[test]
fn the_library_does_no_input_or_output_and_reads_no_clock() {
    const OUTSIDE: &[&str] =
        &["std::fs", "std::io", "std::net", "std::env", "std::time", "std::process", "std::thread"];
    let mut complaints = Vec::new();
    for package in PURE {
        for (path, text) in sources(&repository().join("crates").join(package).join("src")) {
            let code = without_comments(&text);
            for outside in OUTSIDE.iter().filter(|outside| code.contains(**outside)) {
                complaints.push(format!("{}: uses {outside}", path.display()));
            }
        }
    }
    fail_if_any(&complaints);
}
