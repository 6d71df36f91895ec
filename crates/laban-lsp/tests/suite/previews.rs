//! What is shown beside a text.

use crate::client::{Client, example, position};
use serde_json::{Value, json};

const KINDS: [&str; 6] = ["choreography", "sequence", "communications", "automata", "graph", "network"];

fn preview(client: &mut Client, uri: &str, kind: &str) -> Value {
    client.request_json("laban/preview", json!({ "uri": uri, "kind": kind })).expect("it answers")
}

#[test]
fn everything_can_be_shown_of_a_network_and_of_a_choreography() {
    let mut client = Client::new();
    for name in ["two-buyer.net", "two-buyer.chor", "alternating-bit.net", "streaming.chor", "formats/login.mmd"] {
        let uri = format!("untitled:{name}");
        client.check(&uri, &example(name));
        for kind in KINDS {
            let shown = preview(&mut client, &uri, kind);
            assert_eq!(shown["kind"], kind);
            let has_no_projection = name.ends_with(".mmd") && matches!(kind, "network" | "automata" | "communications");
            let what = match kind {
                _ if has_no_projection => "message",
                "choreography" | "network" => "text",
                _ => "svg",
            };
            assert!(shown[what].is_string(), "{name}, {kind}: {shown}");
            if what == "svg" {
                assert!(shown["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg")), "{name}, {kind}");
            }
        }
    }
    let uri = "untitled:two-buyer.net";
    let text = preview(&mut client, uri, "choreography")["text"].as_str().expect("it is text").to_string();
    assert!(laban::analyse(text.as_str()).into_choreography().is_ok(), "{text}");
    let network = preview(&mut client, "untitled:two-buyer.chor", "network");
    let network = network["text"].as_str().expect("it is text");
    assert!(laban::analyse(network).into_network().is_ok(), "{network}");
    client.leave();
}

#[test]
fn what_cannot_be_shown_is_explained() {
    let mut client = Client::new();
    let uri = "untitled:a.net";
    client.check(uri, "p { main { q?; stop } } | q { main { p?; stop } }");
    let shown = preview(&mut client, uri, "choreography");
    assert!(shown["text"].is_null());
    assert!(shown["message"].as_str().is_some_and(|text| text.contains("wait for each other")), "{shown}");
    let run = preview(&mut client, uri, "sequence");
    assert!(run["svg"].is_string() && run["message"].is_string(), "{run}");
    client.replace(uri, 2, "p {");
    assert!(preview(&mut client, uri, "sequence")["message"].is_string());
    assert!(preview(&mut client, uri, "nonsense")["message"].is_string());
    assert!(preview(&mut client, "untitled:gone.net", "sequence").is_null());
    client.leave();
}

#[test]
fn a_position_chooses_a_block_of_markdown() {
    let mut client = Client::new();
    let uri = "untitled:a.md";
    let text = "```chor\nmain { p.one -> q; stop }\n```\n\n```net\na { main { b!<two>; stop } } | b { main { a?; stop } }\n```\n";
    client.open_as(uri, "markdown", 1, text);
    client.diagnostics(uri, 1);
    for (part, word) in [("main", "one"), ("a {", "two")] {
        let params = json!({ "uri": uri, "kind": "choreography", "position": position(text, part, 1) });
        let shown = client.request_json("laban/preview", params).expect("it answers");
        assert!(shown["text"].as_str().is_some_and(|text| text.contains(word)), "{shown}");
    }
    client.leave();
}

#[test]
fn a_client_that_wants_to_know_is_told_when_a_document_has_been_analysed() {
    let mut client = Client::with(json!({}), json!({ "notifyAnalysed": true }));
    let uri = "untitled:a.net";
    client.check(uri, "p { main { q!<x>; stop } } | q { main { p?; stop } }");
    loop {
        if let lsp_server::Message::Notification(one) = client.next()
            && one.method == "laban/analysed"
        {
            assert_eq!(one.params, json!({ "uri": uri, "version": 1, "summary": "extractable: 2 nodes" }));
            break;
        }
    }
    client.leave();
}
