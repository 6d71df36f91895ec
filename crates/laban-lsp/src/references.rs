//! Wherever the same process, procedure or label is named, on all sides; for anything else of an action, the actions
//! that it can meet. The same within one document are its highlights.

use crate::meets::counterparts;
use crate::names::{Entity, Occurrence, Role};
use crate::place::Place;
use crate::workspace::Workspace;
use gen_lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Location, ReferenceParams};
use laban::text::Span;

pub(crate) fn references(workspace: &Workspace, params: &ReferenceParams) -> Option<Vec<Location>> {
    let place = Place::of(workspace, &params.text_document_position_params)?;
    let is_wanted = |one: &Occurrence| {
        // A label is offered or selected; neither declares it.
        let is_label = matches!(one.entity, Entity::Label { .. });
        params.context.include_declaration || is_label || one.role == Role::Use
    };
    let found = found(&place).into_iter().filter(|(_, one)| one.as_ref().is_none_or(is_wanted));
    Some(found.filter_map(|(span, _)| place.system.location(span, workspace.columns)).collect())
}

pub(crate) fn highlights(workspace: &Workspace, params: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let place = Place::of(workspace, &params.text_document_position_params)?;
    let mut highlights = Vec::new();
    for (span, one) in found(&place) {
        let Some((part, span)) = place.system.locate(span) else { continue };
        if part.key == place.document.key {
            let kind = match one.map(|one| one.role) {
                Some(Role::Definition) => DocumentHighlightKind::Write,
                Some(Role::Use) => DocumentHighlightKind::Read,
                None => DocumentHighlightKind::Text,
            };
            highlights.push(DocumentHighlight { range: part.text.range(span, workspace.columns), kind: Some(kind) });
        }
    }
    Some(highlights)
}

/// The places that have to do with a position, each with the name that it is, if it is one.
fn found(place: &Place) -> Vec<(Span, Option<Occurrence>)> {
    if let Some(name) = place.name() {
        return place.system.names().same(name.entity).map(|one| (one.span, Some(*one))).collect();
    }
    let Some(term) = place.network_term() else { return Vec::new() };
    let others = counterparts(&place.system, term, None);
    if others.is_empty() {
        return Vec::new();
    }
    let own = place.system.analysis().network_tree().map(|tree| tree.span(term));
    let mut spans: Vec<Span> = others.into_iter().chain(own).collect();
    spans.sort_unstable();
    spans.into_iter().map(|span| (span, None)).collect()
}
