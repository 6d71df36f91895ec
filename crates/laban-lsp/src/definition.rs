//! Go to definition: of a process or procedure where it is defined; of a label, a value or an operator the actions of
//! the partner that can take what is sent, or that send what is received.

use crate::meets::counterparts;
use crate::names::{Entity, Role};
use crate::place::Place;
use crate::workspace::Workspace;
use gen_lsp_types::{Definition, DefinitionParams, DefinitionResponse, Location};
use laban::text::Span;

pub(crate) fn definition(workspace: &Workspace, params: &DefinitionParams) -> Option<DefinitionResponse> {
    let place = Place::of(workspace, &params.text_document_position_params)?;
    let spans = spans(&place);
    let locations: Vec<Location> =
        spans.into_iter().filter_map(|span| place.system.location(span, workspace.columns)).collect();
    (!locations.is_empty()).then_some(DefinitionResponse::Definition(Definition::LocationList(locations)))
}

fn spans(place: &Place) -> Vec<Span> {
    let names = place.system.names();
    let Some(name) = place.name() else {
        return place.network_term().map_or_else(Vec::new, |term| counterparts(&place.system, term, None));
    };
    match name.entity {
        Entity::Process(_) | Entity::Procedure(..) => {
            let defined: Vec<Span> = names.definitions(name.entity).map(|one| one.span).collect();
            match defined.is_empty() {
                // In a choreography nothing defines a process: it is there once it is named.
                true if place.system.analysis().network_tree().is_none() => {
                    names.same(name.entity).take(1).map(|one| one.span).collect()
                }
                _ => defined,
            }
        }
        Entity::Label { label, .. } => {
            let wanted = (name.role == Role::Definition).then_some(label);
            match place.network_term() {
                Some(term) => counterparts(&place.system, term, wanted),
                None => Vec::new(),
            }
        }
    }
}
