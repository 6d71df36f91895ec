//! Random edits, requests and nonsense leave the server alive, and what it shows is what it would show after a fresh
//! start.

use crate::cases;
use crate::client::{Client, METHODS, folder, uri_of};
use gen_lsp_types::{Diagnostic, Position};
use laban::generate::SeededRng;
use lsp_server::RequestId;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How many edits there are before what is shown is compared.
const EDITS: usize = 250;

const TEXTS: [&str; 6] = [
    "buyer { main { seller!<title>; seller?; if ok then seller+buy; bank!<card>; stop else seller+leave; bank!<no>; stop } }\n",
    "seller { def Wait { buyer&{ buy: stop, leave: stop } } main { buyer?; buyer!<price>; Wait } }\n",
    "// 🦀 the bank\nservice bank { def X { buyer?; X } main { X } }\n",
    "p { def X { q!<x>; q&{ a: X, b: stop } } main { X } }\n| q { def Y { p?; if e then p+a; Y else p+b; stop } main { Y } }\n",
    "def X { if p.e then p -> q[l]; p.x -> q; X else p -> q[r]; stop } main { X }\n",
    "# Title\n\n```net\np { main { q!<\"é🦀\">; stop } } | q { main { p?; stop } }\n```\n\ntext\n\n```chor\nmain { p.x -> q; stop }\n```\n",
];

const PIECES: [&str; 30] = [
    "",
    "",
    "",
    " ",
    "\n",
    "\r\n",
    "stop",
    "; ",
    "{",
    "}",
    "|",
    "p",
    "q",
    "buyer",
    "seller+buy; ",
    "bank!<x>; ",
    "q?; ",
    "p&{a: stop, b: stop}",
    "if e then ",
    " else ",
    "// comment\n",
    "/*",
    "*/",
    "🦀",
    "é",
    "\"",
    "any { ",
    "idle ",
    "channels queue;",
    "```\n",
];

/// A document, as the client has it.
struct Document {
    uri: String,
    text: String,
    version: i32,
    is_open: bool,
}

/// The offset of a position, by the words of the protocol: columns count UTF-16, what is behind the end of a line is
/// its end, and what is in the middle of a character is its start.
fn offset(text: &str, position: Position) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split('\n').next().unwrap_or("").trim_end_matches('\r');
    let mut units = 0;
    for (at, character) in line.char_indices() {
        units += character.len_utf16() as u32;
        if units > position.character {
            return start + at;
        }
    }
    start + line.len()
}

fn some_position(rng: &mut SeededRng, text: &str) -> Position {
    let lines = text.matches('\n').count() as u32 + 2;
    let line = rng.below_u32(lines);
    let length = text.lines().nth(line as usize).map_or(0, |line| line.encode_utf16().count() as u32);
    match rng.below_u32(40) {
        0 => Position { line: u32::MAX, character: u32::MAX },
        1 => Position { line, character: u32::MAX },
        2 => Position { line: line + 1000, character: 3 },
        _ => Position { line, character: rng.below_u32(length + 3) },
    }
}

/// Edits a document, in one to three places.
fn edit(rng: &mut SeededRng, client: &mut Client, document: &mut Document) {
    let mut changes = Vec::new();
    for _ in 0..1 + rng.below_u32(3) {
        let piece = PIECES[rng.below_u32(PIECES.len() as u32) as usize];
        if rng.below_u32(50) == 0 {
            let text = TEXTS[rng.below_u32(TEXTS.len() as u32) as usize];
            document.text = text.to_string();
            changes.push(json!({ "text": text }));
            continue;
        }
        let start = some_position(rng, &document.text);
        let near = Position { line: start.line, character: start.character.saturating_add(rng.below_u32(6)) };
        let end = if rng.below_u32(8) == 0 { some_position(rng, &document.text) } else { near };
        let from = offset(&document.text, start);
        let to = offset(&document.text, end).max(from);
        document.text.replace_range(from..to, piece);
        changes.push(json!({ "range": { "start": start, "end": end }, "text": piece }));
    }
    // Clients count up, most of the time.
    document.version = match rng.below_u32(20) {
        0 => rng.below_u32(1000) as i32 - 500,
        _ => document.version.saturating_add(1),
    };
    client.change(&document.uri, document.version, Value::Array(changes));
}

/// Asks something, whether it makes sense or not.
fn ask(rng: &mut SeededRng, client: &mut Client, document: &Document) -> RequestId {
    let uri = if rng.below_u32(15) == 0 { "file:///nowhere/gone.net" } else { &document.uri };
    let place = some_position(rng, &document.text);
    let range = json!({ "start": place, "end": some_position(rng, &document.text) });
    let params = json!({
        "textDocument": { "uri": uri }, "position": place, "range": range, "newName": "fresh",
        "context": { "includeDeclaration": true, "diagnostics": [] },
        "options": { "tabSize": 2, "insertSpaces": true }, "uri": uri, "kind": "sequence",
    });
    client.ask(METHODS[rng.below_u32(METHODS.len() as u32) as usize], params)
}

fn fresh(documents: &[Document]) -> BTreeMap<String, Vec<Diagnostic>> {
    let mut client = Client::new();
    for document in documents.iter().filter(|document| document.is_open) {
        client.open_as(&document.uri, "laban", 1, &document.text);
    }
    let shown = client.settled();
    client.leave();
    shown
}

fn documents(here: &Path) -> Vec<Document> {
    let names = ["buyer.net", "seller.net", "bank.net"];
    let beside = names.iter().zip(TEXTS).map(|(name, text)| {
        fs::write(here.join(name), text).expect("it can be written");
        (uri_of(&here.join(name)), text)
    });
    let others = ["untitled:a.net", "untitled:a.chor", "untitled:a.md"].iter().zip(&TEXTS[3..]);
    beside
        .chain(others.map(|(uri, text)| (uri.to_string(), *text)))
        .map(|(uri, text)| Document { uri, text: text.to_string(), version: 1, is_open: false })
        .collect()
}

#[test]
fn random_edits_leave_what_a_fresh_start_shows() {
    let here = folder("random");
    let mut edits = 0;
    for seed in 0..cases(8) {
        let mut rng = SeededRng::new(seed);
        let mut documents = documents(&here);
        let mut client = Client::new();
        let mut asked: Vec<RequestId> = Vec::new();
        let mut done = 0;
        while done < EDITS {
            let document = &mut documents[rng.below_u32(6) as usize];
            match rng.below_u32(100) {
                _ if !document.is_open => {
                    document.is_open = true;
                    client.open_as(&document.uri, "laban", document.version, &document.text);
                }
                0..=1 => {
                    document.is_open = false;
                    client.close(&document.uri);
                }
                2..=59 => {
                    edit(&mut rng, &mut client, document);
                    done += 1;
                }
                60..=90 => asked.push(ask(&mut rng, &mut client, document)),
                91..=94 => {
                    if let Some(id) = asked.get(rng.below_u32(asked.len() as u32) as usize) {
                        client.notify_json("$/cancelRequest", json!({ "id": id }));
                    }
                }
                95 => client.change("untitled:gone.net", 1, json!([{ "text": "x" }])),
                96 => client.notify_json("textDocument/didSave", json!({ "textDocument": { "uri": document.uri } })),
                97 => client.send_bytes(b"Content-Length: 3\r\n\r\n{]}"),
                98 => client.notify_json("textDocument/didChange", json!({ "textDocument": { "uri": document.uri } })),
                _ => {
                    client.settled();
                }
            }
        }
        for id in &asked {
            // An answer or an error: but something.
            let _ = client.answer(id);
        }
        let mut known = client.settled();
        let expected = fresh(&documents);
        known.retain(|_, diagnostics| !diagnostics.is_empty());
        let expected: BTreeMap<String, Vec<Diagnostic>> =
            expected.into_iter().filter(|(_, diagnostics)| !diagnostics.is_empty()).collect();
        assert_eq!(known, expected, "seed {seed}");
        client.leave();
        edits += done;
    }
    assert!(edits >= 2000, "{edits}");
}
