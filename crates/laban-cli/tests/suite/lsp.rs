//! The language server as a process: it speaks over standard input and output, and ends when it is told to.

use crate::common::{file, laban, laban_with_input};
use serde_json::{Value, json};

/// Messages as they are sent.
fn framed(messages: &[Value]) -> Vec<u8> {
    let one = |message: &Value| {
        let text = message.to_string();
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    };
    messages.iter().map(one).collect::<String>().into_bytes()
}

/// Messages as they come.
fn read(output: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut rest = output;
    while let Some((header, body)) = rest.split_once("\r\n\r\n") {
        let length: usize = header.trim_start_matches("Content-Length: ").parse().unwrap();
        found.push(serde_json::from_str(&body[..length]).unwrap());
        rest = &body[length..];
    }
    found
}

fn session() -> Vec<Value> {
    let text = "p { main { q?; stop } } | q { main { p?; stop } }";
    let document = json!({ "uri": "untitled:a.net", "languageId": "laban-net", "version": 1, "text": text });
    let params = json!({ "textDocument": { "uri": "untitled:a.net" } });
    vec![
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "textDocument/documentSymbol", "params": params }),
    ]
}

#[test]
fn a_session_ends_when_the_client_says_so() {
    let mut messages = session();
    messages.push(json!({ "jsonrpc": "2.0", "id": 3, "method": "shutdown" }));
    messages.push(json!({ "jsonrpc": "2.0", "method": "exit" }));
    for arguments in [&["lsp"][..], &["lsp", "--stdio"]] {
        let run = laban_with_input(arguments, &framed(&messages));
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        let answers = read(&run.out);
        let of = |id: i32| answers.iter().find(|answer| answer["id"] == id && answer.get("method").is_none());
        assert_eq!(of(1).unwrap()["result"]["serverInfo"]["name"], "laban");
        assert_eq!(of(2).unwrap()["result"][1]["name"], "q");
        assert_eq!(of(3).unwrap()["result"], Value::Null);
    }
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    assert_eq!(laban_with_input(&["lsp"], &framed(&session())).code, Some(1));
    assert_eq!(laban_with_input(&["lsp"], b"nonsense").code, Some(1));
}

#[test]
fn answers_do_not_go_to_a_file() {
    let path = file("lsp", "answers.txt", "what was there");
    let run = laban(&["lsp", "-o", &path]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("cannot go to a file"), "{}", run.err);
}
