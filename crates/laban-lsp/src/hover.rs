//! Hover: what a call does, what a process waits for, whom an action can meet, why it is stuck, and what each construct
//! means.

use crate::check::Outcome;
use crate::meets::{arriving, counterparts};
use crate::names::{Entity, Occurrence, Role, term_at, unit_at};
use crate::place::Place;
use crate::system::System;
use crate::workspace::Workspace;
use gen_lsp_types::{Contents, Hover, HoverParams, MarkupContent, MarkupKind};
use laban::SyntaxTree;
use laban::diagnostic::quote;
use laban::syntax::{
    GlobalAction, GlobalFork, Language, LocalAction, LocalFork, NetworkTree, Term, TermId, TokenKind, Tree, lex,
};
use laban::text::{Columns, Span};

/// A longer definition is cut.
const MOST_LINES: usize = 16;
/// More places than this are counted.
const MOST_PLACES: usize = 5;

pub(crate) fn hover(workspace: &Workspace, params: &HoverParams) -> Option<Hover> {
    let place = Place::of(workspace, &params.text_document_position_params)?;
    if !place.system.is_own() {
        return None;
    }
    let (mut paragraphs, mut span) = (Vec::new(), None);
    if let Some(name) = place.name() {
        span = Some(name.span);
        paragraphs.push(named(&place.system, name));
    }
    if let Some((word, meaning)) = word(&place) {
        span = Some(word);
        paragraphs.push(meaning);
    } else if let Some((term, paragraph)) = action(&place, workspace.columns) {
        span = span.or(Some(term));
        paragraphs.push(paragraph);
    }
    if paragraphs.is_empty() {
        return None;
    }
    let value = paragraphs.join("\n\n");
    let range = span.and_then(|span| place.system.location(span, workspace.columns)).map(|location| location.range);
    Some(Hover { contents: Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }), range })
}

/// What is known about a name.
fn named(system: &System, name: Occurrence) -> String {
    match system.analysis().tree() {
        SyntaxTree::Network(tree) => match name.entity {
            Entity::Process(symbol) => process(system, tree.names.text(symbol)),
            entity => in_tree(system, tree, entity),
        },
        SyntaxTree::Choreography(tree) => match name.entity {
            Entity::Process(symbol) => format!("process {}", quote(tree.names.text(symbol))),
            entity => in_tree(system, tree, entity),
        },
    }
}

fn in_tree<L: Language>(system: &System, tree: &Tree<L>, entity: Entity) -> String {
    let text = |symbol| quote(tree.names.text(symbol));
    match entity {
        Entity::Process(symbol) => format!("process {}", text(symbol)),
        Entity::Procedure(unit, symbol) => {
            let unit = tree.units.get(unit as usize);
            let owner =
                unit.and_then(|unit| unit.name).map_or_else(String::new, |name| format!(" of {}", text(name.symbol)));
            let defined = unit.and_then(|unit| unit.procedures.iter().find(|one| one.name.symbol == symbol));
            match defined {
                Some(procedure) => {
                    let code = excerpt(procedure.span.text(system.text()));
                    format!("procedure {}{owner}\n\n```laban\n{code}\n```", text(symbol))
                }
                None => format!("procedure {}{owner}, which is not defined", text(symbol)),
            }
        }
        Entity::Label { from, to, label } => {
            let count = |role| system.names().same(entity).filter(|one| one.role == role).count();
            let (offered, selected) = (count(Role::Definition), count(Role::Use));
            format!(
                "label {}, which {} selects at {}: selected {}, offered {}",
                text(label),
                text(from),
                text(to),
                times(selected),
                times(offered)
            )
        }
    }
}

fn times(count: usize) -> String {
    match count {
        0 => "never".to_string(),
        1 => "once".to_string(),
        2 => "twice".to_string(),
        many => format!("{many} times"),
    }
}

fn excerpt(code: &str) -> String {
    let lines: Vec<&str> = code.lines().collect();
    let mut shown = lines.iter().take(MOST_LINES).copied().collect::<Vec<&str>>().join("\n");
    if lines.len() > MOST_LINES {
        shown.push_str("\n…");
    }
    shown
}

/// What a process is, whom it talks to, and what it waits for at the end if it is stuck.
fn process(system: &System, name: &str) -> String {
    let mut text = format!("process {}", quote(name));
    let Some(network) = system.analysis().network() else { return text };
    let Some(id) = network.process_named(name) else { return text };
    let Some(process) = network.process(id) else { return text };
    if process.service {
        text = format!("service {}, which may wait forever", quote(name));
    }
    let states = process.states.of(network.states());
    let mut partners: Vec<_> = states.iter().filter_map(|state| state.partner()).collect();
    partners.sort_unstable();
    partners.dedup();
    let partners: Vec<&str> = partners.into_iter().map(|partner| network.process_name(partner)).collect();
    text.push_str(&format!(": {}", crate::check::count(states.len(), "state", "states")));
    if !partners.is_empty() {
        text.push_str(&format!(", talks to {}", laban::diagnostic::listed(partners.into_iter(), "and")));
    }
    let explanations = system.outcome().and_then(|outcome| outcome.extraction.as_ref());
    for explanation in explanations.iter().flat_map(|extraction| extraction.explanations()) {
        if let Some(waiting) = explanation.waiting(id) {
            let wish = waiting.wish.describe(network);
            text.push_str(&format!("\n\n{} can get stuck: it {wish:#}", quote(name)));
        }
    }
    text
}

/// What an action does, whom it can meet, and whether it is stuck.
fn action(place: &Place, columns: Columns) -> Option<(Span, String)> {
    let system = &place.system;
    match system.analysis().tree() {
        SyntaxTree::Network(tree) => {
            let term = term_at(tree, place.offset)?;
            // A fork covers all that is in it: only its head counts.
            let head = head(tree, term);
            if place.offset > head.end {
                return None;
            }
            let mut text = local_meaning(tree, term)?;
            for line in [meeting(system, tree, term, columns), stuck(system, tree, term)].into_iter().flatten() {
                text.push_str("\n\n");
                text.push_str(&line);
            }
            Some((head, text))
        }
        SyntaxTree::Choreography(tree) => {
            let term = term_at(tree, place.offset)?;
            let span = tree.span(term);
            let meaning = match tree.term(term) {
                Term::Act(GlobalAction::Interaction(_), _) => {
                    "`p.e -> q` or `p -> q[l]`: p sends the value of e to q, or selects the label l at q, or both"
                }
                Term::Act(GlobalAction::Group(_), _) => {
                    "`(p.e -> q, q.f -> p)`: several interactions at once: all messages are sent, then all are received"
                }
                Term::Act(GlobalAction::Put(_), _) => "`p.e ~> q`: p puts the value of e into the queue to q",
                Term::Act(GlobalAction::Take { .. }, _) => "`q <~ p`: q takes the oldest message from the queue from p",
                Term::Fork(GlobalFork::If { condition, .. }, _) if place.offset <= condition.span.end => {
                    "`if p.e then … else …`: p decides by a condition"
                }
                _ => return None,
            };
            Some((span, meaning.to_string()))
        }
    }
}

/// The beginning of a term, without what follows it.
fn head(tree: &NetworkTree, term: TermId) -> Span {
    let span = tree.span(term);
    match tree.term(term) {
        Term::Fork(LocalFork::If { condition }, _) => span.to(condition.span),
        Term::Fork(LocalFork::Offer { from }, _) => Span::new(span.start, from.span.end + 2),
        Term::Fork(LocalFork::Choose, _) => Span::new(span.start, span.start + 6),
        Term::Fork(LocalFork::Any, _) => Span::new(span.start, span.start + 3),
        _ => span,
    }
}

fn local_meaning(tree: &NetworkTree, term: TermId) -> Option<String> {
    let text = |name| tree.text(name);
    Some(match tree.term(term) {
        Term::Act(LocalAction::Send { to, expression }, _) => {
            format!("sends the value of {} to {}, then continues", quote(text(expression)), quote(text(to)))
        }
        Term::Act(LocalAction::Receive { from }, _) => format!("waits for a value from {}", quote(text(from))),
        Term::Act(LocalAction::Select { to, label }, _) => {
            format!("selects the label {} at {}", quote(text(label)), quote(text(to)))
        }
        Term::Act(LocalAction::SelectValue { to, content }, _) => {
            let content = tree.labelled(content);
            format!(
                "selects the label {} at {} and sends the value of {} with it",
                quote(text(content.label)),
                quote(text(to)),
                quote(text(content.expression))
            )
        }
        Term::Fork(LocalFork::Offer { from } | LocalFork::OfferOne { from }, arms) => {
            let labels: Vec<&str> = arms.of(&tree.arms).iter().filter_map(|arm| arm.label).map(text).collect();
            format!("waits until {} selects {}", quote(text(from)), laban::diagnostic::listed(labels.into_iter(), "or"))
        }
        Term::Fork(LocalFork::If { condition }, _) => {
            format!("decides by {}: a local condition, which Laban does not look into", quote(text(condition)))
        }
        Term::Fork(LocalFork::Choose | LocalFork::Any, _) | Term::Call(_) | Term::Stop | Term::Missing => return None,
    })
}

/// Whom an action can meet.
fn meeting(system: &System, tree: &NetworkTree, term: TermId, columns: Columns) -> Option<String> {
    let is_fork =
        !matches!(tree.term(term), Term::Act(..) | Term::Fork(LocalFork::Offer { .. } | LocalFork::OfferOne { .. }, _));
    if is_fork {
        return None;
    }
    let is_known = system.meetings().is_some_and(laban::extraction::Meetings::is_complete);
    let others = counterparts(system, term, None);
    if others.is_empty() {
        return is_known.then(|| "no run gets here".to_string());
    }
    let describe = |&span: &Span| {
        let owner = unit_at(tree, span.start).and_then(|unit| tree.units[unit].name);
        let owner = owner.map_or_else(String::new, |name| quote(tree.text(name)));
        let line = system.location(span, columns).map_or(0, |location| location.range.start.line + 1);
        format!("{owner} on line {line}")
    };
    let mut words: Vec<String> = others.iter().take(MOST_PLACES).map(describe).collect();
    if others.len() > MOST_PLACES {
        words.push(format!("{} more", others.len() - MOST_PLACES));
    }
    let verb = if is_known { "meets" } else { "can meet" };
    let values = arriving(system, term);
    let arrives = match values.is_empty() {
        true => String::new(),
        false => format!("; arriving: {}", values.iter().map(|value| quote(value)).collect::<Vec<_>>().join(", ")),
    };
    Some(format!("{verb} {}{arrives}", words.join(", ")))
}

/// Why nothing goes on here, if a search has found that.
fn stuck(system: &System, tree: &NetworkTree, term: TermId) -> Option<String> {
    let network = system.analysis().network()?;
    let extraction = system.outcome().and_then(|outcome: &Outcome| outcome.extraction.as_ref())?;
    let span = tree.span(term);
    for explanation in extraction.explanations() {
        let waiting = explanation.stuck.iter().find(|waiting| waiting.span == span);
        if let Some(waiting) = waiting {
            let name = quote(network.process_name(waiting.process));
            return Some(format!("**{name} can get stuck here**: {}", explanation.reason(network)));
        }
    }
    None
}

/// What a word of the language means.
fn word(place: &Place) -> Option<(Span, String)> {
    let text = place.system.text();
    // The lines around it are enough.
    let from = text[..place.offset as usize].rfind('\n').map_or(0, |at| at + 1);
    let to = text[place.offset as usize..].find('\n').map_or(text.len(), |at| place.offset as usize + at);
    let local = place.offset - from as u32;
    let tokens = lex(&text[from..to]).tokens;
    let token = tokens.iter().find(|token| token.span.start <= local && local < token.span.end)?;
    let word = token.span.text(&text[from..to]);
    let is_name = || place.name().is_some();
    let meaning = match (token.kind, word) {
        (TokenKind::Def, _) => "`def X { … }`: a procedure, which others of the same process call by its name",
        (TokenKind::Main, _) => "`main { … }`: execution starts here",
        (TokenKind::If | TokenKind::Then | TokenKind::Else, _) => {
            "`if e then … else …`: decides by a local condition, which can go either way each time"
        }
        (TokenKind::Stop, _) => "`stop` or `0`: done",
        (TokenKind::Bar, _) => "`|`: the processes of a network run side by side",
        (TokenKind::DoubleBar, _) => "`||`: independent parts of a choreography; no process is in two of them",
        (TokenKind::Identifier, _) if is_name() => return None,
        (_, "service") => "`service p { … }`: a process that may wait forever, such as a logger or a bank",
        (_, "idle") => "`idle B`: waits here forever if need be; B begins with a receive, an offer or an `any`",
        (_, "choose") => "`choose { …, … }`: decides freely, by nobody's expression",
        (_, "any") => "`any { …, … }`: does the first of these that can happen; each begins with an interaction",
        (_, "channels") => {
            "`channels …;`: how messages get from one process to another; by rendezvous if nothing is said"
        }
        (_, "queue") => "`queue` or `queue 4`: messages wait, and are taken in the order in which they were put there",
        (_, "rendezvous") => "`rendezvous`: sender and receiver act together; who comes first waits for the other",
        _ => return None,
    };
    let span = Span::new(token.span.start + from as u32, token.span.end + from as u32);
    // What looks like one of these words in an expression means nothing.
    let is_outside = token.kind != TokenKind::Identifier || !in_expression(place);
    is_outside.then(|| (span, meaning.to_string()))
}

/// Whether a place that is not a name is in an expression.
fn in_expression(place: &Place) -> bool {
    let offset = place.offset;
    match place.system.analysis().tree() {
        SyntaxTree::Network(tree) => term_at(tree, offset).is_some_and(|term| match tree.term(term) {
            Term::Act(..) => true,
            Term::Fork(LocalFork::If { condition }, _) => offset <= condition.span.end,
            _ => false,
        }),
        SyntaxTree::Choreography(tree) => term_at(tree, offset).is_some_and(|term| match tree.term(term) {
            Term::Act(..) => true,
            Term::Fork(GlobalFork::If { condition, .. }, _) => offset <= condition.span.end,
            _ => false,
        }),
    }
}
