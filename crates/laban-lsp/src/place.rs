//! A position that a client asks about: in which document, in which system, and where in its text.

use crate::document::Document;
use crate::names::{self, Occurrence};
use crate::system::System;
use crate::workspace::Workspace;
use gen_lsp_types::{Range, TextDocumentPositionParams};
use laban::syntax::TermId;
use std::sync::Arc;

/// A position in a system.
pub(crate) struct Place {
    pub(crate) document: Arc<Document>,
    pub(crate) system: Arc<System>,
    /// Where it is in the text of the system.
    pub(crate) offset: u32,
}

impl Place {
    /// The place that a client asks about, if there is a text of Laban.
    pub(crate) fn of(workspace: &Workspace, params: &TextDocumentPositionParams) -> Option<Place> {
        let document = workspace.document(&params.text_document.uri.0)?.clone();
        let offset = document.text.offset(params.position, workspace.columns);
        let (system, offset) = workspace.at(&document, offset)?;
        Some(Place { document, system, offset })
    }

    /// The name there.
    pub(crate) fn name(&self) -> Option<Occurrence> {
        self.system.names().at(self.offset).copied()
    }

    /// The innermost term there, if it is a network in Laban's own language.
    pub(crate) fn network_term(&self) -> Option<TermId> {
        let tree = self.system.analysis().network_tree().filter(|_| self.system.is_own())?;
        names::term_at(tree, self.offset)
    }
}

/// The systems in a document, each with the stretch of its text that a range of the document is.
pub(crate) fn systems_in(
    workspace: &Workspace,
    document: &Document,
    range: Option<Range>,
) -> Vec<(Arc<System>, laban::text::Span)> {
    let asked = range.map(|range| document.text.span(range, workspace.columns));
    let mut found = Vec::new();
    for system in workspace.systems(document) {
        for part in system.parts_in(&document.key) {
            let whole = System::span_of(part);
            let span = match asked {
                None => whole,
                Some(asked) if asked.end < part.inside.start || asked.start > part.inside.end => continue,
                Some(asked) => {
                    let place =
                        |offset: u32| part.start + offset.clamp(part.inside.start, part.inside.end) - part.inside.start;
                    laban::text::Span::new(place(asked.start), place(asked.end))
                }
            };
            found.push((system.clone(), span));
        }
    }
    found
}
