//! The standard layout, as `laban fmt` has it.

use crate::document::Document;
use crate::workspace::Workspace;
use gen_lsp_types::TextEdit;
use laban::syntax::{Pretty, Span};
use laban::{Analysis, SyntaxTree};

/// The edits that lay out a document; nothing if it has syntax errors or is not one of Laban's own.
pub(crate) fn edits(workspace: &Workspace, document: &Document) -> Option<Vec<TextEdit>> {
    let [only] = document.systems(&workspace.counters) else { return None };
    if !document.is_own() {
        return None;
    }
    let new = formatted(only.analysis())?;
    let old = document.text.content();
    if new == old {
        return Some(Vec::new());
    }
    // Whole lines that are the same at the start and at the end stay, and so does what is folded or marked in them.
    let lines = |text: &str| text.split_inclusive('\n').map(str::len).collect::<Vec<usize>>();
    let (old_lines, new_lines) = (lines(old), lines(&new));
    let (mut start, mut first) = (0, 0);
    while let (Some(&length), Some(&other)) = (old_lines.get(first), new_lines.get(first))
        && length == other
        && old[start..start + length] == new[start..start + length]
    {
        start += length;
        first += 1;
    }
    let (mut old_end, mut new_end) = (old.len(), new.len());
    for (&length, &other) in old_lines[first..].iter().rev().zip(new_lines[first..].iter().rev()) {
        if length != other || old[old_end - length..old_end] != new[new_end - other..new_end] {
            break;
        }
        old_end -= length;
        new_end -= other;
    }
    let range = document.text.range(Span::new(start as u32, old_end as u32), workspace.columns);
    Some(vec![TextEdit { range, new_text: new[start..new_end].to_string() }])
}

/// The text laid out, unless it has syntax errors.
pub(crate) fn formatted(analysis: &Analysis) -> Option<String> {
    let source = analysis.text();
    match (analysis.syntax_errors(), analysis.tree()) {
        ([], SyntaxTree::Network(tree)) => Some(Pretty { tree, source }.to_string()),
        ([], SyntaxTree::Choreography(tree)) => Some(Pretty { tree, source }.to_string()),
        _ => None,
    }
}
