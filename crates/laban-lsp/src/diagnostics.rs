//! Findings as the diagnostics of the protocol.
//!
//! A diagnostic goes to the document in which its main place is. Other places, and the steps of a run, are related
//! information, which may be in other documents; hints are lines of the message.

use crate::check::Finding;
use crate::document::Document;
use crate::system::System;
use crate::workspace::Workspace;
use gen_lsp_types::{
    Code as CodeText, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Message, Uri,
};
use laban::diagnostic::{Code, Severity};
use laban::text::Columns;
use std::collections::BTreeMap;
use std::sync::Arc;

/// More steps of a run than this are cut in the middle.
const MOST_STEPS: usize = 40;

/// What is shown of a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shown {
    pub(crate) uri: Uri,
    pub(crate) version: Option<i32>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What there is to say about its texts in a few words.
    pub(crate) summary: String,
}

/// What is shown of a document and of those that it is one network with, by their keys, as far as it is known.
pub(crate) fn shown(workspace: &Workspace, document: &Document) -> BTreeMap<String, Shown> {
    let systems = workspace.systems(document);
    let mut all: BTreeMap<String, Shown> = BTreeMap::new();
    let keys = systems.iter().flat_map(|system| system.parts.iter().map(|part| part.key.clone()));
    for key in keys.chain([document.key.clone()]) {
        let Some(document) = workspace.by_key(&key) else { continue };
        all.entry(key).or_insert_with(|| Shown {
            uri: Uri(document.uri.clone()),
            version: document.version,
            diagnostics: Vec::new(),
            summary: String::new(),
        });
    }
    for system in &systems {
        let Some(outcome) = system.outcome() else { continue };
        for finding in &outcome.findings {
            let Some((part, _)) = system.locate(finding.diagnostic.primary.span) else { continue };
            if let Some(shown) = all.get_mut(&part.key) {
                shown.diagnostics.extend(of(system, finding, workspace.columns));
            }
        }
        for part in &system.parts {
            let Some(shown) = all.get_mut(&part.key) else { continue };
            if !shown.summary.is_empty() {
                shown.summary.push_str("; ");
            }
            shown.summary.push_str(&outcome.summary);
        }
    }
    all
}

/// A finding in the words of the protocol.
pub(crate) fn of(system: &Arc<System>, finding: &Finding, columns: Columns) -> Option<Diagnostic> {
    let Finding { diagnostic, steps, .. } = finding;
    let mut message = diagnostic.message.clone();
    let lines = diagnostic.notes.iter().filter(|note| steps.is_empty() || note.steps.is_empty());
    for line in lines.map(|note| format!("note: {}", note.one_line())) {
        message.push('\n');
        message.push_str(&line);
    }
    for hint in &diagnostic.hints {
        message.push_str("\nhelp: ");
        message.push_str(hint);
    }
    let mut related = Vec::new();
    let mut add = |span, message: String| {
        let location = system.location(span, columns);
        related.extend(location.map(|location| DiagnosticRelatedInformation { location, message }));
    };
    diagnostic.secondary.iter().for_each(|place| add(place.span, place.label.clone()));
    let left_out = steps.len().saturating_sub(MOST_STEPS);
    for (index, step) in steps.iter().enumerate() {
        match index {
            _ if left_out == 0 || index < MOST_STEPS / 2 || index >= MOST_STEPS / 2 + left_out => {
                add(step.span, format!("{}. {}", index + 1, step.label));
            }
            _ if index == MOST_STEPS / 2 => add(step.span, format!("… {left_out} more steps")),
            _ => {}
        }
    }
    Some(Diagnostic {
        range: system.location(diagnostic.primary.span, columns)?.range,
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Note => DiagnosticSeverity::Information,
        }),
        code: Some(CodeText::String(diagnostic.code.as_str().to_string())),
        code_description: None,
        source: Some("laban".to_string()),
        message: Message::String(message),
        tags: match diagnostic.code {
            Code::UnusedProcedure | Code::NeverSelected => Some(vec![DiagnosticTag::Unnecessary]),
            _ => None,
        },
        related_information: (!related.is_empty()).then_some(related),
        data: None,
    })
}
