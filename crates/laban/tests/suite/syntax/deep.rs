//! Size and depth do not matter: everything runs on the small stack of a test thread, in linear time.

use super::properties::{Inspect, formats, sound};
use laban::syntax::{Parsed, parse_choreography, parse_network};

fn round_trips<L: Inspect>(source: &str, parse: fn(&str) -> Parsed<L>) {
    let parsed = parse(source);
    assert_eq!(parsed.diagnostics, []);
    sound(source, &parsed);
    assert!(formats(source, parse));
}

fn network(body: &str) {
    round_trips(&format!("p {{ main {{ {body} }} }}"), parse_network);
}

fn choreography(body: &str) {
    round_trips(&format!("main {{ {body} }}"), parse_choreography);
}

#[test]
fn many_actions() {
    let many = crate::scaled(200_000, 1_000_000);
    network(&format!("{}stop", "q!<e>; ".repeat(many)));
    choreography(&format!("{}stop", "p.e -> q; ".repeat(many)));
}

#[test]
fn conditionals_in_then() {
    network(&format!("{}X{}", "if c then ".repeat(100_000), " else Y".repeat(100_000)));
    choreography(&format!("{}X{}", "if p.c then ".repeat(100_000), " else Y".repeat(100_000)));
}

#[test]
fn conditionals_in_else() {
    network(&format!("{}X", "if c then Y else ".repeat(100_000)));
    network(&format!("{}X", "if c then Y else q?; ".repeat(100_000)));
    choreography(&format!("{}X", "if p.c then Y else ".repeat(100_000)));
}

#[test]
fn nested_offers() {
    network(&format!("{}X{}", "q&{l: ".repeat(100_000), "}".repeat(100_000)));
    network(&format!("{}X{}", "q&{l: X, m: q?; ".repeat(100_000), "}".repeat(100_000)));
}

#[test]
fn many_branches() {
    let branches: Vec<String> = (0..100_000).map(|number| format!("l{number}: stop")).collect();
    network(&format!("q&{{ {} }}", branches.join(", ")));
}

#[test]
fn many_processes() {
    let processes: Vec<String> = (0..100_000).map(|number| format!("p{number} {{ main {{ stop }} }}")).collect();
    round_trips(&processes.join(" | "), parse_network);
    round_trips(&vec!["main { stop }"; 100_000].join(" || "), parse_choreography);
}

#[test]
fn many_procedures() {
    let procedures: String = (0..100_000).map(|number| format!("def X{number} {{ X{number} }} ")).collect();
    round_trips(&format!("p {{ {procedures} main {{ X1 }} }}"), parse_network);
    round_trips(&format!("{procedures} main {{ X1 }}"), parse_choreography);
}

#[test]
fn many_comments() {
    network(&format!("{}stop", "q!<a /* in */ b>; // behind\n/* before */ ".repeat(50_000)));
    network(&format!("{}stop", "/* one */ ".repeat(200_000)));
    network(&format!("q!<a{}>; stop", " /* one */".repeat(200_000)));
}

#[test]
fn a_long_group_and_a_deep_expression() {
    choreography(&format!("({}p -> q[l]); stop", "p.e -> q, ".repeat(100_000)));
    network(&format!("q!<{}x{}>; stop", "(".repeat(100_000), ")".repeat(100_000)));
    network(&format!("q!<{}x{}>; stop", "<".repeat(100_000), ">".repeat(100_000)));
}

/// Mistakes over and over again: whatever the parser makes of them, it is done soon. One look at the rest of the text
/// for each would take hours.
#[test]
fn repeated_mistakes_take_linear_time() {
    let pieces = [
        "p!<(",
        "if ",
        "{",
        "}",
        "(",
        ")",
        "p&{",
        "p&{l:",
        "p&{l: stop,",
        "else ",
        "then ",
        "q!<a",
        "q!<a ",
        "q!<a>",
        "def ",
        "main ",
        "main {",
        "p {",
        "p { main {",
        "|",
        "||",
        ";",
        ",",
        ":",
        "stop ",
        "stop; ",
        "X ",
        "if x then ",
        "if x then stop ",
        "if x then stop else ",
        "if x then p&{",
        "\"",
        "\"\n",
        "/",
        "/*",
        "//",
        "p.",
        "p.e",
        "p.e -> ",
        "p -> q[",
        "(p.e -> q, ",
        "(p.e -> q;",
        "[",
        "]",
        "[(",
        "([)]",
        "<",
        ">",
        "-",
        "service ",
        "service p {",
        "é",
        "∧",
        "def X {",
        "def X { stop } ",
        "def X",
        "main { stop } def X { stop } ",
        "q?",
        "q+",
        "q+l",
        "p&{l",
        "p&",
        "p { } ",
        "p { } x ",
        "p { main { q!<(",
        "q!<{",
        "q!<}",
        "if ( then",
        "if x then { ",
        "p&{l: {",
        "p&{l: (;",
        "p { main { } ) ",
        "then:",
        "p&{then: ",
    ];
    for piece in pieces {
        for prefix in ["", "p { main { ", "main { ", "p { main { q?; if x then ", "p { main { q&{ l: "] {
            let source = format!("{prefix}{}", piece.repeat(8_000));
            sound(&source, &parse_network(&source));
            sound(&source, &parse_choreography(&source));
        }
    }
    let source = "{".repeat(1_000_000);
    sound(&source, &parse_network(&source));
    sound(&source, &parse_choreography(&source));
}
