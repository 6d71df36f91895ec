//! Inlay hints: which values arrive at a receive, where a search has shown it.

use crate::document::Document;
use crate::meets::arriving;
use crate::place::systems_in;
use crate::workspace::Workspace;
use gen_lsp_types::{InlayHint, InlayHintKind, Label, Range, Tooltip};
use laban::syntax::{LocalAction, Term, TermId};

/// More values than this are counted.
const MOST_VALUES: usize = 3;
/// More hints than this in one answer help nobody.
const MOST_HINTS: usize = 500;
/// Longer values are cut.
const LONGEST: usize = 24;

pub(crate) fn hints(workspace: &Workspace, document: &Document, range: Range) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    for (system, asked) in systems_in(workspace, document, Some(range)) {
        let Some(tree) = system.analysis().network_tree().filter(|_| system.is_own()) else { continue };
        let from = tree.spans.partition_point(|span| span.start < asked.start);
        for index in from..tree.terms.len() {
            let (term, span) = (TermId(index as u32), tree.spans[index]);
            if span.start > asked.end || hints.len() >= MOST_HINTS {
                break;
            }
            if !matches!(tree.term(term), Term::Act(LocalAction::Receive { .. }, _)) {
                continue;
            }
            let values = arriving(&system, term);
            let Some((part, place)) = system.locate(span) else { continue };
            if values.is_empty() || part.key != document.key {
                continue;
            }
            hints.push(InlayHint {
                position: part.text.position(place.end as usize, workspace.columns),
                label: Label::String(listed(&values)),
                kind: Some(InlayHintKind::Parameter),
                text_edits: None,
                tooltip: Some(Tooltip::String("what arrives here".to_string())),
                padding_left: Some(true),
                padding_right: None,
                data: None,
            });
        }
    }
    hints
}

fn listed(values: &[String]) -> String {
    let cut = |value: &String| match value.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &value[..at]),
        None => value.clone(),
    };
    let mut words: Vec<String> = values.iter().take(MOST_VALUES).map(cut).collect();
    if values.len() > MOST_VALUES {
        words.push(format!("… ({})", values.len()));
    }
    words.join(" | ")
}
