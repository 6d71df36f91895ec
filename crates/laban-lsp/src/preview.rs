//! What can be shown beside a text: its choreography, its projection, diagrams.
//!
//! See the README of the crate for the kinds of previews, the request `laban/preview`, and the two commands.

use crate::check::Outcome;
use crate::document::Document;
use crate::format::formatted;
use crate::system::System;
use crate::uri;
use crate::workspace::Workspace;
use gen_lsp_types::Position;
use laban::syntax::Pretty;
use laban::{Choreography, Limits, Model, Network, ProjectOptions, Projection, Verdict};
use laban_draw::sequence::{MermaidSequence, Sequence, SvgSequence};
use laban_draw::{Focus, Picture, Svg, automata, communications, protocol, sequence};
use laban_formats::{write_chor, write_net};
use laban_report::{graphs, sequence_of};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Shows the choreography of a network.
pub(crate) const SHOW_CHOREOGRAPHY: &str = "laban.showChoreography";
/// Shows a sequence diagram.
pub(crate) const SHOW_DIAGRAM: &str = "laban.showDiagram";
/// The commands that the server knows.
pub(crate) const COMMANDS: [&str; 2] = [SHOW_CHOREOGRAPHY, SHOW_DIAGRAM];

/// A projection for a drawing gives up after so many states.
const MOST_STATES: usize = 100_000;

/// The parameters of `laban/preview`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct PreviewParams {
    pub(crate) uri: String,
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) position: Option<Position>,
}

/// Something to show.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Preview {
    kind: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// The parameters of the preview that a command shows.
pub(crate) fn of_command(command: &str, arguments: &[Value]) -> Option<PreviewParams> {
    let kind = match command {
        SHOW_CHOREOGRAPHY => "choreography",
        SHOW_DIAGRAM => "sequence",
        _ => return None,
    };
    let uri = arguments.first()?.as_str()?.to_string();
    let position = arguments.get(1).and_then(|value| serde_json::from_value(value.clone()).ok());
    Some(PreviewParams { uri, kind: kind.to_string(), position })
}

/// What there is to show; nothing if the document is unknown or has no text of Laban there.
pub(crate) fn preview(workspace: &Workspace, params: &PreviewParams) -> Option<Preview> {
    let document = workspace.document(&params.uri)?;
    let system = chosen(workspace, document, params.position)?;
    let title = format!("{} of {}", params.kind, uri::name(&document.key));
    let preview = Preview { kind: params.kind.clone(), title, ..Preview::default() };
    let analysis = system.analysis();
    let Some(model) = analysis.model().filter(|_| system.broken().is_empty()) else {
        let message = analysis.errors().first().map_or("the text has mistakes", |error| error.message.as_str());
        return Some(Preview { message: Some(message.to_string()), ..preview });
    };
    Some(match model {
        Model::Network(network) => of_network(&system, network, preview),
        Model::Choreography(choreography) => of_choreography(&system, choreography, preview),
    })
}

/// The system at a position; the first one without a position, or if there is none there.
fn chosen(workspace: &Workspace, document: &Arc<Document>, position: Option<Position>) -> Option<Arc<System>> {
    let offset = position.map(|position| document.text.offset(position, workspace.columns));
    let there = offset.and_then(|offset| workspace.at(document, offset)).map(|(system, _)| system);
    there.or_else(|| workspace.systems(document).into_iter().next())
}

fn of_network(system: &System, network: &Network, preview: Preview) -> Preview {
    let focus = Focus::default();
    match preview.kind.as_str() {
        "network" => net(own_text(system).unwrap_or_else(|| write_net(network)), preview),
        "automata" => picture(&automata(network, &focus), preview),
        "communications" => picture(&communications(network, &focus), preview),
        "choreography" | "sequence" | "graph" => match system.outcome() {
            Some(outcome) => of_outcome(network, outcome, &focus, preview),
            None => Preview { message: Some("the search is not done yet".to_string()), ..preview },
        },
        _ => unknown(preview),
    }
}

fn of_outcome(network: &Network, outcome: &Outcome, focus: &Focus, preview: Preview) -> Preview {
    let Some(extraction) = &outcome.extraction else {
        return Preview { message: Some(outcome.summary.clone()), ..preview };
    };
    let failure = extraction.explanations().first().map(|explanation| explanation.reason(network));
    let message = failure.or_else(|| extraction.tree().is_none().then(|| outcome.summary.clone()));
    let preview = Preview { message, ..preview };
    match (preview.kind.as_str(), extraction.tree()) {
        ("choreography", Some(tree)) => chor(Pretty { tree, source: "" }.to_string(), preview),
        ("sequence", _) if extraction.verdict() != Verdict::Undecided => {
            diagram(&sequence_of(extraction, network, focus), preview)
        }
        ("graph", _) => match graphs(extraction, network, focus) {
            Some(drawn) => picture(&drawn, preview),
            None => preview,
        },
        _ => preview,
    }
}

fn of_choreography(system: &System, choreography: &Choreography, preview: Preview) -> Preview {
    let focus = Focus::default();
    match preview.kind.as_str() {
        "choreography" => chor(own_text(system).unwrap_or_else(|| write_chor(choreography)), preview),
        "sequence" => match system.analysis().choreography_tree() {
            Some(tree) => diagram(&sequence::choreography(tree, &focus), preview),
            None => preview,
        },
        "graph" => picture(&protocol(choreography, &focus), preview),
        kind @ ("network" | "automata" | "communications") => {
            let options = ProjectOptions { limits: Limits::states(MOST_STATES), ..ProjectOptions::default() };
            let projection: Projection = match laban::project(choreography, &options) {
                Ok(projection) => projection,
                Err(refused) => return Preview { message: Some(refused.to_string()), ..preview },
            };
            match kind {
                "network" => net(Pretty { tree: &projection.tree(), source: "" }.to_string(), preview),
                "automata" => picture(&automata(&projection.network, &focus), preview),
                _ => picture(&communications(&projection.network, &focus), preview),
            }
        }
        _ => unknown(preview),
    }
}

/// The text itself, laid out, if it is in one of Laban's own languages.
fn own_text(system: &System) -> Option<String> {
    formatted(system.analysis()).filter(|_| system.is_own())
}

fn net(text: String, preview: Preview) -> Preview {
    Preview { language: Some("laban-net"), text: Some(text), ..preview }
}

fn chor(text: String, preview: Preview) -> Preview {
    Preview { language: Some("laban-chor"), text: Some(text), ..preview }
}

fn diagram(drawn: &Sequence, preview: Preview) -> Preview {
    let (text, svg) = (MermaidSequence(drawn).to_string(), SvgSequence(drawn).to_string());
    Preview { language: Some("mermaid"), text: Some(text), svg: Some(svg), ..preview }
}

fn picture(drawn: &Picture, preview: Preview) -> Preview {
    Preview { svg: Some(Svg(drawn).to_string()), ..preview }
}

fn unknown(preview: Preview) -> Preview {
    Preview { message: Some(format!("there is no preview of the kind `{}`", preview.kind)), ..preview }
}
