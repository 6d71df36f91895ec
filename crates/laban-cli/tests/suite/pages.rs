//! What web pages get is what the command prints, byte for byte.

use crate::common::{Run, laban, root};
use serde_json::{Value, json};
use std::fs;

/// A file of the repository as a page would send it.
fn file(path: &str) -> Value {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    json!({ "name": path, "text": text })
}

fn ask(request: &Value) -> Value {
    let answer = laban_wasm::answer(&request.to_string());
    let answer: Value = serde_json::from_str(&answer).expect("an answer is JSON");
    assert_eq!(answer.get("error"), None, "{request}");
    answer
}

/// A request about a file, with more fields.
fn about(what: &str, path: &str, more: &Value) -> Value {
    let mut request = json!({ "do": what, "files": [file(path)] });
    for (name, value) in more.as_object().into_iter().flatten() {
        request[name] = value.clone();
    }
    request
}

/// Compares an answer with what the command says.
fn same(request: &Value, arguments: &[&str]) -> Value {
    let answer = ask(request);
    let Run { code, out, err } = laban(arguments);
    let text = |name: &str| answer[name].as_str().expect(name).to_string();
    assert_eq!(text("output"), out, "standard output of {arguments:?}");
    assert_eq!(text("said"), err, "standard error of {arguments:?}");
    assert_eq!(answer["exit"].as_i64(), code.map(i64::from), "{arguments:?}");
    answer
}

/// The files of a folder with one of these endings, in order.
fn files(folder: &str, endings: &[&str]) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let is_wanted = |name: &String| endings.iter().any(|ending| name.ends_with(ending));
    let mut names: Vec<String> = names.filter(is_wanted).map(|name| format!("{folder}/{name}")).collect();
    names.sort();
    names
}

fn networks() -> Vec<String> {
    files("examples", &[".net"])
}

const FOREIGN: &[&str] = &[".txt", ".nuscr", ".mmd", ".scr", ".puml", ".fsa", ".gc", ".dot"];

#[test]
fn every_example_is_extracted_as_by_the_command() {
    let (mut extracted, mut failed) = (0, 0);
    for path in networks() {
        let answer = same(&about("extract", &path, &json!({})), &["extract", &path]);
        match answer["choreography"].as_str() {
            Some(text) => {
                extracted += 1;
                assert_eq!(answer["output"], text);
                assert_eq!(answer["verdict"], "extracted");
            }
            None => failed += usize::from(answer["verdict"].is_string()),
        }
    }
    assert!(extracted > 30 && failed > 10, "{extracted} extracted, {failed} failed");
}

#[test]
fn options_mean_the_same_as_those_of_the_command() {
    let options: &[(Value, &[&str])] = &[
        (json!({ "fair": true }), &["--fair"]),
        (json!({ "channels": "queue", "queue": 8 }), &["--channels", "queue", "--queue", "8"]),
        (json!({ "channels": "rendezvous", "compact": true }), &["--channels", "rendezvous", "--format", "compact"]),
        (json!({ "strategy": "L", "split": false }), &["--strategy", "L", "--no-split"]),
        (json!({ "strategy": "Random", "seed": 7 }), &["--strategy", "Random", "--seed", "7"]),
        (json!({ "maxStates": 3 }), &["--max-states", "3"]),
        (json!({ "services": ["r"], "strictServices": true }), &["--service", "r", "--strict-services"]),
    ];
    for path in networks().iter().step_by(3) {
        for (more, arguments) in options {
            let all: Vec<&str> = ["extract", path].iter().chain(*arguments).copied().collect();
            same(&about("extract", path, more), &all);
        }
    }
}

#[test]
fn every_text_is_checked_as_by_the_command() {
    let mut all = files("examples", &[".net", ".chor"]);
    all.extend(files("examples/tutorial", &[".net", ".chor"]));
    all.extend(files("examples/formats", FOREIGN));
    all.push("examples/formats/protocol.md".to_string());
    for path in &all {
        same(&about("check", path, &json!({})), &["check", path]);
    }
}

#[test]
fn every_mistake_is_shown_as_by_the_command() {
    let mut seen = 0;
    for (folder, ending) in [("network", "net"), ("choreography", "chor"), ("failures", "net"), ("queues", "net")] {
        for path in files(&format!("crates/laban-cli/tests/goldens/{folder}"), &[".txt"]) {
            let text = fs::read(root().join(&path)).expect("a golden");
            let text = String::from_utf8_lossy(&text).into_owned();
            let source = text.split("\n===").next().unwrap_or_default().to_string() + "\n";
            let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
            let path = crate::common::file("pages", &format!("{folder}-{stem}.{ending}"), &source);
            let request = json!({ "do": "check", "files": [{ "name": path, "text": source }] });
            let answer = same(&request, &["check", &path]);
            let diagnostics = answer["diagnostics"].as_array().expect("diagnostics");
            assert!(
                diagnostics
                    .iter()
                    .all(|one| answer["output"].as_str().unwrap().contains(one["rendered"].as_str().unwrap()))
            );
            seen += diagnostics.len();
        }
    }
    assert!(seen > 200, "{seen} diagnostics");
}

#[test]
fn several_files_are_parts_of_one_network() {
    let parts = files("examples/ci/services", &[".net"]);
    let texts: Vec<Value> = parts.iter().map(|path| file(path)).collect();
    let with = |command: &'static str| -> Vec<&str> {
        std::iter::once(command).chain(parts.iter().map(String::as_str)).collect()
    };
    let answer = same(&json!({ "do": "extract", "files": texts }), &with("extract"));
    assert_eq!(answer["verdict"], "extracted");
    let mut arguments = with("check");
    arguments.insert(1, "--together");
    same(&json!({ "do": "check", "files": texts }), &arguments);
    let protocol = "examples/ci/protocol.chor";
    let mut arguments = with("verify");
    arguments.push(protocol);
    let answer = same(&json!({ "do": "verify", "files": texts, "with": [file(protocol)] }), &arguments);
    assert_eq!(answer["outcome"], "describes");
}

#[test]
fn drawings_are_those_of_the_command() {
    for path in ["examples/two-buyer.net", "examples/forgotten-else.net", "examples/two-buyer.chor"] {
        for (of, formats) in [
            ("sequence", ["svg", "mermaid", "plantuml"]),
            ("protocol", ["svg", "mermaid", "dot"]),
            ("seg", ["svg", "mermaid", "dot"]),
            ("automata", ["svg", "mermaid", "dot"]),
            ("communications", ["svg", "mermaid", "dot"]),
        ] {
            for format in formats {
                let request = about("draw", path, &json!({ "of": of, "format": format }));
                same(&request, &["graph", path, "--of", of, "--format", format]);
            }
        }
    }
    let all = json!({ "drawings": [
        { "of": "sequence", "format": "svg" }, { "of": "seg", "format": "svg" }, { "of": "automata", "format": "dot" },
        { "of": "sequence", "format": "dot" },
    ] });
    let path = "examples/deadlock-circle.net";
    let answer = same(&about("extract", path, &all), &["extract", path]);
    for (number, of, format) in [(0, "sequence", "svg"), (1, "seg", "svg"), (2, "automata", "dot")] {
        let drawn = laban(&["graph", path, "--of", of, "--format", format]);
        assert_eq!(answer["drawings"][number]["text"], drawn.out);
    }
    assert_eq!(answer["drawings"][3]["text"], Value::Null);
    assert_ne!(answer["drawings"][3]["said"], "");
}

#[test]
fn comparisons_are_those_of_the_command() {
    let pairs = [
        ("examples/two-buyer.net", "examples/two-buyer.chor"),
        ("examples/buyer-seller.net", "examples/buyer-seller-hasty.chor"),
        ("examples/streaming.net", "examples/streaming.chor"),
        ("examples/authentication.net", "examples/authentication.chor"),
        ("examples/authentication.net", "examples/two-buyer.chor"),
        ("examples/formats/protocol.md", "examples/formats/protocol.md"),
        ("examples/two-buyer.net", "examples/formats/login.mmd"),
        ("examples/ill-formed.net", "examples/unprojectable.chor"),
    ];
    let drawings = json!([{ "of": "sequence", "format": "svg" }, { "of": "sequence", "format": "mermaid" }]);
    for (first, second) in pairs {
        let request = json!({ "do": "verify", "files": [file(first)], "with": [file(second)], "drawings": drawings });
        let answer = same(&request, &["verify", first, second]);
        if answer["outcome"] == "mismatch" {
            let drawn = laban(&["verify", first, second, "--format", "svg"]);
            assert_eq!(answer["drawings"][0]["text"], drawn.out);
        }
    }
    for (first, second) in pairs.into_iter().filter(|(first, _)| !first.ends_with(".md")) {
        let request = json!({ "do": "equiv", "files": [file(first)], "with": [file(second)], "drawings": drawings });
        let answer = same(&request, &["equiv", first, second]);
        if answer["outcome"] == "different" {
            let drawn = laban(&["equiv", first, second, "--format", "mermaid"]);
            assert_eq!(answer["drawings"][1]["text"], drawn.out);
        }
    }
    let both = |options: &Value| {
        let mut request = json!({
            "do": "equiv", "files": [file("examples/crossing-greetings.net")],
            "with": [file("examples/unprojectable.chor")],
        });
        request.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        request
    };
    let names = ["equiv", "examples/crossing-greetings.net", "examples/unprojectable.chor"];
    same(
        &both(&json!({ "conditions": "any", "messages": true, "sameServices": true, "maxStates": 1000000 })),
        &[names[0], names[1], names[2], "--conditions", "any", "--messages", "--services"],
    );
}

#[test]
fn texts_are_rewritten_as_by_the_command() {
    let mut protocols = files("examples", &[".chor"]);
    protocols.extend(files("examples/formats", FOREIGN));
    for path in &protocols {
        same(&about("project", path, &json!({})), &["project", path]);
        same(
            &about("project", path, &json!({ "amend": true, "compact": true })),
            &["project", path, "--amend", "--compact"],
        );
        same(&about("amend", path, &json!({})), &["amend", path]);
    }
    for path in files("examples", &[".net", ".chor"]).iter().chain(&files("examples/formats", FOREIGN)) {
        same(&about("fmt", path, &json!({})), &["fmt", "--stdout", path]);
    }
    let version = ask(&json!({ "do": "version" }));
    let languages: Vec<&str> =
        version["writes"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(languages.len() >= 13, "{languages:?}");
    for path in protocols.iter().step_by(2).chain(networks().iter().step_by(9)) {
        for to in &languages {
            same(&about("convert", path, &json!({ "to": to })), &["convert", path, "--to", to]);
        }
    }
}

#[test]
fn a_run_is_that_of_the_command_and_can_be_repeated_and_taken_back() {
    for path in networks().iter().filter(|path| !path.contains("ill-formed")) {
        let seed = "5";
        let run = laban(&["run", path, "--seed", seed, "--max-steps", "30", "--format", "json"]);
        let record: Value = serde_json::from_str(&run.out).expect("a record");
        let steps = |value: &Value, name: &str| -> Vec<String> {
            let all = value["steps"].as_array().unwrap().iter();
            all.map(|step| step[name].as_str().unwrap().to_string()).collect()
        };
        let more =
            json!({ "random": 30, "seed": 5, "drawings": [{ "of": "sequence", "format": "svg", "steps": true }] });
        let answer = ask(&about("run", path, &more));
        let expected = steps(&record, "step");
        assert_eq!(steps(&answer, "text"), expected, "{path}");
        let svg = answer["drawings"][0]["text"].as_str().unwrap();
        for number in 0..expected.len() {
            let (begun, taken) = (format!("data-step=\"{number}\""), format!("data-taken=\"{number}\""));
            assert!(svg.contains(&begun) || svg.contains(&taken), "{path}: step {number} is not in the picture");
        }
        let next: Vec<&Value> = record["states"].as_array().unwrap().iter().map(|state| &state["process"]).collect();
        let shown: Vec<&Value> = answer["processes"].as_array().unwrap().iter().map(|one| &one["process"]).collect();
        assert_eq!(next, shown);

        // The same choices are the same run, and every step of it can be looked at.
        let choices = answer["choices"].clone();
        let again = ask(&about("run", path, &json!({ "choices": choices })));
        for name in ["steps", "processes", "queues", "possible", "status", "standing", "failures", "said"] {
            assert_eq!(again[name], answer[name], "{path}: {name}");
        }
        for at in 0..choices.as_array().unwrap().len() {
            let there = ask(&about("run", path, &json!({ "choices": choices, "at": at })));
            let choice = choices[at].as_u64().unwrap() as usize;
            assert_eq!(there["at"], at);
            assert_eq!(there["possible"][choice]["text"], expected[at], "{path}");
            assert_eq!(there["steps"], answer["steps"]);
            let before: Vec<&Value> = choices.as_array().unwrap()[..at].iter().collect();
            let fresh = ask(&about("run", path, &json!({ "choices": before })));
            assert_eq!(fresh["processes"], there["processes"]);
            assert_eq!(fresh["queues"], there["queues"]);
        }
    }
}

#[test]
fn a_run_shows_the_deadlock_the_queues_and_what_is_possible() {
    let path = "examples/deadlock-circle.net";
    let answer = ask(&about("run", path, &json!({})));
    assert_eq!((&answer["status"], &answer["stuck"]), (&json!("deadlock"), &json!(true)));
    assert_eq!(answer["possible"], json!([]));
    assert!(answer["processes"].as_array().unwrap().iter().any(|one| one["stuck"] == true));
    assert_eq!(answer["failures"][0]["kind"], "deadlock");

    let path = "examples/crossing-greetings.net";
    let answer = ask(&about("run", path, &json!({ "choices": [0] })));
    assert_eq!(answer["steps"][0]["kind"], "put");
    assert_eq!(answer["queues"].as_array().map(Vec::len), Some(1), "{}", answer["queues"]);
    // What was not possible is not taken, and nothing after it.
    let answer = ask(&about("run", path, &json!({ "choices": [0, 99, 0] })));
    assert_eq!(answer["choices"], json!([0]));
}

#[test]
fn places_are_where_javascript_finds_them() {
    let text = "// 🦀 é\nkäufer { main { seler!<x>; stop } } | seller { main { käufer?; stop } }";
    let answer = ask(&json!({ "do": "analyse", "files": [{ "name": "🦀.net", "text": text }] }));
    let units: Vec<u16> = text.encode_utf16().collect();
    let slice = |place: &Value| {
        let at = |name: &str| place[name].as_u64().unwrap() as usize;
        String::from_utf16(&units[at("from")..at("to")]).unwrap()
    };
    let diagnostic = &answer["diagnostics"][0];
    assert_eq!(diagnostic["code"], "unknown-process");
    assert_eq!(slice(&diagnostic["primary"]["place"]), "seler");
    assert_eq!(
        (&diagnostic["primary"]["place"]["line"], &diagnostic["primary"]["place"]["column"]),
        (&json!(2), &json!(17))
    );
    let edit = &diagnostic["fixes"][0]["edits"][0];
    assert_eq!(
        (slice(edit).as_str(), edit["text"].as_str(), edit["file"].as_u64()),
        ("seler", Some("seller"), Some(0))
    );
    assert_eq!(answer["usable"], false);
}

#[test]
fn modules_that_are_sent_along_are_found() {
    let main = "module Main;\nimport lib.Other;\nglobal protocol P(role A, role B) { do lib.Other.Q(A, B); }";
    let other = "module lib.Other;\nglobal protocol Q(role A, role B) { hello() from A to B; }";
    let files = json!([{ "name": "Main.scr", "text": main }]);
    let beside = json!([{ "name": "lib/Other.scr", "text": other }]);
    let alone = ask(&json!({ "do": "project", "files": files }));
    let answer = ask(&json!({ "do": "project", "files": files, "beside": beside }));
    assert_eq!(alone["exit"], 2);
    assert_eq!(alone["diagnostics"][0]["code"], "unknown-procedure");
    assert_eq!(answer["exit"], 0, "{}", answer["said"]);
}

#[test]
fn examples_come_with_their_stories() {
    let answer = ask(&json!({ "do": "examples" }));
    let examples = answer["examples"].as_array().unwrap();
    assert_eq!(examples.len(), files("examples", &[".net", ".chor"]).len());
    for example in examples {
        let name = example["file"].as_str().unwrap();
        assert_eq!(example["text"], fs::read_to_string(root().join("examples").join(name)).unwrap());
        assert!(example["story"].as_str().unwrap().len() > 40, "{name} has no story");
        assert!((3..100).contains(&example["title"].as_str().unwrap().len()), "{name}: {}", example["title"]);
    }
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let file = r#"{"name": "a", "text": "p { main { stop } }"}"#;
    for request in [
        String::new(),
        "null".to_string(),
        "[".repeat(100_000),
        r#"{"do": "guess"}"#.to_string(),
        r#"{"do": "extract"}"#.to_string(),
        format!(r#"{{"do": "extract", "files": [{file}], "unknown": 1}}"#),
        format!(r#"{{"do": "extract", "files": [{file}], "strategy": "Best"}}"#),
        format!(r#"{{"do": "extract", "files": [{file}], "channels": "pipes"}}"#),
        format!(r#"{{"do": "extract", "files": [{file}], "maxStates": -1}}"#),
        format!(r#"{{"do": "extract", "files": [{file}], "from": "latin"}}"#),
        format!(r#"{{"do": "convert", "files": [{file}]}}"#),
        format!(r#"{{"do": "convert", "files": [{file}], "to": "latin"}}"#),
        format!(r#"{{"do": "verify", "files": [{file}]}}"#),
        r#"{"do": "extract", "files": [{"name": "a", "text": "\ud800"}]}"#.to_string(),
    ] {
        let answer: Value = serde_json::from_str(&laban_wasm::answer(&request)).expect("an answer is JSON");
        let start: String = request.chars().take(80).collect();
        assert!(answer["error"].as_str().is_some_and(|error| !error.is_empty()), "{start}: {answer}");
        assert_eq!(answer.as_object().map(serde_json::Map::len), Some(1));
    }
    let twice = json!({ "do": "extract", "files": [{ "name": "a", "text": "" }, { "name": "a", "text": "" }] });
    assert!(ask(&twice)["said"].as_str().unwrap().contains("a is given twice"));
}
