//! The reader of plain networks has the parser as its twin.

use crate::random::SeededRng;
use crate::syntax::parser::{Parsed, parse, parse_network};
use crate::syntax::tree::{Networks, Tree};

/// Networks in all plain forms, and in some others.
const NETWORKS: [&str; 5] = [
    "p { def X { q!<x>; q+l; if c then q+yes; X else q+no; stop } main { X } }\
     | q { def X { p?; p&{l: p&{yes: X, no: 0}} } main { X } }",
    "service s{def A{t&{R:t?;A,L:if c1 then t+L;A else t!<m12>;B}}def B{stop}main{A}}|t{main{s+R;s!<a'_9>;stop}}",
    "// two\np { main { q!<long_names_too>; stop } } // behind\n| q\n{ main { p?; stop } }\n",
    "channels queue; p { main { q!<a + b>; q+l<v>; stop } } | q { main { p?; p&l; idle p?; any { p?; 0, r?; 0 } } }",
    "a { main { choose { b!<x>; stop, b!<y>; stop } } } | b { main { a?; stop } }",
];

const PIECES: [&str; 41] = [
    "p",
    "q",
    "X",
    "x1",
    "a_name_that_is_long",
    "é",
    "ab日",
    "def",
    "main",
    "if",
    "then",
    "else",
    "stop",
    "0",
    "service",
    "channels",
    "idle",
    "any",
    "{",
    "}",
    "(",
    ")",
    "[",
    "<",
    ">",
    ";",
    ",",
    ":",
    ".",
    "!",
    "?",
    "+",
    "&",
    "|",
    "||",
    "->",
    "-",
    "\"x\"",
    "\"",
    "// c\n",
    "/* c */",
];

/// The text with some pieces taken out, put in or doubled.
fn edited(rng: &mut SeededRng, text: &str) -> String {
    let mut text = text.to_string();
    for _ in 0..1 + rng.below_u32(3) {
        let mut place = |text: &str| {
            let at = rng.below_u32(text.len() as u32 + 1) as usize;
            (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
        };
        let (from, to) = (place(&text), place(&text));
        let (from, to) = (from.min(to), to.max(from).min(from.min(to) + 6));
        let to = (to..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        let part = text[from..to].to_string();
        match rng.below_u32(4) {
            0 => text.replace_range(from..to, ""),
            1 => text.insert_str(from, &part),
            _ => text.insert_str(from, PIECES[rng.below_u32(PIECES.len() as u32) as usize]),
        }
    }
    text
}

/// Compares what the parser makes of a text with and without this reader; returns whether the text is well-formed.
fn agree(text: &str) -> bool {
    let Parsed { tree, diagnostics } = parse_network(text);
    let alone: Parsed<Networks> = parse(text, 0, Tree::with_names(0));
    assert_eq!(diagnostics, alone.diagnostics, "{text}");
    assert_eq!(tree.names, alone.tree.names, "{text}");
    let show = |tree: &Tree<Networks>| {
        let Tree { units, terms, spans, arms, comments, labelled_values, idle, channels, .. } = tree;
        format!("{units:?}{terms:?}{spans:?}{arms:?}{comments:?}{labelled_values:?}{idle:?}{channels:?}")
    };
    assert_eq!(show(&tree), show(&alone.tree), "{text}");
    diagnostics.is_empty()
}

#[test]
fn the_parser_reads_the_same() {
    assert!(NETWORKS.iter().all(|text| agree(text)));
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..20_000 {
        let mut rng = SeededRng::new(seed);
        let text = edited(&mut rng, NETWORKS[seed as usize % NETWORKS.len()]);
        *(if agree(&text) { &mut right } else { &mut wrong }) += 1;
    }
    assert!(right > 1000 && wrong > 1000, "{right} {wrong}");
}
