//! Hover, definition, references, highlights, symbols, folding, tokens.

use crate::client::{Client, at_json, example, position, position_of, text_in};
use gen_lsp_types::{
    Contents, Definition, DefinitionRequest, DefinitionResponse, DocumentHighlightRequest, DocumentSymbol,
    DocumentSymbolRequest, DocumentSymbolResponse, FoldingRangeRequest, HoverRequest, Position, ReferencesRequest,
    SemanticTokensRangeRequest, SemanticTokensRequest, WorkspaceSymbolRequest, WorkspaceSymbolResponse,
};
use serde_json::{Value, json};

const URI: &str = "untitled:a.net";

/// The tie is broken by what really happens: `seller` receives a title first and an address second.
const SHOP: &str = "\
buyer {
  def Decide { if ok then seller+buy; seller!<address>; stop else seller+leave; stop }
  main { seller!<title>; seller?; Decide }
}
| seller {
  main { buyer?; buyer!<price>; buyer&{ buy: buyer?; stop, leave: stop } }
}
";

fn opened(text: &str) -> Client {
    let mut client = Client::new();
    client.check(URI, text);
    client
}

fn hover(client: &mut Client, position: Position) -> Option<String> {
    client.request_of::<HoverRequest>(at_json(URI, position)).map(|hover| match hover.contents {
        Contents::MarkupContent(content) => content.value,
        other => panic!("{other:?}"),
    })
}

/// The texts that definitions lead to, with their offsets.
fn definitions(client: &mut Client, text: &str, position: Position) -> Vec<(usize, String)> {
    let Some(found) = client.request_of::<DefinitionRequest>(at_json(URI, position)) else { return Vec::new() };
    let DefinitionResponse::Definition(Definition::LocationList(locations)) = found else { panic!("{found:?}") };
    let place =
        |range: gen_lsp_types::Range| (crate::client::offset_of(text, range.start), text_in(text, range).to_string());
    locations.into_iter().map(|one| place(one.range)).collect()
}

#[test]
fn hover_says_what_a_call_does_and_what_a_process_waits_for() {
    let mut client = opened(SHOP);
    let call = hover(&mut client, position(SHOP, "Decide }\n}", 1)).expect("there is something");
    assert!(call.starts_with("procedure `Decide` of `buyer`") && call.contains("if ok then"), "{call}");
    let partner = hover(&mut client, position(SHOP, "seller!<title>", 1)).expect("there is something");
    assert!(partner.contains("process `seller`") && partner.contains("talks to `buyer`"), "{partner}");
    assert!(partner.contains("sends the value of `title` to `seller`"), "{partner}");
    assert!(partner.contains("meets `seller` on line 6"), "{partner}");
    let receive = hover(&mut client, position(SHOP, "buyer?; stop", 5)).expect("there is something");
    assert!(receive.contains("arriving: `address`") && !receive.contains("title"), "{receive}");
    let label = hover(&mut client, position(SHOP, "buy: ", 0)).expect("there is something");
    assert!(
        label.starts_with("label `buy`, which `buyer` selects at `seller`: selected once, offered once"),
        "{label}"
    );
    client.leave();
}

#[test]
fn hover_explains_every_construct() {
    let text = "channels queue;\nservice p { def X { idle any { q?; X, r&a; X } } main { X } }\n| q { main { choose { p!<x>; stop, if e then stop else stop } } }\n| r { main { p+a; stop } }\n";
    let mut client = opened(text);
    for (word, meaning) in [
        ("channels", "how messages get"),
        ("service", "may wait forever"),
        ("def", "a procedure"),
        ("idle", "waits here forever if need be"),
        ("any", "the first of these that can happen"),
        ("main", "execution starts here"),
        ("choose", "decides freely"),
        ("if", "decides by a local condition"),
        ("stop", "done"),
        ("p+a", "process `p`"),
    ] {
        let found = hover(&mut client, position(text, word, 1)).unwrap_or_else(|| panic!("{word}"));
        assert!(found.contains(meaning) || found.contains("service `p`"), "{word}: {found}");
    }
    client.replace(URI, 2, "main { stop }");
    client.close(URI);
    let uri = "untitled:b.chor";
    let text = "def X { if p.e then (p.x -> q, q.y -> p); X else p ~> q[l]; q <~ p; stop } main { X } || main { stop }";
    client.check(uri, text);
    for (word, meaning) in [
        ("p.x", "process `p`"),
        ("(p", "several interactions at once"),
        ("~>", "puts the value"),
        ("<~", "takes the oldest"),
        ("||", "independent parts"),
        ("e then", "decides by a condition"),
        ("l];", "label `l`"),
        ("X }", "procedure `X`"),
    ] {
        let found = client.request_of::<HoverRequest>(at_json(uri, position(text, word, 1)));
        let found = serde_json::to_string(&found).expect("it is JSON");
        assert!(found.contains(meaning), "{word}: {found}");
    }
    client.leave();
}

#[test]
fn hover_says_why_an_action_is_stuck() {
    let text = "p { main { q?; q!<x>; stop } }\n| q { main { p?; p!<y>; stop } }\n";
    let mut client = opened(text);
    let found = hover(&mut client, position(text, "?", 0)).expect("there is something");
    assert!(found.contains("can get stuck here**: `p` and `q` wait for each other"), "{found}");
    let process = hover(&mut client, position(text, "p {", 0)).expect("there is something");
    assert!(process.contains("`p` can get stuck"), "{process}");
    client.leave();
}

#[test]
fn a_definition_is_across_the_two_sides_of_a_communication() {
    let mut client = opened(SHOP);
    // Processes and procedures.
    let seller = definitions(&mut client, SHOP, position(SHOP, "seller!<title>", 1));
    assert_eq!(seller, [(SHOP.find("seller {").expect("it is there"), "seller".to_string())]);
    let decide = definitions(&mut client, SHOP, position(SHOP, "Decide }\n", 0));
    assert_eq!(decide[0].0, SHOP.find("Decide").expect("it is there"));
    // Values: two receives fit, but each value meets one.
    for (value, receive) in [("title", "buyer?; buyer!"), ("address", "buyer?; stop"), ("price", "seller?")] {
        let found = definitions(&mut client, SHOP, position(SHOP, value, 1));
        assert_eq!(found.len(), 1, "{value}: {found:?}");
        assert_eq!(found[0].0, SHOP.find(receive).expect("it is there"), "{value}");
    }
    // And back again.
    let back = definitions(&mut client, SHOP, position(SHOP, "buyer?; stop", 6));
    assert_eq!(back, [(SHOP.find("seller!<address>").expect("it is there"), "seller!<address>".to_string())]);
    // Labels: from the selection to the branch, and back.
    let branch = definitions(&mut client, SHOP, position(SHOP, "+buy", 2));
    assert_eq!(branch, [(SHOP.find("buy: ").expect("it is there"), "buy".to_string())]);
    let selection = definitions(&mut client, SHOP, position(SHOP, "leave: ", 1));
    assert_eq!(selection, [(SHOP.find("seller+leave").expect("it is there"), "seller+leave".to_string())]);
    client.leave();
}

#[test]
fn where_a_network_fails_what_fits_counts() {
    let text = "p { main { q?; q!<x>; stop } }\n| q { main { p?; p!<y>; stop } }\n";
    let mut client = opened(text);
    let found = definitions(&mut client, text, position(text, "x>", 0));
    assert_eq!(found, [(text.find("p?").expect("it is there"), "p?".to_string())]);
    client.leave();
}

#[test]
fn references_are_on_all_sides() {
    let mut client = opened(SHOP);
    let mut count = |part: &str, plus: usize, declaration: bool| {
        let mut params = at_json(URI, position(SHOP, part, plus));
        params["context"] = json!({ "includeDeclaration": declaration });
        client.request_of::<ReferencesRequest>(params).map_or(0, |found| found.len())
    };
    assert_eq!(count("seller {", 0, true), 6, "one definition and five uses");
    assert_eq!(count("seller {", 0, false), 5);
    assert_eq!(count("Decide {", 0, true), 2);
    assert_eq!(count("buy:", 0, true), 2, "a branch and a selection");
    assert_eq!(count("title", 0, true), 2, "the send and the receive");
    let highlights = client.request_of::<DocumentHighlightRequest>(at_json(URI, position(SHOP, "Decide {", 0)));
    assert_eq!(highlights.map(|found| found.len()), Some(2));
    client.leave();
}

#[test]
fn symbols_are_processes_with_their_procedures() {
    let mut client = opened(SHOP);
    let params = json!({ "textDocument": { "uri": URI } });
    let found = client.request_of::<DocumentSymbolRequest>(params);
    let Some(DocumentSymbolResponse::DocumentSymbolList(symbols)) = found else { panic!("{found:?}") };
    let shape = |symbol: &DocumentSymbol| {
        let children = symbol.children.iter().flatten().map(|child| child.name.clone()).collect::<Vec<String>>();
        (symbol.name.clone(), children.join(" "))
    };
    let shapes: Vec<(String, String)> = symbols.iter().map(shape).collect();
    assert_eq!(shapes, [("buyer", "Decide main"), ("seller", "main")].map(|(a, b)| (a.to_string(), b.to_string())));
    let found = client.request_of::<WorkspaceSymbolRequest>(json!({ "query": "DEC" }));
    // With a range, a symbol of the new form is one of the old form too.
    let Some(WorkspaceSymbolResponse::SymbolInformationList(found)) = found else { panic!("{found:?}") };
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].base_symbol_information.container_name.as_deref(), Some("buyer"));
    client.leave();
}

#[test]
fn what_has_several_lines_can_be_folded() {
    let text = "// one\n// two\n/* three\n*/\np {\n  main {\n    q&{\n      a: stop,\n      b: stop\n    }\n  }\n}\n| q { main { p+a; stop } }\n";
    let mut client = opened(text);
    let found = client.request_of::<FoldingRangeRequest>(json!({ "textDocument": { "uri": URI } }));
    let lines: Vec<(u32, u32)> =
        found.expect("there are some").iter().map(|one| (one.start_line, one.end_line)).collect();
    assert_eq!(lines, [(0, 3), (4, 10), (5, 9), (6, 8)]);
    client.leave();
}

/// Each token with its type.
fn tokens(data: &[gen_lsp_types::SemanticToken], text: &str, types: &Value) -> Vec<(String, String)> {
    let (mut line, mut start) = (0, 0);
    let mut found = Vec::new();
    for token in data {
        line += token.delta_line;
        start = if token.delta_line == 0 { start + token.delta_start } else { token.delta_start };
        let from = Position { line, character: start };
        let to = Position { line, character: start + token.length };
        let word = text_in(text, gen_lsp_types::Range { start: from, end: to }).to_string();
        found.push((word, types[token.token_type as usize].as_str().expect("it has a type").to_string()));
    }
    found
}

#[test]
fn every_word_has_its_meaning_as_a_token() {
    let text = "/* 🦀\n b */ channels queue 2, p -> q queue;\nservice p { def X { idle q?; X } main { X } }\n| q { main { if a > \"b\" then p!<f(x)>; p+l<1>; stop else p&{m: stop} } }\n";
    let mut client = opened(text);
    let types = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    let params = json!({ "textDocument": { "uri": URI } });
    let found = client.request_of::<SemanticTokensRequest>(params).expect("there are some");
    let found = tokens(&found.data, text, &types);
    for (word, kind) in [
        ("/* 🦀", "comment"),
        (" b */", "comment"),
        ("channels", "keyword"),
        ("queue", "keyword"),
        ("p", "class"),
        ("->", "operator"),
        ("service", "keyword"),
        ("def", "keyword"),
        ("X", "function"),
        ("idle", "keyword"),
        ("?", "operator"),
        ("if", "keyword"),
        ("a > \"b\"", "string"),
        ("f(x)", "string"),
        ("l", "enumMember"),
        ("1", "string"),
        ("m", "enumMember"),
    ] {
        assert!(found.contains(&(word.to_string(), kind.to_string())), "{word} is {kind}: {found:?}");
    }
    // A range has the same tokens as the whole.
    let start = Position { line: 3, character: 0 };
    let range = json!({ "start": start, "end": { "line": 4, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    let part = client.request_of::<SemanticTokensRangeRequest>(params).expect("there are some");
    let part = tokens(&part.data, text, &types);
    assert!(!part.is_empty() && found.ends_with(&part), "{part:?}");
    client.leave();
}

#[test]
fn every_token_of_every_example_is_in_order() {
    let mut client = Client::new();
    for name in ["two-buyer.net", "two-buyer.chor", "streaming.chor", "alternating-bit.net", "cancellation.net"] {
        let (uri, text) = (format!("untitled:{name}"), example(name));
        client.check(&uri, &text);
        let types = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
        let params = json!({ "textDocument": { "uri": uri } });
        let found = client.request_of::<SemanticTokensRequest>(params).expect("there are some");
        let words = tokens(&found.data, &text, &types);
        assert!(words.len() > 20 && words.iter().all(|(word, _)| !word.is_empty()), "{name}: {words:?}");
    }
    assert_eq!(position_of("a🦀b", 5).character, 3);
    client.leave();
}
