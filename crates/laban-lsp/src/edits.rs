//! Edits of several documents.

use crate::settings::Settings;
use crate::system::System;
use crate::workspace::Workspace;
use gen_lsp_types::{
    DocumentChange, Edit, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextDocumentIdentifier, TextEdit,
    Uri, WorkspaceEdit,
};
use laban::diagnostic::Replacement;
use std::collections::{BTreeMap, HashMap};

/// Replacements in the text of a system as edits of its documents. Nothing if a place is in none of them.
pub(crate) fn workspace_edit(
    workspace: &Workspace,
    settings: &Settings,
    system: &System,
    replacements: &[Replacement],
) -> Option<WorkspaceEdit> {
    let mut by_document: BTreeMap<&str, (&str, Vec<TextEdit>)> = BTreeMap::new();
    let mut sorted: Vec<&Replacement> = replacements.iter().collect();
    sorted.sort_by_key(|one| one.span);
    for Replacement { span, text } in sorted {
        let (part, span) = system.locate(*span)?;
        let range = part.text.range(span, workspace.columns);
        let (_, edits) = by_document.entry(&part.key).or_insert((&part.uri, Vec::new()));
        edits.push(TextEdit { range, new_text: text.clone() });
    }
    if !settings.versioned_edits {
        let changes: HashMap<Uri, Vec<TextEdit>> =
            by_document.into_values().map(|(uri, edits)| (Uri(uri.to_string()), edits)).collect();
        return Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() });
    }
    let change = |(key, (uri, edits)): (&str, (&str, Vec<TextEdit>))| {
        DocumentChange::TextDocumentEdit(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                version: workspace.by_key(key).and_then(|document| document.version),
                text_document_identifier: TextDocumentIdentifier { uri: Uri(uri.to_string()) },
            },
            edits: edits.into_iter().map(Edit::TextEdit).collect(),
        })
    };
    let document_changes = by_document.into_iter().map(change).collect();
    Some(WorkspaceEdit { document_changes: Some(document_changes), ..WorkspaceEdit::default() })
}
