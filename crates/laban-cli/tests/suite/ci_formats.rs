//! The forms for continuous integration: SARIF, JUnit and annotations of GitHub.
//!
//! The sources of all goldens are checked, verified and compared in these forms, and what comes out is read as others
//! read it and compared with the diagnostics of `--format json`. `DOCUMENTS=/tmp/documents cargo test -p laban-cli
//! --test suite ci_formats` writes the documents down, for `scripts/check-sarif /tmp/documents` and others to look at.

mod files;
mod interrupts;

use crate::common::goldens::goldens;
use crate::common::{Run, file, laban, root};
use junit_parser::{TestStatus, TestSuites};
use laban::diagnostic::Code;
use laban::text::visible;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

const STUCK: &str = "p { main { q?; q!<x>; stop } } | q { main { p?; p!<x>; stop } }";

/// A command without its format, where to run it, and what to call the result.
struct Case {
    name: String,
    at: PathBuf,
    command: Vec<String>,
}

impl Case {
    fn run(&self, format: &str) -> Run {
        let mut laban = Command::new(env!("CARGO_BIN_EXE_laban"));
        let (command, arguments) = self.command.split_first().expect("a command");
        let output = laban.args([command, "--format", format]).args(arguments).current_dir(&self.at).output();
        let output = output.expect("it runs");
        let run = Run {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("it prints text"),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        if let (Some(folder), Some(extension)) = (
            std::env::var_os("DOCUMENTS"),
            [("sarif", "sarif"), ("junit", "xml")].iter().find(|(name, _)| *name == format),
        ) {
            fs::create_dir_all(&folder).expect("a folder for documents");
            let name = format!("{}.{}", self.name.replace('/', "-"), extension.1);
            fs::write(Path::new(&folder).join(name), &run.out).expect("a document is written");
        }
        run
    }

    /// The diagnostics as objects, notes included.
    fn diagnostics(&self) -> Vec<Value> {
        self.run("json").out.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.at.join(file)).expect("the file is there")
    }
}

/// What the goldens are about, by folder. The files are written once, whichever test comes first.
static CASES: LazyLock<Vec<(&str, Case)>> = LazyLock::new(|| {
    let mut cases = Vec::new();
    for folder in ["network", "choreography", "failures", "mismatches", "equivalence"] {
        for golden in goldens(folder) {
            let at = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ci-formats").join(folder).join(&golden.name);
            fs::create_dir_all(&at).expect("a folder to work in");
            let texts: Vec<&str> = golden.given.split("---\n").collect();
            let commands = match folder {
                "network" | "failures" => vec!["check in.net".to_string()],
                "choreography" => vec!["check in.chor".to_string()],
                "mismatches" => vec!["verify in.net in.chor".to_string()],
                _ => golden.commands(),
            };
            for (number, command) in commands.into_iter().enumerate() {
                let command: Vec<String> = command.split(' ').map(str::to_string).collect();
                for (name, text) in command[command.len() - texts.len()..].iter().zip(&texts) {
                    fs::write(at.join(name), text).expect("a file to work on");
                }
                let name = format!("{folder}/{}-{number}", golden.name);
                cases.push((folder, Case { name, at: at.clone(), command }));
            }
        }
    }
    cases
});

/// What the goldens of these folders are about.
fn cases(folders: &[&str]) -> Vec<&'static Case> {
    let cases: Vec<&Case> = CASES.iter().filter(|(folder, _)| folders.contains(folder)).map(|(_, case)| case).collect();
    assert!(cases.len() > 30);
    cases
}

const CHECKED: [&str; 4] = ["network", "choreography", "failures", "mismatches"];

/// The one run of a SARIF document, after a look at what has to hold of any.
fn sarif(run: &Run) -> Value {
    let document: Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!(document["version"], "2.1.0");
    let runs = document["runs"].as_array().expect("there are runs");
    assert_eq!(runs.len(), 1);
    let only = &runs[0];
    assert_eq!(only["columnKind"], "unicodeCodePoints");
    assert_eq!(only["tool"]["driver"]["name"], "laban");
    let rules = only["tool"]["driver"]["rules"].as_array().expect("there are rules");
    let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().expect("a text")).collect();
    assert_eq!(ids, Code::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>());
    let invocation = &only["invocations"][0];
    assert_eq!(invocation["exitCode"], run.code.expect("it exits"));
    let notifications = invocation["toolExecutionNotifications"].as_array().expect("a list");
    assert_eq!(invocation["executionSuccessful"], notifications.is_empty());
    let mut fingerprints = BTreeSet::new();
    for result in only["results"].as_array().expect("there are results") {
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(result["ruleId"], ids[index]);
        // What is only mentioned is a note.
        assert!(result["level"] == "note" || result["level"] == rules[index]["defaultConfiguration"]["level"]);
        assert!(!result["message"]["text"].as_str().expect("a text").is_empty());
        assert_eq!(result["locations"].as_array().expect("a list").len(), 1);
        let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        for key in ["primaryLocationLineHash", "labanMessage/v1"] {
            let print = result["partialFingerprints"][key].as_str().expect("a text");
            assert!(fingerprints.insert(format!("{key} {print} {uri} {}", result["ruleId"])), "{print} occurs twice");
        }
    }
    only.clone()
}

fn unescaped(text: &str) -> String {
    // In this order, for what is escaped may itself contain a per cent sign.
    [("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")]
        .iter()
        .fold(text.to_string(), |text, (escape, character)| text.replace(escape, character))
}

/// The level, the properties and the message of an annotation.
fn annotation(line: &str) -> (String, Vec<(String, String)>, String) {
    let rest = line.strip_prefix("::").expect("it is a command");
    let (head, message) = rest.split_once("::").expect("it has a message");
    let (level, properties) = head.split_once(' ').expect("it has properties");
    let property = |pair: &str| {
        let (name, value) = pair.split_once('=').expect("a name and a value");
        (name.to_string(), unescaped(value))
    };
    (level.to_string(), properties.split(',').map(property).collect(), unescaped(message))
}

fn property<'a>(properties: &'a [(String, String)], name: &str) -> Option<&'a str> {
    properties.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// A message with its notes and hints, as a diagnostic has them.
fn whole_message(diagnostic: &Value) -> String {
    let mut text = diagnostic["message"].as_str().expect("a text").to_string();
    for (word, key) in [("note", "notes"), ("help", "hints")] {
        for line in diagnostic[key].as_array().expect("a list") {
            text.push_str(&format!("\n{word}: {}", line.as_str().expect("a text")));
        }
    }
    text
}

/// A message in which the numbered steps of a run are on one line, as in JSON.
fn steps_on_one_line(message: &str) -> String {
    let mut text = String::new();
    for line in message.lines() {
        let step = line.trim_start();
        let numbered = step.split_once(". ").filter(|(number, _)| number.parse::<usize>().is_ok());
        let skipped = step.strip_prefix("…  ").and_then(|rest| rest.strip_suffix(" more steps"));
        let (between, rest) = match (numbered, skipped) {
            (Some((_, step)), _) => (if text.ends_with(':') { " " } else { "; " }, step.to_string()),
            (None, Some(count)) => ("; ", format!("… {count} more …")),
            (None, None) => (if text.is_empty() { "" } else { "\n" }, line.to_string()),
        };
        text.push_str(between);
        text.push_str(&rest);
    }
    text
}

/// What is in a region of a text, counted in characters.
fn in_region(text: &str, region: &Value) -> String {
    let [start_line, start, end_line, end] = ["startLine", "startColumn", "endLine", "endColumn"]
        .map(|key| region[key].as_u64().expect("a number") as usize);
    assert!((start_line, start) <= (end_line, end) && start_line > 0 && start > 0, "{region}");
    let offset = |line: usize, column: usize| {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let before: usize = lines.iter().take(line - 1).map(|line| line.len()).sum();
        let line = lines.get(line - 1).copied().unwrap_or_default();
        before + line.char_indices().nth(column - 1).map_or(line.len(), |(at, _)| at)
    };
    text[offset(start_line, start)..offset(end_line, end)].to_string()
}

#[test]
fn sarif_has_the_diagnostics_at_their_places() {
    let mut with_a_run = 0;
    for case in cases(&CHECKED) {
        let run = case.run("sarif");
        let only = sarif(&run);
        let results = only["results"].as_array().expect("a list");
        let all = case.diagnostics();
        let (notes, diagnostics): (Vec<&Value>, Vec<&Value>) =
            all.iter().partition(|diagnostic| diagnostic["severity"] == "note");
        assert_eq!(results.len(), diagnostics.len(), "{}", case.name);
        for (result, diagnostic) in results.iter().zip(&diagnostics) {
            assert_eq!(result["ruleId"], diagnostic["code"]);
            let message = steps_on_one_line(result["message"]["text"].as_str().expect("a text"));
            assert_eq!(message, whole_message(diagnostic));
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uri"], diagnostic["file"]);
            let text = case.text(diagnostic["file"].as_str().expect("a text"));
            let (start, end) = (&diagnostic["primary"]["start"], &diagnostic["primary"]["end"]);
            let [start, end] = [start, end].map(|offset| offset.as_u64().expect("a number") as usize);
            assert_eq!(in_region(&text, &place["region"]), text[start..end], "{}", case.name);
            let related = result["relatedLocations"].as_array().expect("a list");
            let others = diagnostic["secondary"].as_array().expect("a list");
            let added = if result["ruleId"] == "mismatch" { notes.len() } else { 0 };
            assert_eq!(related.len(), others.len() + added, "{}", case.name);
            if let Some(flow) = result.get("codeFlows") {
                with_a_run += 1;
                let steps = flow[0]["threadFlows"][0]["locations"].as_array().expect("a list");
                for step in steps {
                    let place = &step["location"]["physicalLocation"];
                    let file = place["artifactLocation"]["uri"].as_str().expect("a text");
                    assert!(!in_region(&case.text(file), &place["region"]).is_empty(), "{}: {step}", case.name);
                }
                let last = steps.last().expect("the run ends somewhere");
                assert_eq!(last["location"]["physicalLocation"], *place);
            }
        }
    }
    assert!(with_a_run > 40, "{with_a_run} results show the run that leads to them");
}

#[test]
fn the_run_of_a_failure_is_the_one_that_extract_tells() {
    for case in cases(&["failures"]) {
        let only = sarif(&case.run("sarif"));
        let failures = only["results"].as_array().expect("a list").iter();
        let failures = failures.filter(|result| result["ruleId"] == "deadlock" || result["ruleId"] == "livelock");
        let extract = Case {
            name: String::new(),
            at: case.at.clone(),
            command: ["extract", "--no-times", "in.net"].map(str::to_string).to_vec(),
        };
        let answer: Value = serde_json::from_str(&extract.run("json").out).expect("an object");
        let witnesses = answer["witnesses"].as_array().map(Vec::as_slice).unwrap_or_default();
        for (failure, witness) in failures.zip(witnesses) {
            let length = |value: &Value| value.as_array().map_or(0, Vec::len);
            let steps = length(&failure["codeFlows"][0]["threadFlows"][0]["locations"]);
            let expected = length(&witness["run"]) + length(&witness["cycle"]);
            assert_eq!(steps, if expected == 0 { 0 } else { expected + 1 }, "{}", case.name);
        }
    }
}

fn junit(run: &Run) -> TestSuites {
    let suites = junit_parser::from_reader(run.out.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{}", run.out));
    assert_eq!(suites.suites.len(), 1);
    let suite = &suites.suites[0];
    let count = |is: fn(&TestStatus) -> bool| suite.cases.iter().filter(|case| is(&case.status)).count() as u64;
    assert_eq!(suite.tests, suite.cases.len() as u64);
    assert_eq!(suite.failures, count(TestStatus::is_failure));
    assert_eq!(suite.errors, count(TestStatus::is_error));
    assert_eq!((suites.tests, suites.failures, suites.errors), (suite.tests, suite.failures, suite.errors));
    suites
}

#[test]
fn junit_has_one_test_each_and_its_first_error() {
    for case in cases(&CHECKED) {
        let run = case.run("junit");
        let suites = junit(&run);
        let [test] = suites.suites[0].cases.as_slice() else { panic!("{}: one test", case.name) };
        let diagnostics = case.diagnostics();
        let first = diagnostics.iter().find(|diagnostic| diagnostic["severity"] == "error");
        match (&test.status, first) {
            (TestStatus::Failure(failure), Some(first)) => {
                assert_eq!(first["code"], failure.failure_type.as_str());
                assert!(failure.message.starts_with(first["message"].as_str().expect("a text")), "{}", failure.message);
                let full = case.run("full").out;
                let whole = failure.text.trim_end();
                let start = full.find("error[").expect("there is an error");
                assert!(full[start..].starts_with(whole) || whole.contains("error["), "{}:\n{whole}", case.name);
                assert_ne!(run.code, Some(0));
            }
            (TestStatus::Success, None) => assert_eq!(run.code, Some(0)),
            (status, first) => panic!("{}: {status:?}, {first:?}", case.name),
        }
        let warnings = diagnostics.iter().filter(|diagnostic| diagnostic["severity"] == "warning").count();
        let aside = test.system_out.clone().unwrap_or_default();
        assert_eq!(aside.matches("warning[").count(), warnings, "{}", case.name);
    }
}

#[test]
fn annotations_of_github_can_be_read_back() {
    for case in cases(&CHECKED) {
        let run = case.run("github");
        let diagnostics = case.diagnostics();
        assert_eq!(run.out.lines().count(), diagnostics.len(), "{}: {}", case.name, run.out);
        for (line, diagnostic) in run.out.lines().zip(&diagnostics) {
            let (level, properties, message) = annotation(line);
            let of_severity = if level == "notice" { "note" } else { level.as_str() };
            assert_eq!(diagnostic["severity"], of_severity);
            assert!(steps_on_one_line(&message).starts_with(&whole_message(diagnostic)), "{}: {message}", case.name);
            assert_eq!(property(&properties, "file"), diagnostic["file"].as_str());
            let title = format!("laban: {}", diagnostic["code"].as_str().expect("a text"));
            assert_eq!(property(&properties, "title"), Some(title.as_str()));
            let number = |name: &str| property(&properties, name).map(|text| text.parse::<u64>().expect("a number"));
            let place = &diagnostic["primary"];
            assert_eq!(number("line"), place["line"].as_u64());
            assert_eq!(number("endLine"), place["end_line"].as_u64());
            let on_one_line = place["line"] == place["end_line"];
            assert_eq!(number("col"), place["column"].as_u64().filter(|_| on_one_line));
            assert_eq!(number("endColumn"), place["end_column"].as_u64().filter(|_| on_one_line));
        }
    }
}

#[test]
fn differences_are_results_and_what_is_not_known_is_none() {
    for case in cases(&["equivalence"]) {
        if case.command[0] != "equiv" {
            continue;
        }
        let run = case.run("sarif");
        let only = sarif(&run);
        let results = only["results"].as_array().expect("a list");
        let differences = results.iter().filter(|result| result["ruleId"] == "difference").count();
        let notifications = only["invocations"][0]["toolExecutionNotifications"].as_array().expect("a list");
        let suites = junit(&case.run("junit"));
        let status = &suites.suites[0].cases[0].status;
        let annotations = case.run("github").out;
        let levels: Vec<String> = annotations.lines().map(|line| annotation(line).0).collect();
        match run.code {
            Some(0) => {
                assert_eq!((differences, notifications.len()), (0, 0), "{}", case.name);
                assert!(status.is_success() && !levels.contains(&"error".to_string()), "{}", case.name);
            }
            Some(1) => {
                assert_eq!((differences, notifications.len()), (1, 0), "{}", case.name);
                let TestStatus::Failure(failure) = status else { panic!("{}: {status:?}", case.name) };
                assert_eq!(failure.failure_type, "difference");
                assert_eq!(levels.iter().filter(|level| *level == "error").count(), 1);
                let found = results.iter().find(|result| result["ruleId"] == "difference").expect("there is one");
                let text = found["message"]["text"].as_str().expect("a text");
                let shown = case.run("text").out;
                for line in text.lines() {
                    let line = line.trim_end_matches(" (compared as they are written, within bounds)");
                    assert!(shown.contains(line.trim_start_matches("note: ")), "{}: {text}", case.name);
                }
                let region = &found["locations"][0]["physicalLocation"]["region"];
                in_region(&case.text(case.command.last().expect("two files")), region);
            }
            Some(3) => {
                assert_eq!((differences, notifications.len()), (0, 1), "{}", case.name);
                assert_eq!(notifications[0]["descriptor"]["id"], "undecided");
                assert!(status.is_error());
            }
            other => panic!("{}: {other:?}", case.name),
        }
    }
}

#[test]
fn files_that_are_not_checked_together_are_skipped() {
    let good = file("ci-skipped", "good.net", "p { main { q!<x>; stop } } | q { main { p?; stop } }");
    let bad = file("ci-skipped", "bad.net", "p { main {");
    for (other, why) in [("none.net", "none.net cannot be read"), (bad.as_str(), &format!("{bad} does not parse"))] {
        let suites = junit(&laban(&["check", "--together", "--format", "junit", &good, other]));
        let [first, second] = suites.suites[0].cases.as_slice() else { panic!("two tests") };
        assert!(first.status.is_error() || first.status.is_failure());
        let TestStatus::Skipped(skipped) = &second.status else { panic!("{:?}", second.status) };
        assert!(second.name.ends_with(&good), "{}", second.name);
        assert_eq!(skipped.message, format!("not checked: {why}"));
        assert_eq!(suites.suites[0].skipped, 1);
    }
}

#[test]
fn why_a_comparison_is_not_exact_is_mentioned() {
    // The same in another order is the same, but its graph is not alike.
    let text = |value: &str, rest: &str| {
        format!("main {{ if p.e then q.{value} -> p; stop else stop }} || main {{ {rest} stop }}")
    };
    let [one, same, other] = [
        ("one.chor", "y", "a.x -> b; c.x -> d;"),
        ("same.chor", "y", "c.x -> d; a.x -> b;"),
        ("other.chor", "z", "a.x -> b; c.x -> d;"),
    ]
    .map(|(name, value, rest)| file("ci-bounded", name, text(value, rest)));
    let within = "within bounds";
    for (second, code) in [(&same, 0), (&other, 1)] {
        let run = |format| laban(&["equiv", "--format", format, &one, second]);
        let only = sarif(&run("sarif"));
        let results = only["results"].as_array().expect("a list");
        let found: Vec<_> =
            results.iter().map(|result| (result["ruleId"].as_str(), result["level"].as_str())).collect();
        let mut expected = vec![(Some("unprojectable"), Some("note")); 2];
        expected.extend((code == 1).then_some((Some("difference"), Some("error"))));
        assert_eq!(found, expected);
        let region = &results[0]["locations"][0]["physicalLocation"]["region"];
        assert_eq!((&region["startLine"], &region["startColumn"]), (&Value::from(1), &Value::from(8)));
        if code == 1 {
            assert!(results[2]["message"]["text"].as_str().expect("a text").contains(within));
        }

        let run = run("github");
        let lines: Vec<_> = run.out.lines().map(annotation).collect();
        let levels: Vec<&str> = lines.iter().map(|line| line.0.as_str()).collect();
        assert_eq!(levels, &["notice", "notice", "error"][..2 + code]);
        assert_eq!(run.code, Some(code as i32));

        let suites = junit(&laban(&["equiv", "--format", "junit", &one, second]));
        let aside = suites.suites[0].cases[0].system_out.clone().unwrap_or_default();
        assert_eq!(aside.matches("note[unprojectable]").count(), 2);
        assert_eq!(suites.failures, code as u64);
    }
}

#[test]
fn every_example_gives_documents() {
    let mut examples: Vec<String> = fs::read_dir(root().join("examples"))
        .expect("the folder is there")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a readable name"))
        .filter(|name| name.ends_with(".net") || name.ends_with(".chor"))
        .collect();
    examples.sort();
    for example in &examples {
        let command = vec!["check".to_string(), format!("examples/{example}")];
        let case = Case { name: format!("examples/{example}"), at: root(), command };
        let only = sarif(&case.run("sarif"));
        let suites = junit(&case.run("junit"));
        let errors = only["results"].as_array().expect("a list").iter().filter(|result| result["level"] == "error");
        assert_eq!(suites.failures, u64::from(errors.count() > 0), "{example}");
    }
    assert!(examples.len() > 40);
}
