//! One mistake, one message, at the right place; several mistakes, each its own.

use laban::diagnostic::Diagnostic;
use laban::syntax::{parse_choreography, parse_network};

/// What is reported about a text: the code, and the text that it points at.
fn said(source: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    let line = |diagnostic: &Diagnostic| {
        let Diagnostic { code, primary, .. } = diagnostic;
        format!("{} at {}: {}", code.as_str(), primary.span.start, primary.span.text(source))
    };
    diagnostics.iter().map(line).collect()
}

/// A network with mistakes. Each place is marked with `^` before the text that the message points at.
fn network(marked: &str, expected: &[&str]) {
    let (source, expected) = unmark(marked, expected);
    assert_eq!(said(&source, &parse_network(&source).diagnostics), expected, "{source}");
}

/// The same for a choreography.
fn choreography(marked: &str, expected: &[&str]) {
    let (source, expected) = unmark(marked, expected);
    assert_eq!(said(&source, &parse_choreography(&source).diagnostics), expected, "{source}");
}

fn unmark(marked: &str, expected: &[&str]) -> (String, Vec<String>) {
    let mut source = String::new();
    let mut places = Vec::new();
    for character in marked.chars() {
        match character {
            '^' => places.push(source.len()),
            _ => source.push(character),
        }
    }
    assert_eq!(places.len(), expected.len(), "marks in {marked}");
    let line = |(place, expected): (usize, &&str)| {
        let (code, text) = expected.split_once(' ').unwrap_or((expected, ""));
        format!("{code} at {place}: {text}")
    };
    let expected = places.into_iter().zip(expected).map(line).collect();
    (source, expected)
}

#[test]
fn semicolons() {
    network("p { main { q!<x^> stop } }", &["syntax >"]);
    network("p { main { käufer+^éé stop } }", &["syntax éé"]);
    network("p { main { q!<x^> } }", &["syntax >"]);
    network("p { main { q^? } }", &["syntax ?"]);
    network("p { main { q?;^; stop } }", &["syntax ;"]);
    network("p { main { q^? p^? stop } }", &["syntax ?", "syntax ?"]);
    network("p { main { stop^; q?; stop } }", &["after-end ;"]);
    network("p { main { q&{a: stop^; b: stop} } }", &["after-end ;"]);
    choreography("main { p.x -> ^q stop }", &["syntax q"]);
}

#[test]
fn endings() {
    network("p { main { q!<x>; ^} }", &["syntax }"]);
    network("p { main { ^} } | q { main { stop } }", &["syntax }"]);
    network("p { main { if x then q?; ^else stop } }", &["syntax else"]);
    network("p { main { if x then stop else ^} }", &["syntax }"]);
}

#[test]
fn expressions() {
    network("p { main { q!<^x; stop } }", &["expression x"]);
    network("p { main { q!<^>; stop } }", &["expression >"]);
    network("p { main { q!<^(x>; stop } }", &["unclosed ("]);
    network("p { main { q!<^x)>; stop } }", &["expression x"]);
    network("p { main { q!^x; stop } }", &["syntax x"]);
    network("p { main { q!<^\"x>; stop } }", &["unclosed \""]);
    network("p { main { ^\" } }", &["unclosed \""]);
    choreography("main { p. ^-> q; stop }", &["expression ->"]);
    choreography("main { p.x ^=> q; stop }", &["syntax =>"]);
}

#[test]
fn conditionals() {
    network("p { main { if x then stop ^} }", &["syntax }"]);
    network("p { main { if ^x stop else stop } }", &["expression x stop"]);
    network("p { main { if ^then stop else stop } }", &["expression then"]);
    network("p { main { if ^(x then stop else stop } }", &["unclosed ("]);
    network("p { main { if ^x) then stop else stop } }", &["expression x"]);
    network("p { main { if a then if ^b stop else q?; stop else stop } }", &["expression b stop"]);
    network("p { main { stop ^else stop } }", &["syntax else"]);
    choreography("main { if x ^then stop else stop }", &["syntax then"]);
    choreography("main { if p. ^then stop else stop }", &["expression then"]);
    choreography("main { if ^.x then stop else stop }", &["syntax ."]);
}

#[test]
fn offers() {
    network("p { main { q&{^} } }", &["empty-offer }"]);
    network("p { main { q&{a: stop ^b: stop} } }", &["syntax b"]);
    network("p { main { q&{a ^stop, b: stop} } }", &["syntax stop"]);
    network("p { main { q&{a: stop,^} } }", &["syntax }"]);
    network("p { main { q&{a: stop, ^: stop, c: stop} } }", &["syntax :"]);
    network("p { main { q&{a: stop, ^if: stop} } }", &["reserved-word if"]);
    network("p { main { q&^a: stop, b: stop} } }", &["syntax a"]);
}

#[test]
fn braces() {
    network("p { main { q?; stop } ^| q { main { p!<x>; stop } }", &["syntax |"]);
    network("p { main ^q?; stop } } | q { main { stop } }", &["syntax q"]);
    network("p { main ^q?; stop } | q { main { stop } }", &["syntax q"]);
    network("p ^main { q?; stop } } | q { main { stop } }", &["syntax main"]);
    network("p { main { stop } } ^} } | q { main { stop } }", &["syntax }"]);
    network("p { main { if x then ^{ stop } else stop } }", &["syntax {"]);
    network("p { main ^{ stop", &["unclosed {"]);
    choreography("main { stop } ^}", &["syntax }"]);
    choreography("def X { p.x -> q; X ^main { X }", &["syntax main"]);
    choreography("def X ^p.x -> q; X } main { X }", &["syntax p"]);
}

#[test]
fn units() {
    network("p { main { stop } } ^q { main { stop } }", &["syntax q"]);
    network("p { main { stop } } ^|| q { main { stop } }", &["syntax ||"]);
    network("p { main { stop } } | ^| q { main { stop } }", &["syntax |"]);
    network("p { main { stop } } | ^", &["syntax"]);
    network("p^, q { main { stop } }", &["syntax ,"]);
    network("^if { main { stop } } | q { main { stop } }", &["reserved-word if"]);
    network("p { ^q?; stop } | q { main { stop } }", &["syntax q"]);
    network("p { main { stop } ^def X { stop } }", &["syntax def"]);
    network("p { def ^{ stop } main { stop } }", &["syntax {"]);
    network("^main { stop }", &["syntax main"]);
    choreography("main { stop } ^| main { stop }", &["syntax |"]);
    choreography("^p { main { stop } } | q { main { stop } }", &["syntax p"]);
    network("^", &["empty"]);
    network("// nothing^", &["empty"]);
}

#[test]
fn the_other_language() {
    network("p { main { p^.x -> q; stop } }", &["syntax ."]);
    choreography("main { q^!<x>; stop }", &["syntax !"]);
}

#[test]
fn groups() {
    choreography("main { (p.x -> q, q.y -> p^; stop }", &["syntax ;"]);
    choreography("main { (^); stop }", &["syntax )"]);
    choreography("main { p -> q^; stop }", &["syntax ;"]);
    choreography("main { p -> q[^]; stop }", &["syntax ]"]);
    choreography("main { p.x -> q[^]; stop }", &["syntax ]"]);
}

#[test]
fn several_mistakes_are_all_reported() {
    network(
        "p { main { q?; r!<^x; q+^; stop } } | q { main { p!^; stop } } | r { main { ^} }",
        &["expression x", "syntax ;", "syntax ;", "syntax }"],
    );
    network("p { main { q&{a: q^?, b: q!<^x; stop, c: stop} } }", &["syntax ?", "expression x"]);
    choreography("def X { p.^x q; X } main { p -> q[^]; X }", &["expression x q", "syntax ]"]);
}

#[test]
fn likely_mistakes_are_taken_for_what_was_meant() {
    network("p { main { ^a-b!<x-y>; a-b?; stop } }", &["unknown-character a-b"]);
    network(
        "^a-b { main { q+^l-0; q&{^m-then: stop} } }",
        &["unknown-character a-b", "unknown-character l-0", "unknown-character m-then"],
    );
    network("p { main { q^-!<x>; stop } }", &["unknown-character -"]);
    choreography("main { ^a-b.x-y->c; c->a-b[l]; stop }", &["unknown-character a-b"]);
    network(
        "p { main { q?^(x); q?^(x, (y)); q?^<x>; q?^x; stop } }",
        &["syntax (", "syntax (", "syntax <", "syntax x"],
    );
    network("p { main { if x ^Then stop ^elsee stop } }", &["syntax Then", "syntax elsee"]);
    network("p { ^mai { q?; stop } }", &["syntax mai"]);
    choreography("^Main { p.x -> q; stop }", &["syntax Main"]);
    choreography("main { p.x ^=> q; p.(x => y) ^→ q; p ^=> q[l]; stop }", &["syntax =>", "syntax →", "syntax =>"]);
    choreography("main { p.x => y -> q; stop }", &[]);
    network("p { main { if x ^{ q?; stop } else if y { stop } else { stop } } }", &["syntax {"]);
    network("p { main { if x ^{ q?; stop }; q?; stop } } | q { main { ^} }", &["syntax {", "syntax }"]);
    network("p { main { if x then ^{ stop } else { stop } } }", &["syntax {"]);
    network("p { main { if f{x} then stop else stop } }", &[]);
    network("p { main { q!<f^(1,2>; r?; stop } }", &["unclosed ("]);
    network("^| p { main { stop } } | ^", &["syntax |", "syntax "]);
}

#[test]
fn many_likely_mistakes_take_linear_time() {
    let many = 100_000;
    network(
        &format!("p {{ main {{ ^{}q?; stop }} }}", "a-".repeat(many)),
        &[&format!("unknown-character {}q", "a-".repeat(many))],
    );
    for mistake in ["if x the ", "if x { ", "if a-b ( { ", "a-b.x => ", "q?(x ", "q!<f(1, ", "| ", "esle "] {
        for text in [
            mistake.repeat(many),
            format!("p {{ main {{ {}", mistake.repeat(many)),
            format!("main {{ {}", mistake.repeat(many)),
        ] {
            assert!(!parse_network(&text).diagnostics.is_empty(), "{mistake}");
            assert!(!parse_choreography(&text).diagnostics.is_empty(), "{mistake}");
        }
    }
}

#[test]
fn channels() {
    let process = "p { main { stop } }";
    for (declaration, expected) in [
        ("channels ^async;", &["syntax async"][..]),
        ("channels ^sync;", &["syntax sync"]),
        ("channels p -> p ^que;", &["syntax que"]),
        ("^channel queue;", &["syntax channel"]),
        ("channels queue ^0;", &["queue-bound 0"]),
        ("channels queue ^99999999999;", &["queue-bound 99999999999"]),
        ("channels queue^(4);", &["syntax ("]),
        ("channels ^queue", &["syntax queue"]),
        ("channels queue ^4", &["syntax 4"]),
        ("channels queue,^;", &["syntax ;"]),
        ("channels^;", &["syntax ;"]),
        ("channels p -> ^;", &["syntax ;"]),
        ("channels p -> q^;", &["syntax ;"]),
        ("channels p ^=> q queue;", &["syntax =>"]),
        ("channels queue ^p -> q queue 3;", &["syntax p"]),
        ("channels ^lossy, p -> q queue ^0x;", &["syntax lossy", "syntax 0x"]),
        ("channels queue; ^channels p -> q queue; channels queue;", &["syntax channels"]),
    ] {
        network(&format!("{declaration} {process}"), expected);
    }
    network("p { main { stop } } ^channels queue; | q { main { stop } }", &["syntax channels"]);
    network("p { ^channels queue; main { stop } }", &["syntax channels"]);
    choreography("^channels queue; main { stop }", &["syntax channels"]);
}

#[test]
fn messages_that_wait() {
    choreography("main { p.x ~> ^q }", &["syntax q"]);
    choreography("main { p.^~> q; stop }", &["expression ~>"]);
    choreography("main { p ~> q^; stop }", &["syntax ;"]);
    choreography("main { q <~ ^; stop }", &["syntax ;"]);
    choreography("main { q <~ p^.x; stop }", &["syntax ."]);
    choreography("main { q <~ p^[l]; stop }", &["syntax ["]);
    choreography("main { (q.y -> p, p.x ^~> q); stop }", &["syntax ~>"]);
    network("p { main { q ^~> l; stop } }", &["unknown-character ~"]);
    network("p { main { q ^<~ p; stop } }", &["syntax <"]);
}
