//! What each token of a text is, for highlighters to be compared with:
//! `cargo run --example tokens -- [--random COUNT] FILE…` prints an object of JSON for each text, with the text itself
//! and its tokens and comments as triples: start, end (in units of UTF-16) and what it is.
//!
//! What a name is comes from the syntax tree, not from the tokens around it. A text with mistakes is left out, since
//! its tree lacks what could not be parsed.

use laban::generate::{Parameters, choreography, network};
use laban::syntax::{
    GlobalAction, GlobalFork, GlobalInteraction, Language, LocalAction, LocalFork, Name, Span, Term, TokenKind, Tree,
    lex,
};
use laban::{Compact, Pretty, SyntaxTree, analyse};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let mut random = 0;
    if arguments.next_if(|argument| argument == "--random").is_some() {
        match arguments.next().and_then(|count| count.parse().ok()) {
            Some(count) => random = count,
            None => return usage(),
        }
    }
    if arguments.peek().is_none() && random == 0 {
        return usage();
    }
    let mut failed = false;
    for path in arguments {
        match std::fs::read_to_string(&path) {
            Ok(text) => print(&path, &text),
            Err(error) => {
                eprintln!("{path}: {error}");
                failed = true;
            }
        }
    }
    (0..random).for_each(print_random);
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn usage() -> ExitCode {
    eprintln!("usage: tokens [--random COUNT] FILE…");
    ExitCode::from(2)
}

/// A random choreography and a random network, each on one line and as it is formatted.
fn print_random(seed: u64) {
    let parameters = Parameters::new(20, 5, 4, 3);
    let parameters = match seed % 3 {
        0 => parameters,
        1 => parameters.with_races(3),
        _ => parameters.with_queues(6),
    };
    if let Ok(tree) = choreography(&parameters, seed) {
        print(&format!("random {seed}, a choreography"), &Compact(&tree).to_string());
        print(&format!("random {seed}, a choreography, formatted"), &Pretty { tree: &tree, source: "" }.to_string());
    }
    if let Ok(generated) = network(&parameters, seed) {
        let tree = generated.network_tree;
        print(&format!("random {seed}, a network"), &Compact(&tree).to_string());
        print(&format!("random {seed}, a network, formatted"), &Pretty { tree: &tree, source: "" }.to_string());
    }
}

fn print(name: &str, text: &str) {
    let analysis = analyse(text);
    if !analysis.syntax_errors().is_empty() {
        return eprintln!("{name}: left out, because it has mistakes");
    }
    let (language, meanings, comments) = match analysis.tree() {
        SyntaxTree::Network(tree) => ("net", network_meanings(text, tree), &tree.comments),
        SyntaxTree::Choreography(tree) => ("chor", choreography_meanings(tree), &tree.comments),
    };
    let mut pieces: Vec<(Span, &str)> = comments.iter().map(|&span| (span, "comment")).collect();
    for token in lex(text).tokens {
        let meaning = meanings.range(..=token.span.start).next_back();
        let class = match (meaning, token.kind) {
            (Some((_, (span, class))), _) if token.span.end <= span.end => Some(*class),
            // Half of `<~` or `~>`.
            (_, TokenKind::Less | TokenKind::Greater) if language == "chor" => Some("operator"),
            (_, kind) => by_kind(kind),
        };
        match class {
            Some(class) => pieces.push((token.span, class)),
            None if token.kind == TokenKind::End => {}
            // The other half.
            None if token.span.text(text) == "~" => pieces.push((token.span, "operator")),
            // No highlighter agrees with this.
            None => pieces.push((token.span, "unknown")),
        }
    }
    pieces.sort_by_key(|(span, _)| span.start);
    let mut line =
        format!("{{\"name\":{},\"language\":\"{language}\",\"text\":{},\"tokens\":[", json(name), json(text));
    let (mut at, mut units) = (0, 0);
    for (number, (span, class)) in pieces.iter().enumerate() {
        let mut place = |offset: u32| {
            units += text[at..offset as usize].encode_utf16().count();
            at = offset as usize;
            units
        };
        let (start, end) = (place(span.start), place(span.end));
        let comma = if number == 0 { "" } else { "," };
        let _ = write!(line, "{comma}[{start},{end},\"{class}\"]");
    }
    println!("{line}]}}");
}

/// What a token is that no name of the tree covers.
fn by_kind(kind: TokenKind) -> Option<&'static str> {
    use TokenKind::*;
    Some(match kind {
        Def | Main | If | Then | Else | Stop => "keyword",
        Exclamation | Question | Plus | Ampersand | Bar | DoubleBar | Arrow => "operator",
        OpenBrace | CloseBrace | OpenParenthesis | CloseParenthesis | OpenBracket | CloseBracket | Less | Greater
        | Semicolon | Comma | Colon | Dot => "punctuation",
        Identifier | Quoted | LoneQuote | Other | End => return None,
    })
}

/// What stretches of a text are, by where they start.
type Meanings = BTreeMap<u32, (Span, &'static str)>;

fn add(meanings: &mut Meanings, names: impl IntoIterator<Item = Name>, class: &'static str) {
    for name in names {
        meanings.insert(name.span.start, (name.span, class));
    }
}

/// A word at the beginning of a term.
fn add_word(meanings: &mut Meanings, span: Span, word: &str) {
    meanings.insert(span.start, (Span::new(span.start, span.start + word.len() as u32), "keyword"));
}

/// What is the same in both languages.
fn common_meanings<L: Language>(tree: &Tree<L>) -> Meanings {
    let mut meanings = Meanings::new();
    for unit in &tree.units {
        add(&mut meanings, unit.name, "process");
        add(&mut meanings, unit.procedures.iter().map(|procedure| procedure.name), "procedure");
        if let Some(span) = unit.service {
            add_word(&mut meanings, span, "service");
        }
    }
    for term in &tree.terms {
        if let Term::Call(name) = term {
            add(&mut meanings, [*name], "procedure");
        }
    }
    add(&mut meanings, tree.arms.iter().filter_map(|arm| arm.label), "label");
    add(&mut meanings, tree.labelled_values.iter().map(|value| value.label), "label");
    add(&mut meanings, tree.labelled_values.iter().map(|value| value.expression), "expression");
    for idle in &tree.idle {
        add_word(&mut meanings, idle.span, "idle");
    }
    meanings
}

fn network_meanings(text: &str, tree: &laban::syntax::NetworkTree) -> Meanings {
    let mut meanings = common_meanings(tree);
    for declaration in &tree.channels {
        for token in lex(declaration.span.text(text)).tokens {
            let word = token.span.text(declaration.span.text(text));
            let start = declaration.span.start + token.span.start;
            let class = match word.bytes().all(|byte| byte.is_ascii_digit()) {
                true => "number",
                false => "keyword",
            };
            if token.kind == TokenKind::Identifier {
                meanings.insert(start, (Span::new(start, start + word.len() as u32), class));
            }
        }
        let ends = declaration.items.iter().filter_map(|item| item.ends);
        add(&mut meanings, ends.flat_map(|(from, to)| [from, to]), "process");
    }
    for (term, &span) in tree.terms.iter().zip(&tree.spans) {
        match *term {
            Term::Act(LocalAction::Send { to, expression }, _) => {
                add(&mut meanings, [to], "process");
                add(&mut meanings, [expression], "expression");
            }
            Term::Act(LocalAction::Receive { from }, _) => add(&mut meanings, [from], "process"),
            Term::Act(LocalAction::Select { to, label }, _) => {
                add(&mut meanings, [to], "process");
                add(&mut meanings, [label], "label");
            }
            Term::Act(LocalAction::SelectValue { to, .. }, _) => add(&mut meanings, [to], "process"),
            Term::Fork(LocalFork::If { condition }, _) => add(&mut meanings, [condition], "expression"),
            Term::Fork(LocalFork::Offer { from } | LocalFork::OfferOne { from }, _) => {
                add(&mut meanings, [from], "process");
            }
            Term::Fork(LocalFork::Choose, _) => add_word(&mut meanings, span, "choose"),
            Term::Fork(LocalFork::Any, _) => add_word(&mut meanings, span, "any"),
            Term::Stop | Term::Call(_) | Term::Missing => {}
        }
    }
    meanings
}

fn choreography_meanings(tree: &laban::syntax::ChoreographyTree) -> Meanings {
    let mut meanings = common_meanings(tree);
    let mut interactions = tree.interactions.clone();
    for (term, &span) in tree.terms.iter().zip(&tree.spans) {
        match *term {
            Term::Act(GlobalAction::Interaction(interaction), _) => interactions.push(interaction),
            Term::Act(GlobalAction::Take { from, to }, _) => add(&mut meanings, [from, to], "process"),
            // What they consist of is among the interactions of the tree.
            Term::Act(GlobalAction::Group(_) | GlobalAction::Put(_), _) => {}
            Term::Fork(GlobalFork::If { process, condition }, _) => {
                add(&mut meanings, [process], "process");
                add(&mut meanings, [condition], "expression");
            }
            Term::Fork(GlobalFork::Choose { process }, _) => {
                add(&mut meanings, [process], "process");
                add_word(&mut meanings, span, "choose");
            }
            Term::Fork(GlobalFork::Any, _) => add_word(&mut meanings, span, "any"),
            Term::Stop | Term::Call(_) | Term::Missing => {}
        }
    }
    for interaction in interactions {
        match interaction {
            GlobalInteraction::Communicate { from, expression, to } => {
                add(&mut meanings, [from, to], "process");
                add(&mut meanings, [expression], "expression");
            }
            GlobalInteraction::Select { from, to, label } => {
                add(&mut meanings, [from, to], "process");
                add(&mut meanings, [label], "label");
            }
            GlobalInteraction::SelectValue { from, to, .. } => add(&mut meanings, [from, to], "process"),
        }
    }
    meanings
}

/// A text as a string of JSON.
fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\u{0}'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", character as u32);
            }
            _ => out.push(character),
        }
    }
    out + "\""
}
