//! Processes and procedures as the outline of a document, and by name in all documents.

use crate::document::Document;
use crate::system::System;
use crate::workspace::Workspace;
use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, Location, SymbolKind, Uri, WorkspaceSymbol, WorkspaceSymbolLocation,
};
use laban::SyntaxTree;
use laban::syntax::{Language, Tree, Unit};
use laban::text::{Columns, Span};

/// More symbols than this are not looked through.
const MOST_FOUND: usize = 1000;

/// The outline of a document.
pub(crate) fn outline(workspace: &Workspace, document: &Document) -> Vec<DocumentSymbol> {
    let systems = document.systems(&workspace.counters).iter().filter(|system| system.is_own());
    systems
        .flat_map(|system| match system.analysis().tree() {
            SyntaxTree::Network(tree) => of_tree(system, tree, workspace.columns),
            SyntaxTree::Choreography(tree) => of_tree(system, tree, workspace.columns),
        })
        .collect()
}

fn of_tree<L: Language>(system: &System, tree: &Tree<L>, columns: Columns) -> Vec<DocumentSymbol> {
    let several = tree.units.len() > 1;
    let units = tree.units.iter().enumerate();
    units
        .flat_map(|(number, unit)| {
            let inside = inside(system, tree, unit, columns);
            let (name, selection) = match unit.name {
                Some(name) => (tree.text(name).to_string(), name.span),
                None if several => (format!("part {}", number + 1), Span::new(unit.span.start, unit.span.start)),
                None => return inside,
            };
            let kind = if unit.name.is_some() { SymbolKind::Class } else { SymbolKind::Namespace };
            let detail = unit.service.map(|_| "service".to_string());
            symbol(system, name, kind, detail, unit.span, selection, inside, columns).into_iter().collect()
        })
        .collect()
}

/// The procedures and the main of a unit.
fn inside<L: Language>(system: &System, tree: &Tree<L>, unit: &Unit, columns: Columns) -> Vec<DocumentSymbol> {
    let procedures = unit.procedures.iter().map(|procedure| {
        let (name, kind) = (tree.text(procedure.name).to_string(), SymbolKind::Function);
        symbol(system, name, kind, None, procedure.span, procedure.name.span, Vec::new(), columns)
    });
    let mains = unit.mains.iter().map(|main| {
        let word = Span::new(main.span.start, (main.span.start + 4).min(main.span.end));
        symbol(system, "main".to_string(), SymbolKind::Function, None, main.span, word, Vec::new(), columns)
    });
    procedures.chain(mains).flatten().collect()
}

#[allow(clippy::too_many_arguments)]
fn symbol(
    system: &System,
    name: String,
    kind: SymbolKind,
    detail: Option<String>,
    span: Span,
    selection: Span,
    children: Vec<DocumentSymbol>,
    columns: Columns,
) -> Option<DocumentSymbol> {
    // What is incomplete may end before its name does.
    let span = Span::new(span.start.min(selection.start), span.end.max(selection.end));
    #[allow(deprecated)]
    Some(DocumentSymbol {
        name: if name.is_empty() { "?".to_string() } else { name },
        detail,
        kind,
        tags: None,
        deprecated: None,
        range: system.location(span, columns)?.range,
        selection_range: system.location(selection, columns)?.range,
        children: (!children.is_empty()).then_some(children),
    })
}

/// The processes and procedures of all open documents whose names have this in them.
pub(crate) fn find(workspace: &Workspace, query: &str) -> Vec<WorkspaceSymbol> {
    let query = query.to_lowercase();
    let mut found = Vec::new();
    for document in workspace.open_documents() {
        let mut work: Vec<(DocumentSymbol, Option<String>)> =
            outline(workspace, document).into_iter().rev().map(|symbol| (symbol, None)).collect();
        while let Some((symbol, container)) = work.pop() {
            if symbol.name.to_lowercase().contains(&query) && symbol.name != "main" {
                let location = Location { uri: Uri(document.uri.clone()), range: symbol.selection_range };
                let (name, kind) = (symbol.name.clone(), symbol.kind);
                found.push(WorkspaceSymbol {
                    location: WorkspaceSymbolLocation::Location(location),
                    data: None,
                    base_symbol_information: BaseSymbolInformation {
                        name,
                        kind,
                        tags: None,
                        container_name: container,
                    },
                });
            }
            let children = symbol.children.unwrap_or_default().into_iter().rev();
            work.extend(children.map(|child| (child, Some(symbol.name.clone()))));
        }
        if found.len() >= MOST_FOUND {
            break;
        }
    }
    found.truncate(MOST_FOUND);
    found
}
