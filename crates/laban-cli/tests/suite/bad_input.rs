//! Whatever the input is, the answer is a clear message and the exit status 2: soon, short and without a panic.

use crate::common::{file, laban, laban_with_input};

/// More than this is not read by anybody.
const SHORT: usize = 60_000;

/// Checks a file of this content in all forms, as a network and as a choreography, and expects this code.
fn is_refused(name: &str, content: impl AsRef<[u8]>, code: &str) {
    for extension in ["net", "chor"] {
        let path = file("bad-input", &format!("{name}.{extension}"), content.as_ref());
        for format in ["full", "concise", "json", "sarif", "junit", "github"] {
            let run = laban(&["check", "--format", format, &path]);
            assert_eq!(run.code, Some(2), "{name}.{extension} {format}: {}{}", run.out, run.err);
            assert!(run.out.contains(code), "{name}.{extension} {format}: {}", run.out);
            // Where nobody reads, there are many words around each mistake.
            let most = if format == "sarif" { 4 * SHORT } else { SHORT };
            assert!(run.out.len() < most, "{name}.{extension} {format}: {} bytes", run.out.len());
            assert_eq!(run.err, "");
        }
        let before = std::fs::read(&path).expect("it is still there");
        assert_eq!(laban(&["fmt", &path]).code, Some(2));
        assert_eq!(std::fs::read(&path).expect("it is still there"), before, "fmt leaves it alone");
    }
}

#[test]
fn bytes_that_are_not_text() {
    is_refused("latin-1", b"p { main { q!<caf\xe9>; stop } } | q { main { p?; stop } }", "not-text");
    is_refused("utf-16", b"\xff\xfep\0 \0{\0", "not-text");
    let binary: Vec<u8> = (0..1_000_000u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    is_refused("binary", binary, "not-text");
    // Bytes are counted from 1, as lines and columns are.
    is_refused("first", b"\xff", "byte 1, on line 1,");
}

#[test]
fn control_characters() {
    is_refused("controls", (0..=31u8).chain([127]).collect::<Vec<u8>>(), "unknown-character");
    is_refused("zeros", vec![0; 1_000_000], "unknown-character");
}

#[test]
fn nothing() {
    is_refused("empty", "", "empty");
    is_refused("spaces", " \t\r\n".repeat(100_000), "empty");
    is_refused("comments", "// one\n/* two */\n", "empty");
    is_refused("byte-order-mark", "\u{feff}", "empty");
}

#[test]
fn deep_nesting() {
    is_refused("parentheses", "(".repeat(1_000_000), "syntax");
    is_refused("parentheses-in-a-value", format!("p {{ main {{ q!<{}", "(".repeat(1_000_000)), "error");
    is_refused("balanced", format!("{}{}", "(".repeat(500_000), ")".repeat(500_000)), "syntax");
    is_refused("braces", "p{main{".repeat(100_000), "error");
    is_refused("offers", format!("p {{ main {{ {}", "q&{a:".repeat(100_000)), "error");
    is_refused("conditionals", format!("p {{ main {{ {}", "if x then ".repeat(100_000)), "error");
}

#[test]
fn long_lines_and_names() {
    let name = "x".repeat(1_000_000);
    is_refused("name", &name, "syntax");
    is_refused("two-names", format!("{name} {name}"), "syntax");
    is_refused("wide-name", "名".repeat(400_000), "syntax");
    is_refused("unknown-names", format!("p {{ main {{ {name}!<{name}>; {name}"), "error");
    is_refused("mistakes-on-one-line", "p{main{q?;;}}|".repeat(50_000), "syntax");
    is_refused("mistakes-on-many-lines", "p { main { q? } }\n|\n".repeat(50_000), "syntax");
    is_refused("quotes", "\"".repeat(100_000), "error");
    is_refused("comments-unclosed", "/*".repeat(100_000), "unclosed-comment");
}

#[test]
fn long_names_are_shortened_in_messages() {
    let name = "x".repeat(1_000_000);
    let path = file("bad-input", "ill-formed.net", format!("p {{ main {{ {name}!<{name}>; {name} }} }}"));
    let run = laban(&["check", &path]);
    assert_eq!(run.code, Some(2));
    assert!(run.out.contains("unknown-process") && run.out.contains("unknown-procedure"), "{}", run.out);
    assert!(run.out.len() < 3000, "{}", run.out);
}

#[test]
fn a_text_cut_off_anywhere() {
    let text = "p { def X { q!<x>; q&{ a: X, b: if c then q+l; stop else stop } } main { X } } | q";
    for end in 0..text.len() {
        let run = laban_with_input(&["check", "-"], &text.as_bytes()[..end]);
        assert_eq!(run.code, Some(2), "{}: {}{}", &text[..end], run.out, run.err);
        assert!(run.out.contains("error["), "{}", &text[..end]);
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    for command in ["check", "fmt", "graph"] {
        let run = laban(&[command, "no/such/file.net"]);
        assert_eq!(run.code, Some(2));
        assert_eq!(run.err, "error: cannot read no/such/file.net: no such file\n");
    }
    // Where a folder cannot stand for the files in it.
    for command in ["fmt", "project", "amend"] {
        let run = laban(&[command, "examples"]);
        assert_eq!(run.code, Some(2));
        assert_eq!(run.err, "error: cannot read examples: it is a directory; name files in it\n");
    }
    let run = laban(&["check", "examples/ping-pong.net", "missing.net", "examples/ring.net"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(run.out.lines().count(), 2, "the others are checked: {}", run.out);
}

#[test]
fn wrong_usage() {
    for arguments in [&["check"][..], &["chekc"], &[], &["graph", "examples/ring.net", "--of", "nothing"]] {
        let run = laban(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.err.contains("--help"), "{arguments:?}: {}", run.err);
        assert_eq!(run.out, "");
    }
}
