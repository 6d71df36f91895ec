//! Edits as a client applies them.

use crate::client::offset_of;
use gen_lsp_types::{DocumentChange, Edit, TextEdit, WorkspaceEdit};
use std::collections::BTreeMap;

/// A text after edits, none of which overlap.
pub(crate) fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut sorted: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| (offset_of(text, edit.range.start), offset_of(text, edit.range.end), edit.new_text.as_str()))
        .collect();
    sorted.sort_by_key(|&(start, end, _)| (start, end));
    let mut new = String::new();
    let mut at = 0;
    for (start, end, with) in sorted {
        assert!(at <= start && start <= end, "{edits:?}");
        new.push_str(&text[at..start]);
        new.push_str(with);
        at = end;
    }
    new.push_str(&text[at..]);
    new
}

/// The edits of each document.
pub(crate) fn by_document(edit: WorkspaceEdit) -> BTreeMap<String, Vec<TextEdit>> {
    let mut all: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
    for change in edit.document_changes.unwrap_or_default() {
        let DocumentChange::TextDocumentEdit(change) = change else { panic!("{change:?}") };
        let edits = change.edits.into_iter().map(|edit| match edit {
            Edit::TextEdit(edit) => edit,
            other => panic!("{other:?}"),
        });
        all.entry(change.text_document.text_document_identifier.uri.0).or_default().extend(edits);
    }
    let sorted: BTreeMap<String, Vec<TextEdit>> =
        edit.changes.unwrap_or_default().into_iter().map(|(uri, edits)| (uri.0, edits)).collect();
    all.extend(sorted);
    all
}
