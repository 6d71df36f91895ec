//! What searches come to, and what they cost.

use super::{Digest, compare};
use crate::{queues, races, verify};
use laban::extraction::{ExtractOptions, Findings, Found, Strategy, search};
use laban::network::Network;
use laban::{Compact, Limits, analyse, extract};
use std::fs;
use std::path::Path;

/// Adds what was found in each component: what it cost, which queues it needs, and the graph or the failure.
fn add_findings(digest: &mut Digest, network: &Network, findings: &Findings) {
    let network = findings.minimised.as_ref().unwrap_or(network);
    for component in &findings.components {
        let statistics = component.statistics;
        digest.add(format_args!("{} {} {}", statistics.nodes, statistics.bad_loops, statistics.bytes));
        for &(from, to, most) in &component.capacities {
            digest.add(format_args!("{} {} {most}", network.process_name(from), network.process_name(to)));
        }
        let graph = match &component.found {
            Found::Graph(graph) => graph,
            Found::Failure(failure, graph) => {
                digest.add(failure.verdict().as_str());
                digest.add_steps(network, failure.run());
                digest.add_steps(network, failure.cycle());
                graph
            }
            Found::Undecided(reason) => {
                digest.add(reason);
                continue;
            }
        };
        for node in 0..graph.len() as u32 {
            if let Some(action) = graph.action(node).and_then(|action| graph.describe(action)) {
                digest.add(action.describe(network));
            }
            graph.edges(node).iter().for_each(|edge| digest.add(format_args!("{} {}", edge.target(), edge.erases())));
        }
    }
}

/// A line about a network: the verdict, the nodes with each strategy, and all that is said.
fn line(name: &str, text: &str, network: &Network) -> String {
    let mut digest = Digest::new();
    let usual = ExtractOptions { parallel: false, limits: Limits::states(400), queue: 8, ..ExtractOptions::default() };
    let nodes: Vec<String> = Strategy::ALL
        .iter()
        .map(|&strategy| {
            let findings = search(network, &ExtractOptions { strategy, seed: 7, ..usual });
            add_findings(&mut digest, network, &findings);
            findings.statistics().nodes.to_string()
        })
        .collect();
    let as_they_are = ExtractOptions { minimise: false, split: false, merge: false, ..usual };
    for options in [ExtractOptions { fair: true, ..usual }, as_they_are, ExtractOptions { queue: 1, ..usual }] {
        add_findings(&mut digest, network, &search(network, &options));
    }
    let mut answer = extract(network, &usual).unwrap();
    // One state more or less decides whether there is an answer.
    let cost = answer.statistics().nodes;
    for most in [cost.saturating_sub(1), cost] {
        let limits = Limits { max_states: Some(most), ..Limits::default() };
        add_findings(&mut digest, network, &search(network, &ExtractOptions { limits, split: false, ..usual }));
    }
    answer.try_other_channels(network, &usual);
    answer.tree().iter().for_each(|tree| digest.add(Compact(*tree)));
    answer.certificate().iter().for_each(|it| digest.add(format_args!("{} {} {}", it.pairs, it.remembered, it.ends)));
    let meetings = answer.meetings(network, &Limits::default());
    meetings.pairs().iter().for_each(|(one, other)| digest.add(format_args!("{} {}", one.0, other.0)));
    for explanation in answer.explanations() {
        digest.add_diagnostics(text, &[explanation.diagnostic(network)]);
        digest.add_places(&explanation.steps(network));
        digest.add(explanation.summary(network));
    }
    let note: Vec<_> = answer.capacities_note(network, &usual).into_iter().collect();
    digest.add_diagnostics(text, &note);
    let left = answer.services_left(network, Limits::default());
    let left: Vec<_> = left.iter().map(|left| left.diagnostic(network)).collect();
    digest.add_diagnostics(text, &left);
    format!("{name}: {}, {} nodes, {digest}", answer.verdict().as_str(), nodes.join(" "))
}

#[test]
fn the_examples_are_searched_as_ever() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        if path.extension().is_none_or(|extension| extension != "net") || name.ends_with("-2x") {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        found.extend(analyse(&text).into_network().ok().map(|network| line(&name, &text, &network)));
    }
    found.sort();
    compare("examples", &found);
}

#[test]
fn networks_with_races_are_searched_as_ever() {
    let one = |seed: u64| races::random_network(seed).map(|(text, network)| line(&seed.to_string(), &text, &network));
    compare("races", &(0..250).filter_map(one).collect::<Vec<_>>());
}

#[test]
fn networks_with_queues_are_searched_as_ever() {
    let one = |seed: u64| queues::random_network(seed).map(|(text, network)| line(&seed.to_string(), &text, &network));
    compare("queues", &(0..150).filter_map(one).collect::<Vec<_>>());
}

#[test]
fn networks_as_in_the_paper_are_searched_as_ever() {
    let one = |seed: u64| {
        let network = if seed.is_multiple_of(2) { verify::random::case(seed).0 } else { verify::random::hub(seed).0 };
        line(&seed.to_string(), "", &network)
    };
    compare("plain", &(0..400).map(one).collect::<Vec<_>>());
}

/// Networks in which somebody could always act and is in no smallest closed set, most of them beside others who decide.
const PUT_OFF: [(&str, &str); 11] = [
    (
        "beside one who decides and tells",
        "p { def X { if c then q+l; X else q+m; X } main { X } } | q { def X { p&{l: X, m: X} } main { X } }
        | r { def X { s!<x>; X } main { X } } | s { def X { any { r?; X, q?; X } } main { X } }",
    ),
    (
        "two, beside one who decides and tells",
        "p { def X { if c then q+l; X else q+m; X } main { X } } | q { def X { p&{l: X, m: X} } main { X } }
        | r { def X { s!<x>; X } main { X } } | s { def X { any { r?; X, t?; X } } main { X } }
        | t { def X { u!<x>; X } main { X } } | u { def X { any { t?; X, q?; X } } main { X } }",
    ),
    (
        "with queues, beside two who decide and tell",
        "channels queue; p { def X { q!<x>; X } main { X } } | q { def X { any { p?; X, s?; X } } main { X } }
        | r { def X { if c then s+l; X else s+m; X } main { X } } | s { def X { r&{l: X, m: X} } main { X } }
        | t { def X { if c then u+l; X else u+m; X } main { X } } | u { def X { t&{l: X, m: X} } main { X } }",
    ),
    (
        "by two who decide forever",
        "p { def X { if a then X else r!<x>; r!<x>; stop } main { if d then X else X } }
        | q { def X { r!<x>; X } main { X } } | r { def X { any { q?; X, p?; X } } main { X } }
        | s { def X { if a then X else X } main { X } }",
    ),
    (
        "by one who decides forever and races",
        "p { def X { if a then X else any { q+l; s+l; X, r?; if c then X else X } } main { X } }
        | q { def X { if a then X else p!<x>; s!<x>; X } main { X } } | r { def X { s!<x>; X } main { X } }
        | s { def X { any { r?; X, p?; X } } main { X } }",
    ),
    (
        "by one who waits for one who decides",
        "p { def X { if a then X else s+l; idle any { r!<x>; stop, t?; X } } main { if d then X else X } }
        | q { def X { r!<x>; X } main { X } } | r { def X { any { q?; X, t?; X } } main { X } }
        | s { def X { if c then t+l; X else t+m; X } main { X } } | t { def X { s&{l: X, m: X} } main { X } }",
    ),
    (
        "in turn, with one who decides and one who chooses",
        "p { def X { if a then X else any { s!<x>; u&{l: X, m: X}, t!<x>; t?; stop } } main { X } }
        | q { def X { r!<x>; X } main { X } } | r { def X { any { q?; X, t?; X } } main { X } }
        | s { def X { if c then q?; r?; X else q?; idle any { q?; Y } }
            def Y { p+l; choose { any { p?; X, r?; Y, t+l; Y }, choose { Y, X } } } main { X } }
        | t { def X { u!<x>; X } main { X } } | u { def X { any { t?; X, r?; X } } main { X } }",
    ),
    (
        "in turn, with queues and services",
        "channels queue; p { def X { if a then X else X } main { q!<x>; X } } | service q { def X { r!<x>; X } main { X } }
        | r { def X { any { q?; X, t?; X } } main { X } } | s { def X { t!<x>; X } main { X } }
        | service t { def X { any { s?; X, r?; X } } main { X } }",
    ),
    (
        "beside a message that nobody takes",
        "channels queue, p -> q rendezvous; p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } }
        | r { def X { s!<x>; X } main { X } } | s { def X { any { r?; X, p?; X } } main { X } }
        | t { main { any { r!<x>; r!<x>; s?; stop, r?; stop } } }",
    ),
    (
        "by one who may fill a queue",
        "channels queue, p -> q rendezvous, q -> p rendezvous;
        p { def X { if c then r!<x>; r!<x>; X else choose { choose { X, X }, q!<x>; stop } } main { X } }
        | q { def X { r!<x>; X } main { X } } | r { def X { any { q?; X, p?; X } } main { X } }",
    ),
    (
        "by a service that waits to send without a queue",
        "channels queue, p -> q queue 1, p -> r rendezvous;
        service p { def X { idle any { q&{l: q?; q?; X, m: q?; q?; X}, r+m; r?; X } } main { X } }
        | q { def X { p+m; p!<v>; p!<v>; X } main { X } } | service r { def X { p!<x>; p&{l: stop, m: X} } main { X } }",
    ),
];

#[test]
fn networks_in_which_somebody_is_put_off_are_searched_as_ever() {
    let one = |&(name, text): &(&str, &str)| {
        let network = analyse(text).into_network().unwrap();
        let whole = ExtractOptions { split: false, parallel: false, queue: 8, seed: 7, ..ExtractOptions::default() };
        let nodes = |&strategy: &Strategy| {
            search(&network, &ExtractOptions { strategy, ..whole }).statistics().nodes.to_string()
        };
        let nodes: Vec<String> = Strategy::ALL.iter().map(nodes).collect();
        [line(name, text, &network), format!("{name}, as a whole: {} nodes", nodes.join(" "))]
    };
    compare("put-off", &PUT_OFF.iter().flat_map(one).collect::<Vec<_>>());
}
