//! Code actions: what a finding suggests, done.
//!
//! Each edit comes as data from the library ([`Fix`]): did you mean, a missing semicolon, the selections of `amend`, a
//! service, an idle wait, a branch that is missing. Definitions that are missing are added here, as a start that does
//! nothing.

use crate::check::Finding;
use crate::diagnostics;
use crate::document::Document;
use crate::edits::workspace_edit;
use crate::format;
use crate::names::unit_at;
use crate::place::systems_in;
use crate::settings::Settings;
use crate::system::System;
use crate::workspace::Workspace;
use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionParams, CodeActionResponse, WorkspaceEdit};
use laban::SyntaxTree;
use laban::diagnostic::{Code, Fix, Replacement, quote};
use laban::syntax::{Language, Tree};
use laban::text::Span;
use std::sync::Arc;

pub(crate) fn actions(
    workspace: &Workspace,
    settings: &Settings,
    params: &CodeActionParams,
) -> Vec<CodeActionResponse> {
    let Some(document) = workspace.document(&params.text_document.uri.0) else { return Vec::new() };
    let is_wanted = |kind: &str| {
        let only = params.context.only.as_ref();
        only.is_none_or(|only| {
            only.iter().any(|one| {
                let one = one.to_string();
                one.is_empty() || kind == one || kind.starts_with(&format!("{one}."))
            })
        })
    };
    let mut actions = Vec::new();
    if is_wanted("quickfix") {
        for (system, asked) in systems_in(workspace, document, Some(params.range)) {
            let Some(outcome) = system.outcome() else { continue };
            for finding in &outcome.findings {
                let span = finding.diagnostic.primary.span;
                if span.start <= asked.end && asked.start <= span.end {
                    actions.extend(of_finding(workspace, settings, &system, finding));
                }
            }
        }
    }
    if is_wanted("source.format") {
        actions.extend(layout(workspace, settings, document));
    }
    actions.into_iter().map(CodeActionResponse::CodeAction).collect()
}

fn of_finding(workspace: &Workspace, settings: &Settings, system: &Arc<System>, finding: &Finding) -> Vec<CodeAction> {
    let shown = diagnostics::of(system, finding, workspace.columns);
    let mut actions = Vec::new();
    for (index, fix) in fixes(system, finding).into_iter().enumerate() {
        let Some(edit) = workspace_edit(workspace, settings, system, &fix.replacements) else { continue };
        actions.push(CodeAction {
            title: fix.title,
            kind: Some(CodeActionKind::QuickFix),
            diagnostics: shown.clone().map(|shown| vec![shown]),
            is_preferred: (index == 0).then_some(true),
            edit: Some(edit),
            ..CodeAction::default()
        });
    }
    actions
}

/// Everything that would cure a finding, the likeliest first.
pub(crate) fn fixes(system: &System, finding: &Finding) -> Vec<Fix> {
    let own = finding.diagnostic.fixes.iter().chain(&finding.fixes).cloned();
    let missing = match system.analysis().tree() {
        _ if !system.is_own() => None,
        SyntaxTree::Network(tree) => missing(system, tree, finding),
        SyntaxTree::Choreography(tree) => missing(system, tree, finding),
    };
    own.chain(missing).collect()
}

/// A definition that is missing.
fn missing<L: Language>(system: &System, tree: &Tree<L>, finding: &Finding) -> Option<Fix> {
    let span = finding.diagnostic.primary.span;
    let name = span.text(system.text());
    let unit = unit_at(tree, span.start).and_then(|unit| tree.units.get(unit));
    let (title, at, text) = match finding.diagnostic.code {
        Code::UnknownProcess if matches!(system.analysis().tree(), SyntaxTree::Network(_)) => {
            let end = tree.units.last()?.span.end;
            (format!("add a process {}", quote(name)), end, format!("\n| {name} {{ main {{ stop }} }}"))
        }
        Code::UnknownProcedure => {
            let main = unit?.mains.first()?.span.start;
            (format!("add a procedure {}", quote(name)), main, format!("def {name} {{ stop }} "))
        }
        Code::MissingMain => {
            let last = unit?.procedures.last()?.span.end;
            ("add `main`".to_string(), last, " main { stop }".to_string())
        }
        _ => return None,
    };
    Some(Fix { title, replacements: vec![Replacement { span: Span::new(at, at), text }] })
}

/// The standard layout, if the document is not laid out like that.
fn layout(workspace: &Workspace, settings: &Settings, document: &Document) -> Option<CodeAction> {
    let edits = format::edits(workspace, document).filter(|edits| !edits.is_empty())?;
    let system = document.systems(&workspace.counters).first()?;
    let replacements: Vec<Replacement> = edits
        .into_iter()
        .map(|edit| Replacement { span: document.text.span(edit.range, workspace.columns), text: edit.new_text })
        .collect();
    let edit: WorkspaceEdit = workspace_edit(workspace, settings, system, &replacements)?;
    Some(CodeAction {
        title: "format".to_string(),
        kind: Some(CodeActionKind::from("source.format".to_string())),
        edit: Some(edit),
        ..CodeAction::default()
    })
}
