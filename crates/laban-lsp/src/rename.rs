//! Rename of processes, procedures and labels, wherever they are named.
//!
//! A name that would become the same as another one is refused, and so is any rename in a text that does not parse: its
//! names are not all known. So a rename leaves a system that does the same, but for the name.

use crate::edits::workspace_edit;
use crate::names::{Entity, Occurrence};
use crate::place::Place;
use crate::settings::Settings;
use crate::system::System;
use crate::workspace::Workspace;
use gen_lsp_types::{PrepareRenameParams, PrepareRenamePlaceholder, PrepareRenameResult, RenameParams, WorkspaceEdit};
use laban::SyntaxTree;
use laban::diagnostic::{Replacement, quote};
use laban::syntax::{Names, Symbol, TokenKind, lex};

/// Words that mean something in some places, though they are names in others.
const SPECIAL: [&str; 7] = ["service", "idle", "choose", "any", "channels", "queue", "rendezvous"];

/// What would be renamed.
pub(crate) fn prepare(
    workspace: &Workspace,
    params: &PrepareRenameParams,
) -> Result<Option<PrepareRenameResult>, String> {
    let Some(place) = Place::of(workspace, &params.text_document_position_params) else { return Ok(None) };
    let Some(name) = place.name() else { return Ok(None) };
    parses(&place.system)?;
    let Some(location) = place.system.location(name.span, workspace.columns) else { return Ok(None) };
    let placeholder = name.span.text(place.system.text()).to_string();
    Ok(Some(PrepareRenameResult::PrepareRenamePlaceholder(PrepareRenamePlaceholder {
        range: location.range,
        placeholder,
    })))
}

/// The edits of a rename, or why there are none.
pub(crate) fn rename(
    workspace: &Workspace,
    settings: &Settings,
    params: &RenameParams,
) -> Result<Option<WorkspaceEdit>, String> {
    let Some(place) = Place::of(workspace, &params.text_document_position_params) else { return Ok(None) };
    let Some(name) = place.name() else { return Err("there is no name here".to_string()) };
    parses(&place.system)?;
    let new = params.new_name.as_str();
    check_name(new)?;
    check_clash(&place.system, name, new)?;
    let replacements: Vec<Replacement> = place
        .system
        .names()
        .same(name.entity)
        .map(|one| Replacement { span: one.span, text: new.to_string() })
        .collect();
    Ok(workspace_edit(workspace, settings, &place.system, &replacements))
}

fn parses(system: &System) -> Result<(), String> {
    match system.broken().is_empty() && system.analysis().syntax_errors().is_empty() {
        true => Ok(()),
        false => Err("there are syntax errors; fix them first, so that no name is missed".to_string()),
    }
}

fn check_name(new: &str) -> Result<(), String> {
    let tokens = lex(new);
    let is_name = matches!(tokens.tokens.as_slice(),
        [one, end] if one.kind == TokenKind::Identifier && one.span.text(new) == new && end.kind == TokenKind::End);
    match () {
        () if SPECIAL.contains(&new) => Err(format!("{} is a word of the language", quote(new))),
        () if tokens.tokens.first().is_some_and(|one| one.kind.is_reserved_word() && one.span.text(new) == new) => {
            Err(format!("{} is a reserved word", quote(new)))
        }
        () if is_name => Ok(()),
        () => Err(format!("{} is not a name: use letters, digits, `_` and `'`", quote(new))),
    }
}

/// Whether something else of the same kind is called that.
fn check_clash(system: &System, name: Occurrence, new: &str) -> Result<(), String> {
    let names: &Names = match system.analysis().tree() {
        SyntaxTree::Network(tree) => &tree.names,
        SyntaxTree::Choreography(tree) => &tree.names,
    };
    let is_new = |symbol: Symbol| names.text(symbol) == new;
    let what = system.names().all().iter().find_map(|one| match (one.entity, name.entity) {
        (one, renamed) if one == renamed => None,
        (Entity::Process(other), Entity::Process(_)) if is_new(other) => Some("process"),
        (Entity::Procedure(unit, other), Entity::Procedure(own, _)) if unit == own && is_new(other) => {
            Some("procedure")
        }
        (Entity::Label { from, to, label }, Entity::Label { from: sender, to: receiver, .. })
            if (from, to) == (sender, receiver) && is_new(label) =>
        {
            Some("label")
        }
        _ => None,
    });
    match what {
        Some(what) => Err(format!("there is a {what} {} already", quote(new))),
        None => Ok(()),
    }
}
