//! What is shown while somebody types.

use crate::client::{Client, at_json, code, codes, example, folder, message, position, repository, text_in, uri_of};
use gen_lsp_types::DiagnosticSeverity;
use serde_json::json;
use std::fs;

const URI: &str = "untitled:a.net";

#[test]
fn mistakes_are_shown_where_they_are() {
    let mut client = Client::new();
    let text = "buyer { main { seler!<title>; stop } }\n| seller { main { buyer?; stop } }\n";
    let shown = client.check(URI, text);
    let [one] = &shown[..] else { panic!("{shown:?}") };
    assert_eq!((code(one).as_str(), text_in(text, one.range)), ("unknown-process", "seler"));
    assert_eq!(message(one), "there is no process `seler`\nhelp: did you mean `seller`?");
    assert_eq!(one.severity, Some(DiagnosticSeverity::Error));
    client.leave();
}

#[test]
fn a_deadlock_is_shown_with_its_run_and_the_other_places() {
    let mut client = Client::new();
    let text = example("wrong-label.net");
    let shown = client.check(URI, &text);
    let deadlock = shown.iter().find(|one| code(one) == "deadlock").unwrap_or_else(|| panic!("{shown:?}"));
    let related = deadlock.related_information.as_ref().expect("there is a run");
    assert!(related.iter().any(|one| one.message.starts_with("1. ")), "{related:?}");
    assert!(related.iter().any(|one| !one.message.starts_with(char::is_numeric)), "{related:?}");
    assert!(related.iter().all(|one| one.location.uri.0 == URI));
    client.leave();
}

#[test]
fn what_is_shown_follows_the_edits() {
    let mut client = Client::new();
    let good = "p { main { q!<x>; stop } }\n| q { main { p?; stop } }\n";
    assert!(client.check(URI, good).is_empty());
    // Byte by byte: a deadlock, a syntax error, a mistake, and good again.
    let place = position(good, "p?", 0);
    client.change(URI, 2, json!([{ "range": { "start": place, "end": place }, "text": "p?; " }]));
    assert_eq!(codes(&client.diagnostics(URI, 2)), ["deadlock"]);
    client.replace(URI, 3, "p { main { q!<x>; stop } }\n| q { main { p?; stop }\n");
    assert_eq!(codes(&client.diagnostics(URI, 3)), ["unclosed"]);
    client.replace(URI, 4, "p { main { q!<x>; stop } }\n| q { main { r?; stop } }\n");
    assert_eq!(codes(&client.diagnostics(URI, 4)), ["unknown-process"]);
    client.replace(URI, 5, good);
    assert!(client.diagnostics(URI, 5).is_empty());
    client.close(URI);
    assert!(client.published(URI, None).is_empty());
    client.leave();
}

#[test]
fn positions_are_in_the_units_that_were_agreed_on() {
    let text = "p { main { q!<\"🦀é\">; x?; stop } }\n| q { main { p?; stop } }\n";
    for (encodings, expected, column) in [
        (json!(["utf-16"]), "utf-16", 22),
        (json!(["utf-32", "utf-8", "utf-16"]), "utf-8", 25),
        (json!(null), "utf-16", 22),
    ] {
        let mut client =
            Client::with(json!({ "general": { "positionEncodings": encodings } }), json!({ "timeout": 0 }));
        assert_eq!(client.capabilities["positionEncoding"], expected);
        let shown = client.check(URI, text);
        assert_eq!(shown[0].range.start.character, column, "{expected}");
        client.leave();
    }
}

#[test]
fn all_examples_are_as_the_command_says() {
    let mut client = Client::new();
    let folder = repository().join("examples");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("there are examples") {
        let path = entry.expect("it can be read").path();
        let is_text = path.extension().is_some_and(|ending| ending == "net" || ending == "chor");
        if !is_text {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it is text");
        // Beside nothing else: as one file is given to the command.
        let uri = format!("untitled:{}", path.file_name().expect("it has a name").to_string_lossy());
        let shown = client.check(&uri, &text);
        let analysis = laban::analyse(text);
        let mut expected: Vec<String> =
            analysis.diagnostics().iter().map(|one| one.code.as_str().to_string()).collect();
        if let Some(network) = analysis.network() {
            let extraction = laban::extract(network, &laban::ExtractOptions::default()).expect("it is checked");
            expected
                .extend(extraction.explanations().iter().map(|one| one.diagnostic(network).code.as_str().to_string()));
            expected.extend(
                extraction.services_left(network, Default::default()).iter().map(|_| "service-left".to_string()),
            );
        }
        let mut found = codes(&shown);
        found.retain(|code| code != "unprojectable" && code != "queue-projection");
        assert_eq!(found, expected, "{uri}");
        client.close(&uri);
        count += 1;
    }
    assert!(count > 60, "{count}");
    client.leave();
}

#[test]
fn a_choreography_without_a_projection_is_a_piece_of_information() {
    let mut client = Client::new();
    let shown = client.check("untitled:a.chor", &example("unprojectable.chor"));
    assert!(!shown.is_empty());
    assert!(shown.iter().all(|one| one.severity == Some(DiagnosticSeverity::Information)), "{shown:?}");
    client.leave();
}

#[test]
fn blocks_of_markdown_are_shown_in_place() {
    let mut client = Client::new();
    let text = "# A 🦀 title\n\n```net\np { main { q?; stop } }\n| q { main { p?; stop } }\n```\n\n> ```chor\n> main { p.x -> p; stop }\n> ```\n\n```rust\nfn main() {}\n```\n";
    client.open_as("untitled:a.md", "markdown", 1, text);
    let shown = client.diagnostics("untitled:a.md", 1);
    let found: Vec<(String, &str)> = shown.iter().map(|one| (code(one), text_in(text, one.range))).collect();
    let codes: Vec<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
    assert!(codes.contains(&"deadlock") && codes.contains(&"self-communication"), "{found:?}");
    assert!(found.iter().any(|(code, text)| code == "deadlock" && *text == "q?"), "{found:?}");
    client.leave();
}

#[test]
fn diagrams_of_other_tools_are_checked() {
    let mut client = Client::new();
    let shown = client.check("untitled:login.mmd", &example("formats/login.mmd"));
    assert!(!shown.is_empty());
    assert!(shown.iter().all(|one| one.severity != Some(DiagnosticSeverity::Error)), "{shown:?}");
    let broken = client.check("untitled:b.mmd", "sequenceDiagram\n  alt yes\n  A->>B: hello\n");
    assert_eq!(broken[0].severity, Some(DiagnosticSeverity::Error), "{broken:?}");
    client.leave();
}

#[test]
fn a_network_may_be_spread_over_several_files() {
    let here = folder("spread");
    let texts = [
        ("buyer.net", "buyer { main { seller!<title>; seller?; stop } }\n"),
        ("seller.net", "seller { main { buyer?; bank?; buyer!<price>; stop } }\n"),
        ("bank.net", "bank { main { seller!<rate>; stop } }\n"),
        ("other.net", "x { main { y!<a>; stop } } | y { main { x?; stop } }\n"),
    ];
    for (name, text) in texts {
        fs::write(here.join(name), text).expect("it can be written");
    }
    let mut client = Client::new();
    let buyer = uri_of(&here.join("buyer.net"));
    let seller = uri_of(&here.join("seller.net"));
    assert!(client.check(&buyer, texts[0].1).is_empty(), "the others are read from the disk");
    // Another file of the network has a deadlock now.
    client.open(&seller, "seller { main { bank?; buyer!<price>; buyer?; stop } }\n");
    let shown = client.settled();
    let all: Vec<_> = shown.values().flatten().collect();
    assert_eq!(all.iter().map(|one| code(one)).collect::<Vec<_>>(), ["deadlock"], "{shown:?}");
    let related = all[0].related_information.as_ref().expect("there are other places");
    let places: Vec<&str> = related.iter().map(|one| one.location.uri.0.as_str()).chain([shown_in(&shown)]).collect();
    assert!(places.contains(&seller.as_str()) && places.contains(&buyer.as_str()), "{places:?}");
    // A bracket that is not closed is a mistake of its own file.
    client.replace(&seller, 2, "seller { main { buyer?; bank?; buyer!<price>; stop }\n");
    let shown = client.settled();
    assert_eq!((codes(&shown[&seller]), codes(&shown[&buyer])), (vec!["unclosed".to_string()], vec![]));
    client.replace(&seller, 3, texts[1].1);
    assert!(client.settled().values().all(Vec::is_empty));
    // A file that is not open changes on the disk, and what is wrong with it is shown there.
    let bank = here.join("bank.net");
    fs::write(&bank, "bank { main { seller!<rate>; seller?; stop } }\n").expect("it can be written");
    let change = json!({ "uri": uri_of(&bank), "type": 2 });
    client.notify_json("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
    assert_eq!(shown_in(&client.settled()), uri_of(&bank));
    // Alone, a part is a network in which somebody is missing.
    fs::remove_file(&bank).expect("it can be removed");
    client.close(&seller);
    fs::remove_file(here.join("seller.net")).expect("it can be removed");
    client.notify_json("textDocument/didSave", json!({ "textDocument": { "uri": buyer } }));
    let shown = client.settled();
    assert_eq!(codes(&shown[&buyer]), ["unknown-process"], "{shown:?}");
    client.leave();
}

/// The only document of which something is shown.
fn shown_in(shown: &std::collections::BTreeMap<String, Vec<gen_lsp_types::Diagnostic>>) -> &str {
    let mut found = shown.iter().filter(|(_, diagnostics)| !diagnostics.is_empty()).map(|(uri, _)| uri.as_str());
    let only = found.next().expect("something is shown");
    assert_eq!(found.next(), None);
    only
}

#[test]
fn a_search_has_limits() {
    let mut client = Client::with(json!({}), json!({ "maxStates": 2 }));
    let text = "p { main { q!<a>; q!<b>; q!<c>; stop } }\n| q { main { p?; p?; p?; stop } }\n";
    assert!(client.check(URI, text).is_empty());
    let lenses =
        client.request_json("textDocument/codeLens", json!({ "textDocument": { "uri": URI } })).expect("there are");
    assert_eq!(lenses[0]["command"]["title"], "undecided: gave up after 2 states");
    let hover =
        client.request_json("textDocument/hover", at_json(URI, position(text, "q!<a>", 1))).expect("there is one");
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("process `q`")), "{hover}");
    client.leave();
}
