//! Code lenses: the verdict above a network or a choreography, with what can be shown of it.

use crate::document::Document;
use crate::preview::{SHOW_CHOREOGRAPHY, SHOW_DIAGRAM};
use crate::workspace::Workspace;
use gen_lsp_types::{CodeLens, Command};
use laban::Model;
use laban::text::Span;
use serde_json::{Value, json};

pub(crate) fn lenses(workspace: &Workspace, document: &Document) -> Vec<CodeLens> {
    let mut lenses = Vec::new();
    for system in workspace.systems(document) {
        let (Some(outcome), Some(model)) = (system.outcome(), system.analysis().model()) else { continue };
        for part in system.parts_in(&document.key) {
            // Above the first thing in it.
            let inside = part.inside.text(part.text.content());
            let blank = (inside.len() - inside.trim_start().len()) as u32;
            let start = part.inside.start + blank;
            let range = part.text.range(Span::new(start, start), workspace.columns);
            let position = serde_json::to_value(range.start).unwrap_or(Value::Null);
            let arguments = vec![json!(document.uri), position];
            let mut add = |title: String, command: &str| {
                let command =
                    Command { title, tooltip: None, command: command.to_string(), arguments: Some(arguments.clone()) };
                lenses.push(CodeLens { range, command: Some(command), data: None });
            };
            let summary = &outcome.summary;
            match (model, &outcome.extraction) {
                (Model::Network(_), Some(extraction)) if extraction.choreography().is_some() => {
                    add(format!("{summary} — show choreography"), SHOW_CHOREOGRAPHY);
                    add("diagram".to_string(), SHOW_DIAGRAM);
                }
                (Model::Network(_), Some(extraction)) if !extraction.explanations().is_empty() => {
                    add(format!("{summary} — show the run"), SHOW_DIAGRAM);
                }
                (Model::Network(_), _) => add(summary.clone(), SHOW_CHOREOGRAPHY),
                (Model::Choreography(_), _) => add(format!("{summary} — show diagram"), SHOW_DIAGRAM),
            }
        }
    }
    lenses
}
