//! A drawing of some processes keeps what concerns them and says what is missing.

use crate::{choreography, network};
use laban::extraction::{ExtractOptions, search};
use laban_draw::sequence::{self, MermaidSequence};
use laban_draw::{Dot, Focus, communications, symbolic};

fn check(source: &str, processes: &[&str], expected: &str) {
    let focus = Focus { processes: processes.iter().map(|name| name.to_string()).collect(), ..Focus::default() };
    let drawn = MermaidSequence(&sequence::choreography(&choreography(source), &focus)).to_string();
    let lines = |text: &str| text.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect();
    let (drawn, expected): (Vec<String>, Vec<String>) = (lines(&drawn), lines(expected));
    assert_eq!(drawn, expected, "{source}");
}

#[test]
fn interactions_of_others_are_left_out() {
    check(
        "main { a.x -> b; b.y -> c; c.z -> d; stop }",
        &["c"],
        "sequenceDiagram
         participant b
         participant c
         participant d
         b->>c: y
         c->>d: z
         Note over b,d: 1 interaction of others is left out",
    );
}

#[test]
fn a_conditional_without_content_collapses_and_its_content_stays_otherwise() {
    check(
        "main { a.x -> b; if c.k then c -> d[l]; stop else c -> d[r]; stop }",
        &["a"],
        "sequenceDiagram
         participant a
         participant b
         a->>b: x
         Note over a,b: 2 interactions of others are left out",
    );
    check(
        "main { if c.k then c -> a[l]; stop else c -> d[r]; stop }",
        &["a"],
        "sequenceDiagram
         participant c
         participant a
         alt c.k
         c-->>a: [l]
         else otherwise
         Note over c,a: stop
         end
         Note over c,a: 1 interaction of others is left out",
    );
}

#[test]
fn a_way_out_of_a_loop_is_content() {
    check(
        "def X { a.x -> b; if c.k then c -> d[l]; X else c -> d[r]; stop } main { X }",
        &["a"],
        "sequenceDiagram
         participant a
         participant b
         loop X
         a->>b: x
         alt c.k
         Note over a,b: again
         else otherwise
         Note over a,b: stop
         end
         end
         Note over a,b: 2 interactions of others are left out",
    );
}

#[test]
fn a_procedure_that_concerns_nobody_is_not_referred_to() {
    check(
        "def X { c.x -> d; stop } main { a.x -> b; if a.k then X else X }",
        &["a"],
        "sequenceDiagram
         participant a
         participant b
         a->>b: x
         Note over a,b: 1 interaction of others is left out",
    );
}

#[test]
fn leaving_a_loop_for_what_concerns_others_is_shown() {
    let source = "def X { if a.k then a.x -> b; X else a -> b[l]; Y } def Y { c.y -> d; Z } def Z { c.z -> d; Y }
         main { X }";
    let drawn = "sequenceDiagram
         participant a
         participant b
         loop X
         alt a.k
         a->>b: x
         else otherwise
         a-->>b: [l]
         Note over a,b: others go on
         end
         end
         Note over a,b: 2 interactions of others are left out";
    check(source, &["b"], drawn);
    check(&source.replace("Z } def Z", "if c.m then Y else Z } def Z").replace("Y }\n", "stop }\n"), &["b"], drawn);
}

#[test]
fn a_graph_skips_what_concerns_others() {
    let network = network(
        "a { def X { b!<x>; X } main { X } } | b { def X { a?; c!<y>; c?; X } main { X } }
         | c { def X { b?; b!<z>; X } main { X } }",
    );
    let extraction = search(&network, &ExtractOptions::default());
    let component = &extraction.components[0];
    let focus = Focus { processes: vec!["a".into()], ..Focus::default() };
    let drawn = Dot(&symbolic(&network, &component.processes, &component.found, &focus).unwrap()).to_string();
    assert_eq!(drawn.matches("->").count(), 2, "{drawn}");
    assert!(drawn.contains("a.x -> b"), "{drawn}");
    let near = communications(&network, &focus);
    let labels: Vec<&str> = near.nodes.iter().map(|node| node.label.as_str()).collect();
    assert_eq!(labels, ["a", "b"]);
    assert_eq!(near.captions, ["1 node left out"]);
}
