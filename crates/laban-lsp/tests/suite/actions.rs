//! Every code action is applied, and cures what it was offered for.

use crate::client::{Client, code, codes, example, message, repository};
use crate::edits::{applied, by_document};
use gen_lsp_types::{CodeAction, CodeActionRequest, CodeActionResponse, Diagnostic};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;

/// The actions for a diagnostic.
fn actions(client: &mut Client, uri: &str, diagnostic: &Diagnostic) -> Vec<CodeAction> {
    let context = json!({ "diagnostics": [diagnostic], "only": ["quickfix"] });
    let params = json!({ "textDocument": { "uri": uri }, "range": diagnostic.range, "context": context });
    let found = client.request_of::<CodeActionRequest>(params).unwrap_or_default();
    let own = found.into_iter().map(|one| match one {
        CodeActionResponse::CodeAction(action) => action,
        other => panic!("{other:?}"),
    });
    let is_about = |action: &CodeAction| action.diagnostics.as_deref() == Some(std::slice::from_ref(diagnostic));
    own.filter(is_about).collect()
}

/// Applies each action for each diagnostic of a text; returns the titles of those that were tried, by code.
fn try_all(client: &mut Client, uri: &str, text: &str, tried: &mut BTreeMap<String, Vec<String>>) {
    let shown = client.check(uri, text);
    let mut version = 1;
    for diagnostic in &shown {
        for action in actions(client, uri, diagnostic) {
            let edits = by_document(action.edit.clone().expect("it edits"));
            let new = applied(text, &edits[uri]);
            assert_ne!(new, text, "{}", action.title);
            version += 1;
            client.replace(uri, version, &new);
            let after = client.diagnostics(uri, version);
            let same = |one: &Diagnostic| (code(one), message(one)) == (code(diagnostic), message(diagnostic));
            // The same may be wrong in several places.
            let count = |list: &[Diagnostic]| list.iter().filter(|one| same(one)).count();
            assert!(
                count(&after) < count(&shown),
                "{} does not cure {} in\n{text}\n---\n{new}\n{after:?}",
                action.title,
                message(diagnostic)
            );
            tried.entry(code(diagnostic)).or_default().push(action.title);
            version += 1;
            client.replace(uri, version, text);
            client.diagnostics(uri, version);
        }
    }
    client.close(uri);
}

#[test]
fn every_action_cures_what_it_is_offered_for() {
    let mut client = Client::new();
    let mut tried = BTreeMap::new();
    for (name, text) in [
        ("a.net", "buyer { main { seler!<x>; stop } } | seller { main { buyer?; stop } }"),
        ("a.net", "p { main { q!<x>; stop } }"),
        ("a.net", "p { def Ask { q!<x>; stop } main { Aks } } | q { main { p?; stop } }"),
        ("a.net", "p { main { Ask } }"),
        ("a.net", "p { def X { q!<x>; X } } | q { def Y { p?; Y } main { Y } }"),
        ("a.net", "p { main { q!<x> stop } } | q { main { p?; stop } }"),
        ("a.net", "p { main { if e then stop } }"),
        ("a.net", "p { main { stop } } /* the end"),
        ("a.net", "p { main { idle q!<x>; stop } } | q { main { p?; stop } }"),
        ("a.net", "p { def X { stop } main { q!<x>; stop } } | q { main { p?; stop } }"),
        ("a.net", "p { main { q+yess; stop } } | q { main { p&{ yes: stop, no: stop } } }"),
        ("a.net", "p { main { q+maybe<1>; stop } } | q { main { p&yes; stop } }"),
        (
            "a.net",
            "p { main { q+maybe; r?; stop } } | q { main { p&yes; if e then r!<x>; stop else r!<y>; stop } } | r { main { q?; p!<z>; stop } }",
        ),
        ("a.net", "shop { main { bank!<card>; stop } } | bank { def X { shop?; X } main { X } }"),
        ("a.net", "p { main { q!<x>; q?; stop } } | q { main { p!<y>; p?; stop } }"),
        (
            "a.net",
            "channels queue 1; p { main { q!<a>; q!<b>; r!<c>; stop } } | q { main { r?; p?; p?; stop } } | r { main { p?; q!<d>; stop } }",
        ),
        (
            "a.net",
            "channels queue 1; p { main { q!<x>; stop } } | q { main { p?; stop } } | lock { def F { any { p&t; F, q&t; F } } main { F } }",
        ),
        ("a.chor", "main { if p.e then q.x -> r; stop else q.y -> r; stop }"),
        ("a.chor", "main { p.x ~> q; stop }"),
        ("a.chor", "def Loop { p.x -> q; Lop } main { Loop }"),
        ("a.chor", "main { p.x → q; stop }"),
        (
            "a.mmd",
            "sequenceDiagram\n  participant A\n  participant B\n  participant C\n  alt yes\n    A->>B: one\n    B->>C: two\n  else no\n    A->>B: three\n    C->>B: four\n  end\n",
        ),
    ] {
        try_all(&mut client, &format!("untitled:{name}"), text, &mut tried);
    }
    for name in ["unprojectable.chor", "buyer-seller-hasty.chor", "wrong-label.net", "forgotten-else.net"] {
        try_all(&mut client, &format!("untitled:{name}"), &example(name), &mut tried);
    }
    let titles: Vec<&str> = tried.values().flatten().map(String::as_str).collect();
    for expected in [
        "replace `seler` with `seller`",
        "add a process `q`",
        "replace `Aks` with `Ask`",
        "add a procedure `Ask`",
        "add `main`",
        "add `;`",
        "add `else stop`",
        "close the comment",
        "delete `idle`",
        "remove procedure `X`",
        "replace `yess` with `yes`",
        "add a branch `yess` to the offer of `q`",
        "add a branch `maybe` to the offer of `q`",
        "declare `bank` a service",
        "let messages wait in queues",
        "add the missing selections",
        "add the missing arrows",
    ] {
        assert!(titles.contains(&expected), "{expected}: {titles:?}");
    }
    client.leave();
}

#[test]
fn every_action_for_every_example_and_golden_cures_what_it_is_offered_for() {
    let mut client = Client::new();
    let mut tried = BTreeMap::new();
    let goldens = repository().join("crates/laban-cli/tests/goldens");
    for folder in ["network", "choreography", "failures", "queues", "services"] {
        for entry in fs::read_dir(goldens.join(folder)).expect("there are goldens") {
            let text = fs::read_to_string(entry.expect("it can be read").path()).expect("it is text");
            let text = text.split("\n===").next().expect("there is a source");
            // Without a name, the content tells what it is.
            try_all(&mut client, "untitled:golden", text, &mut tried);
        }
    }
    for entry in fs::read_dir(repository().join("examples")).expect("there are examples") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_some_and(|ending| ending == "net" || ending == "chor") {
            let uri = format!("untitled:{}", path.file_name().expect("it has a name").to_string_lossy());
            try_all(&mut client, &uri, &fs::read_to_string(&path).expect("it is text"), &mut tried);
        }
    }
    let count: usize = tried.values().map(Vec::len).sum();
    assert!(tried.len() > 8 && count > 40, "{tried:?}");
    client.leave();
}

#[test]
fn a_text_can_be_laid_out_by_an_action() {
    let mut client = Client::new();
    let (uri, text) = ("untitled:a.net", "p{main{stop}}");
    assert!(codes(&client.check(uri, text)).is_empty());
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    let ask = |only: serde_json::Value| json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [], "only": only } });
    let found = client.request_of::<CodeActionRequest>(ask(json!(["source"]))).unwrap_or_default();
    let [CodeActionResponse::CodeAction(action)] = &found[..] else { panic!("{found:?}") };
    let edits = by_document(action.edit.clone().expect("it edits"));
    assert_eq!(applied(text, &edits[uri]), "p { main { stop } }\n");
    assert_eq!(client.request_of::<CodeActionRequest>(ask(json!(["quickfix"]))), Some(Vec::new()));
    client.leave();
}
