//! Completion, formatting, inlay hints and code lenses.

use crate::client::{Client, at_json, example, position_of};
use crate::edits::applied;
use gen_lsp_types::{
    CodeLensRequest, CompletionItem, CompletionRequest, CompletionResponse, DocumentFormattingRequest,
    InlayHintRequest, Label,
};
use serde_json::{Value, json};

const URI: &str = "untitled:a.net";

/// What is suggested at the mark `^` of a text.
fn suggested(client: &mut Client, uri: &str, marked: &str) -> Vec<CompletionItem> {
    let offset = marked.find('^').expect("there is a mark");
    let text = marked.replace('^', "");
    client.check(uri, &text);
    let found = client.request_of::<CompletionRequest>(at_json(uri, position_of(&text, offset)));
    client.close(uri);
    match found {
        Some(CompletionResponse::CompletionItemList(items)) => items,
        other => panic!("{other:?}"),
    }
}

fn labels(items: &[CompletionItem]) -> Vec<&str> {
    items.iter().map(|item| item.label.as_str()).collect()
}

fn snippets() -> Value {
    json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } })
}

#[test]
fn the_labels_that_the_partner_really_offers_are_suggested() {
    let mut client = Client::new();
    let rest = "| seller { main { buyer&{ buy: stop, leave: stop } } } | bank { main { buyer&{ other: stop } } }";
    for before in ["buyer { main { seller+^ } }", "buyer { main { seller+bu^; stop } }", "buyer { def X { seller+^"] {
        assert_eq!(labels(&suggested(&mut client, URI, &format!("{before}\n{rest}"))), ["buy", "leave"], "{before}");
    }
    // And those that it selects.
    let rest = "| buyer { main { if e then seller+buy; stop else seller+leave; stop } }";
    for before in
        ["seller { main { buyer&{^} } }", "seller { main { buyer&^ } }", "seller { main { buyer&{ buy: stop, ^ } } }"]
    {
        assert_eq!(labels(&suggested(&mut client, URI, &format!("{before}\n{rest}"))), ["buy", "leave"], "{before}");
    }
    let chor = "main { p -> q[a]; if p.e then p -> q[^]; stop else q -> p[b]; stop }";
    assert_eq!(labels(&suggested(&mut client, "untitled:a.chor", chor)), ["a"]);
    client.leave();
}

#[test]
fn partners_procedures_and_words_are_suggested() {
    let mut client = Client::new();
    let text = "buyer { def Decide { stop } main { ^ } } | seller { main { stop } } | bank { main { stop } }";
    let items = suggested(&mut client, URI, text);
    let found = labels(&items);
    for word in ["seller", "bank", "Decide", "stop", "if", "choose", "any", "idle"] {
        assert!(found.contains(&word), "{word}: {found:?}");
    }
    assert!(!found.contains(&"buyer"), "nobody talks to itself: {found:?}");
    assert!(items.iter().all(|item| item.insert_text.is_none()), "no gaps were asked for");
    let items = suggested(&mut client, URI, "buyer { main { shop!<x>; stop } }\n| ^");
    assert_eq!(labels(&items)[0], "shop", "the one that is missing comes first");
    assert_eq!(labels(&suggested(&mut client, URI, "buyer { ^ }")), ["def", "main"]);
    let items = suggested(&mut client, "untitled:a.chor", "main { p.x -> ^; stop } || main { q.y -> r; stop }");
    assert!(labels(&items).contains(&"r"), "{items:?}");
    assert!(suggested(&mut client, URI, "p { main { stop } } // ^").is_empty(), "not in a comment");
    client.leave();
}

#[test]
fn snippets_have_gaps_if_the_client_can_fill_them() {
    let mut client = Client::with(snippets(), json!({ "timeout": 0 }));
    let items = suggested(&mut client, URI, "buyer { main { ^ } } | seller { main { stop } }");
    let send = items.iter().find(|item| item.label == "seller!<>").expect("it is there");
    assert_eq!(send.insert_text.as_deref(), Some("seller!<${1:value}>; $0"));
    client.leave();
}

#[test]
fn formatting_is_that_of_the_command() {
    let mut client = Client::new();
    for name in ["two-buyer.net", "two-buyer.chor", "ill-formed.net"] {
        let uri = format!("untitled:{name}");
        // As somebody would write it who does not care.
        let text = format!("\n\n{}", example(name).replace("; ", ";   "));
        client.check(&uri, &text);
        let params = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } });
        let edits = client.request_of::<DocumentFormattingRequest>(params.clone()).expect("it can be laid out");
        let new = applied(&text, &edits);
        let analysis = laban::analyse(text.as_str());
        let expected = match analysis.tree() {
            laban::SyntaxTree::Network(tree) => laban::Pretty { tree, source: &text }.to_string(),
            laban::SyntaxTree::Choreography(tree) => laban::Pretty { tree, source: &text }.to_string(),
        };
        assert_eq!(new, expected, "{name}");
        client.replace(&uri, 2, &new);
        assert_eq!(client.request_of::<DocumentFormattingRequest>(params), Some(Vec::new()), "{name}");
    }
    client.check(URI, "p { main { stop }");
    let params = json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 4, "insertSpaces": true } });
    assert_eq!(client.request_of::<DocumentFormattingRequest>(params), None, "not with syntax errors");
    client.leave();
}

#[test]
fn what_arrives_is_shown_beside_a_receive() {
    let mut client = Client::new();
    let text =
        "p { main { if e then q!<yes>; q!<end>; stop else q!<no>; q!<end>; stop } }\n| q { main { p?; p?; stop } }\n";
    client.open(URI, text);
    // It waits for the search.
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    let hints = client.request_of::<InlayHintRequest>(params).expect("there are some");
    let labels: Vec<&str> = hints
        .iter()
        .map(|hint| match &hint.label {
            Label::String(text) => text.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(labels, ["yes | no", "end"]);
    assert_eq!(hints[0].position, position_of(text, text.find("p?").expect("it is there") + 2));
    client.leave();
}

#[test]
fn the_verdict_is_above_the_text() {
    let mut client = Client::new();
    for (uri, text, expected) in [
        (
            URI,
            "p { main { q!<x>; stop } } | q { main { p?; stop } }",
            &["extractable: 2 nodes — show choreography", "diagram"][..],
        ),
        (URI, "p { main { q?; stop } } | q { main { p?; stop } }", &["deadlock — show the run"]),
        ("untitled:a.chor", "main { p.x -> q; stop }", &["well-formed: 2 nodes — show diagram"]),
        (URI, "p { main {", &[]),
    ] {
        client.open(uri, text);
        let lenses =
            client.request_of::<CodeLensRequest>(json!({ "textDocument": { "uri": uri } })).expect("there are");
        let titles: Vec<String> = lenses.iter().filter_map(|lens| lens.command.clone()).map(|one| one.title).collect();
        assert_eq!(titles, expected, "{text}");
        for command in lenses.iter().filter_map(|lens| lens.command.clone()) {
            let params = json!({ "command": command.command, "arguments": command.arguments });
            let shown = client.request_json("workspace/executeCommand", params).expect("it can be shown");
            assert!(shown["text"].is_string(), "{shown}");
        }
        client.close(uri);
    }
    client.leave();
}
