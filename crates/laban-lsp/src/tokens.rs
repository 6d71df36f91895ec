//! Semantic tokens: what each word of a text is, for editors that colour by meaning.

use crate::document::Document;
use crate::names::{Entity, Role};
use crate::place::systems_in;
use crate::system::System;
use crate::workspace::Workspace;
use gen_lsp_types::{Position, Range, SemanticToken, SemanticTokens};
use laban::SyntaxTree;
use laban::syntax::{
    ChoreographyTree, GlobalAction, GlobalFork, GlobalInteraction, LocalAction, LocalFork, NetworkTree, Term,
    TokenKind, lex,
};
use laban::text::Span;
use std::collections::BTreeSet;

/// The types of tokens, in the order of their numbers.
pub(crate) const TYPES: &[&str] =
    &["keyword", "class", "function", "enumMember", "string", "comment", "operator", "number"];
/// The modifiers of tokens, in the order of their bits.
pub(crate) const MODIFIERS: &[&str] = &["declaration"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Keyword,
    Process,
    Procedure,
    Label,
    Expression,
    Comment,
    Operator,
    Number,
}

/// A stretch of text that is one thing.
type Piece = (Span, Kind, Role);

pub(crate) fn tokens(workspace: &Workspace, document: &Document, range: Option<Range>) -> SemanticTokens {
    let mut data = Vec::new();
    let mut last = Position::default();
    for (system, asked) in systems_in(workspace, document, range) {
        if !system.is_own() {
            continue;
        }
        for (span, kind, role) in pieces(&system, asked) {
            let Some((part, place)) = system.locate(span) else { continue };
            if part.key != document.key {
                continue;
            }
            // A token is on one line.
            let mut start = place.start;
            for line in place.text(part.text.content()).split_inclusive('\n') {
                let visible = line.trim_end_matches(['\n', '\r']).len() as u32;
                let range = part.text.range(Span::new(start, start + visible), workspace.columns);
                start += line.len() as u32;
                // Where the text is broken, two may overlap.
                if visible == 0 || range.start < last {
                    continue;
                }
                let delta_line = range.start.line - last.line;
                let before = if delta_line == 0 { last.character } else { 0 };
                data.push(SemanticToken {
                    delta_line,
                    delta_start: range.start.character - before,
                    length: range.end.character - range.start.character,
                    token_type: kind as u32,
                    token_modifiers_bitset: u32::from(role == Role::Definition),
                });
                last = range.start;
            }
        }
    }
    SemanticTokens { result_id: None, data }
}

/// What is in a stretch of the text, in order.
fn pieces(system: &System, asked: Span) -> Vec<Piece> {
    let is_asked = |span: Span| span.end > asked.start && span.start < asked.end;
    let text = system.text();
    let (mut expressions, words, comments) = match system.analysis().tree() {
        SyntaxTree::Network(tree) => (local_expressions(tree), local_words(tree), &tree.comments),
        SyntaxTree::Choreography(tree) => (global_expressions(tree), global_words(tree), &tree.comments),
    };
    expressions.retain(|&span| is_asked(span));
    expressions.sort_unstable();
    let words: BTreeSet<u32> = words.into_iter().collect();
    // In what is said of channels, all that is not a name or a number is a word of the language.
    let channels = system.analysis().network_tree().map_or(&[][..], |tree| &tree.channels);
    let in_channels = |span: Span| channels.iter().any(|one| one.span.start <= span.start && span.end <= one.span.end);
    let names = system.names().all();
    let mut pieces: Vec<Piece> =
        comments.iter().filter(|&&span| is_asked(span)).map(|&span| (span, Kind::Comment, Role::Use)).collect();
    pieces.extend(expressions.iter().map(|&span| (span, Kind::Expression, Role::Use)));
    let inside = |span: Span| {
        let after = expressions.partition_point(|one| one.start <= span.start);
        after > 0 && span.start < expressions[after - 1].end
    };
    let tokens = lex(text).tokens;
    let mut name = names.partition_point(|one| one.span.end <= asked.start);
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| is_asked(token.span)) {
        if inside(token.span) {
            continue;
        }
        while names.get(name).is_some_and(|one| one.span.end <= token.span.start) {
            name += 1;
        }
        let is_number = || token.span.text(text).bytes().all(|byte| byte.is_ascii_digit());
        let kind = match token.kind {
            _ if words.contains(&token.span.start) && !is_number() => Kind::Keyword,
            kind if kind.is_reserved_word() => Kind::Keyword,
            TokenKind::Identifier => match names.get(name).filter(|one| one.span == token.span) {
                Some(one) => {
                    let kind = match one.entity {
                        Entity::Process(_) => Kind::Process,
                        Entity::Procedure(..) => Kind::Procedure,
                        Entity::Label { .. } => Kind::Label,
                    };
                    pieces.push((token.span, kind, one.role));
                    continue;
                }
                None if is_number() => Kind::Number,
                None if in_channels(token.span) => Kind::Keyword,
                None => continue,
            },
            TokenKind::Exclamation
            | TokenKind::Question
            | TokenKind::Plus
            | TokenKind::Ampersand
            | TokenKind::Bar
            | TokenKind::DoubleBar
            | TokenKind::Arrow => Kind::Operator,
            // `~>` and `<~` are two tokens each.
            TokenKind::Other if token.span.text(text) == "~" => {
                let near = |at: usize| tokens.get(at).filter(|other| matches!(other.span.text(text), "<" | ">"));
                let before = index.checked_sub(1).and_then(near).filter(|other| other.span.end == token.span.start);
                let after = near(index + 1).filter(|other| other.span.start == token.span.end);
                let start = before.map_or(token.span.start, |other| other.span.start);
                let end = after.map_or(token.span.end, |other| other.span.end);
                pieces.push((Span::new(start, end), Kind::Operator, Role::Use));
                continue;
            }
            _ => continue,
        };
        pieces.push((token.span, kind, Role::Use));
    }
    pieces.sort_unstable();
    pieces
}

/// Where the words start that are special in their places only.
fn local_words(tree: &NetworkTree) -> Vec<u32> {
    let services = tree.units.iter().filter_map(|unit| unit.service).map(|span| span.start);
    let idle = tree.idle.iter().map(|idle| idle.span.start);
    let forks = tree.terms.iter().zip(&tree.spans).filter_map(|(term, span)| {
        matches!(term, Term::Fork(LocalFork::Choose | LocalFork::Any, _)).then_some(span.start)
    });
    services.chain(idle).chain(forks).collect()
}

fn global_words(tree: &ChoreographyTree) -> Vec<u32> {
    let forks = tree.terms.iter().zip(&tree.spans);
    let is_word = |term: &Term<_>| matches!(term, Term::Fork(GlobalFork::Choose { .. } | GlobalFork::Any, _));
    forks.filter(|(term, _)| is_word(term)).map(|(_, span)| span.start).collect()
}

fn local_expressions(tree: &NetworkTree) -> Vec<Span> {
    let of_terms = tree.terms.iter().filter_map(|term| match *term {
        Term::Act(LocalAction::Send { expression, .. }, _) => Some(expression.span),
        Term::Act(LocalAction::SelectValue { content, .. }, _) => Some(tree.labelled(content).expression.span),
        Term::Fork(LocalFork::If { condition }, _) => Some(condition.span),
        _ => None,
    });
    of_terms.collect()
}

fn global_expressions(tree: &ChoreographyTree) -> Vec<Span> {
    let of = |interaction: GlobalInteraction| match interaction {
        GlobalInteraction::Communicate { expression, .. } => Some(expression.span),
        GlobalInteraction::SelectValue { content, .. } => Some(tree.labelled(content).expression.span),
        GlobalInteraction::Select { .. } => None,
    };
    let of_terms = tree.terms.iter().filter_map(|term| match *term {
        Term::Act(GlobalAction::Interaction(interaction), _) => of(interaction),
        Term::Fork(GlobalFork::If { condition, .. }, _) => Some(condition.span),
        _ => None,
    });
    of_terms.chain(tree.interactions.iter().filter_map(|&interaction| of(interaction))).collect()
}
