//! A rename leaves a system that does the same.

use crate::cases;
use crate::client::{Client, at_json, folder, position, repository, uri_of};
use crate::edits::{applied, by_document};
use gen_lsp_types::{PrepareRenameRequest, PrepareRenameResult, RenameRequest, WorkspaceEdit};
use laban::Model;
use laban::generate::{Parameters, network};
use serde_json::{Map, Value, json};
use std::fs;

const URI: &str = "untitled:a.net";

fn rename(
    client: &mut Client,
    uri: &str,
    position: gen_lsp_types::Position,
    new: &str,
) -> Result<WorkspaceEdit, String> {
    let mut params = at_json(uri, position);
    params["newName"] = json!(new);
    let params = serde_json::from_value(params).expect("it is as the types say");
    match client.try_request::<RenameRequest>(params) {
        Ok(edit) => Ok(edit.expect("there is an edit")),
        Err(error) => Err(error.message),
    }
}

/// All words of a text that may be names.
fn names_of(text: &str) -> Vec<String> {
    let words = laban::syntax::lex(text).tokens;
    let mut names: Vec<String> = words
        .iter()
        .filter(|token| token.kind == laban::syntax::TokenKind::Identifier)
        .map(|token| token.span.text(text).to_string())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[test]
fn a_process_is_renamed_over_three_files() {
    let here = folder("rename");
    let texts = [
        ("buyer.net", "buyer { main { seller!<seller>; seller?; stop } } // seller\n"),
        ("seller.net", "seller { main { buyer?; bank?; buyer!<price>; stop } }\n"),
        ("bank.net", "channels bank -> seller rendezvous;\nbank { main { seller!<rate>; stop } }\n"),
    ];
    for (name, text) in texts {
        fs::write(here.join(name), text).expect("it can be written");
    }
    let capabilities = json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } });
    let mut client = Client::with(capabilities, json!({ "timeout": 0 }));
    let uri = uri_of(&here.join("buyer.net"));
    assert!(client.check(&uri, texts[0].1).is_empty());
    let place = position(texts[0].1, "seller!", 2);
    let prepared =
        client.request::<PrepareRenameRequest>(serde_json::from_value(at_json(&uri, place)).expect("it fits"));
    let Some(PrepareRenameResult::PrepareRenamePlaceholder(prepared)) = prepared else { panic!("{prepared:?}") };
    assert_eq!(prepared.placeholder, "seller");
    let edit = rename(&mut client, &uri, place, "shop").expect("it can be renamed");
    let edits = by_document(edit);
    assert_eq!(edits.len(), 3, "{edits:?}");
    let mut joined = Vec::new();
    for (name, text) in texts {
        joined.push(applied(text, &edits[&uri_of(&here.join(name))]));
    }
    // What is sent, and what is said beside, are not names of processes.
    assert_eq!(joined[0], "buyer { main { shop!<seller>; shop?; stop } } // seller\n");
    let together = joined.join("\n|\n");
    assert!(laban::analyse(together.as_str()).into_network().is_ok(), "{together}");
    client.leave();
}

#[test]
fn a_name_that_is_taken_or_is_not_a_name_is_refused() {
    let text = "p { def X { q+a; stop } def Y { q+b; stop } main { if e then X else Y } }\n| q { main { p&{ a: stop, b: stop } } }\n";
    let mut client = Client::new();
    client.check(URI, text);
    for (part, new, why) in [
        ("q+a", "p", "there is a process `p` already"),
        ("X {", "Y", "there is a procedure `Y` already"),
        ("a;", "b", "there is a label `b` already"),
        ("q+a", "main", "`main` is a reserved word"),
        ("q+a", "idle", "`idle` is a word of the language"),
        ("q+a", "two words", "`two words` is not a name: use letters, digits, `_` and `'`"),
        ("q+a", "", "`` is not a name: use letters, digits, `_` and `'`"),
        ("e then", "f", "there is no name here"),
    ] {
        let error = rename(&mut client, URI, position(text, part, 0), new).expect_err("it is refused");
        assert_eq!(error, why, "{part} -> {new}");
    }
    client.replace(URI, 2, "p { main { q?; stop }");
    let error = rename(&mut client, URI, position("p { main { q?", "q?", 0), "r").expect_err("it is refused");
    assert!(error.starts_with("there are syntax errors"), "{error}");
    client.leave();
}

/// Renames every name of a text, and compares what it means then with the renamed model of what it meant.
fn check_renames(client: &mut Client, uri: &str, text: &str) -> usize {
    const NEW: &str = "new_name'";
    client.open(uri, text);
    let before = laban::analyse(text);
    let mut renamed = 0;
    for name in names_of(text) {
        // Wherever the name is found first as a name.
        for offset in text.match_indices(name.as_str()).map(|(at, _)| at) {
            let place = crate::client::position_of(text, offset);
            let Ok(edit) = rename(client, uri, place, NEW) else { continue };
            let Some(edits) = by_document(edit).remove(uri) else { continue };
            // It may be a part of another name.
            let end = crate::client::position_of(text, offset + name.len());
            if !edits.iter().any(|edit| (edit.range.start, edit.range.end) == (place, end)) {
                continue;
            }
            let new = applied(text, &edits);
            let after = laban::analyse(new.as_str());
            let codes =
                |analysis: &laban::Analysis| analysis.diagnostics().iter().map(|one| one.code).collect::<Vec<_>>();
            assert_eq!(codes(&after), codes(&before), "{name} in {uri}:\n{new}");
            if let (Some(before), Some(after)) = (before.model(), after.model()) {
                let candidates = renamed_models(before, &name, NEW);
                let after_json = normal(&json_of(after));
                let same = candidates.iter().find(|candidate| normal(candidate) == after_json);
                let Some(same) = same else { panic!("{name} in {uri} is not renamed everywhere:\n{new}") };
                let same = model_of(same);
                let limits = laban::Limits::states(20_000);
                let options = laban::EquivalenceOptions { limits, ..laban::EquivalenceOptions::default() };
                let comparison = laban::equivalent(after, &same, &options);
                assert!(comparison.difference().is_none(), "{name} in {uri}:\n{new}");
            }
            renamed += 1;
            break;
        }
    }
    client.close(uri);
    renamed
}

fn json_of(model: &Model) -> Value {
    let text = match model {
        Model::Network(network) => laban_formats::write_json_network(network),
        Model::Choreography(choreography) => laban_formats::write_json_choreography(choreography),
    };
    serde_json::from_str(&text).expect("it is JSON")
}

fn model_of(json: &Value) -> Model {
    let text = json.to_string();
    let source = laban_formats::Source { name: "", text: &text, offset: 0 };
    laban_formats::read(laban_formats::Format::Json, &[source]).model.expect("it is well-formed")
}

/// The model with its branches in the order of their labels.
fn normal(json: &Value) -> Value {
    let mut json = json.clone();
    visit(&mut json, &mut |object| {
        if let Some(Value::Array(branches)) = object.get_mut("branches") {
            branches.sort_by_key(|branch| branch["label"].as_str().map(str::to_string));
        }
    });
    json
}

fn visit(json: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    match json {
        Value::Array(items) => items.iter_mut().for_each(|item| visit(item, change)),
        Value::Object(object) => {
            change(object);
            object.values_mut().for_each(|item| visit(item, change));
        }
        _ => {}
    }
}

/// What a rename may lead to: a procedure has no name in a model; a process is renamed everywhere; a label between two
/// processes.
fn renamed_models(model: &Model, name: &str, new: &str) -> Vec<Value> {
    let json = json_of(model);
    let mut candidates = vec![json.clone()];
    let mut process = json.clone();
    visit(&mut process, &mut |object| {
        for key in ["name", "from", "to", "process"] {
            if object.get(key).is_some_and(|value| value == name) {
                object.insert(key.to_string(), json!(new));
            }
        }
    });
    if let Some(Value::Array(names)) = process.get_mut("processes") {
        names.iter_mut().filter(|one| *one == name).for_each(|one| *one = json!(new));
    }
    candidates.push(process);
    let names: Vec<String> = json["processes"]
        .as_array()
        .expect("there are processes")
        .iter()
        .filter_map(|one| one.as_str().or(one["name"].as_str()).map(str::to_string))
        .collect();
    for from in &names {
        for to in &names {
            let mut label = json.clone();
            match model {
                Model::Network(_) => rename_label(&mut label, (from, to), name, new),
                Model::Choreography(_) => visit(&mut label, &mut |object| {
                    let is_between = object.get("from") == Some(&json!(from)) && object.get("to") == Some(&json!(to));
                    if is_between && object.get("label").is_some_and(|value| value == name) {
                        object.insert("label".to_string(), json!(new));
                    }
                }),
            }
            candidates.push(label);
        }
    }
    candidates
}

fn rename_label(json: &mut Value, (from, to): (&str, &str), name: &str, new: &str) {
    for process in json["processes"].as_array_mut().expect("there are processes") {
        let own = process["name"].as_str().expect("it has a name").to_string();
        for state in process["states"].as_array_mut().expect("it has states") {
            if own == from && state["to"] == to && state["label"] == name {
                state["label"] = json!(new);
            }
            if own == to && state["from"] == from {
                let branches = state.get_mut("branches").and_then(Value::as_array_mut);
                for branch in branches.into_iter().flatten() {
                    if branch["label"] == name {
                        branch["label"] = json!(new);
                    }
                }
            }
        }
    }
}

#[test]
fn a_rename_in_an_example_leaves_an_equivalent_system() {
    let mut client = Client::new();
    let mut renamed = 0;
    for entry in fs::read_dir(repository().join("examples")).expect("there are examples") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_some_and(|ending| ending == "net" || ending == "chor") {
            let uri = format!("untitled:{}", path.file_name().expect("it has a name").to_string_lossy());
            renamed += check_renames(&mut client, &uri, &fs::read_to_string(&path).expect("it is text"));
        }
    }
    assert!(renamed > 300, "{renamed}");
    client.leave();
}

#[test]
fn a_rename_in_a_random_network_leaves_an_equivalent_system() {
    let mut client = Client::new();
    let mut renamed = 0;
    for seed in 0..cases(20) {
        let parameters = Parameters::new(12, 4, 3, 1).with_races(seed as u32 % 2);
        let Ok(generated) = network(&parameters, seed) else { continue };
        let text = laban::Pretty { tree: &generated.network_tree, source: "" }.to_string();
        renamed += check_renames(&mut client, &format!("untitled:{seed}.net"), &text);
        let text = laban::Pretty { tree: &generated.amended, source: "" }.to_string();
        renamed += check_renames(&mut client, &format!("untitled:{seed}.chor"), &text);
    }
    assert!(renamed > 100, "{renamed}");
    client.leave();
}
