//! Drawings: what they look like, that nothing in them overlaps, and that no name breaks them.

#![allow(clippy::unwrap_used, clippy::panic)]

mod differences;
mod focus;
mod generator;
mod geometry;
mod goldens;
mod large;
mod names;
mod races;
mod reading;
mod runs;

use laban::choreography::read_off;
use laban::extraction::explain::{Explanation, Witness, explain};
use laban::extraction::{ExtractOptions, Findings, search};
use laban::network::{self, Network};
use laban::syntax::{ChoreographyTree, parse_choreography, parse_network};
use laban_draw::sequence::{self, Sequence};
use laban_draw::{Focus, Picture, automata, communications, protocol, symbolic};
use std::path::PathBuf;

fn choreography(source: &str) -> ChoreographyTree {
    let parsed = parse_choreography(source);
    assert!(parsed.diagnostics.is_empty(), "{source}\n{:?}", parsed.diagnostics);
    parsed.tree
}

fn network(source: &str) -> Network {
    let parsed = parse_network(source);
    assert!(parsed.diagnostics.is_empty(), "{source}\n{:?}", parsed.diagnostics);
    let lowered = network::lower(&parsed.tree);
    lowered.network.unwrap_or_else(|| panic!("{:?}", lowered.diagnostics))
}

fn explanations(network: &Network, extraction: &Findings) -> Vec<Explanation> {
    let explained = extraction
        .failures()
        .map(|(component, failure)| explain(network, &Witness::new(&component.processes, failure)).unwrap());
    explained.collect()
}

/// All files in `examples/` that end so, by name.
fn examples(ending: &str) -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == ending))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_string();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

/// Every sequence diagram that can be made of the examples.
fn example_sequences() -> Vec<(String, Sequence)> {
    let mut found = Vec::new();
    for (name, source) in examples("chor") {
        found.push((format!("{name}.chor"), sequence::choreography(&choreography(&source), &Focus::default())));
    }
    for (name, source) in examples("net").into_iter().filter(|(name, _)| name != "ill-formed") {
        let network = network(&source);
        let extraction = search(&network, &ExtractOptions::default());
        if let Some(choreography) = &extraction.choreography {
            let services = network.processes().iter().filter(|process| process.service);
            let services = services.map(|process| network.text(process.name));
            let drawn = sequence::choreography(&read_off(choreography), &Focus::default()).with_services(services);
            found.push((format!("{name}.net"), drawn));
        }
        for (number, explanation) in explanations(&network, &extraction).iter().enumerate() {
            let diagram = sequence::witness(&network, explanation, &Focus::default());
            found.push((format!("{name}.net-{number}"), diagram));
        }
    }
    found
}

/// Every graph that can be made of the examples.
fn example_pictures() -> Vec<(String, Picture)> {
    let mut found = Vec::new();
    let focus = Focus::default();
    for (name, source) in examples("chor") {
        let lowered = laban::choreography::lower(&choreography(&source)).choreography.unwrap();
        found.push((format!("{name}-protocol"), protocol(&lowered, &focus)));
    }
    for (name, source) in examples("net").into_iter().filter(|(name, _)| name != "ill-formed") {
        let network = network(&source);
        found.push((format!("{name}-communications"), communications(&network, &Focus::default())));
        found.push((format!("{name}-automata"), automata(&network, &Focus::default())));
        let extraction = search(&network, &ExtractOptions::default());
        for (number, component) in extraction.components.iter().enumerate() {
            let drawn = symbolic(&network, &component.processes, &component.found, &focus);
            found.extend(drawn.map(|picture| (format!("{name}-symbolic-{number}"), picture)));
        }
    }
    found
}
