//! Nothing that a client sends ends the server, except `exit`.

use crate::client::{Client, METHODS, at_json};
use gen_lsp_types::Position;
use lsp_server::ErrorCode;
use serde_json::{Value, json};

const URI: &str = "untitled:a.net";

#[test]
fn what_is_said_too_early_or_too_late_is_refused() {
    let mut client = Client::silent();
    let early = client.request_json("textDocument/hover", Value::Null).expect_err("nobody has said hello");
    assert_eq!(early.code, ErrorCode::ServerNotInitialized as i32);
    client.open(URI, "p {");
    client.request_json("initialize", json!({ "capabilities": {} })).expect("it says hello");
    assert!(client.request_json("initialize", json!({})).is_err());
    client.request_json("shutdown", Value::Null).expect("it can be said");
    let late = client.request_json("textDocument/hover", Value::Null).expect_err("it is over");
    assert_eq!(late.code, ErrorCode::InvalidRequest as i32);
    client.notify_json("exit", Value::Null);
    assert!(client.ended());
}

#[test]
fn who_leaves_without_a_word_has_not_said_goodbye() {
    let mut client = Client::new();
    client.notify_json("exit", Value::Null);
    assert!(!client.ended());
    assert!(!Client::new().hang_up());
    assert!(!Client::silent().hang_up());
}

#[test]
fn requests_without_sense_are_answered() {
    let mut client = Client::new();
    client.check(URI, "p { main { stop } }");
    for method in METHODS {
        for params in [
            Value::Null,
            json!([]),
            json!({}),
            json!({ "textDocument": 3 }),
            json!("x"),
            json!({ "uri": 1, "kind": 2 }),
        ] {
            let _ = client.request_json(method, params);
        }
        // Documents that are not there, positions that are nowhere.
        for uri in ["untitled:gone.net", "file:///gone/gone.net", "", URI] {
            let far = Position { line: u32::MAX, character: u32::MAX };
            let mut params = at_json(uri, far);
            let range = json!({ "start": far, "end": { "line": 0, "character": 0 } });
            for (key, value) in [
                ("range", range),
                ("newName", json!("x")),
                ("context", json!({ "includeDeclaration": true, "diagnostics": [] })),
                ("options", json!({ "tabSize": 0, "insertSpaces": false })),
                ("query", json!("")),
                ("command", json!("laban.showDiagram")),
                ("arguments", json!([uri, far])),
                ("uri", json!(uri)),
                ("kind", json!("nonsense")),
            ] {
                params[key] = value;
            }
            let _ = client.request_json(method, params);
        }
    }
    let unknown = client.request_json("textDocument/nonsense", Value::Null).expect_err("it is unknown");
    assert_eq!(unknown.code, ErrorCode::MethodNotFound as i32);
    client.leave();
}

#[test]
fn notifications_without_sense_change_nothing() {
    let mut client = Client::new();
    client.check(URI, "p { main { stop } }");
    for method in [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "textDocument/didSave",
        "workspace/didChangeWatchedFiles",
        "$/cancelRequest",
        "$/setTrace",
        "nonsense",
    ] {
        for params in [
            Value::Null,
            json!([1]),
            json!({ "textDocument": { "uri": "untitled:gone.net" } }),
            json!({ "id": [] }),
            json!({ "changes": [3, { "uri": "x" }] }),
        ] {
            client.notify_json(method, params);
        }
    }
    client.change("untitled:gone.net", 3, json!([{ "text": "x" }]));
    client.close("untitled:gone.net");
    let statistics = client.request_json("laban/statistics", Value::Null).expect("it answers");
    assert_eq!(statistics["documents"], 1);
    client.leave();
}

#[test]
fn bytes_without_sense_are_skipped() {
    let mut client = Client::new();
    client.send_bytes(b"\0\xff\r\n\r\nnonsense: 3\r\n");
    client.send_bytes(b"Content-Length: 5\r\n\r\n{]{]{");
    client.send_bytes(b"Content-Length: 2\r\nContent-Type: x; charset=latin-1\r\n\r\n\xff\xff");
    let nested = "[".repeat(100_000);
    client.send_bytes(format!("Content-Length: {}\r\n\r\n{nested}", nested.len()).as_bytes());
    let statistics = client.request_json("laban/statistics", Value::Null).expect("it answers");
    assert_eq!(statistics["documents"], 0);
    client.leave();
}

#[test]
fn a_request_that_waits_can_be_cancelled() {
    let mut client = Client::with(json!({}), json!({ "timeout": 0, "maxStates": 1_000_000_000 }));
    client.open(URI, &crate::work::endless());
    let id = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": URI } }));
    client.notify_json("$/cancelRequest", json!({ "id": id }));
    let error = client.answer(&id).expect_err("it is cancelled");
    assert_eq!(error.code, ErrorCode::RequestCanceled as i32);
    // One that is not cancelled is refused when the server ends.
    let id = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": URI } }));
    client.request_json("shutdown", Value::Null).expect("it can be said");
    assert_eq!(client.answer(&id).expect_err("it is over").code, ErrorCode::RequestCanceled as i32);
    client.notify_json("exit", Value::Null);
    assert!(client.ended());
}
