//! How much work edits cost: counted, not timed.

use crate::client::{Client, at_json, codes, position};
use laban::generate::{Parameters, network};
use serde_json::{Value, json};

const URI: &str = "untitled:a.net";

/// A network whose search would take forever: each of many processes decides, and everybody remembers.
pub(crate) fn endless() -> String {
    const MANY: usize = 40;
    let mut text = String::from("hub {\n");
    // What comes is not known before: whoever decided one way selects x, the others y.
    for number in 0..MANY {
        text.push_str(&format!("  def A{number} {{ p{number}&{{ x: A{0}, y: A{0} }} }}\n", number + 1));
    }
    text.push_str(&format!("  def A{MANY} {{ stop }}\n  main {{ "));
    (0..MANY).for_each(|number| text.push_str(&format!("p{number}?; ")));
    text.push_str("A0 }\n}\n");
    for number in 0..MANY {
        text.push_str(&format!(
            "| p{number} {{ main {{ if e then hub!<a>; hub+x; stop else hub!<b>; hub+y; stop }} }}\n"
        ));
    }
    text
}

/// A network of at least so many lines.
pub(crate) fn of_lines(lines: usize) -> String {
    let mut size = lines as u32 / 2;
    loop {
        let generated = network(&Parameters::new(size, 6, size / 10, 4), 7).expect("it can be made");
        let text = laban::Pretty { tree: &generated.network_tree, source: "" }.to_string();
        if text.lines().count() >= lines {
            return text;
        }
        size *= 2;
    }
}

fn statistics(client: &mut Client) -> [u64; 3] {
    let found = client.request_json("laban/statistics", Value::Null).expect("it answers");
    ["parses", "searches", "cancelled"].map(|name| found[name].as_u64().expect("it is a number"))
}

#[test]
fn an_edit_costs_one_parse_and_one_search() {
    let mut client = Client::new();
    let text = of_lines(1000);
    client.check(URI, &text);
    assert_eq!(statistics(&mut client), [1, 1, 0]);
    // A comment at the start, so that all the rest is somewhere else.
    let zero = json!({ "line": 0, "character": 0 });
    client.change(URI, 2, json!([{ "range": { "start": zero, "end": zero }, "text": "/* */\n" }]));
    let document = json!({ "textDocument": { "uri": URI } });
    for method in [
        "textDocument/semanticTokens/full",
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/codeLens",
    ] {
        client.request_json(method, document.clone()).expect("it answers");
    }
    let place = position(&text, "main", 1);
    client.request_json("textDocument/hover", at_json(URI, place)).expect("it answers");
    client.request_json("textDocument/definition", at_json(URI, place)).expect("it answers");
    client.diagnostics(URI, 2);
    assert_eq!(statistics(&mut client), [2, 2, 0]);
    client.leave();
}

#[test]
fn many_edits_in_a_row_cost_one_parse_and_one_search_each_at_most() {
    let mut client = Client::new();
    let text = of_lines(200);
    client.check(URI, &text);
    let zero = json!({ "line": 0, "character": 0 });
    for version in 2..1002 {
        client.change(URI, version, json!([{ "range": { "start": zero, "end": zero }, "text": " " }]));
    }
    assert!(codes(&client.diagnostics(URI, 1001)).is_empty());
    let [parses, searches, cancelled] = statistics(&mut client);
    assert!(parses <= 1001 && searches <= parses && cancelled < searches, "{parses} {searches} {cancelled}");
    client.leave();
}

#[test]
fn a_search_that_is_superseded_is_cancelled() {
    let mut client = Client::with(json!({}), json!({ "timeout": 0, "maxStates": 1_000_000_000 }));
    client.open(URI, &endless());
    // It is being searched, and everything else is answered.
    let hover = client.request_json("textDocument/hover", at_json(URI, gen_lsp_types::Position::default()));
    assert!(hover.expect("it answers")["contents"].is_object());
    client.replace(URI, 2, "p { main { q?; stop } } | q { main { p?; stop } }");
    assert_eq!(codes(&client.diagnostics(URI, 2)), ["never-sent", "never-sent", "deadlock"]);
    client.leave();
}

#[test]
fn a_long_file_is_answered_after_each_edit() {
    let mut client = Client::new();
    let sends = "q!<x>; ".repeat(50_000);
    let text = format!("p {{ main {{ {sends} stop }} }}\n| q {{ main {{ {} stop }} }}\n", "p?; ".repeat(50_000));
    assert!(client.check(URI, &text).is_empty());
    let place = json!({ "line": 0, "character": 11 });
    client.change(URI, 2, json!([{ "range": { "start": place, "end": place }, "text": "q!<y>; " }]));
    let shown = client.diagnostics(URI, 2);
    assert_eq!(codes(&shown), ["deadlock"], "{shown:?}");
    let [parses, searches, _] = statistics(&mut client);
    assert_eq!((parses, searches), (2, 2));
    client.leave();
}
