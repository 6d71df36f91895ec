//! What happens to a network before and around the search, each step in a separate function, to be counted by
//! `instructions.sh`: `phases SHAPE SIZE`. Without arguments it does everything once, small.

#[path = "../shapes/mod.rs"]
mod shapes;

use laban::network::{self, LoweredNetwork, Minimised, Network};
use laban::syntax::{Compact, NetworkTree, Networks, Parsed, Pretty, parse_network};
use std::hint::black_box;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let (chosen, size) = match arguments.as_slice() {
        [shape, size] => (vec![shape.as_str()], size.parse().unwrap_or(1000)),
        _ => (shapes::NAMES.to_vec(), 10),
    };
    let mut all_fine = true;
    for shape in chosen {
        all_fine &= shapes::named(shape, size, 6).is_some_and(|text| measured(&text));
    }
    if all_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Goes through all phases. Gives back whether the network was well-formed.
fn measured(text: &str) -> bool {
    let parsed = phase_parse(text);
    let LoweredNetwork { network, diagnostics } = phase_lower(&parsed.tree);
    let Some(network) = network else {
        eprintln!("{diagnostics:?}");
        return false;
    };
    black_box(phase_minimise(&network));
    black_box(phase_pretty(&parsed.tree, text));
    black_box(phase_compact(&parsed.tree));
    true
}

#[inline(never)]
fn phase_parse(text: &str) -> Parsed<Networks> {
    parse_network(text)
}

#[inline(never)]
fn phase_lower(tree: &NetworkTree) -> LoweredNetwork {
    network::lower(tree)
}

#[inline(never)]
fn phase_minimise(network: &Network) -> Minimised {
    network::minimise(network)
}

#[inline(never)]
fn phase_pretty(tree: &NetworkTree, source: &str) -> String {
    Pretty { tree, source }.to_string()
}

#[inline(never)]
fn phase_compact(tree: &NetworkTree) -> String {
    Compact(tree).to_string()
}
