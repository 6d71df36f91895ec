//! What the readers and writers promise: by hand, by laws on random networks, and on broken texts.
//!
//! Random inputs come from a seed, which a failure prints. `LABAN_TIMES=10` tries ten times as many.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod aldebaran;
mod amending;
mod automata;
mod bpmn;
mod broken;
mod detection;
mod diagrams;
mod documents;
mod drawings;
mod global_views;
mod goldens;
mod json;
mod plantuml;
mod promela;
mod properties;
mod protocols;
mod random_diagrams;
mod reading;
mod round_trip;
mod scribble;
mod twin;

use laban::choreography::{Node, NodeId};
use laban::generate::{self, Parameters, SeededRng};
use laban::network::{Content, ProcessId};
use laban::syntax::NetworkTree;
use laban::{Choreography, Network};
use laban_formats::{Format, Reading, Source, read};

/// How many cases a law is tried on: so many, or `LABAN_TIMES` as many.
fn cases(usual: u64) -> u64 {
    usual * times()
}

/// The same for a law of which each case takes long: so few, or `LABAN_TIMES` as many as many.
fn long_cases(few: u64, many: u64) -> u64 {
    if times() > 1 { many * times() } else { few }
}

/// How large a test is made: as large as it takes to see that size does not matter, or with `LABAN_TIMES` as large as
/// anybody would ever want.
fn scaled(usual: usize, large: usize) -> usize {
    if times() > 1 { large } else { usual }
}

fn times() -> u64 {
    std::env::var("LABAN_TIMES").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

fn read_text(format: Format, text: &str) -> Reading {
    read(format, &[Source::new("", text)])
}

/// Reads a text without mistakes.
fn network_of(format: Format, text: &str) -> Network {
    let reading = read_text(format, text);
    let diagnostics = reading.report.diagnostics.clone();
    reading.into_network().unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

/// A network of Laban's own language.
fn network(text: &str) -> Network {
    laban::analyse(text).into_network().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A random network, of which some have races, some have no choices, and half have a broken process.
fn random_network(seed: u64) -> Network {
    let mut rng = SeededRng::keyed([seed, 0xf0, 0, 0]);
    let processes = 2 + rng.below_u32(4);
    let procedures = rng.below_u32(3);
    let ifs = rng.below_u32(3);
    let races = if rng.below_u32(2) == 0 { 0 } else { 1 + rng.below_u32(2) };
    let size = 4 + ifs + races + procedures + rng.below_u32(8);
    let parameters = Parameters::new(size, processes, ifs, procedures).with_races(races);
    let generated = generate::network(&parameters, rng.long()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    if rng.below_u32(2) == 0 {
        return generated.network;
    }
    let (deletions, swaps) = (rng.below_u32(3), rng.below_u32(3));
    let (fuzzed, _): (NetworkTree, _) = generate::fuzz(&generated.network_tree, deletions, swaps, rng.long());
    // A broken process may be broken beyond what a network can be.
    laban::network::lower(&fuzzed).network.unwrap_or(generated.network)
}

/// Whether two choreographies say the same, step by step: the same graphs once everything in them is unfolded.
fn alike(one: &Choreography, other: &Choreography) -> bool {
    let symbol = |text: &str| text.to_string();
    let process = |of: &Choreography, process: ProcessId| of.process_name(process).to_string();
    let content = |of: &Choreography, content: Content| {
        [content.label(), content.value()].map(|part| part.map(|part| symbol(of.text(part))))
    };
    let shape = |of: &Choreography, node: NodeId| match of.node(node) {
        Node::Stop => ("stop", String::new(), String::new(), [None, None]),
        Node::Interaction { interaction, .. } => {
            let (from, to) = (process(of, interaction.from), process(of, interaction.to));
            ("interaction", from, to, content(of, interaction.content))
        }
        Node::If { process: decider, condition, .. } => {
            ("if", process(of, decider), symbol(of.text(condition)), [None, None])
        }
        Node::Choose { process: decider, .. } => ("choose", process(of, decider), String::new(), [None, None]),
        Node::Any { .. } => ("any", String::new(), String::new(), [None, None]),
        node => panic!("no reader makes {node:?}"),
    };
    let mut work: Vec<(NodeId, NodeId)> = one.starts().iter().copied().zip(other.starts().iter().copied()).collect();
    let mut met = std::collections::HashSet::new();
    while let Some((first, second)) = work.pop() {
        if !met.insert((first, second)) {
            continue;
        }
        let next: [Vec<NodeId>; 2] = [one.successors(first).collect(), other.successors(second).collect()];
        if shape(one, first) != shape(other, second) || next[0].len() != next[1].len() {
            return false;
        }
        let [first, second] = next;
        work.extend(first.into_iter().zip(second));
    }
    one.starts().len() == other.starts().len()
}
