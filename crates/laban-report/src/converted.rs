//! What is written when a text is converted.

use crate::input::Input;
use crate::target::Target;
use laban::diagnostic::{Code, Diagnostic};
use laban::extraction::Found;
use laban::network::ProcessId;
use laban::syntax::{Kind, NetworkTree, Span, Unit};
use laban::{Extraction, Model, Network, Projection, SyntaxTree};
use laban_formats::write_aldebaran;

/// What to say about a model that the tools of a language would take for something else.
pub fn conversion_warning(target: Target, model: &Model) -> Option<String> {
    match model {
        Model::Network(network) => target.warning(network),
        Model::Choreography(_) => None,
    }
}

/// The text of what was read in one of Laban's languages, if that is asked for and, as for a network, nothing is to be
/// changed. It has the names of procedures, unlike one that is made of the model.
pub fn own_text(target: Target, input: &Input, is_as_read: bool) -> Option<String> {
    // Comments are found in the text, if it is one of Laban's own.
    let source = if input.foreign.is_none() { input.source.text.as_str() } else { "" };
    match (target, input.analysis.tree()) {
        (Target::Own(Kind::Network), SyntaxTree::Network(tree)) if is_as_read => {
            Some(laban::Pretty { tree, source }.to_string())
        }
        (Target::Own(Kind::Choreography), SyntaxTree::Choreography(tree)) => {
            Some(laban::Pretty { tree, source }.to_string())
        }
        _ => None,
    }
}

/// What to call a protocol: after its file.
pub fn protocol_name(input: &Input) -> String {
    let stem = input.path.as_deref().and_then(std::path::Path::file_stem).map(|stem| stem.to_string_lossy());
    let is_part = |c: char| c.is_ascii_alphanumeric();
    let mut name = String::new();
    for word in stem.unwrap_or_default().split(|c| !is_part(c)).filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("Protocol{name}") }
}

/// The symbolic execution graph of a network, as a labelled transition system; nothing if it is not known.
pub fn graph_text(answer: &Extraction, network: &Network) -> Option<Result<String, Diagnostic>> {
    let wrong = |message: &str| Diagnostic::new(Code::Inexpressible, Span::default(), message);
    match answer.components() {
        [only] => match &only.found {
            Found::Graph(graph) => Some(Ok(write_aldebaran(answer.searched(network), graph))),
            // As far as it was explored, which is not all.
            Found::Failure(..) => {
                let message = "this network has no choreography, so its graph is not complete";
                Some(Err(wrong(message).hint("`laban extract` shows why")))
            }
            Found::Undecided(_) => None,
        },
        several => Some(Err(wrong(&format!(
            "this network has {} parts that never interact, and a transition system is one",
            several.len()
        ))
        .hint("`--no-split` searches the network as a whole"))),
    }
}

/// Why `main { stop }` is not projected.
pub const NO_PROCESSES: &str = "this choreography has no processes, and a network has at least one";

/// The text of the network, or of some processes of it.
pub fn endpoints(projection: &Projection, processes: &[ProcessId]) -> NetworkTree {
    let mut tree = projection.tree();
    if !processes.is_empty() {
        let wanted = processes.iter().map(|process| projection.network.processes()[process.index()].name);
        let wanted: Vec<_> = wanted.collect();
        let is_wanted = |unit: &Unit| unit.name.is_some_and(|name| wanted.contains(&name.symbol));
        tree.units.retain(is_wanted);
    }
    tree
}
