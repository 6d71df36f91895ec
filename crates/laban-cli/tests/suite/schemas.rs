//! What is printed as JSON is as `docs/schema` says, for all examples and goldens.
//!
//! The schemas use little of what JSON Schema has, and that is checked here. `SCHEMAS=/tmp/documents cargo test -p
//! laban-cli --test suite schemas` writes what is printed into files, for `scripts/check-schemas /tmp/documents` to
//! check with a program of others.

use crate::common::{file, laban, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// All schemas, by the name of their file.
fn schemas() -> BTreeMap<String, Value> {
    let there = fs::read_dir(root().join("docs/schema")).expect("the schemas are there");
    let read = |path: &Path| serde_json::from_str(&fs::read_to_string(path).expect("text")).expect("a schema is JSON");
    there
        .map(|entry| {
            let path = entry.expect("an entry").path();
            (path.file_name().expect("a name").to_string_lossy().into_owned(), read(&path))
        })
        .collect()
}

/// Why a value is not as a schema says; nothing if it is.
fn mismatch(schemas: &BTreeMap<String, Value>, home: &str, schema: &Value, value: &Value) -> Option<String> {
    let rules = schema.as_object().expect("a schema is an object");
    for (rule, said) in rules {
        let wrong = |what: &str| Some(format!("{rule} {said}: {what}: {value}"));
        let found = match rule.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" | "required" => None,
            "$ref" => {
                let (name, pointer) = said.as_str().expect("a reference").split_once('#').expect("a part of a schema");
                let home = if name.is_empty() { home } else { name };
                let part = schemas[home].pointer(pointer).expect("the part is there");
                mismatch(schemas, home, part, value)
            }
            "const" => (said != value).then(|| wrong("is not that")).flatten(),
            "enum" => (!said.as_array().expect("a list").contains(value)).then(|| wrong("is none of these")).flatten(),
            "minimum" => value
                .as_u64()
                .is_none_or(|number| number < said.as_u64().unwrap_or(0))
                .then(|| wrong("too small"))
                .flatten(),
            "minItems" => value.as_array().is_some_and(Vec::is_empty).then(|| wrong("empty")).flatten(),
            "type" => {
                let is = |name: &str| match name {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_u64(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("type {other}"),
                };
                let fits = match said {
                    Value::String(name) => is(name),
                    several => several.as_array().expect("types").iter().any(|name| is(name.as_str().unwrap_or(""))),
                };
                (!fits).then(|| wrong("has another type")).flatten()
            }
            "items" => value.as_array()?.iter().find_map(|item| mismatch(schemas, home, said, item)),
            "oneOf" => {
                let tried = said.as_array().expect("a list").iter().map(|one| mismatch(schemas, home, one, value));
                let tried: Vec<Option<String>> = tried.collect();
                match tried.iter().filter(|one| one.is_none()).count() {
                    1 => None,
                    0 => Some(format!("none of several: {tried:?}")),
                    _ => Some(format!("more than one of several: {value}")),
                }
            }
            "properties" => {
                let missing = rules["required"].as_array().expect("a list").iter();
                let missing = missing.map(|key| key.as_str().expect("a key")).find(|key| value.get(key).is_none());
                let parts = value.as_object()?;
                let wrong_part = || {
                    parts.iter().find_map(|(key, part)| match said.get(key) {
                        Some(schema) => mismatch(schemas, home, schema, part),
                        None => Some(format!("{key} is not in the schema: {value}")),
                    })
                };
                missing.map(|key| format!("{key} is missing: {value}")).or_else(wrong_part)
            }
            "additionalProperties" => {
                (said != &Value::Bool(false)).then(|| wrong("others are never allowed")).flatten()
            }
            other => panic!("this test does not know the rule {other}"),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Runs a command and checks each line, or all that it prints as one document.
fn conforms(schemas: &BTreeMap<String, Value>, name: &str, arguments: &[&str], by_line: bool) -> usize {
    let run = laban(arguments);
    let texts: Vec<&str> = if by_line { run.out.lines().collect() } else { vec![&run.out] };
    let mut count = 0;
    for text in texts.into_iter().filter(|text| !text.is_empty()) {
        let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"));
        let home = format!("{name}.schema.json");
        if let Some(why) = mismatch(schemas, &home, &schemas[&home], &value) {
            panic!("{arguments:?} does not conform to {home}: {why}");
        }
        if let Some(folder) = std::env::var_os("SCHEMAS") {
            fs::create_dir_all(&folder).expect("a folder for documents");
            let called = arguments.join("-").replace(['/', ' '], "-");
            fs::write(Path::new(&folder).join(format!("{name}.{called}.{count}.json")), text).expect("it is written");
        }
        count += 1;
    }
    count
}

fn examples(folder: &str) -> Vec<String> {
    let there = fs::read_dir(root().join(folder)).expect("the folder is there");
    let mut names: Vec<String> =
        there.map(|entry| format!("{folder}/{}", entry.expect("an entry").file_name().to_string_lossy())).collect();
    names
        .retain(|name| Path::new(name).extension().is_some_and(|ending| ending != "md") && root().join(name).is_file());
    names.sort();
    names
}

#[test]
fn what_is_printed_about_examples_is_as_the_schemas_say() {
    let schemas = schemas();
    let mut counts = BTreeMap::new();
    for name in examples("examples").into_iter().chain(examples("examples/formats")) {
        let mut tried = |schema: &'static str, arguments: &[&str], by_line| {
            *counts.entry(schema).or_insert(0) += conforms(&schemas, schema, arguments, by_line);
        };
        tried("answer", &["extract", "--format", "json", &name], true);
        tried("diagnostic", &["check", "--format", "json", &name], true);
        tried(
            "comparison",
            &["equiv", "--format", "json", "--max-states", "2000", &name, "examples/two-buyer.chor"],
            true,
        );
        tried("run", &["run", "--format", "json", "--max-steps", "30", &name], true);
        tried("model", &["convert", "--to", "json", &name], false);
    }
    let floors = [("answer", 70), ("diagnostic", 30), ("comparison", 70), ("run", 60), ("model", 70)];
    for (schema, floor) in floors {
        assert!(counts[schema] >= floor, "{schema}: {counts:?}");
    }
}

#[test]
fn batches_and_mistakes_are_as_the_schemas_say() {
    let schemas = schemas();
    assert!(conforms(&schemas, "answer", &["batch", "--quiet", "examples"], true) >= 60);
    let missing = file("schemas", "missing.net", "p { main { q?; stop } }");
    conforms(&schemas, "answer", &["extract", "--format", "json", &missing, "nowhere.net"], true);
    conforms(&schemas, "answer", &["extract", "--format", "json", "nowhere.net"], true);
    conforms(&schemas, "comparison", &["equiv", "--format", "json", &missing, "nowhere.net"], true);
    let many = file("schemas", "many.net", "p { main { q? } }\n|\n".repeat(200));
    assert!(conforms(&schemas, "diagnostic", &["check", "--format", "json", &many], true) >= 100);
    let races = "channels queue 2;\np { main { choose { q+a<x>; stop, q+b; stop } } }\n| q { main { idle any { p&{a: stop, b: stop}, r?; stop } } }\n| service r { main { stop } }";
    let races = file("schemas", "races.net", races);
    assert_eq!(conforms(&schemas, "model", &["convert", "--to", "json", &races], false), 1);
    assert_eq!(conforms(&schemas, "run", &["run", "--format", "json", &races], true), 1);
}

#[test]
fn a_schema_refuses_what_it_does_not_describe() {
    let schemas = schemas();
    let home = "model.schema.json";
    for wrong in [
        r#"{"laban":2,"kind":"network","processes":[]}"#,
        r#"{"laban":1,"kind":"network"}"#,
        r#"{"laban":1,"kind":"network","processes":[],"more":1}"#,
        r#"{"laban":1,"kind":"choreography","processes":["p"],"starts":[0],"nodes":[{"action":"jump"}]}"#,
    ] {
        let value = serde_json::from_str(wrong).expect("it is JSON");
        assert!(mismatch(&schemas, home, &schemas[home], &value).is_some(), "{wrong}");
    }
}
